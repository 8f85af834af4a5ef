"""Cutting in Discord: the lobby's button, the seal for all, the figures in one person's own message."""

import asyncio
from typing import Any

from bot.cutting import NO_CUT, cutter_of
from tests.discord.test_play import again
from tests.discord.world import MANAGER, World


async def begun(world: World, pace: str) -> list[Any]:
    """A table of Ana's and Luis's at which somebody cuts, just begun."""
    people = [world.member("Ana"), world.member("Luis")]
    await world.slash(people[0], "buraco new", modo="1v1", ritmo=pace)
    await world.board.press(people[1], "Sentarme")
    await world.settle()
    await world.board.press(people[0], "Con corte")
    await world.settle()
    await world.board.press(people[0], "Empezar")
    return people


async def waiting(world: World) -> tuple[Any, Any, str]:
    """Such a table, waiting for its cut: who cuts, the other, and the first one's name.

    Time goes a thousand times as fast as people's: at the pace of days there is enough of it.
    """
    people = await begun(world, "mail")
    await world.settle()
    table = (await world.record()).table
    assert table.awaited_cut is not None
    seat = cutter_of(table, table.awaited_cut.starter)
    first = [actor for actor in people if await world.seat(actor) == seat]
    others = [actor for actor in people if actor not in first]
    return first[0], others[0], table.chairs[seat or 0].name


async def test_the_host_alone_chooses_it_and_all_read_so(world: World) -> None:
    ana, luis = world.member("Ana"), world.member("Luis")
    await world.slash(ana, "buraco new", modo="1v1")
    await world.board.press(luis, "Sentarme")
    await world.settle()
    assert "Solo puede hacerlo quien dirige la mesa" in (await world.board.press(luis, "Con corte")).text
    assert "alguien corta el mazo" not in world.board.text
    await world.board.press(ana, "Con corte")
    await world.settle()
    assert "alguien corta el mazo" in world.board.text
    await world.board.press(ana, "Sin corte")
    await world.settle()
    assert "alguien corta el mazo" not in world.board.text


async def test_one_cuts_in_their_own_message_and_all_see_the_seal_before(world: World) -> None:
    cutter, other, name = await waiting(world)
    record = await world.record()
    (seal,) = record.table.seals
    assert record.match is None
    assert seal.commitment in world.board.text
    assert f"Corta {name}: después se reparte." in world.board.text
    assert [notice for notice in world.notices if f"<@{cutter.id}>" in notice.message.content]
    told = (await world.board.press(other, "Cortar el mazo")).shown
    assert told.ephemeral
    assert "3" not in told.enabled
    assert f"Corta {name}: después se reparte." in told.text
    shown = (await world.board.press(cutter, "Cortar el mazo")).shown
    assert shown.ephemeral
    assert "Te toca cortar" in shown.text
    await shown.press(cutter, "3")
    assert "Tu corte: 3––" in shown.text
    await shown.press(cutter, "7")
    assert "Tu corte: 37–" in shown.text
    await shown.press(cutter, "5")
    assert "Cortaste en 375." in shown.text
    assert "Tu mano · 11 cartas" in shown.alternatives[0]
    await world.settle()
    assert f"Cortó {name}: 375." in world.board.text
    assert seal.short in world.board.text
    after = await world.record()
    assert after.match is not None
    assert after.match.in_play
    assert "Tu mano · 11 cartas" in (await world.slash(other, "buraco mano")).shown.alternatives[0]


async def test_somebody_else_s_figures_do_nothing(world: World) -> None:
    cutter, other, name = await waiting(world)
    shown = (await world.board.press(cutter, "Cortar el mazo")).shown
    custom_id = shown.buttons["3"]["custom_id"]
    token = f"{custom_id}75"
    eva = world.member("Eva")
    for actor, called, told in ((other, "Otra", f"Corta {name}"), (eva, "Eva", "No juegas en esta mesa")):
        person = await world.bot.app.meet(f"discord:{actor.id}", called)
        answer = await world.bot.app.press(person, token, f"forged {actor.id}")
        assert not answer.ok
        assert told in answer.text
    assert (await world.record()).match is None


async def test_a_cut_goes_on_after_a_restart_in_its_middle(world: World) -> None:
    cutter, _, name = await waiting(world)
    shown = (await world.board.press(cutter, "Cortar el mazo")).shown
    await shown.press(cutter, "0")
    (seal,) = (await world.record()).table.seals
    board = world.board.id
    await again(world)
    assert (await world.record()).table.seals == (seal,)
    await shown.press(cutter, "4")
    await shown.press(cutter, "2")
    assert "Cortaste en 042." in shown.text
    await world.settle()
    record = await world.record()
    assert record.table.seals[0].cut == "042"
    assert record.match is not None
    assert world.board.id != board, "the deal has a message of its own"
    assert f"Cortó {name}: 042." in world.board.text


async def test_who_does_not_cut_in_time_leaves_it_at_nothing(world: World) -> None:
    await begun(world, "quick")
    async with asyncio.timeout(30):
        while (await world.record()).match is None:  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.01)
    (seal,) = (await world.record()).table.seals
    assert (seal.cut, seal.cutter) == (NO_CUT, None)


async def test_a_server_settles_it_for_its_new_tables(world: World) -> None:
    ana, jefa = world.member("Ana"), world.member("Jefa", MANAGER)
    assert "quien modera aquí" in (await world.slash(ana, "buraco ajustes", corte=True)).text
    told = (await world.slash(jefa, "buraco ajustes", corte=True)).text
    assert "En las mesas nuevas alguien corta antes de cada ronda." in told
    await world.slash(ana, "buraco new", modo="1v1")
    assert "alguien corta el mazo" in world.board.text
    assert "alguien corta" not in (await world.slash(jefa, "buraco ajustes", corte=False)).text
