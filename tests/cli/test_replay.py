"""``buraco replay`` and ``buraco verify``."""

import zipfile
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from bot.bundles import write_bundle
from bot.cli import app
from bot.records import digest_of, write_record
from engine.cards import codes
from engine.seating import Seating
from tests.records.test_records import recorded, unfinished


def run(*arguments: str, text: str | None = None) -> Result:
    """A command with its exit status and both streams."""
    return CliRunner().invoke(app, list(arguments), input=text)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record of a whole deal of pairs."""
    path = tmp_path / "deal.toml"
    path.write_text(write_record(recorded(2, Seating.TWO_PAIRS)), encoding="utf-8")
    return path


def test_replay(record: Path) -> None:
    """Every action and the state after it, in plain text; the end tells scores and totals."""
    result = run("replay", str(record))
    assert result.exit_code == 0
    for action in recorded(2, Seating.TWO_PAIRS).actions:
        assert action in result.stdout
    assert "\x1b" not in result.stdout
    assert "score 1: " in result.stdout
    assert "over: closed" in result.stdout
    assert "hand Luis: " in result.stdout


def test_replay_for_one_seat(record: Path) -> None:
    """Only that seat's hand is shown, and no other card that it could not see."""
    result = run("replay", str(record), "--seat", "1")
    assert result.exit_code == 0
    assert "hand Luis: " in result.stdout
    assert "hand Ana: " not in result.stdout
    hidden = codes(sorted(recorded(2, Seating.TWO_PAIRS).pack[0::4][:11]))
    assert hidden not in result.stdout


def test_replay_step_by_step(record: Path) -> None:
    """Enter goes on; the end of the input ends it."""
    steps = len(recorded(2, Seating.TWO_PAIRS).actions) + 1
    result = run("replay", str(record), "--step", text="\n" * steps)
    assert result.exit_code == 0
    assert "over: closed" in result.stdout
    assert "[2] " not in run("replay", str(record), "--step", text="\n").stdout


def test_replay_mistakes(record: Path, tmp_path: Path) -> None:
    """A seat that is not there, a file that is not there, a record that is none."""
    for arguments, told in (
        (("replay", str(record), "--seat", "4"), "there is no seat 4 in 2v2"),
        (("replay", str(tmp_path / "none.toml")), "none.toml"),
        (("verify", str(tmp_path / "none.toml")), "none.toml"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert told in result.stderr
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(record.read_text(encoding="utf-8").replace("0: draw", "0: end", 1), encoding="utf-8")
    result = run("replay", str(wrong))
    assert result.exit_code == 1
    assert "must_draw_first" in result.stderr


def test_verify(record: Path, tmp_path: Path) -> None:
    """0 where all are true, 1 where one is not, 2 where one cannot be read."""
    going_on = tmp_path / "going-on.toml"
    going_on.write_text(write_record(unfinished()), encoding="utf-8")
    result = run("verify", str(record), str(going_on))
    assert result.exit_code == 0
    assert "the deal is not over" in result.stdout
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(record.read_text(encoding="utf-8").replace("Luis", "Lisa"), encoding="utf-8")
    result = run("verify", str(wrong), str(record))
    assert result.exit_code == 1
    assert f"{wrong}: WRONG: digest" in result.stdout
    assert f"{record}: ok" in result.stdout
    wrong.write_text("version = 1", encoding="utf-8")
    result = run("verify", str(record), str(wrong))
    assert result.exit_code == 2
    assert "wrong.toml: format: not buraco-deal" in result.stderr


def test_a_match_in_one_file(tmp_path: Path) -> None:
    """The deals of a match are checked and replayed one after the other; what is no such file is told."""
    # The same seat begins every other deal.
    deals = [recorded(0), msgspec.structs.replace(recorded(1), number=3)]
    deals = [msgspec.structs.replace(deal, digest=digest_of(deal)) for deal in deals]
    path = tmp_path / "match.zip"
    path.write_bytes(write_bundle("ABC234", deals))
    assert path.read_bytes() == write_bundle("ABC234", deals)
    result = run("verify", str(path))
    assert result.exit_code == 0
    assert result.stdout.count(": ok, ") == 2
    assert "match.zip:buraco-ABC234-4.toml" in result.stdout
    result = run("replay", str(path))
    assert result.exit_code == 0
    assert "deal 1" in result.stdout
    assert "deal 3" in result.stdout
    torn = tmp_path / "torn.zip"
    body = bytearray(path.read_bytes())
    body[60] ^= 0xFF
    torn.write_bytes(bytes(body))
    assert run("verify", str(torn)).exit_code == 2
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("buraco-X-1.toml", " " * 50_000_000)
    assert "too long" in run("verify", str(tmp_path / "bomb.zip")).stderr
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("notes.txt", "nothing")
    assert run("verify", str(tmp_path / "other.zip")).exit_code == 2
