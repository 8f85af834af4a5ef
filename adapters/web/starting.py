"""The start page's requests: what can be chosen, whose tables wait, and opening one."""

import asyncio
from functools import lru_cache
from typing import Any, Final

import msgspec
from aiohttp import web

from adapters.web.guard import Refusal
from adapters.web.identity import visitor_of
from adapters.web.reader import ROOM_PLACE
from adapters.web.speech import spoken
from adapters.web.visits import LONGEST_NAME, PLATFORM, OwnTable, answer_json, met, own_table, press_key, told
from adapters.web.wire import Button, plain_button
from bot.app import App
from bot.commands import CommandError
from bot.model import Home, Pace
from bot.presenter.coins import stake_refused_text
from bot.presenter.commands import command_problem_text
from bot.presenter.house_rules import house_rules_of
from bot.presenter.waiting import waiting_line
from bot.presenter.web import (
    Option,
    RuleChoice,
    clashing_rules_text,
    no_such_rules_text,
    own_choices,
    pace_choices,
    rule_choices,
)
from bot.results.places import place_mark
from bot.rulesets import RulesetNotFound, load
from bot.stakes.rules import StakeRefused
from bot.texts import texts
from engine.ruleset import RulesetError
from engine.seating import Seating

_MOST_TABLES: Final = 12


class OpenBody(msgspec.Struct, frozen=True):
    """A table to open."""

    name: str
    ruleset: str
    seating: str
    press_id: str
    target: int | None = None
    options: dict[str, Any] = {}
    """House rules by field name."""
    pace: str = Pace.FREE.value
    title: str = ""
    """What the table is to be called; empty for its usual name."""
    private: bool = False
    stake: int = 0


class Start(msgspec.Struct, frozen=True):
    """What the start page shows."""

    name: str
    rules: tuple[RuleChoice, ...]
    tables: tuple[OwnTable, ...]
    paces: tuple[Option, ...] = ()
    waiting: tuple[OwnTable, ...] = ()
    """Public tables of the room at which there is a seat free, the visitor's own left out."""
    me: tuple[Button, ...] = ()
    """What the visitor may read of themselves and of the room; nothing without a name."""


class StartRoutes:
    """Answers the requests of the start page; who asks is known from the cookie alone."""

    def __init__(self, app: App) -> None:
        self._app = app

    def add_to(self, server: web.Application) -> None:
        """Make the addresses known to a server."""
        server.router.add_get("/api/inicio", self.start)
        server.router.add_get("/api/reglas/{ruleset:[a-z0-9-]{1,40}}", self.house)
        server.router.add_post("/api/mesas", self.open_table)

    async def start(self, request: web.Request) -> web.Response:
        """What can be chosen, and the visitor's own tables."""
        visitor = visitor_of(request)
        person = await self._app.person(visitor.key)
        tables = [] if person is None else (await self._app.tables_of(person.id))[:_MOST_TABLES]
        own = [table for table_id in tables if (table := await own_table(self._app, table_id)) is not None]
        name = "" if person is None else person.name
        t = spoken(request)
        choices = () if person is None else own_choices(t, place_mark(ROOM_PLACE))
        me = tuple(plain_button(choice) for choice in choices)
        others = [
            OwnTable(record.table.code, waiting_line(t, record.table))
            for record in await self._app.waiting_tables(ROOM_PLACE)
            if person is None or record.table.seat_of(person.id) is None
        ]
        start = Start(name, _rules(t.locale), tuple(own), pace_choices(t), tuple(others), me)
        return answer_json(request, visitor, start)

    async def house(self, request: web.Request) -> web.Response:
        """What a table of a rule set can change."""
        try:
            # Off the loop: the first time, every value of every field is tried.
            found = await asyncio.to_thread(house_rules_of, spoken(request).locale, request.match_info["ruleset"])
        except RulesetNotFound:
            raise Refusal(404, no_such_rules_text(spoken(request))) from None
        # The target has its own place on the page.
        rules = [rule for rule in found if rule.field != "target"]
        return answer_json(request, visitor_of(request), {"ok": True, "rules": rules})

    async def open_table(self, request: web.Request) -> web.Response:
        """Open a table; its code is the answer."""
        visitor, body = await told(request, OpenBody)
        try:
            seating = Seating(body.seating)
            rules = load(body.ruleset)
            if body.target is not None and body.target not in {rules.target, *rules.target_options}:
                raise ValueError(body.target)
            person = await met(self._app, request, visitor, body.name)
            record = await self._app.open_table(
                person,
                ruleset_id=body.ruleset,
                seating=seating,
                options={**({} if body.target in (None, rules.target) else {"target": body.target}), **body.options},
                pace=Pace(body.pace),
                name=body.title[:LONGEST_NAME],
                private=body.private,
                stake=body.stake,
                origin=ROOM_PLACE,
                press_id=press_key(person, body.press_id),
            )
        except StakeRefused as error:
            raise Refusal(400, stake_refused_text(spoken(request), error)) from None
        except CommandError as error:
            raise Refusal(503, command_problem_text(spoken(request), error)) from None
        except RulesetError:
            raise Refusal(400, clashing_rules_text(spoken(request))) from None
        except (ValueError, RulesetNotFound):
            raise Refusal(400, no_such_rules_text(spoken(request))) from None
        await self._app.add_home(Home(record.table.id, PLATFORM, record.table.code))
        return answer_json(request, visitor, {"ok": True, "code": record.table.code})


@lru_cache(maxsize=16)
def _rules(locale: str) -> tuple[RuleChoice, ...]:
    return rule_choices(texts(locale))
