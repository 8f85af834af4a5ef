"""Tables that play for coins, through the application: opened, joined, played, left, begun again."""

import pytest

from bot.model import Person, PlaceSettings, Status
from bot.results.places import place_mark
from bot.screens import Screen
from bot.stakes.ledger import escrow, house, wallet
from bot.stakes.rules import DAILY, WELCOME, NoCoinsHere, StakeOutOfRange, TooFewCoins
from bot.store import Record
from bot.tokens import NO_TABLE, Intent, Verb, write_token
from engine.seating import Seating
from tests.bot.rooms import House, words
from tests.bot.tables import choices, verb_of

ORIGIN = "chat:1"
MARK = place_mark(ORIGIN)
STAKE = 6_000
DAY_MS = 24 * 3600 * 1000


def asked(screen: Screen | None) -> Screen:
    """A question that must be there."""
    assert screen is not None
    return screen


async def opened(house_: House, host: Person, stake: int = STAKE, seating: Seating = Seating.ONE_ON_ONE) -> Record:
    """A table with a stake, in a rule set of one round."""
    return await house_.app.open_table(
        host, ruleset_id="clasico", seating=seating, origin=ORIGIN, stake=stake, options={"target": 0}
    )


async def begun(house_: House, seating: Seating = Seating.ONE_ON_ONE) -> tuple[str, list[Person]]:
    """A table in play, with a person at every seat."""
    people = await house_.people(seating.seats)
    table_id = (await opened(house_, people[0], seating=seating)).table.id
    for person in people[1:]:
        assert (await house_.press(person, table_id, Verb.JOIN)).ok
    answer = await house_.press(people[0], table_id, Verb.START)
    assert answer.ok, answer.text
    return table_id, people


async def balances(house_: House, people: list[Person]) -> list[int | None]:
    """What people have."""
    return [await house_.store.balance(wallet(MARK, person.id)) for person in people]


async def test_a_match_for_coins_from_the_opening_to_the_payment() -> None:
    room = House()
    table_id, people = await begun(room, Seating.TWO_PAIRS)
    assert await balances(room, people) == [WELCOME - STAKE] * 4
    assert await room.store.balance(escrow(table_id)) == 4 * STAKE
    await room.play_out(table_id, people)
    record = await room.record(table_id)
    assert record.table.status is Status.OVER
    assert record.match is not None
    winners = [chair.person or "" for chair in record.table.chairs[record.match.winner or 0 :: 2]]
    for person in people:
        gained = 2 * STAKE * 9 // 10 // 2 if person.id in winners else -STAKE
        assert await room.store.balance(wallet(MARK, person.id)) == WELCOME + gained
    assert await room.store.balance(escrow(table_id)) == 0
    assert await room.store.balance(house(MARK)) == 2 * STAKE // 10
    shown = words(await room.app.public_screen(table_id))
    assert "ganan 5.400 monedas y 6 puntos" in shown
    await room.app._recorder.settled()
    result = await room.store.result(table_id)
    assert result is not None
    assert result.stake == STAKE
    ranking = await room.app.press(people[0], write_token(Intent(NO_TABLE, 0, Verb.POINTS, (MARK,))), "r")
    assert words(ranking.screen).count("6 puntos") == 2 * 2, "as lines, and in words"
    assert list(await room.store.audit()) == []
    await room.app.stop()


async def test_the_lobby_tells_what_is_played_for() -> None:
    room = House()
    ana, luis = await room.people(2)
    table_id = (await opened(room, ana)).table.id
    screen = await room.app.public_screen(table_id, ana.id)
    told = words(screen)
    assert "cada quien pone 6.000 monedas" in told
    assert "suma 5.400 monedas y 6 puntos" in told
    assert "no se compran" in told
    assert "robot ocupa" not in told
    assert screen is not None
    off = {verb_of(choice) for choice in choices(screen) if not choice.enabled}
    assert off >= {Verb.ADD_ROBOT, Verb.START}
    for verb in (Verb.ADD_ROBOT, Verb.START):
        answer = await room.press(ana, table_id, verb)
        assert not answer.ok
        assert "personas" in answer.text or "falta gente" in answer.text
    assert (await room.press(luis, table_id, Verb.JOIN)).ok
    await room.app.stop()


@pytest.mark.parametrize(("stake", "error"), [(1, StakeOutOfRange), (WELCOME + 1, TooFewCoins)])
async def test_a_stake_that_cannot_be_opens_nothing(stake: int, error: type[Exception]) -> None:
    room = House()
    (ana,) = await room.people(1)
    with pytest.raises(error):
        await opened(room, ana, stake)
    assert list(await room.store.open_tables()) == []
    await room.app.save_place_settings(ORIGIN, PlaceSettings(coins=False))
    with pytest.raises(NoCoinsHere):
        await opened(room, ana)
    await room.app.stop()


async def test_whoever_has_too_few_coins_does_not_sit_down() -> None:
    room = House()
    ana, luis = await room.people(2)
    rich = wallet(MARK, ana.id)
    await room.app.purse(ana, ORIGIN)
    for day in range(1, 5):
        await collect(room, ana)
        room.clock.ms += DAY_MS
        assert await room.store.balance(rich) == WELCOME + day * DAILY
    table_id = (await opened(room, ana, WELCOME + DAILY)).table.id
    answer = await room.press(luis, table_id, Verb.JOIN)
    assert not answer.ok
    assert "pide 33.000 monedas y tienes 30.000" in answer.text
    await collect(room, luis)
    assert (await room.press(luis, table_id, Verb.JOIN)).ok
    await room.app.stop()


async def collect(room: House, person: Person) -> bool:
    """Press for today's coins."""
    token = write_token(Intent(NO_TABLE, 0, Verb.COLLECT, (MARK,)))
    return (await room.app.press(person, token, room.press_id())).ok


async def test_the_day_s_coins_are_collected_once_a_day() -> None:
    room = House()
    (ana,) = await room.people(1)
    assert "30.000 monedas" in words((await room.app.purse(ana, ORIGIN)).screen)
    assert await collect(room, ana)
    assert not await collect(room, ana)
    answer = await room.app.purse(ana, ORIGIN)
    assert answer.screen is not None
    assert not next(choice.enabled for choice in choices(answer.screen) if verb_of(choice) is Verb.COLLECT)
    room.clock.ms += DAY_MS
    assert await collect(room, ana)
    assert "+3.000" in words((await room.app.purse(ana, ORIGIN)).screen)
    assert not (await room.app.purse(ana, "")).ok
    await room.app.stop()


async def test_nobody_puts_up_the_same_coins_at_two_tables() -> None:
    room = House()
    ana, luis = await room.people(2)
    stake = WELCOME - 1
    tables = [(await opened(room, ana, stake)).table.id for _ in range(2)]
    for table_id in tables:
        assert (await room.press(luis, table_id, Verb.JOIN)).ok
    assert (await room.press(ana, tables[0], Verb.START)).ok
    answer = await room.press(ana, tables[1], Verb.START)
    assert not answer.ok
    assert "ya no le alcanzan las monedas" in answer.text
    assert (await room.record(tables[1])).table.status is Status.LOBBY
    assert await room.store.balance(escrow(tables[1])) is None
    await room.app.stop()


async def test_leaving_costs_the_stake_and_says_so_before() -> None:
    room = House()
    table_id, (ana, luis) = await begun(room)
    question = await room.press(ana, table_id, Verb.LEAVE)
    assert "Pierdes tu apuesta de 6.000 monedas" in words(question.screen)
    leave = next(choice for choice in choices(asked(question.screen)) if verb_of(choice) is Verb.LEAVE)
    assert (await room.app.press(ana, leave.token, "bye")).ok
    assert await balances(room, [ana, luis]) == [WELCOME - STAKE] * 2
    question = await room.press(luis, table_id, Verb.LEAVE)
    last = next(choice for choice in choices(asked(question.screen)) if verb_of(choice) is Verb.LEAVE)
    assert (await room.app.press(luis, last.token, "bye")).ok
    assert await balances(room, [ana, luis]) == [WELCOME - STAKE, WELCOME + STAKE * 9 // 10]
    assert list(await room.store.audit()) == []
    await room.app.stop()


async def test_a_match_that_is_ended_gives_the_stakes_back() -> None:
    room = House()
    table_id, people = await begun(room)
    token = write_token(Intent(table_id, 0, Verb.END_TABLE, confirmed=True))
    stranger = await room.app.meet("test:mod", "Moderadora")
    assert (await room.app.press(stranger, token, "end", moderates=ORIGIN)).ok
    assert await balances(room, people) == [WELCOME] * 2
    assert await room.store.balance(escrow(table_id)) == 0
    await room.app.stop()


async def test_whoever_is_erased_leaves_what_is_at_stake_and_the_rest_to_the_house() -> None:
    room = House()
    table_id, (ana, luis) = await begun(room)
    exported = (await room.app.privacy.export(ana)).decode()
    assert '"stake"' in exported
    assert '"balance": 24000' in exported
    await room.app.privacy.erase(ana)
    assert await room.store.balance(wallet(MARK, ana.id)) is None
    assert await room.store.balance(escrow(table_id)) == 2 * STAKE
    assert await balances(room, [luis]) == [WELCOME - STAKE]
    assert list(await room.store.audit()) == []
    await room.app.stop()


async def test_a_rematch_is_for_the_same_stake() -> None:
    room = House()
    table_id, people = await begun(room)
    await room.play_out(table_id, people)
    answer = await room.press(people[0], table_id, Verb.REMATCH)
    assert answer.screen is not None
    assert (await room.record(answer.screen.table_id)).table.stake == STAKE
    await room.app.stop()


async def test_nobody_takes_a_seat_or_is_sent_away_where_coins_are_at_stake() -> None:
    room = House()
    table_id, (ana, luis) = await begun(room)
    refused = await room.press(
        ana, table_id, Verb.PROPOSE, "x", str((await room.record(table_id)).table.seat_of(luis.id))
    )
    assert "con apuesta" in refused.text
    proposals = await room.press(ana, table_id, Verb.PROPOSE)
    assert "Que Luis deje la partida" not in words(proposals.screen)
    left = await room.app.press(ana, write_token(Intent(table_id, 0, Verb.LEAVE, confirmed=True)), "bye")
    assert left.ok
    stranger = await room.app.meet("test:new", "Nueva")
    seat = next(seat for seat, chair in enumerate((await room.record(table_id)).table.chairs) if chair.robot)
    for person in (stranger, ana):
        assert "con apuesta" in (await room.press(person, table_id, Verb.TAKE_SEAT, str(seat))).text
    await room.app.stop()


async def test_a_private_match_has_a_private_rematch_for_those_who_played() -> None:
    room = House()
    ana, luis = await room.people(2)
    record = await room.app.open_table(
        ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, origin=ORIGIN, private=True, options={"target": 0}
    )
    table_id, code = record.table.id, record.table.code
    assert "pide su código" in (await room.press(luis, table_id, Verb.JOIN)).text
    assert (await room.press(luis, table_id, Verb.JOIN, "any", code)).ok
    await room.press(ana, table_id, Verb.START)
    await room.play_out(table_id, [ana, luis])
    assert (await room.press(ana, table_id, Verb.REMATCH)).ok
    answer = await room.press(luis, table_id, Verb.REMATCH)
    assert answer.ok
    assert answer.screen is not None
    again = (await room.record(answer.screen.table_id)).table
    assert again.private
    assert set(again.people) == {ana.id, luis.id}
    await room.app.stop()


async def test_a_group_that_grows_takes_its_coins_along() -> None:
    room = House()
    table_id, people = await begun(room)
    for _ in range(2):
        await room.app.place_renamed("chat", "1", "2")
    there = place_mark("chat:2")
    assert (await room.record(table_id)).table.origin == "chat:2"
    await room.play_out(table_id, people)
    held = [await room.store.balance(wallet(there, person.id)) or 0 for person in people]
    assert sorted(held) == [WELCOME - STAKE, WELCOME + STAKE * 9 // 10]
    assert await balances(room, people) == [0, 0]
    assert list(await room.store.audit()) == []
    await room.app.stop()
