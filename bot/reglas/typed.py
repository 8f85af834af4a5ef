"""Cards as people type them: ``3♥ 4h 2♠``, ``10 de trébol``, ``As``, ``as de picas``, ``JK``, ``rey corazones``.

Spanish, Portuguese, Italian and English names are understood, with or without accents; a lone ``c`` is clubs, as in
the notation.
"""

import re
import unicodedata
from collections.abc import Sequence
from importlib import resources
from typing import Final

import msgspec

from engine.cards import CARDS_A_PACK, FACE_CODE, PACKS, Card, parse_face


class CardWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people call cards, in whatever language: ``data/reglas/cards.toml``."""

    suits: dict[str, tuple[str, ...]]
    ranks: dict[str, tuple[str, ...]]
    jokers: tuple[str, ...]
    links: tuple[str, ...]


_WORDS: Final = msgspec.toml.decode((resources.files("data") / "reglas" / "cards.toml").read_bytes(), type=CardWords)
_SUITS: Final = {word: suit for suit, words in _WORDS.suits.items() for word in words}
_RANKS: Final = {word: rank for rank, words in _WORDS.ranks.items() for word in words}
_PARTS: Final = re.compile(r"[♠♤♥♡♦♢♣♧★🃏*=]|\d+|[a-z]+")
_SIGNS: Final = re.compile(r"([♠♤♥♡♦♢♣♧★🃏])(?=[^\s=])")
_CODE: Final = re.compile(r"(10|[2-9]|[atjqk1])([shdcpt♠♤♥♡♦♢♣♧])")
MOST: Final = 60
"""Cards of one reading; more is nobody's meld."""


class UnreadCards(ValueError):
    """Something that is no card: ``word`` is it."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def read_cards(text: str) -> list[str]:
    """The cards of a text in notation, in the order in which they stand; a wild may name its place (``2s=5h``).

    Raises:
        UnreadCards: a part of it is no card, or there are too many.
    """
    # Variation selectors make ♥ an emoji: the card is the same.
    folded = _folded(text.replace("\ufe0f", "").replace("\ufe0e", ""))
    # Glued together, cards end with their suit: 3♥4♥.
    folded = _SIGNS.sub(r"\1 ", folded)
    words = [word for word in re.split(r"[\s,;·+/()\[\]-]+", folded) if word and word not in _WORDS.links]
    cards: list[str] = []
    at = 0
    while at < len(words):
        card, used = _card(words, at)
        cards.append(card)
        at += used
        if len(cards) > MOST:
            raise UnreadCards(text[:20])
    return cards


def dealt(codes: Sequence[str]) -> list[Card]:
    """Physical cards for these faces, each once.

    Raises:
        UnreadCards: there are not so many of one face.
    """
    taken: set[int] = set()
    cards: list[Card] = []
    for code in codes:
        face = parse_face(code)
        # The last two of each pack are its jokers.
        slots = (int(face),) if int(face) < len(FACE_CODE) - 1 else (int(face), int(face) + 1)
        free = [pack * CARDS_A_PACK + slot for pack in range(PACKS) for slot in slots]
        card = next((card for card in free if card not in taken), None)
        if card is None:
            raise UnreadCards(code)
        taken.add(card)
        cards.append(Card(card))
    return cards


def _folded(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))


def _card(words: Sequence[str], at: int) -> tuple[str, int]:
    """The card that begins at a word, and how many words it takes."""
    word = words[at]
    named, equals, place = word.partition("=")
    if equals:
        return f"{_one(named)}={_one(place)}", 1
    if word in _WORDS.jokers:
        return "JK", 1
    after = words[at + 1] if at + 1 < len(words) else ""
    # "10 de trebol", "as picas". "as" is the ace of spades by itself and an ace where a suit's name follows.
    if word in _RANKS and after in _SUITS and (len(after) > 1 or _CODE.fullmatch(word) is None or not after.isalpha()):
        return _RANKS[word] + _SUITS[after], 2
    return _one(word), 1


def _one(word: str) -> str:
    if word in _WORDS.jokers:
        return "JK"
    code = _CODE.fullmatch(word)
    if code:
        return _RANKS[code[1]] + _SUITS[code[2]]
    parts = [part for part in _PARTS.findall(word) if part not in _WORDS.links]
    if len(parts) == 2 and parts[0] in _RANKS and parts[1] in _SUITS and "".join(parts) == word:
        return _RANKS[parts[0]] + _SUITS[parts[1]]
    raise UnreadCards(word[:20])
