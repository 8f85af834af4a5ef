"""Places that close, vanish or lose people: the match goes on where it can, and comes back where it could not."""

import pytest

from adapters.telegram import updates
from adapters.telegram.limits import ADMIN_SECONDS
from bot.model import Pace, PlaceSettings, Status
from tests.privacy.test_privacy import kept_by
from tests.telegram.fake import BotApi, Group, Message, Person
from tests.telegram.room import QuickClock, Room, board, have_hands, until
from tests.telegram.test_playing import on_turn, play_turn, started

REFUSED = "Eso solo puede hacerlo quien modera aquí."


async def _in_a_topic(api: BotApi, room: Room, people: list[Person]) -> tuple[Group, int, str]:
    """A match in a topic of a forum."""
    for person in people:
        await person.starts()
    forum = api.group("Foro", *people, forum=True)
    topic = forum.topic("Buraco")
    await people[0].says(forum, "/buraco nueva 1v1", topic=topic)
    await until(lambda: board(forum))
    for person in people[1:]:
        await person.presses(board(forum), "Sentarme")
    await people[0].presses(board(forum), "Empezar")
    await until(lambda: board(forum).photo)
    await until(lambda: have_hands(*people))
    return forum, topic, (await room.app.tables_at("telegram", f"{forum.id}:{topic}"))[0]


def _about_ending(message: Message) -> bool:
    """Whether a message asks whether to end a table, or says who may."""
    return "Sí, terminarla" in message.labels or "modera" in (message.text or "")


async def _turns(room: Room, table_id: str, people: list[Person], count: int) -> None:
    for _ in range(count):
        await play_turn(room, table_id, await on_turn(room, table_id, people))


async def test_a_topic_that_is_closed_is_left_alone_and_shows_the_table_when_it_is_open_again(
    api: BotApi, room: Room
) -> None:
    people = [api.user("Ana"), api.user("Beto")]
    forum, topic, table_id = await _in_a_topic(api, room, people)
    forum.close_topic(topic)
    board(forum).deleted = True
    there = len(forum.messages)
    before = len(api.calls)
    await _turns(room, table_id, people, 3)
    await api.quiet()
    assert len(forum.messages) <= there, "neither there nor in another topic"
    assert len([call for call in api.calls[before:] if call.chat_id == forum.id]) < 40, "nothing is tried without end"
    version = (await room.app.record(table_id)).version
    forum.reopen_topic(topic)
    await until(lambda: board(forum).photo)
    assert board(forum).thread_id == topic
    assert (await room.app.record(table_id)).version == version, "shown without another move"


async def test_a_group_that_is_gone_ends_no_match(api: BotApi, room: Room) -> None:
    people = [api.user("Ana"), api.user("Beto")]
    group, table_id = await started(api, room, people, "1v1")
    await until(lambda: have_hands(*people))
    group.vanish()
    before = len(api.calls)
    await _turns(room, table_id, people, 4)
    await api.quiet()
    record = await room.app.record(table_id)
    assert record.table.status is Status.PLAYING
    calls = [call for call in api.calls[before:] if call.chat_id == group.id]
    # Each of some twenty changes is tried at most once with a picture and once without.
    assert len(calls) <= 60
    # Whoever wants to see it elsewhere says so there.
    await people[0].says(None, "/mesa")
    await until(lambda: any("Mazo:" in (m.text or m.caption or "") for m in people[0].inbox))


@pytest.mark.parametrize("kicked", [False, True], ids=["leaves", "is banned"])
async def test_whoever_is_no_more_in_the_group_keeps_the_seat_and_plays_in_private(
    api: BotApi, room: Room, kicked: bool
) -> None:
    people = [ana, beto] = [api.user("Ana"), api.user("Beto")]
    group, table_id = await started(api, room, people, "1v1")
    await until(lambda: have_hands(*people))
    group.leave(beto, kicked=kicked)
    seats = (await room.app.record(table_id)).table.chairs
    await _turns(room, table_id, people, 4)
    after = (await room.app.record(table_id)).table
    assert after.status is Status.PLAYING
    assert [chair.person for chair in after.chairs] == [chair.person for chair in seats]
    await until(
        lambda: f"Turno de {ana.name}" in (board(group).caption or "") or "Beto" in (board(group).caption or "")
    )


@pytest.mark.parametrize(
    "order",
    [
        "/buraco nueva 1v1",
        "/unirse",
        "/mano",
        "/mesa",
        "/terminar",
        "/ajustes",
        "/buraco bloquear",
        "/buraco bloqueados",
        "/mis_datos",
        "/borrar_mis_datos",
    ],
)
async def test_whoever_writes_as_a_group_gives_no_order(api: BotApi, room: Room, order: str) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    group.promote(ana)
    await api.quiet()
    tables, record = await room.app.tables_at("telegram", f"{group.id}"), await room.app.record(table_id)
    said = await beto.says(group, "hola")
    await ana.says(group, order, anonymous=True, reply_to=said)
    await until(lambda: "Escribes como grupo" in (group.last.text or ""))
    await api.quiet()
    assert await room.app.tables_at("telegram", f"{group.id}") == tables
    assert await room.app.record(table_id) == record
    assert not await room.app.blocking.is_blocked(f"telegram:{group.id}", await room.player(beto))
    assert await room.app.place_settings(f"telegram:{group.id}") == PlaceSettings()
    assert not any(message.document for message in ana.inbox)


async def test_a_channel_does_not_play(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    channel = api.channel("Noticias", ana)
    await ana.says(channel, "/buraco nueva 1v1")
    await api.quiet()
    assert await room.app.tables_at("telegram", f"{channel.id}") == ()
    assert not [message for message in channel.messages if message.mine]


async def test_orders_are_for_those_who_keep_order_and_only_as_long_as_they_do(api: BotApi, room: Room) -> None:
    """Each order by whoever made the group, administrators, one who was one, a player and one who only reads."""
    boss, admin, former, player, reader = [api.user(name) for name in ("Ana", "Beto", "Caro", "Dani", "Eva")]
    group, table_id = await started(api, room, [boss, player], "1v1")
    group.add(admin, former, reader)
    group.promote(admin)
    group.promote(former)
    for person in (admin, former, reader):
        await person.starts()
    said = await reader.says(group, "hola")
    clock = room.clock
    assert isinstance(clock, QuickClock)

    async def blocks(person: Person) -> bool:
        """Whether somebody may keep the reader out; if so, the reader is let in again."""
        there = len(person.inbox)
        await person.says(group, "/buraco bloquear", reply_to=said)
        await until(lambda: len(person.inbox) > there)
        told = person.inbox[-1].text or ""
        if "ya no puede sentarse" in told:
            await person.says(group, "/buraco desbloquear Eva")
            await until(lambda: "otra vez" in (person.inbox[-1].text or ""))
            return True
        assert REFUSED in told
        assert not await room.app.blocking.is_blocked(f"telegram:{group.id}", await room.player(reader))
        return False

    await boss.says(group, "/ajustes")
    await until(lambda: any("Cerrado" in message.labels for message in group.messages))
    settings = next(message for message in group.messages if "Cerrado" in message.labels)

    async def settles(person: Person) -> bool:
        return (await person.presses(settings, data=f"gp:{Pace.MAIL}")).text == "Guardado."

    async def may_end(person: Person) -> bool:
        there = len(group.messages)
        await person.says(group, "/terminar")
        await until(lambda: any(_about_ending(message) for message in group.messages[there:]))
        return any("Sí, terminarla" in message.labels for message in group.messages[there:])

    async def all_orders(person: Person) -> tuple[bool, bool, bool]:
        return await blocks(person), await settles(person), await may_end(person)

    for person, may in ((boss, True), (admin, True), (former, True), (player, False), (reader, False)):
        assert await all_orders(person) == (may,) * 3, person.name
    group.demote(former)
    clock.at += ADMIN_SECONDS + 1
    assert await all_orders(former) == (False,) * 3
    # Nobody is taken for an administrator because Telegram does not answer.
    clock.at += ADMIN_SECONDS + 1
    api.fail("getChatMember", 500, "Internal Server Error", times=3)
    assert await all_orders(admin) == (False,) * 3
    assert (await room.app.record(table_id)).table.status is Status.PLAYING


@pytest.mark.parametrize("gone", ["blocks the bot", "deletes the account"])
async def test_who_cannot_be_written_to_is_not_tried_without_end_and_holds_up_nobody(
    api: BotApi, room: Room, gone: str
) -> None:
    people = [api.user("Ana"), api.user("Beto")]
    group, table_id = await started(api, room, people, "1v1")
    await until(lambda: have_hands(*people))
    mover = await on_turn(room, table_id, people)
    away = next(person for person in people if person is not mover)
    if gone == "blocks the bot":
        away.blocks_bot()
    else:
        away.deletes_account()
    before = len(api.calls)
    await play_turn(room, table_id, mover)
    await until(lambda: f"⚠ {away.name}" in (board(group).caption or ""))
    await mover.says(group, "/mesa")
    await mover.says(group, "/mano")
    await api.quiet()
    tried = [call for call in api.calls[before:] if call.chat_id == away.id]
    assert len(tried) <= 3, [call.method for call in tried]
    # The seat stays bound to the account: the hand is there for whoever comes back with it.
    chair = next(chair for chair in (await room.app.record(table_id)).table.chairs if chair.name == away.name)
    assert chair.person == (await room.player(away)).id


async def test_somebody_who_renames_themselves_keeps_the_seat_and_is_called_so_from_then_on(
    api: BotApi, room: Room
) -> None:
    people = [api.user("Ana"), api.user("Beto")]
    beto = people[1]
    _, table_id = await started(api, room, people, "1v1")
    seat = (await room.app.record(table_id)).table.seat_of((await room.player(beto)).id)
    before = await room.player(beto)
    beto.name = "Roberto"
    await beto.says(None, "/mano")
    await api.quiet()
    after = await room.player(beto)
    assert (after.id, after.name) == (before.id, "Roberto")
    table = (await room.app.record(table_id)).table
    assert table.seat_of(after.id) == seat
    # At a table that is there already people go on under the name they sat down with.
    assert table.chairs[seat or 0].name == "Beto"
    await beto.says(None, "/buraco nueva 1v1")
    await until(lambda: any("Roberto" in (message.text or message.caption or "") for message in beto.inbox))


async def test_what_is_said_in_a_chat_is_kept_nowhere(api: BotApi, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [ana, beto] = [api.user("Ana"), api.user("Beto")]
    group, table_id = await started(api, room, people, "1v1")
    for chat in (group, None):
        await ana.says(chat, "hola xylofon")
        await ana.says(chat, "/reglas xylofon")
        await beto.says(chat, "/buraco nueva xylofon")
    await play_turn(room, table_id, await on_turn(room, table_id, people))
    await api.quiet()

    async def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("xylofon")

    with monkeypatch.context() as patched:
        patched.setattr(updates, "TRY_PAUSES", (0.0, 0.0))
        patched.setattr(room.app, "meet", fails)
        await ana.says(group, "/mesa xylofon")
        await until(lambda: "Algo falló" in (group.last.text or ""))
        await api.quiet()
    assert len(await room.store.letters()) == 1, "what failed is kept, but not what was said"
    assert b"xylofon" not in kept_by(room.store)
    assert b"Beto" in kept_by(room.store), "what is kept is really looked at"
