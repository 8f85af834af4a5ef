"""What was done, in words: the last move under the piles, and the list of plays."""

from collections.abc import Sequence

from bot.pictures import Line
from bot.presenter.words import muerto_noun, pile_noun, signs
from bot.texts import Texts
from engine.cards import Card
from engine.state import Play, PlayKind
from engine.views import PublicView

_Part = tuple[str | Card, ...]


def last_turn(view: PublicView) -> tuple[Play, ...]:
    """The plays worth telling: of the turn in progress, or of the one before while nothing has been done in it."""
    return view.plays or view.last_plays


def plays_line(t: Texts, view: PublicView, names: Sequence[str], plays: Sequence[Play]) -> Line:
    """Plays of one turn as one sentence: ``Luis robó, bajó Q♠ Q♥ Q♦ y tiró 9♦``."""
    _ = t.gettext
    if not plays:
        return (_("Se repartió. Empieza {name}.").format(name=names[view.starter]),)
    parts = [part for play in merged_plays(plays) if (part := _part(t, view, play))]
    line: list[str | Card] = [f"{names[plays[0].seat]} "]
    for i, part in enumerate(parts):
        if i:
            line.append(_(" y ") if i == len(parts) - 1 else ", ")
        line.extend(part)
    return _joined(line)


def merged_plays(plays: Sequence[Play]) -> list[Play]:
    """Adds to one meld, one after the other, told as one."""
    merged: list[Play] = []
    for play in plays:
        before = merged[-1] if merged else None
        if (
            before is not None
            and play.kind is PlayKind.ADDED
            and before.kind is PlayKind.ADDED
            and before.meld == play.meld
        ):
            merged[-1] = Play(play.seat, play.kind, before.cards + play.cards, play.meld)
        else:
            merged.append(play)
    return merged


def _joined(line: Sequence[str | Card]) -> Line:
    """Neighbouring texts as one."""
    joined: list[str | Card] = []
    for part in line:
        before = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(before, str):
            joined[-1] = before + part
        else:
            joined.append(part)
    return tuple(joined)


def meld_number(view: PublicView, play: Play) -> str:
    """The number of the meld of a play, as it is called: ``#4``."""
    side = view.seating.side_of(play.seat)
    numbers = view.numbers[side]
    return f"#{numbers[play.meld]}" if 0 <= play.meld < len(numbers) else "#"


def _part(t: Texts, view: PublicView, play: Play) -> _Part:
    _ = t.gettext
    muerto, pile = muerto_noun(t, view.rules), pile_noun(t, view.rules)
    match play.kind:
        case PlayKind.DREW:
            return (_("robó"),)
        case PlayKind.TOOK_PILE:
            many = t.ngettext("({count} carta)", "({count} cartas)", play.count).format(count=play.count)
            return (_("tomó {pile} {many}").format(pile=pile.the, many=many),)
        case PlayKind.MELDED:
            return (_("bajó "), *play.cards)
        case PlayKind.ADDED:
            return (_("agregó "), *play.cards, _(" a {number}").format(number=meld_number(view, play)))
        case PlayKind.MOVED_WILD:
            return (_("movió el comodín de {number}").format(number=meld_number(view, play)),)
        case PlayKind.TOOK_MUERTO:
            return (_("tomó {muerto}").format(muerto=muerto.a),)
        case PlayKind.DISCARDED:
            return (_("tiró "), *play.cards)
        case PlayKind.CLOSED:
            return (_("cerró"),)
        case PlayKind.THIRD_DECK:
            return (_("entró el tercer mazo"),)
        case PlayKind.MUERTO_TO_STOCK:
            return (_("{muerto} pasó al mazo").format(muerto=muerto.a),)


def undo_label(t: Texts, view: PublicView, play: Play) -> str:
    """What an undo takes back: ``Deshacer: agregar 7♥ a #4``."""
    _ = t.gettext
    cards = signs(t, play.cards)
    match play.kind:
        case PlayKind.MELDED:
            return _("Deshacer: bajar {cards}").format(cards=cards)
        case PlayKind.ADDED:
            return _("Deshacer: agregar {cards} a {number}").format(cards=cards, number=meld_number(view, play))
        case PlayKind.MOVED_WILD:
            return _("Deshacer: mover el comodín de {number}").format(number=meld_number(view, play))
        case PlayKind.TOOK_PILE:
            return _("Deshacer: tomar {pile}").format(pile=pile_noun(t, view.rules).the)
        case _:
            return _("Deshacer")
