"""Interactions over HTTP in place of the gateway: the same game, and nobody but Discord is heard."""

import asyncio
import io
import json
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
from nacl.signing import SigningKey

from adapters.discord.intake import WINDOW_SECONDS, InteractionSettings
from adapters.discord.platform import DiscordUnavailable
from tests.discord.wire.player import Company, board, version
from tests.discord.wire.product import Complaints, Product
from tests.discord.wire.server import DiscordServer
from tests.discord.wire.world import Channel, Json

KEY = SigningKey(b"k" * 32)
OTHERS = SigningKey(b"o" * 32)
PUBLIC = KEY.verify_key.encode().hex()


class Post:
    """Sends interactions as Discord does."""

    def __init__(self, product: Product) -> None:
        intake = product.platform._intake
        assert intake is not None
        self.intake = intake
        self.session = aiohttp.ClientSession()
        self.sent: list[bytes] = []
        self.statuses: list[int] = []
        self.tasks: set[asyncio.Task[int]] = set()

    async def send(
        self, body: bytes, *, key: SigningKey = KEY, at: float | None = None, signature: str | None = None
    ) -> int:
        """The status that a body is answered with."""
        timestamp = str(int(time.time() if at is None else at))
        signed = key.sign(timestamp.encode() + body).signature.hex() if signature is None else signature
        headers = {"X-Signature-Ed25519": signed, "X-Signature-Timestamp": timestamp}
        address = f"http://127.0.0.1:{self.intake.port}/interactions"
        async with self.session.post(address, data=io.BytesIO(body), headers=headers) as answer:
            self.statuses.append(answer.status)
            return answer.status

    def deliver(self, data: Json) -> None:
        """In the gateway's place."""
        self.sent.append(json.dumps(data).encode())
        task = asyncio.create_task(self.send(self.sent[-1]))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


@pytest.fixture
async def product(server: DiscordServer, place: Channel, complaints: Complaints) -> AsyncIterator[Product]:
    """The bot, which nobody hears through the gateway."""
    product = Product(server, interactions=InteractionSettings("127.0.0.1", 0, PUBLIC))
    server.quiet = 0.01
    try:
        assert await product.start() == "buraco"
        await product.ready()
        yield product
    finally:
        await product.stop()
    server.check()


@pytest.fixture
async def post(server: DiscordServer, product: Product) -> AsyncIterator[Post]:
    """Discord, which sends instead of dispatching."""
    post = Post(product)
    server.endpoint = post.deliver
    yield post
    await post.session.close()


async def test_a_match_is_played_without_any_gateway(
    post: Post, company: Company, server: DiscordServer, product: Product, complaints: Complaints
) -> None:
    duel = Company(company.place, *(player.person for player in company.players[:2]))
    await duel.start(mode="1v1")
    await duel.shown()
    before = version(board(duel.place))
    player = await duel.on_turn()
    assert player is not None
    await player.press(board(duel.place), "Robar")
    await duel.shown()
    assert version(board(duel.place)) > before
    assert server.gateway.identifies == []
    assert set(post.statuses) == {202}
    assert product.platform.is_connected
    assert complaints.failures() == []


async def test_discord_asks_whether_somebody_is_there(post: Post) -> None:
    body = b'{"type": 1, "id": "1"}'
    assert await post.send(body) == 200
    assert await post.send(body, key=OTHERS) == 401


async def test_whoever_is_not_discord_changes_nothing(
    post: Post, company: Company, server: DiscordServer, product: Product
) -> None:
    genuine = json.dumps({"type": 3, "id": "77", "data": {}}).encode()
    now = time.time()
    assert await post.send(genuine, key=OTHERS) == 401
    assert await post.send(genuine, signature="") == 401
    assert await post.send(genuine, signature="zz" * 64) == 401
    assert await post.send(genuine, signature="00" * 64) == 401
    assert await post.send(genuine, signature="ab" * 10) == 401
    assert await post.send(genuine, at=now - WINDOW_SECONDS - 5) == 401, "somebody's recording"
    assert await post.send(genuine, at=now + WINDOW_SECONDS + 5) == 401
    signed = KEY.sign(str(int(now)).encode() + genuine).signature.hex()
    assert await post.send(genuine + b" ", at=now, signature=signed) == 401, "another body"
    assert await post.send(genuine, at=now - 1, signature=signed) == 401, "another time"
    assert server.interactions == {}


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'"x"', b'{"type": 3}', b'{"type": 3, "id": "5"}', b"[" * 100_000, b"\xff\xfe"]
)
async def test_what_makes_no_sense_is_refused_and_the_next_one_is_heard(post: Post, body: bytes) -> None:
    assert await post.send(body) == 400
    assert await post.send(b'{"type": 1, "id": "1"}') == 200


async def test_what_cannot_be_read_is_kept_without_its_words(post: Post, product: Product) -> None:
    body = b'{"type": 3, "id": "5", "data": {"custom_id": "Zoe"}}'
    assert await post.send(body) == 400
    (kept,) = await product.store.letters()
    assert (kept.platform, kept.number, kept.tries) == ("discord", "5", 1)
    assert kept.error.startswith("KeyError in discord.")
    assert kept.outline == '{"type":"number","id":"text","data":{"custom_id":"text"}}'
    assert await post.send(body) == 202, "played again, it is known"
    assert len(await product.store.letters()) == 1


async def test_a_body_that_is_too_big_is_not_read(post: Post) -> None:
    assert await post.send(b"x" * (1 << 20 | 1)) == 413


async def test_the_same_interaction_again_has_no_effect(
    post: Post, company: Company, server: DiscordServer, product: Product
) -> None:
    duel = Company(company.place, *(player.person for player in company.players[:2]))
    await duel.start(mode="1v1")
    await duel.shown()
    player = await duel.on_turn()
    assert player is not None
    await player.press(board(duel.place), "Robar")
    await duel.shown()
    record, calls = await product.record(duel.place), len(server.calls)
    for body in post.sent:
        assert await post.send(body) == 202
    await asyncio.sleep(0.1)
    assert await product.record(duel.place) == record
    assert len(server.calls) == calls, "nothing is answered twice"


async def test_an_address_that_is_taken(product: Product, server: DiscordServer) -> None:
    intake = product.platform._intake
    assert intake is not None
    other = Product(server, interactions=InteractionSettings("127.0.0.1", intake.port, PUBLIC))
    with pytest.raises(DiscordUnavailable, match="BURACO_DISCORD_INTERACTIONS"):
        await other.start()
    await other.stop()
