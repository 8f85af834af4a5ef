"""A whole application over the store in memory, with people to press its buttons."""

import itertools
import random
from collections.abc import Callable, Mapping, Sequence

from adapters.storage.codec import Saved
from bot.app import App
from bot.cutting import cutter_of
from bot.model import Home, Pace, Person
from bot.robots.robot import Robot
from bot.screens import Answer, Role, Screen
from bot.shuffling import seeded_deal
from bot.store import Record
from bot.tokens import Intent, Verb, base36, read_token, write_token
from engine import legal
from engine.actions import Action, Discard, DrawStock, StartDeal
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match
from engine.views import SeatView
from tests.bot.fakes import FakeClock, FakeRobot, TroubledStore
from tests.bot.tables import NAMES, choices, deal_of, verb_of

_DRAWING = (Verb.DRAW, Verb.TAKE_PILE, Verb.MUERTO)


def plain(view: SeatView) -> Action:
    """Draw, lay what there is, discard: a robot that plays on and comes to an end."""
    actions = legal.actions(view)
    drawing = [action for action in actions if isinstance(action, DrawStock)]
    laying = legal.options(view)
    if drawing:
        return drawing[0]
    if laying:
        return laying[0].action
    return next((action for action in actions if isinstance(action, Discard)), actions[0])


class House:
    """An application, its store and its clock; ``again()`` is the next process over the same store."""

    def __init__(
        self,
        robots: Mapping[str, Robot] | None = None,
        seed: int = 1,
        store: TroubledStore | None = None,
        prepare: Callable[[App], None] = lambda _: None,
    ) -> None:
        self.clock = FakeClock()
        self.store = store or TroubledStore(self.clock)
        self.robots = robots or {"normal": FakeRobot(plain)}
        self.seed = seed
        self._deals = itertools.count(seed * 1000)
        self._ids = itertools.count()
        self.app = App(self.store, self.clock, self.deal, self.robots, lot=random.Random(seed))
        prepare(self.app)

    def again(self, prepare: Callable[[App], None] = lambda _: None) -> "House":
        """The same tables in a new process."""
        return House(self.robots, self.seed + 1, self.store, prepare)

    def deal(self, rules: Ruleset, seating: Seating) -> StartDeal:
        """The next deal of a fixed row."""
        return seeded_deal(rules, seating, next(self._deals))

    async def people(self, count: int) -> list[Person]:
        """People who are known."""
        return [await self.app.meet(f"test:{name}", name) for name in NAMES[:count]]

    async def open(
        self,
        host: Person,
        seating: Seating = Seating.ONE_ON_ONE,
        home: Home | None = None,
        *,
        cutting: bool = False,
        pace: Pace = Pace.FREE,
    ) -> str:
        """A new table; returns its id."""
        record = await self.app.open_table(
            host, ruleset_id="clasico", seating=seating, home=home, origin="chat:1", cutting=cutting, pace=pace
        )
        return record.table.id

    async def started(
        self,
        people: int = 2,
        seating: Seating = Seating.ONE_ON_ONE,
        *,
        cutting: bool = False,
        pace: Pace = Pace.FREE,
    ) -> tuple[str, list[Person]]:
        """A table in play, its first people seated, robots on the other chairs; with ``cutting`` it waits for that."""
        crowd = await self.people(people)
        table_id = await self.open(crowd[0], seating, cutting=cutting, pace=pace)
        for person in crowd[1:]:
            await self.press(person, table_id, Verb.JOIN)
        answer = await self.press(crowd[0], table_id, Verb.START)
        assert answer.ok, answer.text
        return table_id, crowd

    async def record(self, table_id: str) -> Record:
        """The table as it is kept."""
        return await self.app.record(table_id)

    def put(self, table_id: str, saved: Saved) -> None:
        """Put other bytes under a table, as nobody does while the program runs: nothing of it is at hand any more."""
        self.store.kept[table_id].saved = saved
        self.app._keeper.forget_recent()

    async def match(self, table_id: str) -> Match:
        """The match as it is kept."""
        match = (await self.record(table_id)).match
        assert match is not None
        return match

    async def mover(self, table_id: str, people: list[Person]) -> Person:
        """The person on turn."""
        record = await self.record(table_id)
        assert record.match is not None
        chair = record.table.chairs[deal_of(record.match).turn.seat]
        return next(person for person in people if person.id == chair.person)

    async def mover_is(self, table_id: str, person: Person) -> bool:
        """Whether a person is on turn."""
        record = await self.record(table_id)
        assert record.match is not None
        return record.table.chairs[deal_of(record.match).turn.seat].person == person.id

    async def press(
        self,
        person: Person,
        table_id: str,
        verb: Verb,
        *arguments: str,
        version: int | None = None,
        press_id: str | None = None,
    ) -> Answer:
        """Press a button; of the newest screen, if no version is named."""
        shown = self.store.version(table_id) if version is None else version
        token = write_token(Intent(table_id, shown, verb, arguments))
        return await self.app.press(person, token, press_id or self.press_id())

    async def cutter(self, table_id: str, people: list[Person]) -> Person:
        """The person who is to cut."""
        table = (await self.record(table_id)).table
        assert table.awaited_cut is not None
        seat = cutter_of(table, table.awaited_cut.starter)
        assert seat is not None
        return next(person for person in people if person.id == table.chairs[seat].person)

    async def cut(self, table_id: str, person: Person, figures: str = "375", *, press_id: str | None = None) -> Answer:
        """Cut by the buttons that a person has, figure by figure; the last press's answer."""
        screen = await self.app.hand_screen(table_id, person)
        assert screen is not None
        for figure in figures[:-1]:
            answer = await self.app.press(person, figure_token(screen, figure), self.press_id())
            assert answer.screen is not None, answer.text
            screen = answer.screen
        return await self.app.press(person, figure_token(screen, figures[-1]), press_id or self.press_id())

    async def play_out(self, table_id: str, people: list[Person]) -> None:
        """Press for the people until the deal is over: draw, lay what is suggested, discard."""
        for _ in range(3000):
            if not (await self.match(table_id)).in_play:
                return
            await self.play_on(table_id, people)
        raise AssertionError("the deal does not end")

    async def play_out_turn(self, table_id: str, people: list[Person]) -> None:
        """Press for the person on turn until the turn is over."""
        seat = deal_of(await self.match(table_id)).turn.seat
        for _ in range(200):
            match = await self.match(table_id)
            if not match.in_play or deal_of(match).turn.seat != seat:
                return
            await self.play_on(table_id, people)
        raise AssertionError("the turn does not end")

    async def play_on(self, table_id: str, people: list[Person]) -> None:
        """Press once for the person on turn, and answer what is asked."""
        await play_on(self.app, table_id, await self.mover(table_id, people), self.press_id)

    def press_id(self) -> str:
        """An id that no other press has."""
        return f"press-{self.seed}-{next(self._ids)}"


async def play_on(app: App, table_id: str, person: Person, press_id: Callable[[], str]) -> None:
    """Press once for a person on turn, and answer what is asked."""
    screen = await app.hand_screen(table_id, person)
    assert screen is not None
    drawing = [choice for choice in choices(screen) if choice.enabled and verb_of(choice) in _DRAWING]
    laying = [choice for choice in choices(screen) if verb_of(choice) in (Verb.MELD, Verb.ADD)]
    token = next((choice.token for choice in (*drawing, *laying)), None) or discard_token(screen)
    answer = await app.press(person, token, press_id())
    while answer.screen is not None and answer.screen.role is Role.QUESTION:
        answer = await app.press(person, next(choices(answer.screen)).token, press_id())
    assert answer.ok, answer.text


async def play_deal(app: App, table_id: str, people: Sequence[Person]) -> None:
    """Press for people, who hold all seats, until the deal is over."""
    ids = itertools.count()
    for _ in range(3000):
        record = await app.record(table_id)
        assert record.match is not None
        if not record.match.in_play:
            return
        chair = record.table.chairs[deal_of(record.match).turn.seat]
        mover = next(person for person in people if person.id == chair.person)
        await play_on(app, table_id, mover, lambda: f"deal-{next(ids)}")
    raise AssertionError("the deal does not end")


def figure_token(screen: Screen, figure: str) -> str:
    """The token of the button with a figure of a cut."""
    return next(choice.token for choice in choices(screen) if choice.label == figure and verb_of(choice) is Verb.CUT)


def discard_token(screen: Screen) -> str:
    """The token that discards the first card that may go."""
    assert screen.picker is not None
    bit = next(card.bit for card in screen.picker.cards if not card.keep)
    discard = next(verb for verb in screen.picker.verbs if read_token(verb.token).verb is Verb.DISCARD)
    return f"{discard.token}:{base36(1 << bit)}"


def words(screen: Screen | None) -> str:
    """Everything on a screen that is to be read."""
    assert screen is not None
    labels = [choice.label for row in screen.rows for choice in row]
    return "\n".join((screen.title, *screen.lines, screen.alternative, *labels))
