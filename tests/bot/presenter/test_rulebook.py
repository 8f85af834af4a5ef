"""The rules in words: complete for every rule set, marked, and the same for what a table changes."""

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from bot import rulesets
from bot.model import Table
from bot.presenter.house_rules import house_lines, house_rules
from bot.presenter.lobby import lobby_screen
from bot.presenter.rulebook import changed_lines, differing_lines, is_house_default, rule_lines
from bot.presenter.rulebook.labels import field_label
from bot.presenter.rules import rules_screen
from bot.rulesets_page import PAGE, page
from bot.screens import Role
from bot.texts import texts
from engine.ruleset import Ruleset, with_options
from engine.seating import Seating

T = texts()
NAMELESS = {"id", "name", "source", "house_defaults", "words"}
IDS = rulesets.ids()


def test_all_seventeen_are_there() -> None:
    assert len(IDS) == 17


@pytest.mark.parametrize("ruleset_id", IDS)
def test_every_field_is_told_in_some_line(ruleset_id: str) -> None:
    lines = rule_lines(T, rulesets.load(ruleset_id))
    told = {field for line in lines for field in line.fields}
    assert told == {field.name for field in msgspec.structs.fields(Ruleset)} - NAMELESS
    for line in lines:
        assert line.text.endswith(".")
        assert "{" not in line.text
        assert len(line.text) <= 200


@pytest.mark.parametrize("ruleset_id", IDS)
def test_what_the_source_leaves_open_is_marked(ruleset_id: str) -> None:
    rules = rulesets.load(ruleset_id)
    marked = {field for line in rule_lines(T, rules) if is_house_default(rules, line) for field in line.fields}
    assert set(rules.house_defaults) <= marked
    clean = msgspec.structs.replace(rules, house_defaults=())
    assert not any(is_house_default(clean, line) for line in rule_lines(T, clean))


@dataclass
class Change:
    """An option and a word of the line that it leads to."""

    ruleset: str
    option: dict[str, Any]
    word: str


@pytest.mark.parametrize(
    "change",
    [
        Change("clasico", {"target": 2000}, "2.000"),
        Change("parejas", {"first_meld_minimum": 50}, "50 puntos"),
        Change("rioplatense", {"run_minimum": 3}, "de 3 a 14"),
        Change("rioplatense", {"joker_points": 50}, "joker 50"),
        Change("cerrado", {"closing": "any"}, "una canasta."),
        Change("cerrado", {"muerto_after_discard": "same_turn"}, "sigues jugando"),
        Change("parejas", {"muertos": "three"}, "tres mortos"),
    ],
)
def test_a_change_is_told_to_all_before_the_start(change: Change) -> None:
    rules = with_options(rulesets.load(change.ruleset), change.option)
    (line,) = changed_lines(T, rules, change.option)
    assert change.word in line.text
    assert house_lines(T, rules, change.option) == (line.text,)
    table = _table(rules, change.option)
    assert f"• {line.text}" in lobby_screen(T, table, 1, None).lines
    assert f"• {line.text} (cambio de esta mesa)" in rules_screen(T, table, 1).lines


def _table(rules: Ruleset, options: dict[str, Any]) -> Table:
    return Table(
        id="abc", code="ABCDEF", name="Mesa", host=None, rules=rules, seating=Seating.ONE_ON_ONE, options=options
    )


def test_the_rules_screen_is_whole_and_marked() -> None:
    rules = rulesets.load("clasico")
    screen = rules_screen(T, _table(rules, {}), 4)
    assert screen.role is Role.RULES
    text = "\n".join(screen.lines)
    for line in rule_lines(T, rules):
        assert line.text in text
    assert text.count("(costumbre de la casa)") == sum(is_house_default(rules, line) for line in rule_lines(T, rules))


@pytest.mark.parametrize("ruleset_id", IDS)
def test_every_field_has_a_short_name_of_its_own(ruleset_id: str) -> None:
    rules = rulesets.load(ruleset_id)
    labels = [field_label(T, rules, field) for line in rule_lines(T, rules) for field in line.fields]
    assert len(set(labels)) == len(labels)
    assert all(0 < len(label) <= 32 for label in labels)


def test_differences_are_symmetric_and_complete() -> None:
    one, other = rulesets.load("cerrado"), rulesets.load("cerrado-sucio")
    ((mine, theirs),) = differing_lines(T, one, other)
    assert mine.fields == theirs.fields == ("closing",)
    assert differing_lines(T, one, one) == ()
    assert len(differing_lines(T, other, one)) == 1


@pytest.mark.parametrize("ruleset_id", IDS)
def test_every_house_rule_that_is_offered_makes_a_rule_set_of_its_own(ruleset_id: str) -> None:
    rules = rulesets.load(ruleset_id)
    offered = house_rules(T, rules)
    assert len(offered) > 20
    for rule in offered:
        own, *others = rule.values
        assert msgspec.json.decode(own.value) == msgspec.to_builtins(getattr(rules, rule.field))
        for value in others:
            changed = with_options(rules, {rule.field: msgspec.json.decode(value.value)})
            assert value.text in {line.text for line in rule_lines(T, changed)}
            assert value.text not in {line.text for line in rule_lines(T, rules)}


def test_the_page_of_rule_sets_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m bot.rulesets_page"
