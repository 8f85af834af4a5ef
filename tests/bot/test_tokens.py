"""Tokens: what is written is read again, it fits, and nothing that anybody sends breaks the reading."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.tokens import (
    LONGEST,
    Intent,
    TokenError,
    Verb,
    base36,
    cards_of,
    confirmed,
    from_base36,
    mask_of,
    read_token,
    wild_at,
    write_token,
)
from engine.cards import FACE_CODE, FACES, PACKS, Card, sorted_cards

_IDS = st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=10)
_MASKS = st.integers(0, (1 << 80) - 1).map(base36)
_PLACES = st.tuples(st.sampled_from(FACES), st.sampled_from(FACES)).map(lambda pair: wild_at(*pair))
_ARGUMENTS = st.one_of(
    st.just(()),
    st.tuples(_MASKS),
    st.tuples(_MASKS, _PLACES),
    st.tuples(st.integers(0, 53).map(str), _MASKS),
    st.tuples(st.integers(0, 53).map(str), _MASKS, _PLACES),
    st.tuples(st.sampled_from(("suit", "rank", "two", "four"))),
)

GOLDEN = {
    "1:k3v9x0ab2c:0:jn": Intent("k3v9x0ab2c", 0, Verb.JOIN),
    "1:k3v9x0ab2c:1:lv": Intent("k3v9x0ab2c", 1, Verb.LEAVE),
    "1:k3v9x0ab2c:2:rb": Intent("k3v9x0ab2c", 2, Verb.ADD_ROBOT),
    "1:k3v9x0ab2c:3:rr": Intent("k3v9x0ab2c", 3, Verb.REMOVE_ROBOT),
    "1:k3v9x0ab2c:4:st": Intent("k3v9x0ab2c", 4, Verb.START),
    "1:k3v9x0ab2c:z:cx": Intent("k3v9x0ab2c", 35, Verb.CANCEL),
    "1:k3v9x0ab2c:10:tb": Intent("k3v9x0ab2c", 36, Verb.SHOW_TABLE),
    "1:k3v9x0ab2c:11:hd": Intent("k3v9x0ab2c", 37, Verb.SHOW_HAND),
    "1:k3v9x0ab2c:lfls:nx": Intent("k3v9x0ab2c", 1_000_000, Verb.NEXT_DEAL),
    "1:k3v9x0ab2c:7:dr": Intent("k3v9x0ab2c", 7, Verb.DRAW),
    "1:k3v9x0ab2c:7:pl": Intent("k3v9x0ab2c", 7, Verb.TAKE_PILE),
    "1:k3v9x0ab2c:7:pm:3": Intent("k3v9x0ab2c", 7, Verb.PILE_MELD, ("3",)),
    "1:k3v9x0ab2c:7:pm:3:JK5h": Intent("k3v9x0ab2c", 7, Verb.PILE_MELD, ("3", "JK5h")),
    "1:k3v9x0ab2c:7:pa:0": Intent("k3v9x0ab2c", 7, Verb.PILE_ADD, ("0",)),
    "1:k3v9x0ab2c:7:pa:2:0": Intent("k3v9x0ab2c", 7, Verb.PILE_ADD, ("2", "0")),
    "1:k3v9x0ab2c:7:pa:2:z:2sTd": Intent("k3v9x0ab2c", 7, Verb.PILE_ADD, ("2", "z", "2sTd")),
    "1:k3v9x0ab2c:7:ml:1ekf": Intent("k3v9x0ab2c", 7, Verb.MELD, ("1ekf",)),
    "1:k3v9x0ab2c:7:ml:1ekf:2cKs": Intent("k3v9x0ab2c", 7, Verb.MELD, ("1ekf", "2cKs")),
    "1:k3v9x0ab2c:7:ad:12:4": Intent("k3v9x0ab2c", 7, Verb.ADD, ("12", "4")),
    "1:k3v9x0ab2c:7:ad:12:4:JKAh": Intent("k3v9x0ab2c", 7, Verb.ADD, ("12", "4", "JKAh")),
    "1:k3v9x0ab2c:7:+ad:12:4": Intent("k3v9x0ab2c", 7, Verb.ADD, ("12", "4"), confirmed=True),
    "1:k3v9x0ab2c:7:at:4": Intent("k3v9x0ab2c", 7, Verb.ADD_SOMEWHERE, ("4",)),
    "1:k3v9x0ab2c:7:mv:3": Intent("k3v9x0ab2c", 7, Verb.MOVE_WILD, ("3",)),
    "1:k3v9x0ab2c:7:mv:3:9c": Intent("k3v9x0ab2c", 7, Verb.MOVE_WILD, ("3", "9c")),
    "1:k3v9x0ab2c:7:mu:1": Intent("k3v9x0ab2c", 7, Verb.MUERTO, ("1",)),
    "1:k3v9x0ab2c:7:di:800": Intent("k3v9x0ab2c", 7, Verb.DISCARD, ("800",)),
    "1:k3v9x0ab2c:7:+di:1": Intent("k3v9x0ab2c", 7, Verb.DISCARD, ("1",), confirmed=True),
    "1:k3v9x0ab2c:7:en": Intent("k3v9x0ab2c", 7, Verb.END),
    "1:k3v9x0ab2c:7:un": Intent("k3v9x0ab2c", 7, Verb.UNDO),
    "1:k3v9x0ab2c:7:ru": Intent("k3v9x0ab2c", 7, Verb.RULES),
    "1:k3v9x0ab2c:7:jn:1": Intent("k3v9x0ab2c", 7, Verb.JOIN, ("1",)),
    "1:k3v9x0ab2c:7:ki": Intent("k3v9x0ab2c", 7, Verb.EXPEL),
    "1:k3v9x0ab2c:7:ki:2": Intent("k3v9x0ab2c", 7, Verb.EXPEL, ("2",)),
    "1:k3v9x0ab2c:7:re:muerto": Intent("k3v9x0ab2c", 7, Verb.TOPIC, ("muerto",)),
    "1:x:0:re:muerto:clasico": Intent("x", 0, Verb.TOPIC, ("muerto", "clasico")),
    "1:x:0:ix:burraco13": Intent("x", 0, Verb.INDEX, ("burraco13",)),
    "1:x:0:pu:muerto:clasico": Intent("x", 0, Verb.PUBLISH, ("muerto", "clasico")),
    "1:x:0:qz:c:1:clasico": Intent("x", 0, Verb.QUIZ, ("c", "1", "clasico")),
    "1:x:0:sh:clasico": Intent("x", 0, Verb.SHEET, ("clasico",)),
    "1:x:0:ls:clasico": Intent("x", 0, Verb.LESSON, ("clasico",)),
    "1:x:0:md": Intent("x", 0, Verb.MY_DATA),
    "1:x:0:+er:0f1e2a3b4b5a": Intent("x", 0, Verb.ERASE, ("0f1e2a3b4b5a",), confirmed=True),
    "1:k3v9x0ab2c:7:rm": Intent("k3v9x0ab2c", 7, Verb.REMATCH),
    "1:k3v9x0ab2c:7:rm:r": Intent("k3v9x0ab2c", 7, Verb.REMATCH, ("r",)),
    "1:k3v9x0ab2c:7:rm:o:burraco13:2v2v2": Intent("k3v9x0ab2c", 7, Verb.REMATCH, ("o", "burraco13", "2v2v2")),
    "1:k3v9x0ab2c:7:fh": Intent("k3v9x0ab2c", 7, Verb.FINAL_HANDS),
    "1:k3v9x0ab2c:7:wy": Intent("k3v9x0ab2c", 7, Verb.WHY),
    "1:k3v9x0ab2c:7:hn": Intent("k3v9x0ab2c", 7, Verb.HINT),
    "1:k3v9x0ab2c:7:rl:dificil": Intent("k3v9x0ab2c", 7, Verb.ROBOT_LEVEL, ("dificil",)),
    "1:x:0:pf": Intent("x", 0, Verb.PROFILE),
    "1:x:0:pf:0123456789abcdef": Intent("x", 0, Verb.PROFILE, ("0123456789abcdef",)),
    "1:x:0:hi:12": Intent("x", 0, Verb.HISTORY, ("12",)),
    "1:x:0:av": Intent("x", 0, Verb.ACHIEVEMENTS),
    "1:x:0:rk:0123456789abcdef0123:p:2v2v2:t": Intent(
        "x", 0, Verb.RANKING, ("0123456789abcdef0123", "p", "2v2v2", "t")
    ),
    "1:x:0:ps:0": Intent("x", 0, Verb.SHARE, ("0",)),
    "1:k3v9x0ab2c:7:bk": Intent("k3v9x0ab2c", 7, Verb.BACK),
    "1:k3v9x0ab2c:7:up": Intent("k3v9x0ab2c", 7, Verb.PLAYS),
    "1:k3v9x0ab2c:7:mo": Intent("k3v9x0ab2c", 7, Verb.MENU),
    "1:k3v9x0ab2c:7:wo": Intent("k3v9x0ab2c", 7, Verb.WORDS),
    "1:k3v9x0ab2c:7:+te": Intent("k3v9x0ab2c", 7, Verb.END_TABLE, confirmed=True),
    "1:k3v9x0ab2c:7:jn:any:ABCDEF": Intent("k3v9x0ab2c", 7, Verb.JOIN, ("any", "ABCDEF")),
    "1:k3v9x0ab2c:7:pv:1": Intent("k3v9x0ab2c", 7, Verb.PRIVATE, ("1",)),
    "1:k3v9x0ab2c:7:cc:1": Intent("k3v9x0ab2c", 7, Verb.CUTTING, ("1",)),
    "1:k3v9x0ab2c:7:ct:a:037": Intent("k3v9x0ab2c", 7, Verb.CUT, ("a", "037")),
    "1:x:0:mn:0123456789abcdef0123": Intent("x", 0, Verb.COINS, ("0123456789abcdef0123",)),
    "1:x:0:mc:0123456789abcdef0123": Intent("x", 0, Verb.COLLECT, ("0123456789abcdef0123",)),
    "1:x:0:mp:0123456789abcdef0123": Intent("x", 0, Verb.POINTS, ("0123456789abcdef0123",)),
    "1:k3v9x0ab2c:7:ho": Intent("k3v9x0ab2c", 7, Verb.HAND_OVER),
    "1:k3v9x0ab2c:7:ho:2": Intent("k3v9x0ab2c", 7, Verb.HAND_OVER, ("2",)),
    "1:k3v9x0ab2c:7:vp": Intent("k3v9x0ab2c", 7, Verb.PROPOSE),
    "1:k3v9x0ab2c:7:vp:x:2": Intent("k3v9x0ab2c", 7, Verb.PROPOSE, ("x", "2")),
    "1:k3v9x0ab2c:7:vp:p:quick": Intent("k3v9x0ab2c", 7, Verb.PROPOSE, ("p", "quick")),
    "1:k3v9x0ab2c:7:vo:a:1": Intent("k3v9x0ab2c", 7, Verb.VOTE, ("a", "1")),
    "1:k3v9x0ab2c:7:as:3": Intent("k3v9x0ab2c", 7, Verb.TAKE_SEAT, ("3",)),
    "1:k3v9x0ab2c:0:rp:a:zz:h:n": Intent("k3v9x0ab2c", 0, Verb.REPLAY, ("a", "zz", "h", "n")),
    "1:k3v9x0ab2c:0:rf": Intent("k3v9x0ab2c", 0, Verb.RECORD),
    "1:x:0:aj:w:never": Intent("x", 0, Verb.SETTINGS, ("w", "never")),
    "1:k3v9x0ab2c:7:nj": Intent("k3v9x0ab2c", 7, Verb.SHUN),
    "1:k3v9x0ab2c:7:nj:0123456789abcdef:1": Intent("k3v9x0ab2c", 7, Verb.SHUN, ("0123456789abcdef", "1")),
    "1:k3v9x0ab2c:7:so:rank": Intent("k3v9x0ab2c", 7, Verb.SORT, ("rank",)),
    "1:k3v9x0ab2c:7:co:two": Intent("k3v9x0ab2c", 7, Verb.COLOURS, ("two",)),
}
"""Tokens of format 1, as they stand in messages that are out there: they must be read for ever."""


@pytest.mark.parametrize("token", GOLDEN)
def test_format_1_is_read_for_ever(token: str) -> None:
    assert read_token(token) == GOLDEN[token]
    assert write_token(GOLDEN[token]) == token


def test_the_golden_list_knows_every_verb() -> None:
    assert {intent.verb for intent in GOLDEN.values()} == set(Verb)


@given(_IDS, st.integers(0, 10**6), st.sampled_from(Verb), _ARGUMENTS, st.booleans())
def test_what_is_written_is_read_again(
    table_id: str, version: int, verb: Verb, arguments: tuple[str, ...], is_confirmed: bool
) -> None:
    intent = Intent(table_id, version, verb, arguments, confirmed=is_confirmed)
    token = write_token(intent)
    assert len(token.encode("ascii")) <= LONGEST
    assert read_token(token) == intent
    assert read_token(write_token(confirmed(intent))) == confirmed(intent)


def test_the_largest_hands_fit() -> None:
    hand = sorted_cards(Card(n) for n in range(PACKS * 54))
    for count in (80, 100, len(hand)):
        mask = mask_of(hand[:count], hand[:count])
        for version in (0, 10**6):
            token = write_token(Intent("zzzzzzzzzz", version, Verb.PILE_ADD, ("53", mask, "JKTd"), confirmed=True))
            assert len(token) <= LONGEST
            assert cards_of(hand[:count], read_token(token).arguments[1]) == hand[:count]


def test_what_does_not_fit_is_not_written() -> None:
    with pytest.raises(TokenError):
        write_token(Intent("a" * 60, 0, Verb.DRAW))
    with pytest.raises(TokenError):
        write_token(Intent("ñandú", 0, Verb.DRAW))
    with pytest.raises(ValueError, match="-1"):
        base36(-1)


_PIECES = st.sampled_from(
    ["1", "2", ":", "::", "+", "++", "dr", "ml", "k3v9x0ab2c", "zz", "-1", "é", " ", "\n", "٣", "²"]
)


@given(st.one_of(st.text(max_size=90), st.lists(_PIECES, max_size=20).map("".join)))
@example("1:a:0:dr:")
@example("1:a::dr")
@example("1:a:٣:dr")
@example("1:a:²:dr")
@example("1:a:Z:dr")
@example("1:a:0:++dr")
@example("1:a:0:dr:-1")
@example("\ud800")
@example("1:" * 100_000)
def test_whatever_comes_is_read_or_is_no_token(text: str) -> None:
    try:
        intent = read_token(text)
    except TokenError:
        return
    assert read_token(write_token(intent)) == intent


@given(st.sampled_from(list(GOLDEN)), st.integers(0, 63), st.integers(0, 7))
def test_a_flipped_bit_is_read_or_is_no_token(token: str, place: int, bit: int) -> None:
    data = bytearray(token.encode())
    data[place % len(data)] ^= 1 << bit
    try:
        intent = read_token(data.decode("latin-1"))
    except TokenError:
        return
    assert write_token(intent)


@given(st.integers(0, 1 << 200))
def test_base_36_is_read_again(number: int) -> None:
    assert from_base36(base36(number)) == number


@given(st.lists(st.integers(0, 161).map(Card), unique=True, max_size=80), st.data())
def test_a_mask_selects_what_was_picked(cards: list[Card], data: st.DataObject) -> None:
    hand = sorted_cards(cards)
    picked = data.draw(st.lists(st.sampled_from(hand), unique=True)) if hand else []
    assert cards_of(hand, mask_of(hand, picked)) == sorted_cards(picked)


@pytest.mark.parametrize("mask", ["", "-1", "A", "é", "8", "zzzzzzzzzzzzzzzz"])
def test_a_mask_that_selects_nothing_of_the_hand_is_refused(mask: str) -> None:
    hand = sorted_cards(Card(n) for n in range(3))
    with pytest.raises(TokenError):
        cards_of(hand, mask)


def test_no_card_stands_in_a_token_but_wilds_with_their_places() -> None:
    for token, intent in GOLDEN.items():
        named = [argument for argument in intent.arguments if any(code in argument for code in FACE_CODE)]
        assert all(len(argument) == 4 or intent.verb is Verb.MOVE_WILD for argument in named), token
