"""Typed commands: any order, any spelling, and a helpful word where they make no sense."""

import pytest

from bot import rulesets
from bot.commands import CommandError, WantedTable, find_ruleset, fold, matching_rulesets, targets_of, wanted_table
from bot.model import Pace, PlaceSettings
from bot.presenter.commands import (
    command_problem_text,
    ruleset_label,
    ruleset_screen,
    settings_screen,
    tables_screen,
)
from bot.tokens import Verb
from engine.seating import Seating
from tests.bot.rooms import House, words
from tests.bot.tables import SPANISH, choices, person

HERE = PlaceSettings()


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("", WantedTable("clasico", Seating.TWO_PAIRS, Pace.FREE, {})),
        ("2v2", WantedTable("clasico", Seating.TWO_PAIRS, Pace.FREE, {})),
        ("1V1 Cerrado", WantedTable("cerrado", Seating.ONE_ON_ONE, Pace.FREE, {})),
        ("cerrado 1v1", WantedTable("cerrado", Seating.ONE_ON_ONE, Pace.FREE, {})),
        ("clásico 2000 RÁPIDO", WantedTable("clasico", Seating.TWO_PAIRS, Pace.QUICK, {"target": 2000})),
        ("3.000", WantedTable("clasico", Seating.TWO_PAIRS, Pace.FREE, {})),
        ("burraco-13", WantedTable("burraco-13", Seating.ONE_ON_ONE, Pace.FREE, {})),
        ("2v2v2 correo", WantedTable("clasico", Seating.THREE_PAIRS, Pace.MAIL, {})),
        ("apuesta", WantedTable("clasico", Seating.TWO_PAIRS, Pace.FREE, {}, stake=6000)),
        ("apuesta 10.000 2000", WantedTable("clasico", Seating.TWO_PAIRS, Pace.FREE, {"target": 2000}, stake=10_000)),
        ("2000 1v1 monedas", WantedTable("clasico", Seating.ONE_ON_ONE, Pace.FREE, {"target": 2000}, stake=6000)),
        ("privada 1v1", WantedTable("clasico", Seating.ONE_ON_ONE, Pace.FREE, {}, private=True)),
        ('1v1 "Los jueves"', WantedTable("clasico", Seating.ONE_ON_ONE, Pace.FREE, {}, name="Los jueves")),
        ("«Solos» 1v1", WantedTable("clasico", Seating.ONE_ON_ONE, Pace.FREE, {}, name="Solos")),
        ("1v1 “Los de siempre", WantedTable("clasico", Seating.ONE_ON_ONE, Pace.FREE, {}, name="Los de siempre")),
    ],
)
def test_words_in_any_order_make_a_table(typed: str, wanted: WantedTable) -> None:
    assert wanted_table(typed.split(), HERE) == wanted


def test_the_place_fills_what_is_not_said() -> None:
    here = PlaceSettings("burraco-13", Pace.QUICK)
    assert wanted_table([], here) == WantedTable("burraco-13", Seating.ONE_ON_ONE, Pace.QUICK, {})
    assert wanted_table(["2v2", "abierto"], here).ruleset_id == "abierto"
    assert wanted_table([], PlaceSettings("gone")).ruleset_id == "clasico"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("2v2 cerado", "No entiendo «cerado». ¿Quisiste decir «cerrado»?"),
        ("xyzzy", "No entiendo «xyzzy». Prueba, por ejemplo, «2v2 cerrado»."),
        ("apuesta 6000 apuesta", "«apuesta» dice otra vez lo mismo: deja solo una de las dos."),
        ("2v2 1v1", "«1v1» dice otra vez lo mismo: deja solo una de las dos."),
        ("burraco-13 2v2", "Burraco de 13 no se juega 2v2, sino 1v1."),
        ("cerrado 1v1v1", "Cerrado no se juega 1v1v1, sino 1v1 o 2v2."),
        ("clasico 77", "Clásico se juega así: a 3.000 puntos o a 2.000 puntos."),
    ],
)
def test_what_makes_no_sense_is_answered_with_what_does(typed: str, told: str) -> None:
    with pytest.raises(CommandError) as error:
        wanted_table(typed.split(), HERE)
    assert command_problem_text(SPANISH, error.value) == told


def test_endless_words_are_cut_in_the_answer() -> None:
    with pytest.raises(CommandError) as error:
        wanted_table(["z" * 5000], HERE)
    assert len(command_problem_text(SPANISH, error.value)) < 120


def test_every_rule_set_is_found_by_id_and_by_name() -> None:
    for name in rulesets.ids():
        rules = rulesets.load(name)
        assert find_ruleset(name) is rules
        assert find_ruleset(rules.name.upper()) is rules
        assert rules in matching_rulesets(rules.name[:4])
        assert len(ruleset_label(SPANISH, rules)) <= 100
        assert rules.target in targets_of(rules)
        assert rules.name in words(ruleset_screen(SPANISH, rules))
    assert find_ruleset("nada") is None
    assert len(matching_rulesets("")) == len(rulesets.ids())
    assert matching_rulesets("")[0].id == "clasico"
    assert matching_rulesets("xyzzy") == []
    assert [rules.id for rules in matching_rulesets("italiana")] == ["parejas-italiano"]
    assert fold("  ÁRBOL ") == "arbol"


async def test_one_s_tables_are_listed_where_it_is_one_s_turn_first() -> None:
    house = House()
    ana, luis = await house.people(2)
    assert "No juegas en ninguna mesa" in words(tables_screen(SPANISH, [], ana))
    ids = [await house.open(ana) for _ in range(3)]
    for table_id in ids[:2]:
        await house.press(luis, table_id, Verb.JOIN)
        await house.press(ana, table_id, Verb.START)
    while await house.mover_is(ids[0], ana):
        await house.play_out_turn(ids[0], [ana, luis])
    while not await house.mover_is(ids[1], ana):
        await house.play_out_turn(ids[1], [ana, luis])
    records = await house.app.records_of([*await house.app.tables_of(ana.id), "nowhere"])
    screen = tables_screen(SPANISH, records, ana)
    assert next(choice.token.split(":")[1] for choice in choices(screen)) == ids[1]
    assert "te toca" in screen.lines[0]
    assert any("juega Luis" in line for line in screen.lines)
    assert any("sin empezar" in line for line in screen.lines)
    await house.app.stop()


async def test_settings_are_kept_and_told() -> None:
    house = House()
    ana = (await house.people(1))[0]
    ana = await house.app.prefer(ana, hand_order="rank", suit_colours="two")
    known = await house.app.person("test:Ana")
    assert known == ana
    await house.app.save_place_settings("chat:1", PlaceSettings("cerrado", threads=True))
    here = await house.app.place_settings("chat:1")
    told = words(settings_screen(SPANISH, ana, here, has_threads=True))
    assert "por valor, palos en dos colores" in told
    assert "Cerrado" in told
    assert "Cada mesa abre su hilo." in told
    alone = words(settings_screen(SPANISH, person(0), None, has_threads=False))
    assert "hilo" not in alone
    assert await house.app.place_settings("chat:2") == PlaceSettings()
    await house.app.stop()
