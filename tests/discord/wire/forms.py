"""Reads the bodies of requests: JSON, or a form with JSON and files."""

import json
import re
from typing import Any

from aiohttp import web

from tests.discord.wire.messages import Files

_BOUNDARY = re.compile(r'^multipart/form-data;.*boundary="?([^";]+)')
_NAMES = re.compile(r'\b(name|filename)="([^"]*)"')


async def read(request: web.Request) -> tuple[Any, Files]:
    """Return the JSON of a request and its files."""
    if request.content_type == "application/json":
        return await request.json(), {}
    boundary = _BOUNDARY.search(request.headers.get("Content-Type", ""))
    if boundary is None:
        return None, {}
    body: Any = None
    files: Files = {}
    # The reader of aiohttp uses what it has deprecated itself.
    for part in (b"\r\n" + await request.read()).split(b"\r\n--" + boundary[1].encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        named = dict(_NAMES.findall(head.decode()))
        if named["name"] == "payload_json":
            body = json.loads(content)
        elif "filename" in named:
            files[named["name"]] = (named["filename"], content)
        else:
            body = {**(body or {}), named["name"]: content.decode()}
    return body, files
