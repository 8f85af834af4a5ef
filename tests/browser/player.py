"""Somebody who plays in a page with their finger."""

from playwright.async_api import Page, expect

QUIET = "() => !document.body.classList.contains('pressing')"
MOST_TURNS = 150
LEAST_TARGET = 40

_MEASURE = """(least) => {
  const small = [];
  for (const node of document.querySelectorAll('button, a, input:not([type=radio]), label.tile, summary')) {
    const box = node.getBoundingClientRect();
    if (!node.checkVisibility() || node.closest('.unseen') || box.width === 0) continue;
    if (box.width < least || box.height < least) small.push([node.outerHTML.slice(0, 90), box.width, box.height]);
  }
  return small;
}"""
_OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Player:
    """Taps what a person would tap."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address.rstrip("/")
        self.taps = 0

    async def open_table(self, seating: str = "1v1", name: str = "Ana") -> str:
        """Open a table from the start page; returns its code."""
        await self.page.goto(self.address)
        await self.page.get_by_label("Tu nombre").fill(name)
        await self.page.locator(f"input[name=seating][value='{seating}']").check()
        await self.page.get_by_role("button", name="Abrir mesa").click()
        await expect(self.page.locator("#lobby")).to_be_visible()
        return self.page.url.rpartition("/")[2]

    async def start(self) -> None:
        """Begin the match."""
        await self.page.get_by_role("button", name="Empezar").click()
        await expect(self.page.locator("#picture")).to_be_visible()
        await expect(self.page.locator("#hand .card").first).to_be_visible()

    async def looks_right(self) -> None:
        """Nothing sticks out at the side, and fingers can hit everything."""
        assert await self.page.evaluate(_OVERFLOW) == 0
        assert await self.page.evaluate(_MEASURE, LEAST_TARGET) == []

    async def my_turn(self) -> bool:
        """Wait for one's turn; False where the deal is over."""
        await self.page.locator("#hand.active, #result.over").first.wait_for(timeout=20_000)
        return not await self.page.locator("#result.over").count()

    async def tap(self, selector: str) -> bool:
        """Tap the first of what can be tapped, if there is any."""
        target = self.page.locator(selector).first
        if not await target.count() or not await target.is_visible():
            return False
        await target.tap() if await self.touches() else await target.click()
        self.taps += 1
        await self.page.wait_for_function(QUIET)
        return True

    async def touches(self) -> bool:
        return bool(await self.page.evaluate("() => navigator.maxTouchPoints > 0"))

    async def hand(self) -> list[str]:
        """The names of the cards of the hand."""
        return [await card.get_attribute("aria-label") or "" for card in await self.page.locator("#hand .card").all()]

    async def move(self) -> None:
        """One step of a turn: an answer, a draw, a suggestion, else the last card that may go."""
        if await self.tap(".question .button"):
            return
        if await self.tap(".main-row .button.primary:not([aria-disabled])"):
            return
        if await self.tap(".ideas .button.good:not([aria-disabled])"):
            return
        await self.discard()

    async def discard(self) -> None:
        """Pick a card and discard it: two taps."""
        cards = self.page.locator("#hand .card:not(.wild)")
        if not await cards.count():
            cards = self.page.locator("#hand .card")
        last = cards.last
        if await self.touches():
            await last.tap()
        else:
            await last.click()
        self.taps += 1
        assert await last.get_attribute("aria-pressed") == "true"
        assert await self.tap(".verbs .button.danger:not([aria-disabled])")

    async def play_deal(self) -> None:
        """Play until the result is shown."""
        for _ in range(MOST_TURNS * 6):
            if not await self.my_turn():
                return
            await self.move()
        raise AssertionError("the deal does not end")
