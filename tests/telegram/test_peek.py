"""A look at the hand in the group: only where the server has messages for one reader, and never in the open."""

from typing import Any

import pytest
from telegram import Chat, Message, User

from adapters.telegram.api import Api, make_bot
from adapters.telegram.pacing import Pacer
from adapters.telegram.peek import Peek
from adapters.telegram.press import Press
from bot.desk import PictureDesk
from bot.model import Person
from bot.pictures import HandPicture
from bot.screens import Role, Screen
from tests.telegram.fake import BotApi
from tests.telegram.fake.server import TOKEN
from tests.telegram.room import FlatRenderer, QuickClock, Room, board, until
from tests.telegram.test_playing import started

PRESS = Press("q1", User(7, "Ana", False), Person("p", "Ana"), -5, None, 3, photo=True)
HAND = Screen(Role.HAND, "abc", 1, "Mesa", picture=HandPicture((), (), "Tu mano", "", "JKR"), alternative="7♥")


class Told:
    """What a bot was asked to send, and whether its server knows ephemeral messages."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, known: list[bool]) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.deleted: list[int] = []
        self.known = iter(known)
        bot = make_bot(TOKEN, None)
        for name in ("send_message", "send_photo"):
            monkeypatch.setattr(type(bot), name, self._sender(name))
        monkeypatch.setattr(type(bot), "delete_message", self._delete)
        monkeypatch.setattr(type(bot), "username", "buraco_bot")
        self.desk = PictureDesk(FlatRenderer())
        self.peek = Peek(Api(bot, Pacer(QuickClock())), self.desk, wanted=True)

    def _sender(self, name: str) -> Any:
        async def send(bot: object, *args: Any, **kwargs: Any) -> Message:
            self.sent.append((name, kwargs["api_kwargs"]))
            extra = {"ephemeral_message_id": 9} if next(self.known) else {}
            return Message(0 if extra else 44, None, Chat(-5, "group"), api_kwargs=extra)  # type: ignore[arg-type]

        return send

    async def _delete(self, chat_id: int, message: int) -> None:
        self.deleted.append(message)


@pytest.fixture
def wanted() -> dict[str, Any]:
    return {"ephemeral_message_parameters": {"receiver_user_id": 7, "callback_query_id": "q1"}}


async def test_a_hand_follows_a_harmless_message(monkeypatch: pytest.MonkeyPatch, wanted: dict[str, Any]) -> None:
    told = Told(monkeypatch, [True, True])
    assert await told.peek.show(PRESS, HAND)
    assert told.sent == [("send_message", wanted), ("send_photo", wanted)]
    await told.desk.close()


async def test_a_server_that_knows_no_such_messages_gets_no_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, [False])
    assert not await told.peek.show(PRESS, HAND)
    assert not await told.peek.show(PRESS, HAND)
    assert [name for name, _ in told.sent] == ["send_message"]
    assert told.deleted == [44]
    await told.desk.close()


async def test_a_hand_in_the_open_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, [True, False])
    assert not await told.peek.show(PRESS, HAND)
    assert told.deleted == [44]
    await told.desk.close()


async def test_without_it_the_private_chat_is_opened(api: BotApi, room: Room) -> None:
    ana, dani = api.user("Ana"), api.user("Dani")
    group, table_id = await started(api, room, [ana, dani], "1v1", unknown=(dani,))
    await until(lambda: board(group).photo)
    pressed = await dani.presses(board(group), "Mi mano")
    assert pressed.url == f"https://t.me/buraco_bot?start=h_{table_id}"
