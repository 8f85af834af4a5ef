"""The lobby: sitting down, robots, the host, the lot."""

import random
from collections import Counter

import msgspec
import pytest

from bot import lobby
from bot.lobby import ROBOT_NAMES, LobbyError, LobbyProblem
from bot.model import Person, Status, Table
from bot.presenter.lobby import lobby_screen
from bot.tokens import Verb
from engine.seating import Seating
from tests.bot.rooms import House, words
from tests.bot.tables import SPANISH, choices, person, rules, verb_of


def empty(seating: Seating = Seating.TWO_PAIRS) -> Table:
    """A table with nobody at it."""
    return Table("abcdefghij", "ABC234", "Mesa", None, rules(), seating)


def with_people(count: int, seating: Seating = Seating.TWO_PAIRS) -> Table:
    """A table with its first people."""
    table = empty(seating)
    for seat in range(count):
        table = lobby.join(table, person(seat))
    return table


def problem(work: object, *arguments: object) -> LobbyProblem:
    """Why something cannot be done."""
    with pytest.raises(LobbyError) as error:
        work(*arguments)  # type: ignore[operator]
    return error.value.problem


def test_the_first_to_sit_down_is_the_host() -> None:
    table = with_people(2)
    assert table.host == "p0"
    assert [chair.name for chair in table.chairs] == ["Ana", "Luis"]
    assert problem(lobby.join, table, person(1)) is LobbyProblem.ALREADY_SEATED
    assert problem(lobby.join, with_people(4), person(4)) is LobbyProblem.TABLE_FULL


def test_the_host_passes_on_and_the_last_one_out_closes_the_table() -> None:
    table = lobby.add_robot(with_people(2), "p0", "normal")
    table = lobby.leave(table, "p0")
    assert table.host == "p1"
    assert table.status is Status.LOBBY
    table = lobby.leave(table, "p1")
    assert (table.host, table.status) == (None, Status.CANCELLED)
    assert problem(lobby.leave, table, "p1") is LobbyProblem.NOT_IN_LOBBY
    assert problem(lobby.leave, with_people(1), "p1") is LobbyProblem.NOT_SEATED
    assert lobby.leave(with_people(3), "p1").host == "p0"


def test_only_the_host_adds_robots_starts_and_cancels() -> None:
    table = with_people(2)
    lot = random.Random(1)
    assert problem(lobby.add_robot, table, "p1", "normal") is LobbyProblem.ONLY_HOST
    assert problem(lobby.remove_robot, table, "p1") is LobbyProblem.ONLY_HOST
    assert problem(lobby.cancel, table, "p1", 0) is LobbyProblem.HOST_FIRST
    assert problem(lobby.start, table, "p1", "normal", lot, 0) is LobbyProblem.ONLY_HOST
    assert problem(lobby.start, table, "p9", "normal", lot, 0) is LobbyProblem.ONLY_HOST
    started = lobby.start(table, "p0", "normal", lot, 0)
    for work, arguments in (
        (lobby.join, (person(5),)),
        (lobby.add_robot, ("p0", "normal")),
        (lobby.remove_robot, ("p0",)),
        (lobby.cancel, ("p0", 0)),
        (lobby.start, ("p0", "normal", lot, 0)),
    ):
        assert problem(work, started, *arguments) is LobbyProblem.NOT_IN_LOBBY


def test_robots_come_and_go() -> None:
    table = with_people(1)
    assert problem(lobby.remove_robot, table, "p0") is LobbyProblem.NO_ROBOT
    for _ in range(3):
        table = lobby.add_robot(table, "p0", "normal")
    assert [chair.name for chair in table.chairs] == ["Ana", *ROBOT_NAMES[:3]]
    assert problem(lobby.add_robot, table, "p0", "normal") is LobbyProblem.TABLE_FULL
    table = lobby.remove_robot(table, "p0")
    assert [chair.name for chair in table.chairs] == ["Ana", *ROBOT_NAMES[:2]]


@pytest.mark.parametrize("seating", Seating)
def test_names_at_a_table_are_unique_robots_included(seating: Seating) -> None:
    table = empty(seating)
    for number in range(max(1, seating.seats - 2)):
        table = lobby.join(table, Person(id=f"q{number}", name="LOLA"))
    started = lobby.start(table, "q0", "normal", random.Random(2), 5)
    names = [chair.name.casefold() for chair in started.chairs]
    assert len(set(names)) == len(names) == seating.seats


def test_the_start_fills_the_table_and_draws_the_seats_by_lot() -> None:
    seen: Counter[int] = Counter()
    for seed in range(400):
        started = lobby.start(with_people(2), "p0", "normal", random.Random(seed), 77)
        assert (started.status, started.started_ms) == (Status.PLAYING, 77)
        assert len(started.chairs) == 4
        assert sum(chair.robot == "normal" for chair in started.chairs) == 2
        seat = started.seat_of("p0")
        assert seat is not None
        seen[seat] += 1
    assert set(seen) == {0, 1, 2, 3}
    assert min(seen.values()) > 60


def test_the_lobby_s_buttons_are_those_of_its_reader() -> None:
    table = with_people(2)

    def offered(viewer: str | None) -> list[tuple[Verb, bool]]:
        return [(verb_of(choice), choice.enabled) for choice in choices(lobby_screen(SPANISH, table, 3, viewer))]

    assert offered("p0") == [
        (Verb.JOIN, True),
        (Verb.JOIN, True),
        (Verb.LEAVE, True),
        (Verb.ADD_ROBOT, True),
        (Verb.REMOVE_ROBOT, False),
        (Verb.EXPEL, True),
        (Verb.HAND_OVER, True),
        (Verb.ROBOT_LEVEL, True),
        (Verb.CUTTING, True),
        (Verb.START, True),
        (Verb.PRIVATE, True),
        (Verb.CANCEL, True),
        (Verb.RULES, True),
    ]
    forgotten = lobby_screen(SPANISH, table, 3, "p9", left=True)
    assert Verb.CANCEL in [verb_of(choice) for choice in choices(forgotten)], "nobody has come back to it"
    waiting = lobby_screen(SPANISH, with_people(4), 3, "p1")
    assert Verb.START in [verb_of(choice) for choice in choices(waiting)], "the host may not come back"
    assert offered("p1") == [(Verb.JOIN, True), (Verb.JOIN, True), (Verb.LEAVE, True), (Verb.RULES, True)]
    assert offered("p7") == offered(None) == [(Verb.JOIN, True)] * 3 + [(Verb.RULES, True)]
    full = with_people(4)
    assert [choice.enabled for choice in choices(lobby_screen(SPANISH, full, 3, None))] == [False] * 3 + [True]


def test_the_host_sets_how_well_robots_play() -> None:
    """For those that sit there already and for those to come; nobody else may, and no level is made up."""
    table = lobby.add_robot(with_people(2), "p0", "normal")
    hard = lobby.set_level(table, "p0", "dificil")
    assert [chair.robot for chair in hard.chairs] == [None, None, "dificil"]
    begun = lobby.start(hard, "p0", hard.robot_level, random.Random(1), 0)
    assert sorted(chair.robot or "" for chair in begun.chairs) == ["", "", "dificil", "dificil"]
    for who, level in (("p1", "facil"), ("p0", "greedy"), ("p0", "")):
        with pytest.raises(LobbyError):
            lobby.set_level(table, who, level)
    assert "Nivel de los robots: difícil." in lobby_screen(SPANISH, hard, 3, None).lines


def test_the_shared_lobby_has_everybody_s_buttons() -> None:
    shared = lobby_screen(SPANISH, with_people(2), 3, None, shared=True)
    everybody = {verb_of(choice) for choice in choices(shared)}
    one_by_one = {
        verb_of(choice)
        for viewer in ("p0", "p1", "p7")
        for choice in choices(lobby_screen(SPANISH, with_people(2), 3, viewer))
    }
    assert everybody == one_by_one
    tokens = [choice.token for choice in choices(shared)]
    assert len(set(tokens)) == len(tokens)


def test_who_chooses_a_side_sits_there_and_the_lot_gives_out_the_rest() -> None:
    table = lobby.join(with_people(2), person(2), 1)
    table = lobby.join(table, person(0), 1)
    assert problem(lobby.join, table, person(1), 1) is LobbyProblem.SIDE_FULL
    assert problem(lobby.join, table, person(3), 1) is LobbyProblem.SIDE_FULL
    assert problem(lobby.join, table, person(0), 1) is LobbyProblem.ALREADY_SEATED
    assert problem(lobby.join, table, person(0), 2) is LobbyProblem.SIDE_FULL
    told = words(lobby_screen(SPANISH, table, 3, "p0"))
    assert "Pareja 1: libre y libre." in told
    assert "Pareja 2: Ana y Marta." in told
    assert "Por sorteo: Luis." in told
    orders = set()
    for seed in range(60):
        started = lobby.start(table, "p0", "normal", random.Random(seed), 0)
        assert {started.chairs[1].person, started.chairs[3].person} == {"p0", "p2"}
        assert all(chair.side is None for chair in started.chairs)
        orders.add(tuple(chair.name for chair in started.chairs))
    assert len(orders) == 4, "both orders of a pair, and either seat for the other two"


@pytest.mark.parametrize("seating", [Seating.ONE_ON_ONE, Seating.THREE_ALONE])
def test_without_pairs_there_are_no_sides_to_choose(seating: Seating) -> None:
    assert problem(lobby.join, empty(seating), person(0), 0) is LobbyProblem.SIDE_FULL
    joins = [
        one for one in choices(lobby_screen(SPANISH, with_people(1, seating), 1, None)) if verb_of(one) is Verb.JOIN
    ]
    assert len(joins) == 1


def test_the_host_or_a_moderator_sends_people_away() -> None:
    table = lobby.add_robot(with_people(3), "p0", "normal")
    assert problem(lobby.expel, table, "p1", 2) is LobbyProblem.ONLY_HOST
    assert problem(lobby.expel, table, "p0", 0) is LobbyProblem.NOT_SEATED
    assert problem(lobby.expel, table, "p0", 3) is LobbyProblem.NOT_SEATED
    assert problem(lobby.expel, table, "p0", 9) is LobbyProblem.NOT_SEATED
    assert lobby.expel(table, "p0", 1).people == ("p0", "p2")
    sent = lobby.expel(table, "p9", 0, moderator=True)
    assert (sent.people, sent.host) == (("p1", "p2"), "p1")


def test_a_robot_plays_on_for_who_gives_up_and_the_last_one_closes_the_table() -> None:
    started = lobby.start(with_people(2), "p0", "normal", random.Random(1), 0)
    seat = started.seat_of("p0")
    assert seat is not None
    left = lobby.give_up(started, "p0", "normal")
    assert left.chairs[seat].robot == "normal"
    assert len({chair.name for chair in left.chairs}) == 4
    assert (left.host, left.status) == ("p1", Status.PLAYING)
    assert lobby.give_up(left, "p1", "normal").status is Status.CANCELLED
    assert problem(lobby.give_up, left, "p0", "normal") is LobbyProblem.NOT_SEATED
    assert problem(lobby.give_up, with_people(2), "p0", "normal") is LobbyProblem.NOT_IN_LOBBY


def test_only_a_moderator_or_who_plays_alone_ends_a_table() -> None:
    together = lobby.start(with_people(2), "p0", "normal", random.Random(1), 0)
    assert problem(lobby.end, together, "p0", 0) is LobbyProblem.NOT_ALLOWED
    assert lobby.end(together, "p9", 0, moderator=True).status is Status.CANCELLED
    alone = lobby.start(with_people(1), "p0", "normal", random.Random(1), 0)
    ended = lobby.end(alone, "p0", 0)
    assert ended.status is Status.CANCELLED
    assert problem(lobby.end, ended, "p0", 0) is LobbyProblem.NOT_IN_LOBBY


def test_the_lobby_tells_who_sits_and_what_is_played() -> None:
    told = words(lobby_screen(SPANISH, with_people(3), 3, None))
    assert "Dos parejas (2 contra 2)." in told
    assert "Clásico, a 3.000 puntos." in told
    assert "3. Marta" in told
    assert "4. libre" in told
    assert "Falta 1 jugador; al empezar, un robot ocupa el lugar libre." in told
    assert "Código de la mesa: ABC234." in told


async def test_a_table_from_opening_to_start() -> None:
    house = House()
    ana, luis, marta = await house.people(3)
    table_id = await house.open(ana, Seating.TWO_PAIRS)
    for person_, verb, told in (
        (luis, Verb.JOIN, "Te sentaste a la mesa."),
        (luis, Verb.JOIN, "Ya estás en esta mesa."),
        (luis, Verb.START, "Solo puede hacerlo quien dirige la mesa."),
        (marta, Verb.LEAVE, "No estás en esta mesa."),
        (ana, Verb.REMOVE_ROBOT, "No hay robots en la mesa."),
        (marta, Verb.JOIN, "Te sentaste a la mesa."),
        (ana, Verb.LEAVE, "Dejaste la mesa."),
        (ana, Verb.START, "Solo puede hacerlo quien dirige la mesa."),
        (luis, Verb.ADD_ROBOT, ""),
        (luis, Verb.ADD_ROBOT, ""),
        (luis, Verb.ADD_ROBOT, "La mesa está completa."),
        (ana, Verb.JOIN, "La mesa está completa."),
        (luis, Verb.START, "¡A jugar! Los asientos se sortearon."),
        (luis, Verb.START, "La partida ya empezó."),
    ):
        answer = await house.press(person_, table_id, verb)
        assert answer.text == told
    record = await house.record(table_id)
    assert record.table.status is Status.PLAYING
    assert record.match is not None
    assert record.events == 1
    await house.app.stop()


async def test_an_old_lobby_button_still_works() -> None:
    house = House()
    ana, luis = await house.people(2)
    table_id = await house.open(ana, Seating.TWO_PAIRS)
    await house.press(ana, table_id, Verb.ADD_ROBOT)
    assert (await house.press(luis, table_id, Verb.JOIN, version=0)).ok
    twice = [await house.press(luis, table_id, Verb.LEAVE, press_id="twice") for _ in range(2)]
    assert twice[0] == twice[1]
    assert twice[0].ok


async def test_nasty_names_and_titles_are_safe_on_the_screens() -> None:
    house = House()
    host = await house.app.meet("test:nasty", "<@&1> {0.__class__} @everyone")
    record = await house.app.open_table(host, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, name="**{x}**\n#")
    assert record.table.name == "{x}"
    nobody = await house.app.meet("test:empty", "\u200b")
    assert nobody.name == "Jugador"
    await house.press(nobody, record.table.id, Verb.JOIN)
    await house.press(host, record.table.id, Verb.START)
    for screen in (await house.app.public_screen(record.table.id), await house.app.hand_screen(record.table.id, host)):
        assert host.name in words(screen)
        assert "@" not in words(screen)
    await house.app.stop()


def test_a_table_is_a_value_that_is_kept() -> None:
    table = lobby.start(with_people(2), "p0", "normal", random.Random(0), 9)
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table
