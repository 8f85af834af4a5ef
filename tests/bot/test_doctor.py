"""The doctor: everything that a start needs, with what to do where something is wrong."""

import socket
from pathlib import Path

import pytest

from bot import doctor
from bot.doctor import examine

TELEGRAM = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_"


@pytest.fixture(autouse=True)
def _nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BURACO_WEB_PORT", "0")
    monkeypatch.setenv("BURACO_DATABASE_URL", f"sqlite:///{tmp_path}/deep/buraco.sqlite3")
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.delenv("TELEGRAM_TOKEN", raising=False)


def named(findings: list[doctor.Finding]) -> dict[str, doctor.Finding]:
    """The findings by name."""
    return {finding.name: finding for finding in findings}


def test_a_healthy_place_is_found_healthy(tmp_path: Path) -> None:
    found = examine({"database": lambda: "opens"})
    assert [finding.name for finding in found] == [
        "python", "buraco", "settings", "rule sets", "sqlite", "disk", "port", "database",
    ]  # fmt: skip
    assert all(finding.ok for finding in found)
    assert "clasico" in named(found)["rule sets"].told
    assert str(tmp_path) in named(found)["disk"].told
    assert list(tmp_path.iterdir()) == [], "looking changes nothing"


def test_tokens_are_counted_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEGRAM_TOKEN", TELEGRAM)
    found = examine({})
    assert named(found)["settings"].told == "tokens: Telegram"
    assert all(TELEGRAM not in finding.told for finding in found)


@pytest.mark.parametrize(
    ("name", "token", "ok"),
    [
        ("TELEGRAM_TOKEN", TELEGRAM, True),
        ("TELEGRAM_TOKEN", TELEGRAM[:20], False),
        ("DISCORD_TOKEN", "MTE5ODc2NTQzMjEwOTg3NjU0Mw.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB", True),
        ("DISCORD_TOKEN", "119876543210987654", False),
        ("DISCORD_TOKEN", TELEGRAM, False),
    ],
)
def test_a_token_that_cannot_be_one_is_found(name: str, token: str, ok: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, token)
    finding = named(examine({}))[name.lower().replace("_", " ")]
    assert finding.ok is ok
    assert token not in finding.told


def test_settings_that_cannot_be_used_are_the_last_finding(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("BURACO_LOGG=1\n")
    found = examine({"database": lambda: "never asked"})
    assert found[-1].name == "settings"
    assert not found[-1].ok
    assert "did you mean BURACO_LOG" in found[-1].told


def test_a_port_that_is_taken_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("BURACO_WEB_PORT", str(taken.getsockname()[1]))
        port = named(examine({}))["port"]
    assert not port.ok
    assert "BURACO_WEB_PORT" in port.told


def test_a_full_disk_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "FREE_BYTES_WANTED", 1 << 62)
    disk = named(examine({}))["disk"]
    assert not disk.ok
    assert "are wanted" in disk.told


def test_a_probe_that_fails_is_a_finding() -> None:
    def probe() -> str:
        raise OSError("the database is locked")

    found = named(examine({"database": probe, "pictures": lambda: "draws"}))
    assert not found["database"].ok
    assert found["database"].told == "the database is locked"
    assert found["pictures"].ok
