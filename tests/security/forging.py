"""Tokens that nobody gave out, and a look over the store's shoulder: who moved whose cards?"""

import random
import string
from collections.abc import Sequence
from typing import Any

from bot.app import App
from bot.model import Person
from bot.screens import Screen
from bot.store import Change, Store
from bot.tokens import Verb, base36
from tests.bot.tables import choices

_LETTERS = string.ascii_letters + string.digits + ":+-_ \x00é\U0001f0cf"


class Forger:
    """Makes up tokens: out of nothing, and out of genuine ones of anybody's screens."""

    def __init__(self, dice: random.Random, kinds: Sequence[str] = ()) -> None:
        """``kinds`` are the first parts of what a platform has of its own beside tokens."""
        self._dice = dice
        self._kinds = kinds
        self.genuine: list[str] = []

    async def look(self, app: App, table_id: str, people: Sequence[Person]) -> None:
        """See the newest buttons of everybody."""
        for person in people:
            for screen in (await app.hand_screen(table_id, person), await app.public_screen(table_id, person.id)):
                if screen is not None:
                    self.genuine += tokens_of(screen)
        del self.genuine[:-400]

    def token(self) -> str:
        """A token that may be anything."""
        dice = self._dice
        kind = dice.randrange(7 if self._kinds else 6)
        if kind == 0 or not self.genuine:
            return "".join(dice.choices(_LETTERS, k=dice.randrange(80)))
        token = dice.choice(self.genuine)
        if kind == 1:  # one bit
            data = bytearray(token.encode())
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(7)
            return data.decode("latin-1")
        parts = token.split(":")
        if kind == 2:  # another part
            parts[dice.randrange(len(parts))] = "".join(dice.choices(_LETTERS, k=dice.randrange(12)))
        elif kind == 3:  # other cards
            parts.append(base36(dice.randrange(1 << dice.randrange(1, 60))))
        elif kind == 4:  # cut off, or twice
            parts = parts[: dice.randrange(len(parts) + 1)] + parts[: dice.randrange(3)]
        elif kind == 6:  # the platform's own
            more = [base36(dice.randrange(1 << dice.randrange(1, 130))) for _ in range(dice.randrange(4))]
            parts = [dice.choice(self._kinds), dice.choice((*parts[1:2], *Verb)), *more]
        return ":".join(parts)  # else as it is: somebody else's, or an old one


def tokens_of(screen: Screen) -> list[str]:
    """All tokens that a screen holds."""
    return [choice.token for choice in choices(screen)] + (
        [] if screen.picker is None else [verb.token for verb in screen.picker.verbs]
    )


class Watch:
    """Looks at every change that a store is asked for: a match in play is moved by whoever is on turn alone."""

    def __init__(self, store: Store) -> None:
        self._commit = store.commit
        self._store = store
        self.moves = 0
        self.problems: list[str] = []
        store.commit = self.commit  # type: ignore[method-assign]

    async def commit(self, change: Change) -> Any:
        """Judge, and go on."""
        before = await self._store.load(change.record.table.id)
        match = None if before is None else before.match
        if before is not None and match is not None and match.in_play and match != change.record.match:
            assert match.deal is not None
            chair = before.table.chairs[match.deal.turn.seat]
            if change.press_id is not None:
                self.moves += 1
                if chair.person is None or not change.press_id.startswith(f"{chair.person}:"):
                    self.problems.append(f"{change.press_id} moved the cards of {chair.name}")
        return await self._commit(change)
