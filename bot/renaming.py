"""A place that is called otherwise from now on, as a group that has grown: what belongs to it goes along."""

import msgspec
import structlog

from bot.keeper import Keeper, Unknown
from bot.store import StoreBusy, UnreadableSave

log = structlog.get_logger()

_MOST_ROUNDS = 5


class Renaming:
    """Takes tables, results and coins along to a place's new name. Done again, it changes nothing more."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def renamed(self, platform: str, place: str, to: str) -> set[str]:
        """Move what belongs to a place; the ids of the tables that are to be shown anew.

        Raises:
            StoreBusy: not everything could be moved.
        """
        store = self._keeper.store
        shown = set(await store.move_homes(platform, place, to))
        origin, new = f"{platform}:{place}", f"{platform}:{to}"
        # First the tables: whose match ends meanwhile pays out where the coins will be.
        for table_id in await store.mentioning((origin,)):
            await self._belongs(table_id, origin, new)
        await store.move_results(origin, new)
        await store.move_coins(origin, new)
        return shown

    async def _belongs(self, table_id: str, origin: str, new: str) -> None:
        for _ in range(_MOST_ROUNDS):
            async with self._keeper.lock(table_id):
                try:
                    record = await self._keeper.load(table_id)
                except (UnreadableSave, Unknown):
                    return
                if record.table.origin != origin:
                    return
                table = msgspec.structs.replace(record.table, origin=new)
                if await self._keeper.commit(record, table=table) is not None:
                    return
        raise StoreBusy(f"{table_id} keeps changing elsewhere")
