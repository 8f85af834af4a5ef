"""Block lists over SQL; see :class:`bot.blocks.BlockStore`."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, or_, select

from adapters.storage.jobs import Jobs
from adapters.storage.schema import blocks
from bot.blocks import Block, personal

_ROWS = select(blocks.c.owner, blocks.c.person_id, blocks.c.at_ms).order_by(
    blocks.c.at_ms, blocks.c.owner, blocks.c.person_id
)


class SqlBlocks:
    """The part of the store that knows who may not sit down where."""

    _writer: Jobs

    async def block(self, block: Block) -> bool:
        """Put a person on a list."""
        row = {"owner": block.owner, "person_id": block.person, "at_ms": block.at_ms}

        def work(connection: Connection) -> bool:
            if connection.execute(_one(block.owner, block.person)).first() is not None:
                return False
            connection.execute(insert(blocks), row)
            return True

        return await self._writer.write(work)

    async def unblock(self, owner: str, person_id: str) -> bool:
        """Take a person off a list."""
        off = delete(blocks).where(blocks.c.owner == owner, blocks.c.person_id == person_id)
        return await self._writer.write(lambda c: c.execute(off).rowcount > 0)

    async def blocked(self, owner: str) -> Sequence[Block]:
        """Everybody on a list, the oldest first."""
        query = _ROWS.where(blocks.c.owner == owner)
        return _read(await self._writer.read(lambda c: c.execute(query).all()))

    async def is_blocked(self, owner: str, person_id: str) -> bool:
        """Whether a person is on a list."""
        query = _one(owner, person_id)
        return await self._writer.read(lambda c: c.execute(query).first()) is not None

    async def blocks_of(self, person_id: str) -> Sequence[Block]:
        """The lists that a person is on, the oldest first."""
        query = _ROWS.where(blocks.c.person_id == person_id)
        return _read(await self._writer.read(lambda c: c.execute(query).all()))

    async def copy_blocks(self, owner: str, to: str) -> None:
        """Let a list count under another name too."""

        def work(connection: Connection) -> None:
            for row in _read(connection.execute(_ROWS.where(blocks.c.owner == owner)).all()):
                if connection.execute(_one(to, row.person)).first() is None:
                    connection.execute(insert(blocks), {"owner": to, "person_id": row.person, "at_ms": row.at_ms})

        await self._writer.write(work)

    async def forget_blocks(self, person_id: str) -> None:
        """Take a person off all lists, and drop their own."""
        theirs = delete(blocks).where(or_(blocks.c.person_id == person_id, blocks.c.owner == personal(person_id)))
        await self._writer.write(lambda c: c.execute(theirs))


def _one(owner: str, person_id: str) -> Any:
    return select(blocks.c.owner).where(blocks.c.owner == owner, blocks.c.person_id == person_id)


def _read(rows: Sequence[Any]) -> tuple[Block, ...]:
    return tuple(Block(*row) for row in rows)
