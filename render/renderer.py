"""The renderer: pictures as values in, PNG bytes out."""

from bot.pictures import (
    CardsPicture,
    HandPicture,
    ProfilePicture,
    Renderer,
    SheetForm,
    SheetPicture,
    TablePicture,
)
from render.cards import CardPainter
from render.encode import encode_png
from render.hand import HandPainter
from render.profile import ProfilePainter
from render.rows import RowsPainter
from render.shades import Shades
from render.sheet import SheetPainter
from render.table import TablePainter
from render.theme import Theme, load_theme


class PillowRenderer(Renderer):
    """Draws with Pillow. Equal pictures give equal bytes, in any thread and in any process.

    Pictures are opaque palette PNGs, 1080 pixels wide and at most 1280 high; very many rows of cards may be higher.
    Sprites are kept in bounded caches that all threads share; one instance serves the whole application.
    """

    def __init__(self, theme: Theme | None = None) -> None:
        """Use a theme, by default the one that :func:`render.theme.load_theme` reads.

        Raises:
            ValueError: the theme has more colours than a palette holds.
        """
        theme = theme or load_theme()
        shades = Shades(theme)
        cards = CardPainter(theme, shades)
        self._colours = shades.colours
        self._table = TablePainter(theme, cards)
        self._hand = HandPainter(theme, cards)
        self._rows = RowsPainter(theme, cards)
        self._profile = ProfilePainter(theme, cards)
        self._sheet = SheetPainter(theme)

    def table(self, picture: TablePicture) -> bytes:
        """The PNG of a table.

        Raises:
            FontsMissingError: the font package is not installed.
        """
        return encode_png(self._table.draw(picture), self._colours)

    def hand(self, picture: HandPicture) -> bytes:
        """The PNG of a hand. It shows the cards of one seat and must reach nobody else.

        Raises:
            FontsMissingError: the font package is not installed.
        """
        return encode_png(self._hand.draw(picture), self._colours)

    def cards(self, picture: CardsPicture) -> bytes:
        """The PNG of rows of cards, as high as they need.

        Raises:
            FontsMissingError: the font package is not installed.
        """
        return encode_png(self._rows.draw(picture), self._colours)

    def profile(self, picture: ProfilePicture) -> bytes:
        """The PNG of a profile, as high as it needs.

        Raises:
            FontsMissingError: the font package is not installed.
        """
        return encode_png(self._profile.draw(picture), self._colours)

    def sheet(self, picture: SheetPicture, form: SheetForm) -> bytes:
        """One A4 page to print: a PNG with 150 dots an inch, or a PDF with 300.

        Raises:
            FontsMissingError: the font package is not installed.
            SheetTooLong: it does not fit one page even in the smallest text.
        """
        return self._sheet.make(picture, form)
