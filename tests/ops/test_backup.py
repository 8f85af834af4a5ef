"""Copies: made while others write, whole, private, thinned out, and good to go back to."""

import asyncio
import os
import random
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.storage import backup
from adapters.storage.backup import back_up, drill, file_of, restore, rotate
from adapters.storage.sqlite import open_sqlite
from bot.store import Committed, Record, StoreInUse, StoreUnusable
from tests.contract.playing import lobby, next_change, started

NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def at_noon() -> int:
    """A clock."""
    return 1_700_000_000_000


async def _played(path: Path, names: tuple[str, ...] = ("t0", "t1"), rounds: int = 12) -> dict[str, Record]:
    """Tables in play, by name."""
    store = await open_sqlite(path, at_noon)
    dice, found = random.Random(3), {}
    try:
        for name in names:
            record = started(lobby(name))
            await store.create(record, None)
            for number in range(rounds):
                change = next_change(record, dice, f"{name}-{number}")
                assert await store.commit(change) == Committed()
                record = change.record
            found[name] = record
    finally:
        await store.close()
    return found


async def test_a_copy_made_while_the_bot_writes_is_whole(tmp_path: Path) -> None:
    path, out = tmp_path / "buraco.db", tmp_path / "copies"
    store = await open_sqlite(path, at_noon)
    stop = asyncio.Event()
    written = before = 0

    async def write(name: str) -> None:
        nonlocal written
        dice = random.Random(name)
        record = started(lobby(name))
        await store.create(record, None)
        while not stop.is_set() and record.match is not None and not record.match.is_over:
            change = next_change(record, dice, f"{name}-{record.version}")
            assert await store.commit(change) == Committed()
            record, written = change.record, written + 1

    try:
        writing = [asyncio.create_task(write(f"t{n}")) for n in range(4)]
        for number in range(5):
            async with asyncio.timeout(60):
                while written == before:  # noqa: ASYNC110 - whoever writes tells nobody
                    await asyncio.sleep(0.05)
            before = written
            copy = await asyncio.to_thread(back_up, path, out, NOW + timedelta(minutes=number))
            found = await drill(copy)
            assert found.problems == ()
            assert found.tables == 4
            assert found.events > 0
            assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert written > before, "nobody waits for a copy"
        stop.set()
        await asyncio.gather(*writing)
    finally:
        await store.close()
    assert len(list(out.iterdir())) == 5, "nothing unfinished stays"


async def test_restored_everything_stands_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "buraco.db"
    before = await _played(path)
    copy = back_up(path, tmp_path / "copies", NOW)
    await _played(path, ("later",))
    aside = restore(copy, path, NOW)
    assert aside is not None
    assert (await drill(aside)).tables == 3, "what was there is kept"
    store = await open_sqlite(path, at_noon)
    try:
        assert set(await store.open_tables()) == set(before)
        for name, record in before.items():
            assert await store.load(name) == record
            change = next_change(record, random.Random(1), f"again-{name}")
            assert await store.commit(change) == Committed(), "play goes on"
    finally:
        await store.close()


async def test_restore_into_an_empty_place(tmp_path: Path) -> None:
    await _played(tmp_path / "buraco.db")
    copy = back_up(tmp_path / "buraco.db", tmp_path, NOW)
    assert restore(copy, tmp_path / "deep" / "new.db", NOW) is None
    assert (await drill(tmp_path / "deep" / "new.db")).tables == 2


async def test_a_log_left_by_a_kill_goes_along_with_its_database(tmp_path: Path) -> None:
    path = tmp_path / "buraco.db"
    await _played(path)
    copy = back_up(path, tmp_path / "copies", NOW)
    path.with_name("buraco.db-wal").write_bytes(b"a log of another life")
    restore(copy, path, NOW)
    assert not path.with_name("buraco.db-wal").exists() or path.with_name("buraco.db-wal").stat().st_size == 0
    assert (await drill(path)).problems == ()


async def test_nothing_is_restored_under_a_running_bot(tmp_path: Path) -> None:
    path = tmp_path / "buraco.db"
    await _played(path)
    copy = back_up(path, tmp_path / "copies", NOW)
    store = await open_sqlite(path, at_noon)
    try:
        with pytest.raises(StoreInUse, match="stop the bot"):
            restore(copy, path, NOW)
    finally:
        await store.close()


async def test_a_damaged_copy_is_found_and_not_put_back(tmp_path: Path) -> None:
    path = tmp_path / "buraco.db"
    before = await _played(path)
    copy = back_up(path, tmp_path / "copies", NOW)
    content = bytearray(copy.read_bytes())
    for offset in range(5 * 4096, len(content), 4096):
        content[offset : offset + 512] = os.urandom(512)
    copy.write_bytes(content)
    with pytest.raises(StoreUnusable, match=r"damaged|cannot be read"):
        restore(copy, path, NOW)
    store = await open_sqlite(path, at_noon)
    try:
        assert set(await store.open_tables()) == set(before)
    finally:
        await store.close()
    (tmp_path / "letter").write_text("to my aunt")
    with pytest.raises(StoreUnusable):
        restore(tmp_path / "letter", path, NOW)


def test_no_room_or_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="is not there"):
        back_up(tmp_path / "none.db", tmp_path, NOW)
    (tmp_path / "file").write_text("no folder")
    asyncio.run(_played(tmp_path / "buraco.db", ("t",), 1))
    with pytest.raises(StoreUnusable, match="cannot be copied"):
        back_up(tmp_path / "buraco.db", tmp_path / "file", NOW)


def test_a_copy_that_breaks_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(_played(tmp_path / "buraco.db", ("t",), 1))

    def broken(file: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "check_whole", broken)
    with pytest.raises(StoreUnusable, match="No space left"):
        back_up(tmp_path / "buraco.db", tmp_path / "out", NOW)
    assert list((tmp_path / "out").iterdir()) == []


def test_seven_days_and_four_weeks_stay(tmp_path: Path) -> None:
    for day in range(60):
        for hour in (3, 15):
            stamp = (NOW + timedelta(days=day)).replace(hour=hour).strftime("%Y-%m-%dT%H%M%SZ")
            (tmp_path / f"buraco-{stamp}.sqlite3").touch()
    for foreign in ("buraco.sqlite3", "buraco-yesterday.sqlite3", "buraco-2026-99-99T000000Z.sqlite3", "notes.txt"):
        (tmp_path / foreign).touch()
    rotate(tmp_path)
    left = sorted(path.name for path in tmp_path.iterdir())
    days = [name for name in left if name.startswith("buraco-2026-0")]
    last = NOW + timedelta(days=59)
    assert [name[7:17] for name in days[-7:]] == [f"{last - timedelta(days=ago):%Y-%m-%d}" for ago in range(6, -1, -1)]
    assert all("T15" in name for name in days), "the newest of each day"
    assert 9 <= len(days) <= 11
    weeks = {(datetime.strptime(name[7:17], "%Y-%m-%d").replace(tzinfo=UTC)).strftime("%G-%V") for name in days}
    assert len(weeks) == 4
    assert len(left) - len(days) == 4, "what is no copy is not touched"
    assert rotate(tmp_path) == []


@pytest.mark.parametrize(
    ("url", "told"),
    [("postgresql://me:hushhush@host/db", "pg_dump"), ("memory:", "SQLite"), ("nonsense://:hushhush@host", "SQLite")],
)
def test_what_is_no_file_is_said(url: str, told: str) -> None:
    with pytest.raises(StoreUnusable) as refused:
        file_of(url)
    assert told in str(refused.value)
    assert "hushhush" not in str(refused.value)


def test_the_file_of_an_address(tmp_path: Path) -> None:
    assert file_of(f"sqlite:///{tmp_path}/a.db") == tmp_path / "a.db"
    assert file_of(f"{tmp_path}/a.db") == tmp_path / "a.db"
