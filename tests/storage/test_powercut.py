"""The power goes at any moment: what was acknowledged is on the disk, and the database is whole."""

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from adapters.storage.sqlite import open_sqlite
from tests.storage.conftest import at_noon, is_sound
from tests.storage.powercut import SAY, WHY_NOT, Disk, Entry, build_shim, read_trace
from tests.storage.test_crash import check

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

CUTS, MANY_CUTS = 25, 1000
TABLES, VERSIONS = 6, 90
ROOT = Path(__file__).parents[2]

WRITER = """
import asyncio, random, sys
from pathlib import Path
from adapters.storage import sqlite
from bot.store import Committed
from tests.contract.playing import lobby, next_change, started

async def client(store, name, versions, dice):
    record = started(lobby(name))
    await store.create(record, None)
    said(f"{name} 0 -")
    while record.version < versions and not record.match.is_over:
        press = f"{name}:{record.version}"
        change = next_change(record, dice, press, f"answer of {press}")
        assert await store.commit(change) == Committed()
        record = change.record
        said(f"{name} {record.version} {press}")

async def main(path, tables, versions, synchronous):
    settings = [f"synchronous={synchronous}" if one.startswith("synchronous") else one for one in sqlite._SETTINGS]
    assert settings != list(sqlite._SETTINGS) or synchronous == "FULL"
    sqlite._SETTINGS = settings
    for half in range(2):
        store = await sqlite.open_sqlite(Path(path), lambda: 1)
        try:
            await asyncio.gather(
                *(client(store, f"t{half}{n}", versions, random.Random(half * 100 + n)) for n in range(tables))
            )
            await store.tidy()
        finally:
            await store.close()

asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
"""


def account_of(folder: Path, synchronous: str, versions: int = VERSIONS) -> list[Entry]:
    """All that a real process wrote while it played at several tables, in two lives."""
    path, trace = folder / "buraco.db", folder / "trace"
    told = {"LD_PRELOAD": str(build_shim(folder)), "POWERCUT_FILES": str(path), "POWERCUT_TRACE": str(trace)}
    command = [sys.executable, "-c", SAY + WRITER, str(path), str(TABLES), str(versions), synchronous]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **told}, check=True, timeout=600)  # noqa: S603 - our own
    return read_trace(trace)


async def losses_of(account: list[Entry], folder: Path, cuts: int, dice: random.Random) -> int:
    """Cut the power so often, and look at what is left; returns how many cuts lost something acknowledged.

    Whatever is lost, the database is whole, and its events and snapshots agree; AssertionError where they do not.
    """
    moments = sorted(dice.randrange(1, len(account)) for _ in range(cuts))
    disk, acknowledged, presses, taken, lost, amid = Disk(), dict[str, int](), list[str](), 0, 0, 0
    for number, moment in enumerate(moments):
        for entry in account[taken:moment]:
            if entry.kind == "A":
                name, version, press = entry.data.decode().split()
                acknowledged[name] = int(version)
                presses.append(press)
            else:
                disk.take(entry)
        taken = moment
        amid += not disk.is_quiet
        place = folder / f"cut-{number}"
        place.mkdir()
        for path, data in disk.left(dice if number % 2 else None):
            (place / Path(path).name).write_bytes(data)
        found = place / "buraco.db"
        assert is_sound(found), f"cut before entry {moment}"
        try:
            await check(found, acknowledged, presses)
        except AssertionError:
            lost += 1
            await check(found, await tables_in(found), [])
    assert amid > cuts / 5, "many cuts came while something was on its way to the disk"
    return lost


async def tables_in(found: Path) -> dict[str, int]:
    """The tables that there still are, whatever their versions."""
    store = await open_sqlite(found, at_noon)
    try:
        return dict.fromkeys(await store.open_tables(), 0)
    finally:
        await store.close()


async def test_no_acknowledged_action_is_lost_when_the_power_goes(tmp_path: Path, long_run: bool) -> None:
    account = account_of(tmp_path, "FULL")
    kinds = Counter((entry.kind, entry.path.rpartition(".db")[2]) for entry in account)
    assert kinds["S", "-wal"] > VERSIONS, "the log is flushed for commits"
    assert kinds["S", ""] >= 2, "it was brought into the database several times"
    assert await losses_of(account, tmp_path, MANY_CUTS if long_run else CUTS, random.Random(13)) == 0


async def test_the_disk_that_forgets_would_notice(tmp_path: Path) -> None:
    """With commits that are not flushed, the same cuts lose what was acknowledged: the test above has teeth."""
    account = account_of(tmp_path, "NORMAL", versions=30)
    assert await losses_of(account, tmp_path, CUTS, random.Random(13)) > 0
