"""Ten seconds of kills: nothing acknowledged is lost, nothing is done twice, every screen comes up to date."""

import asyncio
import os
import sys
import time
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from adapters.storage import open_store
from bot import __main__ as wired
from bot.chaos import lives
from bot.chaos.hunter import DATABASE, Hunter, Press, Verdict
from bot.cli import app as commands
from bot.cli.exits import CONFIG, FAILED
from bot.store import Record
from tests.contract.playing import lobby

SECONDS = 10.0
ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty database."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return f"sqlite:///{tmp_path / 'chaos.sqlite3'}"


async def test_nothing_is_lost_and_nothing_is_done_twice_on_postgresql(
    postgres: str, long_run: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    verdict = await hunter(postgres, seed=12, tables=3, enough=Verdict(kills=1, kept=3)).run(
        SECONDS * (30 if long_run else 0.8)
    )
    assert verdict.problems == []
    assert verdict.kills >= 1
    assert verdict.kept >= 3
    assert verdict.deliveries > verdict.presses
    assert verdict.shown > 0


class PatientHunter(Hunter):
    """Goes on for a while where a busy machine has let too little happen in the time."""

    enough = Verdict()
    more = 60

    def _over(self) -> bool:
        seen, wanted = self.verdict, self.enough
        if (
            super()._over()
            and self.more
            and (seen.kills < wanted.kills or seen.kept < wanted.kept or seen.refused < wanted.refused)
        ):
            self.more -= 1
            self._until = time.monotonic() + 2.0
        return super()._over()


def hunter(url: str, seed: int, tables: int = 6, workers: int = 1, enough: Verdict | None = None) -> Hunter:
    """A hunter of that database's bots."""
    command = (sys.executable, "-m", "bot", "chaos", "--victims")
    made = PatientHunter(command, open_store, url, seed, tables, workers)
    made.enough = enough or Verdict()
    return made


async def test_nothing_is_lost_and_nothing_is_done_twice(url: str, long_run: bool) -> None:
    verdict = await hunter(url, seed=11, enough=Verdict(kills=3, kept=20, refused=5)).run(
        SECONDS * (30 if long_run else 1)
    )
    assert verdict.problems == []
    assert verdict.kills >= 3
    assert verdict.kept >= 20
    assert verdict.refused >= 5, "stale presses and others' were among them"
    assert verdict.deliveries > verdict.presses
    assert verdict.shown > 0


async def test_a_life_whose_hunter_has_gone_ends(url: str) -> None:
    """Also where it was killed before it had spoken to it: nothing stays behind."""
    mother = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "chaos", "--victims"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, DATABASE: url},
    )
    assert mother.stdin is not None
    assert mother.stdout is not None
    mother.stdin.write(b"life\n")
    told = [await mother.stdout.readline() for _ in range(2)]
    assert {line.split()[0] for line in told} == {b"born", b"port"}
    mother.stdin.close()
    assert (await mother.stdout.readline()).split() == [b"dead", b"0"]
    assert await mother.wait() == 0


async def test_the_hunter_would_notice(url: str) -> None:
    hunted = hunter(url, seed=5, tables=2)
    assert (await hunted.run(2.0)).problems == []
    table, presses = next(iter(hunted._of_table.items()))
    made_up = Press(next(iter(presses)).person, "1:x:0:dr", "never-delivered")
    presses.add(made_up)
    hunted._answers[made_up] = (True, "Robaste.")
    hunted.verdict = Verdict()
    await hunted._check()
    assert any(f"{table}: {len(presses)} presses counted" in problem for problem in hunted.verdict.problems)
    assert "never-delivered: acknowledged, but not kept so" in hunted.verdict.problems
    assert not msgspec.structs.replace(hunted.verdict, kept=5).is_good


def test_the_command_plays_with_no_database_that_is_in_use(url: str) -> None:
    async def fill() -> None:
        store = await open_store(url)
        await store.create(Record(lobby()), None)
        await store.close()

    asyncio.run(fill())
    result = CliRunner().invoke(commands, ["chaos", "--minutes", "0.05", "--database-url", url])
    assert result.exit_code == CONFIG
    assert "name an empty one" in result.stderr


def test_the_command_tells_its_verdict(url: str) -> None:
    assert wired.chaos in [command.callback for command in commands.registered_commands]
    result = CliRunner().invoke(commands, ["chaos", "--minutes", "0.05", "--tables", "2", "--database", url])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Nothing was lost and nothing was done twice. ")


MOTHER = """
import asyncio, os, sys
from adapters.storage import open_store
from bot.chaos.worker import bear, say

async def opened(url):
    say("loaded", int("adapters.storage.postgres" in sys.modules))
    return await open_store(url)

bear(opened, sys.argv[1])
"""


async def test_a_life_loads_nothing_that_its_mother_could_have_loaded(postgres: str) -> None:
    mother = await asyncio.create_subprocess_exec(
        sys.executable, "-c", MOTHER, postgres, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert mother.stdin is not None
    assert mother.stdout is not None
    mother.stdin.write(b"life\n")
    heard: list[bytes] = []
    while not any(line.startswith(b"port") for line in heard):
        heard.append(await mother.stdout.readline())
        assert heard[-1], heard
    assert [line for line in heard if line.startswith(b"loaded")] == [b"loaded 0\n", b"loaded 1\n"]
    mother.stdin.close()
    await mother.wait()


def test_the_command_says_so_where_the_bot_hangs(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lives, "PATIENCE_SECONDS", 0.0)
    result = CliRunner().invoke(commands, ["chaos", "--minutes", "1", "--database-url", url, "--seed", "3"])
    assert result.exit_code == FAILED, result.output
    assert "nothing came from the bot" in result.output
    assert "after 0 kills" in result.output


async def test_three_processes_share_one_database_and_are_killed_in_turns(
    postgres: str, monkeypatch: pytest.MonkeyPatch, long_run: bool
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    verdict = await hunter(postgres, seed=23, tables=4, workers=3, enough=Verdict(kills=1, kept=3)).run(
        SECONDS * (30 if long_run else 0.8)
    )
    assert verdict.problems == []
    assert verdict.kills >= 1
    assert verdict.kept >= 3
    assert verdict.deliveries > verdict.presses
    assert verdict.shown > 0


def test_several_processes_need_a_database_that_can_be_shared() -> None:
    result = CliRunner().invoke(commands, ["chaos", "--minutes", "0.05", "--workers", "3"])
    assert result.exit_code == 78
