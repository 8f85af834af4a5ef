"""What several processes know of one hand: whatever comes between, every tap counts, and counts once."""

import random
from collections.abc import Awaitable, Callable, Sequence
from itertools import count

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.storage.memory import MemoryStore
from adapters.telegram.hand import Hand, Pick
from adapters.telegram.places import HAND_PLACE, PLATFORM
from adapters.telegram.shared_hands import SharedHands
from bot.app import App
from bot.model import Home
from bot.store import OutcomeUnknown, Record, StoreBusy
from tests.bot.rooms import House
from tests.contract.playing import lobby

USER, TABLE, MESSAGE, MARK = 7, "t1", 70, 0xABCD
PLACE = f"{HAND_PLACE}{USER}"


class Process:
    """A process with its own idea of the hand; something may happen elsewhere just before it writes."""

    def __init__(self, app: App) -> None:
        self.hand = Hand(USER, TABLE)
        self.app = app
        self.shared = SharedHands(self)  # type: ignore[arg-type]
        self.leases = app.leases
        self.homes = app.homes
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.lost = False
        self.numbers = count()

    async def swap_posted(self, home: Home, before: str | None) -> bool:
        """Write, after what came first."""
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()
        done = await self.app.swap_posted(home, before)
        if self.lost:
            self.lost = False
            raise OutcomeUnknown("the connection broke in the commit")
        return done

    def tap(self, bit: int, mask: int = 0, mark: int = MARK, page: int = 0, message: int = MESSAGE) -> None:
        """Hear of a tap on a keyboard that was sent with a mask."""
        self.hand.tapped(Pick(f"{id(self)}-{next(self.numbers)}", message, mark, mask, 1 << bit, page))

    async def bring(self, mark: int = MARK) -> int:
        """Bring the hand up to date, without the turn for it, as a process that hangs may; what is picked then."""
        await self.shared.settle(self.hand, mark, (1 << 128) - 1)
        return self.hand.picked.mask


async def processes(count: int = 2) -> tuple[MemoryStore, list[Process]]:
    """Some that have seen the hand posted."""
    house = House()
    await house.store.create(Record(lobby(TABLE)), None)
    await house.store.add_home(Home(TABLE, PLATFORM, PLACE))
    found = [Process(house.app) for _ in range(count)]
    found[0].hand.message = MESSAGE
    for process in found:
        await process.bring()
        assert process.hand.message == MESSAGE
    return house.store, found


async def picked(app: App) -> int:
    """What whoever comes next finds picked."""
    return await Process(app).bring()


async def test_whoever_lags_loses_no_picked_card() -> None:
    _, (one, other) = await processes()
    one.tap(3)
    assert await one.bring() == 0b1000
    assert await other.bring() == 0b1000, "it was told of nothing, and only brings the hand up to date"
    other.tap(5)
    assert await other.bring() == 0b101000
    assert await one.bring() == 0b101000
    one.tap(3)
    assert await one.bring() == 0b100000, "let go again"
    assert await picked(one.app) == 0b100000


async def test_what_another_wrote_between_looking_and_writing_is_taken_over() -> None:
    _, (one, other) = await processes()

    async def overtake() -> None:
        other.tap(1)
        await other.bring()

    one.tap(0)
    one.meanwhile = overtake
    assert await one.bring() == 0b11
    assert one.hand.picks == []
    assert await other.bring() == await picked(one.app) == 0b11


async def test_a_tap_counts_once_where_the_store_is_busy() -> None:
    _, (one, other) = await processes()
    one.tap(1)
    await one.bring()

    async def refuse() -> None:
        raise StoreBusy("locked")

    one.tap(2)
    for _ in range(3):
        one.meanwhile = refuse
        with pytest.raises(StoreBusy):
            await one.bring()
    assert await other.bring() == 0b10
    one.tap(3)
    assert await one.bring() == await other.bring() == 0b1110


@pytest.mark.parametrize("then", [0, 1])
async def test_a_tap_counts_once_where_nobody_knows_whether_it_was_kept(then: int) -> None:
    _, (one, other) = await processes()

    async def half() -> None:
        """What was to be written is written, and the answer is lost."""
        one.lost = True

    one.tap(1)
    one.meanwhile = half
    with pytest.raises(OutcomeUnknown):
        await one.bring()
    one.tap(2)
    if then:
        other.tap(5)
        assert await other.bring() == 0b100010
    assert await one.bring() == await other.bring() == (0b100110 if then else 0b110)


async def test_a_tap_that_several_hear_of_counts_once() -> None:
    _, (one, other) = await processes()
    tap = Pick("the same", MESSAGE, MARK, 0, 0b100, 0)
    for process in (one, other, one, other):
        process.hand.tapped(tap)
        assert await process.bring() == 0b100
    for process in (one, other):
        process.hand.tapped(tap)

    async def overtake() -> None:
        await other.bring()

    one.meanwhile = overtake
    assert await one.bring() == 0b100


async def test_whoever_hung_in_its_turn_overwrites_nothing() -> None:
    _, (one, other) = await processes()
    async with one.shared.turn(one.hand):
        await one.bring()
        other.tap(4)
        await other.bring()
        other.hand.message = MESSAGE + 1
        await other.bring()
        one.hand.photo = True  # of a message that is not the hand any more
    assert await picked(one.app) == 0b10000
    await one.shared.recall(one.hand)
    assert (one.hand.message, one.hand.photo, one.hand.picked.mask) == (MESSAGE + 1, False, 0b10000)


async def test_showing_the_table_s_newest_version_takes_nothing_away() -> None:
    store, (one, other) = await processes()
    one.tap(2)
    await one.bring()
    (home,) = await store.homes(TABLE)
    one.tap(6)
    await one.bring()
    await store.mark_shown(msgspec.structs.replace(home, posted=None, shown_version=8))
    assert await other.bring() == 0b1000100
    other.tap(2)
    await other.bring()
    (home,) = await store.homes(TABLE)
    assert home.shown_version == 8
    assert await picked(one.app) == 0b1000000


async def test_other_cards_and_other_messages_begin_with_what_their_keyboard_had() -> None:
    _, (one, other) = await processes()
    one.tap(0)
    await one.bring()
    other.tap(1, mask=0b100, mark=MARK + 1)
    assert await other.bring(MARK + 1) == 0b110
    one.tap(3, mask=0b10000, mark=MARK + 1, message=MESSAGE - 1)
    assert await one.bring(MARK + 1) == 0b11000
    one.tap(4, mark=MARK, mask=0b1)
    assert await one.bring(MARK + 1) == 0, "those cards are not held any more"


async def test_a_hand_without_a_home_gets_one_with_its_first_writing() -> None:
    store, (one, other) = await processes()
    one.tap(100)
    await one.bring()
    store._homes.clear()
    assert await one.bring() == 1 << 100
    assert await other.bring() == 1 << 100
    assert len(await store.homes(TABLE)) == 1


async def test_what_makes_no_sense_is_written_anew() -> None:
    store, (one, other) = await processes()
    for text in ("{", '{"message": 70, "mask": "-1"}', '{"message": 70, "mask": "ñ"}', '{"message": "x"}'):
        one.tap(2)
        await one.bring()
        await store.mark_shown(Home(TABLE, PLATFORM, PLACE, text, 9))
        assert await other.bring() == 0
        assert await one.bring() == 0


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20), st.integers(0, 3)), max_size=40), st.integers(0, 9))
async def test_every_tap_counts_once_whoever_heard_it_and_whatever_came_between(
    taps: Sequence[tuple[int, int, int]], seed: int
) -> None:
    dice = random.Random(seed)
    store, those = await processes(3)

    async def between() -> None:
        rival = dice.choice(those)
        if rival.hand.looking.locked():
            (home,) = await store.homes(TABLE)
            await store.mark_shown(msgspec.structs.replace(home, posted=None, shown_version=home.shown_version + 1))
        else:
            await rival.bring()

    expected = 0
    for number, bit, what in taps:
        process = those[number]
        process.tap(bit)
        expected ^= 1 << bit
        if what:
            process.meanwhile = between if what > 1 else None
            await process.bring()
    for process in those:
        await process.bring()
    assert await picked(those[0].app) == expected
    assert [await process.bring() for process in those] == [expected] * 3
