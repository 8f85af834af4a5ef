"""What is kept of a visitor: to download, and to be forgotten."""

from tests.web.guest import Guest

PATH = "/api/mis-datos"


async def test_a_visitor_downloads_what_is_kept_of_them(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana")
    await eva.join(code, "Eva")
    reply = await ana.get(PATH)
    assert reply.status == 200
    assert reply.headers["Content-Disposition"] == 'attachment; filename="buraco-mis-datos.json"'
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.json["profile"]["name"] == "Ana"
    assert reply.json["accounts"] == [{"platform": "web"}]
    assert [table["code"] for table in reply.json["tables"]] == [code]
    assert "Eva" not in reply.text


async def test_a_visitor_is_forgotten_after_a_question(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table("Ana")
    await eva.join(code, "Eva")
    asked = (await ana.get(f"{PATH}/borrar")).json
    assert "No se puede deshacer" in asked["text"]
    assert (await ana.get(PATH)).status == 200
    refused = await eva.post(f"{PATH}/borrar", {"token": asked["token"]})
    assert refused.json["token"] not in ("", asked["token"]), "asked about their own data instead"
    assert (await eva.get(PATH)).status == 200
    done = await ana.post(f"{PATH}/borrar", {"token": asked["token"]})
    assert "ya no guarda nada" in done.json["text"]
    assert 'buraco=""' in done.headers["Set-Cookie"]
    assert (await ana.get(PATH)).status == 404
    assert (await ana.post(f"{PATH}/borrar", {"token": asked["token"]})).status == 404
    state = await eva.state(code)
    assert "Ana" not in str(state)
    assert (await ana.join(code, "Ana")).json["ok"]


async def test_nothing_is_kept_of_a_stranger(ana: Guest) -> None:
    for path in (PATH, f"{PATH}/borrar"):
        reply = await ana.get(path)
        assert reply.status == 404
        assert reply.json["text"] == "Buraco no guarda nada de ti."


async def test_what_makes_no_sense_is_refused(ana: Guest) -> None:
    await ana.open_table("Ana")
    for body in ({}, {"token": 1}, {"token": "1:x:0:ix"}, {"token": "nonsense"}):
        assert (await ana.post(f"{PATH}/borrar", body)).status == 400
    assert (await ana.get(PATH)).status == 200
