"""What the compiled functions work with: under one rule set at one kind of table, and to deal what is hidden."""

from typing import Any, NamedTuple

import numpy as np

from bot.robots.swift import layout as at


class Gear(NamedTuple):
    """Arrays (:mod:`bot.robots.swift.layout`). The first six say how to play; the others are to work on.

    Whoever needs but a few of them is given those, so that the innermost functions take little.
    """

    r: Any
    """The rules: one row of int64."""
    m: Any
    """The forms of melds: rows of int64."""
    n: Any
    """Where new melds begin: one row of int64."""
    w: Any
    """Weights: one row of float64."""
    h: Any
    """Habits about the pile: one row of float64."""
    leaves: Any
    """The weights of a leaf: three rows of float64."""
    o: Any
    """The outlook of the seat on turn: one row of float64."""
    k: Any
    """What is known of melds and of rows of cards: rows of float64."""
    rows: Any
    """Hands with the melds of their side: rows of int64."""
    uses: Any
    """Lists of what may be laid: rows of int64, list by list."""
    paths: Any
    """Uses one after the other: rows of int64, path by path."""
    features: Any
    """The features of each side: rows of float64."""


class Hidden(NamedTuple):
    """What has to be dealt out before a deal can be played on."""

    cards: Any
    """The hidden cards by face, and two rows to work on: rows of int64."""
    size: int
    needs: Any
    """By seat how many cards are missing, then how many of the pile, from below: one row of int64."""
    doubts: Any
    """By seat and face, how readily a seat is dealt a card, above 0 and at most 1: rows of float64."""
    known: Any
    """By seat and face, how many of its cards everybody has seen: rows of int64."""
    settled: Any
    """By seat, how likely it has laid whatever it would lay: one row of float64."""


def hidden_cards(faces: Any, needs: Any, doubts: Any, known: Any, settled: Any) -> Hidden:
    """Hidden cards, by face, with room to work."""
    cards = np.zeros((3, len(faces) + 1), dtype=np.int64)
    cards[0, : len(faces)] = faces
    return Hidden(cards, len(faces), needs, doubts, known, settled)


def chance_alone(faces: Any, needs: Any) -> Hidden:
    """Hidden cards that may lie anywhere, as in a fresh deal."""
    every = (at.MOST_SEATS, at.FACES)
    return hidden_cards(faces, needs, np.ones(every), np.zeros(every, dtype=np.int64), np.zeros(at.MOST_SEATS))
