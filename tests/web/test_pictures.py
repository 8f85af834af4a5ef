"""Pictures of the table: once for each version, beside the loop, and never in the way."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest

from bot import rulesets
from bot.desk import PictureDesk, PictureFailed
from bot.model import Chair, Table
from bot.pictures import Renderer, TablePicture
from bot.presenter.seated import seated
from bot.presenter.table import table_screen
from bot.screens import Screen
from bot.shuffling import seeded_deal
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import new_match
from tests.web.conftest import FlatRenderer, RoomMaker, until
from tests.web.guest import Guest


def screen(version: int = 1, table_id: str = "t1") -> Screen:
    """A table's public screen."""
    rules, seating = rulesets.load("clasico"), Seating.ONE_ON_ONE
    match = new_match(rules, seating, 0)
    match = evolve_all(match, start_deal(match, seeded_deal(rules, seating, 1)))
    chairs = (Chair("Ana"), Chair("Eva"))
    table = Table(table_id, "CODE", "Mesa", None, rules, seating, chairs=chairs)
    return table_screen(seated(table, version, match))


class HeldRenderer(Renderer):
    """Draws when it is let."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.drawn = 0
        self.broken = False

    def table(self, picture: TablePicture) -> bytes:
        self.go.wait(5)
        self.drawn += 1
        if self.broken:
            raise RuntimeError("no paint")
        return f"picture {self.drawn}".encode()


@pytest.fixture
async def make_desk() -> AsyncIterator[Callable[..., PictureDesk]]:
    """Desks, closed in the end."""
    desks: list[PictureDesk] = []

    def make(renderer: Renderer, **options: float) -> PictureDesk:
        desks.append(PictureDesk(renderer, **options))  # type: ignore[arg-type]
        return desks[-1]

    yield make
    for desk in desks:
        await desk.close()


async def test_a_version_is_drawn_once_for_all(make_desk: Callable[..., PictureDesk]) -> None:
    renderer = FlatRenderer()
    desk = make_desk(renderer)
    drawn = await asyncio.gather(*(desk.table(screen()) for _ in range(20)))
    assert renderer.drawn == 1
    assert len({one.etag for one in drawn}) == 1
    await desk.table(screen())
    assert renderer.drawn == 1


async def test_the_newest_version_wins(make_desk: Callable[..., PictureDesk]) -> None:
    renderer = HeldRenderer()
    desk = make_desk(renderer)
    waiting = [asyncio.create_task(desk.table(screen(version))) for version in (1, 2, 2, 3, 3, 3)]
    await asyncio.sleep(0.05)
    renderer.go.set()
    drawn = await asyncio.gather(*waiting)
    assert [one.version >= version for one, version in zip(drawn, (1, 2, 2, 3, 3, 3), strict=True)] == [True] * 6
    assert renderer.drawn <= 3
    # Who asks for an older one afterwards gets the newest.
    assert (await desk.table(screen(1))).version == 3
    assert renderer.drawn <= 3


async def test_versions_that_follow_fast_are_all_answered(make_desk: Callable[..., PictureDesk]) -> None:
    desk = make_desk(FlatRenderer())

    async def ask(version: int) -> None:
        for _ in range(version % 7):
            await asyncio.sleep(0)
        assert (await desk.table(screen(version))).version >= version

    async with asyncio.timeout(20):
        for first in range(0, 200, 10):
            await asyncio.gather(*(ask(first + more) for more in range(10)))


async def test_a_slow_renderer_keeps_nobody_waiting_and_nothing_is_lost(make_desk: Callable[..., PictureDesk]) -> None:
    renderer = HeldRenderer()
    desk = make_desk(renderer, seconds=0.05)
    with pytest.raises(PictureFailed):
        await desk.table(screen())
    renderer.go.set()
    await until(lambda: renderer.drawn)
    await desk.table(screen())
    assert renderer.drawn == 1


async def test_a_failing_renderer_is_tried_again(make_desk: Callable[..., PictureDesk]) -> None:
    renderer = HeldRenderer()
    renderer.go.set()
    renderer.broken = True
    desk = make_desk(renderer)
    with pytest.raises(PictureFailed):
        await desk.table(screen())
    renderer.broken = False
    assert (await desk.table(screen())).png


async def test_pictures_are_bounded(make_desk: Callable[..., PictureDesk]) -> None:
    renderer = FlatRenderer()
    desk = make_desk(renderer, most=2)
    for name in ("a", "b", "c"):
        await desk.table(screen(1, name))
    await desk.table(screen(1, "c"))
    assert renderer.drawn == 3
    await desk.table(screen(1, "a"))
    assert renderer.drawn == 4


async def test_a_screen_without_a_picture_has_none(make_desk: Callable[..., PictureDesk]) -> None:
    with pytest.raises(PictureFailed):
        await make_desk(FlatRenderer()).table(msgspec.structs.replace(screen(), picture=None))


async def test_the_loop_goes_on_while_it_is_drawn(make_desk: Callable[..., PictureDesk]) -> None:
    renderer = HeldRenderer()
    desk = make_desk(renderer)
    task = asyncio.create_task(desk.table(screen()))
    for _ in range(10):
        await asyncio.sleep(0.001)
    assert not task.done()
    renderer.go.set()
    assert (await task).png


async def started(guest: Guest) -> str:
    """A table in play."""
    code = await guest.open_table()
    await guest.start(code)
    return code


async def test_the_room_serves_the_public_table(make_room: RoomMaker) -> None:
    room = await make_room()
    ana, watcher = await room.guest(), await room.guest()
    code = await ana.open_table()
    assert (await ana.get(f"/mesa/{code}/tabla.png")).status == 404
    await ana.start(code)
    for guest in (ana, watcher):
        picture = await guest.get(f"/mesa/{code}/tabla.png?v=5")
        assert picture.status == 200
        assert picture.headers["Content-Type"] == "image/png"
        assert picture.headers["Cache-Control"] == "no-cache"
        assert 'filename="tabla.png"' in picture.headers["Content-Disposition"]


async def test_a_picture_is_asked_after_not_sent_again(make_room: RoomMaker) -> None:
    room = await make_room()
    ana, eva = await room.guest(), await room.guest()
    code = await ana.open_table()
    await eva.join(code, "Eva")
    await ana.start(code)
    first = await ana.get(f"/mesa/{code}/tabla.png")
    again = await ana.get(f"/mesa/{code}/tabla.png", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304


async def test_without_a_picture_the_room_says_try_again_and_plays_on(make_room: RoomMaker) -> None:
    renderer = HeldRenderer()
    room = await make_room(renderer, picture_seconds=0.05)
    ana = await room.guest()
    code = await started(ana)
    failed = await ana.get(f"/mesa/{code}/tabla.png")
    assert failed.status == 503
    assert failed.headers["Retry-After"]
    assert (await ana.state(code))["public"]["words"]
    renderer.go.set()
