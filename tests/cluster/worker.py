"""One of several processes: the whole application over the shared database, with robots and quick clocks."""

import os
from typing import Any

from adapters.storage import open_store
from bot import clocks
from bot.chaos.hunter import DATABASE
from bot.chaos.worker import PLATFORM, Victim, bear
from bot.logs import configure_logs
from bot.model import Home, Pace
from bot.robots.registry import make_robot
from bot.store import Store
from engine.seating import Seating

TURN_SECONDS = 3
"""What a quick turn lasts here."""
ROBOT_PAUSE = 0.3


class Worker(Victim):
    """A process with robots."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, {"normal": make_robot("facil")}, ROBOT_PAUSE)

    async def _done(self, **asked: Any) -> dict[str, Any]:
        if asked["do"] != "room":
            return await super()._done(**asked)
        who = await self.app.meet(f"{PLATFORM}:{asked['person']}", asked["person"])
        record = await self.app.open_table(
            who,
            ruleset_id="clasico",
            seating=Seating(asked["seating"]),
            pace=Pace(asked["pace"]),
            home=Home("", PLATFORM, asked["press"]),
            press_id=asked["press"],
        )
        return {"table": record.table.id}


if __name__ == "__main__":
    configure_logs("error", "text")
    seconds: dict[Pace, int] = clocks.SECONDS
    seconds[Pace.QUICK] = TURN_SECONDS
    bear(open_store, os.environ[DATABASE], Worker)
