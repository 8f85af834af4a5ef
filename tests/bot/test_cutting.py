"""Cutting at real tables: the seal first, then a number, then the cards; clocks, leaving, restarts, repeats."""

import asyncio

import msgspec
import pytest
from structlog.testing import capture_logs

from bot import lobby, rulesets
from bot.clocks import CUT_SECONDS, SECONDS
from bot.cutting import NO_CUT
from bot.fairness import SECRET_NOTE, salt_of
from bot.history import records_of
from bot.model import Home, Pace, Person, PlaceSettings, Status, Table
from bot.presenter.commands import tables_screen
from bot.records import DealRecord, verify
from bot.screens import Role
from bot.stakes.rules import LEAST_STAKE
from bot.store import Record
from bot.texts import texts
from bot.tokens import NO_TABLE, Verb
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import new_match
from tests.bot.fakes import FakePlatform, settled
from tests.bot.rooms import House, words
from tests.bot.tables import choices, deal_of, verb_of
from tests.bot.test_clocks import HandClock, hand_clock

STRANGER = Person(id="nobody", name="Nadie")
READABLE = (Verb.SHOW_TABLE, Verb.SHOW_HAND, Verb.MENU, Verb.WORDS, Verb.PLAYS, Verb.RULES, Verb.FINAL_HANDS, Verb.WHY)


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that stands until a test moves it: otherwise that of a cut would be over at once."""
    monkeypatch.setattr("tests.bot.rooms.FakeClock", HandClock)


async def record_of_deal(house: House, table_id: str, number: int) -> DealRecord:
    """The record of a finished deal."""
    table = (await house.record(table_id)).table
    names = [chair.name for chair in table.chairs]
    events = await house.store.events(table_id)
    return records_of(table.rules, table.seating, names, events, table.seals, table.code)[number]


def other_than(person: Person, people: list[Person]) -> Person:
    """Somebody else."""
    return next(other for other in people if other.id != person.id)


# the lobby


async def test_the_host_chooses_in_the_lobby_whether_somebody_cuts() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana)
    await house.press(luis, table_id, Verb.JOIN)
    before = words(await house.app.public_screen(table_id))
    assert not (await house.press(luis, table_id, Verb.CUTTING, "1")).ok
    assert (await house.press(ana, table_id, Verb.CUTTING, "1")).ok
    after = words(await house.app.public_screen(table_id, ana.id))
    assert "alguien corta el mazo" in after
    assert "alguien corta el mazo" not in before
    assert "Sin corte" in after
    assert (await house.press(ana, table_id, Verb.CUTTING, "0")).ok
    assert not (await house.record(table_id)).table.cutting


async def test_a_place_settles_it_for_its_new_tables_and_a_lesson_never_has_it() -> None:
    house = House()
    (ana,) = await house.people(1)
    await house.app.save_place_settings("chat:1", PlaceSettings(cutting=True))
    record = await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, origin="chat:1")
    assert record.table.cutting
    elsewhere = await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, origin="chat:2")
    assert not elsewhere.table.cutting
    answer = await house.app.begin_lesson(ana, house.press_id())
    assert answer.screen is not None
    assert not (await house.record(answer.screen.table_id)).table.cutting
    assert (await house.match(answer.screen.table_id)).in_play


# the cut


@pytest.mark.parametrize("seating", list(Seating))
async def test_nothing_is_dealt_before_the_cut_and_all_after_it(seating: Seating) -> None:
    house = House(seed=3)
    table_id, people = await house.started(seating.seats, seating, cutting=True)
    record = await house.record(table_id)
    (seal,) = record.table.seals
    assert record.match is None
    assert record.events == 0
    cutter = await house.cutter(table_id, people)
    public = await house.app.shared_screen(table_id)
    assert public is not None
    assert seal.commitment in words(public)
    assert f"Corta {cutter.name}" in words(public)
    assert public.role is Role.TABLE
    assert public.picture is None
    assert public.call is not None
    assert public.call.people == (cutter.id,)
    answer = await house.cut(table_id, cutter)
    assert answer.ok, answer.text
    assert "375" in answer.text
    assert answer.screen is not None
    assert answer.screen.role is Role.HAND
    after = await house.record(table_id)
    (cut,) = after.table.seals
    assert after.table.cut is None
    assert (cut.commitment, cut.cut, cut.salt) == (seal.commitment, "375", "")
    assert cut.cutter == after.table.seat_of(cutter.id)
    assert after.match is not None
    assert f"Cortó {cutter.name}: 375." in words(await house.app.shared_screen(table_id))
    assert f"Cortó {cutter.name}: 375." in words((await house.press(STRANGER, table_id, Verb.WORDS)).screen)


async def test_only_the_last_figure_changes_anything() -> None:
    house = House()
    table_id, people = await house.started(cutting=True)
    cutter = await house.cutter(table_id, people)
    version = house.store.version(table_id)
    screen = await house.app.hand_screen(table_id, cutter)
    assert screen is not None
    assert [choice.label for choice in choices(screen) if verb_of(choice) is Verb.CUT] == list("1234567890")
    for figures, told in (("0", "0––"), ("03", "03–")):
        answer = await house.press(cutter, table_id, Verb.CUT, "0", figures)
        assert answer.screen is not None
        assert answer.screen.role is Role.QUESTION
        assert told in answer.screen.title
        back = [choice for choice in choices(answer.screen) if verb_of(choice) is Verb.SHOW_HAND]
        assert len(back) == 1
    assert house.store.version(table_id) == version
    assert (await house.press(cutter, table_id, Verb.CUT, "0", "037")).ok
    assert house.store.version(table_id) == version + 1
    assert (await house.record(table_id)).table.seals[0].cut == "037"


async def test_whoever_does_not_cut_is_told_who_does() -> None:
    house = House()
    table_id, people = await house.started(cutting=True)
    cutter = await house.cutter(table_id, people)
    other = other_than(cutter, people)
    version = house.store.version(table_id)
    screen = await house.app.hand_screen(table_id, other)
    assert screen is not None
    assert Verb.CUT not in [verb_of(choice) for choice in choices(screen)]
    told = f"Corta {cutter.name}: después se reparte."
    assert told in words(screen)
    for figures in ("3", "375"):
        answer = await house.press(other, table_id, Verb.CUT, "0", figures)
        assert (answer.ok, answer.text) == (False, told)
        answer = await house.press(STRANGER, table_id, Verb.CUT, "0", figures)
        assert (answer.ok, answer.text) == (False, "No juegas en esta mesa, pero puedes mirar.")
    for arguments in ((), ("0",), ("0", "3750"), ("0", "x"), ("0", "3", "7")):
        assert not (await house.press(cutter, table_id, Verb.CUT, *arguments)).ok
    assert not (await house.press(cutter, table_id, Verb.CUT, "1", "375")).ok, "another deal"
    for verb in (Verb.DRAW, Verb.DISCARD, Verb.NEXT_DEAL, Verb.HINT, Verb.START):
        assert not (await house.press(cutter, table_id, verb)).ok or verb is Verb.HINT
    assert house.store.version(table_id) == version


async def test_a_cut_that_comes_twice_is_done_once() -> None:
    house = House()
    table_id, people = await house.started(cutting=True)
    cutter = await house.cutter(table_id, people)
    first = await house.cut(table_id, cutter, press_id="the cut")
    version, seals = house.store.version(table_id), (await house.record(table_id)).table.seals
    again = await house.press(cutter, table_id, Verb.CUT, "0", "375", press_id="the cut")
    assert (again.ok, again.text) == (first.ok, first.text)
    late = await house.press(cutter, table_id, Verb.CUT, "0", "111")
    assert (late.ok, late.reason) == (False, "stale")
    assert late.screen is not None
    assert late.screen.role is Role.HAND
    assert house.store.version(table_id) == version
    assert (await house.record(table_id)).table.seals == seals


async def test_two_presses_at_once_cut_once() -> None:
    house = House()
    table_id, people = await house.started(cutting=True)
    cutter = await house.cutter(table_id, people)
    answers = await asyncio.gather(
        *(house.press(cutter, table_id, Verb.CUT, "0", f"{figure}00") for figure in range(1, 6))
    )
    assert [answer.ok for answer in answers].count(True) == 1
    (seal,) = (await house.record(table_id)).table.seals
    done = next(answer for answer in answers if answer.ok)
    assert seal.cut in done.text
    assert (await house.match(table_id)).deals == 1


async def test_a_cut_that_somebody_overtakes_is_made_on_the_table_as_it_is_then() -> None:
    house = House()
    table_id, people = await house.started(cutting=True)
    house.store.conflicts = 2
    assert (await house.cut(table_id, await house.cutter(table_id, people))).ok
    assert (await house.match(table_id)).in_play


async def test_every_deal_of_a_match_is_cut_and_its_record_says_by_whom() -> None:
    house = House(seed=2)
    table_id, people = await house.started(cutting=True)
    for number, figures in enumerate(("375", "001", "909")):
        cutter = await house.cutter(table_id, people)
        assert (await house.cut(table_id, cutter, figures)).ok
        assert deal_of(await house.match(table_id)).number == number
        await house.play_out(table_id, people)
        record = await house.record(table_id)
        deal = await record_of_deal(house, table_id, number)
        verify(deal)
        assert f"Cortó {cutter.name}: {figures}." in words(await house.app.shared_screen(table_id))
        assert (deal.cut, deal.cutter, deal.table) == (figures, record.table.seat_of(cutter.id), record.table.code)
        # What was folded step by step is what the events lead to.
        first = new_match(record.table.rules, record.table.seating, deal.first_starter)
        assert evolve_all(first, await house.store.events(table_id)) == record.match
        if record.table.status is not Status.PLAYING:
            return
        answer = await house.press(people[0], table_id, Verb.NEXT_DEAL)
        assert answer.ok
        assert "después se reparte" in answer.text
        again = await house.press(people[1], table_id, Verb.NEXT_DEAL)
        assert (again.ok, again.text) == (False, answer.text)
        waiting = await house.record(table_id)
        assert waiting.match == record.match
        shown = words(await house.app.shared_screen(table_id))
        assert waiting.table.seals[number + 1].commitment in shown
        assert "Siguiente ronda" not in shown
        assert "Cortar el mazo" in shown
        # The replays of what is over can be read meanwhile, and nothing else.
        assert (await house.press(people[0], table_id, Verb.RECORD, f"{number}")).file is not None
        assert (await house.press(people[0], table_id, Verb.RECORD, f"{number + 1}")).file is None
        assert (await house.press(people[0], table_id, Verb.REPLAY, f"{number + 1}")).ok is False


async def test_the_hand_of_the_deal_before_stays_in_view_while_the_next_is_cut() -> None:
    house = House(seed=2)
    table_id, people = await house.started(cutting=True)
    await house.cut(table_id, await house.cutter(table_id, people))
    await house.play_out(table_id, people)
    before = {person.id: await house.app.hand_screen(table_id, person) for person in people}
    await house.press(people[0], table_id, Verb.NEXT_DEAL)
    cutter = await house.cutter(table_id, people)
    for person in people:
        screen, earlier = await house.app.hand_screen(table_id, person), before[person.id]
        assert screen is not None
        assert earlier is not None
        assert screen.picture == earlier.picture
        assert (Verb.CUT in [verb_of(choice) for choice in choices(screen)]) is (person == cutter)
    assert (await house.cut(table_id, cutter, "042")).ok


# robots, people who go and come


@pytest.mark.parametrize("seed", range(4))
async def test_where_robots_play_the_person_cuts_and_the_robots_play_on(seed: int) -> None:
    house = House(seed=seed)
    table_id, (ana,) = await house.started(1, Seating.TWO_PAIRS, cutting=True)
    await settled()
    assert (await house.record(table_id)).match is None
    assert await house.cutter(table_id, [ana]) == ana
    assert (await house.cut(table_id, ana)).ok
    for _ in range(500):
        if await house.mover_is(table_id, ana):
            break
        # Robots think in threads.
        await hand_clock(house).move(1)
    else:
        raise AssertionError("the robots do not play on")
    await house.app.stop()


async def test_when_the_cutter_leaves_the_next_one_cuts_and_with_the_last_the_table_closes() -> None:
    house = House()
    table_id, people = await house.started(3, Seating.THREE_ALONE, cutting=True)
    gone = []
    for _ in range(2):
        cutter = await house.cutter(table_id, people)
        assert (await house.app.press(cutter, confirmed_leave(table_id), house.press_id())).ok
        gone.append(cutter.id)
        assert (await house.record(table_id)).match is None
        assert not (await house.press(cutter, table_id, Verb.CUT, "0", "375")).ok
    last = await house.cutter(table_id, people)
    assert last.id not in gone
    assert (await house.cut(table_id, last)).ok
    table = (await house.record(table_id)).table
    assert table.seals[0].cutter == table.seat_of(last.id)
    assert all(table.chairs[seat].robot for seat in range(3) if seat != table.seals[0].cutter)


def confirmed_leave(table_id: str) -> str:
    """The token of leaving, with its question answered."""
    return f"1:{table_id}:0:+{Verb.LEAVE}"


async def test_a_table_that_all_leave_before_the_cut_is_cancelled_and_nothing_more_is_cut() -> None:
    house = House()
    table_id, (ana,) = await house.started(1, cutting=True)
    assert (await house.app.press(ana, confirmed_leave(table_id), house.press_id())).ok
    record = await house.record(table_id)
    assert record.table.status is Status.CANCELLED
    assert record.table.awaited_cut is None
    answer = await house.press(ana, table_id, Verb.CUT, "0", "375")
    assert (answer.ok, answer.text) == (False, "Esta mesa se canceló.")
    assert await house.app.hand_screen(table_id, ana) is None
    assert record.deadline_ms is None


async def test_a_substitute_takes_a_seat_while_the_cut_is_awaited_and_cuts() -> None:
    house = House()
    crowd = await house.people(3)
    table_id = await house.open(crowd[0], cutting=True)
    await house.press(crowd[1], table_id, Verb.JOIN)
    await house.press(crowd[0], table_id, Verb.START)
    cutter = await house.cutter(table_id, crowd)
    seat = (await house.record(table_id)).table.seat_of(cutter.id)
    await house.app.press(cutter, confirmed_leave(table_id), house.press_id())
    answer = await house.press(crowd[2], table_id, Verb.TAKE_SEAT, f"{seat}")
    assert answer.ok, answer.text
    assert (await house.record(table_id)).table.seat_of(crowd[2].id) == seat
    assert await house.cutter(table_id, crowd) == crowd[2]
    assert (await house.cut(table_id, crowd[2])).ok


async def test_everybody_may_end_the_match_by_vote_before_the_cut() -> None:
    house = House()
    table_id, people = await house.started(cutting=True)
    assert (await house.press(people[0], table_id, Verb.PROPOSE, "e")).ok
    assert "propone terminar" in words(await house.app.shared_screen(table_id))
    assert (await house.press(people[1], table_id, Verb.VOTE, "1", "1")).ok
    assert (await house.record(table_id)).table.status is Status.CANCELLED


async def test_a_rematch_is_cut_like_the_match_before() -> None:
    house = House(seed=4)
    ana, luis = await house.people(2)
    record = await house.app.open_table(
        ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, options={"target": 0}, cutting=True
    )
    table_id = record.table.id
    await house.press(luis, table_id, Verb.JOIN)
    await house.press(ana, table_id, Verb.START)
    await house.cut(table_id, await house.cutter(table_id, [ana, luis]))
    await house.play_out(table_id, [ana, luis])
    # What is cut is known to nobody beforehand: where both sides end below nothing, the match goes on.
    while (await house.record(table_id)).table.status is not Status.OVER:
        await house.press(ana, table_id, Verb.NEXT_DEAL)
        await house.cut(table_id, await house.cutter(table_id, [ana, luis]))
        await house.play_out(table_id, [ana, luis])
    answer = await house.press(ana, table_id, Verb.REMATCH)
    assert answer.screen is not None
    assert (await house.record(answer.screen.table_id)).table.cutting


async def test_stakes_are_put_up_at_the_start_and_come_back_where_nothing_was_dealt() -> None:
    house = House()
    ana, luis = await house.people(2)
    record = await house.app.open_table(
        ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, origin="chat:1", stake=LEAST_STAKE, cutting=True
    )
    table_id = record.table.id
    await house.press(luis, table_id, Verb.JOIN)
    before = await house.app._presses.coins.balance(ana.id, "chat:1")
    assert (await house.press(ana, table_id, Verb.START)).ok
    assert await house.app._presses.coins.balance(ana.id, "chat:1") == before - LEAST_STAKE
    await house.press(ana, table_id, Verb.PROPOSE, "e")
    await house.press(luis, table_id, Verb.VOTE, "1", "1")
    assert (await house.record(table_id)).table.status is Status.CANCELLED
    assert await house.app._presses.coins.balance(ana.id, "chat:1") == before


# the clock


@pytest.mark.parametrize(("pace", "seconds"), [(Pace.FREE, CUT_SECONDS), *SECONDS.items()])
async def test_who_lets_the_time_pass_leaves_the_cut_at_nothing(pace: Pace, seconds: int) -> None:
    house = House()
    clock = hand_clock(house)
    platform = FakePlatform()
    house.app.add_platform(platform)
    await house.app.start()
    table_id, people = await house.started(cutting=True, pace=pace)
    await house.app.add_home(Home(table_id, "chat", "room"))
    await settled()
    record = await house.record(table_id)
    assert record.deadline_ms == clock.ms + seconds * 1000
    cutter = await house.cutter(table_id, people)
    await clock.move(seconds * 0.9)
    assert (await house.record(table_id)).match is None
    late = platform.screens["room"][-1]
    assert late.call is not None
    assert late.call.late
    assert late.call.people == (cutter.id,)
    await clock.move(seconds * 0.1 + 1)
    table = (await house.record(table_id)).table
    assert (table.seals[0].cut, table.seals[0].cutter) == (NO_CUT, None)
    assert (await house.match(table_id)).in_play
    assert "Nadie cortó a tiempo: se repartió con el corte 000." in words(platform.screens["room"][-1])
    assert [chair.missed for chair in table.chairs] == [0, 0], "a cut is no turn"
    await house.app.stop()


async def test_a_cut_in_time_stops_its_clock_and_the_turn_has_one_of_its_own() -> None:
    house = House()
    clock = hand_clock(house)
    await house.app.start()
    table_id, people = await house.started(cutting=True, pace=Pace.QUICK)
    await clock.move(50)
    assert (await house.cut(table_id, await house.cutter(table_id, people))).ok
    assert (await house.record(table_id)).deadline_ms == clock.ms + SECONDS[Pace.QUICK] * 1000
    await clock.move(20)
    table = (await house.record(table_id)).table
    assert table.seals[0].cut == "375"
    assert [chair.missed for chair in table.chairs] == [0, 0]
    await house.app.stop()


async def test_whoever_cuts_instead_has_a_time_of_their_own() -> None:
    house = House()
    clock = hand_clock(house)
    await house.app.start()
    table_id, people = await house.started(cutting=True, pace=Pace.QUICK)
    await clock.move(50)
    cutter = await house.cutter(table_id, people)
    await house.app.press(cutter, confirmed_leave(table_id), house.press_id())
    await clock.move(50)
    assert (await house.record(table_id)).match is None
    await clock.move(11)
    assert (await house.match(table_id)).in_play
    await house.app.stop()


async def test_while_everybody_is_away_the_cut_waits() -> None:
    """Somebody who comes back into their seat then cuts."""
    house = House()
    clock = hand_clock(house)
    await house.app.start()
    table_id, people = await house.started(cutting=True, pace=Pace.QUICK)
    await house.cut(table_id, await house.cutter(table_id, people))
    await house.play_out(table_id, people)
    await house.press(people[0], table_id, Verb.NEXT_DEAL)
    record = await house.record(table_id)
    away = tuple(msgspec.structs.replace(chair, absent=True, absent_ms=clock.ms) for chair in record.table.chairs)
    gone = await house.app._keeper.commit(record, table=msgspec.structs.replace(record.table, chairs=away))
    assert isinstance(gone, Record)
    assert gone.deadline_ms is None
    assert "espera a que alguien vuelva" in words(await house.app.shared_screen(table_id))
    await clock.move(1000)
    assert (await house.record(table_id)).table.awaited_cut is not None
    assert (await house.press(people[1], table_id, Verb.BACK)).ok
    assert await house.cutter(table_id, people) == people[1]
    assert (await house.cut(table_id, people[1], "123")).ok
    await house.app.stop()


# restarts, and what is kept


async def test_an_awaited_cut_outlives_a_restart_and_its_clock_goes_on() -> None:
    house = House(seed=5)
    table_id, people = await house.started(cutting=True)
    record = await house.record(table_id)
    await house.app.stop()
    house = house.again()
    await house.app.start()
    assert (await house.record(table_id)).table == record.table
    assert (await house.cut(table_id, await house.cutter(table_id, people))).ok
    await house.app.stop()
    await house.play_out(table_id, people)
    deal = await record_of_deal(house, table_id, 0)
    verify(deal)
    assert deal.commitment == record.table.seals[0].commitment
    await house.app.stop()


async def test_a_clock_runs_out_for_a_cut_that_another_process_had_asked_for() -> None:
    house = House()
    await house.app.start()
    table_id, _ = await house.started(cutting=True, pace=Pace.QUICK)
    await house.app.stop()
    house = House(house.robots, 2, house.store)
    await house.app.start()
    deadline = (await house.record(table_id)).deadline_ms
    assert deadline is not None
    await hand_clock(house).move((deadline - hand_clock(house).ms) / 1000 + 1)
    assert (await house.record(table_id)).table.seals[0].cut == NO_CUT
    await house.app.stop()


@pytest.mark.parametrize("later", [False, True], ids=["first deal", "second deal"])
async def test_before_the_cut_nobody_can_see_a_salt_and_there_is_no_pack(later: bool) -> None:
    house = House(seed=6)
    with capture_logs() as logs:
        await house.app.start()
        table_id, people = await house.started(cutting=True)
        if later:
            await house.cut(table_id, await house.cutter(table_id, people))
            await house.play_out(table_id, people)
            await house.press(people[0], table_id, Verb.NEXT_DEAL)
    record = await house.record(table_id)
    seal, secret = record.table.seals[-1], bytes.fromhex(await house.store.note(SECRET_NOTE) or "")
    salt = salt_of(secret, table_id, seal.deal, seal.mix)
    shown: list[object] = [await house.app.shared_screen(table_id), await house.app.public_screen(table_id), f"{logs}"]
    for person in (*people, STRANGER):
        shown.append(await house.app.public_screen(table_id, person.id))
        shown.append(await house.app.hand_screen(table_id, person))
        shown += [await house.press(person, table_id, verb) for verb in READABLE]
        shown.append(await house.press(person, table_id, Verb.CUT, f"{seal.deal}", "3"))
        shown.append(await house.app.press(person, f"1:{NO_TABLE}:0:{Verb.MY_DATA}", house.press_id()))
    kept = house.store.kept[table_id]
    everything = msgspec.json.encode(shown)
    for hidden in (salt.encode(), secret.hex().encode()):
        assert hidden not in everything + kept.saved.data + (kept.saved.snapshot or b"")
    assert seal.mix.encode() not in everything
    # Not even the store knows of cards: what was not cut has not been dealt to anybody.
    assert (record.match is None) is not later
    assert record.match is None or not record.match.in_play
    assert len(await house.store.events(table_id)) == record.events
    exported = records_of(record.table.rules, record.table.seating, ["a", "b"], await house.store.events(table_id))
    assert len(exported) == int(later)
    await house.app.stop()


async def test_tables_from_before_there_was_a_cut_play_on() -> None:
    house = House(seed=7)
    table_id, people = await house.started()
    kept = house.store.kept[table_id]
    tree = msgspec.json.decode(kept.saved.data)
    del tree["cutting"], tree["cut"]
    for seal in tree["seals"]:
        del seal["mix"], seal["cut"], seal["cutter"]
    house.put(table_id, msgspec.structs.replace(kept.saved, data=msgspec.json.encode(tree), data_digest=None))
    table = (await house.record(table_id)).table
    assert (table.cutting, table.cut) == (False, None)
    await house.play_out(table_id, people)
    deal = await record_of_deal(house, table_id, 0)
    verify(deal)
    assert deal.cut == ""


def test_setting_it_is_for_the_lobby() -> None:
    table = Table("t", "ABC234", "Mesa", "p", rulesets.load("clasico"), Seating.ONE_ON_ONE, status=Status.PLAYING)
    with pytest.raises(lobby.LobbyError):
        lobby.set_cutting(table, "p", cutting=True)


async def test_lists_of_tables_say_where_a_cut_is_awaited() -> None:
    house = House()
    table_id, people = await house.started(cutting=True)
    cutter = await house.cutter(table_id, people)
    records = await house.app.records_of([table_id])
    for person in people:
        told = words(tables_screen(texts(), records, person))
        assert ("te toca" in told) is (person == cutter)
        assert ("entre rondas" in told) is (person != cutter)
