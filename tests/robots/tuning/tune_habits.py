"""Find a kind's habits: ``uv run python -m tests.robots.tuning.tune_habits clean_free_pairs`` (minutes a kind).

Evolution (CMA-ES) on the lead over the greedy yardstick, over the habits in use and over the last winners: play is not
transitive, so beating one opponent is not enough. Other deals in each generation, and others again for the figures that
are printed at the end. ``--keep`` puts the winner into ``bot/robots/tuned/habits.json``.
"""

import statistics
import sys
from typing import Final

import cma
import msgspec

from bot.robots.game_kinds import GameKind
from bot.robots.habits import Habits
from tests.robots.tuning.sparring import PLACES, Player, greedy, habits_of, lead, player, store, told

STEPS: Final = {
    "pile_card": 4, "pile_mate": 4, "pile_meld": 10, "pile_fit": 10, "pile_least": 12, "pile_deny": 5, "pile_hand": 1,
    "pile_race": 12, "pile_untaken": 8, "pile_threat": 15, "wild_from": 1.5, "wild_first": 1.5, "wild_late": 2,
    "wild_small": 3, "wild_close": 3, "wild_pair": 3, "company": 3, "beyond": 3, "mate": 3, "twin": 3,
    "own_fit": 15, "feed": 12, "feed_pile": 2, "points": 0.4, "close_lead": 100, "close_time": 15,
}  # fmt: skip
"""By how much each habit is tried to change at first."""
GENERATIONS: Final = 32
BROOD: Final = 12
DEALS: Final = 16
GREEDY_SHARE: Final = 0.4
JUDGED: Final = 200


def moved(base: Habits, steps: list[float]) -> Habits:
    """Habits so many steps away."""
    changed = zip(STEPS.items(), steps, strict=True)
    return msgspec.structs.replace(base, **{name: getattr(base, name) + by * step for (name, step), by in changed})


def tune(kind: GameKind) -> Habits:
    """The habits that evolution ends with."""
    base = habits_of(kind)
    winners: list[Habits] = []
    search = cma.CMAEvolutionStrategy([0.0] * len(STEPS), 0.6, {"popsize": BROOD, "seed": 1, "verbose": -9})
    for generation in range(GENERATIONS):
        brood = search.ask()
        others = [player(habits) for habits in (base, *winners[-2:])]
        search.tell(brood, [-_fitness(kind, moved(base, steps), others, f"tune:{generation}") for steps in brood])
        if generation % 8 == 7:
            winners.append(moved(base, search.mean))
    return moved(base, search.mean)


def _fitness(kind: GameKind, habits: Habits, others: list[Player], seed: str) -> float:
    one = player(habits)

    def against(other: Player) -> float:
        deals = [(place, n) for place in PLACES[kind] for n in range(DEALS)]
        return statistics.mean(lead(place, f"{seed}:{n}", n, one, other) for place, n in deals)

    rest = statistics.mean(against(other) for other in others)
    return GREEDY_SHARE * against(greedy) + (1 - GREEDY_SHARE) * rest


def main(kind: GameKind, *, keep: bool) -> None:
    """Tune, and tell what came of it on deals of their own."""
    found, before = tune(kind), habits_of(kind)
    rounded = {name: round(value, 1) for name, value in msgspec.structs.asdict(found).items()}
    sys.stdout.write(f"{kind}: {rounded}\n")
    for place in PLACES[kind]:
        for name, other in (("greedy", greedy), ("before", player(before))):
            leads = [lead(place, f"judge:{n}", n, player(Habits(**rounded)), other) for n in range(JUDGED)]
            sys.stdout.write(f"  {place[0]} {place[1]}, over {name}: {told(leads)}\n")
    if keep:
        store("habits.json", kind, rounded)


if __name__ == "__main__":
    main(GameKind(sys.argv[1]), keep="--keep" in sys.argv)
