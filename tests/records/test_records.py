"""Deal records: written, read back, replayed, and found out when anything in them was changed."""

import random
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
import tomli_w

from bot import records, rulesets, shuffling
from bot.records import DealRecord, RecordError, read_record, record_of, replay, verify, write_record
from bot.robots.arena import play_deal
from bot.robots.registry import make_robot
from engine.cards import pack
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.judge import play
from engine.notation import write_action
from engine.seating import Seating
from engine.state import new_match
from engine.views import seat_view
from tests.strategies import deal_of, ruleset

NAMES = ("Ana", "Luis", 'Eva "la rápida"', "Ñandú", "Bea", "Ciro")


@cache
def recorded(seed: int = 0, seating: Seating = Seating.ONE_ON_ONE, robot: str = "greedy") -> DealRecord:
    """The record of a deal among robots."""
    rules = ruleset("clasico")
    chance = shuffling.seeded_deal(rules, seating, seed)
    before = msgspec.structs.replace(new_match(rules, seating, 1), deals=1, totals=(120,) * seating.sides)
    played = play_deal(before, chance, [make_robot(robot)] * seating.seats)
    actions = [f"{seat}: {write_action(action)}" for seat, action in played.log]
    return record_of(before, NAMES[: seating.seats], chance, actions, played.match)


def unfinished(with_undo: bool = False) -> DealRecord:
    """The record of a deal that goes on."""
    rules, seating = ruleset("clasico"), Seating.ONE_ON_ONE
    chance = shuffling.seeded_deal(rules, seating, 4)
    before = new_match(rules, seating, 0)
    match = evolve_all(before, start_deal(before, chance))
    actions: list[str] = []
    robot = make_robot("greedy")
    while len(actions) < 200:
        seat = deal_of(match).turn.seat
        view = seat_view(match, seat)
        text = f"{seat}: {'undo' if with_undo and view.undo else write_action(robot.choose(view))}"
        match = play(match, text)
        actions.append(text)
        if text.endswith("undo"):
            break
        if not with_undo and len(actions) == 9:
            break
    return record_of(before, NAMES[:2], chance, actions, match)


@pytest.mark.parametrize("seating", Seating)
@pytest.mark.parametrize("robot", ["greedy", "random"])
def test_round_trip(seating: Seating, robot: str) -> None:
    """What is written is read back, and is true. The jokers of a pack may change places: they are named alike."""
    record = recorded(3, seating, robot)
    again = read_record(write_record(record))
    assert write_record(again) == write_record(record)
    same = {"pack": record.pack, "reserve": record.reserve}
    assert msgspec.structs.replace(again, **same) == record
    verify(record)
    verify(again)


@pytest.mark.parametrize("name", rulesets.ids())
def test_every_rule_set(name: str) -> None:
    """A record carries its whole rule set and needs no file to be read."""
    rules = rulesets.load(name)
    seating = rules.seatings[0]
    chance = shuffling.seeded_deal(rules, seating, 1)
    before = new_match(rules, seating, 0)
    played = play_deal(before, chance, [make_robot("greedy")] * seating.seats)
    actions = [f"{seat}: {write_action(action)}" for seat, action in played.log]
    record = read_record(write_record(record_of(before, NAMES[: seating.seats], chance, actions, played.match)))
    assert record.ruleset == rules
    verify(record)


def test_replay_steps() -> None:
    """The deal itself, then every action; the last state is the result."""
    record = recorded()
    steps = list(replay(record))
    assert [step.action for step in steps] == ["", *record.actions]
    assert deal_of(steps[0].match).number == record.number == 1
    assert records.result_of(steps[-1].match) == record.result
    assert records.result_of(steps[0].match) is None


@pytest.mark.parametrize("with_undo", [False, True])
def test_a_deal_that_goes_on(with_undo: bool) -> None:
    """It has no result; an undo is an action like any other."""
    record = read_record(write_record(unfinished(with_undo)))
    verify(record)
    assert record.result is None
    assert "result" not in tomllib.loads(write_record(record))
    assert any(action.endswith("undo") for action in record.actions) is with_undo


def test_cards_keep_their_backs() -> None:
    """Every physical card has a text of its own but for the two jokers of a pack."""
    cards = pack(3, 2)
    texts = [records.write_card(card) for card in cards]
    assert len(set(texts)) == 3 * 53
    assert texts[:2] == ["As/0", "2s/0"]
    assert texts[-1] == "JK/2"


Change = Callable[[dict[str, Any]], Any]


def _swap_actions(fields: dict[str, Any]) -> None:
    actions = fields["actions"]
    actions[0], actions[1] = actions[1], actions[0]


def _swap_cards(fields: dict[str, Any]) -> None:
    cards = fields["pack"].split()
    cards[0], cards[-1] = cards[-1], cards[0]
    fields["pack"] = " ".join(cards)


def _double_card(fields: dict[str, Any]) -> None:
    cards = fields["pack"].split()
    fields["pack"] = " ".join([*cards[:-1], cards[0]])


UNTRUE: dict[str, tuple[Change, str]] = {
    "an action refused": (_swap_actions, r"actions\[0\]: .* is refused: must_draw_first"),
    "an action lost": (lambda f: f["actions"].pop(), "result: the actions lead to a deal that is not over"),
    "an action too many": (lambda f: f["actions"].append("0: draw"), r"actions\[\d+\]: .* deal_over"),
    "a score": (lambda f: f["result"]["scores"][0].update(cards=7), "result: the actions lead to"),
    "the totals before": (lambda f: f.update(totals=[0, 0]), "result: "),
    "the result left out": (lambda f: f.pop("result"), "result: .* a deal that is not over"),
    "a name": (lambda f: f.update(names=["Ana", "Eva"]), "digest: does not fit"),
    "the digest": (lambda f: f.update(digest="0" * 64), "digest: does not fit"),
    "a card twice": (_double_card, "pack: the pack does not hold the cards"),
    "two cards": (_swap_cards, r"\w"),
    "a rule": (lambda f: f["ruleset"].update(closing_bonus=500), r"result: |digest: "),
    "the starter": (lambda f: f.update(first_starter=0), r"actions\[0\]: .* not_your_turn"),
}


@pytest.mark.parametrize("what", UNTRUE)
def test_what_was_changed_is_found(what: str) -> None:
    """A record that can be read but is not true: the first thing that does not fit is named."""
    change, told = UNTRUE[what]
    fields = tomllib.loads(write_record(recorded()))
    change(fields)
    changed = read_record(tomli_w.dumps(fields))
    with pytest.raises(RecordError, match=told):
        verify(changed)


def test_every_single_change_is_found() -> None:
    """Any action of the log replaced by another."""
    record = recorded()
    rng = random.Random(5)
    for place in range(len(record.actions)):
        others = [text for text in record.actions if text != record.actions[place]]
        actions = list(record.actions)
        actions[place] = rng.choice(others)
        with pytest.raises(RecordError):
            verify(msgspec.structs.replace(record, actions=tuple(actions)))


UNREADABLE: dict[str, tuple[Change, str]] = {
    "another format": (lambda f: f.update(format="pgn"), "format: not buraco-deal"),
    "another version": (lambda f: f.update(version=3), "version: neither 1 nor 2"),
    "a cut that is none": (lambda f: f.update(version=2), "version: 2 does not go with"),
    "a cut in an old record": (lambda f: f.update(cut="123"), "version: 1 does not go with"),
    "no such cutter": (lambda f: f.update(version=2, cut="123", cutter=2), "cutter: no seat 2"),
    "a missing key": (lambda f: f.pop("names"), "names"),
    "a missing pack": (lambda f: f.pop("pack"), "pack: missing"),
    "a missing digest": (lambda f: f.pop("digest"), "digest: missing"),
    "a pack that is no text": (lambda f: f.update(pack=[1]), "pack: a text is needed"),
    "a card of no pack": (lambda f: f.update(pack="7h"), "pack: no such card: 7h"),
    "a fourth back": (lambda f: f.update(pack="7h/3"), "pack: no such card: 7h/3"),
    "no card at all": (lambda f: f.update(pack="1x/0"), "pack: no such card: 1x/0"),
    "a third joker": (lambda f: f.update(reserve="JK/2 JK/2 JK/2"), "reserve: a third joker with the back 2"),
    "an unknown key": (lambda f: f.update(extra=1), "extra"),
    "a number for a text": (lambda f: f.update(actions=[1]), r"actions\[0\]"),
    "no such seating": (lambda f: f.update(seating="3v3"), "seating: "),
    "a name too few": (lambda f: f.update(names=["Ana"]), "names: 2 names are needed"),
    "no such seat": (lambda f: f.update(first_starter=2), "first_starter: no seat 2"),
    "a negative number": (lambda f: f.update(number=-1), "number: must not be negative"),
    "totals of three sides": (lambda f: f.update(totals=[0, 0, 0]), "totals: 2 values are needed"),
    "a rule of the wrong kind": (lambda f: f["ruleset"].update(closing="maybe"), "ruleset.closing: "),
    "rules that contradict": (lambda f: f["ruleset"].update(jokers=3), "ruleset.jokers: must be 0, 2 or 4"),
    "a seating that is not played": (
        lambda f: f["ruleset"].update(seatings=["2v2"]),
        "seating: clasico is not played 1v1",
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read(what: str) -> None:
    """A record that is none: the key and the problem."""
    change, told = UNREADABLE[what]
    fields = tomllib.loads(write_record(recorded()))
    change(fields)
    with pytest.raises(RecordError, match=told):
        read_record(tomli_w.dumps(fields))


@pytest.mark.parametrize("text", ["", "format =", "[[[", "\x00"])
def test_what_is_no_toml(text: str) -> None:
    """Anything else: the file or its format is told."""
    with pytest.raises(RecordError, match=r"file|format"):
        read_record(text)
