"""A table at which everything is checked: the engine beside the second referee, and every invariant at each action."""

import msgspec

from engine import legal
from engine.actions import Action, StartDeal
from engine.cards import BACK, CODE, FACE
from engine.decide import decide, start_deal
from engine.events import Event
from engine.evolve import evolve, evolve_all
from engine.notation import parse_action, write_action
from engine.reasons import IllegalAction, Reason
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Deal, Emptied, Match, Phase, PlayKind, new_match
from engine.views import seat_view
from tests.oracle import melds as oracle
from tests.oracle import scores as score_oracle
from tests.oracle.melds import in_order
from tests.oracle.referee import Board, Referee, RefusedError
from tests.strategies import deal_of

_CHOOSING = {None: "", Emptied.BY_MELDING: "melding", Emptied.BY_DISCARDING: "discarding"}


def summary(match: Match) -> dict[str, object]:
    """The state as the second referee has it: faces only."""
    deal = deal_of(match)
    return {
        "hands": [tuple(CODE[card] for card in hand) for hand in deal.hands],
        "melds": [[str(meld) for meld in row] for row in deal.melds],
        "stock": [CODE[card] for card in deal.stock],
        "pile": [CODE[card] for card in deal.pile],
        "muertos": [in_order(CODE[card] for card in muerto) for muerto in deal.muertos],
        "reserve": [CODE[card] for card in deal.reserve],
        "taken": [taken == 1 for taken in deal.taken],
        "mover": deal.turn.seat,
        "phase": str(deal.turn.phase),
        "choosing": _CHOOSING[deal.turn.choosing],
        "idle": deal.turns_without_draw,
        "over": "" if deal.ended is None else str(deal.ended),
        "scores": [] if deal.scores is None else [msgspec.structs.asdict(score) for score in deal.scores],
    }


def board_of(match: Match) -> Board:
    """A board for the second referee, before or in the middle of a deal."""
    deal = deal_of(match)
    return Board(
        hands=[[CODE[card] for card in hand] for hand in deal.hands],
        melds=[[oracle.read(str(meld)) for meld in row] for row in deal.melds],
        stock=[CODE[card] for card in deal.stock],
        pile=[CODE[card] for card in deal.pile],
        muertos=[[CODE[card] for card in muerto] for muerto in deal.muertos],
        reserve=[CODE[card] for card in deal.reserve],
        taken=[taken > 0 for taken in deal.taken],
        mover=deal.turn.seat,
        drawn=deal.turn.phase is Phase.PLAY,
        from_stock=deal.turn.drew,
        only_wilds=deal.turn.all_wild,
        idle_turns=deal.turns_without_draw,
    )


class CheckedTable:
    """Plays a deal with the engine and the referee at once and compares everything."""

    def __init__(self, rules: Ruleset, seating: Seating, first_starter: int, chance: StartDeal) -> None:
        match = new_match(rules, seating, first_starter)
        events = start_deal(match, chance)
        self._begin(match, events, evolve_all(match, events))

    @classmethod
    def at(cls, match: Match) -> "CheckedTable":
        """A table in the middle of a deal."""
        table = cls.__new__(cls)
        table._begin(match, (), match)
        return table

    def _begin(self, before: Match, events: tuple[Event, ...], match: Match) -> None:
        self.start = before
        self.match = match
        deal = deal_of(match)
        self.events: list[Event] = list(events)
        self.states: list[bytes] = [msgspec.json.encode(match)]
        self.referee = Referee(board_of(match), match.totals, match.rules.target)
        self.cards = sorted(all_cards(deal))
        self.muertos = len(deal.muertos) + sum(deal.taken)
        self.is_dealt_so = self.muertos == match.seating.sides
        self.turns = 1
        self.refusals: dict[str, int] = {}
        self.accepted: dict[str, int] = {}
        self._folded = match
        self._earlier: list[Match] = []
        self._seen_by_all = {*deal.pile[-1:], *(card for row in deal.melds for meld in row for card in meld.cards)}
        self._check_state()

    def bound(self) -> int:
        """A deal cannot have more turns: each ten rounds at least one card leaves the stock."""
        deal = deal_of(self.match)
        rounds = self.match.rules.rounds_without_draw
        return (len(deal.stock) + len(deal.reserve) + 1) * rounds * self.match.seating.seats + 1

    def attempt(self, seat: int, text: str) -> Reason | None:
        """Ask both for an action; they must agree in all that comes of it."""
        before = self.match
        told: str | None = None
        try:
            self.referee.play(seat, text)
        except RefusedError as refusal:
            told = str(refusal)
        _, action = parse_action(text)
        assert parse_action(write_action(action))[1] == action
        reason: Reason | None = None
        events: tuple[Event, ...] = ()
        try:
            events = decide(before, seat, action)
        except IllegalAction as refusal:
            reason = refusal.reason
        assert reason == told, (text, reason, told, self.referee.board.summary())
        if reason is None:
            self._accept(before, action, events)
        else:
            assert msgspec.json.encode(before) == self.states[-1], "a refusal changes nothing"
            assert self.referee.board.summary() == summary(before)
            self.refusals[reason] = self.refusals.get(reason, 0) + 1
        return reason

    def _accept(self, before: Match, action: Action, events: tuple[Event, ...]) -> None:
        kind = type(action).__name__
        self.accepted[kind] = self.accepted.get(kind, 0) + 1
        self.match = after = evolve_all(before, events)
        self.events += events
        for event in events:  # as they are stored
            self._folded = evolve(self._folded, msgspec.json.decode(msgspec.json.encode(event), type=Event))
        assert self._folded == after
        self.states.append(msgspec.json.encode(after))
        assert msgspec.json.decode(self.states[-1], type=Match) == after
        if deal_of(after).turn != deal_of(before).turn and deal_of(after).turn.seat != deal_of(before).turn.seat:
            self.turns += 1
        self._check_undo(before, after, kind)
        self._check_state()

    def _check_undo(self, before: Match, after: Match, kind: str) -> None:
        left = len(deal_of(after).turn.undo)
        if kind == "Undo":
            assert after == self._earlier.pop()
        elif left == len(self._earlier) + 1:
            self._earlier.append(before)
        else:
            assert left == 0, "an action either can be undone, or nothing before it can"
            self._earlier.clear()
        assert left == len(self._earlier)

    def _check_state(self) -> None:
        match = self.match
        deal = deal_of(match)
        assert self.referee.board.summary() == summary(match)
        assert (list(match.totals), match.winner) == (self.referee.totals, self.referee.winner)
        assert sorted(all_cards(deal)) == self.cards, "every physical card lies in exactly one place"
        assert len(self.cards) in (108, 162)
        assert len(deal.muertos) + sum(deal.taken) == self.muertos
        assert max(deal.taken) <= 1
        assert all(hand == tuple(sorted(hand, key=lambda card: (FACE[card], BACK[card]))) for hand in deal.hands)
        for side, row in enumerate(deal.melds):
            assert len(deal.numbers[side]) == len(row)
            for meld in row:
                assert oracle.is_legal(str(meld)), str(meld)
        numbers = sorted(number for row in deal.numbers for number in row)
        assert numbers == list(range(1, len(numbers) + 1)), "melds are numbered in the order of laying"
        self._check_plays(deal)
        self._check_views()
        if deal.ended is None:
            assert deal.turn.choosing is not None or deal.hands[deal.turn.seat]
        else:
            assert deal.scores is not None
            assert deal.closer == (deal.turn.seat if deal.ended == "closed" else None)

    def _check_plays(self, deal: Deal) -> None:
        """What is told of a turn shows no card that not everybody has seen."""
        self._seen_by_all |= {*deal.pile[-1:], *(card for row in deal.melds for meld in row for card in meld.cards)}
        for play in (*deal.turn.plays, *deal.last_plays):
            assert self._seen_by_all.issuperset(play.cards), play
            if play.kind in (PlayKind.DREW, PlayKind.TOOK_MUERTO, PlayKind.THIRD_DECK):
                assert not play.cards

    def _check_views(self) -> None:
        match = self.match
        deal = deal_of(match)
        for seat in range(match.seating.seats):
            view = seat_view(match, seat)
            table = view.table
            assert view.hand == deal.hands[seat]
            assert table.pile == deal.pile[-1:]
            assert (table.pile_count, table.stock_count) == (len(deal.pile), len(deal.stock))
            assert [hand.count for hand in table.hands] == [len(hand) for hand in deal.hands]
            kinds = [[str(kind) for kind in row] for row in table.kinds]
            assert kinds == [[score_oracle.kind(oracle.read(str(meld))) for meld in row] for row in deal.melds]
            actions = legal.actions(view)
            if self.is_dealt_so:
                assert bool(actions) == (seat == deal.turn.seat and match.in_play)

    def check_legal(self) -> None:
        """Everything that is offered to the seat on turn is accepted by both referees."""
        seat = deal_of(self.match).turn.seat
        for action in legal.actions(seat_view(self.match, seat)):
            decide(self.match, seat, action)
            board = self.referee.board.copy()
            Referee(board, self.match.totals).play(seat, write_action(action))

    def check_replay(self) -> None:
        """The stored events alone rebuild the deal."""
        assert evolve_all(self.start, self.events) == self.match


def all_cards(deal: Deal) -> list[int]:
    """Every physical card, wherever it lies."""
    zones = (deal.stock, deal.pile, deal.reserve, *deal.hands, *deal.muertos)
    laid = (meld.cards for row in deal.melds for meld in row)
    return [int(card) for zone in (*zones, *laid) for card in zone]
