"""Topics of the rule book as screens: the text in the words of a rule set, its lines, and where to read on."""

from collections.abc import Mapping
from typing import Any

from bot.presenter.rulebook import RuleLine, is_house_default, rule_lines
from bot.presenter.words import canasta_noun, kind_name, muerto_noun, pile_noun
from bot.reglas.topics import Example, Topic, rendered
from bot.texts import Texts
from engine.melds import Kind
from engine.ruleset import Ruleset


def topic_values(t: Texts, rules: Ruleset) -> Mapping[str, Any]:
    """What a topic's text may ask for.

    ``r`` is the rule set; ``muerto``, ``canasta`` and ``pozo`` are its words (``one``, ``many``, ``the``, ``a``,
    ``yours``); ``n(1500)`` writes a figure, ``kind("clean")`` a kind of canasta; ``line("closing")`` is the rule book's
    own sentence about a field.
    """
    told = rule_lines(t, rules)

    def line(field: str) -> str:
        return next(each.text for each in told if field in each.fields)

    return {
        "r": rules,
        "muerto": muerto_noun(t, rules),
        "canasta": canasta_noun(t, rules),
        "pozo": pile_noun(t, rules),
        "n": t.number,
        "kind": lambda name: kind_name(t, rules, Kind(name)),
        "line": line,
    }


def topic_lines(t: Texts, topic: Topic, rules: Ruleset) -> tuple[str, ...]:
    """The text of a topic for a rule set."""
    return rendered(topic.id, topic.body, topic_values(t, rules))


def topic_rules(t: Texts, topic: Topic, rules: Ruleset) -> tuple[RuleLine, ...]:
    """The rule set's own lines about a topic's fields."""
    wanted = set(topic.head.fields)
    return tuple(line for line in rule_lines(t, rules) if wanted & set(line.fields))


def caption(t: Texts, topic: Topic, example: Example, rules: Ruleset) -> str:
    """What stands under an example."""
    return " ".join(rendered(topic.id, example.caption, topic_values(t, rules)))


def shown_examples(topic: Topic, rules: Ruleset) -> tuple[Example, ...]:
    """The examples that hold for a rule set."""
    return tuple(example for example in topic.head.examples if not example.rules or rules.id in example.rules)


__all__ = ["caption", "is_house_default", "shown_examples", "topic_lines", "topic_rules", "topic_values"]
