"""How many messages a chat takes: about 20 a minute in a group, one a second in private with short bursts."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.telegram.fake.errors import too_many

MINUTE = 60.0


@dataclass
class Budget:
    """Counts sends and edits per chat; answers 429 beyond the limits where `enforced`.

    Where it is not enforced, `exceeded` still lists what would have been refused, as (time, chat id).
    """

    clock: Callable[[], float]
    enforced: bool = False
    per_group_minute: int = 20
    per_private_second: float = 1.0
    private_burst: int = 5
    exceeded: list[tuple[float, int]] = field(default_factory=list)
    _spent: dict[int, deque[float]] = field(default_factory=dict)
    _credit: dict[int, tuple[float, float]] = field(default_factory=dict)

    def check(self, chat_id: int) -> None:
        """Refuse with 429 when this chat has had enough."""
        wait = self.wait(chat_id)
        if wait <= 0:
            return
        self.exceeded.append((self.clock(), chat_id))
        if self.enforced:
            raise too_many(max(1, math.ceil(wait)))

    def wait(self, chat_id: int) -> float:
        """Tell how many seconds this chat must wait for its next message."""
        now = self.clock()
        if chat_id < 0:
            spent = self._recent(chat_id, now)
            if len(spent) < self.per_group_minute:
                return 0.0
            return spent[len(spent) - self.per_group_minute] + MINUTE - now
        return max(0.0, (1.0 - self._left(chat_id, now)) / self.per_private_second)

    def spend(self, chat_id: int) -> None:
        """Count one send or edit."""
        now = self.clock()
        self._recent(chat_id, now).append(now)
        if chat_id > 0:
            self._credit[chat_id] = (self._left(chat_id, now) - 1.0, now)

    def last_minute(self, chat_id: int) -> int:
        """Tell how many sends and edits this chat had in the last 60 seconds."""
        return len(self._recent(chat_id, self.clock()))

    def _recent(self, chat_id: int, now: float) -> deque[float]:
        spent = self._spent.setdefault(chat_id, deque())
        while spent and spent[0] <= now - MINUTE:
            spent.popleft()
        return spent

    def _left(self, chat_id: int, now: float) -> float:
        credit, since = self._credit.get(chat_id, (float(self.private_burst), now))
        return min(float(self.private_burst), credit + (now - since) * self.per_private_second)
