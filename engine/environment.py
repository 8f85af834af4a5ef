"""The engine as an environment for players that learn or search: reset, step, legal actions, what a seat sees.

It adds no rule and keeps no chance of its own: whoever resets it hands over the shuffled pack. docs/environment.md has
an example that the tests run.
"""

from engine.actions import Action, StartDeal
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.legal import actions
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import SeatView, seat_view


class Environment:
    """One deal at a time of a rule set and seating."""

    def __init__(self, rules: Ruleset, seating: Seating) -> None:
        """A rule set and one of its seatings.

        Raises:
            ValueError: the rule set does not know the seating.
        """
        self._rules = rules
        self._seating = seating
        self._match = new_match(rules, seating, 0)

    @property
    def match(self) -> Match:
        """The whole state, hidden cards included: immutable, so that keeping it is enough to come back to it."""
        return self._match

    @property
    def mover(self) -> int | None:
        """The seat on turn; None before a deal and after its end."""
        deal = self._match.deal
        return None if deal is None or not self._match.in_play else deal.turn.seat

    def reset(self, chance: StartDeal, starter: int = 0) -> SeatView:
        """Begin a deal with a shuffled pack; what the starter sees.

        Raises:
            IllegalDeal: the pack cannot be dealt.
            ValueError: there is no such seat.
        """
        match = new_match(self._rules, self._seating, starter)
        self._match = evolve_all(match, start_deal(match, chance))
        return self.observation(starter)

    def restore(self, match: Match) -> None:
        """Go on from a state that :attr:`match` gave."""
        self._match = match

    def observation(self, seat: int) -> SeatView:
        """What a seat sees: its own hand, what is public, and nothing else.

        Raises:
            ValueError: no deal has begun, or there is no such seat.
        """
        return seat_view(self._match, seat)

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """What a seat (the mover, if none is named) may do now; empty for whoever is not on turn.

        Melds and adds are those worth asking for, not every combination: :meth:`step` takes any legal one.
        """
        asked = self.mover if seat is None else seat
        return [] if asked is None else actions(self.observation(asked))

    def step(self, action: Action) -> tuple[float, ...] | None:
        """The mover's action; each side's points when it ended the deal, None before.

        Raises:
            IllegalAction: the rules refuse it, and nothing has changed; or nobody is on turn.
        """
        mover = self.mover
        self._match = evolve_all(self._match, decide(self._match, 0 if mover is None else mover, action))
        deal = self._match.deal
        if deal is None or deal.scores is None:
            return None
        return tuple(float(score.total) for score in deal.scores)
