"""Self-play, random and sensible, and beside it other engines where they are installed: all in one run, in turns."""

import importlib
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from bot.cli.playing import asked_rules
from bot.robots.arena import play_deal
from bot.robots.registry import make_robot
from bot.shuffling import seeded_deal
from engine.decide import start_deal
from engine.environment import Environment
from engine.evolve import evolve_all
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import new_match

Part = Callable[[int], int]
"""Plays the game with this number and says how many actions it had (turns, where the name says so)."""
_PEERS: Final = {"open_spiel": "pyspiel", "rlcard": "rlcard"}


class Speed(NamedTuple):
    """A part's median over the rounds, by processor time; the last by the clock."""

    name: str
    games_a_second: float
    actions_a_second: float
    us_an_action: float
    wall_us_an_action: float


def self_play(
    ruleset: str, seating: str, rounds: int, seconds: float, *, peers: bool
) -> tuple[list[dict[str, Any]], list[str]]:
    """A row for each kind of play, and the peers that are not installed.

    Raises:
        typer.Exit: there is no such rule set or seating; it has been said.
    """
    rules, places = asked_rules(ruleset, seating)
    parts: dict[str, Part] = dict(_own(rules, places))
    missing: list[str] = []
    if peers:
        for name, make in (("open_spiel", _open_spiel), ("rlcard", _rlcard)):
            try:
                parts[f"{name} gin rummy, random"] = make(importlib.import_module(_PEERS[name]))
            except ImportError:
                missing.append(f"{name} is not installed: pip install 'buraco[peers]'")
    return [speed._asdict() for speed in measured(parts, rounds, seconds)], missing


def measured(parts: dict[str, Part], rounds: int, seconds: float) -> list[Speed]:
    """Each part timed in turns with the others, so that a busy moment hits all of them."""
    rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in parts}
    number = 0
    for _ in range(rounds):
        for name, part in parts.items():
            games = actions = 0
            began, used = time.perf_counter(), time.process_time()
            while time.perf_counter() - began < seconds:
                actions += part(number)
                games += 1
                number += 1
            taken, used = time.perf_counter() - began, time.process_time() - used
            rows[name].append((games / used, actions / used, actions / taken))
    return [_speed(name, row) for name, row in rows.items()]


def _speed(name: str, row: list[tuple[float, float, float]]) -> Speed:
    games, actions, by_clock = (statistics.median(column) for column in zip(*row, strict=True))
    return Speed(name, round(games, 2), round(actions, 1), round(1e6 / actions, 2), round(1e6 / by_clock, 2))


def _own(rules: Ruleset, seating: Seating) -> Iterator[tuple[str, Part]]:
    yield f"{rules.id} {seating}, random", lambda number: _random(rules, seating, number)
    yield f"{rules.id} {seating}, normal", lambda number: _normal(rules, seating, number)
    yield f"{rules.id} {seating}, compiled form (turns)", lambda number: _compiled(rules, seating, number)


def _random(rules: Ruleset, seating: Seating, number: int) -> int:
    chance = random.Random(number)  # noqa: S311 - play, not secrets
    game = Environment(rules, seating)
    game.reset(seeded_deal(rules, seating, number))
    actions = 1
    while game.step(chance.choice(game.legal_actions())) is None:
        actions += 1
    return actions


def _normal(rules: Ruleset, seating: Seating, number: int) -> int:
    robots = [make_robot()] * seating.seats
    return len(play_deal(new_match(rules, seating, 0), seeded_deal(rules, seating, number), robots).log)


def _compiled(rules: Ruleset, seating: Seating, number: int) -> int:
    # Here, because they bring a compiler along, and every start of the bot loads this module.
    from bot.bench.rows import row_of  # noqa: PLC0415
    from bot.robots.swift import layout as at  # noqa: PLC0415
    from bot.robots.swift.turn import play_turn  # noqa: PLC0415
    from bot.robots.swift.workshop import LOCK, workshop_for  # noqa: PLC0415

    shop = workshop_for(rules, seating)
    match = new_match(rules, seating, 0)
    row = row_of(evolve_all(match, start_deal(match, seeded_deal(rules, seating, number))), shop)
    turns = 0
    with LOCK:
        while not row[at.OVER]:
            play_turn(row, shop.gear, 1)
            turns += 1
    return turns


def _open_spiel(module: Any) -> Part:
    game = module.load_game("gin_rummy")

    def play(number: int) -> int:
        chance = random.Random(number)  # noqa: S311 - play, not secrets
        state = game.new_initial_state()
        actions = 0
        while not state.is_terminal():
            legal = (
                [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            )
            state.apply_action(chance.choice(legal))
            actions += 1
        return actions

    return play


def _rlcard(module: Any) -> Part:
    env = module.make("gin-rummy")

    def play(number: int) -> int:
        chance = random.Random(number)  # noqa: S311 - play, not secrets
        state, _ = env.reset()
        actions = 0
        while not env.is_over():
            state, _ = env.step(chance.choice(list(state["legal_actions"])))
            actions += 1
        return actions

    return play
