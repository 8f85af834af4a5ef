"""Results belong to what is kept of a person: they are told on request, and forgotten with them."""

import msgspec

from bot.tokens import Verb
from tests.bot.fakes import settled
from tests.bot.rooms import House
from tests.bot.test_rematches import finished


async def test_results_are_told_and_forgotten_and_the_others_keep_theirs() -> None:
    house = House()
    table_id, crowd = await finished(house)
    gone, stays = crowd[0], crowd[1]
    await house.app.start()
    await settled()
    assert [result.table_id for result in await house.store.results_of(gone.id)] == [table_id]
    document = msgspec.json.decode(await house.app.privacy.export(gone))
    (told,) = document["results"]["matches"]
    assert told["table_id"] == table_id
    assert told["name"] == gone.name
    assert stays.id not in repr(document)
    assert await house.app.privacy.erase(gone) == 0
    kept = repr([*await house.store.results(), await house.store.results_of(stays.id)])
    assert gone.id not in kept
    assert f"'{gone.name}'" not in kept
    assert len(await house.store.results_of(stays.id)) == 1
    assert list(await house.store.results_of(gone.id)) == []
    await house.app.stop()


async def test_whoever_has_left_a_match_is_forgotten_by_its_chair_too() -> None:
    house = House()
    table_id, (_, luis) = await house.started(2)
    await house.app.press(luis, f"1:{table_id}:0:+{Verb.LEAVE}", "leave")
    assert luis.id in repr((await house.record(table_id)).table)
    await house.app.privacy.erase(luis)
    told = repr((await house.record(table_id)).table)
    assert luis.id not in told
    assert luis.name not in told
    await house.app.stop()
