"""Judging what people lay in words: is it a meld under a rule set, as what, and what is it worth."""

from collections.abc import Sequence

import msgspec

from bot.reglas.typed import dealt
from engine.arrange import judge_new
from engine.cards import Card, Face
from engine.melds import Kind, Meld, kind_of
from engine.notation import parse_named
from engine.reasons import IllegalAction, Reason
from engine.ruleset import SHORTEST_MELD, Ruleset
from engine.scoring import table_worth


class Verdict(msgspec.Struct, frozen=True):
    """What a row of cards is: a meld, or the reason why it is none."""

    cards: tuple[Card, ...]
    """As they were named."""
    meld: Meld | None = None
    kind: Kind = Kind.MELD
    points: int = 0
    """What its cards count."""
    bonus: int = 0
    reason: Reason | None = None
    facts: dict[str, int | str] = {}


def judge_cards(rules: Ruleset, named: Sequence[str]) -> Verdict:
    """The verdict on cards in notation, laid as one new meld; a wild may name its place.

    Raises:
        UnreadCards: there are not so many of one card.
        NotationError: a text is no card.
    """
    cards_named = [parse_named(word) for word in named]
    cards = dealt([word.partition("=")[0] for word in named])
    places: dict[Card, Face] = {
        card: name.place for card, name in zip(cards, cards_named, strict=True) if name.place is not None
    }
    if len(cards) < SHORTEST_MELD:
        return Verdict(tuple(cards), reason=Reason.MELD_TOO_SHORT)
    try:
        meld = judge_new(rules, cards, places)
    except IllegalAction as refusal:
        return Verdict(tuple(cards), reason=refusal.reason, facts=dict(refusal.facts))
    points = rules.points(meld.cards)
    return Verdict(tuple(cards), meld, kind_of(rules, meld), points, bonus_of(rules, meld))


def bonus_of(rules: Ruleset, meld: Meld) -> int:
    """What a canasta brings beyond its cards."""
    return table_worth(rules, [meld]) - table_worth(rules, []) - rules.points(meld.cards) if meld.is_canasta else 0


def worth_of(rules: Ruleset, verdicts: Sequence[Verdict]) -> int:
    """What the valid melds are worth together on one side's table."""
    return table_worth(rules, [verdict.meld for verdict in verdicts if verdict.meld is not None])
