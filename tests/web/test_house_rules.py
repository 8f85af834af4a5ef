"""House rules: offered in words, checked for sense, shown to all before the start, stored with the table."""

from typing import Any

import pytest

from tests.web.conftest import RoomMaker


async def test_every_rule_set_says_what_can_be_changed(make_room: RoomMaker) -> None:
    ana = await (await make_room()).guest()
    for rules in (await ana.come_in())["rules"]:
        answer = (await ana.get(f"/api/reglas/{rules['value']}")).json
        fields = {rule["field"] for rule in answer["rules"]}
        assert {"closing", "first_meld_minimum", "joker_points"} - fields <= {"joker_points"}
        assert "target" not in fields
        assert all(len(rule["values"]) > 1 for rule in answer["rules"])


async def test_an_unknown_rule_set_is_refused(make_room: RoomMaker) -> None:
    ana = await (await make_room()).guest()
    await ana.come_in()
    reply = await ana.get("/api/reglas/canasta")
    assert reply.status == 404
    assert reply.json["ok"] is False


async def test_changes_are_shown_in_the_lobby_and_kept(make_room: RoomMaker) -> None:
    room = await make_room()
    ana = await room.guest()
    options = {"first_meld_minimum": 50, "closing": "clean"}
    code = await ana.open_table(ruleset="parejas", options=options)
    lines = "\n".join((await ana.state(code))["public"]["lines"])
    assert "Reglas de la casa en esta mesa:" in lines
    assert "al menos 50 puntos" in lines
    assert "sin comodín" in lines
    table = (await room.app.record(await room.app.find(code))).table
    assert table.rules.first_meld_minimum == 50
    assert table.options == options


@pytest.mark.parametrize(
    "options",
    [{"wild_discard": "never"}, {"run_maximum": 20}, {"closing": "now"}, {"id": "mine"}, {"nothing": 1}],
)
async def test_rules_that_do_not_go_together_are_refused(make_room: RoomMaker, options: dict[str, Any]) -> None:
    ana = await (await make_room()).guest()
    await ana.come_in()
    body = {"name": "Ana", "ruleset": "parejas", "seating": "1v1", "options": options}
    reply = await ana.post("/api/mesas", body)
    assert reply.status == 400
    assert "no van juntas" in reply.json["text"]
