"""What goes wrong around the bot: channels that close, a Discord that fails, messages that get lost."""

import itertools
import threading
from typing import Any

import pytest
from discord.gateway import KeepAliveHandler

from adapters.discord.platform import DiscordUnavailable
from tests.discord.wire.looks import text_of
from tests.discord.wire.messages import walk
from tests.discord.wire.player import Company, board, boards, labels, notices, version
from tests.discord.wire.product import Complaints, Product, posts
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import (
    ATTACH_FILES,
    EMBED_LINKS,
    EXTERNAL_EMOJIS,
    PUBLIC_THREADS,
    READ_HISTORY,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    Channel,
    Message,
)

MESSAGES = "/channels/{channel_id}/messages"


@pytest.fixture
async def duel(server: DiscordServer, place: Channel, product: Product) -> Company:
    """Two people in the middle of a match, with hands that came by command."""
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.start(mode="1v1")
    for player in company.players:
        await player.mano()
    await company.shown()
    return company


async def _move(company: Company) -> None:
    """One step of whoever is on turn."""
    player = await company.on_turn()
    assert player is not None
    before = version(player.hand or board(company.place))
    await player.step()
    assert version(player.hand or board(company.place)) > before


def in_words(hand: Message) -> bool:
    """Whether a hand of eleven cards or more is told in words, and has no picture; it has one of both."""
    told = "".join(item.get("content") or "" for item in walk(hand.components))
    words, picture = sum(told.count(card) for card in "♥♦♣♠🃏") >= 11, bool(hand.attachments)
    assert words != picture
    return words


async def _forget_presses(server: DiscordServer, company: Company) -> None:
    """Let the tokens of the presses expire: from now on messages are edited in their channels."""
    server.advance(901)
    for player in company.players:
        await player.mano()


# Messages and places that go.


async def test_a_deleted_table_comes_back(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    before = board(duel.place)
    posted = len(posts(server, duel.place))
    server.delete_message(before)
    after = await duel.shown()
    assert version(after) == version(before)
    assert len(posts(server, duel.place)) == posted + 1
    await _move(duel)
    assert await duel.shown() is after
    assert complaints.failures() == []


async def test_deleted_again_at_once_it_stays_away_until_the_next_move(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    posted = len(posts(server, duel.place))
    for _ in range(6):
        for message in boards(duel.place):
            server.delete_message(message)
        await server.settle(0.15)
    assert len(posts(server, duel.place)) == posted + 1
    assert boards(duel.place) == []
    await _move(duel)
    await duel.shown()
    assert complaints.failures() == []


async def test_purged_messages(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    """A moderator sweeps the channel; at the next move at the latest the table is there again."""
    swept = list(duel.place.messages.values())
    for message in swept:
        message.deleted = True
        del duel.place.messages[message.id]
    server.gateway.dispatch(
        "MESSAGE_DELETE_BULK",
        {
            "ids": [str(message.id) for message in swept],
            "channel_id": str(duel.place.id),
            "guild_id": str(duel.place.guild.id) if duel.place.guild else "",
        },
    )
    await server.settle()
    server.advance(901)
    for player in duel.players:
        await player.mano()
    await _move(duel)
    await duel.shown()
    assert complaints.failures() == []


async def test_a_deleted_channel(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    server.delete_channel(duel.place)
    elsewhere = server.channel(server.guild("Otra"), "general")
    for player in duel.players:
        assert "Tu mano · " in (await player.mano(elsewhere)).text()
    for _ in range(6):
        await _move(duel)
    assert elsewhere.messages == {}
    await duel.players[0].person.slash(elsewhere, "buraco", "mesa")
    await server.until(lambda: bool(boards(elsewhere)))
    assert complaints.failures() == []


async def test_the_bot_is_removed(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    assert duel.place.guild is not None
    server.remove_bot(duel.place.guild)
    for player in duel.players:
        assert "Tu mano · " in (await player.mano(server.dm(player.person))).text()
    for _ in range(4):
        await _move(duel)
    assert len(complaints.named("discord.guild_left")) == 1
    assert complaints.failures() == []


@pytest.mark.parametrize("told", [True, False], ids=["told", "not told"])
@pytest.mark.parametrize("lost", [VIEW_CHANNEL, SEND_MESSAGES])
async def test_rights_that_are_taken_and_given_back(
    duel: Company, server: DiscordServer, complaints: Complaints, lost: int, told: bool
) -> None:
    await _forget_presses(server, duel)
    duel.place.bot_permissions &= ~lost
    for _ in range(5):
        await _move(duel)

    def refused() -> list[Any]:
        return [call for call in server.refused if call.route.startswith("/channels")]

    # The board is shown beside the moves.
    await server.until(lambda: bool(refused()))
    assert len(refused()) <= 5
    duel.place.bot_permissions |= lost
    if told:
        # Shown at once: nobody has to press, and nobody to play.
        server.gateway.dispatch("CHANNEL_UPDATE", duel.place.json(server.bot))
    else:
        await server.user("Eva").press(board(duel.place), "Reglas")
        await _move(duel)
    await duel.shown()
    await server.until(lambda: len(notices(duel.place)) <= 1)
    assert complaints.failures() == []


@pytest.mark.parametrize("lost", [READ_HISTORY, EXTERNAL_EMOJIS, EMBED_LINKS, PUBLIC_THREADS])
async def test_rights_that_a_match_can_do_without(
    duel: Company, server: DiscordServer, complaints: Complaints, lost: int
) -> None:
    """The table goes on where it is, with its picture, and nothing is refused."""
    await _forget_presses(server, duel)
    duel.place.bot_permissions &= ~lost
    refused = len(server.refused)
    for _ in range(3):
        await _move(duel)
        await duel.shown()
    assert [item.filename for item in board(duel.place).attachments] == ["mesa.png"]
    assert len(server.refused) == refused
    assert complaints.failures() == []


async def test_without_the_right_to_attach_the_table_stands_there_in_words_and_says_why(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    await _forget_presses(server, duel)
    duel.place.bot_permissions &= ~ATTACH_FILES
    await _move(duel)
    shown = await duel.shown()
    assert shown.attachments == []
    told = text_of(shown)
    assert "me falta permiso para jugar: «Adjuntar archivos»" in told
    assert "Mazo:" in told, "all that the picture would show"
    duel.place.bot_permissions |= ATTACH_FILES
    await _move(duel)
    shown = await duel.shown()
    assert [item.filename for item in shown.attachments] == ["mesa.png"]
    assert "me falta permiso" not in text_of(shown)
    assert complaints.failures() == []


async def test_a_thread_that_is_locked_is_left_alone_until_it_is_opened(
    server: DiscordServer, place: Channel, product: Product, complaints: Complaints
) -> None:
    company = Company(place, server.user("Ana"), server.user("Beto"))
    await company.open(mode="1v1", hilo=True)
    thread = next(channel for channel in server.channels.values() if channel.is_thread)
    await server.until(lambda: bool(boards(thread)))
    company.place = thread
    for player in company.players:
        player.place = thread
    await company.sit_down()
    await company.players[0].press(board(thread), "Empezar")
    for player in company.players:
        player.place = place
    await company.shown()
    await _forget_presses(server, company)

    def refused() -> list[Any]:
        return [call for call in server.refused if call.route.startswith("/channels")]

    thread.archived = thread.locked = True
    for _ in range(5):
        await _move(company)
    await server.until(lambda: bool(refused()))
    await server.settle()
    # An edit, and a message in its place: then it is left alone, and the match goes on in private.
    assert len(refused()) <= 2
    assert place.messages == {}, "whoever locked it did not mean the channel around it"
    assert thread.archived
    thread.archived = thread.locked = False
    server.gateway.dispatch("THREAD_UPDATE", thread.json(server.bot))
    await company.shown()
    assert complaints.failures() == []


async def test_a_word_filter_gets_a_table_without_names(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    assert duel.place.guild is not None
    assert "Beto" in text_of(board(duel.place))
    duel.place.guild.filtered = "Beto"
    for _ in range(3):
        await _move(duel)
        await duel.shown()
    shown = board(duel.place)
    told = text_of(shown)
    assert "El filtro de palabras de este servidor no deja mostrar los nombres." in told
    assert "Beto" not in told
    assert "Ana" not in told
    assert "Mi mano" in labels(shown), "and it can be played on"
    blocked = [call for call in server.refused if call.result["code"] == 200000]
    assert len(blocked) == 1, "moderators are told of each"
    assert notices(duel.place), "and whoever is on turn is called"
    assert complaints.failures() == []


# A Discord that fails.


async def test_a_limit_in_one_channel_holds_up_no_other(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    elsewhere = server.channel(server.guild("Otra"), "general")
    server.patience = 20.0
    others = Company(elsewhere, server.user("Caro"), server.user("Dani"))
    await others.start(mode="1v1")
    await others.shown()
    await _forget_presses(server, duel)
    await _forget_presses(server, others)
    # However long the others take: the limit is on until they have been shown.
    server.fail("PATCH", f"/channels/{duel.place.id}/messages", 429, times=1000, retry_after=1.0)
    limited, before = server._faults[-1], version(board(duel.place))
    await _move(duel)
    for _ in range(3):
        await _move(others)
        await others.shown()
    assert version(board(duel.place)) == before, "the limit is still on"
    assert limited.times < 1000, "it was met"
    limited.times = 0
    await duel.shown()
    assert version(board(duel.place)) > before
    assert complaints.failures("announce.failed") == []


async def test_after_an_outage_the_newest_state_is_shown_once(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    await _forget_presses(server, duel)
    server.fail("PATCH", MESSAGES, 503, times=1000)
    edits, before = board(duel.place).edits, version(board(duel.place))
    for _ in range(5):
        await _move(duel)
    assert version(board(duel.place)) == before
    for fault in server._faults:
        fault.times = 0
    await _move(duel)
    shown = await duel.shown()
    assert shown.edits - edits <= 2
    assert len(notices(duel.place)) <= 1
    assert complaints.failures("announce.failed") == []


async def test_a_single_server_error_is_not_noticed(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    await _forget_presses(server, duel)
    server.fail("PATCH", MESSAGES, 500)
    await _move(duel)
    await duel.shown()
    assert complaints.failures() == []


async def test_a_table_whose_posting_was_not_answered_stands_there_once(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    """The message was made but the answer was lost, again and again, while the game went on."""
    await _forget_presses(server, duel)
    server.fail("POST", MESSAGES, drop=True, applied=True, times=4)
    before = board(duel.place)
    await duel.players[0].person.slash(duel.place, "buraco", "mesa")
    for _ in range(3):
        await _move(duel)
    await server.until(lambda: before.deleted)
    await duel.shown()
    await server.until(lambda: len(notices(duel.place)) <= 1)
    assert complaints.failures("announce.failed") == []


async def test_a_failure_of_the_notice_does_not_hold_up_the_table(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    await _forget_presses(server, duel)
    server.fail("POST", MESSAGES, 503, times=3)
    player = await duel.on_turn()
    assert player is not None
    await player.turn()
    await duel.shown()
    await _move(duel)
    await duel.shown()
    assert len(boards(duel.place)) == 1
    assert complaints.failures("announce.failed") == []


async def test_a_move_whose_answer_cannot_be_shown_counts(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    """Nobody is told that a move was not done which was."""
    player = await duel.on_turn()
    assert player is not None
    assert player.hand is not None
    before = version(board(duel.place))
    server.fail("PATCH", "/webhooks", 400, 50035, times=2)  # with its picture, and in words
    await player.person.press(player.hand, "Robar")
    await server.until(lambda: version(board(duel.place)) > before)
    assert "Algo falló" not in "\n".join(text_of(message) for message in server.all_messages())
    assert complaints.failures("discord.not_shown") == []


@pytest.mark.parametrize(("method", "path"), [("POST", "/interactions"), ("PATCH", "/webhooks")])
async def test_a_connection_that_breaks_in_the_middle_of_a_press(
    duel: Company, server: DiscordServer, complaints: Complaints, method: str, path: str
) -> None:
    player = await duel.on_turn()
    assert player is not None
    assert player.hand is not None
    before = version(board(duel.place))
    server.fail(method, path, drop=True, applied=True)
    await player.person.press(player.hand, "Robar")
    await server.until(lambda: version(board(duel.place)) > before)
    await server.until(lambda: "Robaste" in player.text)
    assert complaints.failures() == []


# Interactions that come late, twice or never.


async def test_expired_tokens(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    hands = [player.hand for player in duel.players]
    await duel.players[0].press(board(duel.place), "Mi mano")
    server.advance(901)
    for player in duel.players:
        await player.mano()
    for _ in range(4):
        await _move(duel)
    await duel.shown()
    assert all(player.hand not in hands for player in duel.players)
    assert complaints.failures() == []


async def test_a_late_acknowledgement(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    player = await duel.on_turn()
    assert player is not None
    assert player.hand is not None
    before = version(board(duel.place))
    window, patience = server.ack_window, server.patience
    server.ack_window, server.patience = -1.0, 0.3
    late = await player.person.press(player.hand, "Robar")
    assert late.ack is None
    server.ack_window, server.patience = window, patience
    await server.until(lambda: version(board(duel.place)) > before)
    await player.mano()
    assert player.on_turn
    assert "Robaste" in player.text
    assert complaints.failures() == []


async def test_the_same_interaction_twice(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    player = await duel.on_turn()
    assert player is not None
    before = version(board(duel.place))
    await player.press(player.hand or board(duel.place), "Robar")
    events = itertools.chain.from_iterable(session.log for session in server.gateway.sessions.values())
    last = [event for event in events if event["t"] == "INTERACTION_CREATE"][-1]
    for _ in range(2):
        server.gateway.dispatch("INTERACTION_CREATE", last["d"])
        await server.settle()
    shown = await duel.shown()
    assert version(shown) == before + 1
    assert version(player.hand or shown) == before + 1
    assert complaints.failures() == []


async def test_a_dropped_connection_is_resumed(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    server.drop()
    await _move(duel)
    await server.until(lambda: server.gateway.resumes == 1)
    server.gateway.reconnect()
    await server.until(lambda: server.gateway.resumes == 2)
    await _move(duel)
    await duel.shown()
    assert len(server.gateway.identifies) == 1
    assert complaints.failures() == []


async def test_a_lost_session_is_begun_anew(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    server.drop(4000, resumable=False)
    await server.until(lambda: len(server.gateway.identifies) == 2)
    await server.connected()
    await _move(duel)
    await duel.shown()
    assert len(server.calls_to("PUT", "/applications/{application_id}/commands")) == 1
    assert complaints.failures() == []


async def test_a_refused_token(server: DiscordServer, place: Channel, at_once: None, complaints: Complaints) -> None:
    product = Product(server, token="wrong")
    with pytest.raises(DiscordUnavailable, match="DISCORD_TOKEN is not accepted"):
        await product.start()
    await product.stop()
    assert "wrong" not in str(complaints.events)
    server.check()


@pytest.mark.parametrize("drop", [False, True])
async def test_discord_is_away_at_the_start(
    server: DiscordServer, place: Channel, at_once: None, complaints: Complaints, drop: bool
) -> None:
    product = Product(server)
    server.fail("GET", "/users/@me", 503, times=3, drop=drop)
    try:
        assert await product.start() == ""
        assert product.told == []
        await product.ready()
        opened = await server.user("Ana").slash(place, "buraco", "nueva")
        assert "Mesa abierta" in opened.text()
        await server.until(lambda: bool(boards(place)))
    finally:
        await product.stop()
    assert complaints.failures() == []
    server.check()


# Refusals that add up, and sessions that are spent.


async def test_too_many_refusals_hold_back_everything_but_answers(
    duel: Company, server: DiscordServer, product: Product, complaints: Complaints
) -> None:
    now = [0.0]
    refusals = product.platform._refusals
    refusals._now = lambda: now[0]
    await _forget_presses(server, duel)
    server.fail("PATCH", MESSAGES, 403, 50013)
    await _move(duel)
    await server.until(lambda: any(call.status == 403 for call in server.refused))
    await server.settle()
    assert refusals.count == len(server.refused), "every refusal on the wire is counted"
    refusals._most = refusals.count
    # Another channel, which refuses nothing: the table's message waits there, people's answers do not.
    elsewhere = server.channel(server.guild("Otra"), "general")
    made = [call for call in server.calls if call.path.startswith("/channels")]
    caro = server.user("Caro")
    opened = await caro.slash(elsewhere, "buraco", "nueva")
    assert "Mesa abierta" in opened.text()
    for _ in range(2):
        await _move(duel)
    await server.settle()
    assert [call for call in server.calls if call.path.startswith("/channels")] == made
    assert len(complaints.named("discord.held_back")) == 1
    now[0] += 700
    await caro.slash(elsewhere, "buraco", "mesa")
    await server.until(lambda: bool(boards(elsewhere)))
    assert complaints.failures("announce.failed", "discord.held_back", "discord.not_called") == []


async def test_without_sessions_left_none_is_begun(
    server: DiscordServer, place: Channel, at_once: None, complaints: Complaints
) -> None:
    server.sessions_left = 3
    product = Product(server)
    try:
        assert await product.start() == "buraco"
        await server.until(lambda: bool(complaints.named("discord.no_sessions")))
        await server.settle()
        assert server.gateway.identifies == []
    finally:
        await product.stop()
    beating = [one for one in threading.enumerate() if isinstance(one, KeepAliveHandler) and not one._stop_ev.is_set()]
    assert beating == [], "nothing of the connection stays"
    assert complaints.named("discord.few_sessions")
    server.check()


@pytest.mark.parametrize("code", [40005, 0])
async def test_a_picture_that_is_refused_leaves_the_table_in_words(
    duel: Company, server: DiscordServer, complaints: Complaints, code: int
) -> None:
    await _forget_presses(server, duel)
    server.fail("PATCH", MESSAGES, 413, code)
    await _move(duel)
    assert "Mazo:" in text_of(await duel.shown())
    assert len(complaints.named("discord.picture_refused")) == 1
    await _move(duel)
    await duel.shown()
    with_pictures = [bool(call.files) for call in server.calls_to("PATCH", MESSAGES)]
    assert with_pictures == [True, False, True], "refused, in words, and as a picture again"
    assert complaints.failures() == []


@pytest.mark.parametrize(
    "refusal", [{"status": 413, "code": 40005}, {"status": 413}, {"status": 400, "code": 50035}, {"drop": True}]
)
async def test_a_hand_whose_picture_is_refused_stands_there_in_words(
    duel: Company, server: DiscordServer, complaints: Complaints, refusal: dict[str, Any]
) -> None:
    """In the message that was pressed, and in the answer to a command."""
    player = await duel.on_turn()
    assert player is not None
    hand = player.hand
    assert hand is not None
    assert not in_words(hand)
    server.fail("PATCH", "/webhooks", **refusal)
    await player.press(hand, "Robar")
    assert player.hand is hand
    assert in_words(hand)
    assert labels(hand), "there is something to do"

    server.fail("PATCH", "/webhooks", **refusal)
    await player.mano()
    assert player.hand is not None
    assert player.hand is not hand
    assert in_words(player.hand)

    assert len(complaints.named("discord.picture_refused")) == 2
    assert complaints.failures() == []


async def test_an_open_hand_whose_picture_is_refused_is_brought_up_to_date_in_words(
    duel: Company, server: DiscordServer, complaints: Complaints
) -> None:
    player = await duel.on_turn()
    assert player is not None
    waiting = next(one for one in duel.players if one is not player)
    hand = waiting.hand
    assert hand is not None
    assert hand.interaction is not None
    server.fail("PATCH", f"/webhooks/{server.bot.id}/{hand.interaction.token}", 413, 40005)
    await player.turn()
    await server.until(lambda: waiting.on_turn)
    assert waiting.hand is hand
    assert in_words(hand)
    await waiting.press(hand, "Robar")
    assert not in_words(hand), "the next version has its picture again"
    assert len(complaints.named("discord.picture_refused")) == 1
    assert complaints.failures() == []


async def test_an_outage_without_another_move(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    """The gateway stands, but no message can be changed for long: then the newest state comes by itself, once."""
    await _forget_presses(server, duel)
    server.fail("PATCH", MESSAGES, 503, times=10**6)
    edits = board(duel.place).edits
    for _ in range(3):
        await _move(duel)
    await server.until(lambda: len(complaints.named("announce.failed")) > 6)
    assert board(duel.place).edits == edits
    for fault in server._faults:
        fault.times = 0
    shown = await duel.shown()
    assert shown.edits == edits + 1
    assert complaints.failures("announce.failed") == []


async def test_the_bot_comes_back_to_a_server(duel: Company, server: DiscordServer, complaints: Complaints) -> None:
    guild = duel.place.guild
    assert guild is not None
    await _forget_presses(server, duel)
    server.remove_bot(guild)
    duel.place.bot_permissions = 0
    await _move(duel)
    await server.settle()
    refused = len(server.refused)
    for _ in range(3):
        await _move(duel)
    await server.settle()
    assert len([call for call in server.refused[refused:] if call.route.startswith("/channels")]) <= 1, "left alone"
    guild.installed, duel.place.bot_permissions = True, server.channel(guild, "otro").bot_permissions
    server.gateway.dispatch("GUILD_CREATE", server.gateway.guild_json(guild), 1)
    await duel.players[0].person.slash(duel.place, "buraco", "mesa")
    await duel.shown()
    await _move(duel)
    await duel.shown()
    assert complaints.failures() == []
