"""What need not be kept is dropped: at the start, and once a day."""

import asyncio

import pytest

from bot.config import ConfigError, load_settings
from bot.dead_letters import KEPT_DAYS
from bot.model import Status
from bot.privacy import DAY_SECONDS, PRESS_DAYS, Upkeep
from bot.store import StoreBusy
from bot.tokens import Verb
from tests.bot.fakes import FakeClock, TroubledStore, settled
from tests.bot.rooms import House

DAY_MS = 24 * 3600 * 1000


class Stopped(FakeClock):
    """A clock whose sleepers wait until it is moved."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        self.slept.append(seconds)
        await self.gate.wait()
        self.gate.clear()


class Counted(TroubledStore):
    """A store that counts how often it is tidied."""

    tidied = 0

    async def tidy(self) -> None:
        """Count."""
        await super().tidy()
        self.tidied += 1


async def ended(house: House) -> str:
    """A table that is closed."""
    table_id, people = await house.started(1)
    await house.press(people[0], table_id, Verb.LEAVE)
    answer = await house.press(people[0], table_id, Verb.LEAVE)
    assert answer.screen is not None
    token = next(choice.token for row in answer.screen.rows for choice in row)
    await house.app.press(people[0], token, house.press_id())
    assert (await house.record(table_id)).table.status is Status.CANCELLED
    return table_id


async def test_dead_letters_are_dropped_after_thirty_days() -> None:
    house = House()
    await house.app.dead_letters.keep("telegram", 5, ValueError("x"), {"update_id": 5})
    upkeep = Upkeep(house.store, house.clock, 0)
    house.clock.ms += KEPT_DAYS * DAY_MS
    await upkeep.once()
    assert len(await house.store.letters()) == 1
    house.clock.ms += 1
    await upkeep.once()
    assert not await house.store.letters()


async def test_closed_matches_lose_their_plays_after_the_days_that_were_set() -> None:
    house = House()
    table_id = await ended(house)
    record = await house.record(table_id)
    upkeep = Upkeep(house.store, house.clock, 30)
    house.clock.ms += 30 * DAY_MS - 1000
    await upkeep.once()
    assert await house.store.events(table_id)
    house.clock.ms += 2000
    await upkeep.once()
    assert not await house.store.events(table_id)
    assert await house.record(table_id) == record
    assert (await house.press((await house.people(1))[0], table_id, Verb.PLAYS)).ok


async def test_nought_keeps_them_for_ever() -> None:
    house = House()
    table_id = await ended(house)
    house.clock.ms += 100_000 * DAY_MS
    await Upkeep(house.store, house.clock, 0).once()
    assert await house.store.events(table_id)


async def test_a_match_that_goes_on_keeps_its_plays() -> None:
    house = House()
    table_id, people = await house.started()
    house.clock.ms += 1000 * DAY_MS
    await Upkeep(house.store, house.clock, 1).once()
    assert await house.store.events(table_id)
    await house.play_out(table_id, people)


async def test_presses_are_answered_again_for_a_week() -> None:
    house = House()
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    upkeep = Upkeep(house.store, house.clock, 365)
    await house.press(person, table_id, Verb.DRAW, press_id="drawn")
    key = f"{person.id}:drawn"
    house.clock.ms += PRESS_DAYS * DAY_MS
    await upkeep.once()
    assert await house.store.answer_to(key) is not None
    house.clock.ms += 1
    await upkeep.once()
    assert await house.store.answer_to(key) is None


async def test_room_is_given_back_once_at_first_and_whenever_matches_were_dropped() -> None:
    house = House(store=Counted(FakeClock()))
    house.clock = FakeClock()
    store = house.store
    assert isinstance(store, Counted)
    table_id = await ended(house)
    upkeep = Upkeep(store, house.clock, 30)
    await upkeep.once()
    await upkeep.once()
    assert store.tidied == 1
    house.clock.ms += 31 * DAY_MS
    await upkeep.once()
    await upkeep.once()
    assert store.tidied == 2
    assert not await store.events(table_id)


async def test_it_is_done_at_the_start_and_every_day_and_after_trouble() -> None:
    clock = Stopped()
    faults: list[Exception | None] = [None, StoreBusy("locked"), RuntimeError("unheard of"), None]
    done = 0

    class Store(TroubledStore):
        async def forget_presses(self, before_ms: int) -> int:
            nonlocal done
            fault = faults.pop(0)
            if fault is not None:
                raise fault
            done += 1
            return await super().forget_presses(before_ms)

    upkeep = Upkeep(Store(clock), clock, 365)
    upkeep.start()
    for _ in range(4):
        await settled(20)
        clock.gate.set()
        if len(faults) == 0:
            break
    await settled(20)
    assert done == 2
    assert clock.slept[:3] == [DAY_SECONDS, 300.0, DAY_SECONDS]
    await upkeep.stop()
    await upkeep.stop()


def test_the_setting(tmp_path_factory: pytest.TempPathFactory) -> None:
    nowhere = tmp_path_factory.mktemp("empty") / ".env"
    assert load_settings(nowhere, {}).keep_days == 365
    assert load_settings(nowhere, {"BURACO_KEEP_DAYS": "0"}).keep_days == 0
    with pytest.raises(ConfigError, match="BURACO_KEEP_DAYS"):
        load_settings(nowhere, {"BURACO_KEEP_DAYS": "-1"})
