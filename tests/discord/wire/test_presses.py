"""Presses that make no sense any more or never did: a short private answer, and nothing happens."""

from typing import Any

import pytest

from bot.tokens import base36, read_token
from tests.discord.wire.looks import Select, buttons, selects
from tests.discord.wire.people import Outcome
from tests.discord.wire.player import Company, Player, board, boards, version
from tests.discord.wire.product import Complaints, Product
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel, Message

UNKNOWN = "Ese botón ya no sirve."
ANSWERS = (UNKNOWN, "No encuentro esa mesa")
FORGED = (
    *("garbage", "x" * 100, "1:" + ":".join("0" * 20 for _ in range(4)), "1:nosuchtable:0:dr"),
    *("p:0:nosuchtable:0", "p:0", "d:", "\U0001f0cf" * 50),
)
"""Ids that no button of ours has."""
STALE = "La mesa cambió mientras tanto"


@pytest.fixture
async def duel(server: DiscordServer, place: Channel, product: Product) -> Company:
    """Two people in the middle of a match."""
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    await company.shown()
    return company


async def _on_turn(company: Company) -> tuple[Player, Message]:
    player = await company.on_turn()
    assert player is not None
    assert player.hand is not None
    return player, player.hand


def _other(company: Company, player: Player) -> Player:
    return next(other for other in company.players if other is not player)


async def _send(player: Player, message: Message, select: Select, values: list[str]) -> Outcome:
    """Send values that the menu does not offer, as a client of somebody's own making would."""
    data: dict[str, Any] = {"values": values}
    return await player.person._component(message, select.kind, select.data, data)


async def test_strangers(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    eva, before = server.user("Eva"), version(board(duel.place))
    for label in ("Robar", "Mi mano"):
        told = await eva.press(board(duel.place), label)
        assert told.ephemeral is not None
        assert "No juegas en esta mesa, pero puedes mirar." in told.text()
    assert version(board(duel.place)) == before
    assert complaints.failures() == []


async def test_out_of_turn(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    player, _ = await _on_turn(duel)
    before = version(board(duel.place))
    told = await _other(duel, player).press(board(duel.place), "Robar")
    assert told.ephemeral is not None
    assert f"Es el turno de {player.name}." in told.text()
    assert version(board(duel.place)) == before
    assert complaints.failures() == []


async def test_drawing_from_the_table_brings_the_hand(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    player, before = await _on_turn(duel)
    drawn = await player.press(board(duel.place), "Robar")
    assert drawn.ephemeral is player.hand
    assert player.hand is not before
    await server.until(lambda: before.deleted)
    assert "Robaste" in player.text
    assert complaints.failures() == []


async def test_a_hand_of_an_older_version(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    """The hand could not be brought up to date meanwhile; its buttons get the fresh one in its place."""
    player, hand = await _on_turn(duel)
    server.fail("PATCH", "/webhooks", 404, 10015, times=50)
    server.fail("DELETE", "/webhooks", 404, 10015, times=50)
    await player.person.press(board(duel.place), "Robar")
    await server.until(lambda: version(board(duel.place)) > version(hand))
    await server.settle()
    for fault in server._faults:
        fault.times = 0
    old = version(hand)
    told = await player.press(hand, "Robar")
    assert STALE in told.text()
    assert told.message is hand
    assert version(hand) == old + 1
    assert player.on_turn
    assert complaints.failures() == []


async def test_values_that_a_menu_does_not_offer(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    player, hand = await _on_turn(duel)
    await player.press(hand, "Robar")
    before = version(hand)
    for values in (["999"], ["99"], ["abc"], ["-1"], ["²"], [], ["0", "1"], ["1" * 90]):
        for select in selects(hand):
            told = await _send(player, hand, select, values)
            assert told.ack == 6
            await server.settle()
    assert version(hand) == before
    assert "Robaste" in player.text
    assert complaints.failures() == []


async def test_forged_ids(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    """Whatever the id that a button claims to have, also one that its message does not hold."""
    player, hand = await _on_turn(duel)
    before = version(hand)
    token = next(button.custom_id for button in buttons(hand))
    forged = [token.replace(":", ";"), f"{token}:zz:zz", f"p:²:{token.split(':')[1]}:0", *FORGED]
    server.patience = 1.0
    for custom_id in forged:
        for where in (board(duel.place), hand):
            told = await player.person.press(where, custom_id=custom_id, stale=True)
            assert told.ack == 6, custom_id
            assert any(words in told.text() for words in ANSWERS), custom_id
            assert told.ephemeral is not None
    assert version(board(duel.place)) == before
    assert complaints.failures() == []


async def test_an_old_button_of_the_table(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    """The message was edited while the finger was on its way."""
    player, hand = await _on_turn(duel)
    old = next(button.custom_id for button in buttons(board(duel.place)) if button.label == "Robar")
    await player.press(hand, "Robar")
    shown = await duel.shown()
    assert old not in [button.custom_id for button in buttons(shown)]
    server.patience = 1.0
    told = await player.person.press(shown, custom_id=old, stale=True)
    assert told.ack == 6
    assert STALE in told.text()
    assert version(board(duel.place)) == read_token(old).version + 1
    assert complaints.failures() == []


async def test_an_old_menu_of_the_hand(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    player, hand = await _on_turn(duel)
    await player.press(hand, "Robar")
    menu = next(select for select in selects(hand) if select.custom_id.startswith("p:"))
    before = version(hand)
    old = menu.custom_id.rpartition(":")[0] + ":" + base36(before - 1)
    server.patience = 1.0
    data = {"values": ["0"]}
    told = await player.person._component(hand, menu.kind, {**menu.data, "custom_id": old}, data)
    assert told.ack == 6
    assert STALE in told.text()
    assert "Elegidas" not in told.text()
    assert complaints.failures() == []


async def test_a_button_of_another_table(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    elsewhere = server.channel(server.guild("Otra"), "general")
    others = Company(elsewhere, server.user("Caro"), server.user("Dani"))
    await others.start(mode="1v1")
    foreign = next(button.custom_id for button in buttons(board(elsewhere)) if button.label == "Robar")
    player, _ = await _on_turn(duel)
    server.patience = 1.0
    before = version(board(elsewhere))
    told = await player.person.press(board(duel.place), custom_id=foreign, stale=True)
    assert told.ack == 6
    assert "No juegas en esta mesa, pero puedes mirar." in told.text()
    assert version(board(elsewhere)) == before
    assert len(boards(elsewhere)) == 1
    assert complaints.failures() == []
