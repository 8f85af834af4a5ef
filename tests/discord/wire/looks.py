"""What a user sees of a message: its text, its buttons and its select menus."""

from dataclasses import dataclass, field

from tests.discord.wire.messages import walk
from tests.discord.wire.rules import BUTTON, SELECTS
from tests.discord.wire.world import Json, Message


@dataclass(frozen=True)
class Button:
    """A button as a user sees it."""

    label: str
    custom_id: str
    style: int
    disabled: bool
    emoji: str
    url: str
    data: Json = field(repr=False)


@dataclass(frozen=True)
class Select:
    """A select menu as a user sees it."""

    custom_id: str
    kind: int
    placeholder: str
    options: list[Json]
    low: int
    high: int
    disabled: bool
    data: Json = field(repr=False)

    @property
    def values(self) -> list[str]:
        """The values of the options."""
        return [option["value"] for option in self.options]


def buttons(message: Message) -> list[Button]:
    """Return the buttons of a message, in the order of reading."""
    return [
        Button(
            item.get("label") or "",
            item.get("custom_id") or "",
            item["style"],
            bool(item.get("disabled")),
            str((item.get("emoji") or {}).get("name") or ""),
            item.get("url") or "",
            item,
        )
        for item in walk(message.components)
        if item["type"] == BUTTON
    ]


def selects(message: Message) -> list[Select]:
    """Return the select menus of a message, in the order of reading."""
    return [
        Select(
            item["custom_id"],
            item["type"],
            item.get("placeholder") or "",
            item.get("options") or [],
            1 if item.get("min_values") is None else item["min_values"],
            1 if item.get("max_values") is None else item["max_values"],
            bool(item.get("disabled")),
            item,
        )
        for item in walk(message.components)
        if item["type"] in SELECTS
    ]


def text_of(message: Message) -> str:
    """Return all the text that a message displays but the labels of its buttons and selects."""
    parts: list[str | None] = [message.content]
    for embed in message.embeds:
        parts += [embed.get("title"), embed.get("description")]
        parts += [f"{row['name']}\n{row['value']}" for row in embed.get("fields") or []]
        parts += [(embed.get("footer") or {}).get("text")]
    for item in walk(message.components):
        parts += [item.get("content"), item.get("description")]
        parts += [entry.get("description") for entry in item.get("items") or []]
    return "\n".join(part for part in parts if part)
