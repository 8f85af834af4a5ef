"""A deal as plain numbers, for searching: the same rules as :mod:`engine.decide`, some hundred times as fast.

Cards are faces, hands are counts by face, melds are numbers of a :class:`~engine.fast_melds.MeldBook`. Nothing is
recorded: no events, no plays, no undo. Whoever moves is trusted to ask ``may_…`` first. What melds are is asked of the
engine itself through the book; turns, muertos, ends and scores are repeated here for speed and compared with the
engine on whole deals of every rule set (``tests/engine/test_fast.py``).

One thing is told coarser than in the engine: a muerto counts as used when a card *equal* to one of its cards is used.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.cards import IS_WILD, RANK_OF_FACE
from engine.fast_melds import NONE, WILD_MASK
from engine.fast_rules import FastRules
from engine.melds import CANASTA, Meld

RANK: Final = RANK_OF_FACE
WILD: Final = tuple(bool(IS_WILD[face]) for face in range(53))
OVER_CLOSED, OVER_STOCK, OVER_IDLE, OVER_STUCK = 1, 2, 3, 4
"""How a deal ended; stuck is no end of the rules but a player who sees no way on."""


class FastDeal:
    """A deal in progress. Lists a seat or a side; all of it may be read, only the methods change it."""

    __slots__ = (
        "all_wild",
        "barred",
        "closer",
        "discarded",
        "drawn",
        "drew",
        "hands",
        "idle",
        "masks",
        "melds",
        "muerto_left",
        "muertos",
        "over",
        "owed",
        "pile",
        "ranks",
        "reserve",
        "rules",
        "sizes",
        "stock",
        "taken",
        "turn",
    )

    def __init__(self, rules: FastRules) -> None:
        """An empty table; :meth:`give`, ``stock``, ``pile`` and the like fill it."""
        self.rules = rules
        seats, sides = rules.seats, rules.sides
        self.hands: list[list[int]] = [[0] * 53 for _ in range(seats)]
        self.masks: list[int] = [0] * seats
        """A bit for each face held."""
        self.ranks: list[list[int]] = [[0] * 14 for _ in range(seats)]
        """Cards held by rank; jokers are rank 0."""
        self.sizes: list[int] = [0] * seats
        self.melds: list[list[int]] = [[] for _ in range(sides)]
        self.stock: list[int] = []
        self.pile: list[int] = []
        self.reserve: list[int] = []
        self.muertos: list[list[int]] = []
        self.taken: list[int] = [0] * sides
        self.muerto_left: list[frozenset[int] | None] = [None] * sides
        """The faces of a muerto that was taken and not used yet."""
        self.turn = 0
        self.drawn = False
        """The seat on turn has drawn or taken the pile."""
        self.drew = False
        self.barred = NONE
        self.owed = NONE
        self.all_wild = False
        self.discarded = False
        self.idle = 0
        self.over = 0
        self.closer = NONE

    def copy(self) -> "FastDeal":
        """A deal of its own that stands as this one does."""
        new: FastDeal = object.__new__(FastDeal)
        new.rules = self.rules
        new.hands = [hand[:] for hand in self.hands]
        new.masks = self.masks[:]
        new.ranks = [ranks[:] for ranks in self.ranks]
        new.sizes = self.sizes[:]
        new.melds = [melds[:] for melds in self.melds]
        new.stock = self.stock[:]
        new.pile = self.pile[:]
        new.reserve = self.reserve
        new.muertos = self.muertos[:]
        new.taken = self.taken[:]
        new.muerto_left = self.muerto_left[:]
        new.turn = self.turn
        new.drawn = self.drawn
        new.drew = self.drew
        new.barred = self.barred
        new.owed = self.owed
        new.all_wild = self.all_wild
        new.discarded = self.discarded
        new.idle = self.idle
        new.over = self.over
        new.closer = self.closer
        return new

    # hands

    def give(self, seat: int, faces: Iterable[int]) -> None:
        """Put cards into a hand."""
        hand, ranks = self.hands[seat], self.ranks[seat]
        mask, count = self.masks[seat], 0
        for face in faces:
            hand[face] += 1
            mask |= 1 << face
            ranks[RANK[face]] += 1
            count += 1
        self.masks[seat] = mask
        self.sizes[seat] += count

    def _drop(self, seat: int, face: int) -> None:
        hand = self.hands[seat]
        hand[face] -= 1
        if not hand[face]:
            self.masks[seat] ^= 1 << face
        self.ranks[seat][RANK[face]] -= 1
        self.sizes[seat] -= 1

    def _use(self, seat: int, face: int) -> None:
        self._drop(seat, face)
        if face == self.owed:
            self.owed = NONE
        if face == self.barred:
            self.barred = NONE
        side = seat % self.rules.sides
        left = self.muerto_left[side]
        if left is not None and face in left:
            self.muerto_left[side] = None

    # what may be done

    def may_take_muerto(self, side: int) -> bool:
        """Whether an empty hand of the side takes a muerto now."""
        return bool(self.muertos) and self.taken[side] < self.rules.muertos_a_side

    def may_close(self, side: int, *, by_discard: bool) -> bool:
        """Whether the side may close now: muerto, canasta, way of closing."""
        rules = self.rules
        if not self.taken[side]:
            return False
        if rules.wants_canasta:
            book = rules.book
            size, clean = book.size, book.clean
            for number in self.melds[side]:
                if size[number] >= CANASTA and (clean[number] or not rules.wants_clean):
                    break
            else:
                return False
        return by_discard or not rules.by_discard_only

    def may_discard(self, face: int) -> bool:
        """Whether the seat on turn, which holds the face, may discard it now."""
        seat = self.turn
        if self.discarded or self.owed != NONE:
            return False
        if face == self.barred and self.hands[seat][face] < 2:
            return False
        rules = self.rules
        closes = self.sizes[seat] == 1 and not self.may_take_muerto(seat % rules.sides)
        if WILD[face]:
            if rules.wild_never and not self.all_wild:
                return False
            if rules.wild_not_closing and closes:
                return False
        return not closes or self.may_close(seat % rules.sides, by_discard=True)

    def way_on(self) -> bool:
        """Whether the seat on turn may stop melding here: it holds a card to discard, or nothing, and may do so."""
        seat = self.turn
        side = seat % self.rules.sides
        if not self.sizes[seat]:
            return self.may_take_muerto(side) or self.may_close(side, by_discard=False)
        if self.discarded:
            return True
        mask = self.masks[seat]
        while mask:
            low = mask & -mask
            if self.may_discard(low.bit_length() - 1):
                return True
            mask ^= low
        return False

    def stock_is_out(self) -> bool:
        """Whether there is nothing to draw and nothing to refill the stock with."""
        if self.stock:
            return False
        rules = self.rules
        return not ((rules.third_deck and self.reserve) or (rules.muertos_to_stock and self.muertos))

    def may_draw(self) -> bool:
        """Whether the seat on turn may draw from the stock."""
        if self.stock_is_out():
            return False
        return not (self.rules.all_wild_takes and self.pile and not self.masks[self.turn] & ~WILD_MASK)

    # what is done

    def draw(self) -> None:
        """The seat on turn draws."""
        if not self.stock:
            self._refill()
        seat = self.turn
        self.give(seat, (self.stock.pop(),))
        self.drawn = self.drew = True
        self.all_wild = not self.masks[seat] & ~WILD_MASK
        if not self.stock and self.reserve and self.rules.third_deck:
            self._refill()

    def _refill(self) -> None:
        if self.rules.third_deck:
            self.stock, self.reserve = self.reserve[:], []
        else:
            self.stock = self.muertos[0][:]
            self.muertos = self.muertos[1:]

    def take_pile(self) -> None:
        """The seat on turn takes the pile; an obligation to use its top is for the caller to meet next."""
        seat, pile, rules = self.turn, self.pile, self.rules
        if rules.lone_barred and len(pile) == 1:
            self.barred = pile[0]
        if rules.this_turn:
            self.owed = pile[-1]
        self.give(seat, pile)
        self.pile = []
        self.drawn = True
        self.all_wild = not self.masks[seat] & ~WILD_MASK

    def lay(self, faces: Sequence[int], number: int, muerto: int = 0) -> None:
        """Lay a new meld, whose number the book gave; ``muerto`` is the one that an emptied hand picks."""
        seat = self.turn
        for face in faces:
            self._use(seat, face)
        self.melds[seat % self.rules.sides].append(number)
        if not self.sizes[seat]:
            self._emptied(muerto)

    def add(self, index: int, faces: Sequence[int], grown: tuple[int, int], muerto: int = 0) -> None:
        """Add cards to a meld of the own side, with what the book says comes of it."""
        seat = self.turn
        for face in faces:
            self._use(seat, face)
        number, back = grown
        if back != NONE:
            self.give(seat, (back,))
        self.melds[seat % self.rules.sides][index] = number
        if not self.sizes[seat]:
            self._emptied(muerto)

    def move(self, index: int, number: int) -> None:
        """Move the wild of a meld."""
        self.melds[self.turn % self.rules.sides][index] = number

    def _emptied(self, muerto: int) -> None:
        side = self.turn % self.rules.sides
        if self.may_take_muerto(side):
            self._take_muerto(muerto)
        else:
            self._close()

    def _take_muerto(self, index: int) -> None:
        seat = self.turn
        side = seat % self.rules.sides
        cards = self.muertos[index]
        self.muertos = [*self.muertos[:index], *self.muertos[index + 1 :]]
        self.give(seat, cards)
        self.taken[side] += 1
        self.muerto_left[side] = frozenset(cards)
        self.barred = NONE
        self.all_wild = self.all_wild or not self.masks[seat] & ~WILD_MASK

    def discard(self, face: int, muerto: int = 0) -> None:
        """Discard, which ends the turn, takes a muerto or closes."""
        seat, rules = self.turn, self.rules
        self._use(seat, face)
        self.pile.append(face)
        if self.sizes[seat]:
            self.end_turn()
            return
        if not self.may_take_muerto(seat % rules.sides):
            self._close()
            return
        self._take_muerto(muerto)
        if rules.same_turn:
            self.discarded = True
        else:
            self.end_turn()

    def _close(self) -> None:
        self.over = OVER_CLOSED
        self.closer = self.turn

    def end_turn(self) -> None:
        """End the turn: the next seat, or the end of the deal."""
        rules = self.rules
        if self._spent():
            self.over = OVER_STOCK
            return
        idle = 0 if self.drew else self.idle + 1
        if not self.drew and idle >= rules.most_idle:
            self.over = OVER_IDLE
            return
        self.idle = idle
        self.turn = (self.turn + 1) % rules.seats
        self.drawn = self.drew = self.discarded = self.all_wild = False
        self.barred = self.owed = NONE
        if rules.while_pile and not self.stock and not self.pile_use_exists():
            self.turn = (self.turn - 1) % rules.seats
            self.over = OVER_STOCK

    def _spent(self) -> bool:
        rules = self.rules
        left = len(self.stock)
        if rules.third_deck:
            return not left and not self.reserve
        if rules.muertos_to_stock:
            return not left and not self.muertos
        if rules.while_pile:
            return not left and not self.pile
        return left <= rules.left_at_end

    def pile_use_exists(self) -> bool:
        """Whether the seat on turn could take the pile, asked of the engine: needed only once the stock is out."""
        # Here, because that module makes deals of this one.
        from engine.fast_views import can_take_pile  # noqa: PLC0415

        return can_take_pile(self)

    # the score

    def scores(self) -> list[int]:
        """What each side scores as the deal lies, and with the close if it was closed."""
        rules = self.rules
        totals: list[int] = []
        closing = self.closer % rules.sides if self.closer != NONE else NONE
        book = rules.book
        points = rules.points
        for side in range(rules.sides):
            melds = self.melds[side]
            canasta = any(book.size[number] >= CANASTA for number in melds)
            cards = sum([book.points[number] for number in melds])
            total = -cards if rules.negative and not canasta else cards
            total += sum([book.bonus[number] for number in melds])
            for seat in range(side, rules.seats, rules.sides):
                if self.sizes[seat]:
                    total -= sum([n * p for n, p in zip(self.hands[seat], points, strict=True) if n])
            if self.taken[side]:
                pays = rules.unused_pays and self.muerto_left[side] is not None
            else:
                pays = rules.penalty_always or any(self.taken)
            if pays:
                total -= rules.penalty
            if side == closing and (canasta or not rules.bonus_needs_canasta):
                total += rules.closing_bonus
            totals.append(total)
        return totals


def meld_numbers(rules: FastRules, melds: Iterable[Meld]) -> list[int]:
    """The numbers of melds on the table."""
    return [rules.book.number(meld) for meld in melds]
