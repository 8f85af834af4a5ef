"""Make the documentation's pictures of Discord, offline: ``uv run --with "simcord[screenshot]" python -m
tests.discord.make_screenshots``. A system's Chromium is named by ``BURACO_CHROMIUM``, else Playwright's own is used.
"""

import asyncio
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import playwright.async_api
import simcord

from adapters.discord.platform import DiscordPlatform
from adapters.storage.memory import MemoryStore
from bot.app import App
from bot.clock import SystemClock
from bot.robots.registry import make_robot
from bot.shuffling import seeded_deal
from render import PillowRenderer

FOLDER = Path(__file__).parents[2] / "docs" / "images"
WIDTH, HEIGHT = 560, 1300


def use_chromium(path: str) -> None:
    """Let Playwright start another Chromium."""
    launch = playwright.async_api.BrowserType.launch

    async def launching(browser: playwright.async_api.BrowserType, **options: Any) -> playwright.async_api.Browser:
        return await launch(browser, executable_path=path, args=["--no-sandbox"], **options)

    playwright.async_api.BrowserType.launch = launching  # type: ignore[assignment]


def labels(components: list[dict[str, Any]]) -> Iterator[str]:
    """The labels of the buttons that can be pressed."""
    for component in components:
        if component.get("label") and not component.get("disabled"):
            yield component["label"]
        yield from labels(component.get("components", []))


async def main() -> None:
    """Open a table, start, draw and meld once; take a picture of each."""
    deals = iter(range(7, 1000))
    app = App(
        MemoryStore(SystemClock().now_ms),
        SystemClock(),
        lambda rules, seating: seeded_deal(rules, seating, next(deals)),
        {"normal": make_robot("normal")},
        robot_pause=0.01,
        lot=random.Random(4),
    )
    platform = DiscordPlatform(app, PillowRenderer(), "token", {})
    app.add_platform(platform)
    env: Any = simcord.Env(platform.make_client(), settle_timeout=60)
    await env.start()
    server = env.create_guild("Amigos")
    channel = server.create_text_channel("mesa")
    ana, luis = (server.add_member(env.create_user(name)) for name in ("Ana", "Luis"))

    async def take(name: str, target: Any) -> None:
        preview = env.preview(
            channel, viewers=[ana], display="fixed", width=WIDTH, height=HEIGHT, locale="es-ES", timezone="UTC"
        )
        async with preview as shown:
            await shown.screenshot(FOLDER / f"discord-{name}.png", viewer=ana, target=target)

    await ana.slash(channel, "buraco nueva", modo="2v2")
    for player in (luis, ana):
        await player.click(channel.last_message, label="Pareja 1")
    await take("lobby", channel.last_message)
    hand = (await ana.click(channel.last_message, label="Empezar")).followups[0]
    await env.advance_time(5)
    await ana.click(hand.message, label="Robar")
    meld = next(label for label in labels(hand.components) if label.startswith("Bajar "))
    await ana.click(hand.message, label=meld)
    await take("hand", hand.message)
    await take("table", next(message for message in channel.history() if not message.content))
    await env.shutdown()
    await app.stop()


if __name__ == "__main__":
    if os.environ.get("BURACO_CHROMIUM"):
        use_chromium(os.environ["BURACO_CHROMIUM"])
    asyncio.run(main())
