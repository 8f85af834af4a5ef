"""Tables for tests: rule sets with their variants, people, matches in progress, and presses of screen tokens."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from bot import rulesets
from bot.model import Chair, Person, Status, Table
from bot.moves import Move, resolve
from bot.presenter.hand import hand_screen
from bot.presenter.seated import Seated, seated
from bot.presenter.table import table_screen
from bot.screens import Choice, Role, Screen
from bot.shuffling import seeded_deal
from bot.texts import texts
from bot.tokens import Intent, Verb, base36, read_token, write_token
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.position import Position, build_match
from engine.ruleset import Ruleset, with_options
from engine.seating import Seating
from engine.state import Deal, Match, Phase, new_match
from engine.views import seat_view

NAMES = ("Ana", "Luis", "Marta", "Pepe", "Sofía", "Iván")
TABLE_ID = "abcdefghij"
SPANISH = texts()

_OBLIGED = {"all_wild_hand_must_take_pile": False, "wild_discard": "free"}
"""Where the pile obliges, nobody can be made to take it."""

VARIANTS: dict[str, dict[str, Any]] = {
    "covered pile, top at once": {**_OBLIGED, "pile_taking": "top_at_once", "meld_closes_at": 0, "run_maximum": 13},
    "open pile, top at once": {
        **_OBLIGED,
        "pile_taking": "top_at_once",
        "pile_shown": "all",
        "lone_pile_card": "barred",
    },
    "top this turn": {
        **_OBLIGED,
        "pile_taking": "top_this_turn",
        "pile_shown": "all",
        "muerto_after_discard": "same_turn",
        "closing_by": "meld_or_discard",
        "displaced_wild": "hand",
        "wild_move": "no",
    },
    "long runs": {
        "meld_closes_at": 0,
        "run_maximum": 14,
        "ace_to_ace": True,
        "closing": "clean",
        "closing_by": "meld_or_discard",
        "wild_discard": "not_closing",
        "stock_end": "muertos",
        "wild_move": "two_home",
        "wild_melds": False,
        "wilds_bonus": 0,
        "first_meld_minimum": 50,
    },
    "three muertos": {"muertos": "three", "muertos_a_side": 2},
}
"""House rules that bring the other mechanisms into play."""


@cache
def rules(variant: str = "") -> Ruleset:
    """The classic rule set, or a variant of it."""
    classic = rulesets.load("clasico")
    return with_options(classic, VARIANTS[variant]) if variant else classic


def person(seat: int, **settings: Any) -> Person:
    """The person who sits at a seat of :func:`table_of`."""
    return Person(id=f"p{seat}", name=NAMES[seat], **settings)


def table_of(match: Match, **fields: Any) -> Table:
    """A table in play with a person at every seat."""
    chairs = tuple(Chair(NAMES[seat], person=f"p{seat}") for seat in range(match.seating.seats))
    table = Table(TABLE_ID, "ABC234", "Mesa de Ana", "p0", match.rules, match.seating, status=Status.PLAYING)
    return msgspec.structs.replace(table, chairs=chairs, **fields)


def place_of(match: Match, version: int = 7, **fields: Any) -> Seated:
    """What the presenter sees of :func:`table_of`."""
    return seated(table_of(match, **fields), version, match)


def dealt(seating: Seating, seed: int | str, variant: str = "") -> Match:
    """A match whose first deal has just been dealt."""
    match = new_match(rules(variant), seating, random.Random(seed).randrange(seating.seats))
    return evolve_all(match, start_deal(match, seeded_deal(match.rules, seating, seed)))


def at(variant: str = "", seating: Seating = Seating.ONE_ON_ONE, **position: Any) -> Match:
    """A match in a position; cards as blank-separated notation, hands that are not named hold a few odd cards."""
    hands = [cards.split() for cards in position.pop("hands")]
    melds = tuple(tuple(row) for row in position.pop("melds", ())) or ((),) * seating.sides
    taken = position.pop("taken", (False,) * seating.sides)
    muertos = position.pop("muertos", ("...",) * (rules(variant).muerto_count(seating) - sum(map(int, taken))))
    fields = {
        "mover": 0,
        "phase": Phase(position.pop("phase", "play")),
        "hands": tuple(tuple(hand) for hand in hands),
        "melds": melds,
        "pile": tuple(position.pop("pile", "9c").split()),
        "muertos": tuple(tuple(muerto.split()) for muerto in muertos),
        "taken": taken,
        **position,
    }
    return build_match(rules(variant), seating, Position(**fields))


def deal_of(match: Match) -> Deal:
    """The deal of a match in which one has begun."""
    assert match.deal is not None
    return match.deal


def mover_of(match: Match) -> int:
    """The seat on turn."""
    return deal_of(match).turn.seat


def hand_of(match: Match, seat: int | None = None, version: int = 7, **settings: Any) -> Screen:
    """The hand's screen of a seat, the mover's if none is named."""
    chosen = mover_of(match) if seat is None else seat
    return hand_screen(place_of(match, version), seat_view(match, chosen), person(chosen, **settings))


def public_of(match: Match, version: int = 7) -> Screen:
    """The public screen."""
    return table_screen(place_of(match, version))


def press(match: Match, token: str, seat: int | None = None, version: int = 7) -> Move | Screen:
    """What pressing a token leads to.

    Raises:
        TokenError: it makes no sense here.
        IllegalAction: the rules refuse it.
    """
    chosen = mover_of(match) if seat is None else seat
    return resolve(SPANISH, place_of(match, version), match, chosen, read_token(token))


def picked(match: Match, verb: Verb, cards: str, *before: str, version: int = 7) -> str:
    """The token of a verb over cards of the mover's hand, named by their notation."""
    hand = list(seat_view(match, mover_of(match)).hand)
    from engine.cards import CODE

    bits = 0
    codes = [CODE[card] for card in hand]
    for code in cards.split():
        at = codes.index(code)
        codes[at] = ""
        bits |= 1 << at
    return write_token(Intent(TABLE_ID, version, verb, (*before, base36(bits))))


def choices(screen: Screen) -> Iterator[Choice]:
    """All buttons of a screen."""
    return (choice for row in screen.rows for choice in row)


def verb_of(choice: Choice) -> Verb:
    """What a button asks for."""
    return read_token(choice.token).verb


def answers(screen: Screen) -> list[Choice]:
    """The choices of a question, without the way back."""
    assert screen.role is Role.QUESTION
    return [choice for choice in choices(screen) if verb_of(choice) is not Verb.SHOW_HAND]


def after(match: Match, move: Move | Screen) -> Match:
    """The match after a move."""
    assert isinstance(move, Move), move
    return evolve_all(match, move.events)
