"""A rule in words."""

import msgspec

from bot.presenter.words import canasta_noun, muerto_noun, pile_noun
from bot.texts import Texts
from engine.ruleset import Ruleset


class RuleLine(msgspec.Struct, frozen=True):
    """One rule in words, and the fields of the rule set that it tells about."""

    section: str
    fields: tuple[str, ...]
    text: str


class Chapter:
    """What the chapters of the rule book have in common: the rule set and its words."""

    def __init__(self, t: Texts, rules: Ruleset) -> None:
        self._t = t
        self._rules = rules
        self._muerto = muerto_noun(t, rules)
        self._canasta = canasta_noun(t, rules)
        self._pile = pile_noun(t, rules)


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]
