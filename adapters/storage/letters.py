"""Dead letters over SQL; see :class:`bot.dead_letters.LetterStore`."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from adapters.storage.jobs import Jobs
from adapters.storage.schema import dead_letters
from bot.dead_letters import KEPT, DeadLetter

_NEWEST: Final = (dead_letters.c.at_ms.desc(), dead_letters.c.platform.desc(), dead_letters.c.number.desc())
_ALL: Final = select(
    dead_letters.c.platform,
    dead_letters.c.number,
    dead_letters.c.error,
    dead_letters.c.error_id,
    dead_letters.c.tries,
    dead_letters.c.at_ms,
    dead_letters.c.outline,
).order_by(*_NEWEST)
_COUNT: Final = select(func.count()).select_from(dead_letters)
_OLDEST: Final = select(dead_letters.c.platform, dead_letters.c.number).order_by(
    dead_letters.c.at_ms, dead_letters.c.platform, dead_letters.c.number
)


class SqlLetters:
    """The part of the store that keeps updates that failed."""

    _writer: Jobs

    async def keep_letter(self, letter: DeadLetter) -> bool:
        """Keep a letter, once."""
        row = {name: getattr(letter, name) for name in letter.__struct_fields__}

        def work(connection: Connection) -> bool:
            if connection.execute(_ALL.where(_is(letter.platform, letter.number))).first() is not None:
                return False
            connection.execute(insert(dead_letters), row)
            too_many = connection.execute(_COUNT).scalar_one() - KEPT
            if too_many > 0:
                for platform, number in connection.execute(_OLDEST.limit(too_many)).all():
                    connection.execute(delete(dead_letters).where(_is(platform, number)))
            return True

        return await self._writer.write(work)

    async def letters(self) -> Sequence[DeadLetter]:
        """All letters, the newest first."""
        return tuple(DeadLetter(*row) for row in await self._writer.read(lambda c: c.execute(_ALL).all()))

    async def forget_letters(self, before_ms: int) -> int:
        """Drop letters from before then."""
        old = delete(dead_letters).where(dead_letters.c.at_ms < before_ms)
        return await self._writer.write(lambda c: c.execute(old).rowcount)


def _is(platform: str, number: str) -> ColumnElement[bool]:
    return (dead_letters.c.platform == platform) & (dead_letters.c.number == number)
