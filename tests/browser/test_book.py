"""The rule book in a browser: looked up, read, practised and printed, on its page and over a table."""

import re

import pytest
from playwright.async_api import Page, ViewportSize, expect

from bot.presenter.web import page_words
from bot.texts import texts
from render import PillowRenderer
from tests.browser.conftest import DESKTOP, PHONE, SMALL_PHONE, PageMaker
from tests.browser.player import Player
from tests.web.conftest import RoomMaker

WORDS = page_words(texts())
NARROW: ViewportSize = {"width": 320, "height": 568}
SIZES = (NARROW, SMALL_PHONE, DESKTOP)


class Reader:
    """Reads the book on its page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.title = page.locator("#reading-title")
        self.body = page.locator("#reading-body")
        self.query = page.locator("#query")
        self.settled = page.locator("#reading[aria-busy=false]")

    async def open(self, search: str = "") -> None:
        await self.page.goto(f"{self.address}reglas{search}")
        await expect(self.settled).to_be_visible()
        await expect(self.page.locator("#ruleset option").first).to_be_attached()

    async def ask(self, text: str) -> None:
        """Type a question and send it."""
        await self.query.fill(text)
        await self.query.press("Enter")
        await expect(self.page).to_have_url(re.compile(r"[?&]q="))
        await expect(self.settled).to_be_visible()

    async def tap(self, label: str) -> None:
        await self.body.get_by_role("button", name=label, exact=True).click()


@pytest.fixture
async def reader(make_room: RoomMaker, new_page: PageMaker) -> Reader:
    """Somebody with a phone before the open book."""
    reader = Reader(await new_page(PHONE), (await make_room()).address)
    await reader.open()
    return reader


# the page


async def test_the_start_page_leads_to_the_book(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room()
    page = await new_page()
    await page.goto(room.address)
    await page.get_by_role("link", name=WORDS["book"]).click()
    await expect(page).to_have_title(re.compile(WORDS["book"]))
    await expect(page.locator("#reading-title")).to_have_text("Reglas")
    await page.get_by_role("link", name=WORDS["home"]).click()
    await expect(page.get_by_role("button", name="Abrir mesa")).to_be_visible()


async def test_what_is_typed_is_looked_up_while_typing(reader: Reader) -> None:
    requests: list[str] = []
    reader.page.on("request", lambda request: requests.append(request.url) if "/api/libro" in request.url else None)
    await reader.query.press_sequentially("muerto", delay=30)
    await expect(reader.title).to_contain_text("El muerto")
    # On a busy machine a letter may come late enough to be taken for a pause.
    assert 1 <= len(requests) < len("muerto"), "a request for a pause, not for a letter"
    await expect(reader.page).to_have_url(re.compile(r"\?q=muerto&reglas=clasico$"))
    await expect(reader.page.locator("#told")).to_contain_text("El muerto")
    await expect(reader.query).to_be_focused()
    assert await reader.body.locator("ul.points li").count() >= 2
    assert await reader.body.locator("h3").count() == 1
    assert "•" not in await reader.body.inner_text()


async def test_from_topic_to_topic_and_back(reader: Reader) -> None:
    await reader.ask("muerto")
    await expect(reader.title).to_be_focused()
    first = await reader.title.inner_text()
    following = await reader.body.locator(".topic").first.inner_text()
    await reader.tap(following)
    await expect(reader.title).to_have_text(following)
    await expect(reader.title).to_be_focused()
    assert await reader.page.title() == f"{following} · {WORDS['book']}"
    shared = reader.page.url
    await reader.page.go_back()
    await expect(reader.title).to_have_text(first)
    await expect(reader.query).to_have_value("muerto")
    await reader.page.go_back()
    await expect(reader.title).to_have_text("Reglas")
    await expect(reader.query).to_have_value("")
    await reader.page.go_forward()
    await expect(reader.title).to_have_text(first)
    other = Reader(await reader.page.context.new_page(), reader.address)
    await other.page.goto(shared)
    await expect(other.title).to_have_text(following)


async def test_letters_typed_on_leave_one_step_back(reader: Reader) -> None:
    await reader.ask("muerto")
    before = await reader.title.inner_text()
    for text in ("canasta li", "canasta limp", "canasta limpia"):
        await reader.query.fill(text)
        await expect(reader.page).to_have_url(re.compile(text.replace(" ", r"\+") + "&"))
    await reader.page.go_back()
    await expect(reader.title).to_have_text(before)


async def test_chapters_lead_to_their_topics_and_to_the_index(reader: Reader) -> None:
    await reader.tap("Los juegos")
    await expect(reader.title).to_contain_text("Los juegos")
    assert await reader.body.locator(".topic").count() > 3
    await reader.page.reload()
    await expect(reader.title).to_contain_text("Los juegos")
    await reader.tap("Índice")
    await expect(reader.title).to_have_text("Reglas")
    await reader.page.go_back()
    await expect(reader.title).to_contain_text("Los juegos")


async def test_the_rule_set_changes_what_is_read(reader: Reader) -> None:
    await reader.ask("muerto")
    select = reader.page.get_by_label(WORDS["book_rules"])
    others = await select.locator("option").all()
    value, name = await others[-1].get_attribute("value") or "", await others[-1].inner_text()
    title = await reader.title.inner_text()
    await select.select_option(value)
    await expect(reader.body).to_contain_text(f"Según {name}.")
    await expect(reader.title).to_have_text(title)
    await expect(reader.page).to_have_url(re.compile(f"reglas={value}$"))
    await reader.page.reload()
    await expect(select).to_have_value(value)
    await reader.page.go_back()
    await expect(select).to_have_value("clasico")
    await expect(reader.body).to_contain_text("Según Clásico.")
    await reader.page.get_by_role("link", name=WORDS["book"]).click()
    await reader.tap("Los juegos")
    await expect(reader.title).to_contain_text("Los juegos")
    await select.select_option(value)
    await expect(reader.body).to_contain_text(f"Según {name}.")
    await expect(reader.title).to_contain_text("Los juegos")


async def test_a_verdict_shows_cards_with_the_place_of_the_wild(reader: Reader) -> None:
    await reader.ask("vale 3♥ 4♥ 2♠")
    await expect(reader.title).to_contain_text("Vale")
    example = reader.body.locator(".example.good")
    assert await example.locator(".card").count() == 3
    assert await example.locator(".card.wild").count() == 1
    await expect(example.locator(".place")).to_have_text(re.compile(r"5$"))
    await expect(example.locator(".verdict")).to_have_text(WORDS["book_good"])
    await expect(example.get_by_role("img")).to_have_attribute("aria-label", "3♥ 4♥ 2♠ (5♥)")
    await reader.ask("vale 3♥ 9♣ J♦")
    await expect(reader.body.locator(".example.bad .verdict")).to_have_text(WORDS["book_bad"])
    rule = reader.body.locator(".button.primary")
    name = await rule.inner_text()
    await rule.click()
    await expect(reader.title).to_have_text(name)


async def test_an_exercise_is_answered(reader: Reader) -> None:
    await reader.tap("Ponte a prueba")
    await expect(reader.title).to_contain_text("Ponte a prueba")
    assert await reader.body.locator(".verdict").count() == 0
    await reader.tap("Vale")
    await expect(reader.title).to_have_text(re.compile("¡Bien!|Casi…"))
    await expect(reader.body.locator(".verdict")).to_be_visible()
    await reader.tap("Siguiente")
    await expect(reader.title).to_contain_text("2 de 12")
    await reader.page.go_back()
    await expect(reader.title).to_have_text(re.compile("¡Bien!|Casi…"))


async def test_the_page_to_print_is_linked_in_both_forms(reader: Reader) -> None:
    await reader.tap("Hoja para imprimir")
    for word, form in (("book_print_pdf", "pdf"), ("book_print_png", "png")):
        link = reader.body.get_by_role("link", name=WORDS[word])
        await expect(link).to_have_attribute("href", f"/reglas/hoja/clasico.{form}")


async def test_markup_stays_text(reader: Reader) -> None:
    for evil in ("<img/src=x/onerror=alert(1)>", "vale <img/src=x/onerror=alert(1)>", "<b>zzz</b>"):
        await reader.ask(evil)
        await expect(reader.query).to_have_value(evil)
        assert await reader.page.locator("#reading img, #told img, #reading b").count() == 0
    await expect(reader.body).to_contain_text("«<b>zzz</b>»")
    await reader.query.fill("vale <b>zzz</b>")
    await expect(reader.page.locator("#told")).to_contain_text("«<b>zzz")
    assert await reader.page.locator("#reading b, #told b").count() == 0


async def test_what_is_no_card_is_told_in_place(reader: Reader) -> None:
    await reader.ask("vale zz")
    await expect(reader.body).to_contain_text("«zz» no es una carta")
    await expect(reader.title).to_be_hidden()
    await expect(reader.page.locator("#toasts .toast")).to_have_count(0)


async def test_an_unknown_rule_set_in_a_link_can_be_mended(make_room: RoomMaker, new_page: PageMaker) -> None:
    reader = Reader(await new_page(complains=True), (await make_room()).address)
    await reader.open("?q=muerto&reglas=ninguna")
    await expect(reader.body.locator(".sentence")).not_to_be_empty()
    await reader.query.press("Enter")
    await expect(reader.title).to_contain_text("El muerto")
    await expect(reader.page).to_have_url(re.compile("reglas=clasico$"))


async def test_late_answers_do_not_overwrite_newer_ones(reader: Reader) -> None:
    async def slowly(route) -> None:  # type: ignore[no-untyped-def]
        await reader.page.wait_for_timeout(700)
        await route.continue_()

    await reader.page.route("**/api/libro?q=muerto*", slowly)
    await reader.query.fill("muerto")
    await reader.query.press("Enter")
    await reader.query.fill("comodines")
    await reader.query.press("Enter")
    await expect(reader.page).to_have_url(re.compile("comodines"))
    title = await reader.title.inner_text()
    await reader.page.wait_for_timeout(900)
    await expect(reader.title).to_have_text(title)
    await expect(reader.query).to_have_value("comodines")


async def test_the_book_waits_out_an_outage(make_room: RoomMaker, new_page: PageMaker) -> None:
    reader = Reader(await new_page(complains=True), (await make_room()).address)
    await reader.open()
    await reader.page.context.set_offline(True)
    await reader.tap("Los juegos")
    await expect(reader.page.locator("#toasts .bad")).to_have_text(WORDS["not_sent"])
    await expect(reader.settled).to_be_visible()
    await reader.query.fill("muerto")
    await expect(reader.page.locator("#offline")).to_be_visible()
    await reader.page.context.set_offline(False)
    await expect(reader.title).to_contain_text("El muerto")
    await expect(reader.page.locator("#offline")).to_be_hidden()


async def test_the_keyboard_is_enough(make_room: RoomMaker, new_page: PageMaker) -> None:
    reader = Reader(await new_page(DESKTOP), (await make_room()).address)
    await reader.open()
    keys = reader.page.keyboard
    for _ in range(3):
        await keys.press("Tab")
    await expect(reader.query).to_be_focused()
    await keys.type("muerto")
    await keys.press("Enter")
    await expect(reader.title).to_be_focused()
    following = reader.body.locator(".topic").first
    await keys.press("Tab")
    await expect(following).to_be_focused()
    name = await following.inner_text()
    await keys.press("Enter")
    await expect(reader.title).to_have_text(name)
    await expect(reader.title).to_be_focused()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
async def test_the_book_fits_every_screen(make_room: RoomMaker, new_page: PageMaker, size: ViewportSize) -> None:
    room = await make_room()
    player = Player(await new_page(size), room.address)
    reader = Reader(player.page, room.address)
    await player.page.goto(room.address)
    await expect(player.page.locator(".tile").first).to_be_visible()
    await player.looks_right()
    await reader.open()
    await player.looks_right()
    wide = "vale 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥ 2♠"
    for q in (
        "muerto",
        "limpia",
        wide,
        "vale JK 4♥ 5♥",
        "prueba",
        "hoja",
        "x" * 390,
        "puntos " + "7s 7h 7d; " * 5,
        "vale zz",
    ):
        await reader.ask(q)
        await player.looks_right()


# over a table


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
async def test_the_book_is_walked_through_over_a_table(
    make_room: RoomMaker, new_page: PageMaker, size: ViewportSize
) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(size), room.address)
    await player.open_table("1v1")
    await player.start()
    assert await player.my_turn()
    page = player.page
    await page.get_by_role("button", name="Reglas").click()
    dialog = page.get_by_role("dialog")
    title = dialog.locator("h2")
    await expect(title).to_contain_text("Reglas de la mesa")
    await expect(title).to_be_focused()
    assert await dialog.locator("p").count() > 10
    await player.looks_right()
    await dialog.get_by_role("button", name=WORDS["book_topics"]).click()
    await expect(title).to_have_text("Reglas")
    await player.looks_right()
    await dialog.get_by_role("button", name="Los juegos", exact=True).click()
    await expect(title).to_contain_text("Los juegos")
    topic = dialog.locator(".topic", has_text="Limpia o sucia").or_(dialog.locator(".topic")).first
    name = await topic.inner_text()
    await topic.click()
    await expect(title).to_have_text(name)
    await expect(title).to_be_focused()
    await player.looks_right()
    await dialog.get_by_role("button", name="Índice").click()
    await dialog.get_by_role("button", name="Ponte a prueba").click()
    await expect(dialog.locator(".example .card").first).to_be_visible()
    await dialog.get_by_role("button", name="No vale").click()
    await expect(dialog.locator(".verdict")).to_be_visible()
    await player.looks_right()
    await dialog.get_by_role("button", name="Volver").click()
    await expect(dialog).to_be_hidden()
    await player.move()


async def test_a_failure_is_told_within_the_dialog(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(complains=True), room.address)
    await player.open_table("1v1")
    await player.page.get_by_role("button", name="Reglas").click()
    dialog = player.page.get_by_role("dialog")
    await expect(dialog).to_be_visible()
    await player.page.context.set_offline(True)
    await dialog.get_by_role("button", name=WORDS["book_topics"]).click()
    note = dialog.locator(".toast")
    await expect(note).to_have_text(WORDS["not_sent"])
    await note.click()
    await expect(note).to_have_count(0)


async def test_whoever_has_no_name_yet_reads_the_rules(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer())
    code = await Player(await new_page(), room.address).open_table("1v1")
    page = await new_page()
    await page.goto(f"{room.address}mesa/{code}")
    await page.get_by_role("button", name="Reglas").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.locator("h2")).to_contain_text("Reglas de la mesa")
    assert await dialog.get_by_role("button", name=WORDS["book_topics"]).count() == 0
    await expect(dialog.get_by_role("link", name=WORDS["book_elsewhere"])).to_have_attribute("href", "/reglas")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
async def test_a_refusal_leads_to_its_rule(make_room: RoomMaker, new_page: PageMaker, size: ViewportSize) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(size), room.address)
    page = player.page
    await page.goto(room.address)
    await page.get_by_role("button", name=WORDS["lesson"]).click()
    assert await player.my_turn()
    assert await player.tap(".main-row .button.primary:not([aria-disabled])")
    # The guided deal is always the same: 6♠, 10♠ and 4♦ are no meld.
    for number, face in ((0, "6"), (4, "10"), (9, "4")):
        card = page.locator("#hand .card").nth(number)
        await expect(card).to_have_text(face)
        await card.click()
    await page.locator(".verbs .button", has_text="Bajar").click()
    why = page.locator("#toasts").get_by_role("button", name=WORDS["why"])
    await expect(why).to_be_visible()
    await player.looks_right()
    await why.click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.locator("h2")).to_contain_text("Escaleras")
    assert await dialog.locator(".example .card").count() >= 3
    await expect(page.locator("#toasts .toast")).to_have_count(0)
    await player.looks_right()
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    assert await page.locator("#hand .card[aria-pressed=true]").count() == 3, "what was picked stays picked"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
async def test_the_guided_deal_gives_hints(make_room: RoomMaker, new_page: PageMaker, size: ViewportSize) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    player = Player(await new_page(size), room.address)
    page = player.page
    await page.goto(f"{room.address}reglas")
    await page.get_by_role("button", name=WORDS["lesson"]).click()
    await page.wait_for_url("**/mesa/*")
    hint = page.locator("#hand .lesson")
    await expect(hint).to_contain_text("Primero, roba")
    await expect(hint).not_to_contain_text("🎓")
    await player.looks_right()
    assert await player.tap(".main-row .button.primary:not([aria-disabled])")
    await expect(hint).to_contain_text("Los botones verdes")
    await player.looks_right()
    # Other tables have none.
    await player.open_table("1v1")
    await player.start()
    await expect(hint).to_have_count(0)


async def test_the_start_page_begins_the_guided_deal_once(make_room: RoomMaker, new_page: PageMaker) -> None:
    room = await make_room(PillowRenderer(), pause=0.05)
    page = await new_page()
    await page.goto(room.address)
    await page.get_by_role("button", name=WORDS["lesson"]).dblclick()
    await expect(page.locator("#hand .lesson")).to_be_visible()
    await page.goto(room.address)
    await expect(page.locator("#own-list a")).to_have_count(1)
    await expect(page.get_by_role("button", name=WORDS["lesson"])).to_be_enabled()
