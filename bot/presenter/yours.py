"""What you did, told to yourself: the line on the hand's screen, and the answer to a press."""

from collections.abc import Sequence

from bot.presenter.plays import meld_number, merged_plays
from bot.presenter.seated import Seated
from bot.presenter.table import banner
from bot.presenter.words import begun, canasta_name, muerto_noun, pile_noun, signs
from bot.texts import Texts
from engine.cards import Card
from engine.events import ActionUndone, CardDrawn, Event, MeldChanged, MeldLaid
from engine.melds import Kind, kind_of
from engine.state import Ended, Phase, Play, PlayKind
from engine.views import PublicView, SeatView

LONGEST = 200
"""What a toast takes: Telegram's limit, in characters."""
_DRAWING = frozenset({PlayKind.DREW, PlayKind.THIRD_DECK, PlayKind.MUERTO_TO_STOCK})


def your_turn_so_far(t: Texts, view: SeatView) -> str:
    """What the viewer has done this turn: ``Robaste 7♥ y bajaste Q♠ Q♥ Q♦.``; empty while there is nothing to tell."""
    plays = view.table.plays
    only_drew = all(play.kind in _DRAWING for play in plays)
    drawn = view.new[0] if only_drew and len(view.new) == 1 else None
    return _told(t, view.table, plays, drawn)


def done_text(t: Texts, before: SeatView, after: Seated, events: Sequence[Event]) -> str:
    """What a press did, for the person who pressed; it may name the card that came, so nobody else may read it."""
    _ = t.gettext
    if any(isinstance(event, ActionUndone) for event in events):
        return _("Jugada deshecha.")
    table = after.view
    goes_on = table.mover == before.seat and table.phase is not Phase.OVER
    plays = table.plays if goes_on or table.phase is Phase.OVER else table.last_plays
    new = plays[len(before.table.plays) :]
    drawn = next((event.card for event in events if isinstance(event, CardDrawn)), None)
    told = [_told(t, table, new, drawn), *_canastas(t, before, events)]
    if table.winner is not None:
        told.append(banner(t, after))
    elif table.ended is not None:
        told.append("" if table.ended is Ended.CLOSED else f"{banner(t, after)}.")
    elif table.choosing is not None:
        told.append(_("Te quedaste sin cartas: elige {muerto}.").format(muerto=muerto_noun(t, table.rules).a))
    elif not goes_on:
        told.append(_("Sigue {name}.").format(name=after.names[table.mover]))
    return clipped(" ".join(part for part in told if part))


def clipped(text: str, longest: int = LONGEST) -> str:
    """The text, cut where a toast would end."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _canastas(t: Texts, before: SeatView, events: Sequence[Event]) -> list[str]:
    """``¡Canasta limpia!`` for a meld that has just become one, or one of another kind."""
    rules = before.table.rules
    kinds = before.table.kinds[before.side]
    told = []
    for event in events:
        if not isinstance(event, MeldLaid | MeldChanged):
            continue
        kind = kind_of(rules, event.meld)
        old = kinds[event.index] if isinstance(event, MeldChanged) and event.index < len(kinds) else Kind.MELD
        if kind not in (Kind.MELD, old):
            told.append(t.gettext("¡{canasta}!").format(canasta=begun(canasta_name(t, rules, kind))))
    return told


def _told(t: Texts, view: PublicView, plays: Sequence[Play], drawn: Card | None) -> str:
    parts = [_part(t, view, play, drawn) for play in merged_plays(plays)]
    if not parts:
        return ""
    told = t.listed(parts)
    return f"{told[0].upper()}{told[1:]}."


def _part(t: Texts, view: PublicView, play: Play, drawn: Card | None) -> str:
    _ = t.gettext
    muerto, pile = muerto_noun(t, view.rules), pile_noun(t, view.rules)
    cards, number = signs(t, play.cards), meld_number(view, play)
    match play.kind:
        case PlayKind.DREW if drawn is not None:
            return _("robaste {card}").format(card=signs(t, (drawn,)))
        case PlayKind.DREW:
            return _("robaste")
        case PlayKind.TOOK_PILE:
            return t.ngettext("tomaste {pile} ({count} carta)", "tomaste {pile} ({count} cartas)", play.count).format(
                pile=pile.the, count=play.count
            )
        case PlayKind.MELDED:
            return _("bajaste {cards}").format(cards=cards)
        case PlayKind.ADDED:
            return _("agregaste {cards} a {number}").format(cards=cards, number=number)
        case PlayKind.MOVED_WILD:
            return _("moviste el comodín de {number}").format(number=number)
        case PlayKind.TOOK_MUERTO:
            return _("tomaste {muerto}").format(muerto=muerto.yours)
        case PlayKind.DISCARDED:
            return _("tiraste {cards}").format(cards=cards)
        case PlayKind.CLOSED:
            return _("cerraste")
        case PlayKind.THIRD_DECK:
            return _("entró el tercer mazo")
        case PlayKind.MUERTO_TO_STOCK:
            return _("{muerto} pasó al mazo").format(muerto=muerto.a)
