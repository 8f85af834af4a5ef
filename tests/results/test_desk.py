"""Profiles, histories and rankings: what is shown to whom, and within what every place can show."""

import msgspec
import pytest

from adapters.storage.memory import MemoryStore
from bot.keeper import Keeper
from bot.model import Person
from bot.presses import Presses
from bot.results.desk import RECORD_VERBS, RecordsDesk
from bot.results.meetings import FREE
from bot.results.model import Result
from bot.results.places import place_mark
from bot.screens import Answer, Role, Screen
from bot.texts import texts
from bot.tokens import LONGEST, Intent, TokenError, Verb, read_token, write_token
from engine.seating import Seating
from tests.bot.fakes import FakeClock
from tests.bot.rooms import words
from tests.results.keeping import keep
from tests.results.samples import NOON, ROBOT, deal, player, result

T = texts()
HERE = "discord:server:123456789012345678"
WHOLE = 3500
LONG_NAME = "Maximiliana_Ñandúez_"


class Desk:
    """A desk over a store in memory, at noon of some day."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.clock.ms = NOON + 10 * 24 * 3_600_000
        self.store = MemoryStore(self.clock.now_ms)
        self.desk = RecordsDesk(self.store, self.clock)

    async def person(self, person_id: str, name: str = "") -> Person:
        """Somebody who is known."""
        return await self.store.add_person(Person(person_id, name or f"Nombre {person_id}"), f"web:{person_id}")

    async def keep(self, *results: Result) -> None:
        """Keep results."""
        await keep(self.store, *results)

    async def press(self, person: Person, verb: Verb, *arguments: str) -> Answer:
        """Press a button."""
        return await self.desk.press(T, person, Intent("x", 0, verb, arguments))


@pytest.fixture
def desk() -> Desk:
    """A desk with nothing on it."""
    return Desk()


def check(screen: Screen | None) -> str:
    """What a screen says, if every place can show it."""
    assert screen is not None
    assert screen.role is Role.READING
    assert screen.table_id == ""
    assert len("\n".join((screen.title, *screen.lines))) <= WHOLE
    tokens = [choice.token for row in screen.rows for choice in row]
    assert len(set(tokens)) == len(tokens)
    assert all(len(row) <= 5 for row in screen.rows)
    for token in tokens:
        assert len(token.encode()) <= LONGEST
        assert read_token(token).verb in {*RECORD_VERBS, Verb.REPLAY}
    return words(screen)


def crowded(count: int) -> list[Result]:
    """Matches of three pairs with the longest names."""
    people = [msgspec.structs.replace(player(f"person{number:010d}"), name=LONG_NAME) for number in range(6)]
    return [
        result(
            people,
            (123_450, -98_760, 123_400),
            number=number,
            seating=Seating.THREE_PAIRS,
            ruleset=f"Una variante con un nombre muy largo {number}",
            origin=HERE,
            deals=[deal((1200, -300, 1100), canastas=(5, 1, 2), clean=(5, 0, 0))] * 10,
        )
        for number in range(count)
    ]


async def test_nothing_has_been_played_yet(desk: Desk) -> None:
    ana = await desk.person("ana")
    assert "Todavía no hay partidas" in check((await desk.desk.profile(T, ana)).screen)
    assert "Todavía no hay partidas" in check((await desk.desk.history(T, ana)).screen)
    assert "Logros: 0 de 20" in check((await desk.press(ana, Verb.ACHIEVEMENTS)).screen)
    told = await desk.desk.ranking(T, ana, HERE)
    assert "Todavía no hay nadie" in check(told.screen)
    assert not (await desk.desk.ranking(T, ana, "")).ok


async def test_a_profile_tells_what_was_played(desk: Desk) -> None:
    ana, beto = await desk.person("ana"), await desk.person("beto")
    seats = [player("ana"), player("beto")]
    await desk.keep(
        result(seats, number=1, deals=[deal((1240, 100), canastas=(2, 0), clean=(1, 0))]),
        result(seats, number=2),
        result([*reversed(seats)], number=3),
        result([player("ana"), ROBOT], number=4),
    )
    told = check((await desk.desk.profile(T, ana)).screen)
    for part in (
        "Perfil de Nombre ana",
        "Entre personas: 3, ganadas 2, 67",
        "Con robots o suplentes: 1, ganadas 1",
        "la mejor racha, 2",
        "Mejor ronda: 1.240",
        "clasificación provisional",
        "Variante favorita: Clasico",
        "Mis partidas",
        "Ocultar mi perfil",
    ):
        assert part in told
    others = check((await desk.desk.profile(T, beto, "ana")).screen)
    assert "Contra ti: 3; ganaste 1, ganó 2." in others
    assert "Mis partidas" not in others


async def test_that_matches_count_less_is_told_to_whom_it_concerns(desk: Desk) -> None:
    ana, beto = await desk.person("ana"), await desk.person("beto")
    seats, less = [player("ana"), player("beto")], "Contra rivales que se repiten"
    await desk.keep(*(result(seats, number=number, ended_ms=NOON + number) for number in range(FREE)))
    assert less not in check((await desk.desk.profile(T, ana)).screen)
    await desk.keep(result(seats, number=FREE, ended_ms=NOON + FREE))
    assert less in check((await desk.desk.profile(T, ana)).screen)
    assert less not in check((await desk.desk.profile(T, beto, "ana")).screen)


async def test_whoever_hides_is_seen_by_nobody_else(desk: Desk) -> None:
    ana, beto = await desk.person("ana"), await desk.person("beto")
    await desk.keep(*(result([player("ana"), player("beto")], number=number, origin=HERE) for number in range(3)))
    assert "Nombre ana" in check((await desk.desk.ranking(T, beto, HERE)).screen)
    answer = await desk.press(ana, Verb.SHARE, "0")
    assert answer.text == "Tu perfil está oculto."
    assert "Mostrar mi perfil" in check(answer.screen)
    hidden = await desk.desk.profile(T, beto, "ana")
    assert not hidden.ok
    assert hidden == await desk.desk.profile(T, beto, "nobody")
    assert "Nombre ana" not in check((await desk.desk.ranking(T, beto, HERE)).screen)
    ana = await desk.store.person("ana") or ana
    assert check((await desk.desk.profile(T, ana)).screen)
    assert (await desk.press(ana, Verb.SHARE, "1")).text == "Tu perfil se puede ver."
    assert (await desk.desk.profile(T, beto, "ana")).ok


async def test_a_history_is_turned_page_by_page(desk: Desk) -> None:
    ana = await desk.person("ana")
    await desk.keep(
        *(result([player("ana"), player("beto")], number=number, winner=number % 2) for number in range(13)),
        result([player("ana", left=True, stood_in=True), player("beto")], number=13),
        result([player("ana"), ROBOT], number=14),
    )
    seen: list[str] = []
    page = "0"
    while True:
        screen = (await desk.press(ana, Verb.HISTORY, page)).screen
        told = check(screen)
        assert screen is not None
        seen += screen.lines
        following = [choice for row in screen.rows for choice in row if choice.label == "Más viejas"]
        if not following:
            break
        (page,) = read_token(following[0].token).arguments
    assert len(seen) == 15
    assert "3 de 3" in told
    assert "con robots" in seen[0]
    assert "Abandonada" in seen[1]
    assert seen[1].endswith("con suplente")
    assert "feb 2026" in seen[-1]
    assert sum("Ganada" in line for line in seen) == 8


async def test_a_ranking_is_of_a_place_and_a_time(desk: Desk) -> None:
    ana = await desk.person("ana")
    for name in ("beto", "eva"):
        await desk.person(name)
    quarter = 100
    await desk.keep(
        *(result([player("ana"), player("beto")], number=number, origin=HERE) for number in range(3)),
        *(
            result([player("eva"), player("ana")], number=number, origin=HERE, ended_ms=NOON - quarter * 86_400_000)
            for number in range(10, 13)
        ),
        *(result([player("eva"), player("beto")], number=number, origin="elsewhere") for number in range(20, 23)),
    )
    answer = await desk.desk.ranking(T, ana, HERE)
    told = check(answer.screen)
    assert "1. Nombre ana (tú): 3, ganadas 3" in told
    assert "eva" not in told
    assert "temporada 1 de 2026" in told
    mark = place_mark(HERE)
    before = check((await desk.press(ana, Verb.RANKING, mark, "p")).screen)
    assert "1. Nombre eva" in before
    assert "temporada 4 de 2025" in before
    assert "hacen falta" in check((await desk.press(ana, Verb.RANKING, mark, "a")).screen)
    assert "hacen falta" in check((await desk.press(ana, Verb.RANKING, mark, "s", "2v2")).screen)
    assert "1. Nombre ana" in check((await desk.press(ana, Verb.RANKING, mark, "s", "1v1")).screen)


async def test_a_ranking_is_no_business_of_strangers(desk: Desk) -> None:
    await desk.person("ana")
    stranger = await desk.person("stranger")
    await desk.keep(*(result([player("ana"), player("beto")], number=number, origin=HERE) for number in range(3)))
    asked_there = (await desk.desk.ranking(T, stranger, HERE)).screen
    assert asked_there is not None
    assert asked_there.rows == ()
    assert not (await desk.press(stranger, Verb.RANKING, place_mark(HERE), "s")).ok


async def test_the_longest_names_and_numbers_fit(desk: Desk) -> None:
    for number in range(6):
        await desk.person(f"person{number:010d}", LONG_NAME)
    ana = await desk.store.person("person0000000000")
    assert ana is not None
    await desk.keep(*crowded(40))
    check((await desk.desk.profile(T, ana)).screen)
    check((await desk.desk.profile(T, ana, "person0000000002")).screen)
    for page in ("0", "3", "6", "999999"):
        check((await desk.press(ana, Verb.HISTORY, page)).screen)
    check((await desk.press(ana, Verb.ACHIEVEMENTS)).screen)
    for key in ("s", "p", "a"):
        for seating in ((), *((one.value,) for one in Seating)):
            check((await desk.press(ana, Verb.RANKING, place_mark(HERE), key, *seating)).screen)


async def test_a_long_ranking_shows_the_first_and_oneself(desk: Desk) -> None:
    number = 0
    for one in range(20):
        await desk.person(f"q{one:02d}", f"{LONG_NAME[:16]} {one}")
        for _ in range(3):
            number += 1
            await desk.keep(result([player(f"q{one:02d}"), player("last")], number=number, origin=HERE, ended_ms=NOON))
    last = await desk.person("last", LONG_NAME)
    told = check((await desk.desk.ranking(T, last, HERE)).screen)
    assert "15. " in told
    assert "16. " not in told
    assert f"21. {LONG_NAME} (tú): 60, ganadas 0" in told


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        (Verb.HISTORY, ()),
        (Verb.HISTORY, ("x",)),
        (Verb.HISTORY, ("1234567",)),
        (Verb.SHARE, ()),
        (Verb.SHARE, ("2",)),
        (Verb.RANKING, ("mark", "z")),
        (Verb.RANKING, ("mark", "s", "3v3")),
        (Verb.DRAW, ()),
    ],
)
async def test_what_makes_no_sense_is_refused(desk: Desk, verb: Verb, arguments: tuple[str, ...]) -> None:
    with pytest.raises(TokenError):
        await desk.press(await desk.person("ana"), verb, *arguments)


async def test_presses_lead_to_the_desk(desk: Desk) -> None:
    ana = await desk.person("ana")
    presses = Presses(Keeper(desk.store), desk.clock, lambda *_: (_ for _ in ()).throw(AssertionError))
    for verb, arguments in ((Verb.PROFILE, ()), (Verb.HISTORY, ("0",)), (Verb.ACHIEVEMENTS, ())):
        answer = await presses.press(ana, write_token(Intent("x", 0, verb, arguments)), "press")
        assert answer.ok
        assert not answer.public
        check(answer.screen)
    assert not (await presses.press(ana, "1:x:0:hi:abc", "press")).ok
