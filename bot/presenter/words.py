"""Names of cards, melds and the tradition's own things, in the reader's language."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Self

from bot.model import Pace
from bot.texts import Texts
from engine.cards import FACE, FACES, JOKER, RANK_OF_FACE, SUIT_OF_FACE, Card, Face
from engine.melds import Kind, Meld, Shape
from engine.ruleset import Ruleset
from engine.seating import Seating

SUIT_SIGNS = "♠♥♦♣"


class Form(str):
    """A form of a noun. The others are its attributes, so that a translation of ``{pile}`` may say ``{pile.of}``."""

    __slots__ = ("_noun",)
    _noun: "Noun"

    def __new__(cls, text: str, noun: "Noun") -> Self:
        """A form of ``noun``."""
        form = super().__new__(cls, text)
        form._noun = noun
        return form

    def __getattr__(self, name: str) -> "Form":
        """Another form of the same noun."""
        if name not in FORMS:
            raise AttributeError(name)
        other: Form = getattr(self._noun, name)
        return other


FORMS = ("one", "many", "the", "a", "yours", "of", "to", "at", "by")
"""The forms of a noun: ``muerto``, ``muertos``, ``el …``, ``un …``, ``tu …``, ``del …``, ``al …``, ``en el …``,
``por el …``; the last four for languages that join prepositions and articles."""


class Noun:
    """A word of the game with the forms that sentences need."""

    one: Form
    many: Form
    the: Form
    a: Form
    yours: Form
    of: Form
    to: Form
    at: Form
    by: Form

    def __init__(self, gender: str, *forms: str) -> None:
        """``gender`` is what the catalogue says, ``forms`` stand in the order of :data:`FORMS`."""
        self.feminine = gender == FEMININE
        for name, text in zip(FORMS, forms, strict=True):
            setattr(self, name, Form(text, self))


MASCULINE, FEMININE = "masculino", "femenino"
"""What a catalogue answers where it is asked for a noun's gender, in every language."""
_LANGUAGES_KEPT: Final = 32
"""Nouns are made once a language: every screen needs several of them."""


def muerto_noun(t: Texts, rules: Ruleset) -> Noun:
    """What this tradition calls the extra hand."""
    nouns = _muerto_nouns(t)
    return nouns.get(rules.words.muerto, nouns["muerto"])


@lru_cache(maxsize=_LANGUAGES_KEPT)
def _muerto_nouns(t: Texts) -> Mapping[str, Noun]:
    _p = t.pgettext
    return {
        "buraco": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el buraco».
            _p("muerto: género de buraco", "masculino"),
            _p("muerto", "buraco"),
            _p("muerto", "buracos"),
            _p("muerto", "el buraco"),
            _p("muerto", "un buraco"),
            _p("muerto", "tu buraco"),
            _p("muerto", "del buraco"),
            _p("muerto", "al buraco"),
            _p("muerto", "en el buraco"),
            _p("muerto", "por el buraco"),
        ),
        "muerto": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el muerto».
            _p("muerto: género de muerto", "masculino"),
            _p("muerto", "muerto"),
            _p("muerto", "muertos"),
            _p("muerto", "el muerto"),
            _p("muerto", "un muerto"),
            _p("muerto", "tu muerto"),
            _p("muerto", "del muerto"),
            _p("muerto", "al muerto"),
            _p("muerto", "en el muerto"),
            _p("muerto", "por el muerto"),
        ),
        "morto": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el morto».
            _p("muerto: género de morto", "masculino"),
            _p("muerto", "morto"),
            _p("muerto", "mortos"),
            _p("muerto", "el morto"),
            _p("muerto", "un morto"),
            _p("muerto", "tu morto"),
            _p("muerto", "del morto"),
            _p("muerto", "al morto"),
            _p("muerto", "en el morto"),
            _p("muerto", "por el morto"),
        ),
        "pozzetto": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el pozzetto».
            _p("muerto: género de pozzetto", "masculino"),
            _p("muerto", "pozzetto"),
            _p("muerto", "pozzetti"),
            _p("muerto", "el pozzetto"),
            _p("muerto", "un pozzetto"),
            _p("muerto", "tu pozzetto"),
            _p("muerto", "del pozzetto"),
            _p("muerto", "al pozzetto"),
            _p("muerto", "en el pozzetto"),
            _p("muerto", "por el pozzetto"),
        ),
    }


def canasta_noun(t: Texts, rules: Ruleset) -> Noun:
    """What this tradition calls a meld of seven or more."""
    nouns = _canasta_nouns(t)
    return nouns.get(rules.words.canasta, nouns["canasta"])


@lru_cache(maxsize=_LANGUAGES_KEPT)
def _canasta_nouns(t: Texts) -> Mapping[str, Noun]:
    _p = t.pgettext
    return {
        "canasta": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «la canasta».
            _p("canasta: género de canasta", "femenino"),
            _p("canasta", "canasta"),
            _p("canasta", "canastas"),
            _p("canasta", "la canasta"),
            _p("canasta", "una canasta"),
            _p("canasta", "tu canasta"),
            _p("canasta", "de la canasta"),
            _p("canasta", "a la canasta"),
            _p("canasta", "en la canasta"),
            _p("canasta", "por la canasta"),
        ),
        "buraco": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el buraco».
            _p("canasta: género de buraco", "masculino"),
            _p("canasta", "buraco"),
            _p("canasta", "buracos"),
            _p("canasta", "el buraco"),
            _p("canasta", "un buraco"),
            _p("canasta", "tu buraco"),
            _p("canasta", "del buraco"),
            _p("canasta", "al buraco"),
            _p("canasta", "en el buraco"),
            _p("canasta", "por el buraco"),
        ),
        "burraco": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el burraco».
            _p("canasta: género de burraco", "masculino"),
            _p("canasta", "burraco"),
            _p("canasta", "burracos"),
            _p("canasta", "el burraco"),
            _p("canasta", "un burraco"),
            _p("canasta", "tu burraco"),
            _p("canasta", "del burraco"),
            _p("canasta", "al burraco"),
            _p("canasta", "en el burraco"),
            _p("canasta", "por el burraco"),
        ),
    }


def pile_noun(t: Texts, rules: Ruleset) -> Noun:
    """What this tradition calls the discards."""
    nouns = _pile_nouns(t)
    return nouns.get(rules.words.pile, nouns["pozo"])


@lru_cache(maxsize=_LANGUAGES_KEPT)
def _pile_nouns(t: Texts) -> Mapping[str, Noun]:
    _p = t.pgettext
    return {
        "pozo": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el pozo».
            _p("pozo: género de pozo", "masculino"),
            _p("pozo", "pozo"),
            _p("pozo", "pozos"),
            _p("pozo", "el pozo"),
            _p("pozo", "un pozo"),
            _p("pozo", "tu pozo"),
            _p("pozo", "del pozo"),
            _p("pozo", "al pozo"),
            _p("pozo", "en el pozo"),
            _p("pozo", "por el pozo"),
        ),
        "descarte": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «el descarte».
            _p("pozo: género de descarte", "masculino"),
            _p("pozo", "descarte"),
            _p("pozo", "descartes"),
            _p("pozo", "el descarte"),
            _p("pozo", "un descarte"),
            _p("pozo", "tu descarte"),
            _p("pozo", "del descarte"),
            _p("pozo", "al descarte"),
            _p("pozo", "en el descarte"),
            _p("pozo", "por el descarte"),
        ),
        "pila": Noun(
            # i18n: Answer «masculino» or «femenino»: the gender of your word for «la pila».
            _p("pozo: género de pila", "femenino"),
            _p("pozo", "pila"),
            _p("pozo", "pilas"),
            _p("pozo", "la pila"),
            _p("pozo", "una pila"),
            _p("pozo", "tu pila"),
            _p("pozo", "de la pila"),
            _p("pozo", "a la pila"),
            _p("pozo", "en la pila"),
            _p("pozo", "por la pila"),
        ),
    }


def rank_name(t: Texts, rank: int) -> str:
    """A rank as it is called: ``as``, ``7``, ``J``."""
    _ = t.gettext
    return {1: _("as"), 14: _("as"), 10: "10", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))


def suit_name(t: Texts, suit: int) -> str:
    """A suit as it is called."""
    _ = t.gettext
    return (_("picas"), _("corazones"), _("diamantes"), _("tréboles"))[suit]


@lru_cache(maxsize=_LANGUAGES_KEPT * len(FACES))
def face_name(t: Texts, face: Face) -> str:
    """A card in words: ``7 de corazones``, ``joker``."""
    _ = t.gettext
    if face == JOKER:
        return _("joker")
    rank, suit = rank_name(t, RANK_OF_FACE[face]), suit_name(t, SUIT_OF_FACE[face])
    return _("{rank} de {suit}").format(rank=rank, suit=suit)


def card_name(t: Texts, card: Card) -> str:
    """A card in words."""
    return face_name(t, FACE[card])


@lru_cache(maxsize=_LANGUAGES_KEPT * len(FACES))
def face_sign(t: Texts, face: Face) -> str:
    """A card in signs: ``7♥``, ``10♠``, ``★``."""
    if face == JOKER:
        return t.gettext("joker")
    return rank_sign(RANK_OF_FACE[face]) + SUIT_SIGNS[SUIT_OF_FACE[face]]


def rank_sign(rank: int) -> str:
    """A rank in one or two signs."""
    return {1: "A", 14: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))


def signs(t: Texts, cards: Iterable[Card]) -> str:
    """Several cards in signs, with blanks between."""
    return " ".join(face_sign(t, FACE[card]) for card in cards)


def meld_signs(t: Texts, meld: Meld) -> str:
    """A meld in signs; the wild with what it stands for: ``4♥ 2♠(5♥) 6♥``."""
    parts = []
    for i, card in enumerate(meld.cards):
        place = meld.place_of(i) if i == meld.wild else None
        sign = face_sign(t, FACE[card])
        parts.append(f"{sign}({face_sign(t, place)})" if place is not None else sign)
    return " ".join(parts)


def meld_name(t: Texts, meld: Meld) -> str:
    """A meld in few words: ``escalera de corazones``, ``grupo de 9``, ``comodines``."""
    _ = t.gettext
    match meld.shape:
        case Shape.RUN:
            return _("escalera de {suit}").format(suit=suit_name(t, meld.suit))
        case Shape.SET:
            return _("grupo de {rank}").format(rank=rank_sign(meld.low))
        case Shape.WILDS:
            return _("juego de comodines")


def kind_name(t: Texts, rules: Ruleset, kind: Kind) -> str:
    """A kind of canasta as one adjective that goes with the tradition's noun, for ribbons and lists."""
    _ = t.gettext
    feminine = canasta_noun(t, rules).feminine
    match kind:
        case Kind.MELD:
            return ""
        case Kind.DIRTY:
            return _("sucia") if feminine else _("sucio")
        case Kind.SEMI:
            return _("semilimpia") if feminine else _("semilimpio")
        case Kind.CLEAN:
            return _("limpia") if feminine else _("limpio")
        case Kind.REAL:
            return _("real")
        case Kind.ACE_TO_ACE:
            return _("as a as")
        case Kind.ACES_CLEAN:
            return _("de ases limpia") if feminine else _("de ases limpio")
        case Kind.ACES_DIRTY:
            return _("de ases sucia") if feminine else _("de ases sucio")
        case Kind.WILDS:
            return _("de comodines")


def begun(text: str) -> str:
    """A text with the capital with which a line begins."""
    return text[:1].upper() + text[1:]


def canasta_name(t: Texts, rules: Ruleset, kind: Kind) -> str:
    """A canasta of some kind in two words: ``canasta limpia``."""
    told = t.gettext("{canasta} {kind}")
    return told.format(canasta=canasta_noun(t, rules).one, kind=kind_name(t, rules, kind))


def seating_name(t: Texts, seating: Seating) -> str:
    """A seating in words."""
    _ = t.gettext
    match seating:
        case Seating.ONE_ON_ONE:
            return _("mano a mano (1 contra 1)")
        case Seating.THREE_ALONE:
            return _("tres jugadores, cada uno por su lado")
        case Seating.TWO_PAIRS:
            return _("dos parejas (2 contra 2)")
        case Seating.THREE_PAIRS:
            return _("tres parejas (2 contra 2 contra 2)")


def pace_name(t: Texts, pace: Pace) -> str:
    """A pace in one word."""
    _ = t.gettext
    return {
        Pace.FREE: _("sin límite"),
        Pace.QUICK: _("rápido (60 segundos)"),
        Pace.NORMAL: _("normal (3 minutos)"),
        Pace.MAIL: _("correo (24 horas)"),
    }[pace]


def pace_line(t: Texts, pace: Pace) -> str:
    """What a pace means."""
    _ = t.gettext
    if pace is Pace.FREE:
        return _("Cada turno dura lo que haga falta.")
    told = {
        Pace.QUICK: _("Cada turno dura 60 segundos"),
        Pace.NORMAL: _("Cada turno dura 3 minutos"),
        Pace.MAIL: _("Cada turno dura 24 horas"),
    }[pace]
    return _("{told}; si se acaba, el turno se juega solo.").format(told=told)
