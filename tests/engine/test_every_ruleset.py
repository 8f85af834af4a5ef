"""Deals and late positions of every rule set and seating, house rules too, with all invariants checked throughout."""

import random
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
import pytest

from engine import legal
from engine.actions import Action
from engine.cards import CODE
from engine.decide import decide, start_deal
from engine.events import Event
from engine.evolve import evolve, evolve_all
from engine.notation import parse_action, write_action
from engine.policies import PileShown
from engine.position import Position, build_match
from engine.reasons import IllegalAction, IllegalDeal
from engine.ruleset import Ruleset, RulesetError, with_options
from engine.seating import Seating
from engine.state import Match, Phase, new_match
from engine.views import seat_view
from tests.engine.table import all_cards
from tests.engine.test_matrix import NAMES
from tests.oracle import rulings, tallies
from tests.oracle.melds import Reading
from tests.properties.test_hidden import all_that_a_seat_gets, dealt_anew, hidden_from, with_other_cards
from tests.strategies import Player, deal_of, ruleset, shuffled

TABLES = [(name, seating) for name in NAMES for seating in ruleset(name).seatings]
EACH = pytest.mark.parametrize(("name", "seating"), TABLES, ids=[f"{name}-{seating}" for name, seating in TABLES])
HOUSE_RULES: tuple[dict[str, Any], ...] = (
    {"first_meld_minimum": 50, "target": 1500},
    {"closing": "clean", "closing_by": "discard"},
    {"closing": "none", "rounds_without_draw": 3},
    {"muerto_after_discard": "same_turn", "joker_points": 50, "two_points": 10},
    {"muerto_after_discard": "next_turn", "wild_discard": "not_closing"},
    {"run_minimum": 3, "lone_pile_card": "barred"},
    {"pile_taking": "top_this_turn", "pile_shown": "all", "first_meld_minimum": 50},
    {"pile_taking": "top_at_once", "pile_shown": "top", "closing_by": "discard"},
    {"stock_end": "while_pile"},
    {"stock_end": "muertos", "unused_muerto": "penalty_and_hand"},
    {"wild_discard": "not_closing", "closing": "clean"},
    {"wild_move": "free", "wild_displaces_wild": True},
    {"displaced_wild": "hand", "wild_discard": "not_closing"},
)


def begun(rules: Ruleset, seating: Seating, rng: random.Random, stack: str) -> Match:
    """A match before its first deal and the deal, shuffled until it may be dealt."""
    before = new_match(rules, seating, rng.randrange(seating.seats))
    while True:
        try:
            return evolve_all(before, start_deal(before, shuffled(rules, seating, rng, stack)))
        except IllegalDeal:
            stack = "fair"


@lru_cache(maxsize=100_000)
def _lies(rules: Ruleset, text: str) -> Reading:
    cards = tuple(word.partition("=")[0] for word in text.split())
    return next(reading for reading in rulings.readings(rules, cards) if reading.text == text)


class Watched:
    """A deal in which every step is checked."""

    def __init__(self, match: Match, *, exact: bool = True) -> None:
        self.match = self.start = match
        self.exact = exact
        """Whether everything that is offered must be accepted."""
        self.events: list[Event] = []
        self.cards = sorted(all_cards(deal_of(match)))
        self.turns = 0
        self.refusals: Counter[str] = Counter()
        self._check()

    def bound(self) -> int:
        """A deal cannot have more turns: in so many rounds at least one card leaves the stock."""
        deal, match = deal_of(self.match), self.match
        cards = len(deal.stock) + len(deal.reserve) + sum(map(len, deal.muertos)) + 2
        return cards * match.rules.rounds_without_draw * match.seating.seats

    def attempt(self, seat: int, action: Action) -> bool:
        """Ask for anything: a refusal changes nothing."""
        before = msgspec.json.encode(self.match)
        try:
            events = decide(self.match, seat, action)
        except IllegalAction as refusal:
            assert msgspec.json.encode(self.match) == before
            self.refusals[str(refusal.reason)] += 1
            return False
        self._accept(events)
        return True

    def _accept(self, events: tuple[Event, ...]) -> None:
        seat = deal_of(self.match).turn.seat
        for event in events:  # as they are stored
            self.match = evolve(self.match, msgspec.json.decode(msgspec.json.encode(event), type=Event))
        self.events += events
        self.turns += deal_of(self.match).turn.seat != seat
        self._check()

    def _check(self) -> None:
        match, rules = self.match, self.match.rules
        deal = deal_of(match)
        assert sorted(all_cards(deal)) == self.cards
        for row in deal.melds:
            for meld in row:
                _lies(rules, str(meld))
        for seat in range(match.seating.seats):
            offered = legal.actions(seat_view(match, seat))
            assert bool(offered) == (match.in_play and seat == deal.turn.seat), "there is always a way on"
        if deal.turn.choosing is None and match.in_play:
            assert deal.hands[deal.turn.seat]

    def step(self, player: Player, rng: random.Random) -> None:
        """One of the actions offered."""
        seat = deal_of(self.match).turn.seat
        text = player.choose(self.match)
        if self.attempt(seat, parse_action(text)[1]):
            return
        assert not self.exact, text
        others = legal.actions(seat_view(self.match, seat))
        rng.shuffle(others)
        assert any(self.attempt(seat, action) for action in others), "something that is offered is accepted"

    def check_offers(self) -> None:
        """Everything offered is accepted."""
        seat = deal_of(self.match).turn.seat
        for action in legal.actions(seat_view(self.match, seat)):
            try:
                decide(self.match, seat, action)
            except IllegalAction as refusal:
                raise AssertionError(write_action(action)) from refusal

    def check_blind(self, seed: int) -> None:
        """What is hidden from a seat changes nothing that it is told."""
        match, rng = self.match, random.Random(seed)
        seat = rng.randrange(match.seating.seats)
        hidden = hidden_from(match, seat)
        if match.rules.pile_shown is PileShown.ALL:
            shown = set(deal_of(match).pile)
            hidden = [(card, seen) for card, seen in hidden if card not in shown]
        changed = with_other_cards(match, dealt_anew(rng, hidden))
        assert all_that_a_seat_gets(changed, seat) == all_that_a_seat_gets(match, seat)

    def check_end(self) -> None:
        """Replay, storage, and the score added up anew."""
        match, rules = self.match, self.match.rules
        assert evolve_all(self.start, self.events) == match
        assert msgspec.json.decode(msgspec.json.encode(match), type=Match) == match
        deal, seating = deal_of(match), match.seating
        if deal.scores is None:
            return
        for side, score in enumerate(deal.scores):
            melds = [_lies(rules, str(meld)) for meld in deal.melds[side]]
            told = tallies.side_score(
                rules,
                melds,
                [[CODE[card] for card in deal.hands[seat]] for seat in seating.seats_of(side)],
                took=deal.taken[side] > 0,
                used=deal.muerto_used[side],
                anybody_took=any(deal.taken),
                closed=deal.closer is not None and seating.side_of(deal.closer) == side,
            )
            assert msgspec.structs.asdict(score) == told
            table = seat_view(match, 0).table
            assert [str(kind) for kind in table.kinds[side]] == [tallies.kind(rules, meld)[0] for meld in melds]
        totals = [a + b.total for a, b in zip(self.start.totals, deal.scores, strict=True)]
        assert list(match.totals) == totals
        assert match.winner == tallies.winner(rules, totals, seating.side_of(match.first_starter))
        if deal.closer is not None:
            assert not deal.hands[deal.closer]
            assert deal.taken[seating.side_of(deal.closer)]


def _goes_on(match: Match) -> bool:
    """Whether the deal goes on with a hand small enough for brute force."""
    deal = deal_of(match)
    return match.in_play and len(deal.hands[deal.turn.seat]) <= 25


def whole_deal(rules: Ruleset, seating: Seating, stack: str, seed: str, *, exact: bool = True) -> Watched:
    """A deal from start to end."""
    rng = random.Random(seed)
    watched = Watched(begun(rules, seating, rng, stack), exact=exact)
    player, bound = Player(rng), watched.bound()
    while watched.match.in_play:
        if rng.random() < 0.3:
            seat, text = player.attempt(watched.match)
            watched.attempt(seat, parse_action(text)[1])
        if rng.random() < 0.05 and watched.match.in_play:
            if exact:
                watched.check_offers()
            watched.check_blind(rng.randrange(1000))
        if watched.match.in_play:
            watched.step(player, rng)
        assert watched.turns <= bound
    watched.check_end()
    return watched


def late_position(rules: Ruleset, seating: Seating, rng: random.Random) -> Match:
    """Few cards in the hand on turn, many of them wild, and melds of every shape on the table."""
    box = [card for rank in "A23456789TJQK" for suit in "shdc" for card in [rank + suit] * 2] + ["JK"] * rules.jokers
    rng.shuffle(box)
    mover = rng.randrange(seating.seats)
    side = seating.side_of(mover)
    melds: list[list[str]] = [[] for _ in range(seating.sides)]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        melds[side].append(_laid(rules, rng, box))
    wilds = [card for card in box if card == "JK" or card[0] == "2"]
    hand = wilds[: rng.choice((0, 0, 1, 1, 2, 3))]
    for card in hand:
        box.remove(card)
    hand += [box.pop() for _ in range(rng.choice((1, 1, 2, 3, 6)) if hand else rng.choice((2, 3, 4)))]
    most = rules.muertos_a_side
    taken = [rng.randint(0, most) for _ in range(seating.sides)]
    muertos = max(rules.muerto_count(seating) - sum(taken), 0)
    phase = rng.choice((Phase.PLAY, Phase.PLAY, Phase.DRAW))
    hands = [hand if seat == mover else [box.pop() for _ in range(rng.randint(1, 4))] for seat in range(seating.seats)]
    pile = [box.pop() for _ in range(rng.choice((0, 1, 1, 2, 5)) if phase is Phase.DRAW else 1)]
    heaps = [[box.pop() for _ in range(11)] for _ in range(muertos)]
    rest = rng.choice((0, 0, 1, 2, 4, 100))
    stock = [box.pop() for _ in range(min(rest or 1, len(box)))]
    if rest < 100:  # the stock is nearly out: the seat that plays last holds all that is left
        hands[mover - 1] += box
    return build_match(rules, seating, Position(
        mover=mover, phase=phase, hands=tuple(map(tuple, hands)), melds=tuple(map(tuple, melds)), pile=tuple(pile),
        stock=tuple(stock), muertos=tuple(map(tuple, heaps)),
        taken=tuple(count if most > 1 else count > 0 for count in taken),
        scores=tuple(rng.choice((0, rules.target - 100, rules.target)) for _ in range(seating.sides)),
    ))  # fmt: skip


def _laid(rules: Ruleset, rng: random.Random, box: list[str]) -> str:
    """A legal meld taken out of the box."""
    while True:
        size = rng.choice((rules.run_minimum, 3, 4, 6, 7, 7, 7, 8, 8, 12, 13))
        pivot = rng.choice(box)
        if rng.random() < 0.35:
            cards = [card for card in box if card[0] == pivot[0]][:size]
        else:
            first = rng.randrange(14)
            cards = [rank + pivot[-1] for rank in "A23456789TJQKA"[first : first + size]]
        if rng.random() < 0.5:
            cards[rng.randrange(len(cards))] = rng.choice([card for card in box if card == "JK" or card[0] == "2"])
        if Counter(cards) - Counter(box):
            continue
        found = sorted(reading.text for reading in rulings.readings(rules, cards))
        if found:
            for card in cards:
                box.remove(card)
            return rng.choice(found)


def skirmish(rules: Ruleset, seating: Seating, seed: str, *, exact: bool = True) -> Watched:
    """A stretch of play from a late position."""
    rng = random.Random(seed)
    watched = Watched(late_position(rules, seating, rng), exact=exact)
    player = Player(rng)
    for _ in range(25):
        seat, text = player.attempt(watched.match)
        watched.attempt(seat, parse_action(text)[1])
        if not _goes_on(watched.match):
            break
        if rng.random() < 0.15:
            if exact:
                watched.check_offers()
            watched.check_blind(rng.randrange(1000))
        if rng.random() < 0.4:
            watched.step(player, rng)
        if not _goes_on(watched.match):
            break
    watched.check_end()
    return watched


@EACH
def test_whole_deals(name: str, seating: Seating, *, long_run: bool) -> None:
    """Fair and stacked deals end, with every invariant on the way."""
    for n in range(40 if long_run else 1):
        for stack in ("fair", "suits", "ranks", "wild muertos") if long_run else ("fair", "suits"):
            whole_deal(ruleset(name), seating, stack, f"{name} {seating} {stack} {n}")


@EACH
def test_late_positions(name: str, seating: Seating, *, long_run: bool) -> None:
    """The look-ahead, muertos, closing and the end of the stock."""
    ends: Counter[str] = Counter()
    for n in range(3000 if long_run else 80):
        watched = skirmish(ruleset(name), seating, f"{name} {seating} {n}")
        ends[str(deal_of(watched.match).ended)] += 1
    assert ends.keys() - {"None"}, ends


def _with(name: str, options: Mapping[str, Any]) -> Ruleset | None:
    try:
        return with_options(ruleset(name), options)
    except RulesetError:
        return None


@pytest.mark.parametrize("options", HOUSE_RULES, ids=lambda options: "-".join(map(str, options.values())))
def test_house_rules(options: Mapping[str, Any], *, long_run: bool) -> None:
    """A way on everywhere, whatever a table changes; contradictions are refused when the table is made."""
    tried = 0
    for name in NAMES if long_run else NAMES[:11]:
        rules = _with(name, options)
        if rules is None:
            continue
        tried += 1
        for seating in rules.seatings if long_run else rules.seatings[:1]:
            for n in range(100 if long_run else 6):
                skirmish(rules, seating, f"{name} {options} {n}", exact=False)
            for n in range(5 if long_run else 1):
                if long_run or name in ("parejas", "cerrado", "fibur"):
                    whole_deal(rules, seating, "suits", f"{name} {options} {n}", exact=False)
    assert tried >= 8
