"""Logs: one line an event on standard error, as text for people or JSON for machines; never a token, never a card."""

import logging
import re
import sys
from typing import Any

import structlog

_TOKEN = re.compile(r"bot\d{5,}:[\w-]{20,}|[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,}|\b\d{5,}:[\w-]{30,}")
"""What the tokens of Telegram and Discord look like."""


def hide_tokens(_: object, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Blank out whatever looks like a token, in whatever field it got into."""
    return {key: _TOKEN.sub("[token]", value) if isinstance(value, str) else value for key, value in event.items()}


def configure_logs(level: str, form: str) -> None:
    """Set up logging for the process; the libraries' own logs come out of the same pipe from warnings up."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        hide_tokens,
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for ours in ("bot", "adapters", "render"):
        logging.getLogger(ours).setLevel(level.upper())
