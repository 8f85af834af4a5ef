"""The last plays of a table as lines, gathered from its public screens: a convenience that a restart may forget."""

from collections import OrderedDict, deque

import msgspec

from adapters.web.limits import FEED_LINES, FEEDS_KEPT
from bot.pictures import TablePicture
from bot.presenter.alternative import line_in_words
from bot.presenter.plays import plays_line
from bot.screens import Screen
from bot.texts import Texts
from engine.state import Play

_Turn = tuple[int, int, tuple[Play, ...]]
"""What tells turns apart: the deal, the mover, and what was done in the turn before."""


class _Line(msgspec.Struct):
    turn: _Turn | None
    text: str


class _Feed:
    def __init__(self) -> None:
        self.version = -1
        self.lines: deque[_Line] = deque(maxlen=FEED_LINES)


class Feeds:
    """What was played lately at each table."""

    def __init__(self) -> None:
        self._feeds: OrderedDict[str, _Feed] = OrderedDict()

    def observe(self, t: Texts, screen: Screen) -> None:
        """Take in a public screen; older ones than the last are passed over."""
        if not isinstance(screen.picture, TablePicture):
            return
        feed = self._feeds.setdefault(screen.table_id, _Feed())
        self._feeds.move_to_end(screen.table_id)
        while len(self._feeds) > FEEDS_KEPT:
            self._feeds.popitem(last=False)
        if screen.version <= feed.version:
            return
        feed.version = screen.version
        _take_in(t, feed.lines, screen.picture)

    def lines(self, table_id: str) -> tuple[str, ...]:
        """The plays of a table, the newest first."""
        feed = self._feeds.get(table_id)
        return tuple(line.text for line in reversed(feed.lines)) if feed is not None else ()


def _take_in(t: Texts, lines: deque[_Line], picture: TablePicture) -> None:
    view = picture.view
    turn: _Turn = (view.number, view.mover, view.last_plays)
    last = lines[-1] if lines else None
    if last is None or last.turn != turn:
        # The turn before has ended meanwhile: its line gets its last word. A line whose end was missed goes.
        before = _told(t, picture, view.last_plays)
        if last is not None and last.turn is not None:
            lines.pop()
        if not lines or lines[-1].text != before:
            lines.append(_Line(None, before))
    elif lines:
        lines.pop()
    if view.plays:
        lines.append(_Line(turn, _told(t, picture, view.plays)))
    if view.ended is not None and (not lines or lines[-1].text != picture.texts.banner):
        lines.append(_Line(None, picture.texts.banner))


def _told(t: Texts, picture: TablePicture, plays: tuple[Play, ...]) -> str:
    return line_in_words(t, plays_line(t, picture.view, picture.texts.names, plays))
