"""Dead letters in memory: the reference of what :mod:`adapters.storage.letters` does."""

from collections.abc import Sequence

from adapters.storage.memory_part import MemoryPart
from bot.dead_letters import KEPT, DeadLetter


class MemoryLetters(MemoryPart):
    """Dead letters in a dictionary; see :class:`bot.dead_letters.LetterStore`."""

    def __init__(self) -> None:
        self._letters: dict[tuple[str, str], DeadLetter] = {}

    async def keep_letter(self, letter: DeadLetter) -> bool:
        """Keep a letter, once."""
        self._check_open()
        key = (letter.platform, letter.number)
        if key in self._letters:
            return False
        self._letters[key] = letter
        for old in (await self.letters())[KEPT:]:
            del self._letters[old.platform, old.number]
        return True

    async def letters(self) -> Sequence[DeadLetter]:
        """All letters, the newest first."""
        self._check_open()
        found = self._letters.values()
        return tuple(sorted(found, key=lambda letter: (letter.at_ms, letter.platform, letter.number), reverse=True))

    async def forget_letters(self, before_ms: int) -> int:
        """Drop letters from before then."""
        self._check_open()
        old = [key for key, letter in self._letters.items() if letter.at_ms < before_ms]
        for key in old:
            del self._letters[key]
        return len(old)
