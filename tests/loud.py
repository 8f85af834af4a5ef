"""Everything that any library logs, at its lowest level, as the program would write it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog

from bot.logs import configure_logs


@contextmanager
def logs_at_debug(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Log everything, on standard error and in ``caplog``; afterwards the logs are as they were."""
    before = structlog.get_config()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        configure_logs("debug", "text")
        root.addHandler(caplog.handler)
        root.setLevel(logging.DEBUG)
        yield
    finally:
        structlog.configure(**before)
        root.handlers[:] = handlers
        root.setLevel(level)
