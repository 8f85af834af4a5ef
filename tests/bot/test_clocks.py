"""Clocks: a warning, a turn that plays itself, a robot that stands in, the way back; and outages that cost nobody."""

import asyncio
from collections.abc import Callable

import pytest

from bot import outages
from bot.clocks import GRACE_SECONDS, HOLD_SECONDS, SECONDS, safe_turn
from bot.housekeeping import MATCH_DAYS, Housekeeping
from bot.keeper import Keeper
from bot.model import Home, Pace, Person, Status
from bot.robots.registry import make_robot
from bot.tokens import Verb
from engine.evolve import evolve_all
from engine.seating import Seating
from tests.bot.fakes import FakeClock, FakePlatform, settled
from tests.bot.rooms import House, words
from tests.bot.tables import VARIANTS, choices, deal_of, dealt, verb_of


class HandClock(FakeClock):
    """Time that a test moves by hand; sleepers wake when it has passed."""

    def __init__(self) -> None:
        super().__init__()
        self._sleepers: list[tuple[int, asyncio.Event]] = []

    async def sleep(self, seconds: float) -> None:
        """Wait until the test has moved the time so far."""
        until = self.ms + int(seconds * 1000)
        if until <= self.ms:
            await asyncio.sleep(0)
            return
        event = asyncio.Event()
        self._sleepers.append((until, event))
        await event.wait()

    async def move(self, seconds: float) -> None:
        """Let time pass, waking whoever sleeps, in order."""
        end = self.ms + int(seconds * 1000)
        while True:
            due = sorted((at for at, event in self._sleepers if at <= end and not event.is_set()))
            if not due:
                break
            self.ms = due[0]
            for at, event in self._sleepers:
                if at <= self.ms:
                    event.set()
            self._sleepers = [(at, event) for at, event in self._sleepers if not event.is_set()]
            await settled()
            # Robots think in threads, which no simulated time hurries.
            await asyncio.sleep(0.005)
            await settled()
        self.ms = end
        await settled()


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], House]:
    """Makes houses with a clock of the hand."""

    def make(**named: object) -> House:
        monkeypatch.setattr("tests.bot.rooms.FakeClock", HandClock)
        return House({"normal": make_robot("random")}, **named)  # type: ignore[arg-type]

    return make


async def opened(
    house: House, pace: Pace, people: int = 2, seating: Seating = Seating.ONE_ON_ONE
) -> tuple[str, list[Person]]:
    """A table in play with a clock."""
    crowd = await house.people(people)
    record = await house.app.open_table(crowd[0], ruleset_id="clasico", seating=seating, pace=pace)
    await house.app.add_home(Home(record.table.id, "chat", "room"))
    for person in crowd[1:]:
        await house.press(person, record.table.id, Verb.JOIN)
    await house.press(crowd[0], record.table.id, Verb.START)
    await settled()
    return record.table.id, crowd


async def chair(house: House, table_id: str, person: Person) -> tuple[int, bool]:
    """How many turns somebody has missed, and whether a robot stands in."""
    table = (await house.record(table_id)).table
    seat = table.seat_of(person.id)
    assert seat is not None
    return table.chairs[seat].missed, table.chairs[seat].absent


def hand_clock(house: House) -> HandClock:
    """The clock of a house."""
    assert isinstance(house.clock, HandClock)
    return house.clock


async def test_a_turn_runs_out_with_a_warning_before_and_is_played_safely(timed: Callable[[], House]) -> None:
    house = timed()
    platform = FakePlatform()
    house.app.add_platform(platform)
    table_id, crowd = await opened(house, Pace.QUICK)
    mover = await house.mover(table_id, crowd)
    screen = await house.app.shared_screen(table_id)
    assert screen is not None
    assert screen.until_ms == house.clock.ms + 60_000
    await hand_clock(house).move(SECONDS[Pace.QUICK] * 0.7)
    calls = [each.call for each in platform.screens["room"] if each.call is not None]
    assert not any(call.key.endswith(":late") for call in calls)
    await hand_clock(house).move(SECONDS[Pace.QUICK] * 0.15)
    late = platform.screens["room"][-1].call
    assert late is not None
    assert late.people == (mover.id,)
    assert "se acaba" in late.text
    version = house.store.version(table_id)
    await hand_clock(house).move(SECONDS[Pace.QUICK] * 0.2)
    assert house.store.version(table_id) == version + 1
    assert await house.mover(table_id, crowd) != mover
    assert await chair(house, table_id, mover) == (1, False)
    told = words(await house.app.shared_screen(table_id))
    assert f"A {mover.name} se le acabó el tiempo" in told
    await house.app.stop()


async def test_playing_in_time_keeps_the_clock_quiet_and_forgets_what_was_missed(timed: Callable[[], House]) -> None:
    house = timed()
    table_id, crowd = await opened(house, Pace.QUICK)
    mover = await house.mover(table_id, crowd)
    await hand_clock(house).move(61)
    assert await chair(house, table_id, mover) == (1, False)
    for _ in range(3):
        await hand_clock(house).move(40)
        await house.play_out_turn(table_id, crowd)
        await settled()
    assert await chair(house, table_id, mover) == (0, False)
    await house.app.stop()


async def test_a_deadline_lasts_a_whole_turn_however_much_is_done_in_it(timed: Callable[[], House]) -> None:
    house = timed()
    table_id, crowd = await opened(house, Pace.QUICK)
    before = list(await house.store.deadlines())
    await hand_clock(house).move(30)
    await house.play_on(table_id, crowd)
    assert list(await house.store.deadlines()) == before
    await house.app.stop()


async def test_after_two_missed_turns_a_robot_stands_in_until_the_person_is_back(timed: Callable[[], House]) -> None:
    house = timed()
    table_id, crowd = await opened(house, Pace.QUICK)
    away = await house.mover(table_id, crowd)
    here = next(person for person in crowd if person != away)
    await hand_clock(house).move(61)
    await house.play_out_turn(table_id, crowd)
    await settled()
    await hand_clock(house).move(61)
    assert await chair(house, table_id, away) == (2, True)
    await house.play_out_turn(table_id, crowd)
    for _ in range(30):
        if await house.mover_is(table_id, here):
            break
        await hand_clock(house).move(1)
    assert await house.mover_is(table_id, here), "the robot has played the turn of who is away"
    hand = await house.app.hand_screen(table_id, away)
    assert hand is not None
    back = next(choice for choice in choices(hand) if verb_of(choice) is Verb.BACK)
    assert "Un robot juega por ti" in words(hand)
    assert f"Un robot juega por {away.name}" in words(await house.app.shared_screen(table_id))
    answer = await house.app.press(away, back.token, "back")
    assert answer.ok
    assert await chair(house, table_id, away) == (0, False)
    await house.app.stop()


async def test_a_match_that_everybody_has_left_stands_still_and_is_closed_in_the_end(
    timed: Callable[[], House],
) -> None:
    house = timed()
    table_id, crowd = await opened(house, Pace.QUICK)
    clock = hand_clock(house)
    for _ in range(12):
        await clock.move(65)
    assert [await chair(house, table_id, person) for person in crowd] == [(2, True)] * 2
    version = house.store.version(table_id)
    await clock.move(24 * 3600)
    assert house.store.version(table_id) == version, "a day later nothing has been played"
    keeping = Housekeeping(Keeper(house.store), clock)
    clock.ms += (MATCH_DAYS * 24 * 3600 - 2 * 24 * 3600) * 1000
    await keeping.close_left_tables()
    assert (await house.record(table_id)).table.status is Status.PLAYING
    back = await house.app.hand_screen(table_id, crowd[0])
    assert back is not None
    assert Verb.BACK in {verb_of(choice) for choice in choices(back)}
    clock.ms += 2 * 24 * 3600 * 1000
    await keeping.close_left_tables()
    assert (await house.record(table_id)).table.status is Status.CANCELLED
    await house.app.stop()


async def test_robots_never_play_among_themselves(timed: Callable[[], House]) -> None:
    house = timed()
    table_id, crowd = await opened(house, Pace.QUICK, people=1, seating=Seating.TWO_PAIRS)
    for _ in range(12):
        await hand_clock(house).move(65)
    assert await chair(house, table_id, crowd[0]) == (2, True)
    version = house.store.version(table_id)
    await hand_clock(house).move(3600)
    assert house.store.version(table_id) == version
    await house.press(crowd[0], table_id, Verb.BACK)
    await hand_clock(house).move(5)
    assert house.store.version(table_id) > version
    await house.app.stop()


async def test_without_a_limit_nothing_ever_runs_out(timed: Callable[[], House]) -> None:
    house = timed()
    table_id, _ = await opened(house, Pace.FREE)
    version = house.store.version(table_id)
    await hand_clock(house).move(10 * 24 * 3600)
    assert house.store.version(table_id) == version
    assert list(await house.store.deadlines()) == []
    await house.app.stop()


async def test_an_outage_moves_the_deadline_by_its_length_and_a_grace(timed: Callable[[], House]) -> None:
    house = timed()
    table_id, crowd = await opened(house, Pace.NORMAL)
    await house.app.start()
    mover = await house.mover(table_id, crowd)
    await hand_clock(house).move(100)
    await house.app.stop()
    ms = house.clock.ms
    again = house.again()
    assert isinstance(again.clock, HandClock)
    again.clock.ms = ms + 7 * 3600 * 1000
    await again.app.start()
    await settled()
    left = 180 - 100
    await again.clock.move(left + GRACE_SECONDS - 5)
    assert await again.mover(table_id, crowd) == mover
    await again.clock.move(10)
    assert await again.mover(table_id, crowd) != mover
    await again.app.stop()


@pytest.mark.parametrize("variant", ["", *VARIANTS])
def test_a_safe_turn_ends_in_every_rule_set_and_throws_no_wild_that_it_could_keep(variant: str) -> None:
    match = dealt(Seating.ONE_ON_ONE, "safe", variant)
    for _ in range(30):
        if not match.in_play:
            break
        seat = deal_of(match).turn.seat
        match = evolve_all(match, safe_turn(match, seat))
        assert not match.in_play or deal_of(match).turn.seat != seat


async def connected(house: House) -> tuple[FakePlatform, str, list[Person]]:
    """A house that has begun, its platform that tells whether it is connected, and a table there."""
    platform = FakePlatform()
    platform.is_connected = True  # type: ignore[attr-defined]
    house.app.add_platform(platform)
    table_id, crowd = await opened(house, Pace.QUICK)
    await house.app.start()
    return platform, table_id, crowd


async def test_nobody_s_time_runs_out_while_their_platform_is_away_nor_right_after(timed: Callable[[], House]) -> None:
    house = timed()
    platform, table_id, crowd = await connected(house)
    mover = await house.mover(table_id, crowd)
    await hand_clock(house).move(30)
    platform.is_connected = False  # type: ignore[attr-defined]
    await hand_clock(house).move(600)
    assert await house.mover_is(table_id, mover), "ten minutes that cost nobody anything"
    platform.is_connected = True  # type: ignore[attr-defined]
    await hand_clock(house).move(HOLD_SECONDS)
    await hand_clock(house).move(outages.GRACE_SECONDS - 3 * HOLD_SECONDS)
    assert await house.mover_is(table_id, mover), "a moment to find the way back"
    await hand_clock(house).move(4 * HOLD_SECONDS)
    assert not await house.mover_is(table_id, mover)
    await house.app.stop()


async def test_a_short_outage_that_is_over_gives_its_moment_too(timed: Callable[[], House]) -> None:
    house = timed()
    platform, table_id, crowd = await connected(house)
    mover = await house.mover(table_id, crowd)
    await hand_clock(house).move(20)
    platform.is_connected = False  # type: ignore[attr-defined]
    await hand_clock(house).move(35)
    platform.is_connected = True  # type: ignore[attr-defined]
    house.app.reconnected("chat")
    await hand_clock(house).move(10)
    assert await house.mover_is(table_id, mover)
    await hand_clock(house).move(outages.GRACE_SECONDS)
    assert not await house.mover_is(table_id, mover)
    await house.app.stop()


async def test_an_outage_elsewhere_gives_nobody_time(timed: Callable[[], House]) -> None:
    house = timed()
    platform = FakePlatform("elsewhere")
    platform.is_connected = False  # type: ignore[attr-defined]
    house.app.add_platform(platform)
    table_id, crowd = await opened(house, Pace.QUICK)
    mover = await house.mover(table_id, crowd)
    await hand_clock(house).move(61)
    assert not await house.mover_is(table_id, mover)
    await house.app.stop()
