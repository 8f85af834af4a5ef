"""Answering commands: acknowledged first, and whatever goes wrong is told in a sentence."""

import secrets
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import discord
import structlog

from adapters.discord.answers import Answers
from adapters.discord.people import texts_of
from bot.app import App
from bot.commands import CommandError
from bot.presenter import commands as words
from bot.presenter import notices
from bot.presenter.coins import stake_refused_text
from bot.stakes.rules import StakeRefused
from bot.store import StoreBusy

log = structlog.get_logger(__name__)

_P = ParamSpec("_P")
_D = TypeVar("_D", bound="Desk")
_Work = Callable[Concatenate[_D, discord.Interaction, _P], Coroutine[Any, Any, None]]


def answered(work: _Work[_D, _P]) -> _Work[_D, _P]:
    """Acknowledge first, and answer whatever goes wrong with a sentence."""

    @wraps(work)
    async def answering(desk: _D, interaction: discord.Interaction, *args: _P.args, **kwargs: _P.kwargs) -> None:
        await desk.answers.acknowledge(interaction)
        t = texts_of(interaction)
        try:
            await work(desk, interaction, *args, **kwargs)
        except CommandError as error:
            await desk.answers.say(interaction, words.command_problem_text(t, error))
        except StakeRefused as error:
            await desk.answers.say(interaction, stake_refused_text(t, error))
        except StoreBusy as error:
            log.warning("discord.store_busy", error=str(error))
            await desk.answers.say(interaction, notices.busy_text(t))
        except Exception:
            error_id = secrets.token_hex(4)
            log.exception("discord.command_failed", error_id=error_id)
            await desk.answers.say(interaction, notices.failed_text(t, error_id))

    return cast("_Work[_D, _P]", answering)


class Desk:
    """What every desk has: the application and a way to answer."""

    def __init__(self, app: App, answers: Answers) -> None:
        self._app = app
        self.answers = answers
