"""Dealing: from a pack's order to hands, muertos, stock and pile. Chance is data; nothing here is random."""

from engine.cards import IS_WILD, Card, pack, sorted_cards
from engine.events import DealStarted
from engine.policies import UpCard
from engine.reasons import IllegalDeal
from engine.ruleset import Ruleset
from engine.seating import Seating


def new_pack(rules: Ruleset) -> tuple[Card, ...]:
    """The two packs in factory order, for shuffling."""
    return pack(2, rules.jokers_a_pack)


def new_reserve(rules: Ruleset) -> tuple[Card, ...]:
    """The third deck in factory order, for shuffling; empty where the rule set has none."""
    return pack(1, rules.jokers_a_pack, first=2) if rules.uses_third_deck else ()


def deal_out(
    rules: Ruleset, seating: Seating, number: int, starter: int, cards: tuple[Card, ...], reserve: tuple[Card, ...]
) -> DealStarted:
    """Deal a pack, its first card on top: muertos from the bottom, hands from the top, one card at a time.

    What is left is the stock, whose top is turned up where the rule set has an up-card.

    Raises:
        IllegalDeal: the pack does not hold exactly the rule set's cards, or turns a wild where that is reshuffled.
    """
    if sorted(cards) != list(new_pack(rules)) or sorted(reserve) != list(new_reserve(rules)):
        raise IllegalDeal("the pack does not hold the cards of the rule set")
    count = rules.muerto_count(seating)
    for_muertos = count * rules.muerto_size
    bottom = cards[len(cards) - for_muertos :][::-1]
    muertos = tuple(bottom[i::count] for i in range(count))
    for_hands = seating.seats * rules.hand_size
    hands: list[tuple[Card, ...]] = [()] * seating.seats
    for turn in range(seating.seats):
        hands[(starter + turn) % seating.seats] = sorted_cards(cards[turn : for_hands : seating.seats])
    rest = cards[for_hands : len(cards) - for_muertos]
    pile: tuple[Card, ...] = ()
    if rules.up_card is not UpCard.NONE:
        pile, rest = rest[:1], rest[1:]
        if rules.up_card is UpCard.TURNED_NATURAL and IS_WILD[pile[0]]:
            raise IllegalDeal("a wild was turned up: shuffle again")
    return DealStarted(
        number=number,
        starter=starter,
        hands=tuple(hands),
        muertos=muertos,
        stock=rest[::-1],
        pile=pile,
        reserve=reserve[::-1],
    )
