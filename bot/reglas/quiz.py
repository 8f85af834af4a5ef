"""Exercises: does this count as a meld? Twelve that everybody should know, then endless ones made by the engine."""

import random
from typing import Final

import msgspec

from bot.reglas.judging import Verdict, judge_cards
from engine.cards import FACE_CODE, RANKS, SUITS
from engine.ruleset import Ruleset

FIXED: Final = (
    "Qd Kd Ad 2s 3d",
    "8c 9c 2c JK Qc",
    "Ah 2h 3h JK 5h",
    "7s 7s 7d",
    "9h 2s JK",
    "4c 5c 6c 7c 8c 9c Tc Jc",
    "Js Qs Ks As",
    "Ac Ad JK As",
    "2d 2s JK JK",
    "4d 5d 7d 8d",
    "2c 3h 4h 5h",
    "6s 6h 2d 6c",
)
"""What goes wrong most: turning the corner, two wilds, the natural 2, length, gaps, aces."""
ENDLESS: Final = 1 << 31
"""Numbers of exercises below this are made from their number as the seed."""
_TRIES: Final = 40


class Exercise(msgspec.Struct, frozen=True):
    """Cards to judge, and the verdict."""

    number: int
    cards: tuple[str, ...]
    verdict: Verdict


def exercise(rules: Ruleset, number: int) -> Exercise:
    """The exercise of a number under a rule set: always the same one."""
    if number < len(FIXED):
        named = tuple(FIXED[number].split())
        return Exercise(number, named, judge_cards(rules, named))
    rng = random.Random(f"{rules.id}:{number}")  # noqa: S311 - an exercise, not a deal
    wants = rng.random() < 0.5
    for tries_left in reversed(range(_TRIES)):
        cards = _meld(rng, rules)
        named = tuple(cards if wants else _spoilt(rng, cards))
        verdict = judge_cards(rules, named)
        if (verdict.meld is not None) is wants or not tries_left:
            return Exercise(number, named, verdict)
    raise AssertionError("the last try is always taken")


def next_number(number: int, rng: random.Random) -> int:
    """The exercise after another: the fixed ones in their order, then any."""
    return number + 1 if number + 1 < len(FIXED) else rng.randrange(len(FIXED), ENDLESS)


def _meld(rng: random.Random, rules: Ruleset) -> list[str]:
    """A row of cards that would do in most rule sets: a run or a set, often with a wild."""
    most = min(8, rules.meld_closes_at or 8)
    size = rng.randint(3, most)
    if rules.sets and rng.random() < 0.4:
        rank = rng.choice([rank for rank in RANKS if rank != "2"])
        cards = [rank + suit for suit in rng.sample(SUITS * 2, min(size, 8))]
    else:
        suit = rng.choice(SUITS)
        low = rng.randint(1, 15 - size)
        cards = [RANKS[(rank - 1) % 13] + suit for rank in range(low, low + size)]
    if rng.random() < 0.6:
        at = rng.randrange(len(cards))
        cards[at] = rng.choice(["JK", *("2" + suit for suit in SUITS)])
    return cards


def _spoilt(rng: random.Random, cards: list[str]) -> list[str]:
    """The same cards with one of the usual mistakes in them."""
    at = rng.randrange(len(cards))
    match rng.randrange(4):
        case 0:  # a second wild
            cards[at] = rng.choice(["JK", *("2" + suit for suit in SUITS)])
            other = (at + 1) % len(cards)
            cards[other] = rng.choice(["JK", "2" + rng.choice(SUITS)])
        case 1:  # a card of another suit or rank
            cards[at] = rng.choice([code for code in FACE_CODE if code != "JK"])
        case 2:  # a gap
            if len(cards) > 3:
                del cards[len(cards) // 2]
            else:
                cards[at] = rng.choice(FACE_CODE)
        case _:  # one card too many, or round the corner
            cards.append(rng.choice(["A", "2", "3"]) + rng.choice(SUITS))
    return cards
