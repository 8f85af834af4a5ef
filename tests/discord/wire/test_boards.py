"""The table's message: edited as the game moves, posted anew where that reads better, one with buttons at a time."""

import pytest

from tests.discord.wire.looks import buttons, selects, text_of
from tests.discord.wire.player import Company, Player, board, boards, labels, notices, version
from tests.discord.wire.product import Complaints, Product, posts
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel, Message


@pytest.fixture
async def duel(server: DiscordServer, place: Channel, product: Product) -> Company:
    """Two people in the middle of a match."""
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    await company.shown()
    return company


async def _move(company: Company) -> Message:
    """One step of whoever is on turn, and the table's message after it."""
    player = await company.on_turn()
    assert player is not None
    await player.step()
    return await company.shown()


async def test_edited_while_it_is_near(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    before, edits = board(duel.place), board(duel.place).edits
    for number in range(11):
        await server.user("Eva").say(duel.place, f"hola {number}")
    assert await _move(duel) is before
    assert before.edits > edits
    assert complaints.failures() == []


async def test_posted_anew_when_it_is_buried(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    before = board(duel.place)
    for number in range(12):
        await server.user("Eva").say(duel.place, f"hola {number}")
    after = await _move(duel)
    assert after is not before
    assert before.deleted
    assert after.id > max(message.id for message in duel.place.messages.values() if message.content.startswith("hola"))
    assert await _move(duel) is after, "once is enough"
    assert complaints.failures() == []


async def test_messages_elsewhere_do_not_bury_it(duel: Company, server: DiscordServer) -> None:
    before, elsewhere = board(duel.place), server.channel(server.guild("Otra"), "otro")
    for number in range(14):
        await server.user("Eva").say(elsewhere, f"lejos {number}")
    assert await _move(duel) is before


async def test_posted_anew_when_it_is_old(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    server.advance(-51 * 60)
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    before = await company.shown()
    server.advance(51 * 60)
    for player in company.players:  # the hands from then can be edited no more
        await player.mano()
    after = await _move(company)
    assert after is not before
    assert before.deleted
    assert complaints.failures() == []


async def test_edits_of_old_messages_are_rationed(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    """Where the ration is used up although the message is not that old by our clock, another one takes its place."""
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    before = await company.shown()
    server.advance(61 * 60)
    server.old_edits = 0
    for player in company.players:
        await player.mano()
    after = await _move(company)
    assert after is not before
    assert before.deleted
    assert await _move(company) is after
    assert complaints.failures() == []


async def test_presses_edit_the_table_without_the_channels_limit(duel: Company, server: DiscordServer) -> None:
    """A press under the table's message leaves a token, with which the message is edited."""
    player = await duel.on_turn()
    assert player is not None
    await player.press(board(duel.place), "Mi mano")
    before = len(server.calls_to("PATCH", "/channels"))
    await player.step()
    await duel.shown()
    assert len(server.calls_to("PATCH", "/channels")) == before


async def test_mesa_brings_it_down(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    before = board(duel.place)
    eva = server.user("Eva")
    said = await eva.say(duel.place, "¿dónde está la mesa?")
    asked = await duel["Beto"].person.slash(duel.place, "buraco", "mesa")
    assert "Aquí está la mesa." in asked.text()
    assert asked.message is asked.ephemeral
    await server.until(lambda: before.deleted)
    after = await duel.shown()
    assert after.id > said.id
    assert version(after) == version(before)
    shown = await eva.press(after, "Robar")
    assert "No juegas en esta mesa, pero puedes mirar." in shown.text()
    assert complaints.failures() == []


async def test_mesa_elsewhere_shows_it_in_both_places(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    elsewhere = server.channel(server.guild("Otra"), "juegos")
    code = (await duel["Ana"].person.slash(elsewhere, "buraco", "mistandas")).text().split(" · ")[1]
    await server.user("Eva").slash(elsewhere, "buraco", "mesa", codigo=code)
    await server.until(lambda: bool(boards(elsewhere)))
    here, there = await _move(duel), board(elsewhere)
    await server.until(lambda: version(there) == version(here))
    assert text_of(here) == text_of(there)
    player = await duel.on_turn()
    assert player is not None
    away = Player(player.person, elsewhere)
    await away.look()
    assert away.on_turn
    assert complaints.failures() == []


async def test_what_everybody_may_read(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    eva = server.user("Eva")
    shown = board(duel.place)
    plays = await eva.press(shown, "Últimas jugadas")
    assert plays.ephemeral is not None
    assert "Últimas jugadas" in plays.text()
    back = await eva.press(plays.ephemeral, "Volver")
    assert back.message is plays.ephemeral
    assert "mesa.png" in [item.filename for item in plays.ephemeral.attachments]
    menu = await eva.press(shown, "⋯")
    assert menu.ephemeral is not None
    assert labels(menu.ephemeral) == ["La mesa en palabras", "Reglas de la mesa", "Mi perfil", "Mis ajustes", "Volver"]
    words = await eva.press(menu.ephemeral, "La mesa en palabras")
    assert "Mazo: " in words.text()
    rules = await eva.press(shown, "Reglas")
    assert "Clásico" in rules.text()
    assert boards(duel.place) == [shown]
    assert complaints.failures() == []


async def test_a_hand_is_refreshed_and_only_the_newest_stays(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    waiting = next(player for player in duel.players if not player.on_turn)
    playing = await duel.on_turn()
    assert playing is not None
    first, waited = playing.hand, waiting.hand
    assert first is not None
    assert waited is not None
    await playing.turn()
    await server.until(lambda: waiting.on_turn)
    assert waiting.hand is waited
    assert not waited.deleted
    again = await playing.look()
    assert again is not first
    await server.until(lambda: first.deleted)
    assert "Ordenar por valor" in labels(again)
    await playing.press(again, "Ordenar por valor")
    assert "Ordenar por palo" in labels(again)
    await playing.press(again, "Palos en dos colores")
    assert "Palos en cuatro colores" in labels(again)
    playing.person.dismiss(again)
    await waiting.turn()
    await server.settle()
    assert complaints.failures() == []


async def test_picked_cards_survive_in_the_message(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    player = await duel.on_turn()
    assert player is not None
    await player.press(player.hand or board(duel.place), "Robar")
    hand = player.hand
    assert hand is not None
    menu = next(select.custom_id for select in selects(hand) if select.custom_id.startswith("p:"))
    await player.pick(hand, menu, ["0", "1"])
    assert "Elegidas: " in player.text
    assert "Bajar" not in labels(hand)
    assert [label for label in labels(hand, enabled=False) if label.endswith(" (2)")] == [
        *("Bajar (2)", "Agregar (2)", "Descartar (2)"),
    ]
    await player.pick(hand, menu, [])
    assert "Elegidas: " not in player.text
    await player.pick(hand, menu, ["0"])
    before = len(notices(duel.place))
    assert "Descartar (1)" in labels(hand)
    await player.press(hand, "Descartar (1)")
    assert not player.on_turn
    assert before <= 1
    assert complaints.failures() == []


async def test_a_cancelled_table_keeps_no_buttons(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.open(mode="1v1")
    await server.until(lambda: bool(boards(place)))
    lobby = board(place)
    cancelled = await company.players[0].press(lobby, "Cancelar la mesa")
    assert "La mesa se canceló." in cancelled.text()
    await server.until(lambda: buttons(lobby) == [])
    assert "Esta mesa se canceló." in text_of(lobby)
    assert len(posts(server, place)) == 1
    assert complaints.failures() == []
