"""Checks requests against a machine-readable description of the Bot API, where there is one."""

import json
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.telegram.fake.calls import Call
from tests.telegram.fake.errors import Json

_FILE = "telegram-api.json"
_ARRAY = "Array of "
_FIXED = re.compile(r'(?:must be|always) "?(\w+)"?$')


def spec_path() -> Path:
    """Tell where the description would be: in $BURACO_SPECS, or beside the repository."""
    folder = os.environ.get("BURACO_SPECS")
    return (Path(folder) if folder else Path(__file__).parents[3] / "../shared/specs") / _FILE


@lru_cache(maxsize=4)
def _load(path: Path) -> Json | None:
    if not path.is_file():
        return None
    loaded: Json = json.loads(path.read_text(encoding="utf-8"))
    return loaded


class Spec:
    """The description of the Bot API. Without its file nothing is checked."""

    def __init__(self, path: Path | None = None) -> None:
        loaded = _load(path or spec_path())
        self.available = loaded is not None
        self.version: str = (loaded or {}).get("version", "")
        self._methods: Json = (loaded or {}).get("methods", {})
        self._types: Json = (loaded or {}).get("types", {})

    def knows(self, method: str) -> bool:
        """Whether this method is described."""
        return method in self._methods

    def check(self, call: Call) -> list[str]:
        """List what is wrong with the parameters of a request."""
        method = self._methods.get(call.method)
        if method is None:
            return [f"{call.method}: no such method"] if self.available else []
        fields = {entry["name"]: entry for entry in method.get("fields", [])}
        given = set(call.params) | {name for name in call.files if name in fields}
        wrong = [f"{name}: unknown parameter" for name in sorted(given - set(fields))]
        wrong += [f"{name}: required" for name, entry in fields.items() if entry["required"] and name not in given]
        for name, entry in fields.items():
            if name in call.params:
                wrong += self._any(call, name, entry["types"], self._decoded(call.params[name], entry["types"]))
        used = {name for name in call.files if name in fields or f"attach://{name}" in "".join(call.params.values())}
        wrong += [f"{name}: a file nothing refers to" for name in sorted(set(call.files) - used)]
        return [f"{call.method}.{problem}" for problem in wrong]

    def check_answer(self, method: str, result: Any) -> list[str]:
        """List what is wrong with what a method returned."""
        described = self._methods.get(method)
        return self._any(Call(method, {}), method, described["returns"], result) if described else []

    def check_update(self, update: Json) -> list[str]:
        """List what is wrong with an update."""
        return self._one(Call("getUpdates", {}), "Update", "Update", update) if self.available else []

    @staticmethod
    def _decoded(raw: str, types: list[str]) -> Any:
        """Turn the text of a form into the value it stands for."""
        if types == ["String"] or types == ["InputFile", "String"] or types == ["InputFile"]:
            return raw
        try:
            value = json.loads(raw)
        except ValueError:
            return raw
        if "String" in types and not (isinstance(value, int) and "Integer" in types):
            return raw
        return value

    def _any(self, call: Call, where: str, types: list[str], value: Any) -> list[str]:
        """Accept a value that fits one of the types; else tell why it misses the nearest."""
        attempts = [self._one(call, where, kind, value) for kind in types]
        return min(attempts, key=len)

    def _one(self, call: Call, where: str, kind: str, value: Any) -> list[str]:
        if kind.startswith(_ARRAY):
            if not isinstance(value, list):
                return [f"{where}: {kind} expected, not {value!r}"] * 2
            inner = kind.removeprefix(_ARRAY)
            return [p for i, item in enumerate(value) for p in self._one(call, f"{where}[{i}]", inner, item)]
        if kind in {"Integer", "Float", "String", "Boolean", "InputFile"}:
            return self._plain(call, where, kind, value)
        described = self._types.get(kind, {})
        if described.get("subtypes"):
            return self._any(call, where, described["subtypes"], value)
        return self._object(call, where, kind, value)

    def _object(self, call: Call, where: str, kind: str, value: Any) -> list[str]:
        if not isinstance(value, dict):
            return [f"{where}: {kind} expected, not {value!r}"] * 2
        fields = {entry["name"]: entry for entry in self._types.get(kind, {}).get("fields", [])}
        wrong = [f"{where}.{name}: unknown field of {kind}" for name in sorted(set(value) - set(fields))]
        for name, entry in fields.items():
            if name in value:
                wrong += self._constant(f"{where}.{name}", entry, value[name])
                wrong += self._any(call, f"{where}.{name}", entry["types"], value[name])
            elif entry["required"]:
                wrong.append(f"{where}.{name}: required in {kind}")
        return wrong

    @staticmethod
    def _constant(where: str, entry: Json, value: Any) -> list[str]:
        """Check a field that can have one value only, such as the type of a result."""
        fixed = _FIXED.search(entry.get("description", "")) if entry["name"] in {"type", "source", "status"} else None
        if fixed and value != fixed[1]:
            return [f"{where}: must be {fixed[1]!r}, not {value!r}"] * 3
        return []

    def _plain(self, call: Call, where: str, kind: str, value: Any) -> list[str]:
        fits = {
            "Integer": isinstance(value, int) and not isinstance(value, bool),
            "Float": isinstance(value, int | float) and not isinstance(value, bool),
            "Boolean": isinstance(value, bool),
            "String": isinstance(value, str),
            "InputFile": isinstance(value, str),
        }
        if not fits[kind]:
            return [f"{where}: {kind} expected, not {value!r}"]
        missing = isinstance(value, str) and value.startswith("attach://")
        if missing and value.removeprefix("attach://") not in call.files:
            return [f"{where}: {value} refers to no file"]
        return []
