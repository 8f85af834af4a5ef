"""Answering what is asked about coins: a purse, today's coins, the ranking by points. Always in private."""

from datetime import UTC, datetime
from typing import Final

from bot.clock import Clock
from bot.keeper import Keeper
from bot.model import Person, Table
from bot.presenter.coins import (
    PLACES_SHOWN,
    Earner,
    Purse,
    collected_before_text,
    collected_text,
    no_coins_here_text,
    points_screen,
    purse_screen,
)
from bot.results.places import place_mark
from bot.results.seasons import season_at
from bot.screens import Answer
from bot.stakes.ledger import wallet
from bot.stakes.rules import daily, points_for, welcome
from bot.texts import Texts
from bot.tokens import Intent, TokenError, Verb

COIN_VERBS: Final = frozenset({Verb.COINS, Verb.COLLECT, Verb.POINTS})
_LINES_SHOWN: Final = 8
_MARK_LENGTH: Final = 20


class CoinsDesk:
    """Hands out coins and shows what became of them."""

    def __init__(self, keeper: Keeper, clock: Clock) -> None:
        self._keeper = keeper
        self._store = keeper.store
        self._clock = clock

    async def press(self, t: Texts, person: Person, intent: Intent) -> Answer:
        """What a press leads to.

        Raises:
            TokenError: it makes no sense.
        """
        mark = intent.arguments[0] if intent.arguments else ""
        if len(mark) != _MARK_LENGTH:
            raise TokenError(mark)
        match intent.verb:
            case Verb.COLLECT:
                return await self._collect(t, person, mark)
            case Verb.POINTS:
                return await self._points(t, person, mark)
            case _:
                return await self._purse(t, person, mark)

    async def purse(self, t: Texts, person: Person, origin: str) -> Answer:
        """A person's coins in a server or group, by its platform's key; empty for none."""
        if not origin:
            return Answer(no_coins_here_text(t), ok=False)
        return await self._purse(t, person, place_mark(origin))

    async def balance(self, person_id: str, origin: str) -> int:
        """A person's coins in a place; whoever comes for the first time is given the first ones."""
        return await self._balance(person_id, place_mark(origin))

    async def lacks(self, person_id: str, table: Table) -> int | None:
        """What a person has where it is less than the table's stake; None where they may sit down."""
        if not table.stake:
            return None
        balance = await self.balance(person_id, table.origin)
        return balance if balance < table.stake else None

    async def _balance(self, person_id: str, mark: str) -> int:
        account = wallet(mark, person_id)
        balance = await self._store.balance(account)
        if balance is None and await self._store.person(person_id) is not None:
            await self._store.post(welcome(mark, person_id))
            balance = await self._store.balance(account)
        return balance or 0

    def _today(self) -> str:
        return datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC).date().isoformat()

    async def _collect(self, t: Texts, person: Person, mark: str) -> Answer:
        await self._balance(person.id, mark)
        new = await self._store.post(daily(mark, person.id, self._today()))
        answer = await self._purse(t, person, mark)
        told = collected_text(t, await self._balance(person.id, mark)) if new else collected_before_text(t)
        return Answer(told, ok=bool(new), screen=answer.screen)

    async def _purse(self, t: Texts, person: Person, mark: str) -> Answer:
        balance = await self._balance(person.id, mark)
        lines = await self._store.statement(wallet(mark, person.id), _LINES_SHOWN)
        collected = await self._store.is_posted(daily(mark, person.id, self._today()).id)
        tables = {line.table_id for line in lines} - {""}
        names = {record.table.id: record.table.name async for record in self._keeper.readable(tables)}
        named = tuple((line, names.get(line.table_id, "")) for line in lines)
        return Answer(screen=purse_screen(t, Purse(mark, balance, named, collects=not collected)))

    async def _points(self, t: Texts, viewer: Person, mark: str) -> Answer:
        season = season_at(self._clock.now_ms())
        points: dict[str, int] = {}
        for result in await self._store.results_at(mark, season.start_ms, season.end_ms):
            for seat, player in enumerate(result.players):
                if result.stake and player.person is not None and result.won(seat):
                    points[player.person] = points.get(player.person, 0) + points_for(result.stake)
        earners: list[Earner] = []
        for person_id, won in sorted(points.items(), key=lambda pair: (-pair[1], pair[0])):
            person = await self._store.person(person_id)
            if person is not None and (person.public_record or person_id == viewer.id):
                earners.append(Earner(person_id, person.name, won))
            if len(earners) >= PLACES_SHOWN:
                break
        return Answer(screen=points_screen(t, earners, mark, viewer.id))
