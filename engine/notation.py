"""The notation of actions: ``draw``, ``pile meld 5c 6c 7c``, ``add 0 7h 2s=4h``, ``discard 9d`` (docs/notation.md)."""

from collections.abc import Sequence
from typing import Final, assert_never

from engine.actions import (
    Action,
    AddToMeld,
    Discard,
    DrawStock,
    EndTurn,
    LayMeld,
    MoveWild,
    NamedCard,
    TakeMuerto,
    TakePile,
    Undo,
)
from engine.cards import FACE_CODE, JOKER, RANK_OF_FACE, TWO, Face, parse_face
from engine.reasons import NotationError

_BACKS: Final = "012"


def parse_action(text: str) -> tuple[int | None, Action]:
    """Read an action; it may begin with a seat (``1: draw``), else the seat is None: the mover's.

    Raises:
        NotationError: the text is no action.
    """
    seat: int | None = None
    body = text
    if ":" in text:
        head, _, body = text.partition(":")
        seat = _number(head.strip(), text)
    words = body.split()
    if not words:
        raise NotationError(text)
    verb, rest = words[0], words[1:]
    return seat, _parse(verb, rest, text)


def _parse(verb: str, rest: Sequence[str], text: str) -> Action:
    match verb, len(rest):
        case "draw", 0:
            return DrawStock()
        case "pile", 0:
            return TakePile()
        case "pile", _:
            use = _parse(rest[0], rest[1:], text)
            if isinstance(use, LayMeld | AddToMeld):
                return TakePile(use)
        case "meld", n if n > 0:
            return LayMeld(tuple(parse_named(word) for word in rest))
        case "add", n if n > 1:
            return AddToMeld(_number(rest[0], text), tuple(parse_named(word) for word in rest[1:]))
        case "move", 2:
            code, _, place = rest[1].partition("=")
            return MoveWild(_number(rest[0], text), parse_face(code), _place(place))
        case "muerto", 1:
            return TakeMuerto(_number(rest[0], text))
        case "discard", 1:
            card = parse_named(rest[0])
            if card.place is None:
                return Discard(card.face, card.back)
        case "end", 0:
            return EndTurn()
        case "undo", 0:
            return Undo()
    raise NotationError(text)


def _number(word: str, text: str) -> int:
    if not (word.isascii() and word.isdigit()) or len(word) > 4:
        raise NotationError(text)
    return int(word)


def parse_named(word: str) -> NamedCard:
    """Read a card that may name its back and its place: ``7h``, ``7h/1``, ``2s=5h``.

    Raises:
        NotationError: the text is no card, or a card that is no wild names a place.
    """
    code, equals, place = word.partition("=")
    code, slash, back_text = code.partition("/")
    face = parse_face(code)
    if slash and back_text not in _BACKS:
        raise NotationError(word)
    back = _BACKS.index(back_text) if slash else None
    if not equals:
        return NamedCard(face, None, back)
    if not (face == JOKER or RANK_OF_FACE[face] == TWO):
        raise NotationError(word)
    return NamedCard(face, _place(place), back)


def _place(code: str) -> Face:
    face = parse_face(code)
    if face == JOKER:
        raise NotationError(code)
    return face


def _write_named(card: NamedCard) -> str:
    back = "" if card.back is None else f"/{card.back}"
    place = "" if card.place is None else f"={FACE_CODE[card.place]}"
    return FACE_CODE[card.face] + back + place


def _write_all(cards: Sequence[NamedCard]) -> str:
    return " ".join(_write_named(card) for card in cards)


def write_action(action: Action) -> str:
    """The notation of an action; :func:`parse_action` reads it back."""
    match action:
        case DrawStock():
            return "draw"
        case TakePile(use=use):
            return "pile" if use is None else f"pile {write_action(use)}"
        case LayMeld(cards=cards):
            return f"meld {_write_all(cards)}"
        case AddToMeld(meld=meld, cards=cards):
            return f"add {meld} {_write_all(cards)}"
        case MoveWild(meld=meld, card=card, place=place):
            return f"move {meld} {FACE_CODE[card]}={FACE_CODE[place]}"
        case TakeMuerto(index=index):
            return f"muerto {index}"
        case Discard(card=card, back=back):
            return f"discard {_write_named(NamedCard(card, None, back))}"
        case EndTurn():
            return "end"
        case Undo():
            return "undo"
        case _:
            assert_never(action)
