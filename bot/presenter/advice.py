"""Hints, and why the robots played as they did, in words."""

from collections.abc import Sequence

from bot.advice import Advice, Told
from bot.presenter.buttons import choice
from bot.presenter.seated import Seated
from bot.presenter.words import canasta_noun, face_sign, kind_name, muerto_noun, pile_noun
from bot.robots.reasoning import Because, Reasoning
from bot.screens import Role, Screen
from bot.texts import Texts
from bot.tokens import Verb
from engine.actions import Action, AddToMeld, Discard, DrawStock, EndTurn, LayMeld, NamedCard, TakeMuerto, TakePile
from engine.ruleset import Ruleset
from engine.views import PublicView, SeatView


def hint_text(t: Texts, view: SeatView, advice: Advice) -> str:
    """``Pista: descarta 9♦. Es la que menos falta te hace y no le sirve a quien sigue.``"""
    _ = t.gettext
    told = _("Pista: {action}. {reason}").format(
        action=_advised(t, view.table, view.side, advice.action), reason=_reason(t, view.table.rules, advice.reasoning)
    )
    return told.strip()


def hint_later_text(t: Texts) -> str:
    """Somebody asks for a hint out of turn."""
    return t.gettext("La pista espera a tu turno.")


def why_screen(t: Texts, place: Seated, told: Sequence[Told]) -> Screen:
    """The decisions of the robots in the deal that is over, with their reasons."""
    _ = t.gettext
    lines = tuple(
        _("{name} {action}. {reason}").format(
            name=place.names[one.seat],
            action=_done(t, one.view.table, one.view.side, one.action),
            reason=_reason(t, one.view.table.rules, one.reasoning),
        )
        for one in told
    ) or (_("En esta ronda los robots no tuvieron decisiones que contar."),)
    back = choice(_("Volver"), place.table.id, place.version, Verb.SHOW_TABLE)
    return Screen(
        role=Role.READING,
        table_id=place.table.id,
        version=place.version,
        title=_("¿Por qué jugaron así?"),
        lines=lines,
        alternative="\n".join(lines),
        rows=((back,),),
    )


def _cards(t: Texts, named: Sequence[NamedCard]) -> str:
    return " ".join(face_sign(t, card.face) for card in named)


def _number(view: PublicView, side: int, meld: int) -> int:
    return view.numbers[side][meld]


def _advised(t: Texts, view: PublicView, side: int, action: Action) -> str:
    _ = t.gettext
    pile = pile_noun(t, view.rules)
    match action:
        case DrawStock():
            return _("roba del mazo")
        case TakePile(use=LayMeld(cards=cards)):
            return _("toma {pile} y baja {cards}").format(pile=pile.the, cards=_cards(t, cards))
        case TakePile(use=AddToMeld(meld=meld, cards=cards)):
            number = _number(view, side, meld)
            return _("toma {pile} y agrega {cards} a #{number}").format(
                pile=pile.the, cards=_cards(t, cards), number=number
            )
        case TakePile():
            return _("toma {pile}").format(pile=pile.the)
        case LayMeld(cards=cards):
            return _("baja {cards}").format(cards=_cards(t, cards))
        case AddToMeld(meld=meld, cards=cards):
            return _("agrega {cards} a #{number}").format(cards=_cards(t, cards), number=_number(view, side, meld))
        case Discard(card=face):
            return _("descarta {card}").format(card=face_sign(t, face))
        case TakeMuerto():
            return _("elige cualquiera: los dorsos no dicen nada")
        case EndTurn():
            return _("termina el turno")
        case _:
            return _("sigue jugando")


def _done(t: Texts, view: PublicView, side: int, action: Action) -> str:
    _ = t.gettext
    pile = pile_noun(t, view.rules)
    match action:
        case DrawStock():
            return _("robó y dejó {pile}").format(pile=pile.the)
        case TakePile():
            return _("tomó {pile}").format(pile=pile.the)
        case LayMeld(cards=cards):
            return _("bajó {cards}").format(cards=_cards(t, cards))
        case AddToMeld(meld=meld, cards=cards):
            return _("agregó {cards} a #{number}").format(cards=_cards(t, cards), number=_number(view, side, meld))
        case Discard(card=face):
            return _("tiró {card}").format(card=face_sign(t, face))
        case _:
            return _("siguió")


def _reason(t: Texts, rules: Ruleset, reasoning: Reasoning) -> str:
    _ = t.gettext
    muerto, pile, canasta = muerto_noun(t, rules), pile_noun(t, rules), canasta_noun(t, rules)
    count, useful = reasoning.count, reasoning.useful
    match reasoning.because:
        case Because.NOTHING_ELSE:
            return _("No hay otra cosa que hacer.")
        case Because.PILE_POOR:
            told = t.ngettext(
                "{pile} trae {useful} que sirve de {count} carta: no compensa cargar con el resto.",
                "{pile} trae {useful} que sirven de {count} cartas: no compensa cargar con el resto.",
                count,
            )
            return told.format(pile=_capital(pile.the), useful=useful, count=count)
        case Because.PILE_RICH:
            told = t.ngettext(
                "{pile} trae {count} carta, {useful} de provecho, y no se le deja a quien sigue.",
                "{pile} trae {count} cartas, {useful} de provecho, y no se le deja a quien sigue.",
                count,
            )
            return told.format(pile=_capital(pile.the), useful=useful, count=count)
        case Because.CANASTA:
            return _("Hace {canasta} {kind}.").format(canasta=canasta.one, kind=kind_name(t, rules, reasoning.kind))
        case Because.CLOSES:
            return _("Cierra la ronda con ventaja.")
        case Because.TAKES_MUERTO:
            return _("Deja la mano vacía y gana {muerto}.").format(muerto=muerto.the)
        case Because.LAYS:
            return _("Suma {points} en la mesa y acorta la mano.").format(points=t.number(count)) if count > 0 else ""
        case Because.WILD_WORKS:
            return _("El comodín rinde aquí: {canasta} queda cerca.").format(canasta=canasta.the)
        case Because.NO_USE_TO_THEM:
            return _("Es la que menos falta hace y no encaja en los juegos de quien sigue.")
        case Because.LEAST_HARM:
            return _("A quien sigue le sirve, pero las demás cartas valen más en la mano.")
        case Because.LAST_CARD:
            return _("Es la única que se puede tirar.")
        case Because.DONE:
            return _("No queda nada mejor que bajar.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
