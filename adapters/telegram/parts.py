"""What the handlers of updates work with."""

from dataclasses import dataclass

from adapters.telegram.api import Api
from adapters.telegram.hands import Hands
from adapters.telegram.lanes import Background
from adapters.telegram.letters import Letters
from adapters.telegram.peek import Peek
from adapters.telegram.people import People
from adapters.telegram.places import PLATFORM
from adapters.telegram.public import Tables
from bot.app import App
from bot.model import Home


@dataclass(frozen=True)
class Parts:
    """The application, Telegram, and what stands between them."""

    app: App
    api: Api
    people: People
    tables: Tables
    hands: Hands
    letters: Letters
    peek: Peek
    background: Background

    async def home(self, table_id: str, place: str) -> Home | None:
        """The home of a table in a place, if it is shown there."""
        homes = await self.app.homes(table_id)
        return next((home for home in homes if (home.platform, home.place) == (PLATFORM, place)), None)
