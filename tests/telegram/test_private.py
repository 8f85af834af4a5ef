"""The private chat: letters, lists, the menu, leaving; and what groups send there."""

from tests.telegram.fake import BotApi, Message
from tests.telegram.room import Room, board, card_buttons, hand_of, hands_of, have_hands, until
from tests.telegram.test_commands import letter
from tests.telegram.test_playing import on_turn, started


async def test_the_menu_and_leaving_from_the_private_chat(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    await until(lambda: have_hands(ana, beto))
    await beto.presses(board(group), "⋯")
    menu = await letter(beto, "código")
    await beto.presses(menu, "La mesa en palabras")
    await until(lambda: "Mazo" in (menu.text or "") and menu.labels == ["Cerrar"])
    await beto.presses(menu, "Cerrar")
    await until(lambda: menu.deleted)
    await beto.presses(board(group), "⋯")
    menu = await letter(beto, "código")
    await beto.presses(menu, "Salir de la mesa")
    await until(lambda: "Sí, irme" in menu.labels)
    await beto.presses(menu, "Volver")
    await until(lambda: menu.deleted)
    await beto.says(None, "/salir")
    asked = await letter(beto, "Si te vas")
    assert (await beto.presses(asked, "Sí, irme")).text == "Dejaste la mesa."
    await until(lambda: asked.deleted)
    # Somebody else's cards now: the hand stays to be seen, but does nothing any more.
    await until(lambda: hand_of(beto).keyboard == [])
    record = await room.app.record(table_id)
    assert record.table.chairs[0].person is None or record.table.chairs[1].person is None


async def test_several_tables_to_leave_are_asked_about(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await started(api, room, [ana], "1v1")
    await started(api, room, [ana], "2v2")
    await until(lambda: len(hands_of(ana)) == 2)
    await ana.says(None, "/salir")
    asked = await letter(ana, "¿Cuál")
    await ana.presses(asked, asked.labels[0])
    await until(lambda: asked.deleted)
    question = await letter(ana, "Eres la última persona")
    await ana.presses(question, "Sí, irme")
    await until(lambda: len([hand for hand in hands_of(ana) if hand.keyboard]) == 1)
    await ana.says(None, "/reglas")
    await letter(ana, "Se juega")
    await ana.says(None, "/mesa")
    await until(lambda: any("Mazo" in (message.caption or "") for message in ana.inbox))


async def test_rules_of_a_lobby_alone(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    await ana.says(None, "/buraco nueva 2v2")
    await until(lambda: board(ana))
    lobby = board(ana)
    await ana.presses(lobby, "Reglas de la mesa")
    rules = await letter(ana, "Reglas de la mesa: Clásico")
    assert "Reglas de la mesa" in lobby.labels
    await ana.presses(rules, "Cerrar")
    await until(lambda: rules.deleted)
    await ana.presses(lobby, "+ Robot")
    await until(lambda: "Lola" in (lobby.text or ""))
    await ana.says(None, "/mesa")
    await until(lambda: lobby.deleted and "Lola" in (board(ana).text or ""))
    await ana.presses(board(ana), "Cancelar la mesa")
    await until(lambda: any("canceló" in (message.text or "") for message in ana.inbox))


async def test_somebody_is_sent_away_from_a_lobby(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    for person in (ana, beto):
        await person.starts()
    group = api.group("Amigos", ana, beto)
    await ana.says(group, "/buraco nueva 2v2")
    await until(lambda: board(group))
    await beto.says(group, "/unirse")
    await until(lambda: "Beto" in (board(group).text or ""))
    await ana.presses(board(group), "Expulsar")
    asked = await letter(ana, "¿A quién")
    await ana.presses(asked, "Beto")
    await until(lambda: asked.deleted)
    await until(lambda: "Beto" not in (board(group).text or ""))
    assert (await beto.presses(board(group), "Salir")).alert


async def test_who_cannot_be_written_to_gets_a_button(api: BotApi, room: Room) -> None:
    ana, eva = api.user("Ana"), api.user("Eva")
    group, table_id = await started(api, room, [ana, eva], "1v1", unknown=(eva,))

    def offered() -> list[Message]:
        return [m for m in group.messages if "Todavía no puedo escribirte" in (m.text or "")]

    for count, command in enumerate(("/mano", "/mistandas"), 1):
        await eva.says(group, command)
        # Each is answered beside the rest, so that the second may overtake the first.
        await until(lambda count=count: len(offered()) == count)  # type: ignore[misc]
    offers = offered()
    assert offers[0].button("Abrir chat privado").url == f"https://t.me/buraco_bot?start=h_{table_id}"
    assert (await eva.presses(board(group), "Reglas")).url == f"https://t.me/buraco_bot?start=v_ru_{table_id}"
    await eva.opens(offers[1].button("Abrir chat privado").url or "")
    await letter(eva, "Mis mesas")
    await until(lambda: have_hands(eva))


async def test_a_question_of_the_table_is_asked_in_the_hand(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    group = api.group("Amigos", ana)
    # Here the pile is only taken with its top card used at once.
    await ana.says(group, "/buraco nueva 1v1 cerrado")
    await until(lambda: board(group))
    await ana.presses(board(group), "Empezar")
    await until(lambda: have_hands(ana))
    table_id = await room.table(group)
    await on_turn(room, table_id, [ana])
    await until(lambda: "Turno de Ana: roba" in (board(group).caption or ""))
    pressed = await ana.presses(board(group), "Tomar el descarte")
    assert pressed.answered
    assert pressed.text
    await until(lambda: "Robar" in hand_of(ana).labels or "Volver" in hand_of(ana).labels)


async def test_a_refusal_leads_to_its_rule(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    _, table_id = await started(api, room, [ana], "1v1")
    await on_turn(room, table_id, [ana])
    await until(lambda: "Robar" in hand_of(ana).labels)
    hand = hand_of(ana)
    await ana.presses(hand, "Robar")
    await until(lambda: "Robar" not in hand.labels)
    cards = card_buttons(hand)
    for data in (cards[0], cards[4], cards[9]):
        await ana.presses(hand, data=data)
    await until(lambda: "Bajar (3)" in hand.labels)
    refused = await ana.presses(hand, "Bajar (3)")
    assert refused.alert
    await until(lambda: ":re:" in (hand.buttons[0].data or ""))
    await ana.presses(hand, hand.labels[0])
    await until(lambda: any("Cerrar" in message.labels for message in ana.inbox))
    await ana.presses(hand, data=cards[0])
    await until(lambda: "Bajar (2)" in hand.labels)
    assert ":re:" not in (hand.buttons[0].data or "")
