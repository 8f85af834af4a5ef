"""One request to the Bot API: its parameters as text, its files, and how it went."""

import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from tests.telegram.fake.errors import ApiError, Json, bad


@dataclass(frozen=True)
class Upload:
    """A file that came with a request."""

    name: str
    data: bytes = field(repr=False)


@dataclass
class Call:
    """A request. Values are texts as in a form; `result` or `error` tell the answer."""

    method: str
    params: dict[str, str]
    files: dict[str, Upload] = field(default_factory=dict)
    time: float = 0.0
    chat_id: int | None = None
    result: Any = None
    error: ApiError | None = None

    @property
    def ok(self) -> bool:
        """Whether it was executed and is over."""
        return self.error is None and self.result is not None

    def text(self, name: str, default: str = "") -> str:
        """Read a text."""
        return self.params.get(name, default)

    def number(self, name: str, default: int = 0) -> int:
        """Read a whole number; what is none counts as the default, as in Telegram."""
        try:
            return int(self.params[name])
        except (KeyError, ValueError):
            return default

    def flag(self, name: str) -> bool:
        """Read a yes or no."""
        return self.params.get(name, "").lower() in {"true", "yes", "1"}

    def json(self, name: str, default: Any = None) -> Any:
        """Read a JSON-serialised value."""
        if not self.params.get(name):
            return default
        try:
            return json.loads(self.params[name])
        except ValueError as error:
            raise bad(f"can't parse {name.replace('_', ' ')} JSON object") from error

    def upload(self, name: str) -> Upload | None:
        """Find the file of a parameter, attached by name or by an attach:// address."""
        if name in self.files:
            return self.files[name]
        return self.attached(self.text(name))

    def attached(self, address: str) -> Upload | None:
        """Find the file behind an attach:// address."""
        if not address.startswith("attach://"):
            return None
        found = self.files.get(address.removeprefix("attach://"))
        if found is None:
            raise bad("wrong file_id or the file is temporarily unavailable")
        return found


async def read_call(method: str, request: web.Request) -> Call:
    """Read a request in any of the forms the Bot API takes."""
    params = {name: str(value) for name, value in request.query.items()}
    files: dict[str, Upload] = {}
    if request.content_type == "application/json":
        body: Json = await request.json()
        params |= {name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items()}
    elif request.content_type == "multipart/form-data":
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            name = part.name or ""
            if part.filename is not None:
                files[name] = Upload(part.filename, bytes(await part.read()))
            else:
                params[name] = await part.text()
    else:
        params |= {name: str(value) for name, value in (await request.post()).items()}
    return Call(method, params, files)
