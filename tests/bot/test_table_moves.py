"""Leaving, sending away, ending, and what lies behind the further buttons, pressed as people press them."""

from bot.model import Pace, Status
from bot.screens import Role, Screen
from bot.tokens import Verb, read_token
from engine.seating import Seating
from tests.bot.fakes import settled
from tests.bot.rooms import House, words
from tests.bot.tables import choices, deal_of, verb_of


def asked(screen: Screen | None) -> Screen:
    """A question."""
    assert screen is not None
    assert screen.role is Role.QUESTION
    return screen


async def test_leaving_a_match_is_asked_and_a_robot_plays_on() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    question = asked((await house.press(luis, table_id, Verb.LEAVE)).screen)
    assert "un robot sigue" in question.title
    assert (await house.record(table_id)).table.seat_of(luis.id) is not None
    yes, back = choices(question)
    assert verb_of(back) is Verb.SHOW_HAND
    answer = await house.app.press(luis, yes.token, "leave")
    assert answer.text == "Dejaste la mesa."
    table = (await house.record(table_id)).table
    assert table.seat_of(luis.id) is None
    assert sum(chair.robot is not None for chair in table.chairs) == 1
    assert list(await house.app.tables_of(luis.id)) == []
    for _ in range(4):
        match = await house.match(table_id)
        if match.in_play and table.chairs[deal_of(match).turn.seat].person == ana.id:
            await house.play_out_turn(table_id, [ana])
        await settled()
    assert (await house.press(luis, table_id, Verb.DRAW)).text == "No juegas en esta mesa, pero puedes mirar."
    await house.app.stop()


async def test_the_last_person_who_leaves_ends_the_match() -> None:
    house = House()
    table_id, (ana,) = await house.started(1)
    question = asked((await house.press(ana, table_id, Verb.LEAVE)).screen)
    assert "última persona" in question.title
    await house.app.press(ana, next(choices(question)).token, "leave")
    assert (await house.record(table_id)).table.status is Status.CANCELLED
    await house.app.stop()


async def test_the_host_sends_somebody_away() -> None:
    house = House()
    ana, luis, marta = await house.people(3)
    table_id = await house.open(ana, Seating.TWO_PAIRS)
    for person in (luis, marta):
        await house.press(person, table_id, Verb.JOIN)
    assert (await house.press(luis, table_id, Verb.EXPEL)).text == "Solo puede hacerlo quien dirige la mesa."
    question = asked((await house.press(ana, table_id, Verb.EXPEL)).screen)
    names = [choice.label for choice in choices(question)]
    assert names == ["Luis", "Marta", "Volver"]
    first, second, _ = choices(question)
    await house.press(luis, table_id, Verb.LEAVE)
    moved_up = await house.app.press(ana, second.token, "kick-1")
    assert not moved_up.ok, "the chairs have moved since the question"
    assert (await house.record(table_id)).table.people == (ana.id, marta.id)
    again = asked((await house.press(ana, table_id, Verb.EXPEL)).screen)
    assert (await house.app.press(ana, next(choices(again)).token, "kick-2")).text == "Ya no está en la mesa."
    assert (await house.record(table_id)).table.people == (ana.id,)
    assert (await house.app.press(ana, first.token, "kick-3")).ok is False
    await house.app.stop()


async def test_choosing_a_side_by_pressing() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana, Seating.TWO_PAIRS)
    assert (await house.press(luis, table_id, Verb.JOIN, "1")).ok
    assert (await house.press(ana, table_id, Verb.JOIN, "1")).ok
    marta = await house.app.meet("test:x", "Marta")
    assert (await house.press(marta, table_id, Verb.JOIN, "1")).text == "Esa pareja ya está completa."
    for nonsense in ("7", "x", "99"):
        assert not (await house.press(marta, table_id, Verb.JOIN, nonsense)).ok
    await house.press(ana, table_id, Verb.START)
    table = (await house.record(table_id)).table
    assert {table.chairs[1].person, table.chairs[3].person} == {ana.id, luis.id}
    await house.app.stop()


async def test_a_moderator_ends_any_table_and_nobody_else_does() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    stranger = await house.app.meet("test:mod", "Moderadora")
    for person in (ana, luis, stranger):
        assert not (await house.press(person, table_id, Verb.END_TABLE)).ok
    token = f"1:{table_id}:0:te"
    for elsewhere in ("chat:2", ""):
        assert not (await house.app.press(stranger, token, f"a{elsewhere}", moderates=elsewhere)).ok
    question = asked((await house.app.press(stranger, token, "a", moderates="chat:1")).screen)
    yes = next(choices(question))
    assert not (await house.app.press(stranger, yes.token, "b")).ok, (
        "the right is judged at the press, not carried in it"
    )
    assert (await house.app.press(stranger, yes.token, "c", moderates="chat:1")).text == "La mesa se terminó."
    assert (await house.record(table_id)).table.status is Status.CANCELLED
    shown = await house.app.public_screen(table_id)
    assert shown is not None
    assert shown.role is Role.NOTE
    await house.app.stop()


async def test_the_last_plays_are_told_and_nothing_hidden_with_them() -> None:
    house = House()
    table_id, crowd = await house.started(2)
    empty = (await house.press(crowd[0], table_id, Verb.PLAYS)).screen
    assert "Empieza" in words(empty)
    for _ in range(12):
        await house.play_out_turn(table_id, crowd)
    watcher = await house.app.meet("test:w", "Mirón")
    shown = (await house.press(watcher, table_id, Verb.PLAYS)).screen
    assert shown is not None
    assert shown.role is Role.READING
    assert len(shown.lines) == 8
    assert all("robó" in line or "tomó" in line for line in shown.lines)
    names = [line.split()[0] for line in shown.lines]
    assert names == ["Ana", "Luis"] * 4 or names == ["Luis", "Ana"] * 4
    await house.app.stop()


async def test_the_menu_offers_what_its_reader_may_do() -> None:
    house = House()
    table_id, (ana, _) = await house.started(2)
    watcher = await house.app.meet("test:w", "Mirón")

    async def offered(person: object, *, moderates: str = "") -> list[Verb]:
        answer = await house.app.press(person, f"1:{table_id}:0:mo", house.press_id(), moderates=moderates)  # type: ignore[arg-type]
        return [verb_of(choice) for choice in choices(asked(answer.screen))]

    reading = [Verb.WORDS, Verb.RULES, Verb.PROFILE, Verb.SETTINGS]
    assert await offered(ana) == [*reading, Verb.PROPOSE, Verb.HAND_OVER, Verb.SHUN, Verb.LEAVE, Verb.SHOW_TABLE]
    assert await offered(watcher) == [*reading, Verb.SHOW_TABLE]
    assert await offered(watcher, moderates="chat:1") == [*reading, Verb.EXPEL, Verb.END_TABLE, Verb.SHOW_TABLE]
    told = (await house.press(watcher, table_id, Verb.WORDS)).screen
    assert told is not None
    public = await house.app.public_screen(table_id)
    assert public is not None
    assert public.alternative.split("\n")[0] in told.lines
    await house.app.stop()


async def test_a_public_screen_calls_everybody_once_and_then_whoever_is_on_turn() -> None:
    house = House()
    table_id, crowd = await house.started(2)
    keys: list[str] = []
    for turn in range(6):
        screen = await house.app.shared_screen(table_id)
        assert screen is not None
        assert screen.call is not None
        keys.append(screen.call.key)
        mover = await house.mover(table_id, crowd)
        if turn == 0:
            assert set(screen.call.people) == {person.id for person in crowd}
            assert "empieza la partida" in screen.call.text
        else:
            assert screen.call.people == (mover.id,)
        assert read_token(screen.call.choice.token).verb is Verb.SHOW_HAND
        await house.play_on(table_id, crowd)
        during = await house.app.shared_screen(table_id)
        assert during is not None
        assert during.call is not None
        assert during.call.key == screen.call.key, "one call for a turn, however much is done in it"
        await house.play_out_turn(table_id, crowd)
    assert len(set(keys)) == 6
    await house.app.stop()


async def test_robots_wait_as_the_pace_says() -> None:
    waits = {}
    for pace in Pace:
        house = House()
        ana = (await house.people(1))[0]
        record = await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, pace=pace)
        table_id = record.table.id
        await house.press(ana, table_id, Verb.START)
        if await house.mover_is(table_id, ana):
            await house.play_out_turn(table_id, [ana])
        await settled()
        # What lasts longer is the turn's clock.
        waits[pace] = max(pause for pause in house.clock.slept if pause < 5)
        await house.app.stop()
    assert waits[Pace.QUICK] < waits[Pace.NORMAL] == waits[Pace.FREE]


async def test_who_keeps_order_sends_somebody_away_from_a_match() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    watcher = await house.app.meet("test:w", "Mirón")
    refused = await house.press(ana, table_id, Verb.EXPEL)
    assert refused.text == "La partida ya empezó."
    token = f"1:{table_id}:0:ki"
    whom = asked((await house.app.press(watcher, token, house.press_id(), moderates="chat:1")).screen)
    luis_button = next(choice for choice in choices(whom) if choice.label == "Luis")
    done = await house.app.press(watcher, luis_button.token, house.press_id(), moderates="chat:1")
    assert done.text == "Ya no está en la mesa."
    table = (await house.record(table_id)).table
    assert table.seat_of(luis.id) is None
    assert [chair.left_how for chair in table.chairs if chair.left == luis.id] == ["voted"]
    assert not (await house.app.press(ana, luis_button.token, house.press_id())).ok, "the host is no moderator"
    await house.app.stop()
