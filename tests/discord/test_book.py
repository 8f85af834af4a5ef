"""The rule book in Discord: looked up by command, walked through by buttons, published, practised, printed."""

import pytest

from bot.reglas.topics import topics as all_topics
from tests.discord.world import World


async def test_the_command_alone_opens_the_index_for_oneself(world: World) -> None:
    ana = world.member("Ana")
    answer = await world.slash(ana, "reglas")
    assert answer.shown.ephemeral
    assert {"Los juegos", "Ponte a prueba", "Hoja para imprimir", "Primera partida guiada"} <= set(answer.shown.enabled)
    chapter = await answer.shown.press(ana, "Los juegos")
    assert "Según Clásico." in chapter.shown.text
    topic = await chapter.shown.press(ana, "Escaleras")
    assert topic.shown.id == answer.shown.id, "one walks on in the same message"
    assert topic.shown.files == ["buraco.png"]


async def test_a_topic_is_published_for_all_without_its_buttons_of_publishing(world: World) -> None:
    ana = world.member("Ana")
    answer = await world.slash(ana, "reglas", tema="muerto")
    await answer.shown.press(ana, "Publicar aquí")
    (published,) = world.messages()
    assert all_topics()["muerto"].head.title in published.text
    assert "Publicar aquí" not in published.buttons
    luis = world.member("Luis")
    read_on = await published.press(luis, "Índice")
    assert read_on.shown.ephemeral, "what somebody looks up from there is theirs alone"


async def test_cards_are_judged_by_the_rules_of_the_channel_s_table(world: World) -> None:
    ana = world.member("Ana")
    assert "Vale" in (await world.slash(ana, "reglas", tema="vale 9♥ 9♠ 9♦")).text
    await world.slash(ana, "buraco nueva", modo="2v2", variante="abierto")
    refused = await world.slash(ana, "reglas", tema="vale 9♥ 9♠ 9♦")
    assert "No vale" in refused.text
    assert "esta mesa" in refused.text
    named = await world.slash(ana, "reglas", tema="vale 9♥ 9♠ 9♦", variante="clasico")
    assert "Vale" in named.text
    assert "no es una carta" in (await world.slash(ana, "reglas", tema="vale 9♥ qwerty")).text


async def test_exercises_go_on_in_place(world: World) -> None:
    ana = world.member("Ana")
    quiz = (await world.slash(ana, "reglas", tema="prueba")).shown
    assert "1 de 12" in quiz.text
    await quiz.press(ana, "No vale")
    assert "¡Bien!" in quiz.text
    assert "Racha: 1" in quiz.text
    await quiz.press(ana, "Siguiente")
    assert "2 de 12" in quiz.text


async def test_the_page_to_print_comes_as_a_picture_and_as_a_file(world: World) -> None:
    ana = world.member("Ana")
    answer = await world.slash(ana, "reglas", tema="resumen", variante="rioplatense")
    assert answer.shown.files == ["buraco.png", "buraco.pdf"]
    assert "Rioplatense" in answer.text
    world.bot.renderer.broken = True
    failed = await world.slash(ana, "reglas", tema="resumen")
    assert "No pude preparar la hoja" in failed.text


async def test_the_guided_deal_begins_in_private(world: World) -> None:
    ana = world.member("Ana")
    index = await world.slash(ana, "reglas")
    lesson = await index.shown.press(ana, "Primera partida guiada")
    assert lesson.shown.ephemeral
    assert "🎓" in lesson.shown.text
    assert "Robar" in lesson.shown.enabled
    assert {"mesa.png", "mano.png"} == set(lesson.shown.files)
    drawn = await lesson.shown.press(ana, "Robar")
    assert "botones verdes" in drawn.shown.text


async def test_a_refusal_s_rule_opens_beside_the_hand(world: World) -> None:
    ana = world.member("Ana")
    await world.slash(ana, "reglas")
    hand = (await (await world.slash(ana, "reglas")).shown.press(ana, "Primera partida guiada")).shown
    await hand.press(ana, "Robar")
    first = hand.pickers[0]
    values = [first["options"][0]["value"], first["options"][5]["value"], first["options"][-1]["value"]]
    await ana.select(hand.message, values, custom_id=first["custom_id"])
    refused = await hand.press(ana, "Bajar (3)")
    assert "Ver la regla" in hand.enabled, refused.text
    rule = await hand.press(ana, "Ver la regla")
    assert rule.shown.id != hand.id
    assert rule.shown.ephemeral
    assert hand.cards, "the hand is still there"


@pytest.mark.parametrize("typed", ["", "comod", "MUERTO", "xyzzyx", "z" * 90])
async def test_topics_are_offered_while_one_types(world: World, typed: str) -> None:
    ana = world.member("Ana")
    offered = await ana.autocomplete(world.channel, "reglas", "tema", typed)
    assert len(offered) <= 25
    assert all(choice["value"] in all_topics() and len(choice["name"]) <= 100 for choice in offered)
    if typed == "MUERTO":
        assert offered[0]["value"] == "muerto"
