"""What is asked of a store about results; part of :class:`bot.store.Store`."""

from collections.abc import Sequence
from typing import Protocol

from bot.results.model import Rating, Result
from engine.seating import Seating


class ResultStore(Protocol):
    """Results in the order in which they were kept, and ratings. Every method may raise ``StoreBusy``."""

    async def without_result(self) -> Sequence[tuple[str, int]]:
        """The tables whose match is over and has no result, each with its last change in milliseconds, oldest first."""

    async def add_result(self, result: Result) -> bool:
        """Rate a result by all that is kept so far, and keep it and the ratings that it leads to, in one transaction.

        See :func:`bot.results.rating.rate`. False where the table has a result already.
        """

    async def result(self, table_id: str) -> Result | None:
        """The result of a table's match."""

    async def results(self) -> Sequence[Result]:
        """All results."""

    async def results_of(self, person_id: str) -> Sequence[Result]:
        """The results of a person."""

    async def results_at(self, mark: str, since_ms: int = 0, until_ms: int | None = None) -> Sequence[Result]:
        """The results of a place by its :func:`bot.results.places.place_mark`: ended since, and before."""

    async def ratings(self, person_ids: Sequence[str], seating: Seating) -> Sequence[Rating]:
        """The ratings of some persons in a seating; without those who have none."""

    async def ratings_of(self, person_id: str) -> Sequence[Rating]:
        """The ratings of a person, in the order of seatings."""

    async def move_results(self, origin: str, to: str) -> None:
        """A place is called otherwise from now on: its results go along."""

    async def anonymise_results(self, person_id: str) -> int:
        """Make a person nobody in all results and forget their ratings; nothing of the others changes.

        Returns in how many results they were.
        """
