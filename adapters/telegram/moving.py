"""Groups that become supergroups: they get another id, and their old messages are out of reach."""

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

    def has_moved(self, place: str) -> bool:
        """Whether a place is known to be an old id of a group."""
        return chat_of(place)[0] in self._moved

    async def now(self, chat_id: int) -> int:
        """The present id of a group."""
        if chat_id not in self._moved:
            noted = await self._app.note(_note(chat_id))
            if noted is None:
                return chat_id
            self._moved[chat_id] = int(noted)
        return self._moved[chat_id]

    async def moved(self, old: int, new: int) -> None:
        """A group has another id: its tables are shown there from now on. Told twice, it is done once."""
        if old in self._moved:
            return
        self._moved[old] = new
        log.info("telegram.moved", old=old, new=new)
        settings = await self._app.place_settings(f"{PLATFORM}:{old}")
        if settings != PlaceSettings():
            await self._app.save_place_settings(f"{PLATFORM}:{new}", settings)
        await self._app.write_note(_note(old), f"{new}")
        await self._app.place_renamed(PLATFORM, f"{old}", f"{new}")


def _note(old: int) -> str:
    return f"{PLATFORM}:moved:{old}"
