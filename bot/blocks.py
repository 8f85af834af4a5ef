"""Who may not sit down where: what is kept of it, and what is asked of a store about it."""

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

PERSONAL: Final = "person:"
"""How the owner of a personal block list begins; other owners are servers and groups, by their platform's key."""


class Block(msgspec.Struct, frozen=True):
    """Somebody who may not sit down at the tables of a server or group, or at those that a person hosts."""

    owner: str
    person: str
    at_ms: int
    """When it was settled, in milliseconds since the epoch."""


def personal(person_id: str) -> str:
    """The owner of a person's own block list."""
    return f"{PERSONAL}{person_id}"


class BlockStore(Protocol):
    """Block lists; part of :class:`bot.store.Store`. Every method may raise ``StoreBusy``."""

    async def block(self, block: Block) -> bool:
        """Put a person on a list; False where they are there already, and nothing changes."""

    async def unblock(self, owner: str, person_id: str) -> bool:
        """Take a person off a list; False where they are not there."""

    async def blocked(self, owner: str) -> Sequence[Block]:
        """Everybody on a list, the oldest first."""

    async def is_blocked(self, owner: str, person_id: str) -> bool:
        """Whether a person is on a list."""

    async def blocks_of(self, person_id: str) -> Sequence[Block]:
        """The lists that a person is on, the oldest first."""

    async def copy_blocks(self, owner: str, to: str) -> None:
        """A place is called otherwise from now on: its list counts under both names, for tables of before and after."""

    async def forget_blocks(self, person_id: str) -> None:
        """Take a person off all lists, and drop their own."""
