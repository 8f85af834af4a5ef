"""Prints a digest of every state of a stored deal, for comparison between processes: ``python -m`` with a file."""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from engine import legal
from engine.actions import StartDeal
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.judge import play
from engine.notation import write_action
from engine.seating import Seating
from engine.state import new_match
from engine.views import public_view, seat_view
from tests.strategies import ruleset


class Log(msgspec.Struct, frozen=True):
    """All that a deal needs to be played again."""

    ruleset: str
    seating: Seating
    first_starter: int
    chance: StartDeal
    actions: tuple[str, ...]


def digests(log: Log) -> Iterator[str]:
    """A digest of the state, of what everybody and every seat sees and of what is offered, after every action."""
    match = new_match(ruleset(log.ruleset), log.seating, log.first_starter)
    match = evolve_all(match, start_deal(match, log.chance))
    for action in (None, *log.actions):
        if action is not None:
            match = play(match, action)
        views = [seat_view(match, seat) for seat in range(log.seating.seats)]
        offers = [[write_action(offer) for offer in legal.actions(view)] for view in views]
        seen = msgspec.json.encode((match, public_view(match), views, offers))
        yield hashlib.sha256(seen).hexdigest()[:16]


if __name__ == "__main__":
    for digest in digests(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Log)):
        sys.stdout.write(f"{digest}\n")
