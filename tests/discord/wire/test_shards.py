"""Two clusters, each with a part of the shards, over one database: a server belongs to one of them."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from adapters.discord import shards
from adapters.discord.shards import Reach, ShardRange, identify_key
from adapters.storage import open_store
from bot.model import Home
from bot.store import Store
from bot.tokens import Intent, Verb, write_token
from tests.discord.wire.player import Company, board, boards, notices, version
from tests.discord.wire.product import Complaints, Product, QuickClock
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel
from tests.postgres import Server, end_of, shared_server

PARTS = (ShardRange(range(1), 2), ShardRange(range(1, 2), 2))


class BriskClock(QuickClock):
    """Time that passes quickly, but not so that looking for work is all that is done."""

    async def sleep(self, seconds: float) -> None:
        """Let the others run."""
        if seconds > 60:
            await asyncio.get_running_loop().create_future()
        await asyncio.sleep(min(seconds, 0.05))


def place_of(server: DiscordServer, part: ShardRange) -> Channel:
    """A channel in a server of some shards."""
    while True:
        guild = server.guild("Casa", installed=False)
        server.advance(0.001)
        if part.has(guild.id):
            guild.installed = True
            return server.channel(guild, "general")


@pytest.fixture(scope="module")
def databases() -> Iterator[Server]:
    """A PostgreSQL server; what is called ``server`` here is Discord's."""
    found = shared_server()
    yield found
    end_of(found)


@pytest.fixture
async def stores(databases: Server) -> AsyncIterator[list[Store]]:
    """A store for each cluster."""
    name = await databases.database()
    opened = [await open_store(databases.url(name)) for _ in PARTS]
    yield opened
    for store in opened:
        await store.close()


@pytest.fixture
async def clusters(
    server: DiscordServer, stores: list[Store], complaints: Complaints, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[list[Product], list[Channel]]]:
    """Two clusters that are connected, and a channel in a server of each."""
    monkeypatch.setattr(shards, "IDENTIFY_SECONDS", 0.3)
    places = [place_of(server, part) for part in PARTS]
    products = [
        Product(server, store=store, shards=part, clock=BriskClock())  # type: ignore[arg-type]
        for store, part in zip(stores, PARTS, strict=True)
    ]
    try:
        await asyncio.gather(*(product.start() for product in products))
        for product in products:
            await product.ready()
        yield products, places
    finally:
        for product in products:
            await product.app.stop()
            await product.platform.stop()


Clusters = tuple[list[Product], list[Channel]]


async def test_each_cluster_begins_the_sessions_of_its_shards(clusters: Clusters, server: DiscordServer) -> None:
    assert sorted(identify["shard"] for identify in server.gateway.identifies) == [[0, 2], [1, 2]]
    assert [len(product.client.guilds) for product in clusters[0]] == [1, 1]
    assert len(server.calls_to("GET", "/gateway/bot")) >= 2
    registered = [call for call in server.calls if call.method == "PUT" and "commands" in call.route]
    assert len(registered) == 1, "the commands are one cluster's to register"


async def test_a_server_s_table_is_shown_by_its_own_cluster_whoever_changes_it(
    clusters: Clusters, server: DiscordServer
) -> None:
    products, places = clusters
    for number, place in enumerate(places):
        assert place.guild is not None
        people = [server.user(f"{name}{number}", place.guild) for name in ("Ana", "Beto")]
        company = Company(place, *people)
        await company.start(mode="1v1")
        await company.play(2)
        record = await products[0].record(place)
        home = next(iter(await products[0].app.homes(record.table.id)))
        assert [product.platform.reaches(home) for product in products] == [number == 0, number == 1]
        # A change that the other cluster makes, as for somebody who plays from elsewhere.
        other = products[1 - number]
        player = await company.on_turn()
        assert player is not None
        person = await other.app.person(f"discord:{player.person.id}")
        assert person is not None
        before = version(board(place))
        record = await other.app.record(record.table.id)
        token = write_token(Intent(record.table.id, record.version, Verb.DRAW))
        answer = await other.app.press(person, token, f"elsewhere-{number}")
        assert answer.ok, answer.text
        assert (await other.app.record(record.table.id)).version > record.version
        await server.until(lambda place=place, before=before: bool(boards(place)) and version(board(place)) > before)  # type: ignore[misc]
        assert len(boards(place)) == 1, "nothing is posted twice"
        assert len(notices(place)) <= 1


async def test_a_place_that_nobody_knows_is_asked_for_once(clusters: Clusters, server: DiscordServer) -> None:
    products, places = clusters
    client = products[0].client
    reach = Reach(PARTS[0])
    archived = server.thread(places[0], "old")
    foreign = server.thread(places[1], "old too")
    gone = Home("t", "discord", "123456789")
    homes = [Home("t", "discord", str(channel.id)) for channel in (archived, foreign)]
    client._connection.clear()  # nothing is known any more
    assert not any(reach.has(home, client) for home in (*homes, gone))
    await server.until(lambda: not reach._asking)
    assert [reach.has(home, client) for home in (*homes, gone)] == [True, False, True]
    assert not reach.has(Home("t", "discord", "nowhere"), client)
    asked = len(server.calls_to("GET", "/channels/{channel_id}"))
    assert [reach.has(home, client) for home in (*homes, gone)] == [True, False, True]
    assert len(server.calls_to("GET", "/channels/{channel_id}")) == asked
    await reach.stop()


async def test_sessions_of_a_bucket_wait_for_each_other(clusters: Clusters, monkeypatch: pytest.MonkeyPatch) -> None:
    products, _ = clusters
    monkeypatch.setattr(shards, "IDENTIFY_SECONDS", 30.0)
    first, second = (product.client for product in products)
    assert isinstance(first, shards.ShardedClient)
    assert isinstance(second, shards.ShardedClient)
    await first.before_identify_hook(0)
    key = identify_key(first.application_id or 0, 0)
    assert not await products[1].app.leases.take(key), "for as long as Discord wants it"
    second.max_concurrency = 2
    await asyncio.wait_for(second.before_identify_hook(1), 60)
    waiting = asyncio.create_task(second.before_identify_hook(2))
    await asyncio.wait([waiting], timeout=0.5)
    assert not waiting.done()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


def test_servers_are_split_as_discord_splits_them() -> None:
    assert [ShardRange(range(2, 4), 8).has(guild << 22) for guild in range(8)] == [
        *(False, False, True, True),
        *(False, False, False, False),
    ]
    assert ShardRange(range(1), 8).has(0), "direct messages"
