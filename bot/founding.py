"""Founding tables: the part of the application that opens one, and refuses where none may be opened."""

import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
import structlog

from bot import lobby, rulesets
from bot.announcing import Announcer
from bot.blocking import Blocking
from bot.clock import Clock
from bot.commands import CommandError
from bot.gate import Gate
from bot.keeper import Keeper
from bot.limits import Limits, check_limits
from bot.model import Home, Pace, Person, PlaceSettings, Table
from bot.names import safe_name
from bot.presses import Presses
from bot.stakes.rules import TooFewCoins, check_stake
from bot.store import Committed, Record, Repeated, Store, UnreadableSave
from bot.texts import texts
from engine.ruleset import with_options
from engine.seating import Seating

log = structlog.get_logger()

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without those that are taken for one another."""
CODE_LENGTH = 6
_ID_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 10


class Founding:
    """Opens tables; the rest of the application is in :class:`bot.app.App`."""

    gate: Gate
    blocking: Blocking
    limits: Limits
    _store: Store
    _clock: Clock
    _keeper: Keeper
    _presses: Presses
    _announcer: Announcer

    async def place_settings(self, place: str) -> PlaceSettings:
        """What a server or group has settled, by a platform's key such as ``discord:<id>``; the defaults without."""
        try:
            return await self._store.place_settings(place) or PlaceSettings()
        except UnreadableSave as error:
            log.error("place.unreadable", place=place, problem=error.problem)
            return PlaceSettings()

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
        stake: int = 0,
        private: bool = False,
        cutting: bool | None = None,
        circle: tuple[str, ...] = (),
        turns: int = 0,
        press_id: str | None = None,
    ) -> Record:
        """A new table in its lobby with its opener as the host; ``home`` (its table id is filled in) shows it.

        ``origin`` is the key of the server or group in which it is opened; a ``lesson`` is explained step by step;
        with a ``stake`` everybody puts up so many coins of that place; a ``private`` one is joined by its code;
        ``cutting`` has somebody cut before each deal, None leaves that to the place.
        ``circle`` and ``turns`` say where partners change from match to match; see :class:`bot.model.Table`.

        Raises:
            CommandError: no table is opened now, this person has just opened several or may open none there, or too
                many are open.
            StakeRefused: it cannot be played for so many coins there, or by this person.
            RulesetNotFound: there is no such rule set.
            RulesetError: the options make no sense.
            ValueError: the rule set is not played in this seating.
        """
        self.gate.check_opening(person)
        await self.blocking.check_opening(origin, person)
        key = None if press_id is None else f"open:{person.id}:{press_id}"
        try:
            await check_limits(self.limits, self._store, person, home)
        except CommandError:
            # The press that opened the last one may come again: it gets its first answer.
            opened = None if key is None else await self._store.answer_to(key)
            if opened is None:
                raise
            return await self._keeper.load(opened)
        rules = with_options(rulesets.load(ruleset_id), options or {})
        if seating not in rules.seatings:
            raise ValueError(f"{ruleset_id} is not played {seating}")
        await self._check_stake(person, stake, origin)
        place_settings = await self.place_settings(origin) if origin else PlaceSettings()
        t = texts(place_settings.locale or person.locale)
        title = safe_name(name) or t.gettext("Mesa de {name}").format(name=person.name)
        while True:
            table = Table(
                id="".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH)),
                code="".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)),
                name=title,
                host=None,
                rules=rules,
                seating=seating,
                locale=t.locale,
                options=dict(options or {}),
                pace=pace,
                origin=origin,
                lesson=lesson,
                stake=stake,
                private=private,
                cutting=not lesson and (place_settings.cutting if cutting is None else cutting),
                circle=circle,
                round=turns,
                created_ms=self._clock.now_ms(),
            )
            record = Record(lobby.join(table, person))
            place = None if home is None else msgspec.structs.replace(home, table_id=table.id)
            result = await self._store.create(record, place, key)
            if isinstance(result, Committed):
                log.info("table.opened", table=table.id, ruleset=ruleset_id, seating=str(seating))
                self._announcer.changed(table.id)
                return record
            if isinstance(result, Repeated):
                return await self._keeper.load(result.answer)

    async def add_home(self, home: Home) -> None:
        """Show a table in one more place."""
        await self._store.add_home(home)
        self._announcer.changed(home.table_id)

    async def _check_stake(self, person: Person, stake: int, origin: str) -> None:
        if not stake:
            return
        check_stake(stake, origin, allowed=(await self.place_settings(origin)).coins)
        balance = await self._presses.coins.balance(person.id, origin)
        if balance < stake:
            raise TooFewCoins(stake, balance)
