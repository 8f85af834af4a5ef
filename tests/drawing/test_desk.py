"""The desk before a place that draws for all: what is kept is not drawn again, and a failure is told."""

from collections.abc import Callable

import msgspec
import pytest

from bot.desk import PictureDesk, PictureFailed
from bot.drawing.base import Drawable, Drawing, Drawn, NotDrawn
from bot.pictures import CardsPicture, HandPicture, SheetForm, StillPicture, TablePicture
from tests.render import scenes
from tests.render.test_profile import full
from tests.render.test_sheet import sheet
from tests.web.test_pictures import screen


class Place(Drawing):
    """Takes down what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Drawable, SheetForm]] = []
        self.stopped = False
        self.error: Callable[[], Exception] | None = None

    async def draw(self, picture: Drawable, form: SheetForm = SheetForm.PNG) -> Drawn:
        """Something, or an error."""
        self.asked.append((picture, form))
        if self.error is not None:
            raise self.error()
        return Drawn(f"picture {len(self.asked)}".encode(), f"mark {len(self.asked)}")

    async def stop(self) -> None:
        """Stop."""
        self.stopped = True


async def test_a_kept_picture_is_found_before_anybody_is_asked() -> None:
    place = Place()
    one, other = PictureDesk(place), PictureDesk(place)
    first = await one.table(screen(2))
    assert (first.version, first.png, first.etag) == (2, b"picture 1", "mark 1")
    assert await one.table(screen(2)) == await one.table(screen(1)) == first
    assert len(place.asked) == 1
    await other.table(screen(2))
    await one.table(screen(3))
    assert len(place.asked) == 3


async def test_each_thing_to_draw_is_asked_for_as_what_it_is() -> None:
    place = Place()
    desk = PictureDesk(place)
    hand, cards, still = scenes.hand(3), CardsPicture("", (), ""), StillPicture(scenes.early())
    assert await desk.hand(hand) == b"picture 1"
    for read in (cards, still, full()):
        await desk.read(read)
    page = sheet("clasico")
    for form in SheetForm:
        await desk.sheet(page, form)
    png, pdf = SheetForm
    assert place.asked == [
        (hand, png), (cards, png), (still.table, png), (full(), png), (page, png), (page, pdf),
    ]  # fmt: skip
    assert isinstance(place.asked[0][0], HandPicture)


@pytest.mark.parametrize("error", [lambda: NotDrawn("too many wait"), lambda: RuntimeError("no paint")])
async def test_what_is_not_drawn_is_told_and_asked_for_again(error: Callable[[], Exception]) -> None:
    place = Place()
    place.error = error
    desk = PictureDesk(place)
    for ask in (desk.table(screen()), desk.hand(scenes.hand(1)), desk.read(full())):
        with pytest.raises(PictureFailed):
            await ask
    place.error = None
    assert (await desk.table(screen())).png == b"picture 4"


async def test_a_place_for_all_goes_on_when_a_desk_closes() -> None:
    place = Place()
    desk = PictureDesk(place)
    await desk.close()
    assert not place.stopped


async def test_a_screen_without_a_table_asks_nobody() -> None:
    place = Place()
    with pytest.raises(PictureFailed):
        await PictureDesk(place).table(msgspec.structs.replace(screen(), picture=scenes.hand(1)))
    assert place.asked == []
    assert isinstance(screen().picture, TablePicture)
