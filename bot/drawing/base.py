"""What a place is that draws pictures, and what both kinds of it share."""

import hashlib
from abc import ABC, abstractmethod
from typing import Final

import msgspec

from bot.pictures import (
    CardsPicture,
    HandPicture,
    ProfilePicture,
    Renderer,
    SheetForm,
    SheetPicture,
    TablePicture,
)

Drawable = TablePicture | HandPicture | CardsPicture | ProfilePicture | SheetPicture

KINDS: Final[dict[type[Drawable], str]] = {
    TablePicture: "table",
    HandPicture: "hand",
    CardsPicture: "cards",
    ProfilePicture: "profile",
    SheetPicture: "sheet",
}
"""What each kind is called, in figures and in logs."""
_MARK_LENGTH: Final = 32


class NotDrawn(Exception):
    """There is no picture, for no fault of its own: too many wait, or whoever drew it is gone."""


class Drawn(msgspec.Struct, frozen=True, array_like=True):
    """A picture's bytes, and a mark that equal bytes have in common."""

    data: bytes
    mark: str


def draw(renderer: Renderer, picture: Drawable, form: SheetForm = SheetForm.PNG) -> Drawn:
    """Draw a picture here and now; ``form`` is what a page to print is made as.

    Raises:
        Exception: whatever the renderer raises.
    """
    match picture:
        case TablePicture():
            data = renderer.table(picture)
        case HandPicture():
            data = renderer.hand(picture)
        case CardsPicture():
            data = renderer.cards(picture)
        case ProfilePicture():
            data = renderer.profile(picture)
        case _:
            data = renderer.sheet(picture, form)
    # Here and not in the event loop: a digest of a table's picture takes a while.
    return Drawn(data, hashlib.sha256(data).hexdigest()[:_MARK_LENGTH])


class Drawing(ABC):
    """A place that draws for whoever asks."""

    @abstractmethod
    async def draw(self, picture: Drawable, form: SheetForm = SheetForm.PNG) -> Drawn:
        """The picture. Whoever gives up waiting is cancelled, and what has not been begun is not drawn.

        Raises:
            NotDrawn: too many pictures wait, or the process that drew it died, twice.
            Exception: whatever the renderer raises.
        """

    @abstractmethod
    async def stop(self) -> None:
        """Draw nothing more. May be called twice."""

    @property
    def busy_seconds(self) -> float:
        """How long processes beside this one have drawn so far, each on average; 0 where there are none."""
        return 0.0


Draws = Renderer | Drawing
"""Whatever draws: a place that serves everybody, or a renderer, which each desk calls in threads of its own."""
