"""Deciding together, pressed as people press it: what is shown, who may answer, and what a restart leaves."""

import msgspec

from bot.lobby import HOST_SECONDS, STALE_SECONDS
from bot.model import Pace, Person, Status
from bot.screens import Answer, Role, Screen
from bot.tokens import Verb, read_token
from bot.vote_clock import VoteClock
from bot.votes import VOTE_SECONDS
from engine.seating import Seating
from tests.bot.fakes import settled
from tests.bot.rooms import House, words
from tests.bot.tables import choices, verb_of


async def menu(house: House, person: Person, table_id: str) -> Screen:
    """A person's menu at a table."""
    screen = (await house.press(person, table_id, Verb.MENU)).screen
    assert screen is not None
    return screen


async def tap(house: House, person: Person, screen: Screen | None, label: str) -> Answer:
    """Press the button of a screen that begins so."""
    assert screen is not None
    found = next((choice for choice in choices(screen) if choice.label.startswith(label)), None)
    assert found is not None, [choice.label for choice in choices(screen)]
    return await house.app.press(person, found.token, house.press_id())


async def board(house: House, table_id: str) -> Screen:
    """What everybody sees."""
    screen = await house.app.shared_screen(table_id)
    assert screen is not None
    return screen


async def test_a_match_is_ended_together_after_a_restart_in_between() -> None:
    house = House()
    table_id, (ana, luis, marta) = await house.started(3, Seating.TWO_PAIRS)
    proposals = (await tap(house, ana, await menu(house, ana, table_id), "Proponer algo")).screen
    assert proposals is not None
    assert proposals.role is Role.QUESTION
    answer = await tap(house, ana, proposals, "Terminar la partida sin resultado")
    assert answer.text == "Propuesto: deciden los demás, en la mesa."
    shown = await board(house, table_id)
    assert "Ana propone terminar la partida sin resultado." in shown.lines
    assert "Van 0 a favor y 0 en contra" in words(shown)
    said = await tap(house, luis, shown, "Sí")
    assert said.text == "Tu voto cuenta. Puedes cambiarlo hasta que se decida."
    assert said.screen is not None
    assert said.screen.role is Role.TABLE
    await house.app.stop()
    house = house.again()
    shown = await board(house, table_id)
    assert "Van 1 a favor y 0 en contra" in words(shown)
    assert (await tap(house, luis, shown, "Sí")).ok
    assert (await house.record(table_id)).table.status is Status.PLAYING, "nobody counts twice"
    watcher = await house.app.meet("test:w", "Mirón")
    assert (await tap(house, watcher, shown, "Sí")).text == "En esto deciden los demás de la mesa."
    assert (await tap(house, marta, shown, "Sí")).text == "Decidido: sí."
    assert (await house.record(table_id)).table.status is Status.CANCELLED
    await house.app.stop()


async def test_only_those_who_sit_there_propose_and_one_thing_at_a_time() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    watcher = await house.app.meet("test:w", "Mirón")
    assert (await house.press(watcher, table_id, Verb.PROPOSE)).text == "No estás en esta mesa."
    assert (await house.press(watcher, table_id, Verb.PROPOSE, "e")).text == "No estás en esta mesa."
    assert (await house.press(ana, table_id, Verb.PROPOSE, "p", "quick")).ok
    assert "ya hay algo en votación" in (await house.press(luis, table_id, Verb.PROPOSE, "e")).text.lower()
    shown = await board(house, table_id)
    assert (await tap(house, luis, shown, "No")).text == "Decidido: no."
    assert "No salió." in words(await board(house, table_id))
    assert "Espera un rato" in (await house.press(ana, table_id, Verb.PROPOSE, "e")).text
    assert (await tap(house, luis, shown, "Sí")).text == "Esa votación ya terminó."
    senseless: dict[Verb, list[tuple[str, ...]]] = {
        Verb.PROPOSE: [("q",), ("x", "77"), ("p", "never"), ("e", "e")],
        Verb.VOTE: [(), ("1",), ("1", "2"), ("A", "1"), ("1", "1", "1")],
        Verb.TAKE_SEAT: [(), ("12",)],
        Verb.HAND_OVER: [("x",)],
    }
    for verb, wrongs in senseless.items():
        for wrong in wrongs:
            assert "ya no sirve" in (await house.press(luis, table_id, verb, *wrong)).text
    await house.app.stop()


async def test_another_pace_starts_its_clock() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    await house.press(ana, table_id, Verb.PROPOSE, "p", "mail")
    await tap(house, luis, await board(house, table_id), "Sí")
    assert (await house.record(table_id)).table.pace is Pace.MAIL
    assert [found for found, _ in await house.store.deadlines()] == [table_id]
    await house.app.stop()


class StillClock:
    """Time that stands still until somebody lets it pass; whoever sleeps waits for that."""

    def __init__(self, ms: int) -> None:
        self.ms = ms
        self.slept: list[float] = []

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self.ms

    async def sleep(self, seconds: float) -> None:
        """Time passes at once, as long as was asked for."""
        self.slept.append(seconds)
        self.ms += int(seconds * 1000)


async def test_a_vote_lapses_by_itself_also_after_a_restart() -> None:
    house = House()
    table_id, (ana, _) = await house.started(2)
    await house.press(ana, table_id, Verb.PROPOSE, "e")
    record = await house.record(table_id)
    assert record.table.vote is not None
    keeper = house.app._keeper
    clock = StillClock(house.clock.ms)
    watch = VoteClock(keeper, clock)
    watch.look(record)
    assert not watch._tasks, "not before it begins"
    watch.start()
    house.store.busy = 1
    watch.look(record)
    await settled()
    assert clock.slept[0] == VOTE_SECONDS
    after = (await house.record(table_id)).table
    assert after.vote is None
    assert after.past_vote is not None
    assert after.past_vote.carried is False
    await watch.stop()
    await house.app.stop()


async def test_who_was_voted_out_is_followed_by_a_robot_and_does_not_come_back() -> None:
    house = House()
    table_id, crowd = await house.started(4, Seating.TWO_PAIRS)
    ana, luis, marta, pepe = crowd
    seat = (await house.record(table_id)).table.seat_of(pepe.id)
    proposals = (await house.press(ana, table_id, Verb.PROPOSE)).screen
    await tap(house, ana, proposals, "Que Pepe deje")
    shown = await board(house, table_id)
    assert "Ana propone que Pepe deje la partida y siga un robot." in shown.lines
    assert "deciden" in words(shown)
    assert (await tap(house, pepe, shown, "No")).text == "En esto deciden los demás de la mesa."
    await tap(house, luis, shown, "Sí")
    assert (await tap(house, marta, shown, "Sí")).text == "Decidido: sí."
    table = (await house.record(table_id)).table
    assert table.seat_of(pepe.id) is None
    assert seat is not None
    assert table.chairs[seat].robot is not None
    assert (await house.press(pepe, table_id, Verb.TAKE_SEAT, str(seat))).text == (
        "En esta partida ya no puedes seguir: te sacaron de la mesa."
    )
    await house.app.stop()


async def test_a_spectator_takes_the_seat_of_somebody_who_left_and_plays_it() -> None:
    house = House()
    table_id, (ana, luis) = await house.started(2)
    while not await house.mover_is(table_id, ana):
        await house.play_out_turn(table_id, [luis])
    seat = (await house.record(table_id)).table.seat_of(luis.id)
    left = (await house.press(luis, table_id, Verb.LEAVE)).screen
    await tap(house, luis, left, "Sí, irme")
    eva = await house.app.meet("test:eva", "Eva")
    robot = (await house.record(table_id)).table.chairs[seat or 0].name
    answer = await tap(house, eva, await menu(house, eva, table_id), f"Tomar el asiento de {robot}")
    assert answer.text == "¡A jugar! El asiento es tuyo."
    assert answer.screen is not None
    assert answer.screen.role is Role.HAND
    assert (await house.record(table_id)).table.seat_of(eva.id) == seat
    assert list(await house.app.tables_of(eva.id)) == [table_id]
    await house.play_out(table_id, [ana, eva])
    assert (await house.press(luis, table_id, Verb.TAKE_SEAT, str(seat))).text == (
        "Ese asiento no está libre: juega una persona."
    )
    await house.app.stop()


async def test_the_seat_of_a_robot_is_asked_of_the_host() -> None:
    house = House()
    table_id, (ana, luis, marta) = await house.started(3, Seating.TWO_PAIRS)
    table = (await house.record(table_id)).table
    seat = next(seat for seat, chair in enumerate(table.chairs) if chair.robot)
    eva = await house.app.meet("test:eva", "Eva")
    asked = await house.press(eva, table_id, Verb.TAKE_SEAT, str(seat))
    assert asked.text == "Pedido: decide quien dirige la mesa, o cualquiera de ella si no está."
    shown = await board(house, table_id)
    assert f"Eva quiere tomar el asiento de {table.chairs[seat].name}. Decide Ana." in shown.lines
    assert (await tap(house, luis, shown, "Sí")).text == "En esto deciden los demás de la mesa."
    assert (await tap(house, ana, shown, "Sí")).ok
    await settled()
    for _ in range(3):
        if (await house.record(table_id)).table.seat_of(eva.id) == seat:
            break
        await house.play_out_turn(table_id, [ana, luis, marta])
        await settled()
    assert (await house.record(table_id)).table.seat_of(eva.id) == seat
    assert (await house.press(marta, table_id, Verb.TAKE_SEAT, str(seat))).text == "Ya estás en esta mesa."
    await house.app.stop()


async def test_the_table_is_handed_over_in_the_lobby_and_in_play() -> None:
    house = House()
    ana, luis, marta = await house.people(3)
    table_id = await house.open(ana, Seating.TWO_PAIRS)
    for person in (luis, marta):
        await house.press(person, table_id, Verb.JOIN)
    assert (await house.press(luis, table_id, Verb.HAND_OVER)).text == "Solo puede hacerlo quien dirige la mesa."
    whom = (await house.press(ana, table_id, Verb.HAND_OVER)).screen
    await house.press(luis, table_id, Verb.LEAVE)
    assert (await tap(house, ana, whom, "Ceder la mesa a Marta")).text.startswith("La mesa cambió"), "chairs moved up"
    whom = (await tap(house, ana, await menu(house, ana, table_id), "Ceder la mesa")).screen
    assert (await tap(house, ana, whom, "Ceder la mesa a Marta")).text == "Ahora dirige la mesa Marta."
    assert (await house.press(marta, table_id, Verb.START)).ok
    whom = (await tap(house, marta, await menu(house, marta, table_id), "Ceder la mesa")).screen
    assert (await tap(house, marta, whom, "Ceder la mesa a Ana")).ok
    assert (await house.record(table_id)).table.host == ana.id
    await house.app.stop()


async def test_a_full_lobby_does_not_wait_for_its_host_for_ever() -> None:
    house = House()
    ana, luis, eva = await house.people(3)
    table_id = await house.open(ana)
    assert (await house.press(luis, table_id, Verb.START)).text == "Solo puede hacerlo quien dirige la mesa."
    await house.press(luis, table_id, Verb.JOIN)
    house.clock.ms += HOST_SECONDS * 1000 - 1
    assert "dentro de un rato" in (await house.press(luis, table_id, Verb.START)).text
    house.clock.ms += 1
    assert not (await house.press(eva, table_id, Verb.START)).ok, "who only watches"
    assert (await house.press(luis, table_id, Verb.START)).ok
    await house.app.stop()


async def test_a_lobby_that_was_left_is_closed_by_anybody() -> None:
    house = House()
    ana, eva = (await house.people(2))[:2]
    table_id, other = await house.open(ana), await house.open(ana)
    for verb in (Verb.CANCEL, Verb.END_TABLE):
        assert "dentro de un rato" in (await house.press(eva, table_id, verb)).text
    house.clock.ms += STALE_SECONDS * 1000
    await house.press(ana, other, Verb.ADD_ROBOT)
    assert (await house.press(eva, table_id, Verb.CANCEL)).text == "La mesa se canceló."
    assert not (await house.press(eva, other, Verb.CANCEL)).ok, "something has just happened there"
    house.clock.ms += STALE_SECONDS * 1000
    question = (await house.press(eva, other, Verb.END_TABLE)).screen
    assert (await tap(house, eva, question, "Sí, terminarla")).text == "La mesa se terminó."
    await house.app.stop()


async def test_a_host_who_is_away_hands_over() -> None:
    house = House()
    ana, luis = await house.people(2)
    record = await house.app.open_table(ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, pace=Pace.QUICK)
    table_id = record.table.id
    await house.press(luis, table_id, Verb.JOIN)
    await house.press(ana, table_id, Verb.START)
    # Whoever is on turn first is also the first who has let two turns run out.
    host, other = (ana, luis) if await house.mover_is(table_id, ana) else (luis, ana)
    if host is luis:
        await house.press(ana, table_id, Verb.HAND_OVER, str((await house.record(table_id)).table.seat_of(luis.id)))
    table = (await house.record(table_id)).table
    assert table.host == host.id
    for _ in range(2000):
        table = (await house.record(table_id)).table
        if any(chair.absent for chair in table.chairs):
            break
    assert [chair.person for chair in table.chairs if chair.absent] == [host.id]
    assert [chair.absent_ms is None for chair in table.chairs if chair.absent] == [False]
    assert table.host == other.id
    await house.app.stop()


async def test_a_vote_s_buttons_are_the_first_on_the_table() -> None:
    house = House()
    table_id, (ana, _) = await house.started(2)
    await house.press(ana, table_id, Verb.PROPOSE, "e")
    first = (await board(house, table_id)).rows[0]
    assert [verb_of(choice) for choice in first] == [Verb.VOTE, Verb.VOTE]
    assert [read_token(choice.token).arguments for choice in first] == [("1", "1"), ("1", "0")]
    record = await house.record(table_id)
    assert msgspec.json.decode(msgspec.json.encode(record.table), type=type(record.table)) == record.table
    await house.app.stop()
