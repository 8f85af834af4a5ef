"""What is refused before it reaches the application."""

from pathlib import Path

import aiohttp
import pytest

import adapters.web.guard as guard_module
from adapters.web.guard import is_loopback
from adapters.web.limits import BODY_BYTES
from bot.buckets import Buckets
from tests.web.conftest import Room, RoomMaker
from tests.web.guest import Guest, button


def port_of(guest: Guest) -> str:
    return guest.address.rpartition(":")[2]


@pytest.mark.parametrize(
    "name", ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "10.0.0.1", "[::2]", "x@"]
)
async def test_on_a_loopback_address_other_names_are_refused(ana: Guest, name: str) -> None:
    for path in ("/", "/api/inicio"):
        reply = await ana.get(path, headers={"Host": f"{name}:{port_of(ana)}"})
        assert reply.status == 403, path


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
async def test_on_a_loopback_address_its_own_names_are_served(ana: Guest, name: str) -> None:
    assert (await ana.get("/", headers={"Host": f"{name}:{port_of(ana)}"})).status == 200


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1:99999", "[::1", ":"])
async def test_another_port_is_another_place(ana: Guest, host: str) -> None:
    assert (await ana.get("/", headers={"Host": host})).status in (400, 403)


async def test_on_an_open_address_any_name_is_served_but_the_origin_must_be_it(make_room: RoomMaker) -> None:
    room = await make_room(host="0.0.0.0")  # noqa: S104
    port = room.address.rstrip("/").rpartition(":")[2]
    room.address = f"http://127.0.0.1:{port}"
    guest = await room.guest()
    await guest.come_in()
    body = {"name": "Ana", "ruleset": "clasico", "seating": "1v1"}
    there = {"Host": "mesa.example", "Origin": "https://mesa.example"}
    assert (await guest.get("/", headers={"Host": "mesa.example"})).status == 200
    elsewhere = {"Host": "mesa.example", "Origin": "https://evil.example"}
    assert (await guest.post("/api/mesas", body, headers=elsewhere)).status == 403
    assert (await guest.post("/api/mesas", body, headers=there)).status in (200, 403)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost", "http://127.0.0.1:1"])
async def test_another_origin_cannot_press(ana: Guest, origin: str) -> None:
    other = await ana.open_table()
    path, body = f"/api/mesas/{other}/pulsar", {"token": button(await ana.state(other), "Empezar")["token"]}
    assert (await ana.post(path, body, headers={"Origin": origin})).status == 403
    assert (await ana.state(other))["public"]["role"] == "lobby"
    assert (await ana.post(path, body, headers={"Origin": ana.address})).json["ok"]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_a_browser_that_tells_of_another_site_is_refused(ana: Guest, site: str) -> None:
    for path in ("/api/inicio", "/api/mesas/NADIE1"):
        assert (await ana.get(path, headers={"Sec-Fetch-Site": site})).status == 403


async def test_a_link_from_elsewhere_opens_a_page(ana: Guest) -> None:
    assert (await ana.get("/", headers={"Sec-Fetch-Site": "cross-site"})).status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_a_form_cannot_press(ana: Guest, kind: str) -> None:
    await ana.come_in()
    reply = await ana.ask("POST", "/api/mesas", data=b"{}", headers={"Content-Type": kind})
    assert reply.status == 403


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"token": 5}', b'{"token": "x"}', b'{"token": "x", "press_id": ""}',
     b'{"token": "x", "press_id": "short"}', b'{"token": "x", "press_id": "' + b"a" * 65 + b'"}',
     b'{"token": "x", "press_id": "aaaa:aaaa:aaaa"}', b"[" * 5000],
)  # fmt: skip
async def test_what_cannot_be_read_is_said_kindly(ana: Guest, body: bytes) -> None:
    code = await ana.open_table()
    for path in (f"/api/mesas/{code}/pulsar", f"/api/mesas/{code}/sentarse", "/api/mesas"):
        reply = await ana.ask("POST", path, data=body, headers={"Content-Type": "application/json"})
        assert reply.status == 400
        assert reply.json["text"]


async def test_a_body_that_is_too_large_is_refused(ana: Guest) -> None:
    await ana.come_in()
    reply = await ana.post("/api/mesas", {"name": "x" * BODY_BYTES, "ruleset": "clasico", "seating": "1v1"})
    assert reply.status == 413
    assert reply.json["ok"] is False


async def test_other_methods_are_refused(ana: Guest) -> None:
    code = await ana.open_table()
    for method, path in (("GET", f"/api/mesas/{code}/pulsar"), ("DELETE", f"/api/mesas/{code}"), ("POST", "/")):
        reply = await ana.ask(method, path, headers={"Content-Type": "application/json"})
        assert reply.status == 405


async def test_too_many_presses_are_answered_kindly_and_others_go_on(room: Room, ana: Guest, eva: Guest) -> None:
    code = await ana.open_table()
    await eva.come_in()
    replies = [await ana.press(code, "x") for _ in range(60)]
    slow = [reply for reply in replies if reply.status == 429]
    assert slow
    assert replies[0].status == 200
    assert slow[0].json["text"]
    assert slow[0].headers["Retry-After"]
    assert (await eva.press(code, "x")).status == 200
    assert (await ana.get(f"/api/mesas/{code}")).status == 200


async def test_without_cookies_an_address_is_counted(room: Room) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        guest = Guest(session, room.address)
        statuses = [(await guest.get("/api/mesas/NADIE1")).status for _ in range(150)]
    assert 429 in statuses


def test_a_bucket_fills_up_again() -> None:
    now = [0.0]
    buckets = Buckets(2.0, 3, now=lambda: now[0])
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    assert buckets.take("b")
    now[0] = 0.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]


def test_buckets_are_bounded() -> None:
    buckets = Buckets(1.0, 1, most=3)
    for key in "abcd":
        assert buckets.take(key)
    assert buckets.take("a")
    assert not buckets.take("d")


async def test_a_fault_is_told_by_a_number_and_nothing_else(
    room: Room, ana: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_key: str) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(room.app, "person", broken)
    reply = await ana.get("/api/inicio")
    assert reply.status == 500
    assert "secret" not in reply.text
    assert reply.json["text"]


def test_loopback() -> None:
    assert all(is_loopback(host) for host in ("localhost", "127.0.0.2", "::1"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "example.org", ""))  # noqa: S104


def test_modules_stay_small() -> None:
    folder = Path(guard_module.__file__).parent
    for path in (*folder.glob("*.py"), *(folder / "static").glob("*.js"), *(folder / "static").glob("*.css")):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 400, path.name
