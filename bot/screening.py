"""Which screen a stored table has for whom."""

from functools import lru_cache
from typing import Final

import msgspec

from bot.model import Person, Status
from bot.presenter.cutting import cut_screen, cutting_hand_screen
from bot.presenter.hand import hand_screen
from bot.presenter.lobby import lobby_screen, note_screen
from bot.presenter.seated import seated
from bot.presenter.table import is_passing as table_passes
from bot.presenter.table import table_screen
from bot.presenter.votes import seat_rows
from bot.screens import Screen
from bot.store import Record
from bot.texts import Texts, texts
from engine.itself import Itself
from engine.views import seat_view

_RECENT: Final = 256
"""Hands whose screens are remembered."""


def public_screen(
    record: Record, viewer: str | None = None, *, shared: bool = False, late: bool = False, left: bool = False
) -> Screen:
    """What everybody sees of a table; in the lobby with the buttons that are ``viewer``'s, or with all of them.

    ``late`` says that a turn's time is almost over, ``left`` that nothing has happened in a lobby for long.
    """
    t = texts(record.table.locale)
    screen = _public(t, record, viewer, shared=shared, late=late, left=left)
    return msgspec.structs.replace(screen, locale=t.locale)


def _public(t: Texts, record: Record, viewer: str | None, *, shared: bool, late: bool, left: bool) -> Screen:
    table = record.table
    if record.match is not None and table.status in (Status.PLAYING, Status.OVER):
        screen = table_screen(seated(table, record.version, record.match), late=late)
    elif table.awaited_cut is not None:
        screen = cut_screen(t, table, record.version, table.awaited_cut, late=late)
    elif table.status is Status.LOBBY:
        return lobby_screen(t, table, record.version, viewer, shared=shared, left=left)
    else:
        return note_screen(t, table, record.version)
    if shared or viewer is None or table.seat_of(viewer) is not None:
        return screen
    # For one who only watches: everybody else has these behind the menu.
    return msgspec.structs.replace(screen, rows=(*screen.rows, *seat_rows(t, table, record.version)))


def is_passing(record: Record) -> bool:
    """Whether a table's public screen will soon be another one: see :attr:`bot.screens.Screen.passing`."""
    table, match = record.table, record.match
    if table.status is not Status.PLAYING or match is None or match.deal is None:
        return False
    return match.in_play and table_passes(table, match.deal.turn)


def private_screen(record: Record, person: Person) -> Screen | None:
    """A person's hand; None for somebody who holds none."""
    return _private(Itself(record, id(record)), person)


@lru_cache(maxsize=_RECENT)
def _private(key: Itself[Record], person: Person) -> Screen | None:
    # Whoever has pressed is answered with it, and asked within the same moment whether it looks different now.
    record = key.value
    table, match = record.table, record.match
    seat, cut = table.seat_of(person.id), table.awaited_cut
    if seat is None or (match is None and cut is None):
        return None
    hand = None
    if match is not None:
        hand = hand_screen(seated(table, record.version, match), seat_view(match, seat), person)
    if cut is None:
        return hand
    return cutting_hand_screen(texts(person.locale), table, record.version, cut, seat, hand)


def screen_of(record: Record, person: Person) -> Screen:
    """What a person should have before them: the hand, or else the table."""
    return private_screen(record, person) or public_screen(record, person.id)
