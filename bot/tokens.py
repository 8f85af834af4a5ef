"""Tokens: a button's whole intent in at most 64 ASCII bytes.

``1:<table>:<version>:<verb>[:<argument>…]`` with the version in base 36. The leading figure is the format. A token
survives restarts and works in any process; an old one is recognised by its version. A selection of cards is a bit mask
over the sorted hand, in base 36, so that no card stands in a token that everybody's client can read. Where a wild is
told its place, both are named by their notation: ``JK5h`` is the joker as the five of hearts.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from engine.cards import FACE_CODE, Card, Face

FORMAT = "1"
LONGEST = 64
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Verb(StrEnum):
    """What a press asks for."""

    # the lobby
    JOIN = "jn"
    """[side, or ANY_SIDE[, code of a private table]]"""
    LEAVE = "lv"
    ADD_ROBOT = "rb"
    REMOVE_ROBOT = "rr"
    START = "st"
    CANCEL = "cx"
    ROBOT_LEVEL = "rl"
    """level"""
    EXPEL = "ki"
    """[chair]; without one, ask whom."""
    # the table
    SHOW_TABLE = "tb"
    SHOW_HAND = "hd"
    RULES = "ru"
    NEXT_DEAL = "nx"
    REMATCH = "rm"
    FINAL_HANDS = "fh"
    WHY = "wy"
    """Why the robots played so in the deal that is over."""
    BACK = "bk"
    """Take one's seat again, for which a robot has stood in."""
    PLAYS = "up"
    MENU = "mo"
    WORDS = "wo"
    END_TABLE = "te"
    PRIVATE = "pv"
    """1 to hide the table from lists and strangers, 0 to open it to all"""
    CUTTING = "cc"
    """1 to have somebody cut before each deal, 0 to deal at once"""
    CUT = "ct"
    """deal in base 36, the figures of the cut so far"""
    HAND_OVER = "ho"
    """[chair]: make its person the host; without one, ask whom."""
    PROPOSE = "vp"
    """[e to end the match, x and a seat to send somebody away, p and a pace]; without any, ask what."""
    VOTE = "vo"
    """the vote's number in base 36, 1 for yes or 0 for no"""
    TAKE_SEAT = "as"
    """seat: take it over from its robot."""
    # deals that are over
    REPLAY = "rp"
    """[deal[, turn[, t for the table or h for the hands[, which button it is]]]], deal and turn in base 36"""
    RECORD = "rf"
    """[deal]: its record as a file; without one, those of the whole match."""
    SHUN = "nj"
    """[person, 1 not to play with them at one's own tables any more, 0 to do so again]; without any, ask whom."""
    # the rule book: each may end with the rule set's mark, where the table is NO_TABLE
    INDEX = "ix"
    """[chapter]"""
    TOPIC = "re"
    """topic"""
    PUBLISH = "pu"
    """topic: show it to everybody in the place of the press."""
    QUIZ = "qz"
    """exercise[, answer: 1 for a meld, 0 for none]"""
    SHEET = "sh"
    """The printed page."""
    LESSON = "ls"
    """Begin the guided first deal."""
    # finished matches: the table is NO_TABLE
    PROFILE = "pf"
    """[person]; without one, the presser's own."""
    HISTORY = "hi"
    """page"""
    ACHIEVEMENTS = "av"
    RANKING = "rk"
    """place's mark, time: s this season, p the one before, a all[, seating or all[, t where the time is pressed]]"""
    SHARE = "ps"
    """1 to let others see one's profile, 0 to hide it"""
    # coins: the table is NO_TABLE
    COINS = "mn"
    """[place's mark]"""
    COLLECT = "mc"
    """place's mark"""
    POINTS = "mp"
    """place's mark"""
    # the presser's own settings; the table is NO_TABLE
    SETTINGS = "aj"
    """[which, value]: o the hand's order, c colours, n notices, w warnings"""
    # what is kept of the presser; the table is NO_TABLE
    MY_DATA = "md"
    ERASE = "er"
    """mark of the person: nobody erases by another's button."""
    # the turn
    DRAW = "dr"
    TAKE_PILE = "pl"
    PILE_MELD = "pm"
    """mask[, wild and place]: take the pile and meld its top with these cards."""
    PILE_ADD = "pa"
    """meld, mask[, wild and place]: take the pile and add its top with these cards. Without a meld: to whichever."""
    MELD = "ml"
    """mask[, wild and place]"""
    ADD = "ad"
    """meld, mask[, wild and place]"""
    ADD_SOMEWHERE = "at"
    """mask: add to whichever meld takes the cards; asks where several do."""
    MOVE_WILD = "mv"
    """meld[, place]: move its wild; without a place, ask where to."""
    MUERTO = "mu"
    """index"""
    DISCARD = "di"
    """mask of one card"""
    END = "en"
    UNDO = "un"
    # the hand
    HINT = "hn"
    SORT = "so"
    COLOURS = "co"


NO_TABLE = "x"
"""Stands in the table's place in tokens that are about none."""
ANY_SIDE = "any"
"""Leaves the side to the lot, where something stands behind it."""
CONFIRMED = "+"
"""Before the verb: the player has been warned and goes on."""


class Intent(msgspec.Struct, frozen=True):
    """A token, read."""

    table_id: str
    version: int
    verb: Verb
    arguments: tuple[str, ...] = ()
    confirmed: bool = False


class TokenError(ValueError):
    """A text that is no token of ours."""


def write_token(intent: Intent) -> str:
    """The token of an intent.

    Raises:
        TokenError: it does not fit in 64 bytes or is not ASCII.
    """
    verb = (CONFIRMED if intent.confirmed else "") + intent.verb
    token = ":".join((FORMAT, intent.table_id, base36(intent.version), verb, *intent.arguments))
    if len(token) > LONGEST or not token.isascii():
        raise TokenError(token)
    return token


def read_token(token: str) -> Intent:
    """Read a token, which may come from anybody.

    Raises:
        TokenError: it is no token of ours.
    """
    if len(token) > LONGEST or not token.isascii():
        raise TokenError(token[:LONGEST])
    parts = token.split(":")
    if len(parts) < 4 or parts[0] != FORMAT:
        raise TokenError(token)
    _, table_id, version, verb, *arguments = parts
    if not table_id.isalnum() or any(not argument.isalnum() for argument in arguments):
        raise TokenError(token)
    try:
        return Intent(
            table_id=table_id,
            version=from_base36(version),
            verb=Verb(verb.removeprefix(CONFIRMED)),
            arguments=tuple(arguments),
            confirmed=verb.startswith(CONFIRMED),
        )
    except ValueError:
        raise TokenError(token) from None


def confirmed(intent: Intent) -> Intent:
    """The same intent, with its warning heard."""
    return msgspec.structs.replace(intent, confirmed=True)


def base36(number: int) -> str:
    """A number that is not negative, in base 36.

    Raises:
        ValueError: it is negative.
    """
    if number < 0:
        raise ValueError(number)
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits


def from_base36(text: str) -> int:
    """Read :func:`base36`.

    Raises:
        ValueError: it is no such number.
    """
    if not text or any(character not in _DIGITS for character in text):
        raise ValueError(text)
    return int(text, 36)


def one_figure(argument: str) -> int:
    """An argument that is a single figure, such as a side or a chair.

    Raises:
        TokenError: it is not.
    """
    if not argument.isdecimal() or len(argument) > 1:
        raise TokenError(argument)
    return int(argument)


def wild_at(wild: Face, place: Face) -> str:
    """The argument that puts a wild in a place."""
    return FACE_CODE[wild] + FACE_CODE[place]


def mask_of(hand: Sequence[Card], cards: Iterable[Card]) -> str:
    """The selection of ``cards`` among a sorted hand.

    Raises:
        ValueError: one of them is not held.
    """
    return base36(sum(1 << hand.index(card) for card in cards))


def cards_of(hand: Sequence[Card], mask: str) -> tuple[Card, ...]:
    """The cards that a mask selects.

    Raises:
        TokenError: the mask is no number or reaches beyond the hand.
    """
    try:
        bits = from_base36(mask)
    except ValueError:
        raise TokenError(mask) from None
    if bits >> len(hand):
        raise TokenError(mask)
    return tuple(card for i, card in enumerate(hand) if bits >> i & 1)
