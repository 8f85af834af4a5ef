"""How readily hidden hands hold cards, in each kind of game.

People keep wilds, lay what goes on their own melds, keep what would feed their opponents, and seldom keep company for
what they throw. How much of each is measured from hands that the sensible robot held
(``tests/robots/tuning/fit_beliefs.py``); :mod:`bot.robots.clues` finds the clues.
"""

from typing import Final

import msgspec


class Beliefs(msgspec.Struct, frozen=True):
    """How much more readily a card is held, as the logarithm of its odds; all but the last."""

    joker: float = 0.0
    two: float = 0.0
    joker_early: float = 0.0
    two_early: float = 0.0
    wild_among_many: float = 0.0
    """In a hand of many hidden cards."""
    goes_on_own: float = 0.0
    """A natural card that goes on a meld of the seat's side."""
    goes_on_theirs: float = 0.0
    like_thrown: float = 0.0
    """A card near one that the seat threw lately."""
    like_known: float = 0.0
    """A card near one that the seat took openly and holds."""
    ace: float = 0.0
    high: float = 0.0
    settled: float = 0.0
    """How often, from 0 to 1, somebody who has had a turn has laid whatever the sensible robot would lay."""


CLUES: Final = Beliefs.__struct_fields__[:-1]
"""The names of the clues, in order."""
