"""Logs: one line an event on standard error, as text for people or JSON for machines; never a token, never a card."""

import logging
import re
import sys
from typing import Any

import structlog

_TOKEN = re.compile(
    r"bot\d{5,}(?::|%3[Aa])[\w-]{20,}|[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,}|(?<!\d)\d{5,}(?::|%3[Aa])[\w-]{30,}"
)
"""What the tokens of Telegram and Discord look like, in the open and in an address."""
_SHORTEST_TOKEN = 29
"""Characters of the shortest text that can hold one; nearly all that is logged is shorter."""
_HIDDEN = "[token]"
_PASSWORD = re.compile(r"(\w://[^\s:/@]*):\S*@")
"""The password in the address of a database, up to the last @: it may hold one itself."""
_OF_STRUCTLOG = frozenset({"_record", "_from_structlog", "exc_info"})


def hide_tokens(_: object, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Blank out whatever looks like a token, in whatever field it got into and however deep."""
    return {key: value if key in _OF_STRUCTLOG else _without_tokens(value) for key, value in event.items()}


def _without_tokens(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {_without_tokens(key): _without_tokens(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_without_tokens(inner) for inner in value]
    text = value if isinstance(value, str) else repr(value)
    if len(text) >= _SHORTEST_TOKEN:
        text = _TOKEN.sub(_HIDDEN, text)
    return _PASSWORD.sub(r"\1:[password]@", text) if "://" in text else text


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
        # Plain tracebacks: the richer ones print local variables, and with them cards and secrets.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
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
