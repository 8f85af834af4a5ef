"""Two processes behind one webhook and over one database: every update lands at either, and once in a while at both."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from adapters.storage import open_store
from adapters.telegram import WebhookSettings
from bot.screens import CardOption
from bot.tokens import base36
from tests.e2e.room import free_port
from tests.telegram.fake import BotApi, Message, Person
from tests.telegram.room import LONG_SECONDS, QuickClock, Room, board, card_buttons, hand_of, hands_of, until
from tests.telegram.test_playing import on_turn, play_turn, started

SECRET = "several-of-them-share-this-secret"


class BriskClock(QuickClock):
    """Time that passes quickly, but not so that looking for work is all that is done."""

    async def sleep(self, seconds: float) -> None:
        """Let the others run."""
        if seconds > LONG_SECONDS:
            await asyncio.get_running_loop().create_future()
        await asyncio.sleep(min(seconds, 0.05))
        self.at += seconds


class Balancer:
    """A reverse proxy that sends updates to the processes in turns, and each third one to both."""

    def __init__(self, session: aiohttp.ClientSession, ports: list[int]) -> None:
        self._session = session
        self._ports = ports
        self._numbers = itertools.count()
        self.landed: list[int] = []

    async def handle(self, request: web.Request) -> web.Response:
        """Pass an update on."""
        body, number = await request.read(), next(self._numbers)
        first = self._ports[number % len(self._ports)]
        ports = self._ports if number % 3 == 2 else [first]
        statuses = await asyncio.gather(*(self._post(port, body, request) for port in ports))
        self.landed.append(first)
        return web.Response(status=max(statuses))

    async def _post(self, port: int, body: bytes, request: web.Request) -> int:
        headers = {name: value for name, value in request.headers.items() if name.startswith("X-Telegram")}
        async with self._session.post(f"http://127.0.0.1:{port}/hook", data=body, headers=headers) as answer:
            return answer.status


@asynccontextmanager
async def balanced(ports: list[int]) -> AsyncIterator[tuple[Balancer, str]]:
    """A balancer and its address."""
    async with aiohttp.ClientSession() as session:
        balancer = Balancer(session, ports)
        application = web.Application()
        application.router.add_post("/hook", balancer.handle)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        try:
            yield balancer, f"http://127.0.0.1:{port}/hook"
        finally:
            await runner.cleanup()


@pytest.fixture
async def pair(api: BotApi, postgres: str) -> AsyncIterator[tuple[Room, Room, Balancer]]:
    """Two processes and what stands before them."""
    ports = [free_port(), free_port()]
    stores = [await open_store(postgres) for _ in ports]
    async with balanced(ports) as (balancer, url):
        rooms = [
            Room(api, store=store, clock=BriskClock(), webhook=WebhookSettings(url, SECRET, port=port), deals=port)  # type: ignore[arg-type]
            for store, port in zip(stores, ports, strict=True)
        ]
        async with rooms[0], rooms[1]:
            yield rooms[0], rooms[1], balancer
    for store in stores:
        await store.close()


def alive(person: Person) -> list[Message]:
    """The hands of somebody that still have buttons."""
    return [message for message in hands_of(person) if not message.deleted and message.buttons]


async def hand_to_pick_from(api: BotApi, room: Room) -> tuple[Person, str, tuple[CardOption, ...]]:
    """Whoever is on turn in a new match and has drawn, the table, and the cards of their hand."""
    ana, beto = api.user("Ana"), api.user("Beto")
    _, table_id = await started(api, room, [ana, beto], "1v1")
    await until(lambda: alive(ana) and alive(beto))
    mover = await on_turn(room, table_id, [ana, beto])
    await until(lambda: any("Robar" in label for label in hand_of(mover).labels))
    await mover.presses(hand_of(mover), "Robar")
    await until(lambda: "Robar" not in hand_of(mover).labels)
    screen = await room.hand(table_id, mover)
    assert screen.picker is not None
    return mover, table_id, screen.picker.cards


async def pick(mover: Person, card: CardOption, number: int) -> None:
    """Tap on a card, so that so many are picked."""
    data = next(data for data in card_buttons(hand_of(mover)) if data.endswith(f":{base36(card.bit)}"))
    await mover.presses(hand_of(mover), data=data)
    await until(lambda: any(f"({number})" in label for label in hand_of(mover).labels))


async def test_a_match_that_two_processes_play_looks_like_one(api: BotApi, pair: tuple[Room, Room, Balancer]) -> None:
    room, _, balancer = pair
    ana, beto = api.user("Ana"), api.user("Beto")
    people = [ana, beto]
    group, table_id = await started(api, room, people, "1v1")
    await until(lambda: alive(ana) and alive(beto))
    for _ in range(6):
        await play_turn(room, table_id, await on_turn(room, table_id, people))
    mover = await on_turn(room, table_id, people)
    await until(lambda: mover.name in (board(group).caption or ""))
    assert set(balancer.landed) == set(balancer._ports), "both have had their part"
    assert len(api.called("setWebhook")) == 1, "one of them has told Telegram where to send updates"
    assert len([message for message in group.messages if message.photo and not message.deleted]) == 1
    for person in people:
        assert len(alive(person)) == 1, "nobody has two hands"
    store = room.app._store
    async with asyncio.timeout(25):
        while await store.lagging_homes():  # noqa: ASYNC110 - it is in the database
            await asyncio.sleep(0.05)


async def test_cards_are_picked_through_either(api: BotApi, pair: tuple[Room, Room, Balancer]) -> None:
    room, _, _ = pair
    mover, _, cards = await hand_to_pick_from(api, room)
    for number, card in enumerate(cards[:5], 1):
        await pick(mover, card, number)
    assert len(alive(mover)) == 1
    await api.quiet()


async def test_whoever_lags_loses_no_picked_card(api: BotApi, pair: tuple[Room, Room, Balancer]) -> None:
    """One process hears of every press; the other brings the hand up to date without having heard of any."""
    room, other, balancer = pair
    balancer._ports = balancer._ports[:1]
    mover, table_id, cards = await hand_to_pick_from(api, room)
    for number, card in enumerate(cards[:3], 1):
        await pick(mover, card, number)
        parts = other.platform._parts
        assert parts is not None
        hand = parts.hands.hand(mover.id, table_id)
        parts.hands.wake(hand)
        await until(lambda hand=hand: hand.task is None)  # type: ignore[misc]
        assert hand.picked.mask.bit_count() == number
        assert any(f"({number})" in label for label in hand_of(mover).labels)
    assert len(alive(mover)) == 1
    await api.quiet()


async def test_one_goes_and_the_other_goes_on(api: BotApi, pair: tuple[Room, Room, Balancer]) -> None:
    room, other, balancer = pair
    ana, beto = api.user("Ana"), api.user("Beto")
    group, table_id = await started(api, room, [ana, beto], "2v2")
    await until(lambda: alive(ana) and alive(beto))
    balancer._ports = balancer._ports[1:]
    await room.app.stop()
    await room.platform.stop()
    for _ in range(3):
        mover = await on_turn(other, table_id, [ana, beto])
        await play_turn(other, table_id, mover)
    mover = await on_turn(other, table_id, [ana, beto])
    await until(lambda: mover.name in (board(group).caption or ""))
    assert len(alive(mover)) == 1


async def test_of_two_that_ask_for_updates_one_does_and_the_other_takes_over(api: BotApi, postgres: str) -> None:
    stores = [await open_store(postgres) for _ in range(2)]
    rooms = [Room(api, store=store, clock=BriskClock()) for store in stores]  # type: ignore[arg-type]
    async with rooms[0], rooms[1]:
        ana = api.user("Ana")
        await ana.starts()
        await until(lambda: ana.inbox)
        first = next(room for room, store in zip(rooms, stores, strict=True) if store.leases._duties)  # type: ignore[attr-defined]
        await first.app.stop()
        await first.platform.stop()
        await first.app.leases.close()
        beto = api.user("Beto")
        await beto.starts()
        await until(lambda: beto.inbox)
        await api.quiet()
    for store in stores:
        await store.close()
