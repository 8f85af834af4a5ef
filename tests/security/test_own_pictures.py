"""A picture of a hand is for whoever holds it: none is kept, and nobody gets another's, wherever it is drawn."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest

from bot.desk import PictureDesk
from bot.drawing.base import Drawing
from bot.drawing.pool import Pool
from bot.drawing.threads import Threads
from bot.pictures import HandPicture
from engine.cards import Card
from render import PillowRenderer

LONG = 60.0
"""Nothing is given up by the clock here, however busy the machine is."""
HANDS = tuple(
    HandPicture(groups=((Card(seat),),), new=(), title=f"Tu mano {seat}", corner="", joker="★") for seat in range(6)
)


@pytest.fixture(params=[0, 1, 3], ids=["threads", "one process", "three processes"])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Drawing]:
    """Each kind of place that draws."""
    workers: int = request.param
    place = pool(workers) if workers else Threads(PillowRenderer())
    yield place
    await place.stop()


def pool(workers: int) -> Pool:
    """Processes that give up nothing."""
    return Pool(workers, patience=LONG)


@pytest.fixture(scope="module")
def own() -> list[bytes]:
    """What each is to get."""
    renderer = PillowRenderer()
    drawn = [renderer.hand(hand) for hand in HANDS]
    assert len(set(drawn)) == len(HANDS)
    return drawn


async def test_many_who_ask_at_once_and_again_each_get_their_own_cards(place: Drawing, own: list[bytes]) -> None:
    desk = PictureDesk(place, seconds=LONG)
    for _ in range(3):
        assert await asyncio.gather(*(desk.hand(hand) for hand in HANDS)) == own


async def test_who_gives_up_leaves_nobody_their_cards(place: Drawing, own: list[bytes]) -> None:
    """Its picture may be under way, or told of: what comes of it is for nobody else."""
    desk = PictureDesk(place, seconds=LONG)
    await desk.hand(HANDS[0])  # from here on a process is there
    for leaving in range(len(HANDS)):
        tasks = [asyncio.create_task(desk.hand(hand)) for hand in HANDS]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        tasks[leaving].cancel()
        tasks[leaving - 1].cancel()
        drawn = await asyncio.gather(*tasks, return_exceptions=True)
        assert [one for one in zip(drawn, own, strict=True) if one[0] != one[1]] == [
            one for one in zip(drawn, own, strict=True) if isinstance(one[0], asyncio.CancelledError)
        ]


async def test_whoever_a_process_dies_for_gets_their_own_cards_from_the_next(own: list[bytes]) -> None:
    place = pool(2)
    desk = PictureDesk(place, seconds=LONG)
    try:
        for _ in range(3):
            await desk.hand(HANDS[0])
            tasks = [asyncio.create_task(desk.hand(hand)) for hand in HANDS]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for pid in place.pids:
                os.kill(pid, signal.SIGKILL)
            assert await asyncio.gather(*tasks) == own
    finally:
        await place.stop()
