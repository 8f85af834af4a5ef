"""What every part of the store in memory has: once closed, it refuses whatever comes after."""

from bot.store import StoreError


class MemoryPart:
    """A part of the store in memory."""

    _closed = False

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")
