"""Block lists in memory: the reference of what :mod:`adapters.storage.blocks` does."""

from collections.abc import Sequence

import msgspec

from adapters.storage.memory_part import MemoryPart
from bot.blocks import Block, personal


class MemoryBlocks(MemoryPart):
    """Block lists in a dictionary; see :class:`bot.blocks.BlockStore`."""

    def __init__(self) -> None:
        self._blocks: dict[tuple[str, str], Block] = {}

    def _every(self) -> list[Block]:
        self._check_open()
        return sorted(self._blocks.values(), key=lambda block: (block.at_ms, block.owner, block.person))

    async def block(self, block: Block) -> bool:
        """Put a person on a list."""
        known = any((other.owner, other.person) == (block.owner, block.person) for other in self._every())
        self._blocks.setdefault((block.owner, block.person), block)
        return not known

    async def unblock(self, owner: str, person_id: str) -> bool:
        """Take a person off a list."""
        self._every()
        return self._blocks.pop((owner, person_id), None) is not None

    async def blocked(self, owner: str) -> Sequence[Block]:
        """Everybody on a list, the oldest first."""
        return tuple(block for block in self._every() if block.owner == owner)

    async def is_blocked(self, owner: str, person_id: str) -> bool:
        """Whether a person is on a list."""
        return any((block.owner, block.person) == (owner, person_id) for block in self._every())

    async def blocks_of(self, person_id: str) -> Sequence[Block]:
        """The lists that a person is on, the oldest first."""
        return tuple(block for block in self._every() if block.person == person_id)

    async def copy_blocks(self, owner: str, to: str) -> None:
        """Let a list count under another name too."""
        for block in await self.blocked(owner):
            self._blocks.setdefault((to, block.person), msgspec.structs.replace(block, owner=to))

    async def forget_blocks(self, person_id: str) -> None:
        """Take a person off all lists, and drop their own."""
        own = personal(person_id)
        self._blocks = {
            (block.owner, block.person): block
            for block in self._every()
            if block.person != person_id and block.owner != own
        }
