"""Cases: a position, actions played on it with the real engine, and what came of it (docs/notation.md)."""

from typing import Any

import msgspec

from engine.decide import decide
from engine.evolve import evolve_all
from engine.notation import parse_action
from engine.position import Position, Situation, build_match, describe
from engine.reasons import IllegalAction, NotationError, Reason
from engine.ruleset import Ruleset, with_options
from engine.seating import Seating
from engine.state import Match


class Case(msgspec.Struct, frozen=True):
    """A case as it is written; keys of one's own beside these (a note, a source) are let be."""

    id: str
    ruleset: str
    seating: Seating
    position: Position
    do: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    expect: dict[str, Any] | None = None


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a case came to; ``ok`` where it had an expectation."""

    id: str
    got: dict[str, Any]
    ok: bool | None = None


def judge_case(case: Case, rules: Ruleset) -> Verdict:
    """Play a case under a rule set and compare with what it expects.

    Raises:
        RulesetError: its options make no sense.
        PositionError: its position cannot be.
    """
    match = build_match(with_options(rules, case.options), case.seating, case.position)
    refused: list[int | str] | None = None
    for index, text in enumerate(case.do):
        try:
            match = play(match, text)
        except IllegalAction as refusal:
            refused = [index, str(refusal.reason)]
            break
    got = report(refused, describe(match))
    if case.expect is None:
        return Verdict(case.id, got)
    return Verdict(case.id, got, ok=all(key in got and got[key] == value for key, value in case.expect.items()))


def play(match: Match, text: str) -> Match:
    """The match after an action in notation.

    Raises:
        IllegalAction: it is refused; a text that is no action gives ``bad_notation``.
    """
    deal = match.deal
    if deal is None:
        raise IllegalAction(Reason.DEAL_OVER)
    try:
        seat, action = parse_action(text)
    except NotationError as error:
        waiting = deal.turn.choosing is not None
        raise IllegalAction(Reason.MUERTO_CHOICE_NEEDED if waiting else Reason.BAD_NOTATION, text=error.text) from None
    return evolve_all(match, decide(match, deal.turn.seat if seat is None else seat, action))


def report(refused: list[int | str] | None, situation: Situation) -> dict[str, Any]:
    """What a case got, every key."""
    return {"refused": refused, **msgspec.to_builtins(situation)}
