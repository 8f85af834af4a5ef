"""``/perfil``, ``/historial`` and ``/ranking`` in a server: each to the one who asks alone."""

from typing import Any

from bot.results.model import Player
from tests.discord.world import World
from tests.results.keeping import keep
from tests.results.samples import result


async def played(world: World, *members: Any) -> None:
    """Three matches in this season, won by the first."""
    people = [await world.person(member) for member in members]
    guild = world.channel.guild.id
    now = world.bot.app._clock.now_ms()
    seats = [Player(person.name, person.id) for person in people]
    for number in range(3):
        await keep(
            world.bot.store, result(seats, number=number, origin=f"discord:server:{guild}", ended_ms=now + number)
        )


async def test_finished_matches_are_told_to_whoever_asks(world: World) -> None:
    ana, beto = world.member("Ana"), world.member("Beto")
    for member in (ana, beto):
        told = (await world.slash(member, "perfil")).shown
        assert told.ephemeral
        assert "Todavía no hay partidas" in told.text
    await played(world, ana, beto)
    mine = (await world.slash(ana, "perfil")).shown
    assert mine.ephemeral
    assert "Entre personas: 3, ganadas 3" in mine.text
    turned = await mine.press(ana, "Mis partidas")
    assert "Ganada" in turned.text
    assert "Mi perfil" in turned.shown.buttons
    assert "Logros" in (await (await world.slash(ana, "perfil")).shown.press(ana, "Mis logros")).text
    assert "Perdida" in (await world.slash(beto, "historial")).text
    ranking = (await world.slash(beto, "ranking")).shown
    assert ranking.ephemeral
    assert "Ana: 3, ganadas 3" in ranking.text
    assert "Beto (tú): 3, ganadas 0" in ranking.text
    assert "hacen falta" in (await ranking.press(beto, "La anterior")).text


async def test_others_see_a_profile_until_it_is_hidden(world: World) -> None:
    ana, beto, eva = world.member("Ana"), world.member("Beto"), world.member("Eva")
    for member in (ana, beto):
        await world.slash(member, "perfil")
    assert "está oculto" in (await world.slash(eva, "perfil", persona=ana)).text
    await played(world, ana, beto)
    assert "Contra ti: 3; ganaste 0, ganó 3." in (await world.slash(beto, "perfil", persona=ana)).text
    hidden = await (await world.slash(ana, "perfil")).shown.press(ana, "Ocultar")
    assert "solo tú lo ves" in hidden.text
    assert "está oculto" in (await world.slash(beto, "perfil", persona=ana)).text
    assert "Ana" not in (await world.slash(beto, "ranking")).text
