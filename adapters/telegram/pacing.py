"""How fast each chat is written to. A chat that has to wait holds up nobody else."""

import asyncio

from adapters.telegram.limits import (
    COMMANDS_A_MINUTE,
    COMMANDS_BURST,
    GROUP_A_MINUTE,
    GROUP_BURST,
    PRIVATE_A_MINUTE,
    PRIVATE_BURST,
)
from bot.clock import Clock

_MOST_CHATS = 4096


class _Chat:
    """What a chat has left."""

    def __init__(self, now: float, burst: float, a_minute: float) -> None:
        self.turn = asyncio.Lock()
        self.waiting = 0
        self._burst = burst
        self._a_second = a_minute / 60
        self._left = burst
        self._since = now
        self._held_until = 0.0

    def hold(self, until: float) -> None:
        """Telegram asked for a pause."""
        self._held_until = max(self._held_until, until)
        self._left = min(self._left, 1.0)

    def wait(self, now: float) -> float:
        """Seconds until the next call."""
        self._left = min(self._burst, self._left + max(0.0, now - self._since) * self._a_second)
        self._since = now
        missing = max(0.0, 1.0 - self._left) / self._a_second
        return max(missing, self._held_until - now)

    def spend(self) -> None:
        """One call is made."""
        self._left -= 1.0

    def is_idle(self, now: float) -> bool:
        """Whether nothing needs to be known of it."""
        return not self.waiting and self.wait(now) <= 0 and self._left >= self._burst


class Allowance:
    """How often one account may have a group written to by its commands; what is beyond is passed over."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left: dict[int, tuple[float, float]] = {}

    def takes(self, user_id: int) -> bool:
        """Whether one more is allowed."""
        now = self._clock.now_ms() / 1000
        left, since = self._left.get(user_id, (COMMANDS_BURST, now))
        left = min(COMMANDS_BURST, left + (now - since) * COMMANDS_A_MINUTE / 60)
        if len(self._left) >= _MOST_CHATS:
            self._left.clear()
        self._left[user_id] = (max(0.0, left - 1), now)
        return left >= 1


class Pacer:
    """Lets each chat's sends and edits through in order, as fast as that chat takes them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._chats: dict[int, _Chat] = {}

    async def slot(self, chat_id: int) -> None:
        """Wait until the chat may be written to."""
        chat = self._chat(chat_id)
        chat.waiting += 1
        try:
            async with chat.turn:
                # A hair more than asked for: clocks of whole milliseconds round down.
                while (wait := chat.wait(self._now())) > 0:
                    await self._clock.sleep(wait + 0.002)
                chat.spend()
        finally:
            chat.waiting -= 1

    def hold(self, chat_id: int, seconds: float) -> None:
        """Telegram asks for a pause in this chat."""
        self._chat(chat_id).hold(self._now() + seconds)

    def _now(self) -> float:
        return self._clock.now_ms() / 1000

    def _chat(self, chat_id: int) -> _Chat:
        chat = self._chats.get(chat_id)
        if chat is None:
            if len(self._chats) >= _MOST_CHATS:
                now = self._now()
                self._chats = {known: it for known, it in self._chats.items() if not it.is_idle(now)}
            group = chat_id < 0
            chat = _Chat(
                self._now(),
                GROUP_BURST if group else PRIVATE_BURST,
                GROUP_A_MINUTE if group else PRIVATE_A_MINUTE,
            )
            self._chats[chat_id] = chat
        return chat
