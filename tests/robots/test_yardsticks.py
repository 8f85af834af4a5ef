"""Greedy and random never change: what was measured against them stays comparable."""

import hashlib

import pytest

from bot import rulesets, shuffling
from bot.robots.arena import play_deal
from bot.robots.registry import make_robot
from engine.notation import write_action
from engine.seating import Seating
from engine.state import new_match

FROZEN = {
    ("greedy", Seating.ONE_ON_ONE): "74f2860609be39a9",
    ("greedy", Seating.TWO_PAIRS): "e826c47da45e0bec",
    ("random", Seating.ONE_ON_ONE): "1b8262e756a8cdeb",
    ("random", Seating.TWO_PAIRS): "3674ae2684c91ee9",
}
"""The first 16 hexadecimal digits of SHA-256 over every action of three deals of clasico."""


@pytest.mark.parametrize(("name", "seating"), FROZEN)
def test_every_decision_stands(name: str, seating: Seating) -> None:
    """Every action of whole deals, as it was when the yardsticks were cut."""
    assert digest(name, seating) == FROZEN[name, seating]


def digest(name: str, seating: Seating) -> str:
    """A fingerprint of three deals."""
    rules = rulesets.load("clasico")
    told = hashlib.sha256()
    for number in range(3):
        chance = shuffling.seeded_deal(rules, seating, f"yardstick:{number}")
        robots = [make_robot(name, seed=seat) for seat in range(seating.seats)]
        for seat, action in play_deal(new_match(rules, seating, number % seating.seats), chance, robots).log:
            told.update(f"{seat}: {write_action(action)}\n".encode())
    return told.hexdigest()[:16]
