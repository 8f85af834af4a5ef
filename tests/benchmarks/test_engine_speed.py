"""How fast the engine is. Run with ``pytest tests/benchmarks --benchmark-only``; nothing here asserts a time."""

import random
from collections.abc import Callable
from functools import partial

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine import legal
from engine.actions import Action
from engine.cards import Card
from engine.dealing import new_pack
from engine.decide import decide, start_deal
from engine.events import Event
from engine.evolve import evolve_all
from engine.judge import play
from engine.legal_melds import candidate_melds, forget_melds
from engine.notation import parse_action
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view
from tests.strategies import SEATINGS, Player, deal_of, ruleset, shuffled

RULES = ruleset("clasico")


def played(seating: Seating, seed: int) -> tuple[Match, list[tuple[int, Action]], list[Event]]:
    """A random deal: the match just dealt, its actions and its events."""
    rng = random.Random(seed)
    start = new_match(RULES, seating, 0)
    events: list[Event] = list(start_deal(start, shuffled(RULES, seating, rng)))
    first = match = evolve_all(start, events)
    player = Player(rng)
    actions: list[tuple[int, Action]] = []
    while match.in_play:
        action = parse_action(player.choose(match))[1]
        actions.append((deal_of(match).turn.seat, action))
        new = decide(match, *actions[-1])
        events += new
        match = evolve_all(match, new)
    return first, actions, events


@pytest.mark.parametrize("seating", SEATINGS)
def test_checked_actions(benchmark: BenchmarkFixture, seating: Seating) -> None:
    """Judge and apply the actions of a whole deal."""
    first, actions, _ = played(seating, 1)

    def run() -> Match:
        match = first
        for seat, action in actions:
            match = evolve_all(match, decide(match, seat, action))
        return match

    benchmark.extra_info["actions"] = len(actions)
    assert not benchmark(run).in_play


@pytest.mark.parametrize("seating", SEATINGS)
def test_random_play(benchmark: BenchmarkFixture, seating: Seating) -> None:
    """A hundred actions of a random player, who asks for everything that is legal each time."""
    first, _, _ = played(seating, 2)

    def run() -> None:
        match, rng = first, random.Random(3)
        for _ in range(100):
            if match.in_play:
                seat = deal_of(match).turn.seat
                action = rng.choice(legal.actions(seat_view(match, seat)))
                match = evolve_all(match, decide(match, seat, action))

    benchmark.extra_info["actions"] = 100
    benchmark(run)


def test_rebuild_from_log(benchmark: BenchmarkFixture) -> None:
    """A whole deal from its stored events."""
    _, _, events = played(Seating.TWO_PAIRS, 4)
    start = new_match(RULES, Seating.TWO_PAIRS, 0)
    benchmark.extra_info["events"] = len(events)
    assert not benchmark(evolve_all, start, events).in_play


def _nothing() -> None:
    """Forget nothing."""


FORGOTTEN: dict[str, Callable[[], None]] = {
    "seen": _nothing,
    "new-hand": partial(forget_melds, parts=False),
    "cold": forget_melds,
}


@pytest.mark.parametrize("known", FORGOTTEN)
@pytest.mark.parametrize("size", [11, 22, 40])
def test_candidate_melds(benchmark: BenchmarkFixture, size: int, known: str) -> None:
    """The melds worth asking for in ten hands of a size: seen lately, new but of known suits and ranks, never seen."""
    rng = random.Random(5)
    pack = new_pack(RULES)
    hands: list[list[Card]] = [rng.sample(pack, size) for _ in range(10)]
    benchmark.extra_info["hands"] = len(hands)
    forget = FORGOTTEN[known]

    def run() -> None:
        for hand in hands:
            forget()
            candidate_melds(RULES, hand)

    benchmark(run)


@pytest.mark.parametrize("turns", [1, 40])
def test_legal_actions(benchmark: BenchmarkFixture, turns: int) -> None:
    """Everything that is legal in the middle of a turn, early and late in a deal."""
    rng = random.Random(6)
    match = played(Seating.ONE_ON_ONE, 6)[0]
    player = Player(rng)
    for _ in range(turns):
        match = play(match, player.choose(match))
    while deal_of(match).turn.phase != "play":
        match = play(match, player.choose(match))
    view = seat_view(match, deal_of(match).turn.seat)
    benchmark.extra_info["cards"] = len(view.hand)
    benchmark(legal.actions, view)
