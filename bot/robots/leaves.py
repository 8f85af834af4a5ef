"""What a deal that was broken off is worth to each side: a weighed sum of what lies on the table and in the hands.

The weights were fitted to how deals ended that sensible robots played on (``bot/robots/tuned``; docs/robots.md).
Each weight changes with the time that is left and with how near somebody is to closing.
"""

from math import exp
from operator import mul
from typing import Final, NamedTuple

from bot.robots import tuned
from bot.robots.game_kinds import kind_of_game
from engine.fast import FastDeal
from engine.fast_melds import RUN, WILDS
from engine.fast_rules import FastRules
from engine.melds import CANASTA

NAMES: Final = (
    "one", "table", "table without canasta", "bonus",
    "run 3", "run 4", "run 5", "run 6", "dirty run 3", "dirty run 4", "dirty run 5", "dirty run 6",
    "set 3", "set 4", "set 5", "set 6", "dirty set 3", "dirty set 4", "dirty set 5", "dirty set 6",
    "wild meld", "cards", "points", "wilds", "neighbours", "pairs",
    "muerto taken", "near the muerto", "ready", "near the close", "near but not ready", "canasta",
    "others' muertos", "other near the close", "other near the muerto", "on turn", "pile on turn", "pile next",
)  # fmt: skip
"""The features of a side, in order."""
_SUIT: Final = 0x1FFF


def features(deal: FastDeal) -> tuple[list[list[float]], float, float]:
    """The features of each side, the time left (0 to 1) and how near anybody is to closing (0 to 1)."""
    rules = deal.rules
    book, points, sides = rules.book, rules.points, rules.sides
    sizes, taken = deal.sizes, deal.taken
    rows: list[list[float]] = []
    muerto_near: list[float] = []
    close_near: list[float] = []
    muertos = bool(deal.muertos)
    on_turn = deal.turn % sides
    pile = float(len(deal.pile))
    for side in range(sides):
        row = [0.0] * len(NAMES)
        row[0] = 1.0
        table = bonus = 0
        canasta = ready = False
        for number in deal.melds[side]:
            size, clean = book.size[number], book.clean[number]
            table += book.points[number]
            if size >= CANASTA:
                bonus += book.bonus[number]
                canasta = True
                ready = ready or clean or not rules.wants_clean
            elif book.shape[number] == WILDS:
                row[20] += size * size / 49
            else:
                row[(4 if book.shape[number] == RUN else 12) + (0 if clean else 4) + size - 3] += 1.0
        ready = ready or not rules.wants_canasta
        row[2 if rules.negative and not canasta else 1] = float(table)
        row[3] = float(bonus)
        least = 99
        for seat in range(side, rules.seats, sides):
            size = sizes[seat]
            if size < least:
                least = size
            ranks, mask = deal.ranks[seat], deal.masks[seat]
            wilds = ranks[0] + ranks[2]
            row[21] += size - wilds
            row[22] += sum([n * p for n, p in zip(deal.hands[seat], points, strict=True) if n])
            row[23] += wilds
            for shift in (0, 13, 26, 39):
                suit = mask >> shift & _SUIT
                row[24] += (suit & suit >> 1).bit_count() + 0.5 * (suit & suit >> 2).bit_count()
            row[25] += sum([n - 1 for n in ranks[3:] if n > 1]) + (ranks[1] > 1)
        near = 0.0
        if taken[side]:
            row[26] = 1.0
            near = exp(-least / 4.0)
            row[29 if ready else 30] = near
            muerto_near.append(0.0)
            close_near.append(near if ready else 0.0)
        else:
            hope = exp(-least / 5.0) if muertos else 0.0
            row[27] = hope
            muerto_near.append(hope)
            close_near.append(0.0)
        row[28] = float(ready)
        row[31] = float(canasta)
        row[35] = float(side == on_turn)
        row[36 if side == on_turn else 37] = pile
        rows.append(row)
    for side, row in enumerate(rows):
        others = [other for other in range(sides) if other != side]
        row[32] = sum([taken[other] > 0 for other in others]) / len(others)
        row[33] = max([close_near[other] for other in others])
        row[34] = max([muerto_near[other] for other in others])
    cards = len(deal.stock) + len(deal.reserve)
    if rules.muertos_to_stock:
        cards += 11 * len(deal.muertos)
    rounds = max(0, cards - rules.left_at_end) / rules.seats
    return rows, 1.0 - exp(-rounds / 6.0), max(close_near)


class Leaves(NamedTuple):
    """Weights by feature: what counts always, more while there is time, and more while somebody is near closing."""

    now: tuple[float, ...]
    early: tuple[float, ...]
    close: tuple[float, ...]


def leaves_for(rules: FastRules) -> Leaves:
    """The weights for a kind of game."""
    return Leaves(*zip(*tuned.leaves()[kind_of_game(rules)], strict=True))


def values(deal: FastDeal, leaves: Leaves) -> list[float]:
    """The worth of the deal to each side."""
    if deal.over:
        return [float(score) for score in deal.scores()]
    rows, time, danger = features(deal)
    found = []
    for row in rows:
        now = sum(map(mul, row, leaves.now))
        found.append(now + time * sum(map(mul, row, leaves.early)) + danger * sum(map(mul, row, leaves.close)))
    return found
