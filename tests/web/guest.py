"""A guest of the room: a browser without a window, with its own cookies."""

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

Json = dict[str, Any]


class Reply:
    """An answer, read to its end."""

    def __init__(self, response: aiohttp.ClientResponse, body: bytes, value: Any) -> None:
        self.status = response.status
        self.headers = response.headers
        self.cookies = response.cookies
        self.body = body
        self.json: Any = value
        self.text = body.decode("utf-8", "replace")


class Guest:
    """Asks the room at ``address`` for things."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self._session = session
        self.address = address.rstrip("/")

    async def ask(self, method: str, path: str, **options: Any) -> Reply:
        """Any request."""
        async with self._session.request(method, self.address + path, allow_redirects=False, **options) as response:
            body = await response.read()
            return Reply(response, body, await response.json() if "json" in response.content_type else None)

    async def get(self, path: str, **options: Any) -> Reply:
        return await self.ask("GET", path, **options)

    async def post(self, path: str, body: Mapping[str, Any], **options: Any) -> Reply:
        return await self.ask("POST", path, json={"press_id": secrets.token_hex(8), **body}, **options)

    async def come_in(self) -> Json:
        """Open the start page, as everybody does first."""
        await self.get("/")
        return dict((await self.get("/api/inicio")).json)

    async def open_table(self, name: str = "Ana", seating: str = "1v1", **more: Any) -> str:
        """Open a table; returns its code."""
        await self.come_in()
        reply = await self.post("/api/mesas", {"name": name, "ruleset": "clasico", "seating": seating, **more})
        assert reply.json["ok"], reply.text
        return str(reply.json["code"])

    async def state(self, code: str) -> Json:
        reply = await self.get(f"/api/mesas/{code}")
        assert reply.status == 200, reply.text
        return dict(reply.json)

    async def join(self, code: str, name: str, **more: Any) -> Reply:
        await self.come_in()
        return await self.post(f"/api/mesas/{code}/sentarse", {"name": name, **more})

    async def press(self, code: str, token: str, **more: Any) -> Reply:
        return await self.post(f"/api/mesas/{code}/pulsar", {"token": token, **more})

    async def start(self, code: str) -> Json:
        """Begin the match of one's own table."""
        reply = await self.press(code, button(await self.state(code), "Empezar")["token"])
        assert reply.json["ok"], reply.text
        return dict(reply.json["state"])

    @asynccontextmanager
    async def notices(self, code: str) -> AsyncIterator[aiohttp.StreamReader]:
        """The stream of a page."""
        timeout = aiohttp.ClientTimeout(total=None, sock_read=5)
        async with self._session.get(f"{self.address}/api/mesas/{code}/avisos", timeout=timeout) as response:
            assert response.status == 200
            assert response.content_type == "text/event-stream"
            yield response.content


async def next_event(stream: aiohttp.StreamReader) -> tuple[str, str]:
    """The next event of a stream and its data; heartbeats have neither."""
    event, data = "", ""
    while line := (await stream.readline()).decode().rstrip("\n"):
        if line.startswith("event: "):
            event = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data = line.removeprefix("data: ")
    if not event and stream.at_eof():
        raise EOFError
    return event, data


def buttons(screen: Mapping[str, Any] | None) -> list[Json]:
    """All buttons of a screen."""
    return [] if screen is None else [choice for row in screen["rows"] for choice in row]


def button(state: Mapping[str, Any], label: str) -> Json:
    """A button of a state, by the beginning of its label."""
    found = [*buttons(state["public"]), *buttons(state["hand"])]
    return next(choice for choice in found if choice["label"].startswith(label))


def next_token(state: Mapping[str, Any], question: Mapping[str, Any] | None = None) -> str | None:
    """What somebody in a hurry presses: the first answer, a draw, a suggestion, else a discard of the last card."""
    if question is not None:
        return str(buttons(question)[0]["token"])
    hand = state["hand"]
    if hand is None or not hand["active"] or state["public"]["over"]:
        return None
    own = [choice for choice in buttons(hand) if not choice["slot"] and choice["enabled"]]
    ideas = [choice for choice in own if choice["style"] == "good"]
    for choice in (*[one for one in own if one["style"] == "primary"], *ideas):
        return str(choice["token"])
    free = [card for card in hand["cards"] if not card["keep"]]
    discard = hand["verbs"][-1]
    if discard["enabled"] and free:
        return f"{discard['token']}:{base36(1 << free[-1]['bit'])}"
    return next((str(choice["token"]) for choice in own), None)


def base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"
