"""What is kept of somebody: in the private chat alone, and forgotten after a question."""

from tests.telegram.fake import BotApi
from tests.telegram.room import Room, board, until
from tests.telegram.test_commands import letter


async def test_everything_comes_as_a_file_in_the_private_chat(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group = api.group("Amigos", ana)
    await ana.starts()
    await ana.says(group, "/mis_datos")
    await until(lambda: any(message.document for message in ana.inbox))
    await until(lambda: any("chat privado" in (message.text or "") for message in group.messages))
    assert not any(message.document for message in group.messages)


async def test_one_is_forgotten_after_a_question(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    await ana.says(None, "/buraco nueva 1v1")
    await until(lambda: board(ana))
    await ana.says(None, "/borrar_mis_datos")
    asked = await letter(ana, "No se puede deshacer")
    await ana.presses(asked, "Sí, borrar mis datos")
    await letter(ana, "ya no guarda nada de ti")
    assert await room.app.person(f"telegram:{ana.id}") is None
