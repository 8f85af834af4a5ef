"""A Telegram Bot API on this machine, with people in it, for tests without the network.

    async with BotApi() as server:
        ana, beto = server.user("Ana", language="es"), server.user("Beto")
        group = server.group("Amigos", ana, beto)
        ...  # start the bot with server.token, server.base_url and server.base_file_url
        await ana.starts("j_42")
        await ana.says(group, "/buraco@buraco_bot new 2v2")
        await server.quiet()
        pressed = await beto.presses(group.last, "Unirse")
        assert pressed.text == "Hola" and group.last.edited == 1
        assert ana.inbox[-1].photo and server.problems == []

Under errors for warnings set PTB_TIMEDELTA=true: without it `RetryAfter` of python-telegram-bot 22 warns.
"""

from tests.telegram.fake.people import InlineAnswer, Person, Pressed
from tests.telegram.fake.rooms import Group
from tests.telegram.fake.server import BotApi
from tests.telegram.fake.state import Button, Message

__all__ = ["BotApi", "Button", "Group", "InlineAnswer", "Message", "Person", "Pressed"]
