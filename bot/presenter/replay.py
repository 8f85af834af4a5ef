"""A deal again, turn by turn: what was done, the table after it, and everybody's cards."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from bot.hands import HandOrder, in_groups
from bot.model import Person, Status, Table
from bot.pictures import CardRow, CardsPicture, ReadPicture, StillPicture, SuitColours
from bot.presenter.alternative import line_in_words, table_in_words
from bot.presenter.buttons import choice
from bot.presenter.plays import plays_line
from bot.presenter.seated import Seated, seated
from bot.presenter.table import banner, table_picture
from bot.presenter.words import signs
from bot.replays import EndedDeal, Moment
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb, base36
from engine.cards import Card

_MOST_DEALS_SHOWN: Final = 20


class Look(StrEnum):
    """What the picture shows."""

    TABLE = "t"
    HANDS = "h"


def replay_index_screen(t: Texts, table: Table, deals: Sequence[EndedDeal]) -> Screen:
    """The deals of a match that are over, with a way into each."""
    _ = t.gettext
    shown = deals[-_MOST_DEALS_SHOWN:]
    lines = tuple(_deal_line(t, table, deal) for deal in shown)
    buttons = [
        choice(_("Ronda {number}").format(number=deal.number + 1), table.id, 0, Verb.REPLAY, base36(deal.number))
        for deal in shown
    ]
    rows = [tuple(buttons[at : at + 4]) for at in range(0, len(buttons), 4)]
    if table.status is Status.OVER:
        rows.append((choice(_("Descargar la partida"), table.id, 0, Verb.RECORD),))
    return _reading(table, _("Repetición · {table}").format(table=table.name), lines, rows)


def _deal_line(t: Texts, table: Table, deal: EndedDeal) -> str:
    _ = t.gettext
    names = tuple(chair.name for chair in table.chairs)
    sides = [
        _("{side} {points}, en total {total}").format(
            side=" + ".join(names[seat] for seat in table.seating.seats_of(side)),
            points=t.signed(score.total),
            total=t.number(deal.totals[side]),
        )
        for side, score in enumerate(deal.scores)
    ]
    return _("Ronda {number}: {sides}.").format(number=deal.number + 1, sides="; ".join(sides))


def replay_screen(
    t: Texts, table: Table, person: Person, moments: Sequence[Moment], number: int, turn: int, look: Look
) -> Screen:
    """The deal ``number`` after a turn; 0 is the table as it was dealt, the last one how the deal ended.

    The picture is the table's or that of all hands; the text tells the turn and all hands in either case.
    """
    _ = t.gettext
    moment = moments[turn]
    place = seated(table, 0, moment.match)
    suits = SuitColours(person.suit_colours)
    told = line_in_words(t, plays_line(t, place.view, place.names, moment.plays))
    hands = [in_order(hand) for hand in moment.hands]
    lines = [told, *(_hand_line(t, name, hand) for name, hand in zip(place.names, hands, strict=True))]
    last = len(moments) - 1
    title = _("Ronda {number} · turno {turn} de {last}").format(number=number + 1, turn=turn, last=last)
    picture: ReadPicture = _table_at(t, place, moment, title, suits)
    if look is Look.HANDS:
        rows = tuple(
            CardRow(hand, _("{name} · {count}").format(name=name, count=len(hand)))
            for name, hand in zip(place.names, hands, strict=True)
        )
        picture = CardsPicture(told, rows, _("JKR"), suits)
    ended = place.view.ended is not None
    headline = banner(t, place) if ended else told
    screen = _reading(table, title, lines, _rows(t, table, number, turn, last, look))
    return msgspec.structs.replace(
        screen,
        picture=picture,
        alternative=table_in_words(t, place, headline) if look is Look.TABLE else "\n".join(lines),
        again=choice("", table.id, 0, Verb.REPLAY, base36(number), base36(turn), look).token,
    )


def in_order(hand: Sequence[Card]) -> tuple[Card, ...]:
    """A hand by suits."""
    return tuple(card for heap in in_groups(tuple(hand), HandOrder.SUIT) for card in heap)


def _hand_line(t: Texts, name: str, hand: tuple[Card, ...]) -> str:
    _ = t.gettext
    if not hand:
        return _("{name}: sin cartas").format(name=name)
    return f"{name}: {signs(t, hand)}"


def _table_at(t: Texts, place: Seated, moment: Moment, title: str, suits: SuitColours) -> StillPicture:
    """The table after a turn, with that turn as the last move."""
    picture = table_picture(t, place, suits)
    ended = place.view.ended is not None
    texts = msgspec.structs.replace(
        picture.texts,
        banner=banner(t, place) if ended else title,
        last=plays_line(t, place.view, place.names, moment.plays),
    )
    return StillPicture(msgspec.structs.replace(picture, texts=texts))


def _rows(t: Texts, table: Table, number: int, turn: int, last: int, look: Look) -> list[tuple[Choice, ...]]:
    _ = t.gettext

    def to(label: str, wanted: int, which: str, *, why: str = "", style: Style = Style.PLAIN) -> Choice:
        # The last argument tells buttons apart that lead to the same turn.
        arguments = (base36(number), base36(wanted), look, which)
        return choice(label, table.id, 0, Verb.REPLAY, *arguments, why=why, style=style)

    first_why = "" if turn else _("Aquí empieza la ronda.")
    last_why = "" if turn < last else _("Aquí termina la ronda.")
    other, label = (Look.HANDS, _("Ver las manos")) if look is Look.TABLE else (Look.TABLE, _("Ver la mesa"))
    return [
        (
            to(_("‹ Anterior"), max(turn - 1, 0), "p", why=first_why),
            to(_("Siguiente ›"), min(turn + 1, last), "n", why=last_why, style=Style.PRIMARY),
        ),
        (to(_("« Inicio"), 0, "f", why=first_why), to(_("Final »"), last, "l", why=last_why)),
        (
            choice(label, table.id, 0, Verb.REPLAY, base36(number), base36(turn), other),
            choice(_("Rondas"), table.id, 0, Verb.REPLAY),
        ),
        (choice(_("Descargar la ronda"), table.id, 0, Verb.RECORD, base36(number)),),
    ]


def no_replay_text(t: Texts) -> str:
    """There is nothing to replay."""
    return t.gettext("Las jugadas de esa partida ya no se guardan.")


def replay_hidden_text(t: Texts) -> str:
    """A deal is asked for that goes on."""
    return t.gettext("Esa ronda todavía se juega: la repetición se ve cuando termina.")


def match_going_on_text(t: Texts) -> str:
    """The file of a match is asked for that goes on."""
    return t.gettext(
        "La partida todavía se juega: su archivo está cuando termina. Las rondas terminadas ya tienen uno."
    )


def record_text(t: Texts) -> str:
    """What the file is that is sent."""
    return t.gettext(
        "Aquí tienes las cartas y las jugadas, con el orden del mazo. Se comprueba con «buraco verify» y se mira con "
        "«buraco replay»."
    )


def _reading(table: Table, title: str, lines: Sequence[str], rows: Sequence[tuple[Choice, ...]]) -> Screen:
    return Screen(
        role=Role.READING,
        table_id=table.id,
        version=0,
        title=title,
        lines=tuple(lines),
        alternative="\n".join(lines),
        rows=tuple(rows),
    )
