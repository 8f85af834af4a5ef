"""What a seat may ask for. Cards are named by face, as in the notation: equal cards are equal in play.

A back may be named too, which is a wish among equal cards: a player who taps the red one sees the red one go.
"""

import msgspec

from engine.cards import Card, Face


class NamedCard(msgspec.Struct, frozen=True, array_like=True):
    """A card named in an action; a wild may name the place that it takes."""

    face: Face
    place: Face | None = None
    back: int | None = None


class DrawStock(msgspec.Struct, frozen=True, tag="draw"):
    """Draw the top card of the stock."""


class LayMeld(msgspec.Struct, frozen=True, tag="meld"):
    """Lay a new meld."""

    cards: tuple[NamedCard, ...]


class AddToMeld(msgspec.Struct, frozen=True, tag="add"):
    """Add cards to a meld of the own side; a wild named that is not held is the one on the table, given a new place."""

    meld: int
    cards: tuple[NamedCard, ...]


class TakePile(msgspec.Struct, frozen=True, tag="pile"):
    """Take the whole pile; under an obligation, with the meld or add that uses its top card."""

    use: LayMeld | AddToMeld | None = None


class MoveWild(msgspec.Struct, frozen=True, tag="move"):
    """Move the wild of a meld to another place."""

    meld: int
    card: Face
    place: Face


class TakeMuerto(msgspec.Struct, frozen=True, tag="muerto"):
    """Pick one of several muertos."""

    index: int


class Discard(msgspec.Struct, frozen=True, tag="discard"):
    """Discard a card, which ends the turn."""

    card: Face
    back: int | None = None


class EndTurn(msgspec.Struct, frozen=True, tag="end"):
    """End a turn that owes no discard."""


class Undo(msgspec.Struct, frozen=True, tag="undo"):
    """Take back the last action of the turn that showed no hidden card."""


Action = DrawStock | TakePile | LayMeld | AddToMeld | MoveWild | TakeMuerto | Discard | EndTurn | Undo


class StartDeal(msgspec.Struct, frozen=True, tag="deal"):
    """Begin the next deal with a shuffled pack: chance comes in here and nowhere else.

    ``pack`` holds the two packs, ``reserve`` the third (empty where the rule set has none); first card on top.
    """

    pack: tuple[Card, ...]
    reserve: tuple[Card, ...] = ()
