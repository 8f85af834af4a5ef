"""The robot that plays anything legal: the floor for measurements and a searcher of odd corners."""

import hashlib

import msgspec

from engine import legal
from engine.actions import Action
from engine.views import SeatView


class RandomRobot:
    """Plays any of the legal actions, each as likely as the next; fixed by its seed and the view."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: SeatView) -> Action:
        """One of :func:`engine.legal.actions`.

        Raises:
            ValueError: it is not this seat's turn.
        """
        found = legal.actions(view)
        if not found:
            raise ValueError(f"seat {view.seat} is not on turn")
        return found[self._number(view) % len(found)]

    def _number(self, view: SeatView) -> int:
        table = view.table
        known = (self._seed, view.seat, view.hand, table.number, table.stock_count, table.pile_count, table.pile[-1:])
        text = msgspec.json.encode((*known, table.turns_without_draw, table.plays, table.last_plays))
        # 64 bits over a handful of actions: the modulo favours none that could be noticed.
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
