"""Logs: whatever gets into them, no token comes out, as text and as JSON, from our logger and from others'."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.logs import configure_logs, hide_tokens

CANARIES = (
    "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_",
    "7213456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw-",
    "MTE5ODc2NTQzMjEwOTg3NjU0Mw.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB",
    "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
)
"""The shapes of real tokens; none of them opens anything."""


@pytest.fixture(autouse=True)
def _fresh_logs() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:], level = before
    root.setLevel(level)
    for name in ("bot", "adapters", "render"):
        logging.getLogger(name).setLevel(logging.NOTSET)


class Holder:
    """Something whose text holds a secret."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def __repr__(self) -> str:
        """The secret in the open."""
        return f"Holder({self.secret})"


def _fail(secret: str) -> None:
    hand = ("a card of the hand", secret)
    raise RuntimeError(f"cannot log in with {secret}") from ValueError(hand[1])


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("secret", CANARIES)
def test_no_token_comes_out(form: str, secret: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("debug", form)
    log = structlog.get_logger("bot.test")
    said = f"said {secret}"
    log.info(said, token=secret, url=f"https://api.telegram.org/bot{secret}/getMe")
    log.warning("deep", inside={"headers": [f"Bot {secret}", {secret: (secret,)}], "other": {secret}})
    log.error("held", holder=Holder(secret), error=ValueError(secret), data=secret.encode())
    other = logging.getLogger("aiohttp.client")
    other.warning("GET https://api.telegram.org/bot%s/getUpdates", secret)
    other.warning("encoded %s", secret.replace(":", "%3A"))
    other.warning("extra", extra={"token": secret})
    try:
        _fail(secret)
    except RuntimeError:
        log.exception("failed", by=secret)
        other.exception("failed too: %s", secret)
    out, err = capsys.readouterr()
    assert out == ""
    for part in (secret, secret.rsplit(":", maxsplit=1)[-1], secret[5:]):
        assert part not in err
    assert err.count("[token]") >= 8
    assert "RuntimeError" in err
    if form == "json":
        lines = [json.loads(line) for line in err.splitlines()]
        assert [line["event"] for line in lines][:2] == ["said [token]", "deep"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_tracebacks_show_no_variables(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("warning", form)
    try:
        _fail("harmless")
    except RuntimeError:
        structlog.get_logger("bot.test").exception("failed")
    err = capsys.readouterr().err
    assert "a card of the hand" not in err.replace('hand = ("a card of the hand", secret)', "")
    assert "Traceback" in err


def test_levels_are_ours_and_others_speak_from_warnings_up(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", "text")
    structlog.get_logger("bot.test").debug("too fine")
    structlog.get_logger("bot.test").info("table.opened", table="abc")
    logging.getLogger("bot.module").info("ours")
    logging.getLogger("asyncio").info("theirs")
    logging.getLogger("asyncio").warning("theirs, louder")
    err = capsys.readouterr().err
    assert "too fine" not in err
    assert "table.opened" in err
    assert "ours" in err
    assert "theirs, louder" in err
    assert err.count("theirs") == 1


def test_what_is_no_token_is_left_alone() -> None:
    event = {
        "event": "table.opened",
        "table": "k3v9x0ab2c",
        "port": 8642,
        "ok": True,
        "none": None,
        "list": [1, "12:30"],
    }
    assert hide_tokens(None, "info", dict(event)) == event


@pytest.mark.parametrize("password", ["sesame", "se/s@me", "ses:me#?", "%40sesame"])
def test_no_password_of_a_database_comes_out(password: str) -> None:
    url = f"postgresql://ana:{password}@host:5432/db?sslmode=require"
    told = hide_tokens(None, "", {"event": f"cannot open {url} now", "deep": [{"url": url}]})
    assert told["event"] == "cannot open postgresql://ana:[password]@host:5432/db?sslmode=require now"
    assert told["deep"] == [{"url": "postgresql://ana:[password]@host:5432/db?sslmode=require"}]


def test_other_addresses_come_out_as_they_are() -> None:
    event = {"event": "http://127.0.0.1:8642/ and https://t.me/bot, sqlite:///a/b.db, mail@example.org"}
    assert hide_tokens(None, "", dict(event)) == event
