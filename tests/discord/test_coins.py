"""Coins, private tables, the list of open ones, and what a server settles about them."""

from bot.model import Status
from bot.results.places import place_mark
from bot.stakes.ledger import escrow, wallet
from bot.stakes.rules import DAILY, WELCOME
from tests.discord.world import MANAGER, World


async def test_a_purse_is_told_to_its_owner_alone(world: World) -> None:
    ana = world.member("Ana")
    shown = (await world.slash(ana, "monedas")).shown
    assert shown.ephemeral
    assert "Tienes 30.000 monedas." in shown.text
    assert "no se compran" in shown.text
    told = await shown.press(ana, "Recoger")
    assert "33.000 monedas" in told.text
    assert "Nadie ha ganado puntos" in (await told.shown.press(ana, "Puntos")).text
    again = (await world.slash(ana, "monedas")).shown
    assert again.label("Recoger") not in again.enabled
    mark = place_mark(f"discord:server:{world.guild.id}")
    assert await world.bot.store.balance(wallet(mark, (await world.person(ana)).id)) == WELCOME + DAILY
    eva = world.env.create_user("Eva")
    alone = await eva.slash("monedas")
    assert "pide /monedas ahí" in str(alone.response.content or "") or alone.acknowledged


async def test_a_table_with_a_stake_is_opened_joined_and_begun(world: World) -> None:
    ana, beto = world.member("Ana"), world.member("Beto")
    await world.slash(ana, "buraco new", modo="1v1", apuesta=6000, nombre="Los jueves")
    assert "Los jueves" in world.board.text
    assert "cada quien pone 6.000 monedas" in world.board.text
    assert "Empezar" not in world.board.enabled
    await world.board.press(beto, "Sentarme")
    await world.board.press(ana, "Empezar")
    await world.settle()
    record = await world.record()
    assert record.table.status is Status.PLAYING
    assert await world.bot.store.balance(escrow(record.table.id)) == 12_000
    poor = await world.slash(ana, "buraco new", modo="1v1", apuesta=30_000)
    assert "pide 30.000 monedas y tienes 24.000" in poor.text
    eva = world.env.create_user("Eva")
    assert (await eva.slash("buraco new", modo="1v1", apuesta=6000)).acknowledged
    assert len(await world.bot.app.tables_at("discord", str(world.channel.id))) == 1


async def test_a_private_table_is_joined_by_its_code_alone(world: World) -> None:
    ana, beto = world.member("Ana"), world.member("Beto")
    opened = await world.slash(ana, "buraco new", modo="1v1", privada=True)
    code = (await world.record()).table.code
    assert code in opened.text
    assert code not in world.board.text
    assert "Mesa privada" in world.board.text
    assert "pide su código" in (await world.board.press(beto, "Sentarme")).text
    assert "No hay mesas esperando" in (await world.slash(beto, "buraco abiertas")).text
    assert "No encuentro" in (await world.slash(beto, "buraco unirse", codigo="NADA22")).text
    joined = await world.slash(beto, "buraco unirse", codigo=code)
    assert "Te sentaste" in joined.text
    assert len((await world.record()).table.people) == 2
    await world.board.press(ana, "Abrir a todos")
    await world.settle()
    assert code in world.board.text


async def test_open_tables_are_listed_and_one_tap_sits_down(world: World) -> None:
    ana, beto, eva = world.member("Ana"), world.member("Beto"), world.member("Eva")
    other = world.guild.create_text_channel("otro")
    await world.slash(ana, "buraco new", modo="1v1")
    shown = (await world.slash(beto, "buraco abiertas", channel=other)).shown
    assert shown.ephemeral
    assert "Mesa de Ana · 1v1" in shown.text
    assert "falta 1" in shown.text
    await shown.press(beto, "1. Sentarme")
    await world.settle()
    assert len((await world.record()).table.people) == 2
    assert "No hay mesas esperando" in (await world.slash(eva, "buraco abiertas")).text


async def test_a_server_settles_where_tables_open_whom_they_call_and_whether_for_coins(world: World) -> None:
    ana, beto, jefa = world.member("Ana"), world.member("Beto"), world.member("Jefa", MANAGER)
    other = world.guild.create_text_channel("otro")
    denied = await world.slash(ana, "buraco ajustes", canal=other)
    assert "quien modera" in denied.text
    told = (await world.slash(jefa, "buraco ajustes", canal=other, avisos=False, monedas=False)).text
    assert "solo en #otro" in told
    assert "no se le llama" in told
    assert "no se juega por monedas" in told
    assert f"<#{other.id}>" in (await world.slash(ana, "buraco new", modo="1v1")).text
    assert not world.messages()
    assert "no se juega por monedas" in (await world.slash(ana, "buraco new", channel=other, apuesta=6000)).text
    await world.slash(ana, "buraco new", channel=other, modo="1v1")
    (board,) = world.boards(other)
    await board.press(beto, "Sentarme")
    await board.press(ana, "Empezar")
    await world.settle()
    assert not [shown for shown in world.messages(other) if shown.message.content], "nobody is called"
    told = (await world.slash(jefa, "buraco ajustes", idioma="es_AR")).text
    assert "Idioma de las mesas: Español (Argentina)." in told
    told = (await world.slash(jefa, "buraco ajustes", idioma="any-language")).text
    assert "Idioma de las mesas: el de quien la abre." in told
    await world.slash(jefa, "buraco ajustes", **{"cualquier-canal": True})
    await world.slash(ana, "buraco new", modo="1v1")
    assert "Mesa de Ana" in world.board.text
