"""Properties of play: long random deals, with every step chosen and shrunk by hypothesis."""

import random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from engine import arrange, legal
from engine.actions import StartDeal
from engine.cards import CODE, IS_WILD, Card
from engine.dealing import new_pack, new_reserve
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.judge import play
from engine.notation import write_action
from engine.reasons import IllegalAction
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view
from tests.engine.table import CheckedTable, all_cards
from tests.oracle import melds as oracle
from tests.oracle import scores as score_oracle
from tests.strategies import STACKS, Player, deal_of, endgame, matches, ruleset, seatings, seeds, shuffled, stacks

RULES = ruleset("clasico")


@given(matches(), seeds)
def test_cards_are_conserved_and_refusals_change_nothing(match: Match, seed: int) -> None:
    """Whatever is asked for, every card stays somewhere and the state that was asked stays as it was."""
    rng = random.Random(seed)
    player = Player(rng)
    for _ in range(15):
        if not match.in_play:
            break
        seat, text = player.attempt(match)
        before = msgspec.json.encode(match)
        cards = sorted(all_cards(deal_of(match)))
        try:
            after = play(match, f"{seat}: {text}")
        except IllegalAction:
            after = match
        assert msgspec.json.encode(match) == before
        assert sorted(all_cards(deal_of(after))) == cards
        assert len(set(cards)) == len(cards) == 162
        match = after


@given(seeds, seatings, stacks)
def test_scores_are_the_sum_of_what_lies_there(seed: int, seating: Seating, stack: str) -> None:
    """Every part of the score of a whole deal, from the cards alone."""
    rng = random.Random(seed)
    match = new_match(RULES, seating, 0)
    match = evolve_all(match, start_deal(match, shuffled(RULES, seating, rng, stack)))
    player = Player(rng)
    while match.in_play:
        match = play(match, player.choose(match))
    deal = deal_of(match)
    assert deal.scores is not None
    for side, score in enumerate(deal.scores):
        told = score_oracle.side_score(
            [oracle.read(str(meld)) for meld in deal.melds[side]],
            [[CODE[card] for card in deal.hands[seat]] for seat in seating.seats_of(side)],
            took=deal.taken[side] > 0,
            closed=deal.closer is not None and seating.side_of(deal.closer) == side,
        )
        assert msgspec.structs.asdict(score) == told
    assert match.totals == tuple(score.total for score in deal.scores)
    assert (deal.closer is not None) == (deal.ended == "closed")
    if deal.closer is not None:
        assert not deal.hands[deal.closer]


@given(st.permutations(new_pack(RULES)), st.permutations(new_reserve(RULES)), seatings, st.integers(0, 5))
def test_every_pack_is_dealt(pack: list[Card], reserve: list[Card], seating: Seating, starter: int) -> None:
    """Hands and muertos of eleven, one card turned up, the rest is stock; nothing is lost and nothing is chosen."""
    match = new_match(RULES, seating, starter % seating.seats)
    match = evolve_all(match, start_deal(match, StartDeal(tuple(pack), tuple(reserve))))
    deal = deal_of(match)
    seats, sides = seating.seats, seating.sides
    assert [len(hand) for hand in deal.hands] == [11] * seats
    assert [len(muerto) for muerto in deal.muertos] == [11] * sides
    assert deal.pile == (pack[seats * 11],)
    assert len(deal.stock) == 108 - 11 * (seats + sides) - 1
    assert deal.stock[-1] == pack[seats * 11 + 1]
    assert deal.reserve[-1] == reserve[0]
    assert deal.turn.seat == starter % seats
    assert sorted(all_cards(deal)) == sorted((*pack, *reserve))
    for n, card in enumerate(pack[: seats * 11]):
        assert card in deal.hands[(starter + n) % seats]
    for n, card in enumerate(reversed(pack[-11 * sides :])):
        assert card in deal.muertos[n % sides]


def test_three_pairs_begin_with_a_stock_of_eight() -> None:
    """Six hands and three muertos leave nine cards, of which one is turned up."""
    match = new_match(RULES, Seating.THREE_PAIRS, 0)
    match = evolve_all(match, start_deal(match, StartDeal(new_pack(RULES), new_reserve(RULES))))
    assert len(deal_of(match).stock) == 8


@given(st.lists(st.sampled_from(new_pack(RULES)), min_size=3, max_size=8, unique=True), seeds)
def test_a_meld_does_not_depend_on_the_order_of_naming(cards: list[Card], seed: int) -> None:
    """The whole final meld is judged, never in the order in which the cards were named."""
    other = list(cards)
    random.Random(seed).shuffle(other)
    assert _judged(cards) == _judged(other)


@given(st.sampled_from("shdc"), st.integers(1, 12), st.integers(3, 7), st.data())
def test_a_stretch_of_a_suit_is_a_run(suit: str, low: int, size: int, data: st.DataObject) -> None:
    """With or without one wild, always; with a card left out inside, never."""
    size = min(size, 15 - low)
    faces = [f"{'A23456789TJQKA'[place - 1]}{suit}" for place in range(low, low + size)]
    pack = {CODE[card]: card for card in new_pack(RULES)}
    cards = [pack[face] for face in faces]
    joker = pack["JK"]
    assert _judged(cards) == " ".join(faces)
    at = data.draw(st.integers(0, size - 1))
    if size > 3 or not any(IS_WILD[card] for card in cards):
        replaced = [*cards[:at], joker, *cards[at + 1 :]]
        assert "=" in _judged(replaced)
        assert oracle.is_legal(_judged(replaced))
    if 0 < at < size - 1 and size > 3 and not any(IS_WILD[card] for card in cards):
        assert _judged([*cards[:at], *cards[at + 1 :]]) == "not_a_meld"


def _judged(cards: list[Card]) -> str:
    try:
        return str(arrange.judge_new(RULES, cards, {}))
    except IllegalAction as refusal:
        return str(refusal.reason)


class WholeDeal(RuleBasedStateMachine):
    """A deal in which hypothesis chooses every action, legal and not; all is checked beside the second referee."""

    table: CheckedTable

    @initialize(seed=seeds, seating=seatings, stack=stacks, late=st.booleans())
    def deal(self, seed: int, seating: Seating, stack: str, late: bool) -> None:
        """A fresh deal or a position near the end of one."""
        rng = random.Random(seed)
        if late:
            match = endgame(RULES, seating, rng)
            if deal_of(match).taken.count(0) == len(deal_of(match).muertos):
                self.table = CheckedTable.at(match)
                return
        self.table = CheckedTable(RULES, seating, seed % seating.seats, shuffled(RULES, seating, rng, stack))

    @precondition(lambda self: self.table.match.in_play)
    @rule(choice=st.integers(0, 10**6))
    def legal_action(self, choice: int) -> None:
        """One of the actions offered."""
        seat = deal_of(self.table.match).turn.seat
        offered = legal.actions(seat_view(self.table.match, seat))
        assert self.table.attempt(seat, write_action(offered[choice % len(offered)])) is None

    @precondition(lambda self: self.table.match.in_play)
    @rule(seed=seeds)
    def any_action(self, seed: int) -> None:
        """Something that may be nonsense."""
        self.table.attempt(*Player(random.Random(seed)).attempt(self.table.match))

    @precondition(lambda self: self.table.match.in_play)
    @rule(data=st.data())
    def chosen_cards(self, data: st.DataObject) -> None:
        """Any cards of the hand as a meld."""
        deal = deal_of(self.table.match)
        hand = [CODE[card] for card in deal.hands[deal.turn.seat]]
        if len(hand) > 2:
            cards = data.draw(st.lists(st.sampled_from(range(len(hand))), min_size=2, max_size=5, unique=True))
            self.table.attempt(deal.turn.seat, "meld " + " ".join(hand[i] for i in cards))

    @precondition(lambda self: not self.table.match.in_play)
    @rule(seed=seeds, seating=seatings, stack=st.sampled_from(sorted(STACKS)))
    def next_deal(self, seed: int, seating: Seating, stack: str) -> None:
        """Another deal, so that a long run goes on."""
        self.table.check_replay()
        self.deal(seed, seating, stack, seed % 2 == 0)

    def teardown(self) -> None:
        """What was stored rebuilds what there is."""
        if hasattr(self, "table"):
            self.table.check_replay()


TestWholeDeal = WholeDeal.TestCase
# Few runs of many steps, so that whole deals are played.
TestWholeDeal.settings = settings(max_examples=settings().max_examples // 6, stateful_step_count=400)
