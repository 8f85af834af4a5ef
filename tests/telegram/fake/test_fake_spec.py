"""Requests that no correct bot makes are noted."""

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.telegram.fake import BotApi
from tests.telegram.fake.calls import Call
from tests.telegram.fake.spec import Spec


async def raw(server: BotApi, method: str, **params: Any) -> tuple[int, Any]:
    """Send a request as it is."""
    url = f"{server.base_url}{server.token}/{method}"
    async with aiohttp.ClientSession() as session, session.post(url, json=params) as answer:
        return answer.status, await answer.json()


async def test_unknown_methods_are_noted(server: BotApi) -> None:
    assert (await raw(server, "sendCards"))[0] == 404
    assert "sendCards: not simulated" in server.problems


@pytest.mark.skipif(not Spec().available, reason="no description of the Bot API here")
async def test_requests_that_break_the_description_are_noted(server: BotApi) -> None:
    ana = server.user("Ana")
    await ana.starts()

    async def problems(method: str = "sendMessage", **params: Any) -> list[str]:
        server.problems.clear()
        await raw(server, method, **params)
        return list(server.problems)

    good: dict[str, Any] = {"chat_id": ana.id, "text": "12"}
    assert await problems(**good) == []
    assert await problems(**good, reply_markup={"inline_keyboard": [[{"text": "a", "callback_data": "b"}]]}) == []
    assert await problems(**good, colour="red") == ["sendMessage.colour: unknown parameter"]
    assert await problems(chat_id=ana.id) == ["sendMessage.text: required"]
    assert await problems(**good, protect_content="perhaps") == [
        "sendMessage.protect_content: Boolean expected, not 'perhaps'"
    ]
    wrong = await problems(**good, reply_markup={"inline_keyboard": [[{"text": 5, "callback": "b"}]]})
    assert wrong == [
        "sendMessage.reply_markup.inline_keyboard[0][0].callback: unknown field of InlineKeyboardButton",
        "sendMessage.reply_markup.inline_keyboard[0][0].text: String expected, not 5",
    ]
    media = {"type": "photo", "media": "attach://picture"}
    assert await problems("editMessageMedia", chat_id=ana.id, message_id=1, media=media) == [
        "editMessageMedia.media.media: attach://picture refers to no file"
    ]
    assert await problems("setMyCommands", commands=[{"command": "x"}]) == [
        "setMyCommands.commands[0].description: required in BotCommand"
    ]


def test_without_a_description_nothing_is_checked(tmp_path: Path) -> None:
    spec = Spec(tmp_path / "none.json")
    assert not spec.available
    assert spec.check(Call("sendCards", {"colour": "red"})) == []
