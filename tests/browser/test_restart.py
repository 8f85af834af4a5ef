"""A page that is open while the bot is killed goes on where the match stands, without a reload."""

from pathlib import Path

from playwright.async_api import expect

from tests.browser.conftest import PageMaker
from tests.browser.player import Player
from tests.e2e.room import Process, free_port


async def test_an_open_page_goes_on_after_a_kill(tmp_path: Path, new_page: PageMaker) -> None:
    process = Process(tmp_path, free_port(), pause="0.05")
    async with process:
        player = Player(await new_page(complains=True), await process.start())
        await player.open_table("1v1")
        await player.start()
        assert await player.my_turn()
        before = await player.hand()
        await process.kill()
        await process.start()
        # Nothing was reloaded: the same page draws, and plays the turn to its end.
        assert await player.hand() == before
        await player.move()
        await expect(player.page.locator("#hand .card")).to_have_count(len(before) + 1, timeout=20_000)
        await player.discard()
        assert await player.my_turn()
