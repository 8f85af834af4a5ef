"""People who press what they have before them: quick, legal, and not clever."""

import random
from typing import Final

from bot.intents import TURN_VERBS
from bot.screens import Screen
from bot.tokens import LONGEST, TokenError, Verb, base36, read_token

_LAYING: Final = 0.7
"""How often what is suggested is laid before a card is thrown."""
_IDLE: Final = frozenset({Verb.UNDO, Verb.MOVE_WILD})
"""What would only go back and forth."""
_FURTHER: Final = frozenset({Verb.NEXT_DEAL})


def chosen(screen: Screen, dice: random.Random, *, further: bool = False) -> str | None:
    """A token that the person of a hand, or of a question about one, presses; None where there is nothing to do.

    With ``further``, what leads on from a deal that is over.
    """
    verbs = _FURTHER if further else TURN_VERBS - _IDLE
    offered = [choice.token for row in screen.rows for choice in row if choice.enabled and _verb(choice.token) in verbs]
    thrown = None if further else _discard(screen, dice)
    if offered and (thrown is None or dice.random() < _LAYING):
        return offered[0] if thrown is not None else dice.choice(offered)
    return thrown


def _verb(token: str) -> Verb | None:
    try:
        return read_token(token).verb
    except TokenError:
        return None


def _discard(screen: Screen, dice: random.Random) -> str | None:
    """A card that may be thrown now."""
    picker = screen.picker
    if picker is None:
        return None
    verb = next((verb for verb in picker.verbs if _verb(verb.token) is Verb.DISCARD and verb.enabled), None)
    bits = [card.bit for card in picker.cards if not card.keep]
    if verb is None or not bits:
        return None
    token = f"{verb.token}:{base36(1 << dice.choice(bits))}"
    return token if len(token) <= LONGEST else None
