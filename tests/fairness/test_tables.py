"""Sealed packs at real tables: shown with the deal, never opened before its end, opened and true afterwards."""

import base64
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from bot.cli import app as commands
from bot.desk import PictureDesk
from bot.fairness import SECRET_NOTE, problem_of, salt_of, seal_of
from bot.history import records_of
from bot.model import Person
from bot.presenter.fairness import fixed_line
from bot.records import DealRecord, RecordError, digest_of, read_record, verify, write_record
from bot.store import Record
from bot.texts import texts
from bot.tokens import Verb
from engine.actions import StartDeal
from engine.seating import Seating
from render import PillowRenderer
from tests.bot.rooms import House, words

STRANGER = Person(id="nobody", name="Nadie")
READABLE = (Verb.SHOW_TABLE, Verb.SHOW_HAND, Verb.MENU, Verb.WORDS, Verb.PLAYS, Verb.RULES, Verb.START, Verb.JOIN)


async def forbidden(house: House, record: Record) -> list[bytes]:
    """The salt and the secret behind it, in every form in which they might slip out."""
    secret = bytes.fromhex(await house.store.note(SECRET_NOTE) or "")
    seal = record.table.seals[-1]
    salt = bytes.fromhex(salt_of(secret, record.table.id, seal.deal, seal.mix))
    forms = [[raw, raw.hex().encode(), raw.hex().upper().encode(), base64.b64encode(raw)] for raw in (secret, salt)]
    return [form for group in forms for form in group]


async def shown(house: House, table_id: str, people: list[Person]) -> bytes:
    """Everything that anybody can be shown of a table, and what it is made from."""
    screens: list[object] = [
        await house.app.shared_screen(table_id),
        await house.app.public_screen(table_id),
        await house.record(table_id),
    ]
    for person in (*people, STRANGER):
        screens.append(await house.app.public_screen(table_id, person.id))
        screens.append(await house.app.hand_screen(table_id, person))
        screens += [await house.press(person, table_id, verb) for verb in READABLE]
    return msgspec.json.encode(screens)


async def finished(house: House, table_id: str) -> list[DealRecord]:
    """The records of a table's finished deals."""
    table = (await house.record(table_id)).table
    names = [chair.name for chair in table.chairs]
    return records_of(table.rules, table.seating, names, await house.store.events(table_id), table.seals, table.code)


@pytest.mark.parametrize("seating", [Seating.ONE_ON_ONE, Seating.TWO_PAIRS])
@pytest.mark.parametrize("seed", [1, 2])
async def test_no_salt_is_to_be_found_anywhere_before_the_end(seed: int, seating: Seating) -> None:
    house = House(seed=seed)
    table_id, people = await house.started(seating.seats, seating)
    step = 0
    while (await house.match(table_id)).in_play:
        if step % 12 == 0:
            everything = await shown(house, table_id, people)
            assert not [form for form in await forbidden(house, await house.record(table_id)) if form in everything]
            assert await finished(house, table_id) == []
        await house.play_on(table_id, people)
        step += 1
    record = await house.record(table_id)
    seal = seal_of(record.table.seals, 0)
    assert seal is not None
    everything = await shown(house, table_id, people)
    secret, salt = (await forbidden(house, record))[1], (await forbidden(house, record))[5]
    assert seal.salt.encode() == salt
    assert salt in everything
    assert secret not in everything


async def test_the_next_deal_is_sealed_anew_and_its_salt_hidden() -> None:
    house = House(seed=3)
    table_id, people = await house.started()
    await house.play_out(table_id, people)
    first = (await house.record(table_id)).table.seals
    assert (await house.press(people[0], table_id, Verb.NEXT_DEAL)).ok
    record = await house.record(table_id)
    assert record.table.seals[:1] == first
    assert not record.table.seals[1].is_open
    everything = await shown(house, table_id, people)
    assert not [form for form in await forbidden(house, record) if form in everything]


async def test_the_commitment_is_public_from_the_first_version_with_cards() -> None:
    house = House()
    table_id, people = await house.started()
    (seal,) = (await house.record(table_id)).table.seals
    assert seal.short in words(await house.app.shared_screen(table_id))
    assert seal.commitment in words((await house.press(STRANGER, table_id, Verb.WORDS)).screen)
    await house.play_out_turn(table_id, people)
    await house.play_out_turn(table_id, people)
    assert seal.short not in words(await house.app.shared_screen(table_id))
    assert seal.commitment in words((await house.press(STRANGER, table_id, Verb.WORDS)).screen)


async def test_pictures_hold_no_salt() -> None:
    house = House()
    table_id, people = await house.started()
    desk = PictureDesk(PillowRenderer())
    screen = await house.app.public_screen(table_id)
    hand = await house.app.hand_screen(table_id, people[0])
    assert screen is not None
    assert hand is not None
    png = (await desk.table(screen)).png + msgspec.json.encode(hand.picture)
    assert not [form for form in await forbidden(house, await house.record(table_id)) if form in png]


async def test_a_seal_survives_a_restart_and_opens_true() -> None:
    house = House(seed=5)
    table_id, people = await house.started()
    (closed,) = (await house.record(table_id)).table.seals
    await house.app.stop()
    house = house.again()
    await house.app.start()
    await house.play_out(table_id, people)
    (opened,) = (await house.record(table_id)).table.seals
    assert opened.commitment == closed.commitment
    (deal,) = await finished(house, table_id)
    assert (deal.commitment, deal.salt) == (opened.commitment, opened.salt)
    assert problem_of(deal.commitment, deal.salt, StartDeal(deal.pack, deal.reserve)) == ""
    assert opened.short in words(await house.app.shared_screen(table_id))
    assert opened.salt in words((await house.press(STRANGER, table_id, Verb.WORDS)).screen)
    await house.app.stop()


async def test_verify_checks_the_seal(tmp_path: Path) -> None:
    house = House(seed=6)
    table_id, people = await house.started()
    await house.play_out(table_id, people)
    (deal,) = await finished(house, table_id)
    assert write_record(read_record(write_record(deal))) == write_record(deal)
    verify(deal)
    other = msgspec.structs.replace(deal, commitment="0" * 64)
    other = msgspec.structs.replace(other, digest=digest_of(other))
    with pytest.raises(RecordError, match="commitment"):
        verify(other)
    bare = msgspec.structs.replace(deal, commitment="", salt="")
    bare = msgspec.structs.replace(bare, digest=digest_of(bare))
    verify(bare)
    assert "commitment" not in write_record(bare)
    with pytest.raises(RecordError, match="digest"):
        verify(msgspec.structs.replace(bare, digest=deal.digest))
    for name, record in (("true", deal), ("false", other), ("bare", bare)):
        (tmp_path / f"{name}.toml").write_text(write_record(record), encoding="utf-8")
    result = CliRunner().invoke(commands, ["verify", *(str(tmp_path / f"{name}.toml") for name in ("true", "bare"))])
    assert result.exit_code == 0
    assert [line.endswith("the seal is true") for line in result.output.splitlines()] == [True, False]
    result = CliRunner().invoke(commands, ["verify", str(tmp_path / "false.toml")])
    assert result.exit_code == 1
    assert "WRONG: commitment" in result.output


async def test_the_guided_deal_says_that_it_is_fixed() -> None:
    house = House()
    (person,) = await house.people(1)
    answer = await house.app.begin_lesson(person, house.press_id())
    assert answer.screen is not None
    table_id = answer.screen.table_id
    assert (await house.record(table_id)).table.seals == ()
    told = fixed_line(texts())
    assert told in words(await house.app.shared_screen(table_id))
    assert told in words((await house.press(person, table_id, Verb.WORDS)).screen)


async def test_a_table_from_before_there_were_seals_plays_on() -> None:
    house = House(seed=7)
    table_id, people = await house.started()
    record = await house.record(table_id)
    kept = house.store.kept[table_id]
    tree = msgspec.json.decode(kept.saved.data)
    del tree["seals"]
    house.put(table_id, msgspec.structs.replace(kept.saved, data=msgspec.json.encode(tree), data_digest=None))
    assert (await house.record(table_id)).table == msgspec.structs.replace(record.table, seals=())
    await house.play_out(table_id, people)
    (deal,) = await finished(house, table_id)
    assert (deal.commitment, deal.salt) == ("", "")
    verify(deal)
    await house.press(people[0], table_id, Verb.NEXT_DEAL)
    assert [seal.deal for seal in (await house.record(table_id)).table.seals] == [1]
