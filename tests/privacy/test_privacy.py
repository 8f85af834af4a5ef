"""What is kept of a person: shown whole to them alone, and forgotten without harm to others."""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adapters.storage import open_store
from adapters.storage.memory import MemoryStore
from bot.fairness import SECRET_NOTE, salt_of
from bot.model import Home, Pace, Person, PlaceSettings, Status
from bot.presenter.privacy import FILE_NAME
from bot.privacy import mark_of, without
from bot.screens import Answer, Role
from bot.store import Store
from bot.tokens import NO_TABLE, Intent, Verb, write_token
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import new_match
from tests.bot.fakes import settled
from tests.bot.rooms import House, words

NAME = "Zoraida Ñáñez"
ACCOUNT = "990017"


async def ask(house: House, person: Person, verb: Verb, *arguments: str, confirmed: bool = False) -> Answer:
    """Press a button about one's data."""
    token = write_token(Intent(NO_TABLE, 0, verb, arguments, confirmed=confirmed))
    return await house.app.press(person, token, house.press_id())


async def erase(house: House, person: Person) -> Answer:
    """Ask for erasure, and say yes."""
    question = await ask(house, person, Verb.ERASE)
    assert question.screen is not None
    (yes,) = (choice for row in question.screen.rows for choice in row)
    return await house.app.press(person, yes.token, house.press_id())


async def document(house: House, person: Person) -> dict[str, Any]:
    """All that is kept of a person."""
    answer = await ask(house, person, Verb.MY_DATA)
    assert answer.file is not None
    assert answer.file.name == FILE_NAME
    found: dict[str, Any] = json.loads(answer.file.data)
    return found


async def zoraida(house: House) -> Person:
    """Somebody who has left traces of every kind."""
    person = await house.app.meet(f"telegram:{ACCOUNT}", NAME)
    await house.store.add_person(person, "web:" + "c0ffee" * 10)
    await house.app.save_place_settings(f"telegram:{ACCOUNT}", PlaceSettings("abierto", Pace.QUICK))
    return await house.app.prefer(person, hand_order="rank")


async def at_tables(house: House, person: Person) -> dict[str, str]:
    """Tables in every state at which the person sits beside Ana; their ids by what they are."""
    ana, *_ = await house.people(1)
    found = {}
    for kind in ("over", "cancelled", "playing", "lobby"):
        record = await house.app.open_table(
            person, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, home=Home("", "chat", "room"), press_id=kind
        )
        table_id = found[kind] = record.table.id
        await house.app.add_home(Home(table_id, "telegram", ACCOUNT))
        await house.press(ana, table_id, Verb.JOIN)
        if kind == "lobby":
            continue
        assert (await house.press(person, table_id, Verb.START)).ok
        if kind == "cancelled":
            record = await house.record(table_id)
            table = msgspec.structs.replace(record.table, status=Status.CANCELLED, origin=f"telegram:{ACCOUNT}")
            await house.app._keeper.commit(record, table=table)
            continue
        await house.play_out(table_id, [person, ana])
        assert (await house.press(ana, table_id, Verb.NEXT_DEAL)).ok
        if kind == "over":
            record = await house.record(table_id)
            table = msgspec.structs.replace(record.table, status=Status.OVER, name=f"Adiós, {NAME}")
            await house.app._keeper.commit(record, table=table)
    return found


def everything(house: House) -> bytes:
    """All that a house's store in memory holds."""
    return kept_by(house.store)


def kept_by(store: MemoryStore) -> bytes:
    """All that a store in memory holds."""
    parts: list[object] = [store._people, store._keys, store._places, store._notes, store._presses]
    parts += [list(store._homes.values()), list(store.kept.values()), list(store._letters.values())]
    texts = [kept.saved.data + (kept.saved.snapshot or b"") + b"".join(kept.payloads) for kept in store.kept.values()]
    return msgspec.json.encode(parts) + b"".join(texts)


async def replayed(store: Store, table_id: str) -> bool:
    """Whether a table's events lead to its snapshot."""
    record = await store.load(table_id)
    assert record is not None
    assert record.match is not None
    before = new_match(record.table.rules, record.table.seating, record.match.first_starter)
    return evolve_all(before, await store.events(table_id)) == record.match


async def test_the_document_tells_all_and_no_secret() -> None:
    house = House()
    person = await zoraida(house)
    tables = await at_tables(house, person)
    told = await document(house, person)
    assert (told["format"], told["version"]) == ("buraco-person", 1)
    assert told["profile"]["name"] == NAME
    assert told["settings"] == {
        "locale": "es",
        "hand_order": "rank",
        "suit_colours": "four",
        "notices": "all",
        "cautions": "always",
    }
    assert told["accounts"] == [{"platform": "telegram", "account": ACCOUNT}, {"platform": "web"}]
    assert told["places"][f"telegram:{ACCOUNT}"]["ruleset_id"] == "abierto"
    assert told["presses"]["count"] > 5
    assert told["presses"]["first"] <= told["presses"]["last"]
    assert sorted(table["status"] for table in told["tables"]) == ["cancelled", "lobby", "over", "playing"]
    assert {table["name"] for table in told["tables"]} == {NAME}
    text = json.dumps(told, ensure_ascii=False)
    assert "c0ffee" not in text
    assert "Ana" not in text
    for table_id in tables.values():
        match = (await house.record(table_id)).match
        assert match is None or "hands" not in text


async def test_another_part_adds_its_own_and_forgets_it() -> None:
    class Results:
        name = "results"

        def __init__(self) -> None:
            self.of: dict[str, int] = {}

        async def export(self, person_id: str) -> object:
            return {"matches": self.of.get(person_id, 0)}

        async def erase(self, person_id: str) -> None:
            self.of.pop(person_id, None)

    house, results = House(), Results()
    house.app.privacy.add_part(results)
    person = await zoraida(house)
    results.of[person.id] = 3
    assert (await document(house, person))["results"] == {"matches": 3}
    await erase(house, person)
    assert results.of == {}


async def test_erasure_asks_first_and_tells_the_consequences() -> None:
    house = House()
    person = await zoraida(house)
    await at_tables(house, person)
    before = everything(house)
    answer = await ask(house, person, Verb.ERASE)
    assert answer.screen is not None
    assert answer.screen.role is Role.QUESTION
    told = words(answer.screen)
    assert "un robot sigue con tus cartas" in told
    assert "1 mesa que no empezó" in told
    assert "2 mesas terminadas" in told
    assert everything(house) == before


async def test_nobody_erases_by_somebody_elses_button() -> None:
    house = House()
    person = await zoraida(house)
    ana, *_ = await house.people(1)
    answer = await ask(house, ana, Verb.ERASE, mark_of(person.id), confirmed=True)
    assert answer.screen is not None
    assert answer.screen.role is Role.QUESTION
    assert await house.store.person(person.id) == person
    assert await house.store.person(ana.id) == ana
    await ask(house, ana, Verb.ERASE, confirmed=True)
    assert await house.store.person(ana.id) == ana


async def test_what_is_left_is_whole_and_tells_nothing_of_them() -> None:
    house = House()
    person = await zoraida(house)
    tables = await at_tables(house, person)
    before = {kind: await house.record(table_id) for kind, table_id in tables.items()}
    events = {kind: await house.store.events(table_id) for kind, table_id in tables.items()}
    answer = await erase(house, person)
    assert answer.ok
    assert "ya no guarda nada" in words(answer.screen)
    left = everything(house)
    for trace in (person.id, NAME, ACCOUNT, "c0ffee", "Zoraida", mark_of(person.id)):
        assert trace.encode() not in left
    for kind, table_id in tables.items():
        record = await house.record(table_id)
        there = before[kind]
        ana = next(chair for chair in there.table.chairs if chair.name == "Ana")
        assert ana in record.table.chairs
        if kind != "lobby":
            assert record.table.chairs.index(ana) == there.table.chairs.index(ana)
            assert (await house.store.events(table_id))[: len(events[kind])] == events[kind]
            assert await replayed(house.store, table_id)
        if kind in ("over", "cancelled"):
            assert record.match == there.match
            assert record.table.status is there.table.status
            other = next(chair for chair in record.table.chairs if chair != ana)
            assert (other.name, other.person, other.robot) == ("Jugador", None, None)
        if kind in ("lobby", "playing"):
            assert record.table.status is there.table.status
            assert record.table.host == ana.person
        assert record.table.name == "Mesa"
    await settled()
    assert await replayed(house.store, tables["playing"])
    assert person.id.encode() not in everything(house)


async def test_a_robot_plays_on_in_a_running_match() -> None:
    house = House()
    person = await zoraida(house)
    ana, *_ = await house.people(1)
    record = await house.app.open_table(person, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
    table_id = record.table.id
    await house.press(ana, table_id, Verb.JOIN)
    await house.press(person, table_id, Verb.START)
    await erase(house, person)
    for _ in range(5):
        async with asyncio.timeout(60):
            while not await house.mover_is(table_id, ana):  # noqa: ASYNC110 - a robot thinks in a thread
                await asyncio.sleep(0.01)
        await house.play_out_turn(table_id, [ana])
    assert [chair.robot for chair in (await house.record(table_id)).table.chairs].count("normal") == 1


async def test_erasure_may_be_asked_for_again_and_one_begins_anew() -> None:
    house = House()
    person = await zoraida(house)
    await at_tables(house, person)
    await erase(house, person)
    left = everything(house)
    assert (await erase(house, person)).ok
    assert everything(house) == left
    again = await house.app.meet(f"telegram:{ACCOUNT}", NAME)
    assert again.id != person.id
    assert again.hand_order == "suit"
    assert (await document(house, again))["tables"] == []


async def test_a_namesake_stays_who_they_are() -> None:
    house = House()
    person = await zoraida(house)
    namesake = await house.app.meet("telegram:1", NAME)
    record = await house.app.open_table(namesake, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
    await erase(house, person)
    assert await house.record(record.table.id) == record
    assert await house.store.person(namesake.id) == namesake


async def test_what_cannot_be_written_now_is_said_and_done_later() -> None:
    house = House()
    person = await zoraida(house)
    await at_tables(house, person)
    house.store.busy = 1
    assert not (await ask(house, person, Verb.ERASE, mark_of(person.id), confirmed=True)).ok
    house.store.busy = 0
    assert (await erase(house, person)).ok
    assert person.id.encode() not in everything(house)


async def test_a_conflict_is_tried_again() -> None:
    house = House()
    person = await zoraida(house)
    await at_tables(house, person)
    house.store.conflicts = 2
    assert (await erase(house, person)).ok
    assert person.id.encode() not in everything(house)


async def test_a_table_that_cannot_be_read_is_left_and_told_of() -> None:
    house = House()
    person = await zoraida(house)
    tables = await at_tables(house, person)
    house.store.unreadable.add(tables["over"])
    answer = await erase(house, person)
    assert "dañada" in words(answer.screen)
    assert (await house.store.mentioning([person.id])) == (tables["over"],)


async def test_a_last_person_takes_the_table_with_them() -> None:
    house = House()
    person = await zoraida(house)
    record = await house.app.open_table(person, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
    await house.press(person, record.table.id, Verb.START)
    await erase(house, person)
    table = (await house.record(record.table.id)).table
    assert (table.status, table.host, table.name) == (Status.CANCELLED, None, "Mesa")


@pytest.mark.parametrize(
    ("title", "left"),
    [
        (f"Mesa de {NAME}", "Mesa"),
        (f"mesa de {NAME.upper()} y Ana", "Mesa"),
        (f"{NAME}s", f"{NAME}s"),
        ("Los jueves", "Los jueves"),
    ],
)
async def test_only_titles_with_the_name_change(title: str, left: str) -> None:
    house = House()
    person = await zoraida(house)
    record = await house.app.open_table(person, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
    table = msgspec.structs.replace(record.table, name=title)
    assert without(table, person.id, {NAME}, ()).name == left


async def test_not_a_byte_stays_in_the_database_file(tmp_path: Path) -> None:
    path = tmp_path / "buraco.sqlite3"
    house = House()
    house.store = await open_store(str(path), now_ms=house.clock.now_ms)  # type: ignore[assignment]
    house = _over(house)
    person = await zoraida(house)
    tables = await at_tables_in(house, person)
    await house.app.stop()
    traces = [trace.encode() for trace in (person.id, NAME, ACCOUNT, "c0ffee", "Zoraida")]
    assert all(trace in _bytes(tmp_path) for trace in traces)
    assert (await erase(house, person)).ok
    assert not [trace for trace in traces if trace in _bytes(tmp_path)]
    for table_id in tables:
        assert await replayed(house.store, table_id)
    await house.store.tidy()
    assert not [trace for trace in traces if trace in _bytes(tmp_path)]
    await house.store.close()
    assert not [trace for trace in traces if trace in _bytes(tmp_path)]


def _over(house: House) -> House:
    """The same house over its new store."""
    from bot.app import App

    house.app = App(house.store, house.clock, house.deal, house.robots)
    return house


async def at_tables_in(house: House, person: Person) -> list[str]:
    """A few tables with play, one of which the person has left."""
    ana, *_ = await house.people(1)
    found = []
    for number in range(3):
        record = await house.app.open_table(
            person,
            ruleset_id="clasico",
            seating=Seating.ONE_ON_ONE,
            home=Home("", "telegram", ACCOUNT),
            press_id=f"p{number}",
        )
        table_id = record.table.id
        for who, verb in ((ana, Verb.JOIN), (person, Verb.START)):
            version = (await house.record(table_id)).version
            token = write_token(Intent(table_id, version, verb))
            assert (await house.app.press(who, token, house.press_id())).ok
        for _ in range(30):
            await house.play_on(table_id, [person, ana])
        found.append(table_id)
    version = (await house.record(found[0])).version
    token = write_token(Intent(found[0], version, Verb.LEAVE, confirmed=True))
    assert (await house.app.press(person, token, house.press_id())).ok
    return found


def _bytes(folder: Path) -> bytes:
    """Everything in the database's files, its write-ahead log included."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


async def test_the_document_holds_no_salt_before_the_deal_is_over() -> None:
    house = House()
    table_id, people = await house.started()
    secret = bytes.fromhex(await house.store.note(SECRET_NOTE) or "")
    for _ in range(6):
        await house.play_out_turn(table_id, people)
        for person in people:
            text = json.dumps(await document(house, person))
            assert secret.hex() not in text
            assert salt_of(secret, table_id, 0) not in text
