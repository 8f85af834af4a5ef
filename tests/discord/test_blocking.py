"""``/buraco bloquear``: those who manage a server keep somebody from its tables; only they see it."""

from tests.discord.world import MANAGER, World


async def test_only_managers_settle_who_may_not_sit_down(world: World) -> None:
    ana, beto = world.member("Ana"), world.member("Beto")
    for command in ("bloquear", "desbloquear"):
        refused = await world.slash(beto, f"buraco {command}", persona=ana)
        assert refused.text == "Eso solo puede hacerlo quien modera aquí."
        assert refused.shown.ephemeral
    assert (await world.slash(beto, "buraco bloqueados")).text == "Eso solo puede hacerlo quien modera aquí."


async def test_who_is_blocked_neither_sits_down_nor_opens_and_is_told_alone(world: World) -> None:
    ana, beto = world.member("Ana", MANAGER), world.member("Beto")
    await world.slash(ana, "buraco new", modo="1v1")
    told = await world.slash(ana, "buraco bloquear", persona=beto)
    assert told.text == "Beto ya no puede sentarse a las mesas de aquí."
    assert told.shown.ephemeral
    assert "Beto" in (await world.slash(ana, "buraco bloqueados")).text
    refused = await world.board.press(beto, "Sentarme")
    assert refused.shown.ephemeral
    assert refused.text == "No puedes sentarte a las mesas de este lugar. Habla con quien modera allí."
    opened = await world.slash(beto, "buraco new", modo="1v1", hilo=True)
    assert opened.text == "No puedes abrir mesas en este lugar. Habla con quien modera aquí."
    assert len(world.boards()) == 1
    assert (await world.slash(ana, "buraco desbloquear", persona=beto)).text == (
        "Beto puede sentarse otra vez a las mesas de aquí."
    )
    assert (await world.board.press(beto, "Sentarme")).text == "Te sentaste a la mesa."
