"""Deals again and one's own settings in the private chat: after a restart, from a group, and in silence."""

from tests.bot.rooms import play_deal
from tests.telegram.fake import BotApi, Message, Person
from tests.telegram.room import Room, board, hand_of, have_hands, until
from tests.telegram.test_commands import letter
from tests.telegram.test_playing import started


async def over(api: BotApi, room: Room, people: list[Person]) -> Message:
    """A group's message of a deal that is over."""
    group, table_id = await started(api, room, people, "1v1")
    await play_deal(room.app, table_id, [await room.player(person) for person in people])
    await until(lambda: "Repetición" in board(group).labels)
    await api.quiet()
    return board(group)


async def test_pages_turn_in_the_same_message_also_after_a_restart(api: BotApi) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    async with Room(api) as room:
        table = await over(api, room, [ana, beto])
        await ana.presses(table, "Repetición")
        shown = await letter(ana, "turno 0 de")
        await ana.presses(shown, "Siguiente")
        await until(lambda: "turno 1 de" in (shown.caption or ""))
        await api.quiet()
    messages = len(ana.inbox)
    async with Room(api, store=room.store):
        await ana.presses(shown, "Siguiente")
        await until(lambda: "turno 2 de" in (shown.caption or ""))
        await ana.presses(shown, "Ver las manos")
        await until(lambda: "Ver la mesa" in shown.labels)
        await api.quiet()
        assert len(ana.inbox) == messages
        assert shown.photo
        # From there to the deals of the match, in words and in a message of their own.
        await ana.presses(shown, "Rondas")
        index = await letter(ana, "Ronda 1: ")
        await until(lambda: shown.deleted)
        await ana.presses(index, "Ronda 1")
        await letter(ana, "turno 0 de")
        assert have_hands(ana, beto), "the hands are where they were"


async def test_whoever_cannot_be_written_to_comes_in_by_a_link(api: BotApi, room: Room) -> None:
    ana, beto, eva = api.user("Ana"), api.user("Beto"), api.user("Eva")
    table = await over(api, room, [ana, beto])
    pressed = await eva.presses(table, "Repetición")
    assert pressed.url
    await eva.opens(pressed.url)
    await letter(eva, "Ronda 1: ")


async def test_a_file_that_is_asked_for_comes_in_private(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    table = await over(api, room, [ana, beto])
    await ana.presses(table, "Repetición")
    shown = await letter(ana, "turno 0 de")
    await ana.presses(shown, "Descargar la ronda")
    await until(lambda: any(message.document for message in ana.inbox))
    assert not any(message.document for message in beto.inbox)


async def test_a_hand_comes_silently_for_those_who_want_no_notices(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    for person in (ana, beto):
        await person.starts()
        await person.says(None, "/ajustes")
        shown = await letter(person, "Tus ajustes")
        await person.presses(shown, "No avisar")
        await until(lambda shown=shown: "✓ No avisar" in shown.labels)  # type: ignore[misc]
    # In private chats alone, where nobody else tells of a turn.
    await ana.says(None, "/buraco nueva 1v1")
    await until(lambda: board(ana))
    table_id = await room.table(ana)
    code = (await room.app.record(table_id)).table.code
    await beto.says(None, f"/unirse {code}")
    await until(lambda: board(beto))
    await ana.presses(board(ana), "Empezar")
    await until(lambda: have_hands(ana, beto))
    await api.quiet()
    assert hand_of(ana).silent
    assert hand_of(beto).silent
