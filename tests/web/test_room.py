"""The room as a server and as a platform."""

import socket

import pytest

from adapters.web import RoomUnavailable, WebRoom
from bot.announcing import Platform
from tests.web.conftest import FlatRenderer, Room, RoomMaker
from tests.web.guest import Guest


def another(room: Room, host: str, port: int) -> WebRoom:
    return WebRoom(room.app, FlatRenderer(), host, port)


async def test_it_is_a_platform(room: Room) -> None:
    platform: Platform = room.web
    assert platform.capabilities.name == "web"
    assert platform.capabilities.pushes_hands


async def test_a_port_in_use_is_said_in_one_line(room: Room) -> None:
    port = int(room.address.rstrip("/").rpartition(":")[2])
    web = another(room, "127.0.0.1", port)
    with pytest.raises(RoomUnavailable) as raised:
        await web.start()
    await web.stop()
    assert str(port) in raised.value.problem
    assert raised.value.advice
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("host", ["198.51.100.7", "not a host", "x" * 300, "..", "fe80::1%nowhere"])
async def test_a_host_of_elsewhere_is_said_in_one_line(room: Room, host: str) -> None:
    web = another(room, host, 0)
    with pytest.raises(RoomUnavailable) as raised:
        await web.start()
    await web.stop()
    assert raised.value.advice
    assert "\n" not in str(raised.value)


async def test_it_stops_twice_and_before_it_started(room: Room) -> None:
    await another(room, "127.0.0.1", 0).stop()
    await room.web.stop()
    await room.web.stop()


async def test_open_to_the_network_the_address_is_one_that_others_can_reach(make_room: RoomMaker) -> None:
    room = await make_room(host="0.0.0.0")  # noqa: S104
    host = room.address.removeprefix("http://").partition(":")[0]
    assert host != "0.0.0.0"  # noqa: S104
    socket.inet_aton(host)
    guest = await room.guest()
    assert (await guest.get("/")).status == 200


async def test_a_table_stays_when_the_room_is_opened_again(room: Room, ana: Guest) -> None:
    code = await ana.open_table()
    await ana.start(code)
    before = await ana.state(code)
    await room.web.stop()
    again = another(room, "127.0.0.1", 0)
    ana.address = (await again.start()).rstrip("/")
    after = await ana.state(code)
    assert after["version"] >= before["version"]
    assert after["hand"] is not None
    await again.stop()
