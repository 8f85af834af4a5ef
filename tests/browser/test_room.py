"""The room in a browser, played with the finger on a phone and with the mouse on a desk."""

import pytest
from playwright.async_api import ViewportSize, expect

from bot.pictures import Renderer, TablePicture
from render import PillowRenderer
from tests.browser.conftest import DESKTOP, PHONE, SMALL_PHONE, PageMaker
from tests.browser.player import Player
from tests.web.conftest import RoomMaker


@pytest.mark.parametrize(("size", "seating"), [(PHONE, "2v2"), (DESKTOP, "1v1")])
async def test_a_whole_deal(make_room: RoomMaker, new_page: PageMaker, size: ViewportSize, seating: str) -> None:
    room = await make_room(PillowRenderer(), robot="normal")
    player = Player(await new_page(size), room.address)
    await player.page.goto(room.address)
    await expect(player.page.locator(".tile").first).to_be_visible()
    await player.looks_right()
    await player.open_table(seating)
    await player.looks_right()
    await player.start()
    assert await player.my_turn()
    await player.looks_right()
    before = await player.hand()
    assert len(before) >= 11
    await player.page.reload()
    assert await player.my_turn()
    assert await player.hand() == before
    await player.play_deal()
    await player.looks_right()
    result = player.page.locator("#result")
    await expect(result.locator("h2")).not_to_be_empty()
    assert await result.locator("p").count() >= 2
    await result.get_by_role("button", name="Siguiente ronda").click()
    await expect(player.page.locator("#result.over")).to_have_count(0)
    assert await player.my_turn()
    assert len(await player.hand()) >= 11


async def test_a_plain_turn_takes_four_taps_at_most(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer(), robot="random", pause=0.05)
    player = Player(await new_page(), room.address)
    await player.open_table("1v1")
    await player.start()
    assert await player.my_turn()
    player.taps = 0
    assert await player.tap(".main-row .button.primary:not([aria-disabled])")
    await player.tap(".ideas .button.good:not([aria-disabled])")
    if not await player.tap(".question .button"):
        await player.discard()
        assert player.taps <= 4
    await player.looks_right()


async def test_two_people_in_two_browsers(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer())
    ana, eva = Player(await new_page(PHONE), room.address), Player(await new_page(DESKTOP), room.address)
    code = await ana.open_table("1v1", name="Ana <b>Ñandú</b>")
    watcher = Player(await new_page(SMALL_PHONE), room.address)
    for guest in (eva, watcher):
        await guest.page.goto(f"{room.address}mesa/{code}")
    await expect(watcher.page.get_by_label("Tu nombre")).to_be_visible()
    await watcher.looks_right()
    await eva.page.get_by_label("Tu nombre").fill("Eva")
    await eva.page.get_by_role("button", name="Sentarme").click()
    # The others hear of it without doing anything.
    await expect(ana.page.locator(".seats")).to_contain_text("Eva")
    await expect(watcher.page.get_by_role("button", name="Sentarme")).to_have_attribute("aria-disabled", "true")
    await ana.start()
    await expect(eva.page.locator("#hand .card")).to_have_count(11)
    await expect(watcher.page.locator("#picture")).to_be_visible()
    await expect(watcher.page.locator("#watching")).to_be_visible()
    await expect(watcher.page.locator("#hand")).to_be_hidden()
    await watcher.looks_right()
    assert await watcher.page.locator("b b").count() == 0
    mover, other = (ana, eva) if await ana.page.locator("#hand.active").count() else (eva, ana)
    version = await other.page.locator("#picture").get_attribute("src")
    assert await mover.tap(".main-row .button.primary:not([aria-disabled])")
    await expect(other.page.locator("#picture")).not_to_have_attribute("src", version or "")


async def test_buttons_that_are_off_say_why(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(), room.address)
    await player.open_table("1v1")
    await player.start()
    assert await player.my_turn()
    off = player.page.locator(".verbs .button[aria-disabled]").first
    why = await off.get_attribute("title")
    assert why
    await off.tap(force=True)
    await expect(player.page.locator("#toasts")).to_contain_text(why)


async def test_cards_are_picked_with_the_keyboard(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(DESKTOP), room.address)
    await player.open_table("1v1")
    await player.start()
    assert await player.my_turn()
    cards = player.page.locator("#hand .card")
    await cards.first.focus()
    await player.page.keyboard.press("Space")
    await player.page.keyboard.press("ArrowRight")
    await player.page.keyboard.press("Enter")
    assert await player.page.locator("#hand .card[aria-pressed=true]").count() == 2
    await expect(player.page.get_by_role("button", name="Soltar (2)")).to_be_visible()
    await player.page.keyboard.press("Escape")
    assert await player.page.locator("#hand .card[aria-pressed=true]").count() == 0


class BrokenRenderer(Renderer):
    """Fails until it is mended."""

    def __init__(self) -> None:
        self._inner = PillowRenderer()
        self.broken = True

    def table(self, picture: TablePicture) -> bytes:
        if self.broken:
            raise RuntimeError("no paint")
        return self._inner.table(picture)


async def test_without_a_picture_the_words_are_shown_and_it_is_tried_again(
    make_room: RoomMaker, new_page: PageMaker
) -> None:
    renderer = BrokenRenderer()
    room = await make_room(renderer, pause=0.05)
    player = Player(await new_page(complains=True), room.address)
    await player.open_table("1v1")
    await player.page.get_by_role("button", name="Empezar").click()
    await expect(player.page.locator("#failed-words")).to_contain_text("Mazo")
    await expect(player.page.locator("#hand .card")).to_have_count(11)
    await player.looks_right()
    retry = player.page.get_by_role("button", name="Reintentar")
    await expect(retry).to_be_visible()
    renderer.broken = False
    # The page tries again by itself too, and the button may be gone before a real finger gets there.
    await player.page.locator("#retry").dispatch_event("click")
    await expect(player.page.locator("#picture")).to_be_visible()
    await expect(player.page.locator("#failed")).to_be_hidden()


async def test_a_page_finds_its_way_back_after_an_outage(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(complains=True), room.address)
    await player.open_table("1v1")
    await player.start()
    assert await player.my_turn()
    await player.page.context.set_offline(True)
    await player.page.locator(".main-row .button.primary").first.click()
    await expect(player.page.locator("#toasts .bad")).to_be_visible()
    await player.page.context.set_offline(False)
    await player.page.reload()
    assert await player.my_turn()
    await player.move()


async def test_an_unknown_code_leads_home(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room()
    page = await new_page(complains=True)
    await page.goto(f"{room.address}mesa/NADIE1")
    await Player(page, room.address).looks_right()
    await page.get_by_role("link", name="Inicio").click()
    await expect(page.get_by_role("button", name="Abrir mesa")).to_be_visible()


async def test_a_code_or_a_whole_link_leads_to_the_table(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room()
    code = await Player(await new_page(), room.address).open_table()
    page = await new_page()
    for text in (code.lower(), f"{room.address}mesa/{code}"):
        await page.goto(room.address)
        await page.get_by_label("Código de la mesa").fill(text)
        await page.get_by_role("button", name="Entrar").click()
        await expect(page.locator(".seats")).to_be_visible()
        assert page.url.endswith(code)


@pytest.mark.parametrize("size", [SMALL_PHONE, DESKTOP])
async def test_the_rules_are_read_over_the_table(make_room: RoomMaker, new_page: PageMaker, size: ViewportSize) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(size), room.address)
    await player.open_table("1v1")
    await player.start()
    assert await player.my_turn()
    await player.page.get_by_role("button", name="Reglas").click()
    reading = player.page.get_by_role("dialog")
    await expect(reading.locator("h2")).not_to_be_empty()
    assert await reading.locator("p").count() > 10
    await player.looks_right()
    await reading.get_by_role("button", name="Volver").click()
    await expect(reading).to_be_hidden()
    await player.move()
