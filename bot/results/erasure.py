"""Results as a part of what is kept of a person: told on request, and made nobody's."""

from bot.results.model import Result
from bot.results.recorder import Recorder
from bot.store import Store


class ResultsPart:
    """Results and ratings; see :class:`bot.privacy.Part`."""

    name = "results"

    def __init__(self, store: Store, recorder: Recorder) -> None:
        self._store = store
        self._recorder = recorder

    async def export(self, person_id: str) -> object:
        """A person's own results and ratings. It tells nothing of other people."""
        return {
            "matches": [_own(result, person_id) for result in await self._store.results_of(person_id)],
            "ratings": [
                {"seating": rating.seating.value, "matches": rating.matches, "skill": rating.skill}
                for rating in await self._store.ratings_of(person_id)
            ],
        }

    async def erase(self, person_id: str) -> None:
        """Make a person nobody in all results."""
        await self._recorder.erase(person_id)


def _own(result: Result, person_id: str) -> dict[str, object]:
    seat = next(seat for seat, player in enumerate(result.players) if player.person == person_id)
    player, side = result.players[seat], result.seating.side_of(seat)
    return {
        "table_id": result.table_id,
        "ruleset": result.ruleset,
        "seating": result.seating.value,
        "ended_ms": result.ended_ms,
        "name": player.name,
        "points": result.totals[side],
        "won": side == result.winner,
        "left": player.left,
        "stood_in": player.stood_in,
        "before": player.before,
        "after": player.after,
        "weight": result.weight,
    }
