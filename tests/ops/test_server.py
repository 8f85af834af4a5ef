"""Health, readiness and figures over HTTP: right in every trouble, and silent about everybody."""

import asyncio
import re
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from adapters.ops import OpsServer, OpsUnavailable
from bot import vitals as vital_signs
from bot.gate import Gate
from bot.metrics import PLATFORMS
from bot.tokens import Verb
from bot.vitals import Vitals
from tests.bot.fakes import FakeClock, TroubledStore
from tests.bot.rooms import House


class Place:
    """A platform that is connected or not."""

    name = "discord"

    def __init__(self) -> None:
        self.is_connected = True


class Store(TroubledStore):
    """A store whose smallest write can fail or hang."""

    fails = False
    hangs = False

    async def write_note(self, key: str, text: str) -> None:
        """Write a note, or not."""
        if self.hangs:
            await asyncio.Event().wait()
        if self.fails:
            from bot.store import StoreBusy

            raise StoreBusy("database or disk is full")
        await super().write_note(key, text)


class Bot:
    """A process, as far as the figures go."""

    def __init__(self) -> None:
        self.store = Store(FakeClock())
        self.place = Place()
        self.gate = Gate()
        self.vitals = Vitals(self.store, self.gate, [self.place])
        self.vitals.is_started = True
        self.server = OpsServer(self.vitals, self.gate, "127.0.0.1", 0)
        self.address = ""

    async def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """The status and the body."""
        async with (
            aiohttp.ClientSession() as session,
            session.request(method, self.address + path, headers=headers) as answer,
        ):
            return answer.status, await answer.text()


@pytest.fixture
async def bot(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    """A process that is asked anew each time."""
    monkeypatch.setattr(vital_signs, "FRESH_SECONDS", 0.0)
    bot = Bot()
    bot.vitals.start()
    bot.address = await bot.server.start()
    yield bot
    await bot.server.stop()
    await bot.vitals.stop()


async def test_all_is_well(bot: Bot) -> None:
    assert (await bot.ask("/healthz"))[0] == 200
    status, body = await bot.ask("/readyz")
    assert status == 200
    assert body == (
        '{"ready":true,"started":true,"stopping":false,"draining":false,"store":true,"platforms":{"discord":true}}'
    )
    assert (await bot.ask("/"))[0] == 404


@pytest.mark.parametrize("trouble", ["fails", "hangs"])
async def test_a_store_that_does_not_write_is_told_until_it_does_again(
    bot: Bot, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vital_signs, "PROBE_SECONDS", 0.05)
    setattr(bot.store, trouble, True)
    status, body = await bot.ask("/readyz")
    assert (status, '"store":false' in body) == (503, True)
    assert (await bot.ask("/healthz"))[0] == 200, "a new process would change nothing"
    setattr(bot.store, trouble, False)
    assert (await bot.ask("/readyz"))[0] == 200


async def test_a_platform_that_is_away_is_told(bot: Bot) -> None:
    bot.place.is_connected = False
    assert (await bot.ask("/readyz"))[0] == 503
    bot.place.is_connected = True
    assert (await bot.ask("/readyz"))[0] == 200


async def test_not_ready_before_the_start_and_from_the_beginning_of_the_end(bot: Bot) -> None:
    bot.vitals.is_started = False
    assert (await bot.ask("/readyz"))[0] == 503
    bot.vitals.is_started = True
    bot.gate.close()
    status, body = await bot.ask("/readyz")
    assert (status, '"stopping":true' in body) == (503, True)


async def test_drain_is_ordered_from_here_and_by_no_page_elsewhere(bot: Bot) -> None:
    assert (await bot.ask("/drain", "PUT"))[0] == 403
    assert (await bot.ask("/drain", "POST"))[0] == 405
    assert not bot.gate.is_draining
    assert await bot.ask("/drain", "PUT", **{"X-Buraco-Order": "1"}) == (200, '{"draining":true}')
    assert (await bot.ask("/readyz"))[0] == 503
    assert await bot.ask("/drain", "DELETE", **{"X-Buraco-Order": "1"}) == (200, '{"draining":false}')
    assert not bot.gate.is_draining


async def test_a_loop_that_stands_still_is_told_with_what_it_was_doing(bot: Bot) -> None:
    await asyncio.sleep(0.3)
    with capture_logs() as logs:
        time.sleep(0.8)  # noqa: ASYNC251 - that is the trouble
        await asyncio.sleep(0.3)
    blocked = [line for line in logs if line["event"] == "loop.blocked"]
    assert blocked
    assert "test_a_loop_that_stands_still" in blocked[0]["doing"]


async def test_a_loop_that_comes_round_too_late_is_not_live(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vital_signs, "DEAD_SECONDS", -1.0)
    assert (await bot.ask("/healthz"))[0] == 503


async def test_figures_have_few_labels_and_name_nobody(bot: Bot) -> None:
    house = House()
    table_id, people = await house.started()
    for person in people:
        await house.app.press(person, f"1:{table_id}:1:{Verb.DRAW}", f"p{person.id}", via="web")
    await house.app.press(people[0], f"1:{table_id}:1:dr", "odd", via=people[0].id)
    status, body = await bot.ask("/metrics")
    assert status == 200
    families = {family.name: family for family in text_string_to_metric_families(body)}
    assert {"buraco_presses", "buraco_commit_seconds", "buraco_ready", "buraco_open_tables"} <= set(families)
    assert "buraco_loop_lag_seconds" in families
    secret = [table_id, *(part for person in people for part in (person.id, person.name))]
    assert not any(re.search(rf"\b{re.escape(word)}\b", body) for word in secret)
    for family in families.values():
        if not family.name.startswith("buraco_"):
            continue
        for sample in family.samples:
            assert set(sample.labels) <= {"platform", "result", "kind", "le"}
            assert sample.labels.get("platform", "web") in PLATFORMS | {"other"}
        assert len(family.samples) < 400


async def test_an_address_that_is_taken(bot: Bot) -> None:
    port = int(bot.address.rpartition(":")[2])
    with pytest.raises(OpsUnavailable, match="BURACO_HEALTH"):
        await OpsServer(bot.vitals, bot.gate, "127.0.0.1", port).start()
    with capture_logs() as logs:
        assert await OpsServer(bot.vitals, bot.gate, "127.0.0.1", port, insist=False).start() == ""
    assert [line["event"] for line in logs] == ["ops.not_open"]
