"""The platform ``telegram`` towards the application: everything put together, opened and closed."""

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from typing import Any

import structlog
from telegram.error import InvalidToken, TelegramError

from adapters.telegram.api import Api, Moved, QuietBot, make_bot
from adapters.telegram.commands import Commands
from adapters.telegram.hands import Hands
from adapters.telegram.intake import Polling, Webhook, WebhookSettings
from adapters.telegram.introduction import introduce
from adapters.telegram.lanes import Background
from adapters.telegram.letters import Letters
from adapters.telegram.limits import BUTTONS, CAPTION, CARDS_A_PAGE, DATA_BYTES, EDITS_A_MINUTE, PAUSES
from adapters.telegram.moving import Moving
from adapters.telegram.opening import Opening
from adapters.telegram.pacing import Allowance, Pacer
from adapters.telegram.parts import Parts
from adapters.telegram.peek import Peek
from adapters.telegram.people import People
from adapters.telegram.places import HAND_PLACE, PLATFORM, is_group
from adapters.telegram.presses import Presses
from adapters.telegram.public import Tables
from adapters.telegram.settings import Settings
from adapters.telegram.updates import ALLOWED, Updates
from bot.announcing import PlaceClosed, PlatformUnusable
from bot.app import App
from bot.clock import Clock, SystemClock
from bot.desk import PictureDesk
from bot.drawing.base import Draws
from bot.model import Home
from bot.screens import Capabilities, Screen

log = structlog.get_logger()

CAPABILITIES = Capabilities(
    name=PLATFORM,
    token_length=DATA_BYTES,
    most_buttons=BUTTONS,
    most_picks=CARDS_A_PAGE,
    alternative_length=CAPTION,
    pushes_hands=True,
    edits_a_minute=EDITS_A_MINUTE,
)


class TelegramUnavailable(PlatformUnusable):
    """The bot cannot come up in Telegram."""


def refused() -> TelegramUnavailable:
    """The token is not taken."""
    return TelegramUnavailable(
        "TELEGRAM_TOKEN is not accepted by Telegram", "copy the bot's token again from @BotFather"
    )


class TelegramPlatform:
    """Plays in Telegram. Make it known with ``app.add_platform(platform)`` before ``app.start()``."""

    def __init__(
        self,
        app: App,
        draws: Draws,
        token: str,
        *,
        api: str | None = None,
        webhook: WebhookSettings | None = None,
        peeks: bool = False,
        clock: Clock | None = None,
        on_ready: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Prepare a bot.

        Args:
            app: the application.
            draws: draws the pictures.
            token: the bot's token.
            api: the address of another Bot API server, such as ``http://127.0.0.1:8081``.
            webhook: where updates are sent to; without it they are asked for.
            peeks: whether those who have not opened the private chat may look at their hand in the group, as an
                ephemeral message (Bot API 10.3).
            clock: for tests.
            on_ready: told the bot's name where it comes up later than at the start.
        """
        self._app = app
        self._token = token
        self._server = api
        self._webhook_settings = webhook
        self._peeks = peeks
        self._clock = clock or SystemClock()
        self._desk = PictureDesk(draws)
        self._background = Background()
        self._moving = Moving(app)
        self._bot: QuietBot | None = None
        self._parts: Parts | None = None
        self._presses: Presses | None = None
        self._updates: Updates | None = None
        self._polling: Polling | None = None
        self._poll: asyncio.Task[None] | None = None
        self._webhook: Webhook | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._on_ready = on_ready

    # life

    async def start(self) -> str:
        """Come up; returns the bot's name with its sign, ``@buraco_bot``, or nothing where Telegram is away.

        Raises:
            TelegramUnavailable: the token is refused, or the webhook's address cannot be used.
        """
        try:
            return await self._connect()
        except TelegramError as error:
            log.warning("telegram.away", error=type(error).__name__)
            self._connecting = asyncio.create_task(self._keep_connecting(), name="telegram connecting")
            return ""
        except TelegramUnavailable:
            await self.stop()
            raise

    async def _connect(self) -> str:
        try:
            bot = self._bot or make_bot(self._token, self._server)
            self._bot = bot
            await bot.initialize()
            self._assemble(bot)
            await self._listen(bot)
        except InvalidToken:
            # What the library says of it has the token in it.
            raise refused() from None
        except OSError as error:
            raise TelegramUnavailable(
                f"the webhook cannot be listened for: {error.strerror}", "choose another host or port for it"
            ) from None
        self._background.run(introduce(bot, self._app), "introduction")
        log.info("telegram.open", name=bot.username)
        return f"@{bot.username}"

    async def _keep_connecting(self) -> None:
        """Come up later, when Telegram is there again."""
        for attempt in count():
            await self._clock.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            try:
                name = await self._connect()
            except TelegramUnavailable as error:
                log.error("telegram.refused", problem=error.problem, advice=error.advice)
                return
            except TelegramError as error:
                log.info("telegram.away", error=type(error).__name__)
                continue
            self._app.reconnected(PLATFORM)
            self._on_ready(name)
            return

    def _assemble(self, bot: QuietBot) -> None:
        app, background = self._app, self._background
        api = Api(bot, Pacer(self._clock))
        people = People(app, api, self._clock, self._moving)
        tables = Tables(app, api, people, self._desk, background, self._clock, self._posted)
        hands = Hands(app, api, people, self._desk, background, self._clock, self._lost)
        peek = Peek(api, self._desk, wanted=self._peeks)
        parts = Parts(app, api, people, tables, hands, Letters(api, self._desk), peek, background)
        opening, settings = Opening(parts), Settings(parts)
        presses = Presses(parts, opening, settings)
        commands = Commands(parts, opening, settings, presses, Allowance(self._clock))
        self._updates = Updates(parts, presses, commands, self._moving)
        self._presses = presses
        self._parts = parts

    async def _listen(self, bot: QuietBot) -> None:
        settings = self._webhook_settings
        if settings is not None:
            if self._webhook is not None:
                await self._webhook.stop()
            self._webhook = Webhook(settings, self._take)
            await self._webhook.start()
            if await self._app.leases.only(f"{PLATFORM}:webhook:{bot.id}"):
                await bot.set_webhook(settings.url, secret_token=settings.secret, allowed_updates=ALLOWED)
            return
        await bot.delete_webhook()
        asking = partial(self._app.leases.only, f"{PLATFORM}:polling:{bot.id}")
        back = partial(self._app.reconnected, PLATFORM)
        self._polling = Polling(bot, self._take, self._clock, asking, back)
        self._poll = asyncio.create_task(self._keep_polling(self._polling), name="telegram polling")

    async def _keep_polling(self, polling: Polling) -> None:
        while True:
            try:
                await polling.run()
            except Exception as error:  # noqa: BLE001 - whatever it was, the bot must go on hearing
                log.error("telegram.polling", error=type(error).__name__, problem=str(error)[:200])
                await self._clock.sleep(1.0)

    async def _take(self, batch: list[dict[str, Any]], seconds: float) -> None:
        if self._updates is not None and self._bot is not None:
            await self._updates.take(batch, self._bot, self._background, seconds)

    async def stop(self) -> None:
        """Go: what is under way ends. May be called twice."""
        for task in (self._connecting, self._poll):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        self._connecting = self._poll = None
        if self._webhook is not None:
            await self._webhook.stop()
        await self._background.stop()
        polling, self._polling = self._polling, None
        if polling is not None:
            await polling.finish()
        self._parts = None
        bot, self._bot = self._bot, None
        if bot is not None:
            await bot.shutdown()
        await self._desk.close()

    # the platform

    @property
    def capabilities(self) -> Capabilities:
        """What Telegram can do."""
        return CAPABILITIES

    @property
    def is_connected(self) -> bool:
        """Whether updates come in: the last question for them was answered, or a webhook listens."""
        return self._parts is not None and (self._polling is None or self._polling.is_heard)

    async def show(self, home: Home, screen: Screen) -> str | None:
        """Show a table's public screen, or bring a private hand up to date."""
        if self._parts is None:
            raise PlaceClosed("the bot is not up")
        if home.place.startswith(HAND_PLACE):
            return await self._parts.hands.posted(home)
        if self._moving.has_moved(home.place):
            raise PlaceClosed(f"{home.place} has moved")
        try:
            return await self._parts.tables.show(home, screen)
        except Moved as error:
            await self._moving.moved(error.chat_id, error.new_chat_id)
            raise

    # several processes

    @property
    def keeps_hands(self) -> bool:
        """Hands are messages that any process can change."""
        return True

    def reaches(self, home: Home) -> bool:
        """Every chat can be written to by every process that is up."""
        del home
        return self._parts is not None

    def watched(self) -> Collection[str]:
        """Everything that is shown stands in homes."""
        return ()

    async def refresh_hands(self, table_id: str, version: int) -> None:
        """Bring the private hands at a table up to date."""
        del version
        if self._parts is not None:
            await self._parts.hands.refresh(table_id)

    # parts

    async def _lost(self, table_id: str) -> None:
        if self._presses is not None:
            await self._presses.show_homes(table_id)

    async def _posted(self, table_id: str, place: str) -> None:
        """A table's message is new: in a private chat the hand belongs below it."""
        if self._parts is not None and not is_group(place):
            hand = self._parts.hands.hand(int(place), table_id)
            hand.below = True
            self._parts.hands.wake(hand)
