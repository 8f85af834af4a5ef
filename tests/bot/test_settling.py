"""A person's own settings: kept, obeyed, and nobody else's."""

import pytest

from bot.announcing import Announcer
from bot.calling import called
from bot.cautions import Asking
from bot.model import Home, Person
from bot.moves import Move, resolve
from bot.screens import Call, Capabilities, Choice, Role, Screen
from bot.texts import languages
from bot.tokens import NO_TABLE, Intent, Verb, read_token, write_token
from engine.state import Match
from tests.bot.rooms import House, words
from tests.bot.tables import SPANISH, answers, at, choices, picked, place_of


async def settle(house: House, person: Person, *arguments: str) -> Screen:
    answer = await house.app.press(person, write_token(Intent(NO_TABLE, 0, Verb.SETTINGS, arguments)), house.press_id())
    assert answer.ok, answer.text
    assert answer.screen is not None
    return answer.screen


async def kept(house: House, person: Person) -> Person:
    found = await house.store.person(person.id)
    assert found is not None
    return found


async def test_every_button_leads_to_what_it_says_and_stays() -> None:
    house = House()
    ana, luis = await house.people(2)
    screen = await settle(house, ana)
    assert screen.role is Role.READING
    buttons = [(choice.label.removeprefix("✓ "), read_token(choice.token)) for choice in choices(screen)]
    assert len(buttons) == 11 + len(languages())
    for label, intent in buttons:
        screen = await settle(house, ana, *intent.arguments)
        assert f"✓ {label}" in words(screen)
        assert words(screen).count("✓") == 5
    person = await kept(house, ana)
    last = (person.hand_order, person.suit_colours, person.notices, person.cautions)
    assert last == ("rank", "two", "none", "never")
    assert words(await settle(house.again(), ana)) == words(screen), "the next process knows it too"
    assert await kept(house, luis) == luis
    await house.app.stop()


@pytest.mark.parametrize("arguments", [("o",), ("o", "x"), ("z", "suit"), ("n", "always"), ("o", "suit", "x")])
async def test_made_up_settings_are_answered_and_change_nothing(arguments: tuple[str, ...]) -> None:
    house = House()
    (ana,) = await house.people(1)
    answer = await house.app.press(ana, write_token(Intent(NO_TABLE, 0, Verb.SETTINGS, arguments)), "x")
    assert not answer.ok
    assert await kept(house, ana) == ana
    await house.app.stop()


async def test_nobody_is_made_known_by_a_setting() -> None:
    house = House()
    stranger = Person("reader", "")
    await settle(house, stranger, "n", "none")
    assert await house.store.person("reader") is None
    await house.app.stop()


# who is called


def calling(people: tuple[str, ...], *, late: bool = False) -> Screen:
    call = Call("k", people, "te toca.", Choice("Mi mano", "1:x:0:hd"), late=late)
    return Screen(Role.TABLE, "x", 0, "Mesa", call=call)


async def test_those_who_want_no_notices_are_not_called() -> None:
    house = House()
    ana, luis, marta = await house.people(3)
    await settle(house, luis, "n", "late")
    await settle(house, marta, "n", "none")
    everybody = (ana.id, luis.id, marta.id)
    turn = (await called(house.store, calling(everybody))).call
    assert turn is not None
    assert turn.people == (ana.id,)
    late = (await called(house.store, calling(everybody, late=True))).call
    assert late is not None
    assert late.people == (ana.id, luis.id)
    assert (await called(house.store, calling((marta.id,)))).call is None
    await house.app.stop()


async def test_places_are_shown_the_call_of_those_who_want_it() -> None:
    house = House()
    ana, luis = await house.people(2)
    await settle(house, luis, "n", "none")
    seen: list[Screen] = []

    class Place:
        """A platform that writes down what it is shown."""

        capabilities = Capabilities("test", 64, 25, 25, 1024, False, 0)

        async def show(self, home: Home, screen: Screen) -> str | None:
            seen.append(screen)
            return "1"

        async def refresh_hands(self, table_id: str, version: int) -> None:
            pass

    async def screen_of(_table_id: str) -> Screen | None:
        return calling((ana.id, luis.id))

    table_id = await house.open(ana, home=Home("", "test", "here"))
    announcer = Announcer(house.store, screen_of, house.clock)
    announcer.add_platform(Place())
    announcer.show_again(table_id, "test", "here")
    for _ in range(20):
        await house.clock.sleep(0)
        if seen:
            break
    await announcer.stop()
    assert seen[0].call is not None
    assert seen[0].call.people == (ana.id,)
    await house.app.stop()


# who is asked


def dirtying() -> tuple[Match, str]:
    """A move that makes a clean canasta dirty, which can be taken back."""
    match = at("long runs", hands=["JK 9s Ts Qc", "9s Ts"], melds=[["4h 5h 6h 7h 8h 9h Th"], []])
    asked = resolve(SPANISH, place_of(match), match, 0, read_token(picked(match, Verb.ADD_SOMEWHERE, "JK")))
    assert isinstance(asked, Screen)
    return match, answers(asked)[0].token


def closing() -> tuple[Match, str]:
    """A move that ends the deal with a loss, which nothing takes back."""
    match = at(hands=["9s", "9s Ts"], melds=[["4h 5h 6h"], []], taken=(True, False))
    return match, picked(match, Verb.DISCARD, "9s")


@pytest.mark.parametrize(
    ("asking", "dirty", "close"),
    [(Asking.ALWAYS, True, True), (Asking.GRAVE, False, True), (Asking.NEVER, False, False)],
)
def test_warnings_come_when_they_are_wanted(asking: Asking, *, dirty: bool, close: bool) -> None:
    for (match, token), asked in ((dirtying(), dirty), (closing(), close)):
        found = resolve(SPANISH, place_of(match), match, 0, read_token(token), asking)
        assert isinstance(found, Screen if asked else Move)


def test_a_choice_is_always_asked() -> None:
    match = at("long runs", hands=["JK 9s Ts Qc", "9s Ts"], melds=[["4h 5h 6h 7h 8h 9h Th"], []])
    intent = read_token(picked(match, Verb.ADD_SOMEWHERE, "JK"))
    asked = resolve(SPANISH, place_of(match), match, 0, intent, Asking.NEVER)
    assert isinstance(asked, Screen)
    assert len(answers(asked)) > 1
