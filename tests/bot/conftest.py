"""Logs stay quiet unless a test looks at them: what is drawn of a traceback takes longer than the test."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def _quiet_logs() -> Iterator[None]:
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()], logger_factory=structlog.ReturnLoggerFactory()
    )
    yield
    structlog.reset_defaults()
