"""What a press asks of the store is the same however many other tables there are, and however old its match is."""

from collections import Counter
from typing import Any

import pytest

from bot.model import Home
from bot.tokens import Verb
from tests.bot.fakes import FakePlatform, settled
from tests.bot.rooms import House

METHODS = (
    "load",
    "load_for_press",
    "load_whole",
    "commit",
    "homes",
    "mark_shown",
    "answer_to",
    "person",
    "note",
    "events",
    "open_tables",
    "deadlines",
)


def counting(house: House, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each method of the store is called from now on."""
    calls: Counter[str] = Counter()

    def counted(name: str, asked: Any) -> Any:
        async def call(*arguments: Any) -> Any:
            calls[name] += 1
            return await asked(*arguments)

        return call

    for name in METHODS:
        monkeypatch.setattr(house.store, name, counted(name, getattr(house.store, name)))
    return calls


async def asked_by_a_draw(others: int, deals: int, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What drawing a card asks of the store, notices included."""
    house = House()
    house.app.add_platform(FakePlatform("chat"))
    ana, luis = await house.people(2)
    for number in range(others):
        await house.open(ana, home=Home("", "chat", f"place{number}"))
    table_id = await house.open(ana, home=Home("", "chat", "here"))
    await house.press(luis, table_id, Verb.JOIN)
    await house.press(ana, table_id, Verb.START)
    for _ in range(deals):
        await house.play_out(table_id, [ana, luis])
        assert (await house.press(ana, table_id, Verb.NEXT_DEAL)).ok
    mover = await house.mover(table_id, [ana, luis])
    await settled()
    calls = counting(house, monkeypatch)
    assert (await house.press(mover, table_id, Verb.DRAW)).ok
    await settled()
    await house.app.stop()
    return calls


async def test_a_press_costs_the_same_among_many_tables_and_in_an_old_match(monkeypatch: pytest.MonkeyPatch) -> None:
    # The very first turn of a match calls everybody, hence the second deal.
    alone = await asked_by_a_draw(0, 1, monkeypatch)
    assert alone["load_for_press"] == alone["commit"] == alone["mark_shown"] == 1
    # Read once by the press, within the above in memory, and not again for anybody who is shown the table.
    assert alone["load"] == alone["answer_to"] == 1
    assert alone["load_whole"] == 0
    assert alone["events"] == alone["open_tables"] == alone["deadlines"] == 0
    assert await asked_by_a_draw(40, 1, monkeypatch) == alone
    assert await asked_by_a_draw(0, 3, monkeypatch) == alone
