"""Results and ratings in memory: the reference of what :mod:`adapters.storage.results` does."""

from collections.abc import Mapping, Sequence

import msgspec

from adapters.storage.memory_part import MemoryPart
from adapters.storage.results import decode_rating, decode_result, encode_rating, encode_result, in_order, meetings_in
from bot.model import Status
from bot.results.model import Rating, Result, without_person
from bot.results.places import place_mark
from bot.results.rating import rate
from bot.store import StoreError
from engine.seating import Seating


class MemoryResults(MemoryPart):
    """The results and ratings of a store in memory, as bytes; see :class:`bot.results.storing.ResultStore`."""

    def __init__(self) -> None:
        self._results: dict[str, bytes] = {}
        self._ratings: dict[tuple[str, str], bytes] = {}

    def _changed_at(self) -> Mapping[str, tuple[str, int]]:
        """The status of every table and its last change; the store knows them."""
        raise NotImplementedError

    def _all(self) -> list[Result]:
        self._check_open()
        return [decode_result(table_id, data) for table_id, data in self._results.items()]

    async def without_result(self) -> Sequence[tuple[str, int]]:
        """The tables that are over and have no result, oldest first."""
        self._check_open()
        found = [
            (table_id, at_ms)
            for table_id, (status, at_ms) in self._changed_at().items()
            if status == Status.OVER and table_id not in self._results
        ]
        return tuple(sorted(found, key=lambda pair: (pair[1], pair[0])))

    async def add_result(self, result: Result) -> bool:
        """Rate a result and keep it once, with the ratings that it leads to."""
        self._check_open()
        if result.table_id not in self._changed_at():
            raise StoreError(f"{result.table_id}: there is no such table")
        if result.table_id in self._results:
            return False
        before = {
            rating.person: rating
            for rating in self._rated()
            if rating.person in result.people and rating.seating is result.seating
        }
        new, ratings = rate(result, before, meetings_in(self._results.items()))
        self._results[result.table_id] = encode_result(new)
        for rating in ratings:
            self._ratings[rating.person, rating.seating.value] = encode_rating(rating)
        return True

    async def result(self, table_id: str) -> Result | None:
        """The result of a table."""
        self._check_open()
        data = self._results.get(table_id)
        return None if data is None else decode_result(table_id, data)

    async def results(self) -> Sequence[Result]:
        """All results."""
        return tuple(self._all())

    async def results_of(self, person_id: str) -> Sequence[Result]:
        """The results of a person."""
        return tuple(result for result in self._all() if person_id in result.people)

    async def results_at(self, mark: str, since_ms: int = 0, until_ms: int | None = None) -> Sequence[Result]:
        """The results of a place."""
        here = [result for result in self._all() if place_mark(result.origin) == mark]
        return tuple(
            result
            for result in here
            if since_ms <= result.ended_ms and (until_ms is None or result.ended_ms < until_ms)
        )

    async def ratings(self, person_ids: Sequence[str], seating: Seating) -> Sequence[Rating]:
        """The ratings of persons in a seating."""
        return tuple(rating for rating in self._rated() if rating.person in person_ids and rating.seating is seating)

    async def ratings_of(self, person_id: str) -> Sequence[Rating]:
        """The ratings of a person."""
        return tuple(rating for rating in self._rated() if rating.person == person_id)

    def _rated(self) -> tuple[Rating, ...]:
        self._check_open()
        return in_order([decode_rating(person, seating, data) for (person, seating), data in self._ratings.items()])

    async def move_results(self, origin: str, to: str) -> None:
        """Take a place's results along to its new name."""
        for result in self._all():
            if result.origin == origin:
                self._results[result.table_id] = encode_result(msgspec.structs.replace(result, origin=to))

    async def anonymise_results(self, person_id: str) -> int:
        """Make a person nobody in all results."""
        found = await self.results_of(person_id)
        for result in found:
            self._results[result.table_id] = encode_result(without_person(result, person_id))
        self._ratings = {key: data for key, data in self._ratings.items() if key[0] != person_id}
        return len(found)
