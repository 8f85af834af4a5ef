"""What goes over the line to Discord: nobody is called but who is meant, and no token is told to any log."""

from typing import Any

import pytest

from tests.discord.wire.player import Company, board, boards, version
from tests.discord.wire.product import Complaints, Product
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel
from tests.loud import logs_at_debug

NASTY = ("@everyone", "<@&123456789012345678>", "<@123456789012345678> @here", "[x](https://evil.example)")


def _messages(body: Any) -> list[dict[str, Any]]:
    """The messages in what a request says: it is one, or an answer that holds one."""
    found = [body, body.get("data")] if isinstance(body, dict) else []
    return [
        message
        for message in found
        if isinstance(message, dict)
        and ("content" in message or message.get("components"))
        and "custom_id" not in message
    ]


async def test_whatever_people_are_called_only_those_on_turn_are_pinged(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    """Every message of a match: new, edited in its channel, edited through a press, private, and each answer."""
    company = Company(place, *(server.user(name) for name in NASTY))
    await company.open(mode="2v2")
    await server.until(lambda: bool(boards(place)))
    for player in company.players[1:]:
        before = version(board(place))
        await player.press(board(place), "Sentarme")
        await server.until(lambda before=before: version(board(place)) > before)  # type: ignore[misc]
    await company.players[0].press(board(place), "Empezar")
    await company.take_up()
    for player in company.players:
        await player.mano()
    await company.play(3)
    server.advance(901)
    for player in company.players:
        await player.mano()
    await company.play(2)
    await company.players[0].person.slash(place, "buraco", "mesa")
    await company.shown()
    said = [(call, message) for call in server.calls for message in _messages(call.body)]
    kinds = {(call.method, call.route) for call, _ in said}
    assert len(kinds) >= 4, kinds
    assert any((message.get("allowed_mentions") or {}).get("users") for _, message in said), "somebody was called"
    ours = {str(player.person.id) for player in company.players}
    for call, message in said:
        allowed = message.get("allowed_mentions")
        assert allowed is not None, (call.method, call.route)
        assert allowed.get("parse") == [], (call.method, call.route)
        assert not allowed.get("roles")
        assert {str(user) for user in allowed.get("users", ())} <= ours
        if allowed.get("users"):
            assert (call.method, call.route.rpartition("/")[2]) == ("POST", "messages"), "a notice of whose turn it is"
    assert complaints.failures() == []


async def test_no_token_is_logged_by_anything_at_debug(
    server: DiscordServer, place: Channel, product: Product, caplog: pytest.LogCaptureFixture, capsys: Any
) -> None:
    """Neither the bot's nor those of interactions, with which anybody could answer in its name for a while."""
    with logs_at_debug(caplog):
        company = Company(place, server.user("Ana"), server.user("Beto"))
        await company.start(mode="1v1")
        server.fail("PATCH", "/channels/{channel_id}/messages", 500, times=1)
        await company.play(2)
        await company.shown()
        tokens = [interaction.token for interaction in server.interactions.values()]
    out = capsys.readouterr()
    told = caplog.text + out.err + out.out
    assert "press" in told
    assert len(tokens) > 5
    for secret in (server.bot_token, *tokens):
        assert secret not in told
