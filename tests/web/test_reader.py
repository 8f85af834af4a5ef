"""What visitors read of themselves and of what is over: on the first page and over a table, each for themselves."""

import io
import zipfile

import pytest

from bot.model import Person
from bot.records import read_record, verify
from bot.results.model import Player
from bot.tokens import NO_TABLE, Intent, Verb, write_token
from tests.bot.rooms import play_deal
from tests.results.keeping import keep
from tests.results.samples import result
from tests.web.conftest import Room
from tests.web.guest import Guest, Json, Reply, button

ROOM = "web:room"


def token(verb: Verb, *arguments: str, table: str = NO_TABLE) -> str:
    return write_token(Intent(table, 0, verb, arguments))


async def reads(guest: Guest, pressed: str) -> Reply:
    return await guest.post("/api/lectura/pulsar", {"token": pressed})


def labels(reading: Json) -> dict[str, str]:
    return {choice["label"]: choice["token"] for row in reading["rows"] for choice in row}


async def seated(room: Room, ana: Guest, eva: Guest) -> tuple[str, str, list[Person]]:
    """A table of two in play: its code, its id and its people."""
    code = await ana.open_table("Ana")
    assert (await eva.join(code, "Eva")).json["ok"]
    await ana.start(code)
    table_id = await room.app.find(code)
    people = []
    for chair in (await room.app.record(table_id)).table.chairs:
        found = await room.app._store.person(chair.person or "")
        assert found is not None
        people.append(found)
    return code, table_id, people


async def test_the_first_page_offers_it_to_those_with_a_name(ana: Guest, eva: Guest) -> None:
    assert (await eva.come_in())["me"] == []
    assert (await reads(eva, token(Verb.PROFILE))).status == 403
    await ana.open_table("Ana")
    me = {choice["label"]: choice["token"] for choice in (await ana.come_in())["me"]}
    assert list(me) == ["Mi perfil", "Mis partidas", "Ranking", "Mis monedas", "Mis ajustes"]
    titles = [(await reads(ana, pressed)).json["reading"]["title"] for pressed in me.values()]
    assert titles[:2] == ["Perfil de Ana", "Mis partidas"]
    assert titles[2].startswith("Ranking · temporada")
    assert titles[3:] == ["Tus monedas", "Tus ajustes"]


async def test_the_room_has_a_ranking_of_the_tables_opened_in_it(room: Room, ana: Guest, eva: Guest) -> None:
    code, table_id, people = await seated(room, ana, eva)
    assert (await room.app.record(table_id)).table.origin == ROOM
    now = room.app.now_ms()
    players = [Player(person.name, person.id) for person in people]
    await keep(
        room.app._store,
        *(result(players, number=number, origin=ROOM, ended_ms=now + number) for number in range(3)),
        *(result(players, number=number, winner=1, origin="discord:server:1", ended_ms=now) for number in (7, 8, 9)),
    )
    third = await room.guest()
    await third.open_table("Uma")
    ranking = (await third.come_in())["me"][2]["token"]
    told = (await reads(third, ranking)).json["reading"]
    assert f"1. {people[0].name}: 3, ganadas 3" in told["lines"][0]
    # In the room, also somebody who has not played here may look at other times.
    everybody = labels(told)["Todo el tiempo"]
    told = (await reads(third, everybody)).json["reading"]
    assert told["title"] == "Ranking · todo el tiempo"
    over_the_table = (await ana.press(code, everybody)).json["reading"]
    assert over_the_table["title"] == told["title"]
    profile = (await ana.press(code, token(Verb.PROFILE))).json["reading"]
    assert labels(profile)["Ranking"] == ranking
    assert not (await reads(ana, f"{ranking}:x")).json["text"].startswith("Algo falló")
    mark = ranking.split(":")[4]
    assert not (await reads(ana, token(Verb.RANKING, mark, "zz"))).json["ok"]


async def test_a_profile_is_a_picture_for_the_visitor_alone(ana: Guest, eva: Guest) -> None:
    await ana.open_table("Ana")
    told = (await reads(ana, token(Verb.PROFILE))).json["reading"]
    drawn = await ana.get(told["picture"])
    assert drawn.status == 200
    assert drawn.headers["Content-Type"] == "image/png"
    assert drawn.headers["Cache-Control"] == "no-store"
    assert b"'Ana'" in drawn.body
    assert told["words"]
    assert (await eva.get(told["picture"])).status == 403
    hidden = (await reads(ana, labels(told)["Ocultar mi perfil"])).json
    assert "oculto" in hidden["text"]
    assert "oculto" in (await ana.get(hidden["reading"]["picture"])).text


@pytest.mark.parametrize("address", ["imagen.png", "archivo"])
async def test_made_up_addresses_are_answered(room: Room, ana: Guest, address: str) -> None:
    code = await ana.open_table("Ana")
    table_id = await room.app.find(code)
    for pressed in (
        "",
        "x",
        token(Verb.SHARE, "0"),
        token(Verb.SETTINGS, "n", "none"),
        token(Verb.ERASE),
        token(Verb.START, table=table_id),
        token(Verb.REPLAY),
        token(Verb.REPLAY, "0", table=table_id),
        token(Verb.RECORD, "0", table=table_id),
    ):
        reply = await ana.get(f"/api/lectura/{address}?b={pressed}")
        assert reply.status in (400, 404), (pressed, reply.status)
    assert (await reads(ana, token(Verb.START, table=table_id))).status == 400
    assert (await reads(ana, token(Verb.MY_DATA))).status == 400
    person = (await room.app.record(table_id)).table.chairs[0].person or ""
    kept = await room.app._store.person(person)
    assert kept is not None
    assert kept.public_record
    assert kept.notices == "all"


async def test_settings_are_one_s_own(room: Room, ana: Guest, eva: Guest) -> None:
    code, _, people = await seated(room, ana, eva)
    told = (await ana.press(code, token(Verb.SETTINGS))).json["reading"]
    answer = (await ana.press(code, labels(told)["Por valor"])).json
    assert answer["text"] == "Guardado."
    assert answer["state"]["hand"]["order"] == "por valor"
    assert "✓ Por valor" in labels(answer["reading"])
    (other,) = (person for person in people if person.name == "Eva")
    kept = await room.app._store.person(other.id)
    assert kept is not None
    assert kept.hand_order == "suit"


async def test_a_deal_is_looked_at_again_and_taken_along(room: Room, ana: Guest, eva: Guest) -> None:
    code, table_id, people = await seated(room, ana, eva)
    early = await ana.press(code, token(Verb.REPLAY, "0", table=table_id))
    assert not early.json["ok"]
    assert early.json["reading"] is None
    assert (
        await ana.get(f"/api/lectura/imagen.png?b={token(Verb.REPLAY, '0', '9', 't', table=table_id)}")
    ).status == 404
    assert (await ana.get(f"/api/lectura/archivo?b={token(Verb.RECORD, '0', table=table_id)}")).status == 404
    await play_deal(room.app, table_id, people)
    state = await ana.state(code)
    told = (await ana.press(code, button(state, "Repetición")["token"])).json
    assert told["go"] == ""
    assert "turno 0 de" in told["reading"]["title"]
    live = (await ana.get(f"/mesa/{code}/tabla.png")).body
    first = (await ana.get(told["reading"]["picture"])).body
    assert first != live
    told = (await ana.press(code, labels(told["reading"])["Siguiente ›"])).json["reading"]
    assert "turno 1 de" in told["title"]
    second = (await ana.get(told["picture"])).body
    assert second not in (first, live)
    assert (await ana.get(f"/mesa/{code}/tabla.png")).body == live, "the live table stays what it is"
    hands = (await ana.press(code, labels(told)["Ver las manos"])).json["reading"]
    assert len(hands["examples"]) == 2
    assert hands["picture"] == ""
    saved = (await ana.press(code, labels(told)["Descargar la ronda"])).json
    file = await ana.get(saved["file"])
    assert file.headers["Content-Disposition"] == f'attachment; filename="buraco-{code}-1.toml"'
    verify(read_record(file.text))
    # From another table's page it opens there, and leads nowhere.
    elsewhere = await ana.open_table("Ana")
    there = (await ana.press(elsewhere, token(Verb.REPLAY, "0", table=table_id))).json
    assert there["ok"]
    assert there["go"] == ""
    assert there["reading"]["picture"]


async def test_a_match_is_taken_along_whole(room: Room, ana: Guest, eva: Guest) -> None:
    code, table_id, people = await seated(room, ana, eva)
    record = await room.app.record(table_id)
    for _ in range(100):
        await play_deal(room.app, table_id, people)
        record = await room.app.record(table_id)
        assert record.match is not None
        if record.match.is_over:
            break
        following = write_token(Intent(table_id, record.version, Verb.NEXT_DEAL))
        assert (await room.app.press(people[0], following, f"next-{record.version}")).ok
    index = (await reads(ana, token(Verb.REPLAY, table=table_id))).json["reading"]
    saved = (await reads(ana, labels(index)["Descargar la partida"])).json
    file = await ana.get(saved["file"])
    assert file.headers["Content-Disposition"] == f'attachment; filename="buraco-{code}.zip"'
    assert record.match is not None
    with zipfile.ZipFile(io.BytesIO(file.body)) as bundle:
        assert len(bundle.namelist()) == record.match.deals
        for name in bundle.namelist():
            verify(read_record(bundle.read(name).decode()))
