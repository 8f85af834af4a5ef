"""``buraco doctor``: everything that a start needs, looked at one by one, with what to do where something is wrong."""

import re
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from bot import rulesets
from bot.config import ConfigError, Settings, load_settings
from bot.dead_letters import DeadLetter
from engine.ruleset import RulesetError

_DISCORD_TOKEN = re.compile(r"[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}")
_TELEGRAM_TOKEN = re.compile(r"\d{5,}:[\w-]{30,}")
FREE_BYTES_WANTED = 200 * 1024 * 1024
FIXED_SQLITE = (3, 51, 3)
"""The first SQLite without the WAL-reset bug; older ones are safe with the one connection that we use."""


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    name: str
    ok: bool
    told: str


Probe = Callable[[], str]
"""Looks at something that the caller alone can reach; returns what it found, raises what is wrong."""


def examine(probes: dict[str, Probe]) -> list[Finding]:
    """All findings, in order; ``probes`` are looked at last."""
    return list(_examine(probes))


def _examine(probes: dict[str, Probe]) -> Iterator[Finding]:
    yield Finding("python", sys.version_info >= (3, 11), sys.version.split()[0])
    yield Finding("buraco", ok=True, told=version("buraco"))
    try:
        settings = load_settings()
    except ConfigError as error:
        yield Finding("settings", ok=False, told=str(error))
        return
    yield Finding("settings", ok=True, told=_told_settings(settings))
    yield from _shapes(settings)
    yield _rulesets()
    yield _sqlite()
    yield from _database(settings)
    yield _port(settings)
    for name, probe in probes.items():
        try:
            yield Finding(name, ok=True, told=probe())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
            yield Finding(name, ok=False, told=str(error))


def letters_told(letters: Sequence[DeadLetter]) -> str:
    """How many updates failed at every try lately, and what the newest failed at; nothing where none did."""
    if not letters:
        return ""
    newest = letters[0]
    what = f"{newest.platform} {newest.number}: {newest.error}, error {newest.error_id}"
    return f"; {len(letters)} updates failed at every try, the newest {what}"


def _told_settings(settings: Settings) -> str:
    tokens = [
        name for name, token in (("Discord", settings.discord_token), ("Telegram", settings.telegram_token)) if token
    ]
    return f"tokens: {', '.join(tokens) or 'none, the browser room opens'}"


def _shapes(settings: Settings) -> Iterator[Finding]:
    """Tokens that cannot be right, seen without asking anybody: half of one, or another thing altogether."""
    for name, token, shape, advice in (
        ("discord token", settings.discord_token, _DISCORD_TOKEN, "copy it from the Developer Portal (Bot)"),
        ("telegram token", settings.telegram_token, _TELEGRAM_TOKEN, "copy it from @BotFather"),
    ):
        if token is not None:
            right = shape.fullmatch(token.get_secret_value()) is not None
            yield Finding(name, right, "has the right shape" if right else f"is no such token: {advice}")


def _rulesets() -> Finding:
    try:
        loaded = [rulesets.load(ruleset_id).id for ruleset_id in rulesets.ids()]
    except RulesetError as error:
        return Finding("rule sets", ok=False, told=str(error))
    return Finding("rule sets", bool(loaded), ", ".join(loaded) or "none found in data/rulesets")


def _sqlite() -> Finding:
    note = (
        "" if sqlite3.sqlite_version_info >= FIXED_SQLITE else " (safe here; do not let other programs write the file)"
    )
    return Finding("sqlite", ok=True, told=sqlite3.sqlite_version + note)


def _database(settings: Settings) -> Iterator[Finding]:
    scheme, _, rest = settings.database_url.partition("///")
    if not scheme.startswith("sqlite") or not rest:
        return
    folder = Path(rest).expanduser().resolve().parent
    nearest = next((parent for parent in (folder, *folder.parents) if parent.exists()), folder)
    free = shutil.disk_usage(nearest).free
    enough = free >= FREE_BYTES_WANTED
    told = f"{free // (1024 * 1024)} MiB free in {nearest}"
    yield Finding(
        "disk", enough, told if enough else f"{told}: at least {FREE_BYTES_WANTED // (1024 * 1024)} are wanted"
    )


def _port(settings: Settings) -> Finding:
    where = f"{settings.web_host}:{settings.web_port}"
    try:
        with socket.create_server((settings.web_host, settings.web_port)):
            return Finding("port", ok=True, told=f"{where} is free")
    except OSError as error:
        reason = error.strerror or str(error)
        return Finding("port", ok=False, told=f"{where}: {reason}; is Buraco running already? Else set BURACO_WEB_PORT")
