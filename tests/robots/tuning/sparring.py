"""Fast deals between players that are functions of them: some hundred a second, to measure many habits."""

import json
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bot import rulesets
from bot.robots import tuned
from bot.robots.game_kinds import GameKind
from bot.robots.habits import DEFAULT_HABITS, Habits
from bot.robots.quick import do_use, owed_use, play_turn, top_use
from bot.robots.quick_leaving import leaves_a_way
from bot.robots.quick_shapes import SUIT, Use, face_at, laid, near, runs
from bot.shuffling import seeded_deal
from engine.cards import ACE, HIGH_ACE, JOKER
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.fast import OVER_STUCK, WILD, FastDeal
from engine.fast_melds import NONE, WILD_FACES
from engine.fast_views import fast_of
from engine.melds import CANASTA
from engine.seating import Seating
from engine.state import new_match

Player = Callable[[FastDeal], None]
"""Plays the turn of the seat on turn."""
Place = tuple[str, Seating]
PLACES: Final[dict[GameKind, tuple[Place, ...]]] = {
    GameKind.NEGATIVE_ALONE: (("clasico", Seating("1v1")),),
    GameKind.NEGATIVE_PAIRS: (("clasico", Seating("2v2")),),
    GameKind.NEGATIVE_THREE: (("clasico", Seating("1v1v1")),),
    GameKind.NEGATIVE_THREE_PAIRS: (("clasico", Seating("2v2v2")),),
    GameKind.CLEAN_FREE_ALONE: (("abierto", Seating("1v1")),),
    GameKind.CLEAN_FREE_PAIRS: (("abierto", Seating("2v2")),),
    GameKind.CLEAN_TOP_ALONE: (("cerrado", Seating("1v1")), ("parejas-fechado", Seating("1v1"))),
    GameKind.CLEAN_TOP_PAIRS: (("cerrado", Seating("2v2")), ("parejas-fechado", Seating("2v2"))),
    GameKind.ANY_FREE_ALONE: (("burraco", Seating("1v1")), ("fibur", Seating("1v1"))),
    GameKind.ANY_FREE_PAIRS: (("burraco", Seating("2v2")), ("fibur", Seating("2v2"))),
    GameKind.ANY_TOP_ALONE: (("burraco-13", Seating("1v1")), ("parejas", Seating("1v1"))),
    GameKind.ANY_TOP_PAIRS: (("parejas", Seating("2v2")), ("cerrado-sucio", Seating("2v2"))),
}
"""Where the numbers of each kind are found."""
MOST_TURNS: Final = 3000
BIG_PILE: Final = 4
_ANY_CLOSE: Final = Habits(close_lead=-1e9)


def dealt(place: Place, seed: str, number: int = 0) -> FastDeal:
    """A fresh deal; ``number`` says who begins."""
    name, seating = place
    rules = rulesets.load(name)
    match = new_match(rules, seating, number % seating.seats)
    return fast_of(evolve_all(match, start_deal(match, seeded_deal(rules, seating, seed))))


def player(habits: Habits) -> Player:
    """The quick player with these habits."""
    return lambda deal: play_turn(deal, habits)


def lead(place: Place, seed: str, number: int, one: Player, others: Player) -> float:
    """By how many points a player leads the mean of the others in a deal that is played from every side."""
    base = dealt(place, seed, number)
    sides = base.rules.sides
    total = 0.0
    for side in range(sides):
        deal = base.copy()
        for _ in range(MOST_TURNS):
            if deal.over:
                break
            (one if deal.turn % sides == side else others)(deal)
        scores = deal.scores()
        total += scores[side] - (sum(scores) - scores[side]) / (sides - 1)
    return total / sides


def told(leads: Sequence[float]) -> str:
    """The mean with its 95 % interval."""
    return f"{statistics.mean(leads):+.0f} ± {1.96 * statistics.stdev(leads) / math.sqrt(len(leads)):.0f}"


def habits_of(kind: GameKind) -> Habits:
    """The habits that are in use."""
    return tuned.habits().get(kind, DEFAULT_HABITS)


def store(name: str, kind: GameKind, value: object) -> None:
    """Put the numbers of a kind into a file of :mod:`bot.robots.tuned`."""
    path = Path(tuned.__file__).with_name(name)
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**known, kind: value}, indent=2) + "\n", encoding="utf-8")


# the greedy yardstick, on fast deals


def greedy(deal: FastDeal) -> None:
    """A turn very nearly as :class:`~bot.robots.greedy.GreedyRobot` plays it."""
    seat = deal.turn
    if not deal.drawn and not _draws(deal):
        deal.over = OVER_STUCK
        return
    while not deal.over:
        use = owed_use(deal) if deal.owed != NONE else min(_uses(deal), default=(None, None), key=lambda u: u[0])[1]
        if use is None:
            break
        do_use(deal, use)
    if deal.over or deal.turn != seat:
        return
    if deal.discarded:
        deal.end_turn()
        return
    held = [face for face, count in enumerate(deal.hands[seat]) if count]
    for face in sorted(held, key=lambda face: (WILD[face], _company(deal.hands[seat], face), face % 13, face)):
        if deal.may_discard(face):
            deal.discard(face)
            return
    deal.over = OVER_STUCK


def _draws(deal: FastDeal) -> bool:
    may_draw, rules = deal.may_draw(), deal.rules
    if deal.pile and (len(deal.pile) >= BIG_PILE or not may_draw):
        if not rules.at_once and not rules.this_turn:
            deal.take_pile()
            return True
        use = top_use(deal)
        if use is not None:
            deal.take_pile()
            do_use(deal, use)
            return True
    if may_draw:
        deal.draw()
    return may_draw


def _company(hand: Sequence[int], face: int) -> int:
    if face == JOKER:
        return 0
    suit, rank = divmod(face, 13)
    return sum(
        count
        for other, count in enumerate(hand[:JOKER])
        if count and other != face and (other % 13 == rank or (other // 13 == suit and abs(other - face) <= 2))
    )


Rank = tuple[float, ...]


def _uses(deal: FastDeal) -> Iterator[tuple[Rank, Use]]:
    """Melds and adds with the engine's order of them: canastas, no wilds, clean, more points, more cards."""
    rules, seat = deal.rules, deal.turn
    book, melds, mask = rules.book, deal.melds[seat % rules.sides], deal.masks[seat]
    for index, number in enumerate(melds):
        fits = book.accepts(number) & mask
        while fits:
            low = fits & -fits
            face = low.bit_length() - 1
            fits ^= low
            grown = book.grown(number, (face,))
            if grown is not None and leaves_a_way(deal, _ANY_CLOSE, (face,), index, *grown):
                yield _rank(deal, (index, (face,), grown[0]), book.bonus[number])
    for faces in _shapes(deal):
        use = laid(deal, faces)
        if use is not None and leaves_a_way(deal, _ANY_CLOSE, use[1], NONE, use[2], NONE):
            yield _rank(deal, use, 0)


def _rank(deal: FastDeal, use: Use, before: int) -> tuple[Rank, Use]:
    book, faces, number = deal.rules.book, use[1], use[2]
    gain = sum(deal.rules.points[face] for face in faces) + book.bonus[number] - before
    canasta = gain if book.size[number] >= CANASTA else 0
    wilds = sum(WILD[face] for face in faces)
    return (-canasta, wilds, not book.clean[number], -gain, -len(faces), faces[0]), use


def _shapes(deal: FastDeal) -> Iterator[list[int]]:
    """Cards of the hand that may make new melds."""
    seat, switches = deal.turn, deal.rules.rules
    mask, hand = deal.masks[seat], deal.hands[seat]
    for suit in range(4):
        for low, length in runs(mask >> 13 * suit & SUIT, switches.run_minimum, switches.run_maximum):
            yield [face_at(place, suit) for place in range(low, low + length)]
    if switches.sets:
        for rank, count in enumerate(deal.ranks[seat]):
            if count > 2 and rank not in (0, 2):
                faces = [face for face in range(rank - 1, 52, 13) for _ in range(hand[face])]
                yield faces[: switches.meld_closes_at or 14]
    wilds = [face for face in WILD_FACES for _ in range(hand[face])]
    if switches.wild_melds and len(wilds) > 2:
        yield wilds[: switches.meld_closes_at or 14]
    if not wilds:
        return
    if switches.run_minimum == 3:
        naturals = [face for face in range(52) if hand[face] and not WILD[face]]
        neighbours = near(switches.sets)
        for i, face in enumerate(naturals):
            if hand[face] > 1 and switches.sets:
                yield [face, face, wilds[0]]
            yield from ([face, other, wilds[0]] for other in naturals[i + 1 :] if neighbours[face] >> other & 1)
        return
    for suit in range(4):
        for low in range(ACE, HIGH_ACE - switches.run_minimum + 2):
            faces = [face_at(place, suit) for place in range(low, low + switches.run_minimum)]
            held = [face for face in faces if hand[face] and not WILD[face]]
            if len(held) == len(faces) - 1:
                yield [*held, wilds[0]]
