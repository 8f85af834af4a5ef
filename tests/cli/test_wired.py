"""The commands that need a renderer or a store: ``render``, ``export``, ``doctor``."""

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from adapters.storage import open_store
from bot import __main__ as wired
from bot.app import App
from bot.cli import app as commands
from bot.clock import SystemClock
from bot.records import read_record, verify
from bot.robots.registry import NORMAL, make_robot
from bot.shuffling import seeded_deal
from bot.store import Record
from bot.tokens import Intent, Verb, write_token
from engine.decide import decide
from engine.seating import Seating
from engine.views import seat_view

CASE = (
    '{"id": "../one two", "ruleset": "clasico", "seating": "1v1", "position": {"mover": 0, "phase": "play",'
    ' "hands": [["Qs", "Ks", "As", "4d"], ["9c", "9d"]], "muertos": [["..."], ["..."]]}, "do": ["meld Qs Ks As"]}'
)


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database of the test's own."""
    url = f"sqlite:///{tmp_path / 'room.sqlite3'}"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BURACO_DATABASE_URL", url)
    monkeypatch.setenv("BURACO_WEB_PORT", "0")
    monkeypatch.setenv("BURACO_HEALTH", "off")
    return url


def buraco(*arguments: str, text: str | None = None) -> Result:
    """A command with its exit status and both streams."""
    assert wired.render in [command.callback for command in commands.registered_commands]
    return CliRunner().invoke(commands, arguments, input=text)


def test_render_draws_table_and_hand(tmp_path: Path) -> None:
    result = buraco("render", "-", "--seat", "0", "--out", str(tmp_path / "deep" / "out"), text=CASE + "\n\n")
    assert result.exit_code == 0, result.output
    table, hand = (Path(line) for line in result.stdout.splitlines())
    assert (table.name, hand.name) == ("---one-two.png", "---one-two-hand0.png")
    assert table.parent == tmp_path / "deep" / "out"
    for path in (table, hand):
        with Image.open(io.BytesIO(path.read_bytes())) as picture:
            assert picture.width == 1080


@pytest.mark.parametrize(
    "text", ["{", '{"id": "x"}', CASE.replace("clasico", "canasta"), CASE.replace('"9d"', '"9d", "1d"')]
)
def test_render_says_which_line_is_wrong(tmp_path: Path, text: str) -> None:
    result = buraco("render", "-", "--out", str(tmp_path), text=f"\n{text}\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("-:2: ")


def test_render_of_a_file_or_seat_that_is_not_there(tmp_path: Path) -> None:
    assert buraco("render", str(tmp_path / "none.jsonl"), "--out", str(tmp_path)).exit_code == 2
    assert buraco("render", "-", "--seat", "4", "--out", str(tmp_path), text=CASE).exit_code == 2


async def _play_a_deal(url: str, *, whole: bool) -> Record:
    """A table at which a person, helped by a robot, has played a deal, or only its first action."""
    store = await open_store(url)
    robot = make_robot(NORMAL)
    app = App(
        store, SystemClock(), lambda rules, seating: seeded_deal(rules, seating, 5), {NORMAL: robot}, robot_pause=0
    )
    try:
        ana = await app.meet("web:ana", "Ana")
        eva = await app.meet("web:eva", "Eva")
        record = await app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE)
        table_id = record.table.id
        await app.press(eva, write_token(Intent(table_id, 0, Verb.JOIN)), "1")
        await app.press(ana, write_token(Intent(table_id, 0, Verb.START)), "2")
        keeper = app._keeper
        while True:
            record = await app.record(table_id)
            match = record.match
            assert match is not None
            assert match.deal is not None
            if not match.in_play or not whole:
                return record
            seat = match.deal.turn.seat
            await keeper.commit(record, events=decide(match, seat, robot.choose(seat_view(match, seat))))
    finally:
        await app.stop()
        await store.close()


def test_export_writes_true_records_of_finished_deals_only(tmp_path: Path, own_database: str) -> None:
    record = asyncio.run(_play_a_deal(own_database, whole=True))
    result = buraco("export", record.table.code.lower(), "--out", str(tmp_path / "out"))
    assert result.exit_code == 0, result.output
    (path,) = (Path(line) for line in result.stdout.splitlines())
    written = read_record(path.read_text(encoding="utf-8"))
    verify(written)
    assert record.match is not None
    assert written.result is not None
    assert written.result.totals == record.match.totals
    assert set(written.names) == {"Ana", "Eva"}


def test_export_never_shows_a_deal_that_goes_on(tmp_path: Path, own_database: str) -> None:
    record = asyncio.run(_play_a_deal(own_database, whole=False))
    result = buraco("export", record.table.code, "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert result.stderr == "buraco: that table has no finished deal yet\n"
    assert list((tmp_path / "out").iterdir()) == []
    assert buraco("export", "NOSUCH").exit_code == 2


def test_doctor_finds_everything_well_and_names_what_is_not(tmp_path: Path) -> None:
    result = buraco("doctor")
    assert result.exit_code == 0, result.output
    assert all(line.startswith("ok ") for line in result.stdout.splitlines())
    assert {"rule sets", "database", "pictures", "port"} <= {
        line[4:].strip().partition(":")[0] for line in result.stdout.splitlines()
    }
    (tmp_path / ".env").write_text("BURACO_LOG=loud\n", encoding="utf-8")
    broken = buraco("doctor")
    assert broken.exit_code == 78
    assert "FAIL settings: " in broken.stdout
