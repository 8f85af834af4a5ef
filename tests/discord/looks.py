"""What a layout of ours must keep to in any message: Discord's limits, and buttons that can be read."""

import re
from collections.abc import Iterator
from typing import Any

import discord
from discord import ui

from bot.tokens import TokenError, Verb, read_token

try:
    from tests.discord.wire.openapi import check_body
except ModuleNotFoundError:

    def check_body(method: str, path: str, body: Any) -> list[str]:
        """Nothing is known about bodies."""
        return []


__all__ = (
    "BUTTON",
    "GALLERY",
    "SELECT",
    "TEXT",
    "buttons_of",
    "check_body",
    "fits",
    "of_type",
    "pickers_of",
    "sent",
    "text_of",
    "verb_of",
    "walk",
)

BUTTON, SELECT, TEXT, GALLERY = 2, 3, 10, 12
V2 = 1 << 15
_EMOJI = re.compile(r"<:\w{2,32}:\d{1,20}>")


def walk(components: list[Any]) -> Iterator[dict[str, Any]]:
    """All components of a message, however deep."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))


def sent(view: ui.LayoutView) -> list[dict[str, Any]]:
    """A layout as it is sent."""
    components: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]
    return components


def of_type(components: list[dict[str, Any]], kind: int) -> list[dict[str, Any]]:
    """The components of one type."""
    return [component for component in components if component["type"] == kind]


def text_of(components: list[dict[str, Any]]) -> str:
    """Everything to be read beside labels."""
    return "\n".join(component["content"] for component in of_type(components, TEXT))


def buttons_of(components: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The buttons by their labels."""
    return {button["label"]: button for button in of_type(components, BUTTON)}


def pickers_of(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The selects in which cards are picked."""
    return [select for select in of_type(components, SELECT) if select["custom_id"].startswith("p:")]


def fits(view: ui.LayoutView, *, described: bool = False) -> list[dict[str, Any]]:
    """Check a layout; its components are returned. ``described`` checks it against Discord's description as well."""
    top = sent(view)
    components = list(walk(top))
    assert 1 <= len(components) <= 40
    assert 1 <= sum(len(text["content"]) for text in of_type(components, TEXT)) <= 4000
    ids = [component["custom_id"] for component in components if component.get("custom_id")]
    assert len(set(ids)) == len(ids), "an id stands in a message once"
    assert all(1 <= len(custom_id) <= 100 for custom_id in ids)
    for component in components:
        _fits(component)
    if described:
        body = {"components": top, "flags": V2, "allowed_mentions": {"parse": []}}
        assert not check_body("POST", "/channels/1/messages", body)
    return components


def _fits(component: dict[str, Any]) -> None:
    match component["type"]:
        case 1:
            held = component["components"]
            assert 1 <= len(held) <= 5
            assert {item["type"] for item in held} == {BUTTON} or [item["type"] for item in held] == [SELECT]
        case 2:
            assert 1 <= len(component["label"].strip()) <= 80
            assert len(component["label"]) <= 80
            if component["style"] != discord.ButtonStyle.link.value and not component["disabled"]:
                read_token(component["custom_id"])
        case 3:
            _fits_select(component)
        case 10:
            assert component["content"].strip()
            assert "<" not in _EMOJI.sub("", component["content"]), "no emoji is cut in two"
        case 12:
            assert all(1 <= len(item.get("description") or "…") <= 1024 for item in component["items"])
            assert 1 <= len(component["items"]) <= 10


def _fits_select(select: dict[str, Any]) -> None:
    options = select["options"]
    assert 1 <= len(options) <= 25
    assert len({option["value"] for option in options}) == len(options)
    assert 0 <= select["min_values"] <= select["max_values"] <= len(options)
    assert len(select["placeholder"]) <= 150
    assert sum(option["default"] for option in options) <= select["max_values"]
    for option in options:
        assert 1 <= len(option["label"]) <= 100
        assert len(option.get("description") or "") <= 100
        assert 1 <= len(option["value"]) <= 100


def verb_of(custom_id: str) -> Verb | None:
    """What a button asks for; None where it is none of ours."""
    try:
        return read_token(custom_id).verb
    except TokenError:
        return None
