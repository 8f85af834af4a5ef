"""What is typed in groups and in private, links that start the bot, settings, inline mode, and the list of commands."""

from adapters.telegram.people import spoken
from bot.presenter.telegram import COMMANDS
from tests.telegram.fake import BotApi, Message, Person
from tests.telegram.room import CODE, Room, board, hand_of, hands_of, have_hands, until
from tests.telegram.test_playing import started


async def letter(person: Person, part: str) -> Message:
    """The message in somebody's private chat that says something, under a picture or alone."""

    def says(message: Message) -> bool:
        return part in (message.text or message.caption or "")

    await until(lambda: [message for message in person.inbox if says(message)])
    return next(message for message in reversed(person.inbox) if says(message))


async def test_commands_are_set_by_scope_and_language(api: BotApi, room: Room) -> None:
    await until(lambda: ("short_description", "es") in api.settings.texts)
    assert set(spoken()) >= {"es"}
    lists = {key: [command["command"] for command in told] for key, told in api.settings.commands.items()}
    for language in ("", "es"):
        group = lists['{"type": "all_group_chats"}', language]
        assert "terminar" not in group
        assert set(COMMANDS) == set(lists['{"type": "all_chat_administrators"}', language])
        assert set(COMMANDS) == set(lists['{"type": "all_private_chats"}', language])


async def test_commands_are_set_once(api: BotApi, room: Room) -> None:
    await until(lambda: ("short_description", "es") in api.settings.texts)
    await api.quiet()
    count = len(api.called("setMyCommands"))
    async with Room(api, store=room.store):
        await api.quiet()
    assert len(api.called("setMyCommands")) == count


async def test_what_cannot_be_opened_says_why(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group = api.group("Amigos", ana)
    await ana.says(group, "/buraco nueva 2v2 cerado")
    await until(lambda: "¿Quisiste decir «cerrado»?" in (group.last.text or ""))
    for _ in range(4):
        await ana.says(group, "/buraco nueva 1v1")
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: [m for m in group.messages if "4 mesas" in (m.text or "")])
    await api.quiet()
    count = len(group.messages)
    await ana.says(group, "/otracosa")
    await ana.says(group, "hola")
    await api.quiet()
    assert len(group.messages) == count


async def test_joining_by_code_from_another_private_chat(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    for person in (ana, beto):
        await person.starts()
    await ana.says(None, "/buraco nueva 1v1")
    await until(lambda: board(ana))
    found = CODE.search(board(ana).text or "")
    assert found is not None
    await beto.says(None, f"/unirse {found[1]}")
    await until(lambda: board(beto))
    await beto.says(None, "/unirse NADA22")
    await until(lambda: "No encuentro esa mesa" in (beto.inbox[-1].text or ""))
    await ana.presses(board(ana), "Empezar")
    await until(lambda: have_hands(ana, beto))
    table_id = await room.table(ana)
    mover = await room.mover(table_id, [ana, beto])
    assert mover is not None
    await until(lambda: not hand_of(mover).silent)
    await mover.says(None, "/mistandas")
    listed = await letter(mover, "te toca")
    before = hand_of(mover).message_id
    await mover.presses(listed, listed.labels[0])
    await until(lambda: listed.deleted and hand_of(mover).message_id > before)
    await until(lambda: len(hands_of(mover)) == 1)


async def test_several_matches_at_once_are_told_apart(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await started(api, room, [ana], "1v1")
    await started(api, room, [ana], "2v2")
    await until(lambda: len(hands_of(ana)) == 2)
    codes = {(hand.caption or "").split(" · ")[1] for hand in hands_of(ana)}
    assert len(codes) == 2
    await ana.says(None, "/mano")
    asked = await letter(ana, "¿Cuál")
    assert len(asked.buttons) == 3
    await ana.presses(asked, asked.labels[1])
    await until(lambda: asked.deleted)
    await ana.says(None, "/mesa")
    asked = await letter(ana, "¿Cuál")
    await ana.presses(asked, asked.labels[0])
    await until(lambda: any("Mazo" in (message.caption or "") for message in ana.inbox))


async def test_leaving_asks_first(api: BotApi, room: Room) -> None:
    ana, beto, eva = api.user("Ana"), api.user("Beto"), api.user("Eva")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    group.add(eva)
    await eva.says(group, "/salir")
    await until(lambda: any("No estás en ninguna mesa" in (m.text or "") for m in group.messages))
    await beto.says(group, "/salir")
    await until(lambda: [m for m in group.messages if "Sí, irme" in m.labels])
    asked = next(m for m in group.messages if "Sí, irme" in m.labels)
    assert "Volver" not in asked.labels
    assert (await ana.presses(asked, "Cerrar")).answered
    await until(lambda: asked.deleted)
    await beto.says(group, "/salir")
    await until(lambda: [m for m in group.messages if "Sí, irme" in m.labels])
    asked = next(m for m in group.messages if "Sí, irme" in m.labels)
    pressed = await beto.presses(asked, "Sí, irme")
    assert pressed.text == "Dejaste la mesa."
    await until(lambda: asked.deleted)
    assert (await room.player(beto)).id not in (await room.app.record(table_id)).table.people
    shown = board(group)
    await ana.presses(shown, data="x")
    await api.quiet()
    assert not shown.deleted


async def test_only_those_who_keep_order_end_a_table(api: BotApi, room: Room) -> None:
    ana, beto, eva = api.user("Ana"), api.user("Beto"), api.user("Eva")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    group.add(eva)
    await beto.says(group, "/terminar")
    await until(lambda: any("modera" in (m.text or "") for m in group.messages))
    group.promote(eva)
    await eva.says(group, "/terminar")
    await until(lambda: [m for m in group.messages if "Sí, terminarla" in m.labels])
    asked = next(m for m in group.messages if "Sí, terminarla" in m.labels)
    await eva.presses(asked, "Sí, terminarla")
    await until(lambda: [m for m in group.messages if "canceló" in (m.text or "")])
    await until(lambda: board(group).keyboard == [])
    assert (await room.app.record(table_id)).table.status == "cancelled"


async def test_rules_in_short_and_in_any_chat(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group = api.group("Amigos", ana)
    await ana.says(group, "/reglas cerrado")
    await until(lambda: "Cerrado" in (group.last.text or ""))
    await ana.says(group, "/buraco reglas")
    await until(lambda: "Se juega" in (group.last.text or "") and group.last.labels[-1] == "Cerrar")
    answer = await ana.inline("reglas cerrado")
    assert answer.titles
    assert all("errado" in title for title in answer.titles)
    message = await ana.chooses(answer, 0, group)
    assert "Cerrar" in (message.text or "")
    assert len((await ana.inline("")).results) > 5
    assert (await ana.inline("nada de eso")).results == []


async def test_the_rule_book_is_read_in_place_and_published(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    group = api.group("Amigos", ana)
    await ana.says(None, "/reglas")
    book = await letter(ana, "Se juega")
    await ana.presses(book, book.labels[0])
    await until(lambda: book.deleted or "Se juega" not in (book.text or ""))
    await api.quiet()
    await ana.says(group, "/reglas canasta")
    await until(lambda: "Siete ases" in group.last.labels)
    found = group.last
    await ana.presses(found, "Siete ases")
    # It is read where it was asked for; with pictures the message comes anew.
    await until(lambda: any(":pu:" in (button.data or "") for button in group.last.buttons))
    await until(lambda: len(group.messages) == 1)
    topic = group.last
    publish = next(button for button in topic.buttons if ":pu:" in (button.data or ""))
    await ana.presses(topic, publish.label)
    await until(lambda: len(group.messages) == 2)
    assert (await ana.presses(topic, data="x")).answered
    await api.quiet()
    assert not group.last.deleted
    await ana.says(None, "/reglas resumen")
    await until(lambda: any(message.document for message in ana.inbox))
    await ana.says(group, "/reglas vale 3 3 3 x9")
    await api.quiet()
    for message in (group.last, ana.inbox[-1]):
        for button in message.buttons:
            if button.data is not None and not button.data.startswith("x"):
                assert (await ana.presses(message, data=button.data)).answered
                break
    await api.quiet()


async def test_a_guided_first_deal(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    pressed = await ana.presses(ana.inbox[-1] if ana.inbox else await letter(ana, "Hola"), data="1:x:0:ls")
    assert pressed.answered
    await until(lambda: have_hands(ana))
    await until(lambda: len([message for message in ana.inbox if message.photo]) == 2)
    assert len(await room.app.tables_at("telegram", f"{ana.id}")) == 1


async def test_settings_of_people_and_groups(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group = api.group("Amigos", ana, beto)
    await ana.says(group, "/ajustes")
    await until(lambda: "Cerrado" in group.last.labels)
    shown = group.last
    assert (await beto.presses(shown, "Cerrado")).alert
    assert (await ana.presses(shown, "Cerrado")).text == "Guardado."
    await until(lambda: "✓ Cerrado" in shown.labels)
    assert (await room.app.place_settings(f"telegram:{group.id}")).ruleset_id == "cerrado"
    await ana.says(None, "/ajustes")
    await until(lambda: "✓ Por palo" in ana.inbox[-1].labels)
    await ana.presses(ana.inbox[-1], "Por valor")
    await until(lambda: "✓ Por valor" in ana.inbox[-1].labels)
    assert (await room.player(ana)).hand_order == "rank"
    assert (await beto.presses(shown, "Mis ajustes")).url
    await beto.starts("v_aj_x")
    await until(lambda: "✓ Preguntar siempre" in beto.inbox[-1].labels)


async def test_links_that_start_the_bot(api: BotApi, room: Room) -> None:
    ana, eva = api.user("Ana"), api.user("Eva")
    _, table_id = await started(api, room, [ana], "1v1")
    await eva.starts()
    await until(lambda: "¡Hola!" in (eva.inbox[-1].text or ""))
    await eva.starts("r_cerrado")
    await until(lambda: "Cerrado" in (eva.inbox[-1].text or ""))
    await eva.starts(f"v_ru_{table_id}")
    await until(lambda: "Reglas de la mesa" in (eva.inbox[-1].text or ""))
    await eva.starts(f"h_{table_id}")
    await until(lambda: any("No juegas en esta mesa" in (m.text or "") for m in eva.inbox))
    for payload in ("j_", "j__x", "j_nada_9", "v__", "v_dr_x", "h_----", "zz", "r_nada", f"j_{table_id}_7"):
        await eva.starts(payload)
    await api.quiet()
    await eva.says(None, "hola")
    await until(lambda: "¡Hola!" in (eva.inbox[-1].text or ""))


async def test_whoever_writes_as_a_group_cannot_play(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group = api.group("Amigos", ana, supergroup=True)
    await ana.says(group, "/buraco nueva 1v1", anonymous=True)
    await until(lambda: "Escribes como grupo" in (group.last.text or ""))
    assert await room.app.tables_at("telegram", f"{group.id}") == ()
