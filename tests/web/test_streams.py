"""Pages hear of changes."""

import asyncio
import json
from contextlib import AsyncExitStack

import aiohttp
import pytest

from adapters.web.limits import STREAMS_A_PERSON
from tests.web.conftest import Room, RoomMaker, until
from tests.web.guest import Guest, button, next_event


async def version(stream: aiohttp.StreamReader) -> int:
    """The version that the next event tells."""
    async with asyncio.timeout(60):
        while True:
            event, data = await next_event(stream)
            if event == "version":
                return int(json.loads(data)["version"])


async def test_a_page_hears_where_the_table_stands_and_what_changes(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table()
    async with ana.notices(code) as mine, eva.notices(code) as theirs:
        assert await version(mine) == await version(theirs) == 0
        await eva.join(code, "Eva")
        assert await version(mine) == await version(theirs) == 1
        # Taken together where they come faster than they are read; the last one always comes.
        last = (await ana.start(code))["version"]
        for stream in (mine, theirs):
            while await version(stream) < last:
                pass


async def test_only_the_tables_own_pages_are_woken(ana: Guest, eva: Guest) -> None:
    code, other = await ana.open_table(), await ana.open_table()
    async with ana.notices(code) as mine, ana.notices(other) as unmoved:
        await version(mine)
        await version(unmoved)
        await eva.join(code, "Eva")
        assert await version(mine) == 1
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await next_event(unmoved)


async def test_a_quiet_stream_has_a_pulse(make_room: RoomMaker) -> None:
    room = await make_room(heartbeat=0.05)
    ana = await room.guest()
    code = await ana.open_table()
    async with ana.notices(code) as stream:
        await version(stream)
        async with asyncio.timeout(60):
            assert [await next_event(stream) for _ in range(3)] == [("", "")] * 3


async def test_a_page_that_goes_away_is_forgotten(make_room: RoomMaker) -> None:
    room = await make_room(heartbeat=0.02)
    ana = await room.guest()
    code = await ana.open_table()
    async with ana.notices(code) as stream:
        await version(stream)
        assert len(room.web._hub) == 1
    await until(lambda: not len(room.web._hub))


async def test_of_too_many_pages_of_one_person_the_oldest_has_to_ask_for_itself(room: Room, ana: Guest) -> None:
    code = await ana.open_table()
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(ana.notices(code)) for _ in range(STREAMS_A_PERSON)]
        for stream in streams:
            await version(stream)
        newest = await stack.enter_async_context(ana.notices(code))
        assert await version(newest) == 0
        async with asyncio.timeout(60):
            assert (await next_event(streams[0]))[0] == "apart"
            assert await streams[0].read() == b""
        eva = await room.guest()
        await eva.join(code, "Eva")
        assert [await version(stream) for stream in (*streams[1:], newest)] == [1] * STREAMS_A_PERSON


async def test_streams_end_when_the_room_closes(room: Room, ana: Guest) -> None:
    code = await ana.open_table()
    async with ana.notices(code) as stream:
        await version(stream)
        async with asyncio.timeout(60):
            await room.web.stop()
            rest = await stream.read()
        assert b"apart" in rest


async def test_a_table_of_another_platform_wakes_its_pages_too(room: Room, ana: Guest, eva: Guest) -> None:
    code = await ana.open_table()
    table_id = await room.app.find(code)
    async with eva.notices(code) as stream:
        await version(stream)
        await room.web.refresh_hands(table_id, 41)
        assert await version(stream) == 41


async def test_starting_is_heard_by_who_watches(ana: Guest, eva: Guest) -> None:
    code = await ana.open_table()
    async with eva.notices(code) as stream:
        await version(stream)
        await ana.press(code, button(await ana.state(code), "Empezar")["token"])
        assert await version(stream) >= 1
        assert (await eva.state(code))["public"]["picture"]
