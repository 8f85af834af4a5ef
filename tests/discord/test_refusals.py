"""Refusals that add up, and the day's sessions: watched, told, and never spent to the last."""

from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from adapters.discord.refusals import BORNE, MOST, WINDOW_SECONDS, HeldBack, Refusals
from adapters.discord.sessions import FEW, RESERVE, SessionsSpent, check_sessions
from bot.metrics import REGISTRY
from tests.discord.test_emojis import http_error

CHANNEL, ANSWER, EDIT = "/api/v10/channels/1/messages", "/api/v10/interactions/1/x/callback", "/api/v10/webhooks/1/x"


def figure(name: str, **labels: str) -> float:
    """A figure as it stands."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_half_of_what_is_borne_holds_back_what_can_wait_and_no_answer() -> None:
    now = [0.0]
    refusals = Refusals(now=lambda: now[0])
    assert MOST * 2 == BORNE == 10_000
    before = figure("buraco_refused_calls_total", platform="discord", result="403")
    with capture_logs() as logs:
        for number in range(MOST):
            refusals.check(CHANNEL)
            refusals.refused(403)
            now[0] = number / 10  # five thousand in 500 seconds
        assert refusals.count == MOST
        for _ in range(3):
            with pytest.raises(HeldBack):
                refusals.check(CHANNEL)
        refusals.check(ANSWER)
        refusals.check(EDIT)
        assert figure("buraco_held_back", platform="discord") == 1
        now[0] += WINDOW_SECONDS
        refusals.check(CHANNEL)
    assert refusals.count == 0
    assert figure("buraco_held_back", platform="discord") == 0
    assert figure("buraco_refused_calls_total", platform="discord", result="403") - before == MOST
    assert [line["event"] for line in logs] == ["discord.held_back", "discord.goes_on"]


def test_the_window_slides() -> None:
    now = [0.0]
    refusals = Refusals(now=lambda: now[0])
    for _ in range(60):
        refusals.refused(429, "user")
        now[0] += 20
    assert refusals.count == WINDOW_SECONDS // 20 - 1


@pytest.mark.parametrize(("status", "scope"), [(200, ""), (204, ""), (404, ""), (500, ""), (429, "shared")])
def test_what_is_nobody_s_fault_is_not_counted(status: int, scope: str) -> None:
    refusals = Refusals()
    refusals.refused(status, scope)
    assert refusals.count == 0


class Gateway:
    """Discord's word on sessions."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    async def request(self, route: discord.http.Route) -> Any:
        """The answer."""
        assert (route.method, route.path) == ("GET", "/gateway/bot")
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def budget(remaining: int) -> Any:
    """So many are left; ten hours until there are more."""
    limit = {"total": 1000, "remaining": remaining, "reset_after": 36_000_000, "max_concurrency": 1}
    return Gateway({"url": "wss://x", "shards": 1, "session_start_limit": limit})


@pytest.mark.parametrize(
    ("left", "told"),
    [(999, []), (FEW, []), (FEW - 1, ["few"]), (RESERVE + 1, ["few"]), (RESERVE, ["few", "no"]), (0, ["few", "no"])],
)
async def test_the_day_s_sessions_are_watched_and_never_spent_to_the_last(left: int, told: list[str]) -> None:
    with capture_logs() as logs:
        if "no" in told:
            with pytest.raises(SessionsSpent):
                await check_sessions(budget(left))
        else:
            await check_sessions(budget(left))
    assert figure("buraco_sessions_left") == left
    assert [line["event"] for line in logs] == [f"discord.{word}_sessions" for word in told]


@pytest.mark.parametrize(
    "answer",
    [OSError("away"), http_error(503, 0, discord.DiscordServerError), {}, {"session_start_limit": 3}],
    ids=repr,
)
async def test_where_discord_does_not_tell_sessions_are_begun_all_the_same(answer: Any) -> None:
    gateway: Any = Gateway(answer)
    await check_sessions(gateway)
