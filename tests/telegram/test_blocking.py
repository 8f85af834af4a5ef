"""``/buraco bloquear``: administrators keep somebody from a group's tables; that is told in private chats."""

from tests.telegram.fake import BotApi, Group, Message
from tests.telegram.room import Room, board, until
from tests.telegram.test_commands import letter

KEPT_OUT = "No puedes sentarte a las mesas de este lugar."


def by_the_bot(group: Group) -> list[Message]:
    """What the bot has written in a group."""
    return [message for message in group.messages if message.mine]


async def test_who_is_blocked_neither_sits_down_nor_opens_and_is_told_alone(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group = api.group("Amigos", ana, beto)
    group.promote(ana)
    for person in (ana, beto):
        await person.starts()
    said = await beto.says(group, "hola")
    mine = await ana.says(group, "hola")
    await beto.says(group, "/buraco bloquear", reply_to=mine)
    await letter(beto, "Eso solo puede hacerlo quien modera aquí.")
    await ana.says(group, "/buraco bloquear")
    await letter(ana, "¿A quién?")
    await ana.says(group, "/buraco block", reply_to=said)
    await letter(ana, "Beto ya no puede sentarse a las mesas de aquí.")
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: board(group))
    await api.quiet()
    count = len(by_the_bot(group))
    pressed = await beto.presses(board(group), "Sentarme")
    assert KEPT_OUT in (pressed.text or "")
    await beto.says(group, "/unirse")
    await letter(beto, KEPT_OUT)
    await beto.says(group, "/buraco nueva 1v1")
    await letter(beto, "No puedes abrir mesas en este lugar.")
    await api.quiet()
    assert len(by_the_bot(group)) <= count
    await ana.says(group, "/buraco bloqueados")
    await letter(ana, "1. Beto")
    await ana.says(group, "/buraco desbloquear Beto")
    await letter(ana, "Beto puede sentarse otra vez")
    assert not await room.app.blocking.is_blocked(f"telegram:{group.id}", await room.player(beto))


async def test_who_cannot_be_written_to_reads_it_in_the_chat_that_a_button_opens(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group = api.group("Amigos", ana, beto)
    group.promote(ana)
    await ana.starts()
    said = await beto.says(group, "hola")
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: board(group))
    await ana.says(group, "/buraco bloquear", reply_to=said)
    await letter(ana, "Beto ya no puede")
    await beto.says(group, "/unirse")
    await until(lambda: [button for button in group.last.buttons if button.url])
    assert not any(KEPT_OUT in (message.text or "") for message in group.messages)
    link = next(button.url for button in group.last.buttons if button.url)
    assert link is not None
    await beto.opens(link)
    await letter(beto, KEPT_OUT)
