"""A match in a group: the table for all, hands in private, notices, presses of all kinds, restarts and trouble."""

import asyncio

import pytest

from bot.model import Pace
from bot.store import StoreBusy
from bot.tokens import base36
from tests.telegram.fake import BotApi, Group, Person
from tests.telegram.room import (
    FlatRenderer,
    Room,
    bit36,
    board,
    card_buttons,
    hand_of,
    hands_of,
    have_hands,
    until,
)


async def started(
    api: BotApi, room: Room, people: list[Person], mode: str = "2v2", *, unknown: tuple[Person, ...] = ()
) -> tuple[Group, str]:
    """A match in a group, with robots on the free seats."""
    for person in people:
        if person not in unknown:
            await person.starts()
    group = api.group("Amigos", *people)
    await people[0].says(group, f"/buraco nueva {mode}")
    await until(lambda: board(group))
    for person in people[1:]:
        await person.presses(board(group), "Sentarme", data=None) if person not in unknown else None
        if person in unknown:
            pressed = await person.presses(board(group), "Sentarme")
            assert pressed.url
    await until(lambda: all(person.name in (board(group).text or "") for person in people))
    await people[0].presses(board(group), "Empezar")
    await until(lambda: board(group).photo)
    return group, await room.table(group)


async def on_turn(room: Room, table_id: str, people: list[Person]) -> Person:
    """Whoever is on turn, once the robots have played."""
    async with asyncio.timeout(25):
        while True:
            mover = await room.mover(table_id, people)
            if mover is not None:
                return mover
            await asyncio.sleep(0.01)


async def play_turn(room: Room, table_id: str, person: Person) -> int:
    """A turn in the private chat: draw, and discard the first card that may go; returns the taps."""
    await until(lambda: any("Robar" in label for label in hand_of(person).labels))
    await person.presses(hand_of(person), "Robar")
    await until(lambda: "Robar" not in hand_of(person).labels)
    screen = await room.hand(table_id, person)
    assert screen.picker is not None
    bit = next(card.bit for card in screen.picker.cards if not card.keep)
    pick = next(data for data in card_buttons(hand_of(person)) if data.endswith(f":{base36(bit)}"))
    await person.presses(hand_of(person), data=pick)
    await until(lambda: any("Descartar (1)" in label for label in hand_of(person).labels))
    pressed = await person.presses(hand_of(person), "Descartar (1)")
    assert pressed.answered
    return 3


async def test_a_turn_takes_three_taps_and_everybody_is_brought_up_to_date(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    people = [ana, beto]
    group, table_id = await started(api, room, people, "1v1")
    await until(lambda: have_hands(ana, beto))
    first = await on_turn(room, table_id, people)
    other = beto if first is ana else ana
    await until(lambda: [m for m in group.messages if not m.photo and "empieza" in (m.text or "")])
    notices = [message for message in group.messages if not message.photo and "empieza" in (message.text or "")]
    assert len(notices) == 1
    assert not notices[0].silent
    assert {entity["user"]["id"] for entity in notices[0].entities} == {ana.id, beto.id}
    assert board(group).silent
    assert await play_turn(room, table_id, first) <= 4
    await until(lambda: any("te toca" in (message.text or "") for message in group.messages))
    called = group.messages[-1]
    assert called.entities[0]["user"]["id"] == other.id
    await until(lambda: notices[0].deleted)
    assert len(hands_of(ana)) == len(hands_of(beto)) == 1
    assert "Juega" in (hand_of(first).caption or "")
    await until(lambda: f"Turno de {other.name}" in (board(group).caption or ""))
    await until(lambda: board(group).edited)


async def test_a_hand_out_of_turn_says_why(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    _, table_id = await started(api, room, [ana, beto], "1v1")
    first = await on_turn(room, table_id, [ana, beto])
    other = beto if first is ana else ana
    await until(lambda: have_hands(other))
    locked = next(label for label in hand_of(other).labels if "Descartar" in label)
    pressed = await other.presses(hand_of(other), locked)
    assert pressed.text == f"Es el turno de {first.name}."
    await until(lambda: "Robar" in hand_of(first).labels)
    discard = next(label for label in hand_of(first).labels if "Descartar" in label)
    pressed = await first.presses(hand_of(first), discard)
    assert pressed.text


async def test_quick_taps_are_all_counted_and_change_the_buttons_alone(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    _, table_id = await started(api, room, [ana], "1v1")
    await on_turn(room, table_id, [ana])
    await until(lambda: "Robar" in hand_of(ana).labels)
    await ana.presses(hand_of(ana), "Robar")
    await until(lambda: "Robar" not in hand_of(ana).labels)
    await api.quiet()
    before = len(api.called("editMessageMedia", ana.chat)), len(api.called("editMessageCaption", ana.chat))
    hand = hand_of(ana)
    cards = card_buttons(hand)[:3]
    await asyncio.gather(*(ana.presses(hand, data=data) for data in cards))
    await until(lambda: "Bajar (3)" in hand.labels)
    assert (len(api.called("editMessageMedia", ana.chat)), len(api.called("editMessageCaption", ana.chat))) == before
    await ana.presses(hand, data=cards[0])
    await until(lambda: "Bajar (2)" in hand.labels)
    pressed = await ana.presses(hand, "Bajar (2)")
    assert "3 cartas" in pressed.text


async def test_double_stale_and_strange_presses(api: BotApi, room: Room) -> None:
    ana, beto, eva = api.user("Ana"), api.user("Beto"), api.user("Eva")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    first = await on_turn(room, table_id, [ana, beto])
    await until(lambda: "Robar" in hand_of(first).labels)
    hand = hand_of(first)
    draw = hand.button("Robar").data
    pressed = await asyncio.gather(first.presses(hand, data=draw), first.presses(hand, data=draw))
    assert all(one.answered for one in pressed)
    screen = await room.hand(table_id, first)
    assert screen.picker is not None
    assert len(screen.picker.cards) == 12
    assert "cambió" in (await first.presses(hand, data=draw)).text
    assert "No juegas" in (await eva.presses(board(group), "Robar")).text
    for forged in (
        "1:",
        "s:zz",
        "s:a:b:c:d:e",
        "p:::::",
        "w:x",
        "o:9v9v9v9v9",
        "b:abc:xx",
        "zz",
        "gp:never",
        "1:x:y:z:q",
    ):
        assert (await eva.presses(board(group), data=forged)).answered
    api.redeliver(3)
    await api.quiet()
    again = await room.hand(table_id, first)
    assert again.picker is not None
    assert len(again.picker.cards) == 12


async def test_a_group_press_on_my_hand_leads_to_the_private_chat(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    group, _ = await started(api, room, [ana], "1v1")
    pressed = await ana.presses(board(group), "Mi mano")
    assert "privado" in pressed.text
    await until(lambda: have_hands(ana))
    assert not any("♥" in (message.text or "") for message in group.messages)


async def test_somebody_never_started_the_bot_and_somebody_blocks_it(api: BotApi, room: Room) -> None:
    people = [ana, beto, caro, dani] = [api.user(name) for name in ("Ana", "Beto", "Caro", "Dani")]
    group, table_id = await started(api, room, people, unknown=(dani,))
    await until(lambda: "⚠ Dani" in (board(group).caption or ""))
    await until(lambda: have_hands(ana, beto, caro))
    assert dani.inbox == []
    beto.blocks_bot()
    led = set()
    for _ in range(8):
        mover = await on_turn(room, table_id, people)
        if mover in (dani, beto) and mover not in led:
            led.add(mover)
            pressed = await mover.presses(board(group), "Mi mano")
            assert pressed.url
            await mover.opens(pressed.url)
            await until(lambda mover=mover: have_hands(mover))  # type: ignore[misc]
        await play_turn(room, table_id, mover)
    await until(lambda: "⚠" not in (board(group).caption or ""))


async def test_a_blocked_bot_is_told_of_in_the_group(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, _ = await started(api, room, [ana, beto], "1v1")
    await until(lambda: have_hands(beto))
    beto.blocks_bot()
    await until(lambda: "⚠ Beto" in (board(group).caption or ""))
    assert "Abrir chat privado" in board(group).labels
    await beto.starts()
    await until(lambda: "⚠" not in (board(group).caption or ""))
    await until(lambda: have_hands(beto))


async def test_a_restart_goes_on_with_the_same_messages(api: BotApi) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    async with Room(api) as room:
        group, table_id = await started(api, room, [ana, beto], "1v1")
        first = await on_turn(room, table_id, [ana, beto])
        await until(lambda: have_hands(ana, beto))
        await play_turn(room, table_id, first)
        await api.quiet()
    other = beto if first is ana else ana
    posted = len(group.history)
    async with Room(api, store=room.store, deals=50) as again:
        await api.quiet()
        assert len(hands_of(ana)) == len(hands_of(beto)) == 1
        assert len([message for message in group.messages if message.photo]) == 1
        assert len(group.history) == posted
        await play_turn(again, table_id, other)
        await until(lambda: f"Turno de {first.name}" in (board(group).caption or ""))


async def test_a_hand_keyboard_from_before_a_restart_still_picks(api: BotApi) -> None:
    ana = api.user("Ana")
    async with Room(api) as room:
        group, table_id = await started(api, room, [ana], "1v1")
        await on_turn(room, table_id, [ana])
        await until(lambda: "Robar" in hand_of(ana).labels)
        await ana.presses(hand_of(ana), "Robar")
        await until(lambda: "Robar" not in hand_of(ana).labels)
        for data in card_buttons(hand_of(ana))[:2]:
            await ana.presses(hand_of(ana), data=data)
        await until(lambda: "Bajar (2)" in hand_of(ana).labels)
        await api.quiet()
    third = card_buttons(hand_of(ana))[2]
    async with Room(api, store=room.store):
        await ana.presses(hand_of(ana), data=third)
        await until(lambda: "Bajar (3)" in hand_of(ana).labels)
    assert group.messages


@pytest.mark.parametrize("tell", [True, False], ids=["told in the chat", "told by a refused call alone"])
async def test_a_group_becomes_a_supergroup(api: BotApi, room: Room, tell: bool) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    await ana.says(group, "/ajustes")
    await until(lambda: [m for m in group.messages if "Cerrado" in m.labels])
    pace = list(Pace)[-1]
    settings_message = next(m for m in group.messages if "Cerrado" in m.labels)
    assert (await ana.presses(settings_message, data=f"gp:{pace}")).text == "Guardado."
    first = await on_turn(room, table_id, [ana, beto])
    await until(lambda: have_hands(first))
    old = group.migrate(tell=tell)
    if tell:
        await until(lambda: board(group).photo)
    await play_turn(room, table_id, first)
    await until(lambda: board(group).photo)
    other = beto if first is ana else ana
    await until(lambda: f"Turno de {other.name}" in (board(group).caption or ""))
    places = {home.place for home in await room.app.homes(table_id)}
    assert f"{group.id}" in places
    assert f"{old}" not in places
    settings = await room.app.place_settings(f"telegram:{group.id}")
    assert settings.pace is pace
    await ana.says(group, "/terminar")
    await until(lambda: any("Sí, terminarla" in label for message in group.messages for label in message.labels))
    asked = next(message for message in group.messages if "Sí, terminarla" in message.labels)
    assert (await beto.presses(asked, "Sí, terminarla")).alert
    await ana.presses(asked, "Sí, terminarla")
    await until(lambda: asked.deleted)
    assert (await room.app.record(table_id)).table.status == "cancelled"


@pytest.mark.parametrize("failures", [1, 2])
async def test_a_move_that_failed_half_way_is_made_when_it_is_told_again(
    api: BotApi, room: Room, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    first = await on_turn(room, table_id, [ana, beto])
    await until(lambda: have_hands(first))
    left = [StoreBusy("away for a moment")] * failures
    move = room.app.place_renamed

    async def fails_at_first(platform: str, place: str, to: str) -> None:
        if left:
            raise left.pop()
        await move(platform, place, to)

    monkeypatch.setattr(room.app, "place_renamed", fails_at_first)
    # The two service messages tell it, then every call to the old id.
    old = group.migrate()
    await until(lambda: len(left) == 0)
    await first.presses(hand_of(first), "Robar")
    await until(lambda: board(group).photo)
    places = {home.place for home in await room.app.homes(table_id)}
    assert f"{group.id}" in places
    assert f"{old}" not in places


async def test_a_deleted_table_is_posted_anew_once(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    await api.quiet()
    gone = board(group)
    gone.deleted = True
    first = await on_turn(room, table_id, [ana, beto])
    await play_turn(room, table_id, first)
    await until(lambda: board(group).photo)
    await api.quiet()
    assert len([message for message in group.messages if message.photo]) == 1
    await ana.says(group, "/mesa")
    shown = board(group)
    await until(lambda: shown.deleted and board(group) is not shown)


async def test_topics_keep_their_tables_apart(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    forum = api.group("Foro", ana, forum=True)
    one, two = forum.topic("Uno"), forum.topic("Dos")
    await ana.says(forum, "/buraco nueva 1v1", topic=one)
    await ana.says(forum, "/buraco nueva 2v2", topic=two)
    await ana.says(forum, "/buraco nueva 1v1")
    await until(lambda: len([message for message in forum.messages if "Empezar" in message.labels]) == 3)
    assert {message.thread_id for message in forum.messages} == {one, two, None}
    await ana.says(forum, "/mano", topic=one)
    await until(lambda: "No tienes cartas" in (forum.last.text or ""))
    assert forum.last.thread_id == one


async def test_the_bot_is_thrown_out_and_comes_back(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "1v1")
    await until(lambda: have_hands(ana, beto))
    first = await on_turn(room, table_id, [ana, beto])
    group.remove_bot()
    await play_turn(room, table_id, first)
    await api.quiet()
    group.add_bot()
    other = beto if first is ana else ana
    await until(lambda: f"Turno de {other.name}" in (board(group).caption or ""))


async def test_a_flooded_group_stalls_nobody_else(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana], "1v1")
    await beto.starts()
    other = api.group("Otros", beto)
    api.flood("*", 30, times=1, chat=group)
    await on_turn(room, table_id, [ana])
    await until(lambda: "Robar" in hand_of(ana).labels)
    assert (await ana.presses(hand_of(ana), "Robar")).answered
    await beto.says(other, "/buraco nueva 1v1")
    await until(lambda: board(other))
    await until(lambda: "juega" in (board(group).caption or ""))


async def test_without_pictures_the_table_is_words(api: BotApi) -> None:
    renderer = FlatRenderer()
    renderer.fails = True
    ana = api.user("Ana")
    async with Room(api, renderer=renderer) as room:
        await ana.starts()
        group = api.group("Amigos", ana)
        await ana.says(group, "/buraco nueva 1v1")
        await until(lambda: board(group))
        await ana.presses(board(group), "Empezar")
        await until(lambda: any("Mazo:" in (message.text or "") for message in group.messages))
        await until(lambda: any("Tu mano" in (message.text or "") for message in ana.inbox))
        renderer.fails = False
        table_id = await room.table(group)
        await on_turn(room, table_id, [ana])
        await until(lambda: [message for message in ana.inbox if "Robar" in message.labels])
        message = next(message for message in ana.inbox if "Robar" in message.labels)
        await ana.presses(message, "Robar")
        await until(lambda: have_hands(ana))
        await until(lambda: board(group).photo)


async def test_alone_in_the_private_chat(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    await ana.says(None, "/buraco nueva 1v1")
    await until(lambda: board(ana))
    await ana.presses(board(ana), "Empezar")
    await until(lambda: have_hands(ana))
    table_id = await room.table(ana)
    await on_turn(room, table_id, [ana])
    await play_turn(room, table_id, ana)
    await on_turn(room, table_id, [ana])
    await play_turn(room, table_id, ana)
    await api.quiet()
    photos = [message for message in ana.inbox if message.photo]
    assert len(photos) == 2
    assert photos[0].message_id < hand_of(ana).message_id
    assert hand_of(ana) is photos[1]


@pytest.mark.parametrize("verb", ["Últimas jugadas", "Reglas", "⋯"])
async def test_what_is_to_be_read_comes_in_private(api: BotApi, room: Room, verb: str) -> None:
    ana = api.user("Ana")
    group, table_id = await started(api, room, [ana], "1v1")
    # A robot that begins takes its notice away with its turn.
    await on_turn(room, table_id, [ana])
    await api.quiet()
    count = len(group.messages)
    pressed = await ana.presses(board(group), verb)
    assert pressed.text
    if not pressed.alert:
        await until(lambda: not ana.inbox[-1].photo and ana.inbox[-1].keyboard)
        await api.quiet()
        letter = ana.inbox[-1]
        await ana.presses(letter, letter.labels[-1])
        await until(lambda: letter.deleted)
    assert len(group.messages) == count
    assert bit36(3) == "8"


async def test_a_wild_is_asked_its_place_in_the_hand_itself(api: BotApi) -> None:
    ana = api.user("Ana")
    # In this deal both hands have a run's beginning and a joker: 7♣ 8♣ and 5♥ 6♥.
    async with Room(api, deals=10) as room:
        group, table_id = await started(api, room, [ana], "1v1")
        await on_turn(room, table_id, [ana])
        await until(lambda: "Robar" in hand_of(ana).labels)
        hand = hand_of(ana)
        await ana.presses(hand, "Robar")
        await until(lambda: "Robar" not in hand.labels)
        first, second, low, high = ("7♣", "8♣", "6♣", "9♣") if "7♣" in hand.labels else ("5♥", "6♥", "4♥", "7♥")
        for label in (first, second, "JKR"):
            data = next(
                b.data for b in hand.buttons if b.label.rstrip("•") == label and (b.data or "").startswith("s:")
            )
            await ana.presses(hand, data=data)
        await until(lambda: "Bajar (3)" in hand.labels)
        photo = hand.photo
        await ana.presses(hand, "Bajar (3)")
        await until(lambda: "Volver" in hand.labels)
        assert {f"Como {low}", f"Como {high}"} <= set(hand.labels)
        assert "¿Qué carta reemplaza el comodín?" in (hand.caption or "")
        assert hand.photo == photo
        await ana.presses(hand, "Volver")
        await until(lambda: "Bajar (3)" in hand.labels)
        await ana.presses(hand, "Bajar (3)")
        await until(lambda: f"Como {high}" in hand.labels)
        pressed = await ana.presses(hand, f"Como {high}")
        assert not pressed.alert
        await until(lambda: any("Deshacer" in label for label in hand.labels))
        undo = next(label for label in hand.labels if "Deshacer" in label)
        assert not any("✓" in label for label in hand.labels)
        await until(lambda: high in (board(group).caption or "") or "joker" in (board(group).caption or ""))
        await ana.presses(hand, undo)
        await until(lambda: not any("Deshacer" in label for label in hand.labels))
        assert len(hands_of(ana)) == 1
