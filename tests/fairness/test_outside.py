"""Somebody who trusts nothing of the bot: a script of its own finds the same seals and the same deals."""

import ast
import json
import runpy
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from statistics import NormalDist

import msgspec
import pytest

from bot import rulesets
from bot.fairness import chance_of, sealed
from bot.records import record_of, write_record
from bot.shuffling import Chance, SeededChance, secure_deal, seeded_deal, shuffled
from engine.actions import StartDeal
from engine.cards import BACK, CODE, Card
from engine.dealing import new_pack
from engine.decide import start_deal
from engine.events import DealStarted
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import new_match
from tests.bot.rooms import House
from tests.fairness.test_tables import finished

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "check_seal.py"
HANDS = 1000
SALT = "5a" * 32


def asked(*arguments: str) -> tuple[int, str]:
    """What the script says, in a Python that does not see the bot."""
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), *arguments], capture_output=True, text=True, check=False)  # noqa: S603
    return done.returncode, done.stdout


def written(cards: tuple[Card, ...]) -> list[str]:
    """Cards as a record has them, in the order in which nobody reads anything."""
    return sorted(f"{CODE[card]}/{BACK[card]}" for card in cards)


def sealed_text(rules: Ruleset, seating: Seating, starter: int, chance: StartDeal) -> tuple[str, DealStarted]:
    """The record of a deal as a table would write it, with its open seal, and what was dealt."""
    before = new_match(rules, seating, starter)
    event = start_deal(before, chance)[0]
    assert isinstance(event, DealStarted)
    order = chance_of(rules, seating, event)
    seal = msgspec.structs.replace(sealed(0, SALT, order), salt=SALT)
    return write_record(record_of(before, ["x"] * seating.seats, order, (), before, seal)), event


def test_the_script_is_nothing_of_the_bot_s() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {f"{node.module}" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names


async def test_it_finds_a_table_s_seal_true_and_a_changed_pack_false(tmp_path: Path) -> None:
    house = House(seed=6)
    table_id, people = await house.started()
    (closed,) = (await house.record(table_id)).table.seals
    await house.play_out(table_id, people)
    (deal,) = await finished(house, table_id)
    true, false = tmp_path / "true.toml", tmp_path / "false.toml"
    true.write_text(write_record(deal), encoding="utf-8")
    first, second, *rest = tomllib.loads(write_record(deal))["pack"].split()
    changed = " ".join((second, first, *rest))
    false.write_text(write_record(deal).replace(" ".join((first, second, *rest)), changed), encoding="utf-8")
    assert asked("--shown", closed.short, str(true)) == (0, f"{true}: the seal is true\n")
    assert asked(str(true), str(false)) == (
        1,
        f"{true}: the seal is true\n{false}: WRONG: the pack was not sealed in this order\n",
    )
    assert asked("--shown", "000000", str(true))[0] == 1
    assert asked(str(SCRIPT))[0] == 2
    assert json.loads(asked("--hands", str(true))[1])["starter"] == deal.first_starter


def test_it_deals_a_thousand_hands_as_they_were_dealt() -> None:
    script = runpy.run_path(str(SCRIPT))
    dice, found = Random(3), 0
    choices = [(rulesets.load(name), seating) for name in rulesets.ids() for seating in rulesets.load(name).seatings]
    for number in range(HANDS):
        rules, seating = choices[number % len(choices)]
        text, event = sealed_text(rules, seating, dice.randrange(seating.seats), secure_deal(rules, seating))
        record = tomllib.loads(text)
        assert script["problem"](record) == ""
        dealt = script["dealt"](record)
        assert dealt["starter"] == event.starter
        assert [sorted(hand) for hand in dealt["hands"]] == [written(hand) for hand in event.hands]
        assert [sorted(cards) for cards in dealt["muertos"]] == [written(cards) for cards in event.muertos]
        assert dealt["open"] == written(event.pile)
        assert dealt["stock"] == [f"{CODE[card]}/{BACK[card]}" for card in reversed(event.stock)]
        found += 1
    assert found == HANDS


@pytest.mark.parametrize("seed", range(3))
def test_it_notices_what_the_bot_notices(seed: int) -> None:
    script, rules = runpy.run_path(str(SCRIPT)), rulesets.load("clasico")
    chance = seeded_deal(rules, Seating.ONE_ON_ONE, seed)
    record = tomllib.loads(sealed_text(rules, Seating.ONE_ON_ONE, 0, chance)[0])
    twice = record["pack"].split()
    twice[0] = twice[1]
    cards = " ".join(twice)
    lie = record | {"pack": cards}
    lie["commitment"] = script["commitment"](lie)
    assert script["problem"](lie) == "the pack does not hold every card of two packs once"
    assert script["problem"](record | {"salt": "00" * 32}) == "the pack was not sealed in this order"
    assert script["problem"](record | {"salt": ""}) == "it has no seal"


def evenness(chance: Chance, packs: int, naive: bool = False) -> float:
    """The probability that fair packs are no less even, every card counted at every place.

    Each card is at one place and each place has one card: of the 108 × 108 counts 107 × 107 are free, so many that
    their sum is as good as normal.
    """
    pack = new_pack(rulesets.load("clasico"))
    size = len(pack)
    counts: Counter[tuple[int, int]] = Counter()
    for _ in range(packs):
        row = list(pack)
        if naive:
            for i in range(size):
                j = chance.randrange(size)
                row[i], row[j] = row[j], row[i]
        else:
            row = list(shuffled(pack, chance))
        counts.update(enumerate(row))
    expected = packs / size
    total = sum((counts[place, card] - expected) ** 2 / expected for place in range(size) for card in pack)
    free = (size - 1) ** 2
    return NormalDist(free, (2 * free) ** 0.5).cdf(total * (size - 1) / size)


def test_every_card_comes_to_every_place_as_often(long_run: bool) -> None:
    packs = 20_000 if long_run else 2_000
    assert 0.001 < evenness(SeededChance("every place"), packs) < 0.999
    # The usual mistake, to change each card with any other, is found out.
    assert evenness(SeededChance("every place"), packs, naive=True) > 0.999
