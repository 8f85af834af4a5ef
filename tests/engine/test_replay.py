"""The same rule set, pack and log lead to the same states, in this process and in fresh ones."""

import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from engine.decide import decide, start_deal
from engine.events import Event
from engine.evolve import evolve, evolve_all
from engine.judge import play
from engine.notation import parse_action
from engine.seating import Seating
from engine.state import Match, new_match
from tests.engine.replay_digest import Log, digests
from tests.strategies import SEATINGS, Player, deal_of, ruleset, shuffled

ROOT = Path(__file__).parent.parent.parent


def logged(seating: Seating, seed: int, actions: int = 150) -> Log:
    """A random deal and its log."""
    rng = random.Random(seed)
    rules = ruleset("clasico")
    starter = rng.randrange(seating.seats)
    chance = shuffled(rules, seating, rng, "suits")
    match = new_match(rules, seating, starter)
    match = evolve_all(match, start_deal(match, chance))
    player = Player(rng)
    texts: list[str] = []
    while match.in_play and len(texts) < actions:
        texts.append(player.choose(match))
        match = play(match, texts[-1])
    return Log("clasico", seating, starter, chance, tuple(texts))


@pytest.mark.parametrize(("seating", "hash_seed"), [*zip(SEATINGS, ("0", "1", "4242", "random"), strict=True)])
def test_fresh_process(seating: Seating, hash_seed: str, tmp_path: Path) -> None:
    """Every state, every view and every offer is the same, whatever Python's hash seed."""
    log = logged(seating, 11)
    file = tmp_path / "log.json"
    file.write_bytes(msgspec.json.encode(log))
    command = [sys.executable, "-m", "tests.engine.replay_digest", str(file)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    assert run.stdout.split() == list(digests(log))
    assert len(set(digests(log))) == len(log.actions) + 1, "no action leaves everything as it was"


@pytest.mark.parametrize("seating", SEATINGS)
def test_events_are_enough(seating: Seating) -> None:
    """Stored events rebuild the match without judging anything again; they and the match survive storage."""
    log = logged(seating, 12, actions=2000)
    match = start = new_match(ruleset("clasico"), seating, log.first_starter)
    events: list[Event] = list(start_deal(match, log.chance))
    match = evolve_all(match, events)
    for text in log.actions:
        _, action = parse_action(text)
        new = decide(match, deal_of(match).turn.seat, action)
        events += new
        match = evolve_all(match, new)
    stored = msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
    assert stored == events
    rebuilt = start
    for event in stored:
        rebuilt = evolve(rebuilt, event)
    assert rebuilt == match
    assert msgspec.json.decode(msgspec.json.encode(match), type=Match) == match
    assert not match.in_play


def test_next_deal_starts_to_the_right() -> None:
    """Each deal is begun by the seat after the one that began the last, and the totals go on."""
    rules = ruleset("clasico")
    match = new_match(rules, Seating.THREE_ALONE, 2)
    for number in range(4):
        rng = random.Random(number)
        match = evolve_all(match, start_deal(match, shuffled(rules, match.seating, rng)))
        before = match.totals
        deal = deal_of(match)
        assert (deal.number, deal.starter, deal.turn.seat) == (number, (2 + number) % 3, (2 + number) % 3)
        player = Player(rng)
        while match.in_play:
            match = play(match, player.choose(match))
        scores = deal_of(match).scores
        assert scores is not None
        assert match.totals == tuple(old + score.total for old, score in zip(before, scores, strict=True))
        assert match.winner is None
    assert match.deals == 4
