"""The table in words: the same facts as its picture, from the same view, for screen readers and slow links."""

from collections.abc import Sequence

from bot.presenter.plays import last_turn, plays_line
from bot.presenter.seated import Seated
from bot.presenter.words import card_name, face_sign, kind_name, meld_signs, muerto_noun, pile_noun
from bot.texts import Texts
from engine.cards import FACE
from engine.melds import Kind
from engine.scoring import table_worth
from engine.views import PublicView

LONGEST = 1024
"""What Discord and Telegram take as alternative text or caption."""


def table_in_words(t: Texts, place: Seated, banner: str, longest: int = LONGEST) -> str:
    """The public table as text of at most ``longest`` characters; what matters least is left out first."""
    view = place.view
    head = [banner, _round(t, view), _piles(t, view), _hands(t, place)]
    melds = [_melds(t, place, side) for side in range(view.seating.sides)]
    last = _last(t, place)
    for lines in ((*head, *melds, last), (*head, *melds), (*head, *_counts(t, place)), head):
        text = "\n".join(lines)
        if len(text) <= longest:
            return text
    return "\n".join(head)[: longest - 1] + "…"


def line_in_words(t: Texts, line: Sequence[object]) -> str:
    """A line with cards in it as text."""
    out: list[str] = []
    for before, part in zip(("", *line), line, strict=False):
        if isinstance(part, int):
            out.append((" " if isinstance(before, int) else "") + face_sign(t, FACE[part]))
        else:
            out.append(str(part))
    return "".join(out)


def _last(t: Texts, place: Seated) -> str:
    return line_in_words(t, plays_line(t, place.view, place.names, last_turn(place.view)))


def _piles(t: Texts, view: PublicView) -> str:
    _ = t.gettext
    muerto, pile = muerto_noun(t, view.rules), pile_noun(t, view.rules).one.capitalize()
    shown = _("{pile}: sin cartas.").format(pile=pile)
    if view.pile_top is not None:
        shown = _("{pile}: {count}, arriba {card}.").format(
            pile=pile, count=view.pile_count, card=card_name(t, view.pile_top)
        )
    free = len(view.muertos)
    left = t.ngettext("Queda {count} {one}.", "Quedan {count} {many}.", free)
    stock = _("Mazo: {stock}.").format(stock=view.stock_count)
    return " ".join((stock, shown, left.format(count=free, one=muerto.one, many=muerto.many)))


def _round(t: Texts, view: PublicView) -> str:
    _ = t.gettext
    if not view.rules.target:
        return _("Ronda {number}.").format(number=view.number + 1)
    return _("Ronda {number}, a {target} puntos.").format(number=view.number + 1, target=t.number(view.rules.target))


def _hands(t: Texts, place: Seated) -> str:
    held = [
        t.ngettext("{name} {count} carta", "{name} {count} cartas", hand.count).format(name=name, count=hand.count)
        for name, hand in zip(place.names, place.view.hands, strict=True)
    ]
    return "; ".join(held) + "."


def _side_head(t: Texts, place: Seated, side: int) -> str:
    _ = t.gettext
    view = place.view
    return _("{side}: {total} puntos, en la mesa {table}.").format(
        side=place.side_name(side),
        total=t.number(view.totals[side]),
        table=t.number(table_worth(view.rules, view.melds[side])),
    )


def _melds(t: Texts, place: Seated, side: int) -> str:
    view = place.view
    told = []
    for number, meld, kind in zip(view.numbers[side], view.melds[side], view.kinds[side], strict=True):
        name = f" ({kind_name(t, view.rules, kind)})" if kind is not Kind.MELD else ""
        told.append(f"#{number} {meld_signs(t, meld)}{name}")
    return " ".join([_side_head(t, place, side), "; ".join(told)]).strip()


def _counts(t: Texts, place: Seated) -> list[str]:
    return [
        _side_head(t, place, side)
        + " "
        + t.ngettext("{count} juego.", "{count} juegos.", len(place.view.melds[side])).format(
            count=len(place.view.melds[side])
        )
        for side in range(place.view.seating.sides)
    ]
