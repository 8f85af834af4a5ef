"""What may be seen: by everybody (:class:`PublicView`) and by one seat (:class:`SeatView`).

Views are built field by field from what RULESETS.md (How the rules work, 13) calls public, never by removing secrets
from a copy. Pictures, screens, texts and robots take a view and nothing else.
"""

from functools import lru_cache
from typing import Final

import msgspec

from engine.cards import BACK, Card
from engine.itself import Itself
from engine.melds import Kind, Meld, kind_of
from engine.policies import PileShown
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Deal, Emptied, Ended, Match, Memory, Phase, Play, SideScore

_RECENT: Final = 64
"""Matches whose public views are remembered."""


class HandBacks(msgspec.Struct, frozen=True, array_like=True):
    """A hand as everybody sees it: how many cards show each back (``backs[0]`` of the first pack, and so on)."""

    backs: tuple[int, int, int]

    @property
    def count(self) -> int:
        """How many cards are held."""
        return sum(self.backs)


class MuertoBack(msgspec.Struct, frozen=True, array_like=True):
    """A muerto on the table: its size and the back on top."""

    count: int
    back: int


class PublicView(msgspec.Struct, frozen=True):
    """The table as everybody sees it. Tuples a seat or a side; cards face up only."""

    rules: Ruleset
    seating: Seating
    number: int
    """The deal's number, 0 for the first."""
    starter: int
    totals: tuple[int, ...]
    """Match totals a side; they include this deal once it is scored."""
    mover: int
    phase: Phase
    choosing: Emptied | None
    hands: tuple[HandBacks, ...]
    melds: tuple[tuple[Meld, ...], ...]
    numbers: tuple[tuple[int, ...], ...]
    """The number by which the players call each meld, over all sides."""
    kinds: tuple[tuple[Kind, ...], ...]
    pile: tuple[Card, ...]
    """The cards of the pile in view, bottom first: all of them, or only the top."""
    pile_count: int
    stock_count: int
    stock_back: int | None
    """The back on top of the stock; None where it is empty."""
    muertos: tuple[MuertoBack, ...]
    taken: tuple[int, ...]
    decks: int
    turns_without_draw: int
    plays: tuple[Play, ...]
    """What was done this turn so far."""
    last_plays: tuple[Play, ...]
    """What was done in the turn before."""
    ended: Ended | None
    closer: int | None
    scores: tuple[SideScore, ...] | None
    winner: int | None

    @property
    def pile_top(self) -> Card | None:
        """The top of the pile."""
        return self.pile[-1] if self.pile else None


class SeatView(msgspec.Struct, frozen=True):
    """The table as one seat sees it: what is public, and its own hand."""

    table: PublicView
    seat: int
    hand: tuple[Card, ...]
    new: tuple[Card, ...]
    """Cards that came into this hand this turn."""
    barred: Card | None
    owed: Card | None
    all_wild: bool
    discarded: bool
    undo: Play | None
    """What an undo would take back; None where there is nothing to undo."""
    memory: Memory = Memory()
    """What the seat remembers of cards that lay open: for robots, never shown."""

    @property
    def side(self) -> int:
        """The side that the seat belongs to."""
        return self.table.seating.side_of(self.seat)

    @property
    def on_turn(self) -> bool:
        """Whether it is this seat's turn in a deal that goes on."""
        return self.table.mover == self.seat and self.table.phase is not Phase.OVER


def _backs(cards: tuple[Card, ...]) -> HandBacks:
    counts = [0, 0, 0]
    for card in cards:
        counts[BACK[card]] += 1
    return HandBacks((counts[0], counts[1], counts[2]))


def _deal(match: Match) -> Deal:
    if match.deal is None:
        raise ValueError("no deal has begun")
    return match.deal


def final_hands(match: Match) -> tuple[tuple[Card, ...], ...]:
    """What every seat still held when the deal ended, which then is no secret any more.

    Raises:
        ValueError: the deal goes on, or none has begun.
    """
    deal = _deal(match)
    if deal.ended is None:
        raise ValueError("the deal goes on")
    return deal.hands


def public_view(match: Match) -> PublicView:
    """What everybody may see.

    Raises:
        ValueError: no deal has begun.
    """
    deal = match.deal
    # By how many cards are left: the engine knows no identity.
    return _public_view(Itself(match, 0 if deal is None else len(deal.stock) << 8 | len(deal.pile)))


@lru_cache(maxsize=_RECENT)
def _public_view(key: Itself[Match]) -> PublicView:
    # An action's table is shown to everybody at it: a dozen times within a moment.
    match = key.value
    deal, rules = _deal(match), match.rules
    turn = deal.turn
    return PublicView(
        rules=rules,
        seating=match.seating,
        number=deal.number,
        starter=deal.starter,
        totals=match.totals,
        mover=turn.seat,
        phase=turn.phase,
        choosing=turn.choosing,
        hands=tuple(_backs(hand) for hand in deal.hands),
        melds=deal.melds,
        numbers=deal.numbers,
        kinds=tuple(tuple(kind_of(rules, meld) for meld in melds) for melds in deal.melds),
        pile=deal.pile if rules.pile_shown is PileShown.ALL else deal.pile[-1:],
        pile_count=len(deal.pile),
        stock_count=len(deal.stock),
        stock_back=BACK[deal.stock[-1]] if deal.stock else None,
        muertos=tuple(MuertoBack(len(muerto), BACK[muerto[-1]]) for muerto in deal.muertos),
        taken=deal.taken,
        decks=deal.decks,
        turns_without_draw=deal.turns_without_draw,
        plays=turn.plays,
        last_plays=deal.last_plays,
        ended=deal.ended,
        closer=deal.closer,
        scores=deal.scores,
        winner=match.winner,
    )


def seat_view(match: Match, seat: int) -> SeatView:
    """What one seat may see.

    Raises:
        ValueError: no deal has begun, or there is no such seat.
    """
    deal = _deal(match)
    if not 0 <= seat < match.seating.seats:
        raise ValueError(f"no seat {seat}")
    turn = deal.turn
    mine = turn.seat == seat
    undoable = mine and turn.undo and turn.choosing is None
    return SeatView(
        table=public_view(match),
        seat=seat,
        hand=deal.hands[seat],
        new=turn.new if mine else (),
        barred=turn.barred if mine else None,
        owed=turn.owed if mine else None,
        all_wild=mine and turn.all_wild,
        discarded=mine and turn.discarded,
        undo=turn.plays[turn.undo[-1].plays] if undoable else None,
        memory=deal.memory,
    )
