"""The bot in Discord, from its first start to the end of a deal, as people see it."""

import random
from typing import Any

import msgspec
import pytest
from discord.app_commands import CommandTree

from adapters.discord.commands import add_commands
from adapters.discord.desk import FrontDesk
from adapters.discord.layout import told
from bot.model import Person
from bot.screening import private_screen, public_screen
from bot.screens import Screen
from bot.store import Record
from bot.tokens import Verb, read_token
from engine.seating import Seating
from render import PillowRenderer
from tests.bot.hiding import redealt
from tests.discord.wire.looks import buttons, selects, text_of
from tests.discord.wire.player import GOOD, Company, Player, board, boards, labels, mover, notices
from tests.discord.wire.product import Complaints, FlatRenderer, Product, posts
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel, Message

COMMANDS = "/applications/{application_id}/commands"


async def test_commands_are_registered_when_they_have_changed(
    server: DiscordServer, place: Channel, at_once: None, complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(product: Product) -> Product:
        await product.start()
        await product.ready()
        await product.stop()
        return product

    first = await run(Product(server))
    names = {
        "buraco",
        "reglas",
        "perfil",
        "ranking",
        "historial",
        "monedas",
        "ajustes",
        "mis_datos",
        "borrar_mis_datos",
    }
    assert {command["name"] for command in server.commands} == names
    assert "scope=bot" in first.told[0]
    assert str(server.bot.id) in first.told[0]
    await run(Product(server, store=first.store))
    assert len(server.calls_to("PUT", COMMANDS)) == 1

    def fewer(tree: CommandTree[Any], desk: FrontDesk) -> None:
        add_commands(tree, desk)
        tree.remove_command("reglas")

    monkeypatch.setattr("adapters.discord.client.add_commands", fewer)
    await run(Product(server, store=first.store))
    assert len(server.calls_to("PUT", COMMANDS)) == 2
    assert {command["name"] for command in server.commands} == names - {"reglas"}
    assert complaints.failures() == []
    server.check()


async def test_a_table_is_opened_and_its_seats_are_taken(
    server: DiscordServer, place: Channel, product: Product, company: Company, complaints: Complaints
) -> None:
    ana, beto, caro, dani = company.players
    opened = await company.open()
    assert opened.ack == 5
    assert opened.ephemeral is not None
    assert "Mesa abierta: Mesa de Ana. Código: " in opened.text()
    lobby = board(place)
    assert labels(lobby, enabled=False) == [
        *("Sentarme", "Pareja 1", "Pareja 2", "Salir"),
        *("+ Robot", "− Robot", "Expulsar", "Ceder la mesa", "Robots: cambiar a difícil"),
        *("Con corte", "Empezar", "Hacer privada", "Cancelar la mesa", "Reglas de la mesa"),
    ]
    await beto.press(lobby, "Pareja 2")
    await caro.press(lobby, "Pareja 2")
    full = await dani.person.press(lobby, custom_id=_id_of(lobby, "Pareja 2"), stale=True)
    assert "Esa pareja ya está completa." in full.text()
    taken = await dani.press(lobby, "Sentarme")
    assert "Te sentaste a la mesa." in taken.text()
    assert taken.ephemeral is not None
    await server.until(lambda: all(player.name in text_of(lobby) for player in company.players))
    not_hers = await dani.press(lobby, "Empezar")
    assert "Solo puede hacerlo quien dirige la mesa." in not_hers.text()
    await ana.press(lobby, "Empezar")
    await company.up_to_date("Robar")
    record = await product.record(place)
    seats = [chair.name for chair in record.table.chairs]
    assert {seats.index("Beto") % 2} == {seats.index("Caro") % 2} != {seats.index("Ana") % 2}
    shown = board(place)
    assert [item.filename for item in shown.attachments] == ["mesa.png"]
    assert "attachment_id" in str(shown.components)
    assert complaints.failures() == []


def _id_of(message: Message, label: str) -> str:
    return next(button.custom_id for button in buttons(message) if button.label == label)


def _ids(screen: Screen) -> list[str]:
    return [choice.token for row in screen.rows for choice in row]


def _check_public(message: Message, record: Record, chance: random.Random) -> None:
    """With everything dealt anew that nobody may see, the table's message would be the same to the last byte."""
    assert record.match is not None
    screen = public_screen(msgspec.structs.replace(record, match=redealt(record.match, chance, None)))
    assert screen.picture is not None
    assert text_of(message) == f"{told(screen)}\n{screen.alternative}"
    assert [button.custom_id for button in buttons(message)] == _ids(screen)
    assert [(item.filename, item.content) for item in message.attachments] == [
        ("mesa.png", FlatRenderer().table(screen.picture)),  # type: ignore[arg-type]
    ]


def _check_private(player: Player, record: Record, chance: random.Random, person: Person) -> None:
    """With everything dealt anew that one person may not see, their hand would be the same."""
    seat = record.table.seat_of(person.id)
    assert record.match is not None
    assert player.hand is not None
    screen = private_screen(msgspec.structs.replace(record, match=redealt(record.match, chance, seat)), person)
    assert screen is not None
    assert screen.picker is not None
    assert [(item.filename, item.content) for item in player.hand.attachments] == [
        ("mano.png", FlatRenderer().hand(screen.picture)),  # type: ignore[arg-type]
    ]
    assert screen.alternative in player.text
    for select in selects(player.hand):
        assert {option["label"].split(" · ")[1] for option in select.options} <= {c.label for c in screen.picker.cards}


async def test_nobody_sees_a_card_that_is_not_theirs(
    server: DiscordServer, place: Channel, product: Product, company: Company, complaints: Complaints
) -> None:
    await company.start()
    chance = random.Random(1)
    for _ in range(6):
        player = await company.on_turn()
        assert player is not None
        await player.step()
        shown = await company.shown()
        record = await product.record(place)
        _check_public(shown, record, chance)
        for other in company.players:
            person = await product.app.person(f"discord:{other.person.id}")
            assert person is not None
            _check_private(other, record, chance, person)
            assert other.hand is not None
            assert [item.name for item in company.players if item.person.sees(other.hand)] == [other.name]
            assert other.hand.id not in place.messages
        for notice in notices(place):
            assert [read_token(button.custom_id).verb for button in buttons(notice)] == [Verb.SHOW_HAND]
            assert notice.attachments == []
        await player.turn()
    assert complaints.failures() == []


async def test_a_turn_takes_four_taps_at_most(
    server: DiscordServer, place: Channel, product: Product, company: Company
) -> None:
    """From the call to the discard: look, draw, lay, discard; each further meld or question is one more tap."""
    await company.start()
    short = 0
    for _ in range(7):
        player = await company.on_turn()
        assert player is not None
        await company.shown()
        before, further = player.taps, 0
        await player.look()
        while player.on_turn:
            found = [button for button in buttons(_hand(player)) if not button.disabled]
            asked = found[-1].label == "Volver" or found[0].label.startswith("El ")
            further += asked or any(button.style == GOOD for button in found)
            await player.step()
        assert player.taps - before <= 3 + further
        short += player.taps - before <= 4
    assert short >= 2


def _hand(player: Player) -> Message:
    assert player.hand is not None
    return player.hand


async def test_a_whole_deal_and_the_next(
    server: DiscordServer, place: Channel, product: Product, company: Company, complaints: Complaints
) -> None:
    await company.start()
    posted = board(place)
    for _ in range(200):
        player = await company.on_turn()
        if player is None:
            break
        await player.turn()
        assert len(notices(place)) <= 1
    over = await company.shown()
    assert over is posted, "while a deal goes on, its message is edited"
    assert over.edits > 20
    await server.until(lambda: notices(place) == [])
    assert "Siguiente ronda" in labels(over)
    assert "En total" in text_of(over)
    assert 10 < len(posts(server, place)) < 40, "two boards, and a call for each turn"

    next_deal = await company["Beto"].press(over, "Siguiente ronda")
    assert "Se repartió." in next_deal.text()
    await company.up_to_date("Robar")
    await server.settle()
    anew = board(place)
    assert anew is not over
    assert place.messages[over.id] is over, "the result stays"
    assert "En total" in text_of(over)
    assert (buttons(over), over.attachments) == ([], [])
    assert "Ronda 2" in text_of(anew)
    assert server.refused == []
    assert complaints.failures() == []


async def test_only_the_mover_is_called_and_the_last_call_goes(
    server: DiscordServer, place: Channel, product: Product, company: Company, complaints: Complaints
) -> None:
    await company.start()
    await company.shown()
    first = notices(place)
    assert [set(map(str, notice.pinged)) for notice in first] == [{str(item.person) for item in company.players}]
    assert "¡empieza la partida!" in first[0].content
    for _ in range(4):
        player = await company.on_turn()
        assert player is not None
        await player.turn()
        shown = await company.shown()
        calling = notices(place)
        assert [notice.content for notice in calling] == [f"<@{company[mover(shown)].person.id}>: te toca."]
        assert calling[0].pinged == [company[mover(shown)].person]
        assert calling[0] not in first
        first = calling
    posted = posts(server, place)
    assert len(posted) == 7
    assert [bool(message["mentions"]) for message in posted] == [bool(message["content"]) for message in posted]
    assert complaints.failures() == []


async def test_robots_are_not_called(
    server: DiscordServer, place: Channel, product: Product, company: Company, complaints: Complaints
) -> None:
    ana = company.players[0]
    company.players = [ana]
    await company.start(mode="2v2")
    for _ in range(7):
        if await company.on_turn() is not None:
            await ana.step()
    await company.shown()
    called = [message["mentions"] for message in posts(server, place) if message["content"]]
    assert len(called) >= 2
    assert all([user["id"] for user in users] == [str(ana.person.id)] for users in called)
    assert len(notices(place)) <= 1
    assert len(boards(place)) == 1
    assert complaints.failures() == []


async def test_names_are_neither_mentions_nor_markup(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    victim = server.user("Víctima")
    company = Company(place, server.user("@everyone **a**"), server.user(f"<@{victim.id}> [b](http://x.yz)"))
    await company.open(mode="1v1")
    await server.until(lambda: bool(boards(place)))
    await company.players[1].press(board(place), "Sentarme")
    await company.players[0].press(board(place), "Empezar")
    await company.up_to_date("Robar")
    await server.settle()
    everything = "\n".join(text_of(message) for message in place.messages.values())
    assert "@everyone" not in everything
    assert f"<@{victim.id}>" not in everything
    assert "](http" not in everything
    assert all(victim not in message.pinged for message in place.messages.values())
    assert complaints.failures() == []


async def test_real_pictures(server: DiscordServer, place: Channel, at_once: None, complaints: Complaints) -> None:
    product = Product(server, renderer=PillowRenderer())
    await product.start()
    try:
        await product.ready()
        company = Company(place, server.user("Ana"), server.user("Beto"))
        await company.start(mode=Seating.ONE_ON_ONE.value)
        await company.play(2)
        shown = await company.shown()
        for message in (shown, *(_hand(player) for player in company.players)):
            size = message.attachments[0].dimensions()
            assert size["width"] > size["height"] > 100
            assert message.attachments[0].content[:4] == b"\x89PNG"
    finally:
        await product.stop()
    assert complaints.failures() == []
    server.check()
