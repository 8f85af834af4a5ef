"""Shuffling: the only place where chance enters a deal. The engine is handed the result as data.

The shuffle is Fisher and Yates's, from the last place down: place ``i`` is swapped with one drawn evenly from
``0..i``. Two sources of numbers feed it:

* :func:`secure_deal` draws from the operating system's secure source, for everything that people play;
* :func:`seeded_deal` draws from a stream that a seed fixes for ever, in every process and every Python version, for
  tests, self-play and records. Block ``n`` (0, 1, 2 …) of the stream is HMAC-SHA256 with the seed's text in UTF-8 as
  the key and ``n`` as eight bytes, most significant first, as the message. The blocks are read as words of 64 bits,
  most significant byte first. A number below ``k`` is a word modulo ``k``; words at or above the largest multiple of
  ``k`` are thrown away, so that every number is equally likely.

A rule set may want a pack reshuffled that turns up a wild: then the same source goes on and the whole pack is
shuffled again from factory order.
"""

import hmac
import secrets
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from engine.actions import StartDeal
from engine.dealing import deal_out, new_pack, new_reserve
from engine.reasons import IllegalDeal
from engine.ruleset import Ruleset
from engine.seating import Seating

_T = TypeVar("_T")


class Chance(Protocol):
    """A source of numbers, such as :class:`random.Random` or :class:`SeededChance`."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 up to, not including, ``stop``; all equally likely."""
        ...


class SeededChance:
    """Numbers fixed by a seed for ever; the module tells how they are made."""

    def __init__(self, seed: int | str) -> None:
        self._key = str(seed).encode()
        self._block = 0
        self._words: list[int] = []

    def randrange(self, stop: int, /) -> int:
        """A number from 0 up to, not including, ``stop``.

        Raises:
            ValueError: ``stop`` is not positive.
        """
        if stop < 1:
            raise ValueError(f"no number below {stop}")
        limit = _WORD - _WORD % stop
        while True:
            word = self._next()
            if word < limit:
                return word % stop

    def _next(self) -> int:
        if not self._words:
            block = hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
            self._block += 1
            self._words = [int.from_bytes(block[i : i + 8], "big") for i in range(24, -1, -8)]
        return self._words.pop()


_WORD: Final = 1 << 64


def shuffled(cards: Sequence[_T], chance: Chance) -> tuple[_T, ...]:
    """The cards in an order drawn from ``chance``, every order equally likely."""
    row = list(cards)
    for i in range(len(row) - 1, 0, -1):
        j = chance.randrange(i + 1)
        row[i], row[j] = row[j], row[i]
    return tuple(row)


def shuffled_deal(rules: Ruleset, seating: Seating, chance: Chance) -> StartDeal:
    """A shuffled pack, and reserve where the rule set has one, that can be dealt.

    Which card is turned up depends on the number of hands, hence the seating. Packs that turn up a wild where the
    rule set does not let it lie are shuffled again.
    """
    while True:
        pack = shuffled(new_pack(rules), chance)
        reserve = shuffled(new_reserve(rules), chance)
        try:
            deal_out(rules, seating, 0, 0, pack, reserve)
        except IllegalDeal:
            continue
        return StartDeal(pack, reserve)


def secure_deal(rules: Ruleset, seating: Seating) -> StartDeal:
    """A deal from the operating system's secure source: nobody can foresee or repeat it."""
    return shuffled_deal(rules, seating, secrets.SystemRandom())


def seeded_deal(rules: Ruleset, seating: Seating, seed: int | str) -> StartDeal:
    """The deal that a seed stands for, the same in every process and Python version. Not for play among people."""
    return shuffled_deal(rules, seating, SeededChance(seed))
