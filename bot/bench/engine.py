"""The engine: checked actions, whole deals, a deal rebuilt from its log, and the melds that lie in a hand."""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from bot import rulesets
from bot.bench.deals import Dealt, random_deal
from bot.bench.timing import cost_of
from engine.cards import Card, sorted_cards
from engine.dealing import new_pack
from engine.decide import decide
from engine.environment import Environment
from engine.evolve import evolve_all
from engine.legal_melds import candidate_melds, forget_melds
from engine.rows import forget_arrangements
from engine.ruleset import Ruleset
from engine.seating import Seating

HAND_SIZES: Final = (11, 22, 40)
_DEALS: Final = 4
_HANDS: Final = 40


def engine_rows(names: tuple[str, ...], rounds: int, seconds: float) -> Iterator[dict[str, Any]]:
    """A row for each of the rule sets: how many actions and deals a second, and how long a rebuild takes."""
    for name in names:
        rules = rulesets.load(name)
        seating = Seating.TWO_PAIRS if Seating.TWO_PAIRS in rules.seatings else rules.seatings[0]
        yield _engine_row(rules, seating, rounds, seconds)


def _engine_row(rules: Ruleset, seating: Seating, rounds: int, seconds: float) -> dict[str, Any]:
    deals = [random_deal(rules, seating, seed) for seed in range(_DEALS)]
    logs = [(deal.before, deal.events) for deal in deals]
    actions = sum(len(deal.steps) for deal in deals)
    checked = cost_of(lambda: _replay(deals), rounds, seconds)
    rebuilt = cost_of(lambda: [evolve_all(before, events) for before, events in logs], rounds, seconds)
    played = cost_of(_random_player(rules, seating, deals), rounds, seconds)
    return {
        "ruleset": rules.id,
        "seating": str(seating),
        "actions_a_second": round(actions / checked.cpu),
        "us_an_action": round(1e6 * checked.cpu / actions, 2),
        "deals_a_second": round(_DEALS / checked.cpu, 1),
        "random_play_deals_a_second": round(1 / played.cpu, 1),
        "rebuild_ms": round(1000 * rebuilt.cpu / _DEALS, 3),
        "actions_a_deal": round(actions / _DEALS),
        "wall_actions_a_second": round(actions / checked.wall),
    }


def _replay(deals: list[Dealt]) -> None:
    """Every action judged, and its events applied, as if for the first time."""
    forget_arrangements()
    for deal in deals:
        match = deal.dealt
        for step in deal.steps:
            match = evolve_all(match, decide(match, step.seat, step.action))


def _random_player(rules: Ruleset, seating: Seating, deals: list[Dealt]) -> Callable[[], None]:
    """One deal after the other in which all that is legal is asked for each time."""
    game, numbers = Environment(rules, seating), iter(range(1 << 30))

    def play() -> None:
        number = next(numbers)
        chance = random.Random(number)  # noqa: S311 - play, not secrets
        game.restore(deals[number % len(deals)].dealt)
        while game.step(chance.choice(game.legal_actions())) is None:
            pass

    return play


def meld_rows(rounds: int, seconds: float) -> Iterator[dict[str, Any]]:
    """A row for each size of a hand: what finding its melds takes, in microseconds of processor time.

    ``warm``: of a hand seen lately, as it is asked about several times an action; ``new_hand``: of one whose suits and
    ranks have been seen, as when a single card came or went; ``cold``: of one of which nothing is known.
    """
    rules = rulesets.load("clasico")
    chance = random.Random(5)  # noqa: S311 - play, not secrets
    pack = new_pack(rules)
    for size in HAND_SIZES:
        hands = [sorted_cards(chance.sample(pack, size)) for _ in range(_HANDS)]
        warm = cost_of(lambda hands=hands: [candidate_melds(rules, hand) for hand in hands], rounds, seconds)  # type: ignore[misc]
        cold = cost_of(lambda hands=hands: [_unseen(rules, hand) for hand in hands], rounds, seconds)  # type: ignore[misc]
        near = cost_of(lambda hands=hands: [_one_less(rules, hand) for hand in hands], rounds, seconds)  # type: ignore[misc]
        yield {
            "cards": size,
            "melds": round(sum(len(candidate_melds(rules, hand)) for hand in hands) / _HANDS, 1),
            "warm_us": round(1e6 * warm.cpu / _HANDS, 2),
            "new_hand_us": round(1e6 * near.cpu / _HANDS, 2),
            "cold_us": round(1e6 * cold.cpu / _HANDS, 2),
        }


def _one_less(rules: Ruleset, hand: tuple[Card, ...]) -> object:
    """A hand that was never seen as a whole, while its suits and ranks were."""
    forget_melds(parts=False)
    return candidate_melds(rules, hand)


def _unseen(rules: Ruleset, hand: tuple[Card, ...]) -> object:
    forget_melds()
    return candidate_melds(rules, hand)
