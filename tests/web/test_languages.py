"""The browser room speaks what the browser asks for, and each person's own choice before that."""

from html import escape

import aiohttp
import pytest

from bot.presenter.web import page_words
from bot.texts import languages, texts
from bot.tokens import NO_TABLE, Intent, Verb, write_token
from tests.web.conftest import Room

pytestmark = pytest.mark.skipif("pt_BR" not in languages(), reason="there is no such catalogue")


async def read(address: str, path: str, locale: str) -> str:
    """A page as a browser gets it that speaks a language."""
    async with (
        aiohttp.ClientSession(headers={"Accept-Language": locale}) as session,
        session.get(address.rstrip("/") + path) as answer,
    ):
        return await answer.text()


@pytest.mark.parametrize("locale", languages())
async def test_pages_speak_the_browser_s_language(room: Room, locale: str) -> None:
    words = page_words(texts(locale))
    page = await read(room.address, "/", locale.replace("_", "-"))
    assert f'lang="{words["lang"]}"' in page.replace("'", '"')
    assert escape(words["tagline"]) in page
    missing = await read(room.address, "/mesa/NADIE1", locale.replace("_", "-"))
    assert escape(words["not_found_title"]) in missing


async def test_rules_are_looked_up_in_the_browser_s_language(room: Room) -> None:
    async with aiohttp.ClientSession(headers={"Accept-Language": "pt-BR", "Sec-Fetch-Site": "same-origin"}) as session:
        address = f"{room.address.rstrip('/')}/api/libro?q=lixo"
        async with session.get(address) as answer:
            assert "Pegar o lixo" in await answer.text()


async def test_a_person_s_choice_comes_before_the_browser_s(room: Room) -> None:
    guest = await room.guest()
    code = await guest.open_table("Ana")
    record = await room.app.record(await room.app.find(code))
    person_id = record.table.people[0]
    key = next(key for key in await room.app.keys_of(person_id) if key.startswith("web:"))
    person = await room.app.person(key)
    assert person is not None
    assert person.locale == "es"
    await room.app.press(person, write_token(Intent(NO_TABLE, 0, Verb.SETTINGS, ("l", "ptbr"))), "x")
    assert page_words(texts("pt"))["tagline"] in (await guest.get("/")).text
