"""Every rule set beside the matrix of the rules, cell by cell: the values, and which of them are house defaults.

The table below was written from the matrix, not from the data files. A star marks a cell that the source leaves open.
"""

import msgspec
import pytest

from engine.ruleset import Ruleset
from tests.strategies import RULESETS, ruleset

COLUMNS = (
    "clasico", "parejas", "abierto", "abierto-sucio", "cerrado", "cerrado-stcl", "cerrado-sucio", "burraco",
    "rioplatense", "burraco-13", "fibur",
)  # fmt: skip

MATRIX = """
source              000 001 002 = = = = = 003 004 federation
seatings            1v1,1v1v1,2v2,2v2v2 2v2,1v1 1v1,2v2 = = = = = = 1v1 2v2,1v1
jokers              4 4 0 4 4 4 4 4 4 4 4
hand_size           11 11 11 = = = = = 11 13 11
muertos             one_a_side = = = = = = = = = =
muerto_size         11 = = = = = = = = = =
muertos_a_side      1 = = = = = = = = = =
up_card             turned turned_natural none = = = = = none* turned* turned
pile_shown          top all* all all top top top all all* top* all
pile_taking         free top_this_turn free free top_at_once = = free top_at_once* top_at_once free
all_wild_hand_must_take_pile true false = = = = = = = = =
lone_pile_card      free* - barred* barred* - - - barred* - - barred
sets                true true false true true false true true true true true
sets_of_twos        no natural* no no natural* no natural* no no* no* no
wild_melds          true false = = = = = = = = =
second_set_of_rank  true true* - true* true* - true* true* true* true* false
run_minimum         3 3 3 = = = = = 7 3 3
run_maximum         7 13 14 14 14 14 14 14 14 14 14
meld_closes_at      7 0 = = = = = = = = =
ace_to_ace          false false true false true true true false true false false
wilds_a_meld        1 1 1* 1* 1* 1* 1* 1* 1* 1 1
run_takes_wild_from 3 4 3* = = = = = 7 3 3
wild_lowest         any only_as_ace any* = = = = = any* any* any
wild_order          home,high,low home,high,low home,high,low = = = = = home,high,low* = low,high
displaced_wild      stays hand stays = = = = = stays* = stays
wild_displaces_wild true false* false* = = = = = false* false* false
wild_move           free no two_home = = = = = two_home* = no
first_meld_minimum  0 0 0* = = = = = 0* 0* 0
wild_discard        never free* free* = = = = = free* free* not_closing
muerto_after_discard next_turn same_turn next_turn = = = = = next_turn next_turn* next_turn
closing             none any clean any clean clean any any any any any
closing_by          discard meld_or_discard = discard meld_or_discard = = discard meld_or_discard* meld_or_discard discard
stock_end           third_deck deal_ends* muertos = = = = = muertos* while_pile deal_ends
stock_left_at_end   0 0 0 = = = = = 0 0 2
rounds_without_draw 10* = = = = = = = = = =
rounds_without_draw_warning 7 = = = = = = = = = =
joker_points        50 30 - 30 20 = = 30 30* 30* 30
two_points          20 20 10 20 10 = = 20 20* 20* 20
ace_points          20 15 15 15 15 = = 15 15 15* 15
high_points         10* 10 10 10 10 = = 10 10 10* 10
low_points          5 5 5 5 5 = = 5 5 5* 5
dirty_bonus         100 100 100 = = = = 100 100 100* 100
semi_clean_bonus    0 0 0 = = = = 150 0 0 150
clean_bonus         200 200 200 = = = = 200 200 200* 200
real_bonus          0 0 500 500 500 500 500 500 500 0 0
ace_to_ace_bonus    0 0 1000 0 1000 1000 1000 0 1000 0 0
clean_aces_bonus    500 0 = = = = = = = = =
dirty_aces_bonus    200 0 = = = = = = = = =
wilds_bonus         1500 0 = = = = = = = = =
closing_bonus       100 100 100 = = = = = 100* 100* 100
closing_bonus_needs_canasta true false = = = = = = = = =
muerto_penalty      100 = = = = = = = = = =
muerto_penalty_when always = = = = = = = = = unless_nobody_did
unused_muerto       hand_only* hand_only* penalty_and_hand = = = = = penalty_and_hand hand_only* hand_only
melds_without_canasta negative count = = = = = = = = =
target              3000 3000 0 = = = = = 2000 2005 2005
tie                 another_deal another_deal another_deal* = = = = = first_starter another_deal* another_deal
words               buraco,canasta,pozo morto,buraco,descarte muerto,canasta,descarte = = = = = muerto,canasta,pozo pozzetto,burraco,pila pozzetto,burraco,pozo
"""  # noqa: E501

DELTAS: dict[str, tuple[str, dict[str, str]]] = {
    "parejas-italiano": ("parejas", {"closing": "clean", "first_meld_minimum": "50", "target": "2000"}),
    "parejas-brasileno": ("parejas", {"run_takes_wild_from": "3", "wild_lowest": "any"}),
    "parejas-fechado": ("parejas", {"closing": "clean"}),
    "parejas-tres-mortos": ("parejas", {"muertos": "three", "muertos_a_side": "2"}),
    "parejas-a-dos": ("parejas", {"seatings": "1v1"}),
    "burraco-13-rapido": ("burraco-13", {"target": "1005"}),
}
"""Rule sets that the rules tell as another with a few differences."""

TARGET_OPTIONS = {
    "abierto": (1500, 2000, 3000),
    "abierto-sucio": (1500, 2000, 3000),
    "cerrado": (1500, 2000, 3000),
    "cerrado-stcl": (1500, 2000, 3000),
    "cerrado-sucio": (1500, 2000, 3000),
    "burraco": (1500, 2000, 3000),
    "parejas-italiano": (1500, 2000, 3000),
    "rioplatense": (2000, 3000),
    "burraco-13": (1005, 2005),
    "burraco-13-rapido": (1005, 2005),
    "fibur": (505, 1005, 2005),
}
"""Where the rules name options, with the target itself."""

NOT_IN_THE_MATRIX = {"id", "name", "house_defaults", "target_options"}
NAMES = (*COLUMNS, *DELTAS)


def column(name: str) -> dict[str, str]:
    """The cells of a rule set by field, stars included; ``-`` where the matrix has none."""
    if name in DELTAS:
        base, changed = DELTAS[name]
        return {**column(base), **changed}
    found = {}
    for line in MATRIX.strip().splitlines():
        field, *cells = line.split()
        assert len(cells) == len(COLUMNS), field
        at = COLUMNS.index(name)
        while cells[at] == "=":
            at -= 1
        found[field] = cells[at]
    return found


def as_written(value: object) -> str:
    """A value of a rule set as the matrix writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ",".join(value[key] for key in ("muerto", "canasta", "pile"))
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def test_every_rule_set_is_told() -> None:
    """Seventeen of them, and every field is a row."""
    assert {path.stem for path in RULESETS.glob("*.toml")} == set(NAMES)
    assert len(NAMES) == 17
    assert column("fibur").keys() | NOT_IN_THE_MATRIX == {field.name for field in msgspec.structs.fields(Ruleset)}


@pytest.mark.parametrize("name", NAMES)
def test_values(name: str) -> None:
    """Each cell with a value."""
    rules = msgspec.to_builtins(ruleset(name))
    wanted = {field: cell.rstrip("*") for field, cell in column(name).items() if cell != "-"}
    assert {field: as_written(rules[field]) for field in wanted} == wanted
    assert rules["id"] == name


@pytest.mark.parametrize("name", NAMES)
def test_house_defaults(name: str) -> None:
    """The cells with a star, and no others."""
    starred = {field for field, cell in column(name).items() if cell.endswith("*")}
    assert set(ruleset(name).house_defaults) == starred
    assert len(ruleset(name).house_defaults) == len(starred)


@pytest.mark.parametrize("name", NAMES)
def test_target_options(name: str) -> None:
    """Those that the rules name; the target is one of them, bar a match of one deal."""
    rules = ruleset(name)
    assert rules.target_options == TARGET_OPTIONS.get(name, rules.target_options)
    assert rules.target in (0, *rules.target_options)
