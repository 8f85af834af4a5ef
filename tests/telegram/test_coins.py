"""Coins, private tables, the list of open ones, and what a group settles about them."""

from bot.model import Status
from bot.stakes.ledger import escrow
from tests.telegram.fake import BotApi
from tests.telegram.room import Room, board, have_hands, until
from tests.telegram.test_commands import letter


async def test_a_match_for_coins_in_a_group(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    for person in (ana, beto):
        await person.starts()
    group = api.group("Amigos", ana, beto)
    await ana.says(group, "/monedas")
    purse = await letter(ana, "Tienes 30.000 monedas.")
    await ana.presses(purse, "Recoger 3.000 monedas")
    await until(lambda: "33.000" in (purse.text or ""))
    await ana.presses(purse, "Puntos")
    await until(lambda: "Nadie ha ganado puntos" in (purse.text or ""))
    await ana.says(group, '/buraco nueva 1v1 apuesta 6000 "Los jueves"')
    await until(lambda: "Los jueves" in (group.last.text or ""))
    lobby = group.last
    assert "cada quien pone 6.000 monedas" in (lobby.text or "")
    assert "Empezar" not in lobby.labels
    await beto.presses(lobby, "Sentarme")
    await until(lambda: "Empezar" in lobby.labels)
    await ana.presses(board(group), "Empezar")
    await until(lambda: have_hands(ana, beto))
    table_id = await room.table(group)
    assert await room.store.balance(escrow(table_id)) == 12_000
    await ana.says(group, "/buraco nueva 1v1 apuesta 100")
    await until(lambda: any("va de 6.000" in (m.text or "") for m in group.messages))
    await ana.says(None, "/buraco nueva 1v1 apuesta")
    await until(lambda: "Aquí no se juega por monedas" in (ana.inbox[-1].text or ""))
    await ana.says(None, "/monedas")
    await letter(ana, "pide /monedas ahí")


async def test_a_private_table_is_joined_by_its_code_alone(api: BotApi, room: Room) -> None:
    ana, beto, eva = api.user("Ana"), api.user("Beto"), api.user("Eva")
    for person in (ana, beto, eva):
        await person.starts()
    group = api.group("Amigos", ana, beto, eva)
    await ana.says(group, "/buraco nueva 2v2 privada")
    await until(lambda: "Mesa privada" in (board(group).text or ""))
    table_id = await room.table(group)
    code = (await room.app.record(table_id)).table.code
    assert code not in (board(group).text or "")
    told = await letter(ana, code)
    assert f"start=c_{code}" in (told.text or "")
    refused = await beto.presses(board(group), "Sentarme")
    assert refused.alert
    assert "pide su código" in (refused.text or "")
    await beto.starts(f"j_{table_id}")
    await until(lambda: "pide su código" in (beto.inbox[-1].text or ""))
    await beto.says(None, f"/unirse {code.lower()}")
    await letter(beto, "Te sentaste")
    await eva.starts(f"c_{code}")
    await letter(eva, "Te sentaste")
    assert len((await room.app.record(table_id)).table.people) == 3
    assert (await room.app.record(table_id)).table.status is Status.LOBBY


async def test_open_tables_are_listed_in_private_and_one_tap_sits_down(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    for person in (ana, beto):
        await person.starts()
    group = api.group("Amigos", ana, beto)
    await beto.says(group, "/abiertas")
    await letter(beto, "No hay mesas esperando")
    await ana.says(group, "/buraco nueva 1v1")
    await until(lambda: board(group))
    await beto.says(group, "/abiertas")
    listed = await letter(beto, "Mesa de Ana · 1v1")
    await beto.presses(listed, listed.labels[0])
    table_id = await room.table(group)
    for _ in range(100):
        if len((await room.app.record(table_id)).table.people) == 2:
            break
        await api.quiet()
    assert len((await room.app.record(table_id)).table.people) == 2


async def test_a_group_settles_topic_pings_and_coins(api: BotApi, room: Room) -> None:
    ana, beto = api.user("Ana"), api.user("Beto")
    group = api.group("Amigos", ana, beto)
    await ana.says(group, "/ajustes")
    await until(lambda: "Sin mesas por monedas" in group.last.labels)
    shown = group.last
    assert (await beto.presses(shown, "Sin mesas por monedas")).alert
    for label in ("Sin mesas por monedas", "No llamar por su nombre", "Mesas solo en este tema"):
        assert (await ana.presses(shown, label)).text == "Guardado."
        await until(lambda label=label: label not in shown.labels)  # type: ignore[misc]
    settings = await room.app.place_settings(f"telegram:{group.id}")
    assert (settings.coins, settings.pings, settings.channel) == (False, False, "0")
    assert "Aquí no se juega por monedas." in (shown.text or "")
    assert "solo en este tema" in (shown.text or "")
    assert (await ana.presses(shown, "Español (Argentina)")).text == "Guardado."
    await until(lambda: "✓ Español (Argentina)" in shown.labels)
    assert (await room.app.place_settings(f"telegram:{group.id}")).locale == "es_AR"
    assert (await ana.presses(shown, "Idioma de quien abre")).text == "Guardado."
    await until(lambda: "✓ Idioma de quien abre" in shown.labels)
    await ana.says(group, "/buraco nueva 1v1 apuesta")
    await until(lambda: any("Aquí no se juega por monedas. Abre" in (m.text or "") for m in group.messages))
    forged = await ana.presses(shown, data="gs:t:drop")
    assert forged.alert
    await ana.presses(shown, "Mesas en cualquier tema")
    await until(lambda: "Mesas solo en este tema" in shown.labels)
