"""Legal help against brute force: everything tried on small hands, and what a view may tell beside what is refused."""

import random
from collections import Counter
from itertools import combinations

import pytest

from engine import legal
from engine.actions import Action, AddToMeld, Discard, LayMeld, MoveWild, NamedCard
from engine.cards import CODE, FACE, IS_WILD, Face
from engine.decide import decide
from engine.evolve import evolve_all
from engine.judge import play
from engine.melds import Shape
from engine.notation import write_action
from engine.reasons import IllegalAction, Reason
from engine.state import Match, Phase
from engine.views import SeatView, seat_view
from tests.oracle import melds as oracle
from tests.oracle import scores as score_oracle
from tests.strategies import SEATINGS, Player, deal_of, dealt, endgame, ruleset

RULES = ruleset("clasico")


def accepted(match: Match, action: Action) -> bool:
    """Whether the engine lets the seat on turn do it."""
    try:
        decide(match, deal_of(match).turn.seat, action)
    except IllegalAction:
        return False
    return True


def brute_force(match: Match) -> dict[int | None, set[tuple[Face, ...]]]:
    """Every choice of cards of the hand that makes a new meld (None) or goes on a meld of the side."""
    deal = deal_of(match)
    seat = deal.turn.seat
    mine = deal.melds[match.seating.side_of(seat)]
    found: dict[int | None, set[tuple[Face, ...]]] = {None: set(), **{index: set() for index in range(len(mine))}}
    faces = sorted(FACE[card] for card in deal.hands[seat])
    for size in range(1, min(len(faces), 7) + 1):
        for chosen in set(combinations(faces, size)):
            named = tuple(NamedCard(face) for face in chosen)
            for index, choices in found.items():
                action = LayMeld(named) if index is None else AddToMeld(index, named)
                if accepted(match, action):
                    choices.add(chosen)
    return found


def listed(view: SeatView) -> dict[int | None, set[tuple[Face, ...]]]:
    """What is offered."""
    found: dict[int | None, set[tuple[Face, ...]]] = {}
    for option in legal.options(view):
        index = option.action.meld if isinstance(option.action, AddToMeld) else None
        found.setdefault(index, set()).add(tuple(sorted(FACE[card] for card in option.cards)))
    return found


def naturals(faces: tuple[Face, ...]) -> tuple[str, ...]:
    """The notation of the cards that are never wild."""
    return tuple(CODE[face] for face in faces if not IS_WILD[face])


def small_matches(count: int) -> list[Match]:
    """Positions with small hands in the middle of a turn."""
    found = []
    for n in range(count):
        rng = random.Random(n)
        match = endgame(RULES, rng.choice(SEATINGS), rng)
        deal = deal_of(match)
        if (
            deal.turn.phase is Phase.PLAY
            and len(deal.hands[deal.turn.seat]) <= 7
            and len(deal.muertos) + sum(deal.taken) == len(deal.taken)
        ):
            found.append(match)
    return found


def test_offers_against_brute_force() -> None:
    """What is offered is accepted; something is offered for every meld and every target that takes anything."""
    offers = 0
    for match in small_matches(1200):
        deal = deal_of(match)
        view = seat_view(match, deal.turn.seat)
        possible, offered = brute_force(match), listed(view)
        hand = Counter(CODE[card] for card in deal.hands[deal.turn.seat])
        for index, choices in possible.items():
            got = offered.get(index, set())
            assert got <= choices, match
            assert bool(got) == bool(choices), (index, [[CODE[f] for f in c] for c in choices])
            offers += len(got)
        wanted = {naturals(choice) for choice in possible[None] if not _plays_for_a_held_card(choice, hand)}
        assert wanted <= {naturals(choice) for choice in offered.get(None, set())}
    assert offers > 1000


def _plays_for_a_held_card(choice: tuple[Face, ...], hand: Counter[str]) -> bool:
    """Whether the wild of a run could only stand where a card stands that is held as well."""
    cards = [CODE[face] for face in choice]
    reading = oracle.new(cards)
    if reading.shape != "run" or reading.wild is None:
        return False
    return any(hand[other.places[other.wild_at]] for other in oracle.readings(cards) if other.wild is not None)


def test_moves_against_brute_force() -> None:
    """Exactly the moves are offered that are accepted."""
    moves = 0
    for match in small_matches(900):
        deal = deal_of(match)
        view = seat_view(match, deal.turn.seat)
        mine = deal.melds[match.seating.side_of(deal.turn.seat)]
        every = {
            MoveWild(index, FACE[card], Face(place))
            for index, meld in enumerate(mine)
            for card in meld.cards
            for place in range(52)
        }
        possible = {action for action in every if accepted(match, action)}
        assert {option.action for option in legal.moves(view)} == possible
        assert all(option.cards and option.gain >= -200 for option in legal.moves(view))
        moves += len(possible)
    assert moves > 150


def test_discards_are_exactly_those_accepted() -> None:
    """Every card of the hand has its reason, or is accepted."""
    for match in small_matches(500):
        deal = deal_of(match)
        view = seat_view(match, deal.turn.seat)
        for card, reason in legal.discards(view):
            try:
                decide(match, view.seat, Discard(FACE[card]))
            except IllegalAction as refusal:
                told = refusal.reason
            else:
                told = None  # type: ignore[assignment]
            assert told == reason


def test_options_tell_what_comes_of_them() -> None:
    """The meld, its kind, the gain and whether the hand is empty are those of the table afterwards."""
    rng = random.Random(7)
    seen = 0
    for n in range(30):
        rng = random.Random(n)
        match = dealt(RULES, rng.choice(SEATINGS), rng, rng.choice(("suits", "fair", "ranks")))
        player = Player(rng)
        for _ in range(60):
            if not match.in_play:
                break
            deal = deal_of(match)
            seat = deal.turn.seat
            side = match.seating.side_of(seat)
            for option in legal.options(seat_view(match, seat)):
                after = deal_of(evolve_all(match, decide(match, seat, option.action)))
                index = option.action.meld if isinstance(option.action, AddToMeld) else len(deal.melds[side])
                assert str(after.melds[side][index]) == str(option.meld)
                assert option.empties == (len(option.cards) == len(deal.hands[seat]))
                assert option.gain == worth(after.melds[side]) - worth(deal.melds[side])
                assert str(option.kind) == score_oracle.kind(oracle.read(str(option.meld)))
                seen += 1
            match = play(match, player.choose(match))
    assert seen > 2000


def worth(melds: tuple[object, ...]) -> int:
    """Cards and bonuses of melds."""
    readings = [oracle.read(str(meld)) for meld in melds]
    return sum(score_oracle.card_points(r.cards) + score_oracle.BONUS[score_oracle.kind(r)] for r in readings)


def test_best_comes_first() -> None:
    """A canasta that can be closed is the first suggestion; wilds are not spent where none is needed."""
    rng = random.Random(0)
    match = dealt(RULES, SEATINGS[0], rng, "suits")
    match = play(match, "draw")
    best = legal.options(seat_view(match, deal_of(match).turn.seat))[0]
    assert len(best.cards) == 7 or not any(IS_WILD[card] for card in best.cards)
    shapes = {option.meld.shape for option in legal.options(seat_view(match, deal_of(match).turn.seat))}
    assert Shape.RUN in shapes


def test_judging_a_choice_gives_the_engines_reason() -> None:
    """What an interface says of chosen cards is what the engine says of the action."""
    for n, match in enumerate(small_matches(500)):
        rng = random.Random(n)
        deal = deal_of(match)
        seat = deal.turn.seat
        hand = deal.hands[seat]
        cards = tuple(rng.sample(hand, rng.randint(1, len(hand))))
        index = rng.choice([None, *range(len(deal.melds[match.seating.side_of(seat)]))])
        named = tuple(NamedCard(FACE[card]) for card in cards)
        action = LayMeld(named) if index is None else AddToMeld(index, named)
        told: Reason | None = None
        got: Reason | None = None
        try:
            decide(match, seat, action)
        except IllegalAction as refusal:
            told = refusal.reason
        try:
            option = legal.judge(seat_view(match, seat), cards, index)
        except IllegalAction as refusal:
            got = refusal.reason
        else:
            assert write_action(option.action) == write_action(action)
        assert got == told


@pytest.mark.parametrize("seating", SEATINGS)
def test_problems_of_drawing(seating: str) -> None:
    """Why the stock or the pile may not be touched is told to every seat as the engine tells it."""
    for n in range(80):
        rng = random.Random(f"{seating} {n}")
        match = endgame(RULES, rng.choice(SEATINGS), rng)
        for seat in range(match.seating.seats):
            view = seat_view(match, seat)
            for text, problem in (("draw", legal.draw_problem(view)), ("pile", legal.pile_problem(view))):
                told: Reason | None = None
                try:
                    play(match, f"{seat}: {text}")
                except IllegalAction as refusal:
                    told = refusal.reason
                assert problem == told
            assert not legal.can_end(view)
            assert view.on_turn == (seat == deal_of(match).turn.seat)


def test_seats_out_of_turn_are_offered_nothing() -> None:
    """No list is filled for a seat that waits."""
    match = small_matches(20)[0]
    seat = (deal_of(match).turn.seat + 1) % match.seating.seats
    view = seat_view(match, seat)
    assert [legal.actions(view), legal.options(view), legal.moves(view), legal.pile_uses(view)] == [[], [], [], []]
    assert {reason for _, reason in legal.discards(view)} == {Reason.NOT_YOUR_TURN}
    with pytest.raises(IllegalAction) as caught:
        legal.judge(view, view.hand[:1])
    assert caught.value.reason is Reason.NOT_YOUR_TURN
