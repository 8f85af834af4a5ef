"""The application: what every platform talks to, and nothing else."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec
import structlog

from bot import lobby, rulesets
from bot.announcing import Announcer, Platform
from bot.clock import Clock, SharedClock
from bot.clocks import Clocks
from bot.commands import DEFAULT_RULESET
from bot.dead_letters import DeadLetters
from bot.duties import Duties
from bot.effort import Effort
from bot.founding import Founding
from bot.gate import Gate
from bot.housekeeping import Housekeeping
from bot.keeper import Keeper, Unknown
from bot.leases import Leases
from bot.limits import Limits
from bot.model import Home, Person, PlaceSettings, Status
from bot.names import safe_name
from bot.openings import Openings, opening
from bot.outages import Outages
from bot.presenter.book import Book
from bot.presenter.lobby import suspended_screen
from bot.presses import Presses, Shuffle
from bot.privacy import Privacy, asked_of_data
from bot.reading import book_of
from bot.renaming import Renaming
from bot.results.erasure import ResultsPart
from bot.results.recorder import Recorder
from bot.robot_turns import RobotTurns
from bot.robots.robot import Robot
from bot.screening import is_passing, private_screen, public_screen
from bot.screens import Answer, Screen
from bot.spreading import SpreadAnnouncer
from bot.stakes.erasure import CoinsPart
from bot.store import Record, Store, UnreadableSave
from bot.texts import SOURCE_LOCALE, language, texts
from bot.vote_clock import VoteClock
from bot.waiting import WaitingTables

log = structlog.get_logger()


class App(Founding):
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
        effort: Effort | None = None,
        lot: Random | None = None,
        gate: Gate | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Make everything ready for :meth:`start`.

        Args:
            store: where everything is kept; closed by its owner.
            clock: the time.
            shuffle: where packs come from.
            robots: the levels of robots by their ids.
            robot_pause: seconds that robots wait before a turn.
            robot_workers: processes that think for those robots that search; without any they think in threads.
            effort: tells how hard the machine works; without one, this process alone is looked at.
            lot: draws seats and starter.
            gate: lets presses and new tables in; without one, nobody is too fast.
            limits: how many tables may be open at once; without them, as many as anybody likes.
        """
        self.gate = gate or Gate()
        self.limits = limits or Limits()
        shared = SharedClock(clock) if store.leases.is_shared else None
        clock = shared or clock
        self._store = store
        self._clock = clock
        self._keeper = Keeper(store)
        self._presses = Presses(self._keeper, clock, shuffle, lot)
        self._robots = RobotTurns(self._keeper, clock, robots, robot_pause, robot_workers)
        self._waiting = WaitingTables(self._keeper, clock)
        self._openings = Openings(self._keeper, self, self._presses.press)
        self.privacy = Privacy(self._keeper, clock)
        make_announcer = Announcer if shared is None else SpreadAnnouncer
        self._announcer = make_announcer(
            store, self.shared_screen, clock, version_of=self._version_of, effort=effort or Effort()
        )
        self._outages = Outages(clock, store)
        self._clocks = Clocks(self._keeper, clock, self._announcer.running_out, self._outages)
        self._votes = VoteClock(self._keeper, clock)
        self._recorder = Recorder(self._keeper, clock)
        self.privacy.add_part(ResultsPart(store, self._recorder))
        self.privacy.add_part(CoinsPart(store))
        self.blocking = self._presses.blocking
        self.privacy.add_part(self.blocking)
        self._duties = None
        if shared is None:
            for listener in (self._robots.look, self._clocks.look, self._votes.look):
                self._keeper.listen(listener)
        else:
            self._duties = Duties(
                self._keeper, shared, self._robots, self._clocks, self._votes, self._announcer, self._outages
            )
        self._keeper.listen(self._announce)
        self._housekeeping = Housekeeping(self._keeper, clock)
        self.dead_letters = DeadLetters(store, clock)

    def _announce(self, record: Record) -> None:
        self._announcer.changed(record.table.id, record.version if is_passing(record) else None)

    # life

    def now_ms(self) -> int:
        """The application's time, in milliseconds since the epoch."""
        return self._clock.now_ms()

    def add_platform(self, platform: Platform) -> None:
        """Make a platform known, before :meth:`start`."""
        self._announcer.add_platform(platform)
        self._outages.add(platform)

    async def start(self) -> None:
        """Go on where the last process ended: every match stands at its last committed action."""
        if self._duties is not None:
            await self._duties.start()
        else:
            await self._go_on_alone()
        self._housekeeping.start()
        self._recorder.start()
        await self._announcer.resume()

    async def _go_on_alone(self) -> None:
        self._votes.start()
        async for record in self._keeper.readable(await self._store.open_tables()):
            if record.table.status is Status.PLAYING:
                self._robots.look(record)
                self._votes.look(record)
        await self._clocks.start()

    def reconnected(self, platform: str) -> None:
        """A platform has come back: what it could not show meanwhile is shown now. Returns at once."""
        self._outages.back(platform)
        self._announcer.reconnected(platform)

    async def stop(self) -> None:
        """Let what is being committed finish, and stop robots and notices. The store is closed by its owner."""
        if self._duties is not None:
            await self._duties.stop()
        await self._robots.stop()
        await self._votes.stop()
        await self._clocks.stop()
        await self._housekeeping.stop()
        await self._recorder.stop()
        await self._announcer.stop()

    # people

    async def person(self, key: str) -> Person | None:
        """The person behind a platform's key, such as ``web:<hash>``."""
        return await self._store.person_by_key(key)

    async def meet(self, key: str, name: str, locale: str = "") -> Person:
        """The person behind a platform's key, made known if new; a name that leaves nothing becomes "Jugador".

        ``locale`` is what the platform says of their language, empty where it says nothing: they are answered in it
        until they choose another.
        """
        known = await self._store.person_by_key(key)
        if known is None:
            t = texts(locale or SOURCE_LOCALE)
            chosen = safe_name(name, t.gettext("Jugador"))
            return await self._store.add_person(Person(id=secrets.token_hex(8), name=chosen, locale=t.locale), key)
        met = msgspec.structs.replace(
            known,
            name=safe_name(name) or known.name,
            locale=known.language or (language(locale) if locale else known.locale),
        )
        if met != known:
            await self._store.save_person(met)
        return met

    async def keys_of(self, person_id: str) -> Sequence[str]:
        """The platforms' keys of a person."""
        return await self._store.keys_of(person_id)

    async def prefer(
        self,
        person: Person,
        *,
        hand_order: str | None = None,
        suit_colours: str | None = None,
    ) -> Person:
        """The person with other settings, kept."""
        return await self._presses.settings.prefer(person, hand_order=hand_order, suit_colours=suit_colours)

    # finished matches

    async def profile(self, viewer: Person, person_id: str = "") -> Answer:
        """A person's profile, for one viewer alone; the viewer's own if nobody is named."""
        return await self._presses.records.profile(texts(viewer.locale), viewer, person_id)

    async def history(self, person: Person) -> Answer:
        """A person's own finished matches."""
        return await self._presses.records.history(texts(person.locale), person)

    async def ranking(self, viewer: Person, origin: str, *chosen: str) -> Answer:
        """The ranking of the place in which it is asked for, by its key; empty for none.

        ``chosen`` is what a ranking's button carries behind the place.
        """
        return await self._presses.records.ranking(texts(viewer.locale), viewer, origin, *chosen)

    # tables that wait for players

    async def waiting(self, person: Person, origin: str) -> Answer:
        """The tables of a server or group, by its platform's key, at which one can sit down."""
        return await self._waiting.listed(texts(person.locale), person, origin)

    async def waiting_tables(self, origin: str) -> list[Record]:
        """The same tables, for a platform that has its own way to list them."""
        return await self._waiting.at(origin)

    # coins

    async def purse(self, person: Person, origin: str) -> Answer:
        """A person's coins in the server or group in which they are asked for, by its platform's key."""
        return await self._presses.coins.purse(texts(person.locale), person, origin)

    # places

    async def save_place_settings(self, place: str, settings: PlaceSettings) -> None:
        """Keep what a server or group has settled."""
        await self._store.save_place_settings(place, settings)

    async def tables_at(self, platform: str, place: str) -> Sequence[str]:
        """The ids of the open tables that are shown in a place, the newest first."""
        return await self._store.tables_at(platform, place)

    @property
    def leases(self) -> Leases:
        """Who does what, where several processes share the store."""
        return self._store.leases

    async def swap_posted(self, home: Home, before: str | None) -> bool:
        """Keep what is posted in a home that was brought up to date by the way, unless somebody else has been there."""
        return await self._store.swap_posted(home, before)

    async def note(self, key: str) -> str | None:
        """A small fact that a platform wrote down."""
        return await self._store.note(key)

    async def write_note(self, key: str, text: str) -> None:
        """Write a small fact down."""
        await self._store.write_note(key, text)

    # tables

    async def begin_lesson(self, person: Person, press_id: str, home: Home | None = None) -> Answer:
        """A guided first deal against a robot, begun at once; the answer's screen is the hand."""
        return await self._openings.begin_lesson(person, press_id, home)

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

    async def homes(self, table_id: str) -> Sequence[Home]:
        """Where a table is shown."""
        return await self._store.homes(table_id)

    async def place_renamed(self, platform: str, place: str, to: str) -> None:
        """A place is called otherwise from now on, as a group that has grown: what belongs to it goes along."""
        for table_id in await Renaming(self._keeper).renamed(platform, place, to):
            self._announcer.changed(table_id)
        await self.blocking.renamed(f"{platform}:{place}", f"{platform}:{to}")

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
        return [record async for record in self._keeper.readable(table_ids)]

    # screens

    async def public_screen(self, table_id: str, viewer: str | None = None) -> Screen | None:
        """What everybody sees of a table, in the lobby with a viewer's buttons; None where there is no such table."""
        return await self._public(table_id, viewer, shared=False)

    async def shared_screen(self, table_id: str) -> Screen | None:
        """The one public screen that everybody has before them, with everybody's buttons; None without such a table."""
        return await self._public(table_id, None, shared=True)

    async def _public(self, table_id: str, viewer: str | None, *, shared: bool) -> Screen | None:
        try:
            record = await self._keeper.newest(table_id)
            left = lobby.is_left(record.table, lobby.STALE_SECONDS, self._clock.now_ms())
            screen = public_screen(record, viewer, shared=shared, late=self._clocks.is_late(record), left=left)
            if shared and screen.call is not None and not (await self.place_settings(record.table.origin)).pings:
                screen = msgspec.structs.replace(screen, call=None)
            return msgspec.structs.replace(screen, until_ms=record.deadline_ms)
        except UnreadableSave:
            # What the table's language is stands in the save that cannot be read.
            asked = None if viewer is None else await self._store.person(viewer)
            return suspended_screen(texts(SOURCE_LOCALE if asked is None else asked.locale), table_id)
        except Unknown:
            return None

    async def _version_of(self, table_id: str) -> int | None:
        try:
            return (await self._keeper.newest(table_id)).version
        except UnreadableSave:
            return 0  # its hands go
        except Unknown:
            return None

    async def hand_screen(self, table_id: str, person: Person) -> Screen | None:
        """A person's private hand; None where the person holds none."""
        try:
            return private_screen(await self._keeper.newest(table_id), person)
        except (UnreadableSave, Unknown):
            return None

    # presses

    async def press(self, person: Person, token: str, press_id: str, *, moderates: str = "", via: str = "") -> Answer:
        """What a press comes to; never raises. ``press_id`` is unique for each press.

        ``moderates`` is the key of the server or group in which the person keeps order, if they do: they may end any
        table that was opened there, and none elsewhere. ``via`` is the platform's name, for the figures.
        """
        return await self.gate.press(person, token, via, lambda: self._press(person, token, press_id, moderates))

    async def _press(self, person: Person, token: str, press_id: str, moderates: str) -> Answer:
        asked = asked_of_data(token)
        if asked is not None:
            return await self.privacy.press(person, asked)
        intent = opening(token)
        if intent is not None:
            return await self._openings.press(person, intent, press_id)
        return await self._presses.press(person, token, press_id, moderates=moderates)
