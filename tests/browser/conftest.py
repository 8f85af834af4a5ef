"""A headless browser and pages in it; everything here is skipped where no Chromium is installed."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, Response, ViewportSize, async_playwright

from tests.web.conftest import RoomMaker, make_room

__all__ = ["make_room"]

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PageMaker = Callable[..., Awaitable[Page]]


def chromium() -> str | None:
    """Where Chromium is; the environment variable CHROMIUM goes first."""
    return os.environ.get("CHROMIUM") or next((path for name in _NAMES if (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser, and skip it where there is none."""
    here = Path(__file__).parent
    skip = pytest.mark.skip(reason="no Chromium here: install it, or name it in the environment variable CHROMIUM")
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.browser)
            if chromium() is None:
                item.add_marker(skip)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """A browser with an empty profile."""
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=chromium(), args=_FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
async def new_page(browser: Browser) -> AsyncIterator[PageMaker]:
    """Make pages, each with cookies of its own; what they complain of fails the test in the end."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def look(response: Response) -> None:
        if response.status >= 400:
            complaints.append(f"{response.status} {response.url}")

    async def make(size: ViewportSize = PHONE, *, complains: bool = False) -> Page:
        phone = size["width"] < 600
        context = await browser.new_context(
            viewport=size, device_scale_factor=2 if phone else 1, has_touch=phone, locale="es"
        )
        page = await context.new_page()
        page.set_default_timeout(15_000)
        if not complains:
            page.on("console", hear)
            page.on("response", look)
            page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield make
    assert complaints == []


__all__ += ["RoomMaker"]
