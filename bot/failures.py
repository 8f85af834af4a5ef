"""What somebody is told whose press could not be done, whatever went wrong: nobody is left without an answer."""

import secrets
from collections.abc import Awaitable
from typing import Final

import structlog

from bot.commands import CommandError
from bot.keeper import Unknown
from bot.presenter import notices
from bot.presenter.coins import stake_refused_text
from bot.presenter.commands import command_problem_text
from bot.presenter.lobby import suspended_screen
from bot.screens import Answer
from bot.stakes.rules import StakeRefused
from bot.store import StoreBusy, UnreadableSave
from bot.texts import Texts
from bot.tokens import TokenError

log = structlog.get_logger()

BUSY: Final = "busy"
"""The reason of an answer where the store could not write."""
FAILED: Final = "failed"
"""The reason of an answer where something unforeseen happened."""


async def answered(t: Texts, work: Awaitable[Answer], table_id: str = "", **facts: str) -> Answer:
    """What the work answers, or a sentence for what went wrong; never raises.

    Args:
        t: the texts of whoever is answered.
        work: makes the answer.
        table_id: the table that the press was about; empty where it was about none.
        facts: what else the log is told of something unforeseen.
    """
    try:
        return await work
    except TokenError:
        return Answer(notices.unknown_button_text(t), ok=False)
    except CommandError as error:
        return Answer(command_problem_text(t, error), ok=False, reason=str(error.problem))
    except StakeRefused as error:
        return Answer(stake_refused_text(t, error), ok=False, reason="stake")
    except Unknown:
        return Answer(notices.unknown_table_text(t), ok=False)
    except UnreadableSave:
        screen = suspended_screen(t, table_id) if table_id else None
        return Answer(notices.suspended_text(t), ok=False, screen=screen)
    except StoreBusy as error:
        log.warning("press.store_busy", table=table_id, error=str(error))
        return Answer(notices.busy_text(t), ok=False, reason=BUSY)
    except Exception:
        error_id = secrets.token_hex(4)
        log.exception("press.failed", table=table_id, error_id=error_id, **facts)
        return Answer(notices.failed_text(t, error_id), ok=False, reason=FAILED)
