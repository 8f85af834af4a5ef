"""Warnings: legal moves that are nearly always a slip are asked about once, and done when confirmed."""

from bot.moves import Move
from bot.screens import Screen
from bot.tokens import Verb, read_token
from engine.actions import LayMeld
from engine.state import Match
from tests.bot.tables import after, answers, at, deal_of, picked, press


def asked_once(match: Match, token: str, told: str) -> Match:
    """The match after a warning has been heard: it is given once, and the way on works."""
    asked = press(match, token)
    assert isinstance(asked, Screen)
    assert told in asked.title
    (yes,) = answers(asked)
    assert read_token(yes.token).confirmed
    move = press(match, yes.token)
    assert isinstance(move, Move)
    return after(match, move)


def test_closing_without_a_canasta_is_warned_of() -> None:
    match = at(hands=["9s", "9s Ts"], melds=[["4h 5h 6h"], []], taken=(True, False))
    over = asked_once(match, picked(match, Verb.DISCARD, "9s"), "sin canasta")
    assert deal_of(over).ended == "closed"


def test_closing_with_a_canasta_is_not_warned_of() -> None:
    match = at(hands=["9s", "9s Ts"], melds=[["4h 5h 6h 7h 8h 9h Th"], []], taken=(True, False))
    assert isinstance(press(match, picked(match, Verb.DISCARD, "9s")), Move)


def test_a_clean_canasta_that_becomes_dirty_is_warned_of() -> None:
    match = at("long runs", hands=["JK 9s Ts Qc", "9s Ts"], melds=[["4h 5h 6h 7h 8h 9h Th"], []])
    asked = press(match, picked(match, Verb.ADD_SOMEWHERE, "JK"))
    assert isinstance(asked, Screen)
    for place in answers(asked):
        asked_once(match, place.token, "deja de ser limpia")


def test_a_natural_two_that_becomes_wild_is_warned_of() -> None:
    match = at(hands=["6h 9s Ts Qc", "9s Ts"], melds=[["2h 3h 4h"], []])
    done = asked_once(match, picked(match, Verb.ADD_SOMEWHERE, "6h"), "El 2 deja su lugar natural")
    assert str(deal_of(done).melds[0][0]) == "3h 4h 2h=5h 6h"


def test_what_is_laid_as_usual_is_not_warned_of() -> None:
    match = at(hands=["4h 5h 6h 9s", "9s Ts"])
    move = press(match, picked(match, Verb.MELD, "4h 5h 6h"))
    assert isinstance(move, Move)
    assert isinstance(move.action, LayMeld)
