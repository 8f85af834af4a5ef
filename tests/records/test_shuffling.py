"""Shuffling: complete packs, even odds, and seeds that mean the same for ever."""

import random
from collections import Counter
from pathlib import Path

import pytest

from bot import shuffling
from engine.cards import IS_WILD, codes
from engine.dealing import deal_out, new_pack, new_reserve
from engine.policies import UpCard
from engine.ruleset import Ruleset, with_options
from engine.seating import Seating
from tests.strategies import SEATINGS, ruleset

NATURAL_UP = with_options(ruleset("clasico"), {"up_card": "turned_natural"})


@pytest.mark.parametrize("seating", SEATINGS)
def test_every_card_is_there_once(seating: Seating) -> None:
    """Both sources deal the rule set's cards, all of them."""
    rules = ruleset("clasico")
    for deal in (shuffling.secure_deal(rules, seating), shuffling.seeded_deal(rules, seating, "x")):
        assert sorted(deal.pack) == list(new_pack(rules))
        assert sorted(deal.reserve) == list(new_reserve(rules))


def test_a_seed_means_the_same_for_ever() -> None:
    """The first cards of known seeds: records and measurements hang on them."""
    rules = ruleset("clasico")
    told = {seed: codes(shuffling.seeded_deal(rules, Seating.TWO_PAIRS, seed).pack[:8]) for seed in (0, 1, "2:7")}
    assert told == FIRST_CARDS
    assert shuffling.seeded_deal(rules, Seating.TWO_PAIRS, 5) == shuffling.seeded_deal(rules, Seating.TWO_PAIRS, "5")


def test_secure_deals_differ() -> None:
    """Two packs in the same order would be a miracle."""
    rules = ruleset("clasico")
    assert len({shuffling.secure_deal(rules, Seating.TWO_PAIRS).pack for _ in range(5)}) == 5


@pytest.mark.parametrize("rules", [NATURAL_UP, ruleset("clasico")], ids=["natural", "any"])
def test_wilds_that_are_turned_up(rules: Ruleset) -> None:
    """Reshuffled where the rule set says so, and only there."""
    turned = []
    for seating in (Seating.ONE_ON_ONE, Seating.THREE_PAIRS):
        for seed in range(60):
            deal = shuffling.seeded_deal(rules, seating, seed)
            turned.append(deal_out(rules, seating, 0, 0, deal.pack, deal.reserve).pile[0])
    assert any(IS_WILD[card] for card in turned) is (rules.up_card is UpCard.TURNED)


def test_even_odds_of_a_number() -> None:
    """Chi-square of numbers below 7 and of a number that 64 bits do not divide; the seed is fixed."""
    chance = shuffling.SeededChance("odds")
    counts = Counter(chance.randrange(7) for _ in range(14_000))
    assert sum((counts[n] - 2000) ** 2 / 2000 for n in range(7)) < 22.5  # 0.1 % of fair sources are over it
    huge = (1 << 63) + 1  # nearly half of all words are thrown away
    assert sum(chance.randrange(huge) < huge // 2 for _ in range(2000)) == pytest.approx(1000, abs=150)
    with pytest.raises(ValueError, match="no number below 0"):
        chance.randrange(0)


@pytest.mark.parametrize("chance", [shuffling.SeededChance(7), random.Random(7)], ids=["seeded", "random"])
def test_even_odds_of_a_shuffle(chance: shuffling.Chance) -> None:
    """Every order of four cards comes as often: chi-square over the 24 orders; the seed is fixed."""
    rounds = 24 * 300
    orders = Counter(shuffling.shuffled("abcd", chance) for _ in range(rounds))
    assert len(orders) == 24
    assert sum((count - 300) ** 2 / 300 for count in orders.values()) < 49.7  # 23 degrees of freedom, 0.1 %


def test_every_card_everywhere() -> None:
    """Where a card of the pack comes to lie is even: chi-square over the places of three cards."""
    rules = ruleset("clasico")
    chance = shuffling.SeededChance("places")
    pack = new_pack(rules)
    places: list[Counter[int]] = [Counter() for _ in range(3)]
    rounds = 27 * 60
    for _ in range(rounds):
        deal = shuffling.shuffled(pack, chance)
        for counter, card in zip(places, (pack[0], pack[53], pack[107]), strict=True):
            counter[deal.index(card) // 4] += 1
    for counter in places:
        assert sum((counter[n] - 60) ** 2 / 60 for n in range(27)) < 54.1  # 26 degrees of freedom, 0.1 %


def test_no_global_random() -> None:
    """Nothing draws from the interpreter's shared source, whose state others could set or read."""
    assert "import random" not in Path(str(shuffling.__file__)).read_text(encoding="utf-8")


FIRST_CARDS: dict[int | str, str] = {
    0: "Jd 5h 9c Kh Ac Qd 9d 8c",
    1: "9h Kd Ac Jd 2h 4s 3s 2c",
    "2:7": "5s 9s 2s Ac 6c 5s 8h 6s",
}
