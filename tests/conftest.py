"""What all tests share: options of the command line and the hypothesis profiles."""

import logging
import os
from collections.abc import AsyncIterator, Iterator

import pytest
import structlog
from hypothesis import HealthCheck, Phase, settings

from tests.postgres import Server, end_of, shared_server

os.environ["LANGUAGE"] = "es"
"""Whatever the machine speaks, the tests read the source language."""

_CALM = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example]

settings.register_profile("short", deadline=None, max_examples=60, suppress_health_check=_CALM, print_blob=True)
settings.register_profile("long", deadline=None, max_examples=2000, suppress_health_check=_CALM, print_blob=True)
settings.register_profile(
    "hunt",  # finds, and leaves the shrinking for later
    deadline=None,
    max_examples=200,
    suppress_health_check=_CALM,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this suite."""
    parser.addoption("--long", action="store_true", help="run the long tests too, and more of the others")
    parser.addoption("--golden-update", action="store_true", help="write the golden deals anew instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how much hypothesis does, unless the command line says so."""
    if not config.getoption("--hypothesis-profile", default=None):
        settings.load_profile("long" if config.getoption("--long") else "short")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests out of a short run."""
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="takes minutes: run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _logs_as_they_come() -> Iterator[None]:
    """No test leaves the logs of the whole process set up in its own way: commands that run here do that."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in ("bot", "adapters", "render")}
    yield
    if structlog.is_configured():
        structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


@pytest.fixture(scope="session")
def long_run(request: pytest.FixtureRequest) -> bool:
    """Whether this run may take its time."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server that the tests of this process share."""
    found = shared_server()
    yield found
    end_of(found)


@pytest.fixture
async def postgres(server: Server) -> AsyncIterator[str]:
    """The address of a PostgreSQL database of today's schema with nothing in it."""
    name = await server.database()
    yield server.url(name)
    server.give_back(name)
