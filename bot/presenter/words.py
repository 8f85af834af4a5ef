"""Names of cards, melds and the tradition's own things, in the reader's language."""

from collections.abc import Iterable

import msgspec

from bot.model import Pace
from bot.texts import Texts
from engine.cards import FACE, JOKER, RANK_OF_FACE, SUIT_OF_FACE, Card, Face
from engine.melds import Kind, Meld, Shape
from engine.ruleset import Ruleset
from engine.seating import Seating

SUIT_SIGNS = "♠♥♦♣"


class Noun(msgspec.Struct, frozen=True):
    """A word of the game with the forms that sentences need."""

    one: str
    many: str
    the: str
    a: str
    yours: str
    feminine: bool = False


def muerto_noun(t: Texts, rules: Ruleset) -> Noun:
    """What this tradition calls the extra hand."""
    _ = t.gettext
    nouns = {
        "buraco": Noun(_("buraco"), _("buracos"), _("el buraco"), _("un buraco"), _("tu buraco")),
        "muerto": Noun(_("muerto"), _("muertos"), _("el muerto"), _("un muerto"), _("tu muerto")),
        "morto": Noun(_("morto"), _("mortos"), _("el morto"), _("un morto"), _("tu morto")),
        "pozzetto": Noun(_("pozzetto"), _("pozzetti"), _("el pozzetto"), _("un pozzetto"), _("tu pozzetto")),
    }
    return nouns.get(rules.words.muerto, nouns["muerto"])


def canasta_noun(t: Texts, rules: Ruleset) -> Noun:
    """What this tradition calls a meld of seven or more."""
    _ = t.gettext
    nouns = {
        "canasta": Noun(_("canasta"), _("canastas"), _("la canasta"), _("una canasta"), _("tu canasta"), feminine=True),
        "buraco": Noun(_("buraco"), _("buracos"), _("el buraco"), _("un buraco"), _("tu buraco")),
        "burraco": Noun(_("burraco"), _("burracos"), _("el burraco"), _("un burraco"), _("tu burraco")),
    }
    return nouns.get(rules.words.canasta, nouns["canasta"])


def pile_noun(t: Texts, rules: Ruleset) -> Noun:
    """What this tradition calls the discards."""
    _ = t.gettext
    nouns = {
        "pozo": Noun(_("pozo"), _("pozos"), _("el pozo"), _("un pozo"), _("tu pozo")),
        "descarte": Noun(_("descarte"), _("descartes"), _("el descarte"), _("un descarte"), _("tu descarte")),
        "pila": Noun(_("pila"), _("pilas"), _("la pila"), _("una pila"), _("tu pila"), feminine=True),
    }
    return nouns.get(rules.words.pile, nouns["pozo"])


def rank_name(t: Texts, rank: int) -> str:
    """A rank as it is called: ``as``, ``7``, ``J``."""
    _ = t.gettext
    return {1: _("as"), 14: _("as"), 10: "10", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))


def suit_name(t: Texts, suit: int) -> str:
    """A suit as it is called."""
    _ = t.gettext
    return (_("picas"), _("corazones"), _("diamantes"), _("tréboles"))[suit]


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
