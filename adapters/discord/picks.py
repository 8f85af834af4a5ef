"""Which cards are picked in a private hand. The message itself knows it, so it survives restarts; what is remembered
here bridges the moment in which two pickers are changed one after the other.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import discord

from adapters.discord.hand_layout import PICK
from adapters.discord.limits import PICKS_KEPT


class Picks:
    """The picked cards of each message, by picker."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str], dict[int, frozenset[int]]] = OrderedDict()

    def change(self, message: discord.Message, custom_id: str, values: list[str]) -> frozenset[int]:
        """All picked bits after one picker has been changed.

        Args:
            message: the hand's message, as it stood when the picker was changed.
            custom_id: the picker.
            values: what is picked in it now.
        """
        _, number, hand = custom_id.split(":", 2)
        key = (message.id, hand)
        parts = self._kept.pop(key, None) or dict(picked_in(message))
        parts[int(number)] = frozenset(int(value) for value in values if value.isdecimal())
        self._kept[key] = parts
        while len(self._kept) > PICKS_KEPT:
            self._kept.popitem(last=False)
        return frozenset[int]().union(*parts.values())

    def forget(self, message_id: int) -> None:
        """What a message showed as picked is gone: it is drawn anew, with nothing picked."""
        for key in [key for key in self._kept if key[0] == message_id]:
            del self._kept[key]


def picked_in(message: discord.Message) -> Iterator[tuple[int, frozenset[int]]]:
    """What is picked in each picker of a message."""
    for select in selects_of(message.components):
        kind, _, rest = select.custom_id.partition(":")
        number = rest.partition(":")[0]
        if kind == PICK and number.isdecimal():
            bits = frozenset(int(option.value) for option in select.options if option.default)
            yield int(number), bits


def selects_of(components: list[Any]) -> Iterator[discord.SelectMenu]:
    """All selects of a message, however deep."""
    for component in components:
        if isinstance(component, discord.SelectMenu) and component.custom_id:
            yield component
        yield from selects_of(list(getattr(component, "children", ())))
