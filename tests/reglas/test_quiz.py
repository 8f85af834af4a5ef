"""Exercises: the twelve have their known answers, the endless ones are fair and always the same."""

import random

import pytest

from bot import rulesets
from bot.reglas.quiz import ENDLESS, FIXED, exercise, next_number

KNOWN = [False, False, True, True, False, False, True, True, True, False, True, True]
"""The answers under ``clasico``."""


def test_the_twelve_exercises_have_their_known_answers() -> None:
    rules = rulesets.load("clasico")
    assert [exercise(rules, number).verdict.meld is not None for number in range(len(FIXED))] == KNOWN


@pytest.mark.parametrize("name", rulesets.ids())
def test_endless_exercises_are_about_half_right_and_always_the_same(name: str) -> None:
    rules = rulesets.load(name)
    made = [exercise(rules, number) for number in range(12, 212)]
    right = sum(task.verdict.meld is not None for task in made)
    assert 60 <= right <= 140
    assert len({task.cards for task in made}) > 150
    assert all(3 <= len(task.cards) <= 15 for task in made)
    assert all((task.verdict.reason is None) is (task.verdict.meld is not None) for task in made)
    assert made == [exercise(rules, number) for number in range(12, 212)]
    assert any(task.verdict.meld is not None and task.verdict.meld.wild >= 0 for task in made)


def test_after_the_twelve_come_any() -> None:
    rng = random.Random(1)
    assert [next_number(number, rng) for number in range(11)] == list(range(1, 12))
    assert all(12 <= next_number(number, rng) < ENDLESS for number in (11, 12, 99, ENDLESS - 1))
