"""The cut on the page: the seal for all, and figures under a finger."""

import re

from playwright.async_api import expect

from render import PillowRenderer
from tests.browser.conftest import PHONE, SMALL_PHONE, PageMaker
from tests.browser.player import Player
from tests.web.conftest import RoomMaker


async def test_figures_are_tapped_and_the_cards_come(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer())
    player = Player(await new_page(SMALL_PHONE), room.address)
    page = player.page
    code = await player.open_table("1v1")
    await page.get_by_role("button", name="Con corte").click()
    await expect(page.locator("#lobby")).to_contain_text("alguien corta el mazo")
    await page.get_by_role("button", name="Empezar").click()
    # Alone against a robot, the person cuts.
    await expect(page.locator("#hand.active")).to_contain_text("Te toca cortar")
    await expect(page.locator("#result")).to_contain_text("Sello del mazo")
    await expect(page.locator("#clock")).to_have_text(re.compile(r"[23]:\d\d"))
    await player.looks_right()
    watcher = await new_page(PHONE)
    await watcher.goto(f"{player.address}/mesa/{code}")
    await expect(watcher.locator("#result")).to_contain_text("Corta Ana")
    await expect(watcher.locator("#watching")).to_be_visible()
    await expect(watcher.locator("#hand")).to_be_hidden()
    await page.locator("#hand .ideas").get_by_role("button", name="3", exact=True).click()
    question = page.locator("#hand .question")
    await expect(question).to_contain_text("Tu corte: 3––")
    await player.looks_right()
    await question.get_by_role("button", name="7", exact=True).click()
    await expect(question).to_contain_text("Tu corte: 37–")
    await question.get_by_role("button", name="5", exact=True).click()
    await expect(page.locator("#hand .card")).to_have_count(11)
    await expect(page.locator("#picture")).to_be_visible()
    await expect(watcher.locator("#picture")).to_be_visible()
