"""Cards, notation, seating, dealing: the small values on which everything stands."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import (
    Action,
    AddToMeld,
    Discard,
    DrawStock,
    EndTurn,
    LayMeld,
    MoveWild,
    NamedCard,
    StartDeal,
    TakeMuerto,
    TakePile,
    Undo,
)
from engine.cards import BACK, CODE, FACE, IS_WILD, RANK, SUIT, Face, codes, pack, parse_face, sorted_cards, without
from engine.dealing import new_pack, new_reserve
from engine.decide import decide, start_deal
from engine.events import CardDrawn, MatchWon
from engine.evolve import evolve, evolve_all
from engine.judge import play
from engine.notation import parse_action, write_action
from engine.reasons import IllegalAction, IllegalDeal, NotationError, Reason
from engine.seating import Seating
from engine.state import new_match
from engine.views import public_view, seat_view
from tests.oracle.melds import FACES, in_order, is_wild
from tests.strategies import deal_of, position, ruleset

RULES = ruleset("clasico")


def test_a_pack() -> None:
    """Fifty-four cards of a pack: every face once, the joker twice, each with its back."""
    three = pack(3, 2)
    assert len(three) == len(set(three)) == 162
    assert sorted(CODE[card] for card in pack(1, 2)) == sorted((*FACES, "JK"))
    assert [sum(BACK[card] == back for card in three) for back in range(3)] == [54, 54, 54]
    assert len(pack(2, 0)) == 104
    assert len(pack(2, 1)) == 106
    assert {BACK[card] for card in pack(1, 2, first=2)} == {2}


def test_each_card_is_its_notation() -> None:
    """Face, rank, suit and wildness of every physical card, from its text."""
    for card in pack(3, 2):
        code = CODE[card]
        assert parse_face(code) == FACE[card]
        assert IS_WILD[card] == is_wild(code)
        if code == "JK":
            assert (RANK[card], SUIT[card]) == (0, -1)
        else:
            assert ("A23456789TJQK"[RANK[card] - 1], "shdc"[SUIT[card]]) == (code[0], code[1])


@pytest.mark.parametrize("text", ["", "1s", "As ", "as", "AS", "10h", "Jk", "J", "sA", "2", "XX", "As2s"])
def test_no_card(text: str) -> None:
    """What is no card."""
    with pytest.raises(NotationError) as caught:
        parse_face(text)
    assert caught.value.text == text


@given(st.permutations(pack(3, 2)))
def test_order_of_a_hand(cards: list[int]) -> None:
    """Suits s h d c, ranks upwards, jokers last, backs in their order."""
    ordered = sorted_cards(cards)  # type: ignore[arg-type]
    assert tuple(codes(ordered).split()) == in_order(CODE[card] for card in cards)
    assert all(a < b for a, b in pairwise(ordered) if FACE[a] == FACE[b])
    assert without(ordered, ordered[::2]) == ordered[1::2]


faces = st.sampled_from([Face(face) for face in range(53)])
wild_faces = st.sampled_from([face for face in (Face(n) for n in range(53)) if IS_WILD[face]])
places = st.sampled_from([Face(face) for face in range(52)])
named = st.one_of(st.builds(NamedCard, faces), st.builds(NamedCard, wild_faces, places))
named_cards = st.lists(named, min_size=1, max_size=9).map(tuple)
indices = st.integers(0, 9999)
uses = st.one_of(st.builds(LayMeld, named_cards), st.builds(AddToMeld, indices, named_cards))
actions = st.one_of(
    uses,
    st.builds(DrawStock),
    st.builds(TakePile, st.none() | uses),
    st.builds(MoveWild, indices, faces, places),
    st.builds(TakeMuerto, indices),
    st.builds(Discard, faces),
    st.builds(EndTurn),
    st.builds(Undo),
)


@given(actions, st.none() | st.integers(0, 9999))
def test_notation_reads_what_it_writes(action: Action, seat: int | None) -> None:
    """Every action, with and without a seat, however it is spaced."""
    text = write_action(action)
    assert parse_action(text) == (None, action)
    if seat is not None:
        assert parse_action(f"  {seat} :  {text.replace(' ', '   ')} ") == (seat, action)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "0:", ":", "x: draw", "-1: draw", "draw 1", "draw draw", "pile draw", "pile pile", "meld", "add",
        "add 0", "add x 4h", "add -1 4h", "add ² 4h", "meld 4h=5h", "meld JK=JK", "meld 2s=", "meld 2s==4s", "move 0",
        "move 0 2s", "move 0 2s=JK", "move 0 2s=4s 5s", "muerto", "muerto x", "muerto 0 1", "discard", "discard 4h 5h",
        "end now", "undo 1", "Draw", "0: 1: draw", "muerto 12345", "1.5: draw",
    ],
)  # fmt: skip
def test_no_action(text: str) -> None:
    """What is no action is bad notation, and while a muerto waits that comes first."""
    with pytest.raises(NotationError):
        parse_action(text)
    with pytest.raises(IllegalAction) as caught:
        play(position(["4c 5c", "4s"], phase="play"), text)
    assert caught.value.reason is Reason.BAD_NOTATION
    choosing = play(position(["4c", "4s"], phase="play"), "discard 4c")
    with pytest.raises(IllegalAction) as caught:
        play(choosing, text)
    assert caught.value.reason is Reason.MUERTO_CHOICE_NEEDED


@given(st.text(max_size=30))
def test_any_text_is_an_action_or_none(text: str) -> None:
    """Nothing but the stated error comes of reading."""
    try:
        _, action = parse_action(text)
    except NotationError:
        return
    assert parse_action(write_action(action))[1] == action


def test_seating() -> None:
    """Partners face each other; three pairs sit A B C A B C."""
    assert [Seating("2v2").side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [Seating("2v2v2").side_of(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
    assert Seating("2v2v2").seats_of(1) == (1, 4)
    assert Seating("2v2").partner_of(3) == 1
    assert Seating("2v2v2").partner_of(2) == 5
    assert Seating("1v1v1").partner_of(2) is None
    assert [seating.in_pairs for seating in Seating] == [False, False, True, True]
    assert [(seating.seats, seating.sides) for seating in Seating] == [(2, 2), (3, 3), (4, 2), (6, 3)]


@pytest.mark.parametrize(
    ("cut", "reserve"),
    [(slice(1, None), slice(None)), (slice(None), slice(1, None)), (slice(None), slice(0)), (slice(0), slice(None))],
)
def test_a_pack_that_is_not_whole(cut: slice, reserve: slice) -> None:
    """A card too few anywhere, or the third deck left out."""
    match = new_match(RULES, Seating.ONE_ON_ONE, 0)
    with pytest.raises(IllegalDeal):
        start_deal(match, StartDeal(new_pack(RULES)[cut], new_reserve(RULES)[reserve]))


def test_a_pack_with_a_card_twice() -> None:
    """The right number of cards is not enough."""
    twice = (*new_pack(RULES)[:-1], new_pack(RULES)[0])
    with pytest.raises(IllegalDeal):
        start_deal(new_match(RULES, Seating.ONE_ON_ONE, 0), StartDeal(twice, new_reserve(RULES)))


def test_a_wild_turned_up_stays() -> None:
    """It starts the pile like any other card."""
    wild_first = tuple(sorted(new_pack(RULES), key=lambda card: not IS_WILD[card]))
    order = (*wild_first[12:34], *wild_first[:12], *wild_first[34:])
    match = new_match(RULES, Seating.ONE_ON_ONE, 0)
    match = evolve_all(match, start_deal(match, StartDeal(order, new_reserve(RULES))))
    assert IS_WILD[deal_of(match).pile[0]]


def test_a_match_begins_and_ends() -> None:
    """No action before the first deal; no second deal while one is played; none after the match is won."""
    match = new_match(RULES, Seating.ONE_ON_ONE, 1)
    whole = StartDeal(new_pack(RULES), new_reserve(RULES))
    for text in ("draw", "pile", "undo"):
        with pytest.raises(IllegalAction) as caught:
            play(match, text)
        assert caught.value.reason is Reason.DEAL_OVER
        with pytest.raises(IllegalAction) as caught:
            decide(match, 0, parse_action(text)[1])
        assert caught.value.reason is Reason.DEAL_OVER
    for view in (public_view, lambda match: seat_view(match, 0)):
        with pytest.raises(ValueError, match="no deal"):
            view(match)
    with pytest.raises(ValueError, match="no deal"):
        evolve(match, CardDrawn(0, new_pack(RULES)[0]))
    begun = evolve_all(match, start_deal(match, whole))
    assert (begun.in_play, begun.is_over, begun.deals) == (True, False, 1)
    with pytest.raises(IllegalAction) as caught:
        start_deal(begun, whole)
    assert caught.value.reason is Reason.NOT_YOUR_TURN
    won = evolve(match, MatchWon(0))
    assert won.is_over
    with pytest.raises(IllegalAction) as caught:
        start_deal(won, whole)
    assert caught.value.reason is Reason.DEAL_OVER
    with pytest.raises(ValueError, match="no seat"):
        seat_view(begun, 2)
    with pytest.raises(ValueError, match="no seat"):
        new_match(RULES, Seating.ONE_ON_ONE, 2)


def test_a_seating_that_a_rule_set_does_not_know() -> None:
    """No match is made of it."""
    rules = msgspec.structs.replace(RULES, seatings=(Seating.ONE_ON_ONE,))
    with pytest.raises(ValueError, match="no seating"):
        new_match(rules, Seating.TWO_PAIRS, 0)
