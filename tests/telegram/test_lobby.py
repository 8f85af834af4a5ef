"""From a command in a group to a match: opening, sitting down, starting."""

from tests.telegram.fake import BotApi
from tests.telegram.room import Room, board, have_hands, until


async def test_a_table_is_opened_by_words_and_played(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana <b>"), api.user("Beto")
    for person in (ana, beto):
        await person.starts()
    group = api.group("Amigos", ana, beto)
    await ana.says(group, "/buraco new 2v2 cerrado 2000 rapido")
    await until(lambda: board(group))
    lobby = board(group)
    assert "Cerrado" in (lobby.text or "")
    assert "Ana b" in (lobby.text or "")
    pressed = await beto.presses(lobby, "Pareja 2")
    assert pressed.text == "Te sentaste a la mesa."
    await until(lambda: "Beto" in (board(group).text or ""))
    assert (await beto.presses(board(group), "Empezar")).alert
    await ana.presses(board(group), "Empezar")
    await until(lambda: board(group).photo)
    await until(lambda: have_hands(ana, beto))
    await until(lambda: lobby.keyboard == [])
    assert "Mazo" in (board(group).caption or "")
    table_id = await room.table(group)
    record = await room.app.record(table_id)
    assert record.table.rules.id == "cerrado"
    assert record.table.origin == f"telegram:{group.id}"


async def test_without_words_the_modes_are_buttons(api: BotApi, room: Room) -> None:
    ana = api.user("Ana")
    await ana.starts()
    group = api.group("Amigos", ana)
    await ana.says(group, "/buraco")
    await until(lambda: "1v1" in group.last.labels[0])
    asked = group.last
    await ana.presses(asked, asked.labels[0])
    await until(lambda: board(group))
    await until(lambda: asked.deleted)
    assert len(await room.app.tables_at("telegram", f"{group.id}")) == 1


async def test_whoever_cannot_be_written_to_is_shown_with_what_to_do(api: BotApi, room: Room) -> None:
    ana, dani = api.user("Ana"), api.user("Dani")
    await ana.starts()
    group = api.group("Amigos", ana, dani)
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: board(group))
    pressed = await dani.presses(board(group), "Sentarme", data=None)
    assert pressed.url is not None
    assert pressed.url.startswith("https://t.me/buraco_bot?start=h_")
    await until(lambda: "⚠ Dani" in (board(group).text or ""))
    await dani.opens(pressed.url)
    await until(lambda: "⚠" not in (board(group).text or ""))


async def test_a_seat_link_joins_and_opens_the_private_chat(api: BotApi, room: Room) -> None:
    ana, dani = api.user("Ana"), api.user("Dani")
    await ana.starts()
    group = api.group("Amigos", ana, dani)
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: board(group))
    link = next(button for button in board(group).buttons if button.url)
    await dani.opens(link.url or "")
    await until(lambda: "Dani" in (board(group).text or ""))
    assert "⚠" not in (board(group).text or "")
    await until(lambda: dani.inbox[-1].text == "Te sentaste a la mesa.")
