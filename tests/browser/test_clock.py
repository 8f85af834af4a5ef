"""The turn's clock on the page."""

import re

from playwright.async_api import expect

from render import PillowRenderer
from tests.browser.conftest import PHONE, PageMaker
from tests.browser.player import Player
from tests.web.conftest import RoomMaker


async def test_a_table_with_a_pace_shows_how_long_the_turn_lasts(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer())
    player = Player(await new_page(PHONE), room.address)
    await player.page.goto(room.address)
    await player.page.get_by_label("Tu nombre").fill("Ana")
    await player.page.locator("input[name=seating][value='1v1']").check()
    await player.page.locator("input[name=pace][value='normal']").check()
    await player.looks_right()
    await player.page.get_by_role("button", name="Abrir mesa").click()
    await expect(player.page.locator("#lobby")).to_contain_text("Cada turno dura 3 minutos")
    await player.start()
    assert await player.my_turn()
    clock = player.page.locator("#clock")
    await expect(clock).to_have_text(re.compile(r"Al turno le quedan [23]:\d\d"))
    first = await clock.text_content()
    await expect(clock).not_to_have_text(first or "")
    await player.looks_right()


async def test_without_a_pace_there_is_no_clock(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer())
    player = Player(await new_page(PHONE), room.address)
    await player.open_table("1v1")
    await player.start()
    assert await player.my_turn()
    await expect(player.page.locator("#clock")).to_be_hidden()
