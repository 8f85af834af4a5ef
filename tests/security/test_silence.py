"""What is secret stays out of logs, of the figures and of the files of the project."""

import random
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from adapters.storage.codec import encode_record
from bot.config import load_settings
from bot.logs import hide_tokens
from bot.metrics import exposition
from bot.tokens import Verb
from engine.cards import FACE, FACE_CODE
from engine.seating import Seating
from tests.bot.hiding import redealt
from tests.bot.rooms import House
from tests.bot.tables import deal_of
from tests.e2e.room import Process, free_port

ROOT = Path(__file__).resolve().parents[2]
TELEGRAM = "987654321:AAHcanaryTcvCH1vGWJxfSeofSAs0K5PALDsaw_"
DISCORD = "MTE5ODc2NTQzMjEwOTg3NjU0Mw.GhIjKl.canaryabcdefghijklmnopqrstuvwxyz0123456789"
_SHAPES = re.compile(r"(?<![\w-])\d{8,}:[\w-]{35}(?![\w-])|[\w-]{24,28}\.[\w-]{6}\.[\w-]{27,}")
_CODE = ("adapters", "bot", "data", "docs", "engine", "render", ".ci")


async def _lines(house: House, table_id: str, people: list[Any]) -> list[dict[str, Any]]:
    """What is logged while everybody presses all sorts of things that change nothing."""
    asked = (Verb.SHOW_TABLE, Verb.SHOW_HAND, Verb.PLAYS, Verb.WORDS, Verb.RULES, Verb.FINAL_HANDS, Verb.MENU)
    with capture_logs() as logs:
        for person in people:
            for number, verb in enumerate(asked):
                await house.press(person, table_id, verb, press_id=f"{person.id}-{number}")
            await house.press(person, table_id, Verb.DRAW, version=0, press_id=f"{person.id}-stale")
            await house.press(person, table_id, Verb.DISCARD, "zzzz", press_id=f"{person.id}-odd")
    return [{name: value for name, value in line.items() if name != "ms"} for line in logs]


@pytest.mark.parametrize("seed", range(6))
async def test_the_log_is_the_same_whatever_is_hidden(seed: int) -> None:
    told: list[list[dict[str, Any]]] = []
    for other in (False, True):
        house = House(seed=seed)
        table_id, people = await house.started(4, Seating.TWO_PAIRS)
        record = await house.record(table_id)
        assert record.match is not None
        if other:
            mixed = redealt(record.match, random.Random(seed), None)
            assert deal_of(mixed).hands != deal_of(record.match).hands
            house.put(table_id, encode_record(msgspec.structs.replace(record, match=mixed)))
        lines = await _lines(house, table_id, people)
        told.append([{**line, "table": line.get("table") and "table"} for line in lines])
    assert told[0]
    assert told[0] == told[1]


async def test_no_log_and_no_figure_names_a_card_of_a_hand() -> None:
    house = House()
    with capture_logs() as logs:
        table_id, people = await house.started(4, Seating.TWO_PAIRS)
        await house.play_out_turn(table_id, people)
    codes = {FACE_CODE[FACE[card]] for card in deal_of(await house.match(table_id)).hands[0]}
    values = {str(value) for line in logs for name, value in line.items() if name not in ("table", "ms")}
    assert not values & codes
    assert not any(f'"{code}"' in exposition().decode() for code in codes)


async def test_tokens_are_in_no_output_of_the_program_at_debug(tmp_path: Path) -> None:
    process = Process(tmp_path, free_port())
    nowhere = f"http://127.0.0.1:{free_port()}"
    process.environment |= {
        "BURACO_LOG": "debug",
        "BURACO_LOG_FORMAT": "json",
        "TELEGRAM_TOKEN": TELEGRAM,
        "DISCORD_TOKEN": DISCORD,
        "BURACO_TELEGRAM_API": nowhere,
        "BURACO_DISCORD_API": nowhere,
    }
    async with process:
        await process.start()
        status, err = await process.stop()
    assert status == 0
    assert "telegram" in err, "it was really tried"
    for secret in (TELEGRAM, DISCORD, "canary"):
        assert secret not in err


def test_a_token_in_an_error_is_blanked_out() -> None:
    told = hide_tokens(None, "", {"error": f"POST /bot{TELEGRAM}/getMe", "other": {"x": [DISCORD]}})
    assert "canary" not in repr(told)


def test_no_token_lies_in_the_project_and_settings_are_ignored() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert ".env" in ignored
    for folder in _CODE:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in {".py", ".md", ".toml", ".json", ".js", ".html", ""}:
                found = _SHAPES.search(path.read_text(encoding="utf-8", errors="replace"))
                assert found is None, f"{path}: {found}"
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert "TOKEN=\n" in example
    assert _SHAPES.search(example) is None


def test_everything_listens_on_this_computer_alone_unless_told_otherwise(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "none", {})
    assert settings.health_address == ("127.0.0.1", 9090)
    assert (settings.web_host, settings.telegram_host) == ("127.0.0.1", "127.0.0.1")
    assert settings.interactions_address is None


def test_no_picture_and_no_address_of_other_people_s_is_ever_fetched() -> None:
    """Avatars would bring image bombs and requests to any address: nothing loads them."""
    for folder in ("adapters", "bot", "render"):
        for path in (ROOT / folder).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            for word in ("display_avatar", ".avatar", "get_user_profile_photos", "get_file("):
                assert word not in source, f"{path}: {word}"


def test_sql_is_never_put_together_from_what_comes_in() -> None:
    """Everything goes through parameters; the only statements with text in them name settings and figures of ours."""
    loose = re.compile(r"""(?:exec_driver_sql|\btext)\(\s*f["']""")
    found = {
        path.name: len(loose.findall(path.read_text(encoding="utf-8")))
        for path in (ROOT / "adapters" / "storage").glob("*.py")
    }
    assert {name: count for name, count in found.items() if count} == {
        "sqlite.py": 2,
        "migrate_postgres.py": 2,
        "postgres_pool.py": 1,
    }


def chunks(png: bytes) -> set[bytes]:
    """The kinds of chunks in a PNG, each with a right checksum."""
    found, at = set(), 8
    while at < len(png):
        (length,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        (checksum,) = struct.unpack(">I", png[at + 8 + length : at + 12 + length])
        assert checksum == zlib.crc32(png[at + 4 : at + 8 + length])
        found.add(kind)
        at += 12 + length
    return found


def test_pictures_carry_nothing_but_the_picture() -> None:
    from bot.cli.drawing import sample_table
    from render import PillowRenderer

    first, again = (PillowRenderer().table(sample_table()) for _ in range(2))
    assert first == again, "no time, no name"
    assert chunks(first) <= {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
