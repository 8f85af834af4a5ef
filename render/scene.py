"""A table made ready to be drawn: the view, texts that can be printed, and what changed last."""

from typing import NamedTuple

from bot.pictures import SuitColours, TablePicture, TableTexts
from engine.views import PublicView
from render.moves import Changes, changes
from render.wording import printable_texts


class Scene(NamedTuple):
    """What the painters of a table share."""

    view: PublicView
    texts: TableTexts
    changed: Changes
    suits: SuitColours

    @property
    def actor_side(self) -> int | None:
        """The side that did the last thing; None where nothing was done yet."""
        actor = self.changed.actor
        return None if actor is None else self.view.seating.side_of(actor)


def scene_of(picture: TablePicture) -> Scene:
    """Make a picture ready."""
    view = picture.view
    return Scene(view, printable_texts(picture.texts, view.seating.seats), changes(view), picture.suits)
