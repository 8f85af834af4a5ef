"""What is kept of somebody: for their eyes alone, and forgotten after a question."""

from tests.discord.world import World


async def test_everything_comes_as_a_file_for_oneself(world: World) -> None:
    ana = world.member("Ana")
    answer = await world.slash(ana, "mis_datos")
    assert answer.shown.ephemeral
    assert answer.shown.files == ["buraco-mis-datos.json"]
    assert "todo lo que Buraco guarda de ti" in answer.text


async def test_one_is_forgotten_after_a_question(world: World) -> None:
    ana, luis = world.member("Ana"), world.member("Luis")
    await world.slash(ana, "buraco nueva", modo="1v1")
    (table,) = world.messages()
    await table.press(luis, "Sentarme")
    answer = await world.slash(ana, "borrar_mis_datos")
    assert answer.shown.ephemeral
    assert "No se puede deshacer" in answer.text
    done = await answer.shown.press(ana, "Sí, borrar mis datos")
    assert "ya no guarda nada de ti" in done.shown.text
    await world.settle()
    (table,) = world.messages()
    assert "Ana" not in table.text
    assert "Luis" in table.text
