"""Groups that become supergroups: they get another id, and their old messages are out of reach."""

import asyncio

import structlog

from adapters.telegram.places import PLATFORM, chat_of
from bot.app import App
from bot.model import PlaceSettings

log = structlog.get_logger()


class Moving:
    """Takes tables along to a group's new id, and remembers where it went."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._moved: dict[int, int] = {}
        self._done: set[int] = set()
        """Old ids of which all that belonged to them has gone along."""
        self._moving = asyncio.Lock()

    def has_moved(self, place: str) -> bool:
        """Whether a place is an old id of a group, and nothing belongs to it any more."""
        return chat_of(place)[0] in self._done

    async def now(self, chat_id: int) -> int:
        """The present id of a group."""
        if chat_id not in self._moved:
            noted = await self._app.note(_note(chat_id))
            if noted is None:
                return chat_id
            self._moved[chat_id] = int(noted)
        return self._moved[chat_id]

    async def moved(self, old: int, new: int) -> None:
        """A group has another id: its tables are shown there from now on. Told twice, it is done once.

        Raises:
            StoreError: not everything could be moved; told again, the rest is.
        """
        async with self._moving:
            if old in self._done:
                return
            log.info("telegram.moved", old=old, new=new)
            if await self._app.note(_note(old)) is None:
                # Only at first: who set the new group's defaults since keeps them.
                settings = await self._app.place_settings(f"{PLATFORM}:{old}")
                if settings != PlaceSettings():
                    await self._app.save_place_settings(f"{PLATFORM}:{new}", settings)
                await self._app.write_note(_note(old), f"{new}")
            self._moved[old] = new
            await self._app.place_renamed(PLATFORM, f"{old}", f"{new}")
            self._done.add(old)


def _note(old: int) -> str:
    return f"{PLATFORM}:moved:{old}"
