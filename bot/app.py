"""The application: what every platform talks to, and nothing else."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
import structlog

from bot import lobby, rulesets
from bot.announcing import Announcer, Platform
from bot.clock import Clock
from bot.clocks import Clocks
from bot.commands import DEFAULT_RULESET
from bot.housekeeping import Housekeeping
from bot.keeper import Keeper, Unknown
from bot.model import PERSONAL_PLACE, Home, Pace, Person, PlaceSettings, Status, Table
from bot.names import safe_name
from bot.presenter.book import Book
from bot.presenter.lobby import suspended_screen
from bot.presenter.notices import busy_text, failed_text, suspended_text, unknown_table_text
from bot.presses import Presses, Shuffle
from bot.privacy import Privacy, asked_of_data
from bot.reading import book_of
from bot.rematches import Rematches
from bot.results.erasure import ResultsPart
from bot.results.recorder import Recorder
from bot.robot_turns import RobotTurns
from bot.robots.robot import Robot
from bot.screening import private_screen, public_screen
from bot.screens import Answer, Screen
from bot.store import Committed, Record, Repeated, Store, StoreBusy, UnreadableSave
from bot.texts import texts
from bot.tokens import Intent, TokenError, Verb, read_token, write_token
from engine.ruleset import with_options
from engine.seating import Seating

log = structlog.get_logger()

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without those that are taken for one another."""
CODE_LENGTH = 6
_ID_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 10
_BY_CODE = "web"
"""The platform whose places are called by the tables' codes."""


class App:
    """Tables, people and presses over one store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        shuffle: Shuffle,
        robots: Mapping[str, Robot],
        *,
        robot_pause: float = 0.9,
        robot_workers: int = 0,
        lot: Random | None = None,
    ) -> None:
        """``robot_pause`` is how long robots wait before a turn, in seconds; ``robot_workers`` how many processes
        think for those that search, none for threads; ``lot`` draws seats and starter."""
        self._store = store
        self._clock = clock
        self._keeper = Keeper(store)
        self._presses = Presses(self._keeper, clock, shuffle, lot)
        self._robots = RobotTurns(self._keeper, clock, robots, robot_pause, robot_workers)
        self._rematches = Rematches(self._keeper, self._open_again, self._presses.press)
        self.privacy = Privacy(self._keeper, clock)
        self._announcer = Announcer(store, self.shared_screen, clock)
        # Before the notices, which tell how long a turn still lasts.
        self._clocks = Clocks(self._keeper, clock, self._announcer.running_out)
        self._recorder = Recorder(self._keeper, clock)
        self.privacy.add_part(ResultsPart(store, self._recorder))
        self._keeper.listen(lambda record: self._announcer.changed(record.table.id))
        self._housekeeping = Housekeeping(self._keeper, clock)

    # life

    def now_ms(self) -> int:
        """The application's time, in milliseconds since the epoch."""
        return self._clock.now_ms()

    def add_platform(self, platform: Platform) -> None:
        """Make a platform known, before :meth:`start`."""
        self._announcer.add_platform(platform)

    async def start(self) -> None:
        """Go on where the last process ended: every match stands at its last committed action."""
        for table_id in await self._store.open_tables():
            try:
                record = await self._keeper.load(table_id)
            except (UnreadableSave, Unknown):
                continue
            if record.table.status is Status.PLAYING:
                self._robots.look(record)
        await self._clocks.start()
        self._housekeeping.start()
        self._recorder.start()
        await self._announcer.resume()

    def reconnected(self, platform: str) -> None:
        """A platform has come back: what it could not show meanwhile is shown now. Returns at once."""
        self._announcer.reconnected(platform)

    async def stop(self) -> None:
        """Let what is being committed finish, and stop robots and notices. The store is closed by its owner."""
        await self._robots.stop()
        await self._clocks.stop()
        await self._housekeeping.stop()
        await self._recorder.stop()
        await self._announcer.stop()

    # people

    async def person(self, key: str) -> Person | None:
        """The person behind a platform's key, such as ``web:<hash>``."""
        return await self._store.person_by_key(key)

    async def meet(self, key: str, name: str, locale: str = "es") -> Person:
        """The person behind a platform's key, made known if new; a name that leaves nothing becomes "Jugador"."""
        known = await self._store.person_by_key(key)
        if known is None:
            chosen = safe_name(name, texts(locale).gettext("Jugador"))
            return await self._store.add_person(Person(id=secrets.token_hex(8), name=chosen, locale=locale), key)
        chosen = safe_name(name)
        if chosen and chosen != known.name:
            known = msgspec.structs.replace(known, name=chosen)
            await self._store.save_person(known)
        return known

    async def keys_of(self, person_id: str) -> Sequence[str]:
        """The platforms' keys of a person."""
        return await self._store.keys_of(person_id)

    async def prefer(self, person: Person, *, hand_order: str | None = None, suit_colours: str | None = None) -> Person:
        """The person with other settings, kept."""
        wanted = {"hand_order": hand_order, "suit_colours": suit_colours}
        person = msgspec.structs.replace(person, **{name: value for name, value in wanted.items() if value})
        await self._store.save_person(person)
        return person

    # finished matches

    async def profile(self, viewer: Person, person_id: str = "") -> Answer:
        """A person's profile, for one viewer alone; the viewer's own if nobody is named."""
        return await self._presses.records.profile(texts(viewer.locale), viewer, person_id)

    async def history(self, person: Person) -> Answer:
        """A person's own finished matches."""
        return await self._presses.records.history(texts(person.locale), person)

    async def ranking(self, viewer: Person, origin: str) -> Answer:
        """The ranking of the server or group in which it is asked for, by its platform's key; empty for none."""
        return await self._presses.records.ranking(texts(viewer.locale), viewer, origin)

    # places

    async def place_settings(self, place: str) -> PlaceSettings:
        """What a server or group has settled, by a platform's key such as ``discord:<id>``; the defaults without."""
        try:
            return await self._store.place_settings(place) or PlaceSettings()
        except UnreadableSave as error:
            log.error("place.unreadable", place=place, problem=error.problem)
            return PlaceSettings()

    async def save_place_settings(self, place: str, settings: PlaceSettings) -> None:
        """Keep what a server or group has settled."""
        await self._store.save_place_settings(place, settings)

    async def tables_at(self, platform: str, place: str) -> Sequence[str]:
        """The ids of the open tables that are shown in a place, the newest first."""
        return await self._store.tables_at(platform, place)

    async def note(self, key: str) -> str | None:
        """A small fact that a platform wrote down."""
        return await self._store.note(key)

    async def write_note(self, key: str, text: str) -> None:
        """Write a small fact down."""
        await self._store.write_note(key, text)

    # tables

    async def open_table(
        self,
        person: Person,
        *,
        ruleset_id: str,
        seating: Seating,
        home: Home | None = None,
        name: str = "",
        options: Mapping[str, Any] | None = None,
        pace: Pace = Pace.FREE,
        origin: str = "",
        lesson: bool = False,
        press_id: str | None = None,
    ) -> Record:
        """A new table in its lobby with its opener as the host; ``home`` (its table id is filled in) shows it.

        ``origin`` is the key of the server or group in which it is opened; a ``lesson`` is explained step by step.

        Raises:
            RulesetNotFound: there is no such rule set.
            RulesetError: the options make no sense.
            ValueError: the rule set is not played in this seating.
        """
        rules = with_options(rulesets.load(ruleset_id), options or {})
        if seating not in rules.seatings:
            raise ValueError(f"{ruleset_id} is not played {seating}")
        title = safe_name(name) or texts(person.locale).gettext("Mesa de {name}").format(name=person.name)
        while True:
            table = Table(
                id="".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH)),
                code="".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)),
                name=title,
                host=None,
                rules=rules,
                seating=seating,
                locale=person.locale,
                options=dict(options or {}),
                pace=pace,
                origin=origin,
                lesson=lesson,
                created_ms=self._clock.now_ms(),
            )
            record = Record(lobby.join(table, person))
            place = None if home is None else msgspec.structs.replace(home, table_id=table.id)
            key = None if press_id is None else f"open:{person.id}:{press_id}"
            result = await self._store.create(record, place, key)
            if isinstance(result, Committed):
                log.info("table.opened", table=table.id, ruleset=ruleset_id, seating=str(seating))
                self._announcer.changed(table.id)
                return record
            if isinstance(result, Repeated):
                return await self._keeper.load(result.answer)

    async def begin_lesson(self, person: Person, press_id: str, home: Home | None = None) -> Answer:
        """A guided first deal against a robot, begun at once; the answer's screen is the hand."""
        record = await self.open_table(
            person,
            ruleset_id=DEFAULT_RULESET,
            seating=Seating.ONE_ON_ONE,
            home=home,
            name=texts(person.locale).gettext("Primera partida"),
            lesson=True,
            press_id=press_id,
        )
        token = write_token(Intent(record.table.id, record.version, Verb.START))
        return await self.press(person, token, f"{press_id}:start")

    async def _open_by_press(self, person: Person, intent: Intent, press_id: str) -> Answer:
        t = texts(person.locale)
        try:
            if intent.verb is Verb.LESSON:
                return await self.begin_lesson(person, press_id)
            return await self._rematches.press(t, person, intent.table_id, press_id)
        except StoreBusy as error:
            log.warning("press.store_busy", error=str(error))
            return Answer(busy_text(t), ok=False)
        except Unknown:
            return Answer(unknown_table_text(t), ok=False)
        except UnreadableSave:
            return Answer(suspended_text(t), ok=False)
        except Exception:
            error_id = secrets.token_hex(4)
            log.exception("press.failed", verb=str(intent.verb), error_id=error_id)
            return Answer(failed_text(t, error_id), ok=False)

    async def _open_again(self, person: Person, table: Table, press_id: str) -> Record:
        """A table like another one, shown in the same places."""
        homes = await self._store.homes(table.id)
        record = await self.open_table(
            person,
            ruleset_id=table.rules.id,
            seating=table.seating,
            name=table.name,
            options=table.options,
            pace=table.pace,
            origin=table.origin,
            press_id=f"rematch:{press_id}",
        )
        for home in (home for home in homes if not home.place.startswith(PERSONAL_PLACE)):
            place = record.table.code if home.platform == _BY_CODE else home.place
            await self.add_home(Home(record.table.id, home.platform, place))
        return record

    async def look_up(self, person: Person, text: str, *, table_id: str = "", ruleset_id: str = "") -> Answer:
        """What somebody asks of the rule book in their own words: by a table's rules, or by a rule set's.

        Raises:
            RulesetNotFound: there is no such rule set.
        """
        book = Book(rulesets.load(ruleset_id or DEFAULT_RULESET))
        found = await self.records_of([table_id]) if table_id else []
        if found:
            book = book_of(found[0])
        return await self._presses.reading.typed(texts(person.locale), person, book, text)

    async def find(self, code: str) -> str:
        """The id of the table with a code.

        Raises:
            Unknown: there is none.
        """
        table_id = await self._store.find(code.strip().upper())
        if table_id is None:
            raise Unknown(code)
        return table_id

    async def add_home(self, home: Home) -> None:
        """Show a table in one more place."""
        await self._store.add_home(home)
        self._announcer.changed(home.table_id)

    async def homes(self, table_id: str) -> Sequence[Home]:
        """Where a table is shown."""
        return await self._store.homes(table_id)

    async def place_renamed(self, platform: str, place: str, to: str) -> None:
        """A place is called otherwise from now on, as a group that has grown: its tables are shown there."""
        for table_id in await self._store.move_homes(platform, place, to):
            self._announcer.changed(table_id)
        await self._store.move_results(f"{platform}:{place}", f"{platform}:{to}")

    def show_again(self, home: Home) -> None:
        """Show a table in one of its homes anew, also where nothing has changed: its message may be gone."""
        self._announcer.show_again(home.table_id, home.platform, home.place)

    async def record(self, table_id: str) -> Record:
        """A table as last committed.

        Raises:
            Unknown: there is none.
            UnreadableSave: its save cannot be read.
        """
        return await self._keeper.load(table_id)

    async def tables_of(self, person_id: str) -> Sequence[str]:
        """The ids of the open tables at which a person sits, the longest unchanged first."""
        return await self._store.tables_of(person_id)

    async def records_of(self, table_ids: Iterable[str]) -> list[Record]:
        """The tables of these ids as last committed; those that cannot be read are left out."""
        found = []
        for table_id in table_ids:
            try:
                found.append(await self._keeper.load(table_id))
            except (UnreadableSave, Unknown):
                continue
        return found

    # screens

    async def public_screen(self, table_id: str, viewer: str | None = None) -> Screen | None:
        """What everybody sees of a table, in the lobby with a viewer's buttons; None where there is no such table."""
        return await self._public(table_id, viewer, shared=False)

    async def shared_screen(self, table_id: str) -> Screen | None:
        """The one public screen that everybody has before them, with everybody's buttons; None without such a table."""
        return await self._public(table_id, None, shared=True)

    async def _public(self, table_id: str, viewer: str | None, *, shared: bool) -> Screen | None:
        try:
            record = await self._keeper.load(table_id)
            screen = public_screen(record, viewer, shared=shared, late=self._clocks.is_late(record))
            return msgspec.structs.replace(screen, until_ms=self._clocks.until_ms(table_id))
        except UnreadableSave:
            return suspended_screen(texts(), table_id)
        except Unknown:
            return None

    async def hand_screen(self, table_id: str, person: Person) -> Screen | None:
        """A person's private hand; None where the person holds none."""
        try:
            return private_screen(await self._keeper.load(table_id), person)
        except (UnreadableSave, Unknown):
            return None

    # presses

    async def press(self, person: Person, token: str, press_id: str, *, moderates: str = "") -> Answer:
        """What a press comes to; never raises. ``press_id`` is unique for each press.

        ``moderates`` is the key of the server or group in which the person keeps order, if they do: they may end any
        table that was opened there, and none elsewhere.
        """
        asked = asked_of_data(token)
        if asked is not None:
            return await self.privacy.press(person, asked)
        intent = _opening(token)
        if intent is not None:
            return await self._open_by_press(person, intent, press_id)
        return await self._presses.press(person, token, press_id, moderates=moderates)


def _opening(token: str) -> Intent | None:
    """The intent of the presses that open a table: a guided deal, a rematch."""
    try:
        intent = read_token(token)
    except TokenError:
        return None
    return intent if intent.verb in (Verb.LESSON, Verb.REMATCH) else None
