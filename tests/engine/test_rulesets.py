"""Reading rule sets: what is wrong is refused with its key, and house rules lie over the rest."""

import tomllib
from typing import Any

import msgspec
import pytest
import tomli_w

from engine.dealing import new_pack, new_reserve
from engine.ruleset import Ruleset, RulesetError, parse_ruleset, with_options
from engine.seating import Seating
from tests.strategies import RULESETS, ruleset

CLASICO = tomllib.loads((RULESETS / "clasico.toml").read_text(encoding="utf-8"))
FIELDS = sorted(CLASICO.keys())


def refused(raw: dict[str, Any]) -> RulesetError:
    """The error of a rule set that must not be read."""
    with pytest.raises(RulesetError) as caught:
        parse_ruleset(tomli_w.dumps(raw))
    assert str(caught.value) == f"{caught.value.path}: {caught.value.problem}"
    return caught.value


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.toml")), ids=lambda path: str(path.stem))
def test_every_rule_set_that_ships(path: Any) -> None:
    """Each file is a rule set of its own name, and survives storage."""
    rules = parse_ruleset(path.read_text(encoding="utf-8"))
    assert rules.id == path.stem
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Ruleset) == rules
    assert len(new_pack(rules)) == 104 + rules.jokers
    assert len(new_reserve(rules)) in (0, 52 + rules.jokers // 2)


def test_clasico_is_the_text() -> None:
    """The figures of the rules, one by one."""
    rules = ruleset("clasico")
    assert [str(seating) for seating in rules.seatings] == ["1v1", "1v1v1", "2v2", "2v2v2"]
    assert (rules.jokers, rules.hand_size, rules.muerto_size, rules.muertos_a_side) == (4, 11, 11, 1)
    assert [rules.muerto_count(seating) for seating in Seating] == [2, 3, 2, 3]
    assert (rules.run_minimum, rules.run_maximum, rules.meld_closes_at, rules.wilds_a_meld) == (3, 7, 7, 1)
    assert (rules.joker_points, rules.two_points, rules.ace_points, rules.high_points, rules.low_points) == (
        50, 20, 20, 10, 5,
    )  # fmt: skip
    assert (rules.dirty_bonus, rules.clean_bonus, rules.clean_aces_bonus, rules.dirty_aces_bonus) == (
        100, 200, 500, 200,
    )  # fmt: skip
    assert (rules.wilds_bonus, rules.closing_bonus, rules.muerto_penalty, rules.target) == (1500, 100, 100, 3000)
    assert (rules.rounds_without_draw, rules.rounds_without_draw_warning) == (10, 7)
    assert (rules.words.muerto, rules.words.canasta, rules.words.pile) == ("buraco", "canasta", "pozo")
    assert rules.uses_third_deck


@pytest.mark.parametrize("field", FIELDS)
def test_missing_key(field: str) -> None:
    """No field has a silent default."""
    error = refused({key: value for key, value in CLASICO.items() if key != field})
    assert error.path == field


def test_unknown_key() -> None:
    """A key that means nothing is a mistake, in a table too."""
    assert refused({**CLASICO, "hand_sizes": 11}).path == "hand_sizes"
    assert refused({**CLASICO, "words": {**CLASICO["words"], "stock": "mazo"}}).path == "words.stock"
    missing = {key: value for key, value in CLASICO["words"].items() if key != "pile"}
    assert refused({**CLASICO, "words": missing}).path == "words.pile"


@pytest.mark.parametrize("field", FIELDS)
def test_value_of_the_wrong_kind(field: str) -> None:
    """A value that cannot be."""
    wrong: Any = "no such value" if not isinstance(CLASICO[field], str) else 7
    assert refused({**CLASICO, field: wrong}).path == field


ENUMS = [
    field for field in FIELDS
    if isinstance(CLASICO[field], str) and field not in ("id", "name", "source")
]  # fmt: skip


@pytest.mark.parametrize("field", ENUMS)
def test_unknown_policy(field: str) -> None:
    """A policy that the engine does not know."""
    assert refused({**CLASICO, field: "sometimes"}).path == field


def test_elements_of_lists() -> None:
    """The place in a list is told."""
    assert refused({**CLASICO, "seatings": ["1v1", "3v3"]}).path.startswith("seatings")
    assert refused({**CLASICO, "wild_order": ["home", "middle"]}).path.startswith("wild_order")
    assert refused({**CLASICO, "target_options": [2000, "many"]}).path.startswith("target_options")


CONTRADICTIONS: list[tuple[str, dict[str, Any]]] = [
    ("id", {"id": ""}),
    ("id", {"id": "clásico"}),
    ("id", {"id": "../clasico"}),
    ("house_defaults", {"house_defaults": ["high_points", "luck"]}),
    ("clean_bonus", {"clean_bonus": -1}),
    ("seatings", {"seatings": []}),
    ("jokers", {"jokers": 3}),
    ("jokers", {"jokers": 6}),
    ("hand_size", {"hand_size": 0}),
    ("hand_size", {"hand_size": 21}),
    ("hand_size", {"hand_size": 13}),
    ("hand_size", {"hand_size": 12, "muerto_size": 12}),
    ("muerto_size", {"muerto_size": 0}),
    ("muerto_size", {"muerto_size": 21}),
    ("muertos_a_side", {"muertos_a_side": 0}),
    ("run_minimum", {"run_minimum": 2}),
    ("run_minimum", {"run_minimum": 8}),
    ("run_maximum", {"run_maximum": 15}),
    ("run_maximum", {"run_maximum": 13}),
    ("run_maximum", {"run_minimum": 5, "run_maximum": 4}),
    ("meld_closes_at", {"meld_closes_at": 2, "run_maximum": 7}),
    ("ace_to_ace", {"ace_to_ace": True}),
    ("wilds_a_meld", {"wilds_a_meld": 2}),
    ("run_takes_wild_from", {"run_takes_wild_from": 2}),
    ("wild_order", {"wild_order": ["high", "high", "low"]}),
    ("wild_order", {"wild_order": ["home", "high"]}),
    ("sets_of_twos", {"sets_of_twos": "natural"}),
    ("sets_of_twos", {"sets_of_twos": "natural", "sets": False, "wild_melds": False, "wilds_bonus": 0}),
    ("wild_discard", {"all_wild_hand_must_take_pile": False}),
    ("lone_pile_card", {"lone_pile_card": "barred"}),
    ("rounds_without_draw", {"rounds_without_draw": 0}),
    ("wilds_bonus", {"wild_melds": False}),
    ("target_options", {"target_options": [2000, -1]}),
]


@pytest.mark.parametrize(("path", "changes"), CONTRADICTIONS, ids=[str(changes) for _, changes in CONTRADICTIONS])
def test_contradiction(path: str, changes: dict[str, Any]) -> None:
    """Values that make no sense, alone or together."""
    assert refused({**CLASICO, **changes}).path == path


def test_no_toml() -> None:
    """Text that is no TOML at all."""
    with pytest.raises(RulesetError) as caught:
        parse_ruleset("id = clasico")
    assert caught.value.path == "file"


# house rules


def test_options_change_only_what_they_name() -> None:
    """A house rule lies over the rule set, which stays as it was."""
    rules = ruleset("clasico")
    changed = with_options(rules, {"target": 2000, "closing": "clean", "joker_points": 30})
    assert (changed.target, changed.closing, changed.joker_points) == (2000, "clean", 30)
    assert msgspec.structs.replace(changed, target=3000, closing=rules.closing, joker_points=50) == rules
    assert with_options(rules, {}) is rules
    assert rules.target == 3000


def test_options_take_effect_on_points() -> None:
    """Points that were worked out before do not linger."""
    rules = ruleset("clasico")
    joker = next(card for card in new_pack(rules) if card % 54 == 53)
    assert rules.points((joker,)) == 50
    assert with_options(rules, {"joker_points": 30}).points((joker,)) == 30


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("luck", {"luck": 7}),
        ("id", {"id": "mine"}),
        ("name", {"name": "Mine"}),
        ("words", {"words": {}}),
        ("seatings", {"seatings": ["1v1"]}),
        ("target", {"target": "3000"}),
        ("target", {"target": -5}),
        ("closing", {"closing": "often"}),
        ("run_minimum", {"run_minimum": 1}),
        ("run_maximum", {"run_maximum": 13}),
        ("wild_discard", {"all_wild_hand_must_take_pile": False}),
    ],
    ids=str,
)
def test_wrong_options(path: str, options: dict[str, Any]) -> None:
    """Each is refused with its name."""
    with pytest.raises(RulesetError) as caught:
        with_options(ruleset("clasico"), options)
    assert caught.value.path == path


def test_a_shorter_run_takes_its_wild_earlier() -> None:
    """Where both lengths are one, the option moves them together, unless both are named."""
    rules = with_options(ruleset("clasico"), {"run_minimum": 5})
    assert rules.run_takes_wild_from == 5
    apart = with_options(ruleset("clasico"), {"run_minimum": 5, "run_takes_wild_from": 6})
    assert (apart.run_minimum, apart.run_takes_wild_from) == (5, 6)
