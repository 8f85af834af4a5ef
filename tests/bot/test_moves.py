"""From presses to moves: whatever a screen offers is accepted, and nothing else changes anything."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.moves import Move
from bot.screens import Role, Screen
from bot.tokens import CONFIRMED, Intent, TokenError, Verb, base36, mask_of, read_token, write_token
from engine.actions import AddToMeld, Discard, MoveWild, TakePile
from engine.cards import FACE, FACE_CODE, parse_face
from engine.events import MeldChanged, MeldLaid
from engine.reasons import IllegalAction, Reason
from engine.seating import Seating
from engine.state import Match, Phase
from engine.views import seat_view
from tests.bot.tables import (
    TABLE_ID,
    VARIANTS,
    after,
    answers,
    at,
    choices,
    dealt,
    hand_of,
    mover_of,
    picked,
    press,
    public_of,
    rules,
    verb_of,
)

CLASSIC = [(seating, "", seed) for seating in Seating for seed in range(3)]
OTHERS = [
    (seating, variant, seed)
    for variant in VARIANTS
    for seating in (Seating.ONE_ON_ONE, Seating.TWO_PAIRS)
    for seed in range(2)
]
TOOLS = (Verb.SORT, Verb.COLOURS, Verb.SHOW_HAND, Verb.SHOW_TABLE, Verb.HINT)
MOST_STEPS = 6000


def offered(match: Match) -> list[str]:
    """Every token of a move that the mover's screens offer, each card that may be discarded among them."""
    screen = hand_of(match)
    tokens = [choice.token for choice in choices(screen) if choice.enabled and verb_of(choice) not in TOOLS]
    assert screen.picker is not None
    discard = next((verb for verb in screen.picker.verbs if read_token(verb.token).verb is Verb.DISCARD), None)
    if discard is not None and discard.enabled:
        tokens += [f"{discard.token}:{base36(1 << card.bit)}" for card in screen.picker.cards if not card.keep]
    return tokens


def moves_of(match: Match, token: str, depth: int = 0) -> list[Move]:
    """Every move that a token leads to, through all answers to all questions."""
    found = press(match, token)
    if isinstance(found, Move):
        return [found]
    assert depth < 3, "questions come to an end"
    asked = answers(found)
    assert asked
    assert len({choice.label for choice in asked}) == len(asked), "answers can be told apart"
    assert len({choice.token for choice in asked}) == len(asked)
    return [move for choice in asked for move in moves_of(match, choice.token, depth + 1)]


def fits(screen: Screen) -> None:
    """A screen fits every platform."""
    assert len(screen.rows) <= 25
    for choice in choices(screen):
        assert 0 < len(choice.label) <= 80, choice.label
        assert len(choice.token.encode("ascii")) <= 64
        assert choice.enabled or choice.why
    if screen.picker is not None:
        assert len(screen.picker.verbs) <= 5
        widest = base36((1 << len(screen.picker.cards)) - 1)
        assert all(len(f"{verb.token}:{widest}") <= 64 for verb in screen.picker.verbs)
        assert all(verb.enabled or verb.why for verb in screen.picker.verbs)


def next_move(rng: random.Random, tokens: list[str]) -> str:
    """A token, with a taste for melding and little for undoing, so that deals go on."""
    weights = {Verb.UNDO: 0.1, Verb.MOVE_WILD: 0.3, Verb.DISCARD: 0.4, Verb.MELD: 4.0, Verb.ADD: 4.0}
    return rng.choices(tokens, [weights.get(read_token(token).verb, 1.0) for token in tokens])[0]


@pytest.mark.parametrize(("seating", "variant", "seed"), CLASSIC + OTHERS)
def test_screens_alone_lead_to_the_end_of_a_deal(seating: Seating, variant: str, seed: int) -> None:
    rng = random.Random(f"{seating} {variant} {seed}")
    match = dealt(seating, f"{variant}{seed}", variant)
    for _ in range(MOST_STEPS):
        if not match.in_play:
            break
        screen = hand_of(match)
        fits(screen)
        suggested = [c for c in choices(screen) if verb_of(c) in (Verb.MELD, Verb.ADD, Verb.PILE_MELD, Verb.PILE_ADD)]
        assert len(suggested) <= 5
        tokens = offered(match)
        assert tokens, "the seat on turn can always do something"
        led = {token: moves_of(match, token) for token in tokens}
        match = after(match, rng.choice(led[next_move(rng, tokens)]))
    assert not match.in_play
    fits(public_of(match))


@pytest.mark.parametrize("seating", Seating)
def test_the_table_s_own_buttons_do_what_they_say(seating: Seating) -> None:
    match = dealt(seating, "table")
    draw, take, *others = choices(public_of(match))
    assert [verb_of(choice) for choice in (draw, take, *others)] == [
        Verb.DRAW,
        Verb.TAKE_PILE,
        Verb.SHOW_HAND,
        Verb.PLAYS,
        Verb.RULES,
        Verb.MENU,
    ]
    assert isinstance(press(match, draw.token), Move)
    assert isinstance(press(match, take.token), Move)
    drawn = after(match, press(match, draw.token))
    assert [choice.enabled for choice in choices(public_of(drawn))] == [False, False, True, True, True, True]


@st.composite
def _positions(draw: st.DrawFn) -> Match:
    """A match somewhere in a deal, got there by pressing what is offered."""
    variant = draw(st.sampled_from(["", "", "", *VARIANTS]))
    seating = draw(st.sampled_from([each for each in Seating if each in rules(variant).seatings]))
    match = dealt(seating, draw(st.integers(0, 10_000)), variant)
    rng = random.Random(draw(st.integers(0, 10_000)))
    for _ in range(draw(st.integers(0, 60))):
        if not match.in_play:
            break
        before = match
        match = after(match, rng.choice(moves_of(match, next_move(rng, offered(match)))))
        if not match.in_play:
            return before
    return match


_VERBS = st.sampled_from([verb for verb in Verb if verb not in TOOLS])
_ARGUMENTS = st.one_of(
    st.integers(0, 1 << 14).map(base36),
    st.integers(0, 1 << 90).map(base36),
    st.integers(0, 40).map(str),
    st.sampled_from(FACE_CODE),
    st.tuples(st.sampled_from(FACE_CODE), st.sampled_from(FACE_CODE)).map("".join),
    st.text("abcXYZ019", min_size=1, max_size=6),
)


@given(_positions(), _VERBS, st.lists(_ARGUMENTS, max_size=4), st.booleans(), st.integers(0, 5))
def test_forged_tokens_are_refused_or_legal_and_never_break(
    match: Match, verb: Verb, arguments: list[str], is_confirmed: bool, seat: int
) -> None:
    before = msgspec.json.encode(match)
    seat %= match.seating.seats
    token = f"1:{TABLE_ID}:7:{CONFIRMED if is_confirmed else ''}{verb}"
    token = ":".join((token, *arguments))[:64].rstrip(":")
    reason: Reason | None = None
    found: Move | Screen | None = None
    try:
        found = press(match, token, seat)
    except TokenError:
        pass
    except IllegalAction as refusal:
        reason = refusal.reason
    assert msgspec.json.encode(match) == before
    if seat != mover_of(match):
        assert found is None, "nobody else can do anything"
        assert reason in (None, Reason.NOT_YOUR_TURN)
    elif isinstance(found, Move):
        assert after(match, found) != match
    elif found is not None:
        assert found.role is Role.QUESTION


@given(_positions(), st.sampled_from([Verb.MELD, Verb.ADD_SOMEWHERE, Verb.DISCARD]), st.randoms(use_true_random=False))
def test_whatever_is_picked_is_done_asked_or_refused(match: Match, verb: Verb, rng: random.Random) -> None:
    hand = seat_view(match, mover_of(match)).hand
    some = rng.sample(range(len(hand)), min(len(hand), rng.randint(1, 4)))
    token = write_token(Intent(TABLE_ID, 7, verb, (base36(sum(1 << bit for bit in some)),)))
    reason: Reason | None = None
    try:
        assert moves_of(match, token)
    except IllegalAction as refusal:
        reason = refusal.reason
    except TokenError:
        assert not some or (verb is Verb.DISCARD and len(some) > 1)
    assert reason is not Reason.CARD_NOT_HELD


def test_a_mask_beyond_the_hand_is_refused() -> None:
    match = at(hands=["4h 5h 6h 7s", "9s"])
    for verb in (Verb.MELD, Verb.ADD_SOMEWHERE, Verb.DISCARD):
        with pytest.raises(TokenError):
            press(match, write_token(Intent(TABLE_ID, 7, verb, (base36(1 << 4),))))
        with pytest.raises(TokenError):
            press(match, write_token(Intent(TABLE_ID, 7, verb, ("0",))))
    with pytest.raises(TokenError):
        press(match, write_token(Intent(TABLE_ID, 7, Verb.ADD, ("9", "1"))))


def test_a_discard_is_of_one_card() -> None:
    match = at(hands=["4h 5h 6h 7s", "9s"])
    with pytest.raises(TokenError):
        press(match, picked(match, Verb.DISCARD, "4h 5h"))
    move = press(match, picked(match, Verb.DISCARD, "7s"))
    assert isinstance(move, Move)
    assert isinstance(move.action, Discard)
    assert move.action.card == parse_face("7s")


def test_out_of_turn_it_is_the_turn_that_is_named_first() -> None:
    match = at(hands=["4h 5h 6h 7s", "9s Ts"], mover=1)
    for token in (
        write_token(Intent(TABLE_ID, 7, Verb.DRAW)),
        write_token(Intent(TABLE_ID, 7, Verb.MOVE_WILD, ("0",))),
        write_token(Intent(TABLE_ID, 7, Verb.MELD, ("7",))),
    ):
        with pytest.raises(IllegalAction) as refusal:
            press(match, token, seat=0)
        assert refusal.value.reason is Reason.NOT_YOUR_TURN


def test_before_the_draw_it_is_the_draw_that_is_missing() -> None:
    match = at(hands=["4h 5h 6h 7s", "9s Ts"], phase=Phase.DRAW)
    for token in (
        picked(match, Verb.MELD, "4h 5h 6h"),
        picked(match, Verb.ADD_SOMEWHERE, "4h"),
        picked(match, Verb.DISCARD, "4h"),
        write_token(Intent(TABLE_ID, 7, Verb.END)),
    ):
        with pytest.raises(IllegalAction) as refusal:
            press(match, token)
        assert refusal.value.reason is Reason.MUST_DRAW_FIRST


# questions


def test_a_wild_with_two_places_is_asked_about() -> None:
    match = at(hands=["4h 5h 6h JK 9s Ts", "9s"])
    asked = press(match, picked(match, Verb.MELD, "4h 5h 6h JK"))
    assert isinstance(asked, Screen)
    assert [choice.label for choice in answers(asked)] == ["Como 3♥", "Como 7♥"]
    for choice, place in zip(answers(asked), ("3h", "7h"), strict=True):
        move = press(match, choice.token)
        assert isinstance(move, Move)
        laid = move.events[0]
        assert isinstance(laid, MeldLaid)
        assert laid.meld.wild_place == parse_face(place)


def test_a_wild_with_one_place_is_not_asked_about() -> None:
    match = at(hands=["4h 6h JK 9s Ts", "9s"])
    move = press(match, picked(match, Verb.MELD, "4h 6h JK"))
    assert isinstance(move, Move)


def test_a_displaced_wild_goes_where_the_player_says() -> None:
    match = at(hands=["5h 9s Ts", "9s"], melds=[["4h JK=5h 6h"], []])
    asked = press(match, picked(match, Verb.ADD_SOMEWHERE, "5h"))
    assert isinstance(asked, Screen)
    assert [choice.label for choice in answers(asked)] == ["Como 3♥", "Como 7♥"]
    for choice, place in zip(answers(asked), ("3h", "7h"), strict=True):
        move = press(match, choice.token)
        assert isinstance(move, Move)
        changed = move.events[0]
        assert isinstance(changed, MeldChanged)
        assert changed.meld.wild_place == parse_face(place)


def test_a_natural_two_that_displaces_a_joker_does_not_take_its_name() -> None:
    match = at(hands=["2h 9s Ts", "9s"], melds=[["JK=2h 3h 4h"], []])
    asked = press(match, picked(match, Verb.ADD_SOMEWHERE, "2h"))
    assert isinstance(asked, Screen)
    for choice in answers(asked):
        move = press(match, choice.token)
        assert isinstance(move, Move)
        changed = move.events[0]
        assert isinstance(changed, MeldChanged)
        assert changed.meld.wild_card is not None
        assert changed.meld.wild_card not in changed.added


def test_an_equal_wild_in_the_hand_is_not_dragged_along() -> None:
    match = at(hands=["5h JK 9s Ts", "9s"], melds=[["4h JK=5h 6h"], []])
    for move in moves_of(match, picked(match, Verb.ADD_SOMEWHERE, "5h")):
        changed = move.events[0]
        assert isinstance(changed, MeldChanged)
        assert len(changed.added) == 1


def test_cards_that_fit_several_melds_are_asked_about() -> None:
    match = at(hands=["7h 9s Ts", "9s"], melds=[["4h 5h 6h", "7s 7c 7d"], []])
    asked = press(match, picked(match, Verb.ADD_SOMEWHERE, "7h"))
    assert isinstance(asked, Screen)
    assert asked.title == "¿A qué juego agregas 7♥?"
    assert [choice.label for choice in answers(asked)] == ["#1: 4♥ 5♥ 6♥", "#2: 7♠ 7♦ 7♣"]
    for index, choice in enumerate(answers(asked)):
        move = press(match, choice.token)
        assert isinstance(move, Move)
        assert isinstance(move.action, AddToMeld)
        assert move.action.meld == index


def test_cards_that_fit_nowhere_are_refused_for_the_reason_that_tells_most() -> None:
    match = at(hands=["7h JK 9s Ts", "9s"], melds=[["4h 5h JK=6h", "9c 9d 9h"], []])
    with pytest.raises(IllegalAction) as refusal:
        press(match, picked(match, Verb.ADD_SOMEWHERE, "7h JK"))
    assert refusal.value.reason is Reason.TOO_MANY_WILDS


def test_moving_a_wild_asks_where_to() -> None:
    match = at(hands=["9s Ts Qc", "9s"], melds=[["4h 5h 6h JK=7h"], []])
    moving = next(choice for choice in choices(hand_of(match)) if verb_of(choice) is Verb.MOVE_WILD)
    assert moving.label == "Mover el comodín de #1"
    asked = press(match, moving.token)
    assert isinstance(asked, Screen)
    (only,) = answers(asked)
    assert only.label == "joker(3♥) 4♥ 5♥ 6♥"
    move = press(match, only.token)
    assert isinstance(move, Move)
    assert isinstance(move.action, MoveWild)


def test_a_wild_that_cannot_move_says_so() -> None:
    match = at(hands=["9s Ts Qc", "9s"], melds=[["4h JK=5h 6h"], []])
    with pytest.raises(IllegalAction) as refusal:
        press(match, write_token(Intent(TABLE_ID, 7, Verb.MOVE_WILD, ("0", "9s"))))
    assert refusal.value.reason in (Reason.WILD_CANNOT_MOVE, Reason.WILD_NOT_ALLOWED_HERE)
    fixed = at("top this turn", hands=["9s Ts Qc", "9s"], melds=[["4h JK=5h 6h"], []])
    with pytest.raises(IllegalAction) as refusal:
        press(fixed, write_token(Intent(TABLE_ID, 7, Verb.MOVE_WILD, ("0",))))
    assert refusal.value.reason is Reason.WILD_CANNOT_MOVE


def test_the_top_of_the_pile_alone_can_be_added() -> None:
    match = at("open pile, top at once", hands=["9s Ts Qc", "9s"], melds=[["4h 5h 6h"], []], pile="Kc 7h", phase="draw")
    offers = [choice for choice in choices(hand_of(match)) if verb_of(choice) is Verb.PILE_ADD]
    assert [choice.label for choice in offers] == ["Tomar el pozo y agregar 7♥ a #1"]
    picker = hand_of(match).picker
    assert picker is not None
    for token in (offers[0].token, f"{picker.verbs[1].token}:0"):
        move = press(match, token)
        assert isinstance(move, Move)
        assert isinstance(move.action, TakePile)
        assert isinstance(move.action.use, AddToMeld)
        assert [card.face for card in move.action.use.cards] == [parse_face("7h")]


@pytest.mark.parametrize("verb", [Verb.DISCARD, Verb.ADD_SOMEWHERE])
@pytest.mark.parametrize("index", [0, 1])
def test_of_two_equal_cards_the_one_that_was_tapped_goes(verb: Verb, index: int) -> None:
    match = at(hands=["7h 7h 9s Qc", "9s"], melds=[["4h 5h 6h"], []], pile="Kc", phase="play")
    hand = seat_view(match, 0).hand
    tapped = [card for card in hand if FACE[card] == parse_face("7h")][index]
    token = write_token(Intent(TABLE_ID, 7, verb, (mask_of(hand, [tapped]),)))
    move = press(match, token)
    assert isinstance(move, Move)
    left = after(match, move)
    assert left.deal is not None
    assert tapped not in left.deal.hands[0]
    assert sum(FACE[card] == parse_face("7h") for card in left.deal.hands[0]) == 1


def test_a_wild_on_the_pile_is_asked_about_and_placed() -> None:
    match = at("open pile, top at once", hands=["4h 5h 6h 9s Ts", "9s"], pile="Kc JK", phase="draw")
    asked = press(match, picked(match, Verb.PILE_MELD, "4h 5h 6h"))
    assert isinstance(asked, Screen)
    for choice, place in zip(answers(asked), ("3h", "7h"), strict=True):
        move = press(match, choice.token)
        assert isinstance(move, Move)
        laid = move.events[1]
        assert isinstance(laid, MeldLaid)
        assert laid.meld.wild_place == parse_face(place)
