"""What every store must do: :class:`bot.store.Store`, word for word."""

import asyncio
import random

import msgspec
import pytest

from bot.model import Chair, Home, Pace, Person, PlaceSettings, Status
from bot.store import Change, Committed, Conflict, Record, Repeated, Store, StoreError
from engine.events import Event
from engine.evolve import evolve_all
from engine.state import new_match
from tests.contract.conftest import Backend
from tests.contract.playing import lobby, next_change, play, started


def renamed(record: Record, name: str, **change: object) -> Change:
    """A change that renames a table."""
    table = msgspec.structs.replace(record.table, name=name)
    after = msgspec.structs.replace(record, table=table, version=record.version + 1)
    return msgspec.structs.replace(Change(after), **change)


async def loaded(store: Store, table_id: str = "t1") -> Record:
    """A table that must be there."""
    record = await store.load(table_id)
    assert record is not None
    return record


class TestTables:
    async def test_nothing_is_there_at_first(self, store: Store) -> None:
        assert await store.load("t1") is None
        assert await store.find("CODE") is None
        assert await store.answer_to("press") is None
        assert list(await store.open_tables()) == []
        assert list(await store.tables_of("ana")) == []
        assert list(await store.events("t1")) == []
        assert list(await store.homes("t1")) == []
        assert list(await store.lagging_homes()) == []

    async def test_a_new_table_is_kept(self, backend: Backend) -> None:
        record = Record(lobby())
        assert await backend.store.create(record, None) == Committed()
        store = await backend.reopen()
        assert await store.load("t1") == record

    async def test_a_code_is_found_in_any_case(self, store: Store) -> None:
        await store.create(Record(lobby(code="Ñandú7")), None)
        assert await store.find("ñANDÚ7") == await store.find("Ñandú7") == "t1"
        assert await store.find("Nandu7") is None

    async def test_an_id_or_a_code_is_given_once(self, store: Store) -> None:
        record = Record(lobby(code="ABCD"))
        await store.create(record, None)
        other_code = Record(lobby(code="EFGH", people=("eva",)))
        other_id = Record(lobby("t2", code="abcd", people=("eva",)))
        assert await store.create(other_code, None) == Conflict()
        assert await store.create(other_id, Home("t2", "web", "room"), "press") == Conflict()
        assert await store.load("t1") == record
        assert await store.load("t2") is None
        assert await store.answer_to("press") is None
        assert list(await store.homes("t2")) == []
        assert list(await store.tables_of("eva")) == []

    async def test_a_repeated_creation_has_one_effect(self, store: Store) -> None:
        assert await store.create(Record(lobby()), None, "press") == Committed()
        again = await store.create(Record(lobby("t2")), None, "press")
        assert again == Repeated("t1")
        assert await store.load("t2") is None
        assert await store.answer_to("press") == "t1"

    async def test_only_a_beginning_can_be_created(self, store: Store) -> None:
        with pytest.raises(ValueError, match="version 0"):
            await store.create(Record(lobby(), version=1), None)
        with pytest.raises(ValueError, match="another table"):
            await store.create(Record(lobby()), Home("t2", "web", "room"))
        assert await store.load("t1") is None

    async def test_a_table_may_start_with_its_match(self, store: Store) -> None:
        record = started(lobby(), first_starter=3)
        await store.create(record, None)
        assert await store.load("t1") == record


class TestCommits:
    async def test_a_change_is_there_when_it_is_acknowledged(self, backend: Backend) -> None:
        record = started(lobby())
        await backend.store.create(record, None)
        for change in play(record, seed=1, actions=40):
            assert await backend.store.commit(change) == Committed()
            record = change.record
            assert await backend.store.load("t1") == record
        assert await loaded(await backend.reopen()) == record

    async def test_events_are_kept_in_order(self, store: Store) -> None:
        record = started(lobby())
        await store.create(record, None)
        changes = list(play(record, seed=2, actions=60))
        for change in changes:
            await store.commit(change)
        events = await store.events("t1")
        assert list(events) == [event for change in changes for event in change.events]
        assert record.match is not None
        assert evolve_all(record.match, events) == changes[-1].record.match
        assert (await loaded(store)).events == len(events)

    async def test_a_conflict_writes_nothing(self, store: Store) -> None:
        record = started(lobby())
        await store.create(record, None)
        first = next_change(record, random.Random(1))
        second = next_change(record, random.Random(2), press_id="late", answer="too late")
        assert await store.commit(first) == Committed()
        assert await store.commit(second) == Conflict()
        assert await loaded(store) == first.record
        assert list(await store.events("t1")) == list(first.events)
        assert await store.answer_to("late") is None

    async def test_versions_have_no_gaps(self, store: Store) -> None:
        record = Record(lobby())
        await store.create(record, None)
        ahead = msgspec.structs.replace(record, version=2)
        assert await store.commit(Change(ahead)) == Conflict()
        assert await store.commit(Change(record)) == Conflict()
        assert await store.commit(Change(msgspec.structs.replace(record, version=1))) == Committed()

    async def test_a_table_that_is_not_there_is_a_conflict(self, store: Store) -> None:
        assert await store.commit(renamed(Record(lobby()), "nothing")) == Conflict()
        assert await store.load("t1") is None

    async def test_a_repeated_press_gets_the_same_answer_and_has_one_effect(self, backend: Backend) -> None:
        record = started(lobby())
        store = backend.store
        await store.create(record, None)
        change = next_change(record, random.Random(1), press_id="discord:1", answer="bien ♥")
        assert await store.commit(change) == Committed()
        after = change.record
        assert await store.commit(change) == Repeated("bien ♥")
        other = next_change(after, random.Random(1), press_id="discord:1", answer="another")
        assert await store.commit(other) == Repeated("bien ♥")
        store = await backend.reopen()
        assert await store.commit(change) == Repeated("bien ♥")
        assert await store.answer_to("discord:1") == "bien ♥"
        assert await loaded(store) == after

    async def test_a_press_counts_for_all_tables(self, store: Store) -> None:
        one, two = Record(lobby("t1")), Record(lobby("t2"))
        await store.create(one, None)
        await store.create(two, None)
        await store.commit(renamed(one, "x", press_id="p", answer="first"))
        assert await store.commit(renamed(two, "x", press_id="p", answer="second")) == Repeated("first")
        assert await loaded(store, "t2") == two

    async def test_a_press_may_have_an_empty_answer(self, store: Store) -> None:
        record = Record(lobby())
        await store.create(record, None)
        change = renamed(record, "x", press_id="p")
        assert await store.commit(change) == Committed()
        assert await store.commit(change) == Repeated("")
        assert await store.answer_to("p") == ""

    async def test_the_count_of_events_must_be_right(self, store: Store) -> None:
        record = started(lobby())
        await store.create(record, None)
        change = next_change(record, random.Random(1), press_id="p")
        wrong = msgspec.structs.replace(change, record=msgspec.structs.replace(change.record, events=0))
        with pytest.raises(ValueError, match="events"):
            await store.commit(wrong)
        assert await loaded(store) == record
        assert await store.answer_to("p") is None
        assert await store.commit(change) == Committed()

    async def test_a_table_keeps_its_match(self, store: Store) -> None:
        record = started(lobby(), first_starter=0)
        await store.create(record, None)
        other = new_match(record.table.rules, record.table.seating, 1)
        for match in (other, None):
            with pytest.raises(ValueError, match="keeps its match"):
                await store.commit(Change(msgspec.structs.replace(record, version=1, match=match)))
        assert await loaded(store) == record

    async def test_a_match_is_played_by_the_rules_of_its_table(self, store: Store) -> None:
        record = started(lobby())
        await store.create(record, None)
        table = msgspec.structs.replace(record.table, rules=msgspec.structs.replace(record.table.rules, target=1))
        with pytest.raises(ValueError, match="other rules"):
            await store.commit(Change(msgspec.structs.replace(record, version=1, table=table)))
        assert await loaded(store) == record

    async def test_what_cannot_be_encoded_harms_nobody(self, store: Store) -> None:
        one, two = Record(lobby("t1")), Record(lobby("t2"))
        await store.create(one, None)
        await store.create(two, None)
        bad = msgspec.structs.replace(one.table, options={"what": object()})
        results = await asyncio.gather(
            store.commit(Change(msgspec.structs.replace(one, table=bad, version=1))),
            store.commit(renamed(two, "x")),
            return_exceptions=True,
        )
        assert isinstance(results[0], TypeError)
        assert results[1] == Committed()
        assert await loaded(store) == one


class TestConcurrency:
    async def test_of_sixteen_at_once_exactly_one_wins_each_version(self, store: Store) -> None:
        record = started(lobby())
        await store.create(record, None)
        dice = random.Random(5)
        expected: list[Event] = []
        for version in range(20):
            changes = [next_change(record, dice, f"{version}:{n}", f"answer {n}") for n in range(16)]
            results = await asyncio.gather(*map(store.commit, changes))
            winners = [change for change, result in zip(changes, results, strict=True) if result == Committed()]
            assert len(winners) == 1
            assert results.count(Conflict()) == 15
            record = winners[0].record
            expected += winners[0].events
            assert await loaded(store) == record
        assert list(await store.events("t1")) == expected

    async def test_a_press_delivered_many_times_at_once_has_one_effect(self, store: Store) -> None:
        record = started(lobby())
        await store.create(record, None)
        dice = random.Random(6)
        for number in range(20):
            change = next_change(record, dice, f"press {number}", f"answer {number}")
            results = await asyncio.gather(*(store.commit(change) for _ in range(5)))
            assert results.count(Committed()) == 1
            assert results.count(Repeated(f"answer {number}")) == 4
            record = change.record
        assert await loaded(store) == record

    async def test_tables_do_not_disturb_each_other(self, backend: Backend) -> None:
        store = backend.store
        records = [started(lobby(f"t{n:02}"), first_starter=n % 4) for n in range(40)]
        await asyncio.gather(*(store.create(record, Home(record.table.id, "web", "room")) for record in records))

        async def client(number: int) -> Record:
            last = records[number]
            for change in play(records[number], seed=number, actions=15):
                assert await store.commit(change) == Committed()
                assert await store.load(change.record.table.id) == change.record
                last = change.record
            return last

        last = await asyncio.gather(*map(client, range(40)))
        store = await backend.reopen()
        for record in last:
            assert await loaded(store, record.table.id) == record
            assert len(await store.events(record.table.id)) == record.events

    async def test_a_new_key_pressed_many_times_is_one_person(self, store: Store) -> None:
        people = [Person(f"p{n}", f"Name {n}") for n in range(10)]
        found = await asyncio.gather(*(store.add_person(person, "web:key") for person in people))
        assert len(set(found)) == 1
        assert await store.person_by_key("web:key") == found[0]
        there = [person for person in people if await store.person(person.id) is not None]
        assert there == [found[0]]

    async def test_cancelled_commits_are_wholly_there_or_not_at_all(self, store: Store) -> None:
        dice = random.Random(7)
        records = {f"t{n}": started(lobby(f"t{n}")) for n in range(20)}
        for record in records.values():
            await store.create(record, None)
        cancelled = done = 0
        for number in range(200):
            table_id = f"t{number % 20}"
            before = records[table_id]
            if before.match is None or before.match.is_over:
                continue
            change = next_change(before, dice, f"press {number}", "done")
            task = asyncio.create_task(store.commit(change))
            await asyncio.sleep(dice.choice((0, 0, 0.0005, 0.002)))
            task.cancel()
            try:
                await task
                done += 1
            except asyncio.CancelledError:
                cancelled += 1
            assert await loaded(store, table_id) in (before, change.record)
            other = next_change(before, dice, f"other {number}", "done")
            if dice.random() < 0.7:
                # It may still be under way: the same press again settles it, and has no second effect.
                assert await store.commit(change) in (Committed(), Repeated("done"))
            else:
                # Another press waits for it, and finds it wholly there or not at all.
                assert await store.commit(other) in (Committed(), Conflict())
            after = await loaded(store, table_id)
            mine, others = await store.answer_to(f"press {number}"), await store.answer_to(f"other {number}")
            assert (mine is None) != (others is None)
            assert after == (other if mine is None else change).record
            assert len(await store.events(table_id)) == after.events
            records[table_id] = after
        assert cancelled + done == 200
        final = next_change(records["t0"], dice)
        assert await store.commit(final) == Committed()

    async def test_closing_finishes_what_was_asked_for(self, backend: Backend) -> None:
        store = backend.store
        record = Record(lobby())
        await store.create(record, None)
        task = asyncio.create_task(store.commit(renamed(record, "at the last moment")))
        await asyncio.sleep(0)
        await asyncio.gather(store.close(), store.close())
        assert await task == Committed()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.load("t1")
        with pytest.raises(StoreError, match="closed"):
            await store.commit(renamed(record, "too late"))


class TestLists:
    async def test_open_tables_come_oldest_first(self, store: Store) -> None:
        for table_id, created in (("new", 300), ("old", 100), ("middle", 200)):
            await store.create(Record(lobby(table_id, created_ms=created)), None)
        assert list(await store.open_tables()) == ["old", "middle", "new"]

    @pytest.mark.parametrize(
        ("status", "is_open"),
        [(Status.LOBBY, True), (Status.PLAYING, True), (Status.OVER, False), (Status.CANCELLED, False)],
    )
    async def test_open_means_lobby_or_playing(self, store: Store, status: Status, is_open: bool) -> None:
        record = Record(lobby())
        await store.create(record, None)
        after = msgspec.structs.replace(record.table, status=status)
        await store.commit(Change(msgspec.structs.replace(record, table=after, version=1)))
        assert list(await store.open_tables()) == (["t1"] if is_open else [])
        assert list(await store.tables_of("ana")) == (["t1"] if is_open else [])
        assert await store.find("CODEt1") == "t1"

    async def test_tables_of_a_person_come_longest_unchanged_first(self, backend: Backend) -> None:
        store = backend.store
        records = {name: Record(lobby(name)) for name in "abc"}
        for record in records.values():
            backend.clock.now += 1
            await store.create(record, None)
        assert list(await store.tables_of("ana")) == ["a", "b", "c"]
        for name in "ab":
            backend.clock.now += 1
            await store.commit(renamed(records[name], "x"))
        assert list(await store.tables_of("ana")) == ["c", "a", "b"]
        assert list(await store.tables_of("nobody")) == []

    async def test_people_come_and_go(self, store: Store) -> None:
        record = Record(lobby(people=("ana",)))
        await store.create(record, None)
        chairs = (Chair("Beto", "beto"), Chair("Robot", robot="easy"), Chair("Beto again", "beto"))
        table = msgspec.structs.replace(record.table, chairs=chairs)
        after = msgspec.structs.replace(record, table=table, version=1)
        assert await store.commit(Change(after)) == Committed()
        assert list(await store.tables_of("ana")) == []
        assert list(await store.tables_of("beto")) == ["t1"]
        empty = msgspec.structs.replace(after, table=msgspec.structs.replace(table, chairs=()), version=2)
        assert await store.commit(Change(empty)) == Committed()
        assert list(await store.tables_of("beto")) == []


class TestSuspending:
    async def test_a_suspended_table_is_in_no_list(self, backend: Backend) -> None:
        store = backend.store
        record = started(lobby())
        await store.create(record, Home("t1", "web", "room"))
        await store.suspend("t1")
        store = await backend.reopen()
        assert list(await store.open_tables()) == []
        assert list(await store.tables_of("ana")) == []
        assert list(await store.lagging_homes()) == []
        after = await loaded(store)
        assert after.table.status is Status.SUSPENDED
        assert msgspec.structs.replace(after, table=record.table) == record
        assert await store.find("CODEt1") == "t1"

    async def test_tables_left_alone_are_found_the_longest_first(self, store: Store) -> None:
        for number in (1, 2):
            await store.create(Record(lobby(f"t{number}", code=f"C{number}")), None)
        far = 10**15
        assert list(await store.idle_tables(Status.LOBBY, far)) == ["t1", "t2"]
        assert list(await store.idle_tables(Status.LOBBY, 0)) == []
        assert list(await store.idle_tables(Status.PLAYING, far)) == []

    async def test_deadlines_are_known_the_earliest_first(self, backend: Backend) -> None:
        store = backend.store
        for number, deadline in ((1, 5000), (2, 3000), (3, None)):
            record = Record(lobby(f"t{number}", code=f"C{number}"))
            await store.create(record, None)
            table = msgspec.structs.replace(record.table, status=Status.PLAYING)
            await store.commit(Change(Record(table, version=1), deadline_ms=deadline))
        store = await backend.reopen()
        assert list(await store.deadlines()) == [("t2", 3000), ("t1", 5000)]
        over = msgspec.structs.replace(lobby("t2", code="C2"), status=Status.OVER)
        await store.commit(Change(Record(over, version=2), deadline_ms=7))
        assert list(await store.deadlines()) == [("t1", 5000)]

    async def test_suspending_what_is_not_there_does_nothing(self, store: Store) -> None:
        await store.suspend("nothing")
        assert await store.load("nothing") is None

    async def test_a_repaired_table_plays_on(self, store: Store) -> None:
        record = started(lobby())
        await store.create(record, None)
        await store.suspend("t1")
        change = next_change(record, random.Random(1))
        assert await store.commit(change) == Committed()
        assert await loaded(store) == change.record
        assert list(await store.open_tables()) == ["t1"]


class TestPeople:
    async def test_a_person_is_found_by_id_and_by_key(self, backend: Backend) -> None:
        person = Person("p1", "Ñusta ♦", locale="pt", hand_order="rank")
        assert await backend.store.add_person(person, "discord:1") == person
        store = await backend.reopen()
        assert await store.person("p1") == person
        assert await store.person_by_key("discord:1") == person
        assert await store.person("p2") is None
        assert await store.person_by_key("discord:2") is None

    async def test_a_known_key_gives_the_person_who_has_it(self, store: Store) -> None:
        first = Person("p1", "Ana")
        await store.add_person(first, "web:1")
        assert await store.add_person(Person("p2", "Beto"), "web:1") == first
        assert await store.person("p2") is None

    async def test_a_person_may_have_several_keys(self, store: Store) -> None:
        person = Person("p1", "Ana")
        await store.add_person(person, "web:1")
        await store.add_person(Person("p1", "Somebody"), "discord:1")
        assert await store.person_by_key("web:1") == await store.person_by_key("discord:1") == person

    async def test_settings_are_replaced(self, store: Store) -> None:
        person = Person("p1", "Ana")
        await store.add_person(person, "web:1")
        changed = msgspec.structs.replace(person, name="Ana María", suit_colours="two")
        await store.save_person(changed)
        assert await store.person_by_key("web:1") == changed

    async def test_nobody_is_made_by_saving(self, store: Store) -> None:
        await store.save_person(Person("p1", "Ana"))
        assert await store.person("p1") is None

    async def test_the_keys_of_a_person_are_known(self, store: Store) -> None:
        await store.add_person(Person("p1", "Ana"), "telegram:7")
        await store.add_person(Person("p1", "Ana"), "discord:42")
        await store.add_person(Person("p2", "Eva"), "web:1")
        assert list(await store.keys_of("p1")) == ["discord:42", "telegram:7"]
        assert list(await store.keys_of("p2")) == ["web:1"]
        assert list(await store.keys_of("p3")) == []


class TestPlaces:
    async def test_what_a_place_has_settled_is_kept_and_replaced(self, backend: Backend) -> None:
        store = backend.store
        assert await store.place_settings("discord:1") is None
        await store.save_place_settings("discord:1", PlaceSettings("cerrado", Pace.QUICK, threads=True))
        await store.save_place_settings("discord:2", PlaceSettings("burraco"))
        await store.save_place_settings("discord:1", PlaceSettings("abierto", Pace.MAIL))
        store = await backend.reopen()
        assert await store.place_settings("discord:1") == PlaceSettings("abierto", Pace.MAIL)
        assert await store.place_settings("discord:2") == PlaceSettings("burraco")
        assert await store.place_settings("telegram:1") is None

    async def test_small_facts_are_written_down_and_replaced(self, backend: Backend) -> None:
        store = backend.store
        assert await store.note("commands") is None
        await store.write_note("commands", "one")
        await store.write_note("commands", "two")
        store = await backend.reopen()
        assert await store.note("commands") == "two"

    async def test_what_must_be_one_is_settled_by_the_first(self, backend: Backend) -> None:
        store = backend.store
        told = await asyncio.gather(*(store.settle_note("secret", f"made up by {n}") for n in range(20)))
        assert len(set(told)) == 1
        assert told[0] in {f"made up by {n}" for n in range(20)}
        assert await store.settle_note("secret", "too late") == told[0]
        store = await backend.reopen()
        assert await store.note("secret") == told[0]
        assert await store.settle_note("secret", "much too late") == told[0]

    async def test_any_text_can_be_a_key_and_a_note(self, store: Store) -> None:
        strange = [
            "",
            " ",
            "a\0b",
            "a\ufdd00b",
            "a\ufdd0b",
            "\0",
            "\ufdd0",
            "\ufdd0\0\ufdd01",
            "Ñ♣\U0001f0a1",
            "'\"\\%_",
            "a\nb",
        ]
        for text in strange:
            assert await store.settle_note(text, text) == text
        for text in strange:
            assert await store.note(text) == text
        assert await store.note("ab") is None

    async def test_a_name_that_ends_in_nothing_is_no_other_name(self, store: Store) -> None:
        assert await store.find("\0") is None
        await store.add_person(Person("p1", "a\0b"), "web:\0")
        assert await store.person_by_key("web:\0") == Person("p1", "a\0b")
        assert await store.person_by_key("web:") is None

    async def test_the_open_tables_of_a_place_are_found_the_newest_first(self, store: Store) -> None:
        for number in (1, 2, 3):
            table = msgspec.structs.replace(lobby(f"t{number}", code=f"C{number}"), created_ms=number)
            await store.create(Record(table), Home(f"t{number}", "discord", "42"))
        await store.add_home(Home("t1", "discord", "43"))
        await store.add_home(Home("t1", "telegram", "42"))
        assert list(await store.tables_at("discord", "42")) == ["t3", "t2", "t1"]
        assert list(await store.tables_at("discord", "43")) == ["t1"]
        assert list(await store.tables_at("web", "42")) == []
        closed = msgspec.structs.replace(lobby("t2", code="C2"), created_ms=2, status=Status.CANCELLED)
        assert await store.commit(Change(Record(closed, version=1))) == Committed()
        assert list(await store.tables_at("discord", "42")) == ["t3", "t1"]


class TestHomes:
    async def test_homes_are_kept_once(self, backend: Backend) -> None:
        store = backend.store
        home = Home("t1", "discord", "42", "message 7", 0)
        await store.create(Record(lobby()), home)
        await store.add_home(Home("t1", "telegram", "42"))
        await store.add_home(Home("t1", "discord", "42", "another"))
        store = await backend.reopen()
        assert list(await store.homes("t1")) == [home, Home("t1", "telegram", "42")]
        assert list(await store.homes("t2")) == []

    async def test_a_place_s_homes_go_along_to_its_new_name(self, backend: Backend) -> None:
        store = backend.store
        for number in (1, 2, 3):
            await store.create(
                Record(lobby(f"t{number}", code=f"C{number}")), Home(f"t{number}", "telegram", "old", "m", 0)
            )
        await store.add_home(Home("t1", "telegram", "new", "n", 0))
        await store.add_home(Home("t3", "discord", "old"))
        assert list(await store.move_homes("telegram", "old", "new")) == ["t1", "t2", "t3"]
        assert list(await store.move_homes("telegram", "old", "new")) == []
        store = await backend.reopen()
        assert list(await store.homes("t1")) == [Home("t1", "telegram", "new", "n", 0)]
        assert list(await store.homes("t2")) == [Home("t2", "telegram", "new")]
        assert list(await store.homes("t3")) == [Home("t3", "discord", "old"), Home("t3", "telegram", "new")]
        assert list(await store.tables_at("telegram", "old")) == []

    async def test_a_home_needs_its_table(self, store: Store) -> None:
        with pytest.raises(StoreError):
            await store.add_home(Home("t1", "web", "room"))
        with pytest.raises(StoreError):
            await store.mark_shown(Home("t1", "web", "room"))
        assert list(await store.homes("t1")) == []

    async def test_an_older_version_never_replaces_a_newer_one(self, store: Store) -> None:
        await store.create(Record(lobby()), None)
        await store.mark_shown(Home("t1", "discord", "42", "a", 3))
        await store.mark_shown(Home("t1", "discord", "42", "b", 2))
        assert list(await store.homes("t1")) == [Home("t1", "discord", "42", "a", 3)]
        await store.mark_shown(Home("t1", "discord", "42", "c", 3))
        assert list(await store.homes("t1")) == [Home("t1", "discord", "42", "c", 3)]

    async def test_what_is_posted_stays_where_a_version_is_shown_without_it(self, store: Store) -> None:
        await store.create(Record(lobby()), None)
        await store.mark_shown(Home("t1", "web", "new", None, 1))
        await store.mark_shown(Home("t1", "discord", "42", "a", 1))
        await store.mark_shown(Home("t1", "discord", "42", None, 4))
        await store.mark_shown(Home("t1", "discord", "42", None, 3))
        assert list(await store.homes("t1")) == [Home("t1", "discord", "42", "a", 4), Home("t1", "web", "new", None, 1)]

    async def test_what_is_posted_is_swapped_by_whoever_knows_it(self, store: Store) -> None:
        await store.create(Record(lobby()), None)
        home = Home("t1", "telegram", "hand:7")

        def there(posted: str) -> Home:
            return msgspec.structs.replace(home, posted=posted)

        assert not await store.swap_posted(there("b"), "a")
        assert list(await store.homes("t1")) == []
        assert await store.swap_posted(there("a"), None)
        assert list(await store.homes("t1")) == [there("a")]
        assert not await store.swap_posted(there("b"), None)
        assert not await store.swap_posted(there("b"), "x")
        await store.mark_shown(msgspec.structs.replace(home, shown_version=5))
        assert await store.swap_posted(there("b"), "a")
        assert list(await store.homes("t1")) == [Home("t1", "telegram", "hand:7", "b", 5)]
        assert await store.swap_posted(there("b"), "a"), "asked again, it is as it should be"
        await store.add_home(Home("t1", "web", "room"))
        assert await store.swap_posted(Home("t1", "web", "room", "w"), None)
        with pytest.raises(StoreError):
            await store.swap_posted(Home("t2", "web", "room", "w"), None)

    async def test_of_many_that_swap_in_the_same_moment_one_does(self, store: Store) -> None:
        await store.create(Record(lobby()), None)
        for before in (None, "first"):
            texts = [f"{before}-{number}" for number in range(12)]
            homes = [Home("t1", "telegram", "hand:7", text) for text in texts]
            done = await asyncio.gather(*(store.swap_posted(home, before) for home in homes))
            assert done.count(True) == 1
            (home,) = await store.homes("t1")
            assert home.posted == texts[done.index(True)]
            assert await store.swap_posted(Home("t1", "telegram", "hand:7", "first"), home.posted)

    async def test_shown_versions_only_grow_in_whatever_order(self, store: Store) -> None:
        await store.create(Record(lobby()), None)
        versions = list(range(50))
        random.Random(3).shuffle(versions)
        await asyncio.gather(*(store.mark_shown(Home("t1", "web", "room", str(v), v)) for v in versions))
        assert list(await store.homes("t1")) == [Home("t1", "web", "room", "49", 49)]

    async def test_homes_lag_until_they_show_the_newest(self, store: Store) -> None:
        record = Record(lobby())
        fresh, other = Home("t1", "discord", "1"), Home("t1", "telegram", "2", "m", 0)
        await store.create(record, fresh)
        await store.add_home(other)
        assert list(await store.lagging_homes()) == [fresh]
        await store.mark_shown(msgspec.structs.replace(fresh, posted="n", shown_version=0))
        assert list(await store.lagging_homes()) == []
        await store.commit(renamed(record, "x"))
        lagging = await store.lagging_homes()
        assert [(home.platform, home.shown_version) for home in lagging] == [("discord", 0), ("telegram", 0)]
        await store.mark_shown(msgspec.structs.replace(other, shown_version=1))
        assert [home.platform for home in await store.lagging_homes()] == ["discord"]

    async def test_a_finished_table_is_still_shown(self, store: Store) -> None:
        record = Record(lobby())
        await store.create(record, Home("t1", "discord", "1", "m", 0))
        table = msgspec.structs.replace(record.table, status=Status.CANCELLED)
        await store.commit(Change(msgspec.structs.replace(record, table=table, version=1)))
        assert [home.place for home in await store.lagging_homes()] == ["1"]


NASTY = (
    "'); DROP TABLE people; --",
    '" OR ""="',
    "' UNION SELECT * FROM people --",
    "%",
    "_",
    "$1 :name ? %s {x}",
    "\\'; DELETE FROM tables; --",
    "Zoë ♥ \U0001f0a1",
)


class TestTexts:
    """Whatever stands in a text is text: it comes back as it was, finds nothing else, and changes nothing else."""

    @pytest.mark.parametrize("nasty", NASTY)
    async def test_no_text_is_taken_for_anything_else(self, backend: Backend, nasty: str) -> None:
        store = backend.store
        bystander = await store.add_person(Person(id="p0", name="Ana"), "test:0")
        there = Record(lobby("t0", code="THERE"))
        await store.create(there, Home("t0", "test", "room"))
        person = await store.add_person(Person(id=f"p{nasty}", name=nasty), f"test:{nasty}")
        record = Record(lobby("t1", code=f"C{nasty}"))
        record = msgspec.structs.replace(record, table=msgspec.structs.replace(record.table, name=f"<{nasty}>"))
        assert await store.create(record, Home("t1", "test", nasty), f"press:{nasty}") == Committed()
        await store.write_note(f"note:{nasty}", nasty)
        await store.save_place_settings(f"test:{nasty}", PlaceSettings(channel=nasty))
        store = await backend.reopen()
        assert await store.person_by_key(f"test:{nasty}") == person
        assert await store.load("t1") == record
        assert await store.find(f"C{nasty}") == "t1"
        assert await store.note(f"note:{nasty}") == nasty
        assert (await store.place_settings(f"test:{nasty}")) == PlaceSettings(channel=nasty)
        assert list(await store.tables_at("test", nasty)) == ["t1"]
        assert list(await store.mentioning((f"<{nasty}>",))) == ["t1"]
        for asked in (nasty, f"{nasty}x"):
            assert await store.person_by_key(asked) is None
            assert await store.person(asked) is None
            assert await store.find(asked) is None
            assert await store.note(asked) is None
            assert await store.answer_to(asked) is None
            assert list(await store.tables_of(asked)) == []
        assert await store.person_by_key("test:0") == bystander
        assert await store.load("t0") == there
        assert list(await store.homes("t0")) == [Home("t0", "test", "room")]
