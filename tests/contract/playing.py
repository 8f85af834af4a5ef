"""Real tables and real matches for the stores: random but legal play from a seed."""

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bot.model import Chair, Status, Table
from bot.store import Change, Record, Store
from engine import legal
from engine.actions import AddToMeld, Discard, LayMeld, MoveWild, StartDeal, Undo
from engine.dealing import new_pack, new_reserve
from engine.decide import Events, decide, start_deal
from engine.evolve import evolve_all
from engine.reasons import IllegalDeal
from engine.ruleset import Ruleset, parse_ruleset
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view

RULESETS = sorted((Path(__file__).parents[2] / "data" / "rulesets").glob("*.toml"))


def rules_of(name: str = "clasico") -> Ruleset:
    """A rule set of the product."""
    return parse_ruleset((RULESETS[0].parent / f"{name}.toml").read_text(encoding="utf-8"))


def lobby(
    table_id: str = "t1",
    *,
    code: str | None = None,
    people: tuple[str, ...] = ("ana", "beto"),
    seating: Seating = Seating.TWO_PAIRS,
    rules: Ruleset | None = None,
    created_ms: int = 1_000,
) -> Table:
    """A table in the lobby."""
    return Table(
        id=table_id,
        code=code or f"CODE{table_id}",
        name="La mesa de los jueves ♣",
        host=people[0] if people else None,
        rules=rules or rules_of(),
        seating=seating,
        chairs=tuple(Chair(name=person.title(), person=person) for person in people),
        options={"target": 2000},
        created_ms=created_ms,
    )


def started(table: Table, first_starter: int = 0) -> Record:
    """A table at version 0 whose match has not dealt yet."""
    robots = tuple(Chair(name=f"R{n}", robot="easy") for n in range(table.seating.seats - len(table.chairs)))
    playing = msgspec.structs.replace(
        table, status=Status.PLAYING, chairs=(*table.chairs, *robots), started_ms=table.created_ms + 1
    )
    return Record(playing, match=new_match(table.rules, table.seating, first_starter))


def step(match: Match, dice: random.Random) -> Events:
    """The events of one random legal action, or of the next deal."""
    if not match.in_play:
        return _deal(match, dice)
    deal = match.deal
    assert deal is not None
    seat = deal.turn.seat
    view = seat_view(match, seat)
    if view.undo is not None and dice.random() < 0.05:
        return decide(match, seat, Undo())
    actions = legal.actions(view)
    melding = [action for action in actions if isinstance(action, LayMeld | AddToMeld)]
    moving = [action for action in actions if isinstance(action, MoveWild)]
    if melding and dice.random() < 0.9:
        return decide(match, seat, melding[0])
    if moving and dice.random() < 0.05:
        return decide(match, seat, dice.choice(moving))
    resting = [action for action in actions if not isinstance(action, LayMeld | AddToMeld | MoveWild)]
    discards = [action for action in resting if isinstance(action, Discard)]
    return decide(match, seat, dice.choice(discards or resting or actions))


def _deal(match: Match, dice: random.Random) -> Events:
    while True:
        pack, reserve = list(new_pack(match.rules)), list(new_reserve(match.rules))
        dice.shuffle(pack)
        dice.shuffle(reserve)
        try:
            return start_deal(match, StartDeal(tuple(pack), tuple(reserve)))
        except IllegalDeal:
            continue


def next_change(record: Record, dice: random.Random, press_id: str | None = None, answer: str = "") -> Change:
    """The change that one random action makes of a record with a match that goes on."""
    match = record.match
    assert match is not None
    events = step(match, dice)
    match = evolve_all(match, events)
    status = Status.OVER if match.is_over else record.table.status
    after = Record(
        table=msgspec.structs.replace(record.table, status=status),
        version=record.version + 1,
        match=match,
        events=record.events + len(events),
    )
    return Change(after, events, press_id, answer)


def play(record: Record, seed: int, actions: int) -> Iterator[Change]:
    """Up to so many changes in a row, until the match is over."""
    dice = random.Random(seed)
    for number in range(actions):
        if record.match is None or record.match.is_over:
            return
        change = next_change(record, dice, press_id=f"{record.table.id}:{seed}:{number}", answer=f"answer {number}")
        record = change.record
        yield change


async def with_a_match(store: Store) -> Record:
    """A match of thirty actions, kept in a store."""
    record = started(lobby())
    await store.create(record, None)
    for change in play(record, seed=1, actions=30):
        await store.commit(change)
        record = change.record
    return record
