"""Random deals under every rule set that ships, with the invariants that hold under all of them."""

import random

import msgspec
import pytest

from engine import legal
from engine.actions import DrawStock
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.judge import play
from engine.notation import write_action
from engine.reasons import IllegalAction, IllegalDeal
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view
from tests.engine.table import all_cards
from tests.strategies import RULESETS, STACKS, Player, deal_of, ruleset, shuffled

PLAYED = [
    (path.stem, seating) for path in sorted(RULESETS.glob("*.toml")) for seating in ruleset(path.stem).seatings
]  # fmt: skip
NAMES = [f"{name}-{seating}" for name, seating in PLAYED]


def begun(rules: Ruleset, seating: Seating, rng: random.Random, stack: str) -> Match:
    """A match with its first deal; a pack that turns a wild is shuffled again where the rule set wants that."""
    match = new_match(rules, seating, rng.randrange(seating.seats))
    while True:
        try:
            return evolve_all(match, start_deal(match, shuffled(rules, seating, rng, stack)))
        except IllegalDeal:
            stack = "fair"


def check_offers(match: Match) -> None:
    """All that is offered is accepted, and the hints about drawing are what the engine says."""
    seat = deal_of(match).turn.seat
    view = seat_view(match, seat)
    for action in legal.actions(view):
        decide(match, seat, action)
    told = None
    try:
        decide(match, seat, DrawStock())
    except IllegalAction as refusal:
        told = refusal.reason
    assert legal.draw_problem(view) == told


def check_state(match: Match, cards: list[int]) -> None:
    """What holds after every action."""
    deal, rules = deal_of(match), match.rules
    assert sorted(all_cards(deal)) == cards
    assert max(deal.taken) <= rules.muertos_a_side
    for row in deal.melds:
        for meld in row:
            assert 3 <= len(meld.cards) <= (rules.meld_closes_at or 14)
            assert meld.wild < 0 or rules.wilds_a_meld
    if match.in_play:
        seat = deal.turn.seat
        assert legal.actions(seat_view(match, seat)), "nothing can be done"
        assert deal.hands[seat] or deal.turn.choosing is not None
    else:
        assert deal.scores is not None
        assert all(sum(msgspec.structs.astuple(score)[:-1]) == score.total for score in deal.scores)


def soak(rules: Ruleset, seating: Seating, stack: str, seed: str) -> None:
    """A deal from start to end, with attempts at nonsense and undo after what can be undone."""
    rng = random.Random(seed)
    match = begun(rules, seating, rng, stack)
    cards = sorted(all_cards(deal_of(match)))
    player = Player(rng)
    actions = 0
    while match.in_play:
        actions += 1
        assert actions < 20_000, "a deal always ends"
        before = match
        seat = deal_of(match).turn.seat
        text = player.choose(match) if rng.random() < 0.5 else player.attempt(match)[1]
        try:
            match = play(match, f"{seat}: {text}")
        except IllegalAction:
            continue
        check_state(match, cards)
        turn = deal_of(match).turn
        if match.in_play and turn.undo and turn.choosing is None and not text.startswith("undo"):
            assert play(match, "undo") == before
            if rng.random() < 0.2:
                match = before
        if match.in_play and rng.random() < 0.1:
            check_offers(match)
            assert msgspec.json.decode(msgspec.json.encode(match), type=Match) == match


@pytest.mark.parametrize(("name", "seating"), PLAYED, ids=NAMES)
def test_a_random_deal(name: str, seating: Seating) -> None:
    """One deal each."""
    soak(ruleset(name), seating, "fair", f"{name} {seating}")


@pytest.mark.long
@pytest.mark.parametrize(("name", "seating"), PLAYED, ids=NAMES)
def test_many_random_deals(name: str, seating: Seating) -> None:
    """Hundreds of deals, stacked ones as well."""
    for n in range(12):
        for stack in STACKS:
            soak(ruleset(name), seating, stack, f"{name} {seating} {stack} {n}")


@pytest.mark.parametrize("name", sorted({name for name, _ in PLAYED}))
def test_a_lone_pile_card_taken_back(name: str) -> None:
    """After undoing the taking of a one-card pile nothing of it is left, and the turn goes on with a draw."""
    rules = ruleset(name)
    for n in range(40):
        rng = random.Random(f"{name} {n}")
        match = begun(rules, rules.seatings[0], rng, "fair")
        while match.in_play and len(deal_of(match).pile) != 1:
            match = play(match, "draw" if deal_of(match).turn.phase == "draw" else _discard(match))
        uses = legal.pile_uses(seat_view(match, deal_of(match).turn.seat)) if match.in_play else []
        if uses:
            taken = play(match, write_action(uses[0]))
            if deal_of(taken).turn.undo:
                assert play(taken, "undo") == match
                assert play(play(taken, "undo"), "draw") == play(match, "draw")


def _discard(match: Match) -> str:
    texts = [write_action(action) for action in legal.actions(seat_view(match, deal_of(match).turn.seat))]
    return next(text for text in texts if not text.startswith(("meld", "add", "move")))
