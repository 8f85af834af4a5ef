"""Pairs of matches that differ only in what somebody must not see: every byte that they are sent is the same.

Pictures, alternative texts, file names, layouts, keyboards, tokens, the page's JSON, logs, figures and exports.
"""

import random
from types import SimpleNamespace
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from adapters.discord.emojis import CardEmojis
from adapters.discord.hand_layout import hand_layout
from adapters.discord.layout import public_layout
from adapters.storage.codec import encode_record
from adapters.telegram.keyboard import hand_rows, keyboard
from adapters.telegram.public import Tables
from adapters.web.wire import room_state
from bot.metrics import exposition
from bot.model import Home
from bot.pictures import HandPicture, TablePicture
from bot.screens import Screen
from bot.texts import texts
from bot.tokens import Verb
from engine.seating import Seating
from engine.state import Match
from render import PillowRenderer
from tests.bot.hiding import redealt
from tests.bot.presenter.test_secrets import matches
from tests.bot.rooms import House
from tests.bot.tables import deal_of, dealt, hand_of, public_of

PAIRS = 10_000 if settings.default is not None and settings.default.max_examples >= 2000 else 25
RENDERER = PillowRenderer()
_WARM: list[object] = []


class Desk:
    """Draws at once."""

    async def table(self, screen: Screen) -> Any:
        """The picture of a table."""
        assert isinstance(screen.picture, TablePicture)
        return SimpleNamespace(png=RENDERER.table(screen.picture))


class Reached:
    """Everybody can be written to."""

    async def out_of_reach(self, table_id: str) -> list[str]:
        """Nobody."""
        return []


def tables() -> Tables:
    """Telegram's public tables, without Telegram."""
    nothing: Any = None
    people: Any = Reached()
    desk: Any = Desk()
    return Tables(nothing, nothing, people, desk, nothing, nothing, nothing)


def components(view: Any) -> bytes:
    """A layout as Discord gets it."""
    return repr(view.to_components()).encode()


async def told_to_all(match: Match) -> dict[str, bytes]:
    """What everybody is sent of a match, by where."""
    screen = public_of(match)
    drawn = await tables()._draw(texts(), Home(screen.table_id, "telegram", "-5"), screen)
    assert drawn.png is not None
    assert drawn.markup is not None
    return {
        "picture": drawn.png,
        "telegram": f"{drawn.caption}\n{drawn.text}\n{drawn.markup.to_json()}".encode(),
        "discord": components(public_layout(screen, picture=True)),
        "discord in words": components(public_layout(screen, picture=False)),
        "page": msgspec.json.encode(room_state("CODE", screen, None)),
        "call": msgspec.json.encode(screen.call),
    }


def told_to(match: Match, seat: int) -> dict[str, bytes]:
    """What one seat is sent, by where."""
    screen, public = hand_of(match, seat), public_of(match)
    assert isinstance(screen.picture, HandPicture)
    markup = keyboard(hand_rows(texts(), screen, 0, 0))
    return {
        "picture": RENDERER.hand(screen.picture),
        "telegram": b"" if markup is None else markup.to_json().encode(),
        "discord": components(hand_layout(texts(), screen, CardEmojis({}), picture=True)),
        "page": msgspec.json.encode(room_state("CODE", public, screen)),
    }


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Where two are told something else."""
    return [where for where in one if one[where] != other[where]]


@settings(max_examples=PAIRS)
@given(matches(), st.integers(0, 10**6))
async def test_everybody_is_sent_the_same_bytes_whatever_is_hidden(match: Match, seed: int) -> None:
    other = redealt(match, random.Random(seed), None)
    assert differing(await told_to_all(match), await told_to_all(other)) == []


@settings(max_examples=PAIRS)
@given(matches(), st.integers(0, 10**6))
async def test_a_seat_is_sent_the_same_bytes_whatever_others_hold(match: Match, seed: int) -> None:
    seat = seed % match.seating.seats
    other = redealt(match, random.Random(seed), seat)
    assert differing(told_to(match, seat), told_to(other, seat)) == []


async def kept_and_logged(seed: int, mixed: int | None) -> dict[str, object]:
    """What the logs, the figures and everybody's own document tell of a match, ``mixed`` where nobody sees it."""
    house = House(seed=seed)
    table_id, people = await house.started(4, Seating.TWO_PAIRS)
    for _ in range(seed % 3):
        await house.play_out_turn(table_id, people)
    if mixed is not None:
        record = await house.record(table_id)
        assert record.match is not None
        other = redealt(record.match, random.Random(mixed), None)
        assert deal_of(other).hands != deal_of(record.match).hands
        house.put(table_id, encode_record(msgspec.structs.replace(record, match=other)))
    asked = (Verb.SHOW_TABLE, Verb.SHOW_HAND, Verb.PLAYS, Verb.WORDS, Verb.RULES, Verb.FINAL_HANDS, Verb.MENU)
    with capture_logs() as logs:
        for person in people:
            for verb in asked:
                await house.press(person, table_id, verb, press_id=f"{person.id}-{verb}")
            await house.press(person, table_id, Verb.DRAW, version=0, press_id=f"{person.id}-stale")
            await house.press(person, table_id, Verb.DISCARD, "zzzz", press_id=f"{person.id}-odd")
    names = {person.id: person.name for person in people} | {table_id: "table"}
    found: dict[str, object] = {"log": [{k: v for k, v in line.items() if k not in ("ms", "table")} for line in logs]}
    for person in people:
        text = (await house.app.privacy.export(person)).decode()
        for drawn_by_lot, name in names.items():
            text = text.replace(drawn_by_lot, name)
        found[person.name] = text.replace((await house.record(table_id)).table.code, "CODE")
    figures = exposition().decode()
    found["figures"] = sorted({line.partition(" ")[0] for line in figures.splitlines() if line.startswith("buraco_")})
    return found


@settings(max_examples=PAIRS // 5)
@given(st.integers(0, 10**6))
async def test_logs_figures_and_exports_are_the_same_whatever_is_hidden(seed: int) -> None:
    if not _WARM:
        _WARM.append(await kept_and_logged(seed, None))  # every figure that there will be is there
    one, other = await kept_and_logged(seed, None), await kept_and_logged(seed, seed)
    assert one["log"]
    assert {name for name in one if one[name] != other[name]} == set()


async def test_the_comparison_sees_a_change() -> None:
    match = dealt(Seating.TWO_PAIRS, 3)
    other = redealt(match, random.Random(1), 0)
    assert differing(told_to(match, 1), told_to(other, 1)) == ["picture", "telegram", "discord", "page"]
    assert "picture" in differing(await told_to_all(match), await told_to_all(dealt(Seating.TWO_PAIRS, 4)))
