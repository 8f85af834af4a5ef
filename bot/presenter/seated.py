"""What every screen of a table in play is made from."""

import msgspec

from bot.model import Table
from bot.texts import Texts, texts
from engine.state import Match
from engine.views import PublicView, public_view


class Seated(msgspec.Struct, frozen=True):
    """A table in play as the presenter sees it: its people, its public view and the version that this is."""

    table: Table
    version: int
    view: PublicView

    @property
    def names(self) -> tuple[str, ...]:
        """The name at each seat."""
        return tuple(chair.name for chair in self.table.chairs)

    def side_name(self, side: int) -> str:
        """The names of a side: ``Ana + Luis``."""
        return " + ".join(self.names[seat] for seat in self.table.seating.seats_of(side))

    def texts(self) -> Texts:
        """The texts of public screens: the table's language."""
        return texts(self.table.locale)


def seated(table: Table, version: int, match: Match) -> Seated:
    """The table with the public view of its match.

    Raises:
        ValueError: no deal has begun.
    """
    return Seated(table, version, public_view(match))
