"""Checks request bodies against Discord's published OpenAPI description, where that is at hand.

The description is looked for in the folder that `BURACO_SPECS` names, or in `../shared/specs` next to the repository.
"""

import json
import os
import re
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import ValidationError, relevance  # type: ignore[import-untyped]
from referencing import Registry
from referencing.jsonschema import DRAFT202012

_FOLDER = Path(os.environ.get("BURACO_SPECS") or Path(__file__).resolve().parents[4] / "shared" / "specs")
_FILE = _FOLDER / "discord-openapi.json"
_BASE = "urn:discord"


def _load() -> dict[str, Any] | None:
    if not _FILE.is_file():
        return None
    document: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    # Discord takes ids as numbers too, and discord.py sends the ids of new attachments so.
    document["components"]["schemas"]["SnowflakeType"] = {
        "type": ["string", "integer"],
        "pattern": "^(0|[1-9][0-9]*)$",
        "minimum": 0,
    }
    return document


openapi: dict[str, Any] | None = _load()
"""The description, or `None` where it is not at hand; nothing is checked then."""


@cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    paths = openapi["paths"] if openapi is not None else {}
    # Fewer variables first: `@original` and `@me` win over an id.
    ordered = sorted(paths, key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in ordered]


@cache
def _validator(path: str, method: str) -> Draft202012Validator | None:
    if openapi is None:
        return None
    body = openapi["paths"][path].get(method, {}).get("requestBody")
    if body is None:
        return None
    kind = "application/json" if "application/json" in body["content"] else next(iter(body["content"]))
    steps = [path.replace("~", "~0").replace("/", "~1"), method, "requestBody/content", kind.replace("/", "~1")]
    registry: Registry[Any] = Registry().with_resource(_BASE, DRAFT202012.create_resource(openapi))
    reference = f"{_BASE}#/paths/{'/'.join(steps)}/schema".replace("{", "%7B").replace("}", "%7D")
    return Draft202012Validator({"$ref": reference}, registry=registry)


def check_body(method: str, path: str, body: Any) -> list[str]:
    """Return what the description says against the body of a request, or nothing.

    `path` is the part after `/api/v10`, either real or with `{names}`. The body of a multipart request is its
    `payload_json`. A path that the description does not know has nothing against it.
    """
    if openapi is None:
        return []
    template = next((known for pattern, known in _templates() if path == known or pattern.fullmatch(path)), None)
    validator = _validator(template, method.lower()) if template else None
    shape = (method, template, _shape(body))
    if validator is None or shape in _fine:
        return []
    errors = [f"{method.upper()} {template}: {_explain(error)}" for error in validator.iter_errors(body)]
    if not errors:
        _fine.add(shape)
    return errors


_fine: set[Hashable] = set()
"""The shapes of bodies that were found right. A body of the same shape is not looked at again: it would take long."""


def _shape(value: Any) -> Hashable:
    """Return what a body is made of, without what it says; lengths are checked by `rules` in each message."""
    if isinstance(value, dict):
        return frozenset((name, _shape(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return len(value).bit_length(), frozenset(map(_shape, value))
    if isinstance(value, str):
        return len(value).bit_length(), value.isdecimal()
    if isinstance(value, int) and not -1000 < value < 1000:
        return "number"
    return type(value), value


def _explain(error: ValidationError) -> str:
    """Follow an error of `oneOf` to the branch that was meant: the one whose `type` fits."""
    while error.context:
        branches: dict[Any, list[ValidationError]] = {}
        for inner in error.context:
            branches.setdefault(inner.schema_path[0], []).append(inner)
        meant = [errors for errors in branches.values() if not any(map(_other_type, errors))]
        error = max((inner for errors in meant or branches.values() for inner in errors), key=relevance)
    where = ".".join(map(str, error.absolute_path)) or "body"
    message = error.message if len(error.message) <= 300 else "… " + error.message[-200:]  # the value comes first
    return f"{where}: {message}"


def _other_type(error: ValidationError) -> bool:
    if error.validator == "enum":
        return list(error.relative_path) == ["type"]
    return bool(error.validator == "type" and not error.relative_path)
