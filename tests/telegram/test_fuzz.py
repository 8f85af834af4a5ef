"""Updates that make no sense: read or passed over, told in log and figures, and the next one is heard."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs
from telegram import Update

from adapters.telegram import updates as updates_of
from adapters.telegram.api import QuietBot
from adapters.telegram.updates import Unreadable, _lane, read
from bot.dead_letters import KEPT, DeadLetter
from bot.metrics import REGISTRY
from bot.store import StoreBusy
from tests.security.forging import Watch
from tests.telegram.fake import BotApi
from tests.telegram.fake.server import TOKEN
from tests.telegram.room import Room, board, hand_of, have_hands, until
from tests.telegram.test_playing import started

SHORT, LONG = 400, 50_000
JUNK: list[Any] = [None, True, 0, -1, 2**70, 1.5, "", "x" * 500, "\ud800", "\x00", [], [[]], {}, {"id": {}}, [None]]
KINDS = ("message", "callback_query", "inline_query", "my_chat_member", "poll", "something_new")

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
names = st.sampled_from(
    ("id", "from", "chat", "message", "data", "text", "date", "type", "message_id", "user", "status", "entities", "x")
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=6), max_leaves=25
)
BOT = QuietBot(TOKEN)


def dead() -> float:
    """How many updates were passed over so far."""
    return REGISTRY.get_sample_value("buraco_dead_letters_total", {"platform": "telegram"}) or 0.0


@given(st.integers(), st.dictionaries(st.sampled_from(KINDS), values, max_size=3))
def test_any_json_is_read_or_passed_over(number: int, parts: dict[str, Any]) -> None:
    raw = {"update_id": number, **parts}
    try:
        assert isinstance(read(raw, BOT), Update)
    except Unreadable:
        with pytest.raises(Exception):  # noqa: B017, PT011 - the library's own, of whatever kind
            Update.de_json(raw, BOT)


def broken(dice: random.Random, update: dict[str, Any]) -> dict[str, Any]:
    """An update with one to three things in it that are not what they should be; its number stays."""
    made = copy.deepcopy(update)
    for _ in range(dice.randint(1, 3)):
        place: Any = made
        while True:
            name = dice.choice([key for key in place if key != "update_id"] if place is made else list(place))
            if isinstance(place[name], dict) and place[name] and dice.random() < 0.8:
                place = place[name]
                continue
            if dice.random() < 0.3:
                del place[name]
            else:
                place[name] = copy.deepcopy(dice.choice(JUNK))
            break
        if set(made) == {"update_id"}:
            break
    return made


async def test_broken_updates_hold_up_nobody_and_move_nobody_else_s_cards(
    api: BotApi, room: Room, long_run: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates_of, "TRY_PAUSES", (0.0, 0.0))
    dice = random.Random(41)
    ana, beto = api.user("Ana"), api.user("Beto")
    group, _ = await started(api, room, [ana, beto], "1v1")
    await until(lambda: have_hands(ana, beto))
    await ana.presses(hand_of(ana), data="zz")
    await beto.says(group, "/mesa")
    genuine = copy.deepcopy(api.updates.delivered)
    assert {kind for update in genuine for kind in update} >= {"message", "callback_query"}
    watch, before = Watch(room.store), dead()
    updates, bot = room.platform._updates, room.platform._bot
    assert updates is not None
    assert bot is not None
    with capture_logs() as logs:
        for number in range(LONG if long_run else SHORT):
            update = broken(dice, dice.choice(genuine)) | {"update_id": 10_000_000 + number}
            await updates.take([update], bot, room.platform._background, 5.0)
        await api.quiet()
    assert watch.problems == []
    told = [line for line in logs if line["event"] in ("telegram.dead_letter", "telegram.unreadable")]
    assert len(told) == dead() - before > 10, "each one is told of and counted"
    letters = await room.store.letters()
    assert {letter.error_id for letter in letters} == {line["error_id"] for line in told[-KEPT:]}, "and kept"
    assert {letter.tries for letter in letters} <= {1, 3}
    assert not [letter for letter in letters if "Ana" in letter.outline or "mesa" in letter.outline]
    assert {line["event"] for line in logs if line["log_level"] in ("error", "critical")} <= {"telegram.dead_letter"}
    assert (await ana.presses(board(group), data="zz")).answered, "the next one is heard"
    api.problems.clear()  # answers to chats and queries that were made up
    api.warnings.clear()


@pytest.mark.parametrize(
    ("error", "told"), [(StoreBusy("locked"), "No se pudo guardar"), (ZeroDivisionError("poison"), "Algo falló")]
)
async def test_a_poison_update_is_told_of_answered_and_kept_after_three_tries(
    api: BotApi, room: Room, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    ana = api.user("Ana")
    group, _ = await started(api, room, [ana], "1v1")
    await api.quiet()
    tried = 0

    async def fails(*_: object) -> None:
        nonlocal tried
        tried += 1
        raise error

    before = dead()
    with monkeypatch.context() as patched, capture_logs() as logs:
        patched.setattr(room.app, "meet", fails)
        pressed = await ana.presses(board(group), data="1:x:0:dr")
        assert pressed.answered
        assert told in pressed.text
        await ana.says(group, "/mesa")
        await until(lambda: any(told in (message.text or "") for message in group.messages))
        await api.quiet()
    poison = isinstance(error, ZeroDivisionError)
    assert tried == (6 if poison else 2), "each three times, what is busy once"
    assert dead() - before == (2 if poison else 0)
    logged = [line for line in logs if line["event"] == "telegram.dead_letter"]
    assert len(logged) == (2 if poison else 0)
    letters = await room.store.letters()
    assert {letter.error_id for letter in letters} == {line["error_id"] for line in logged}
    for letter in letters:
        assert (letter.platform, letter.tries) == ("telegram", 3)
        assert letter.error == f"ZeroDivisionError in {__name__}:{fails.__code__.co_firstlineno + 3}"
        assert letter.outline.startswith('{"update_id":"number",')
        assert "Ana" not in letter.outline
    assert (await ana.presses(board(group), "Últimas jugadas")).answered


async def test_a_moment_s_trouble_is_over_at_the_next_try(
    api: BotApi, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = api.user("Ana")
    group, _ = await started(api, room, [ana], "1v1")
    await api.quiet()
    meet, tried, before = room.app.meet, 0, dead()

    async def fails_twice(*args: Any, **options: Any) -> Any:
        nonlocal tried
        tried += 1
        if tried < 3:
            raise ZeroDivisionError
        return await meet(*args, **options)

    monkeypatch.setattr(room.app, "meet", fails_twice)
    assert "Algo falló" not in (await ana.presses(board(group), "Últimas jugadas")).text
    assert tried >= 3
    assert dead() == before
    assert not await room.store.letters()


async def test_a_store_that_cannot_keep_a_letter_holds_up_nobody(
    api: BotApi, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = api.user("Ana")
    group, _ = await started(api, room, [ana], "1v1")
    await api.quiet()

    async def fails(*_: object) -> None:
        raise ZeroDivisionError

    async def full(_: DeadLetter) -> bool:
        raise StoreBusy("full")

    with monkeypatch.context() as patched, capture_logs() as logs:
        patched.setattr(room.app, "meet", fails)
        patched.setattr(room.store, "keep_letter", full)
        assert "Algo falló" in (await ana.presses(board(group), data="1:x:0:dr")).text
    assert [line["error"] for line in logs if line["event"] == "dead_letter.not_kept"] == ["StoreBusy"]
    assert (await ana.presses(board(group), "Últimas jugadas")).answered


def test_the_lane_of_anything_that_can_be_read() -> None:
    update = read(
        {
            "update_id": 1,
            "callback_query": {"id": "5", "from": {"id": 1, "is_bot": False, "first_name": "A"}, "chat_instance": "1"},
        },
        BOT,
    )
    assert update is not None
    assert _lane(update) == "user 1"
