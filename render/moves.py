"""What changed last, read from the public plays: it is raised, edged or named in the picture."""

from typing import Final

import msgspec

from engine.cards import Card
from engine.state import PlayKind
from engine.views import PublicView

_ON_MELDS: Final = frozenset({PlayKind.MELDED, PlayKind.ADDED, PlayKind.MOVED_WILD})
_DISCARDS: Final = frozenset({PlayKind.DISCARDED, PlayKind.CLOSED})
_SILENT: Final = frozenset(
    {PlayKind.DREW, PlayKind.TOOK_MUERTO, PlayKind.THIRD_DECK, PlayKind.MUERTO_TO_STOCK},
)
"""Plays that leave what lies face up as it is."""


class Changes(msgspec.Struct, frozen=True):
    """What to mark."""

    cards: frozenset[Card]
    """Cards that came to melds, or moved in them."""
    discard: Card | None
    """The top of the pile, if discarding it was the last thing that changed the table."""
    actor: int | None
    """The seat that did the last thing; None where nothing was done yet."""


def changes(view: PublicView) -> Changes:
    """What the turn so far changed; as long as it did not touch the melds, what the turn before did to them."""
    on_melds = [play for play in view.plays if play.kind in _ON_MELDS]
    on_melds = on_melds or [play for play in view.last_plays if play.kind in _ON_MELDS]
    done = (*view.last_plays, *view.plays)
    heard = [play for play in done if play.kind not in _SILENT]
    top = view.pile_top
    discarded = bool(heard) and heard[-1].kind in _DISCARDS and top in heard[-1].cards
    return Changes(
        cards=frozenset(card for play in on_melds for card in play.cards),
        discard=top if discarded else None,
        actor=done[-1].seat if done else None,
    )
