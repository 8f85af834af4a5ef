"""What visitors read of themselves, of the room and of deals that are over, in a browser."""

import pytest
from playwright.async_api import Page, ViewportSize, expect

from bot.records import read_record, verify
from render import PillowRenderer
from tests.browser.conftest import DESKTOP, PHONE, SMALL_PHONE, PageMaker, RoomMaker
from tests.browser.player import Player

SIZES = [PHONE, SMALL_PHONE, DESKTOP]
ALL_THERE = "img => img.complete && img.naturalWidth > 0"


async def looks(player: Player, page: Page) -> None:
    """The open dialog stays within the page, and its picture is there."""
    await player.looks_right()
    image = page.get_by_role("dialog").locator("img.drawn")
    if await image.count():
        assert await image.evaluate(ALL_THERE)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
async def test_the_first_page_leads_to_profile_matches_ranking_and_settings(
    make_room: RoomMaker, new_page: PageMaker, size: ViewportSize
) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(size), room.address)
    page = player.page
    await page.goto(room.address)
    await expect(page.locator(".tile").first).to_be_visible()
    await expect(page.locator("#me")).to_be_hidden()
    await player.open_table("1v1")
    await page.goto(room.address)
    me = page.locator("#me")
    await expect(me.get_by_role("button")).to_have_count(5)
    await player.looks_right()
    dialog = page.get_by_role("dialog")
    title = dialog.locator("h2")
    await me.get_by_role("button", name="Mi perfil").click()
    await expect(title).to_have_text("Perfil de Ana")
    await expect(dialog.locator("img.drawn")).to_have_attribute("alt", "Todavía no hay partidas terminadas.")
    await looks(player, page)
    await dialog.get_by_role("button", name="Ranking").click()
    await expect(title).to_contain_text("Ranking · temporada")
    await dialog.get_by_role("button", name="Todo el tiempo").click()
    await expect(title).to_have_text("Ranking · todo el tiempo")
    await looks(player, page)
    await dialog.get_by_role("button", name="Volver").click()
    await expect(dialog).to_be_hidden()
    await me.get_by_role("button", name="Mis partidas").click()
    await expect(title).to_have_text("Mis partidas")
    await page.keyboard.press("Escape")
    await me.get_by_role("button", name="Mis ajustes").click()
    await dialog.get_by_role("button", name="Por valor").click()
    await expect(dialog.get_by_role("button", name="✓ Por valor")).to_be_visible()
    await expect(dialog.locator(".toast")).to_have_text("Guardado.")
    await looks(player, page)
    await page.reload()
    await me.get_by_role("button", name="Mis ajustes").click()
    await expect(dialog.get_by_role("button", name="✓ Por valor")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: str(size["width"]))
async def test_a_deal_is_looked_at_again(make_room: RoomMaker, new_page: PageMaker, size: ViewportSize) -> None:
    room = await make_room(PillowRenderer(), pause=0)
    player = Player(await new_page(size), room.address)
    page = player.page
    code = await player.open_table("1v1")
    await player.start()
    await player.play_deal()
    await page.get_by_role("button", name="Repetición").click()
    dialog = page.get_by_role("dialog")
    title = dialog.locator("h2")
    await expect(title).to_contain_text("turno 0 de")
    await looks(player, page)
    first = await dialog.locator("img.drawn").get_attribute("src")
    await dialog.get_by_role("button", name="Siguiente").click()
    await expect(title).to_contain_text("turno 1 de")
    assert await dialog.locator("img.drawn").get_attribute("src") != first
    await expect(dialog.locator(".reading > p").first).to_contain_text("tiró")
    await looks(player, page)
    await dialog.get_by_role("button", name="Ver las manos").click()
    await expect(dialog.locator(".example")).to_have_count(2)
    await looks(player, page)
    await dialog.get_by_role("button", name="Ver la mesa").click()
    await dialog.get_by_role("button", name="Final").click()
    await expect(dialog.get_by_role("button", name="Siguiente")).to_have_attribute("aria-disabled", "true")
    async with page.expect_download() as started:
        await dialog.get_by_role("button", name="Descargar la ronda").click()
    download = await started.value
    assert download.suggested_filename == f"buraco-{code}-1.toml"
    verify(read_record((await download.path()).read_text(encoding="utf-8")))
    await dialog.get_by_role("button", name="Volver").click()
    await expect(page.get_by_role("button", name="Siguiente ronda")).to_be_visible()
