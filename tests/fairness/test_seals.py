"""Seals of packs: what is committed to, what opens it, and what is found out."""

import base64
import hashlib
import random
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import rulesets
from bot.fairness import (
    FORMAT,
    SECRET_NOTE,
    Seal,
    Sealer,
    cards_text,
    chance_of,
    commitment_of,
    problem_of,
    seal_of,
    sealed,
)
from bot.presenter.fairness import seal_line, seal_lines
from bot.shuffling import seeded_deal
from bot.texts import texts
from engine.actions import StartDeal
from engine.decide import start_deal
from engine.events import DealEnded, DealStarted, Event
from engine.seating import Seating
from engine.state import Ended, Match, new_match

RULES = rulesets.load("clasico")
SALT = "ab" * 32


class Notes:
    """Notes in a dictionary."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    async def note(self, key: str) -> str | None:
        return self.written.get(key)

    async def settle_note(self, key: str, text: str) -> str:
        return self.written.setdefault(key, text)


def dealt(seed: int, seating: Seating = Seating.TWO_PAIRS, starter: int = 0) -> DealStarted:
    """A deal as it is stored."""
    match: Match = new_match(RULES, seating, starter)
    event = start_deal(match, seeded_deal(RULES, seating, seed))[0]
    assert isinstance(event, DealStarted)
    return event


def ended(seat: int = 0) -> DealEnded:
    """The end of a deal."""
    return DealEnded(seat, Ended.CLOSED, (), ())


async def after(
    notes: Notes, events: Sequence[Event], seals: tuple[Seal, ...] = (), **more: object
) -> tuple[Seal, ...]:
    """The seals of a table after events."""
    options = {"in_play": None, **more}
    return await Sealer(notes).seals_after(seals, "table1", RULES, Seating.TWO_PAIRS, events, **options)  # type: ignore[arg-type]


def test_the_commitment_is_what_sha256sum_finds() -> None:
    chance = seeded_deal(RULES, Seating.TWO_PAIRS, 7)
    text = f"{FORMAT}\n{SALT}\n{cards_text(chance.pack)}\n{cards_text(chance.reserve)}\n"
    assert commitment_of(SALT, chance) == hashlib.sha256(text.encode()).hexdigest()


@given(st.integers(0, 2**32), st.sampled_from(list(Seating)))
def test_what_was_dealt_leads_back_to_one_order(seed: int, seating: Seating) -> None:
    started = dealt(seed, seating, seed % seating.seats)
    chance = chance_of(RULES, seating, started)
    match = new_match(RULES, seating, started.starter)
    assert start_deal(match, chance)[0] == started
    assert chance_of(RULES, seating, started) == chance


@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_two_cards_changed_over_break_the_seal(seed: int, dice: random.Random) -> None:
    chance = seeded_deal(RULES, Seating.ONE_ON_ONE, seed)
    seal = sealed(0, SALT, chance)
    assert problem_of(seal.commitment, SALT, chance) == ""
    one, other = dice.sample(range(len(chance.pack)), 2)
    cards = list(chance.pack)
    cards[one], cards[other] = cards[other], cards[one]
    assert problem_of(seal.commitment, SALT, StartDeal(tuple(cards), chance.reserve))
    assert problem_of(seal.commitment, "00" * 32, chance)


def test_a_deal_without_a_seal_is_no_lie_and_half_a_seal_is() -> None:
    chance = seeded_deal(RULES, Seating.ONE_ON_ONE, 1)
    assert problem_of("", "", chance) == ""
    assert "missing" in problem_of("00", "", chance)
    assert "missing" in problem_of("", SALT, chance)


async def test_a_seal_is_closed_until_its_deal_is_over() -> None:
    notes, started = Notes(), dealt(1)
    (closed,) = await after(notes, [started])
    assert closed.salt == ""
    assert closed.deal == started.number
    (opened,) = await after(notes, [ended()], (closed,), in_play=started.number)
    assert opened.commitment == closed.commitment
    assert problem_of(opened.commitment, opened.salt, chance_of(RULES, Seating.TWO_PAIRS, started)) == ""
    assert len(bytes.fromhex(opened.salt)) == 32


async def test_another_process_opens_what_one_has_sealed() -> None:
    notes = Notes()
    seals = await after(notes, [dealt(1)])
    secret = notes.written[SECRET_NOTE]
    assert await after(notes, [dealt(1)]) == seals
    assert notes.written == {SECRET_NOTE: secret}
    assert (await after(Notes(), [dealt(1)])) != seals


async def test_every_deal_has_a_salt_of_its_own() -> None:
    notes = Notes()
    seals = await after(notes, [dealt(1), ended()])
    second = msgspec.structs.replace(dealt(2), number=1)
    seals = await after(notes, [second, ended()], seals, in_play=0)
    assert [seal.deal for seal in seals] == [0, 1]
    assert len({seal.salt for seal in seals}) == 2
    assert notes.written[SECRET_NOTE] not in {seal.salt for seal in seals}
    assert seal_of(seals, 1) is seals[1]
    assert seal_of(seals, 2) is None


async def test_a_fixed_deal_and_one_from_before_there_were_seals_have_none() -> None:
    notes = Notes()
    assert await after(notes, [dealt(1)], fixed=True) == ()
    assert await after(notes, [ended()], in_play=0) == ()
    assert notes.written == {}


@pytest.mark.parametrize("fixed", [False, True])
def test_the_public_line_never_tells_the_salt(fixed: bool) -> None:
    t = texts()
    seal = Seal(0, hashlib.sha256(b"x").hexdigest())
    opened = msgspec.structs.replace(seal, salt=SALT)
    for told in (seal_line(t, seal, fixed=fixed), seal_line(t, opened, fixed=fixed)):
        assert len(told) == 1
        assert (seal.short in told[0]) is not fixed
        assert SALT not in told[0]
        assert len(told[0]) < 100


def test_the_whole_seal_is_told_with_its_salt_once_it_is_open() -> None:
    t = texts()
    seal = Seal(0, hashlib.sha256(b"x").hexdigest())
    closed = "\n".join(seal_lines(t, seal))
    assert seal.commitment in closed
    opened = "\n".join(seal_lines(t, msgspec.structs.replace(seal, salt=SALT)))
    assert seal.commitment in opened
    assert SALT in opened
    assert seal_lines(t, None) == seal_line(t, None) == ()
    assert "fijo" in seal_lines(t, None, fixed=True)[0]
    assert base64.b64encode(bytes.fromhex(SALT)).decode() not in opened
