"""Fit a kind's beliefs: ``uv run python -m tests.robots.tuning.fit_beliefs clean_free_pairs`` (a minute or two a kind).

The sensible robot plays deals against itself; at some of its decisions, the hands that are hidden from it are compared
with what chance alone would deal there. The weights of the clues are those that make the true hands likeliest, as if
their cards had been drawn one after the other by the odds. Prints how much likelier they make a hand that was not
fitted, and puts the weights into ``bot/robots/tuned/beliefs.json``.
"""

import argparse
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from bot.bench.rows import row_of
from bot.robots.beliefs import CLUES, Beliefs
from bot.robots.clues import clues, doubts
from bot.robots.game_kinds import GameKind
from bot.robots.registry import make_robot
from bot.robots.swift import layout as at
from bot.robots.swift.believing import begin, deal_out, put_on_turn
from bot.robots.swift.outlook import look
from bot.robots.swift.plan import plan, start
from bot.robots.swift.workshop import Workshop, workshop_for
from bot.robots.worlds import Worlds
from engine.state import Match
from engine.views import SeatView
from tests.robots.rows import dealt, watched
from tests.robots.tuning.sparring import PLACES, Floats, Place, Row, store_beliefs

DEALS: Final = 60
"""Of a kind, in all its places."""
LOOKED_AT: Final = 0.2
"""The share of decisions at which hands are looked at."""
SAMPLES: Final = 4
RIDGE: Final = 3.0
_STEPS: Final = 30


class Looks(NamedTuple):
    """Hidden hands, one a row: the clues of each face, how many of it were unseen, how many the hand held."""

    clues: Any
    unseen: Any
    held: Any


class Position(NamedTuple):
    """A decision, and how things were."""

    worlds: Worlds
    true: Row
    shop: Workshop
    clues: Any


def decisions(place: Place, deals: int, rng: Random) -> Iterator[tuple[Match, SeatView]]:
    """Some decisions of the sensible robot against itself, with all that there is to know."""
    name, seating = place
    players = [make_robot("normal")] * seating.seats
    for number in range(deals):
        for match, view in watched(dealt(name, seating, f"beliefs:{number}", number), players):
            if rng.random() < LOOKED_AT:
                yield match, view


def positions(place: Place, deals: int, rng: Random) -> list[Position]:
    """Decisions with the hands as they were."""
    found = []
    for match, view in decisions(place, deals, rng):
        shop = workshop_for(view.table.rules, view.table.seating)
        worlds = Worlds(view, shop)
        seen = clues(view, worlds.base, shop, worlds.hidden.needs)
        found.append(Position(worlds, row_of(match, shop), shop, seen))
    return found


def looks(position: Position) -> list[tuple[Any, Any, Any]]:
    """Each hidden hand of a position."""
    hidden = position.worlds.hidden
    unseen = np.bincount(hidden.cards[0, : hidden.size], minlength=at.FACES)
    hands = position.true[at.HANDS : at.MELDS].reshape(at.MOST_SEATS, at.FACES) - hidden.known
    seats = [seat for seat in range(position.shop.rules.seats) if hidden.needs[seat]]
    return [(position.clues[seat], unseen, hands[seat]) for seat in seats]


def could_lay(row: Row, shop: Workshop, seat: int) -> float:
    """1 where the compiled player would lay something from the hand of a seat, were it on turn; else 0."""
    g, trial = shop.gear, row.copy()
    put_on_turn(trial, seat)
    look(trial, g.r, g.m, g.w, g.o, g.k)
    start(trial, g.r, g.rows[0])
    return float(plan(trial, g, 1)[1] > 0)


def lays(position: Position, beliefs: Beliefs, rng: Random) -> list[tuple[float, float, float]]:
    """How many hands could lay something: true ones, dealt ones, and dealt ones that have settled."""
    worlds, shop = position.worlds, position.shop
    hidden = worlds.hidden._replace(doubts=doubts(position.clues, beliefs))
    seats = [seat for seat in range(shop.rules.seats) if hidden.needs[seat]]
    shares = [[could_lay(position.true, shop, seat) for seat in seats]]
    for settled in (0.0, 1.0):
        dealt = hidden._replace(settled=np.full(at.MOST_SEATS, settled))
        begin(rng.randrange(1 << 30))
        rows = [worlds.base.copy() for _ in range(SAMPLES)]
        for row in rows:
            deal_out(row, shop.gear, dealt)
        shares.append([sum(could_lay(row, shop, seat) for row in rows) / SAMPLES for seat in seats])
    return list(zip(*shares, strict=True))


def likelihood(found: Looks, weights: Floats) -> tuple[float, Floats]:
    """The logarithm of how likely the hands are, and by hand the share of each face."""
    odds = found.unseen * np.exp(found.clues @ weights)
    shares = odds / odds.sum(axis=1, keepdims=True)
    return float((found.held * np.log(np.maximum(shares, 1e-12))).sum()), shares


def fitted(found: Looks) -> Floats:
    """The weights that make the hands likeliest (Newton's method, with a ridge)."""
    weights = np.zeros(len(CLUES))
    cards = found.held.sum(axis=1)
    best, shares = likelihood(found, weights)
    for _ in range(_STEPS):
        slope = np.einsum("sf,sfk->k", found.held - cards[:, None] * shares, found.clues) - RIDGE * weights
        mean = np.einsum("sf,sfk->sk", shares, found.clues)
        bend = np.einsum("s,sf,sfk,sfl->kl", cards, shares, found.clues, found.clues, optimize=True)
        bend -= np.einsum("s,sk,sl->kl", cards, mean, mean)
        step = np.linalg.solve(bend + RIDGE * np.eye(len(weights)), slope)
        step *= min(1.0, 1.0 / np.abs(step).max())
        weights = weights + step
        now, shares = likelihood(found, weights)
        if abs(now - best) < 0.01:
            break
        best = now
    return weights


def part(found: Looks, which: Any) -> Looks:
    """Some of the hands."""
    return Looks(*(column[which] for column in found))


def main() -> None:
    """Fit on half of the hands to tell how well that does on the others, then on all of them."""
    parser = argparse.ArgumentParser(description="Fit a kind's beliefs.")
    parser.add_argument("kind", type=GameKind)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--look", action="store_true", help="only tell, keep the beliefs in use")
    asked = parser.parse_args()
    kind, places = asked.kind, PLACES[asked.kind]
    rng = Random(f"beliefs {kind}")
    seen = [position for place in places for position in positions(place, asked.deals // len(places), rng)]
    found = Looks(*map(np.array, zip(*(hand for position in seen for hand in looks(position)), strict=True)))
    half = len(found.held) // 2
    first, rest = part(found, slice(half)), part(found, slice(half, None))
    gain = (likelihood(rest, fitted(first))[0] - likelihood(rest, np.zeros(len(CLUES)))[0]) / len(rest.held)
    beliefs = Beliefs(**dict(zip(CLUES, map(float, fitted(found)), strict=True)))
    shares = [share for position in seen for share in lays(position, beliefs, rng)]
    true, dealt, settled = (sum(column) / len(shares) for column in zip(*shares, strict=True))
    share = min(1.0, max(0.0, (dealt - true) / max(0.01, dealt - settled)))
    sys.stdout.write(
        f"{kind}: {len(found.held)} hands, likelier by {gain:.2f} in the logarithm; "
        f"could lay: {true:.0%}, dealt {dealt:.0%}, settled {settled:.0%}: {share:.0%} settle\n"
    )
    if not asked.look:
        store_beliefs(kind, msgspec.structs.replace(beliefs, settled=share))


if __name__ == "__main__":
    main()
