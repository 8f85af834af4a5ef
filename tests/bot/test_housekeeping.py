"""Tables that are left are closed in time, and no others."""

import msgspec

from bot.housekeeping import LOBBY_HOURS, MATCH_DAYS, Housekeeping
from bot.keeper import Keeper
from bot.model import Pace, Status
from engine.seating import Seating
from tests.bot.rooms import House


async def statuses(house: House, *ids: str) -> list[Status]:
    """How the tables stand after a round."""
    await Housekeeping(Keeper(house.store), house.clock).close_left_tables()
    return [(await house.record(table_id)).table.status for table_id in ids]


async def test_a_lobby_that_never_starts_is_closed_and_a_match_is_kept_much_longer() -> None:
    house = House()
    ana = (await house.people(1))[0]
    lobby = await house.open(ana)
    by_mail = (
        await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, pace=Pace.MAIL)
    ).table.id
    match, _ = await house.started(2)
    ids = (lobby, by_mail, match)
    assert await statuses(house, *ids) == [Status.LOBBY, Status.LOBBY, Status.PLAYING]
    house.clock.ms += (LOBBY_HOURS * 3600 + 1) * 1000
    assert await statuses(house, *ids) == [Status.CANCELLED, Status.LOBBY, Status.PLAYING]
    house.clock.ms += MATCH_DAYS * 24 * 3600 * 1000
    assert await statuses(house, *ids) == [Status.CANCELLED, Status.LOBBY, Status.CANCELLED]
    await house.app.stop()


async def test_what_cannot_be_read_is_left_alone() -> None:
    house = House()
    ana = (await house.people(1))[0]
    broken, good = await house.open(ana), await house.open(ana)
    house.store.unreadable.add(broken)
    house.clock.ms += (LOBBY_HOURS * 3600 + 1) * 1000
    assert await statuses(house, good) == [Status.CANCELLED]
    assert msgspec.json.decode(house.store.kept[broken].saved.data)["status"] == "lobby"
    await house.app.stop()
