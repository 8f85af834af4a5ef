"""A second, slow referee of ``clasico``: a whole deal as lists of texts, each action judged from the rules as told.

It shares no code with the engine and knows nothing of backs. What it allows, why it refuses and what comes of an action
must be what the engine says, at every step.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from tests.oracle import melds as oracle
from tests.oracle.melds import Named, NoMeldError, Reading, in_order, is_wild
from tests.oracle.scores import side_score, winner


class RefusedError(Exception):
    """The rules refuse an action; the text is the reason."""


def refuse(reason: str, *, where: bool) -> None:
    """Refuse where something holds."""
    if where:
        raise RefusedError(reason)


@dataclass
class Board:
    """Everything that an action can change."""

    hands: list[list[str]]
    melds: list[list[Reading]]
    stock: list[str]
    """The top is the last."""
    pile: list[str]
    muertos: list[list[str]]
    reserve: list[str]
    taken: list[bool]
    mover: int
    drawn: bool = False
    from_stock: bool = False
    only_wilds: bool = False
    """Every card held right after the draw was wild."""
    choosing: str = ""
    """``melding`` or ``discarding``: the hand is empty and one of several muertos must be picked."""
    idle_turns: int = 0
    """Turns in a row without a card from the stock."""
    over: str = ""
    scores: list[dict[str, int]] = field(default_factory=list)

    def copy(self) -> "Board":
        """A board of its own."""
        return replace(
            self,
            hands=[list(hand) for hand in self.hands],
            melds=[list(row) for row in self.melds],
            stock=list(self.stock),
            pile=list(self.pile),
            muertos=list(self.muertos),
            taken=list(self.taken),
        )

    def summary(self) -> dict[str, object]:
        """What is compared with the engine."""
        return {
            "hands": [in_order(hand) for hand in self.hands],
            "melds": [[meld.text for meld in row] for row in self.melds],
            "stock": self.stock,
            "pile": self.pile,
            "muertos": [in_order(muerto) for muerto in self.muertos],
            "reserve": self.reserve,
            "taken": self.taken,
            "mover": self.mover,
            "phase": "over" if self.over else "play" if self.drawn else "draw",
            "choosing": self.choosing,
            "idle": self.idle_turns,
            "over": self.over,
            "scores": self.scores,
        }


class Referee:
    """Judges and plays actions in the notation of cases, for a deal of ``clasico`` from its board."""

    def __init__(self, board: Board, totals: Sequence[int], target: int = 3000) -> None:
        self.board = board
        self.totals = list(totals)
        self.target = target
        self.winner: int | None = None
        self._before: list[Board] = []

    @property
    def _side(self) -> int:
        return self.board.mover % len(self.board.melds)

    @property
    def _hand(self) -> list[str]:
        return self.board.hands[self.board.mover]

    @property
    def _muerto_waits(self) -> bool:
        return bool(self.board.muertos) and not self.board.taken[self._side]

    def play(self, seat: int, text: str) -> None:
        """Play an action of a seat.

        Raises:
            RefusedError: the rules do not allow it; nothing has changed.
        """
        board = self.board
        verb, *rest = text.split()
        refuse("muerto_choice_needed", where=bool(board.choosing) and verb != "muerto")
        refuse("bad_notation", where=not 0 <= seat < len(board.hands))
        if verb == "muerto":
            refuse("bad_notation", where=not board.choosing or int(rest[0]) >= len(board.muertos))
        refuse("bad_notation", where=verb == "pile" and bool(rest))
        refuse("deal_over", where=bool(board.over))
        refuse("not_your_turn", where=seat != board.mover)
        if verb in ("draw", "pile"):
            refuse("already_drawn", where=board.drawn)
        elif verb not in ("muerto", "undo"):
            refuse("must_draw_first", where=not board.drawn)
        self._do(verb, rest)

    def _do(self, verb: str, rest: Sequence[str]) -> None:
        actions: dict[str, Callable[..., None]] = {
            "draw": self._draw,
            "pile": self._pile,
            "meld": self._meld,
            "add": self._add,
            "move": self._move,
            "muerto": self._muerto,
            "discard": self._discard,
            "end": self._end,
            "undo": self._undo,
        }
        actions[verb](*rest)

    # drawing

    def _draw(self) -> None:
        board = self.board
        refuse("must_take_pile", where=bool(board.pile) and all(is_wild(card) for card in self._hand))
        self._hand.append(board.stock.pop())
        board.from_stock = True
        if not board.stock and board.reserve:
            board.stock, board.reserve = board.reserve, []
        self._before.clear()
        self._begin()

    def _pile(self) -> None:
        board = self.board
        refuse("pile_empty", where=not board.pile)
        if len(board.pile) == 1:  # no card comes that was hidden
            self._remember()
        else:
            self._before.clear()
        self._hand.extend(board.pile)
        board.pile = []
        self._begin()

    def _begin(self) -> None:
        self.board.drawn = True
        self.board.only_wilds = all(is_wild(card) for card in self._hand)

    # melding

    def _named(self, words: Sequence[str], before: Reading | None = None) -> tuple[list[str], Named]:
        left, cards, named = Counter(self._hand), [], []
        on_table = Counter(() if before is None or before.wild is None else (before.wild,))
        for word in words:
            card, _, place = word.partition("=")
            if left[card]:
                left[card] -= 1
                cards.append(card)
            else:
                refuse("card_not_held", where=not place or not on_table[card])
                on_table[card] -= 1
            if place:
                named.append((card, place))
        return cards, tuple(named)

    def _meld(self, *words: str) -> None:
        cards, named = self._named(words)
        self._lay(None, cards, named)

    def _add(self, index: str, *words: str) -> None:
        mine = self.board.melds[self._side]
        refuse("no_such_meld", where=int(index) >= len(mine))
        cards, named = self._named(words, mine[int(index)])
        refuse("bad_notation", where=not cards)
        self._lay(int(index), cards, named)

    def _lay(self, index: int | None, cards: Sequence[str], named: Named) -> None:
        mine = self.board.melds[self._side]
        try:
            meld = oracle.new(cards, named) if index is None else oracle.add(mine[index], cards, named)
        except NoMeldError as error:
            raise RefusedError(str(error)) from None
        hand = _without(self._hand, cards)
        after = [*mine, meld] if index is None else [*mine[:index], meld, *mine[index + 1 :]]
        self._look_ahead(hand, after)
        self._remember()
        self.board.hands[self.board.mover] = hand
        self.board.melds[self._side] = after
        if not hand:
            self._take_muerto("melding")

    def _move(self, index: str, word: str) -> None:
        mine = self.board.melds[self._side]
        refuse("no_such_meld", where=int(index) >= len(mine))
        card, _, place = word.partition("=")
        try:
            meld = oracle.move(mine[int(index)], card, place)
        except NoMeldError as error:
            raise RefusedError(str(error)) from None
        after = [*mine[: int(index)], meld, *mine[int(index) + 1 :]]
        self._look_ahead(self._hand, after)
        self._remember()
        self.board.melds[self._side] = after

    def _look_ahead(self, hand: Sequence[str], after: Sequence[Reading]) -> None:
        """No action may leave its player without a way on."""
        if self._leads_on(hand):
            return
        if not hand:
            raise RefusedError("must_close_by_discarding" if self.board.taken[self._side] else "closing_needs_muerto")
        further = (_without(hand, used) for used in _layable(hand, after))
        if len(hand) > 1 and any(self._leads_on(rest) for rest in further):
            return
        raise RefusedError("must_keep_a_discard")

    def _leads_on(self, hand: Sequence[str]) -> bool:
        if not hand:
            return self._muerto_waits
        if len(hand) == 1 and not self._muerto_waits and not self.board.taken[self._side]:
            return False
        return self.board.only_wilds or not all(is_wild(card) for card in hand)

    # muertos, discarding, ending

    def _take_muerto(self, by: str) -> None:
        if len(self.board.muertos) > 1:
            self.board.choosing = by
        else:
            self._pick(0, by)

    def _pick(self, index: int, by: str) -> None:
        board = self.board
        board.hands[board.mover] = board.muertos.pop(index)
        board.taken[self._side] = True
        board.choosing = ""
        board.only_wilds = board.only_wilds or all(is_wild(card) for card in self._hand)
        self._before.clear()
        if by == "discarding":
            self._end_turn()

    def _muerto(self, index: str) -> None:
        self._pick(int(index), self.board.choosing)

    def _discard(self, card: str) -> None:
        board = self.board
        refuse("card_not_held", where=card not in self._hand)
        refuse("wild_discard", where=is_wild(card) and not board.only_wilds)
        last, waits = len(self._hand) == 1, self._muerto_waits
        refuse("closing_needs_muerto", where=last and not waits and not board.taken[self._side])
        self._hand.remove(card)
        board.pile.append(card)
        self._before.clear()
        if not last:
            self._end_turn()
        elif waits:
            self._take_muerto("discarding")
        else:
            self._end_deal("closed")

    def _end(self) -> None:
        raise RefusedError("cannot_end_without_discard")

    def _end_turn(self) -> None:
        board = self.board
        idle = 0 if board.from_stock else board.idle_turns + 1
        if not board.stock and not board.reserve:
            self._end_deal("stock_out")
        elif idle == 10 * len(board.hands):
            self._end_deal("no_draws")
        else:
            board.idle_turns = idle
            board.mover = (board.mover + 1) % len(board.hands)
            board.drawn = board.from_stock = board.only_wilds = False

    def _end_deal(self, how: str) -> None:
        board = self.board
        board.over = how
        sides = len(board.melds)
        board.scores = [
            side_score(
                board.melds[side],
                board.hands[side::sides],
                took=board.taken[side],
                closed=how == "closed" and side == self._side,
            )
            for side in range(sides)
        ]
        self.totals = [before + score["total"] for before, score in zip(self.totals, board.scores, strict=True)]
        self.winner = winner(self.totals, self.target)

    # undo

    def _remember(self) -> None:
        self._before.append(self.board.copy())

    def _undo(self) -> None:
        refuse("nothing_to_undo", where=not self._before)
        self.board = self._before.pop()


def _without(cards: Sequence[str], used: Sequence[str]) -> list[str]:
    rest = list(cards)
    for card in used:
        rest.remove(card)
    return rest


def _layable(hand: Sequence[str], mine: Sequence[Reading]) -> Iterator[tuple[str, ...]]:
    """Every choice of cards that one new meld or one add takes off a hand."""
    for size in range(1, min(len(hand), oracle.LONGEST) + 1):
        for cards in set(combinations(in_order(hand), size)):
            if _lays(cards, mine):
                yield cards


def _lays(cards: Sequence[str], mine: Sequence[Reading]) -> bool:
    try:
        oracle.new(cards)
    except NoMeldError:
        pass
    else:
        return True
    for meld in mine:
        try:
            oracle.add(meld, cards)
        except NoMeldError:
            continue
        return True
    return False
