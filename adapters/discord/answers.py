"""Answering interactions: first at once, then with what there is to show. Nobody is left without an answer."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from logging import ERROR, INFO, WARNING

import aiohttp
import discord
import msgspec
import structlog

from adapters.discord.emojis import CardEmojis
from adapters.discord.faults import FAILURES, is_gone, is_late, must_post_anew
from adapters.discord.hand_layout import hand_layout
from adapters.discord.hands import OpenHand, OpenHands, look_of
from adapters.discord.in_words import Words, in_words_at_least
from adapters.discord.layout import file_layout, link_layout, marked_layout, public_layout, sheet_layout, text_layout
from adapters.discord.people import PLATFORM, key_of
from adapters.discord.pictures import (
    Picture,
    Pictures,
    hand_picture,
    public_picture,
    sheet_pictures,
    table_picture,
    uploads,
)
from bot.app import App
from bot.desk import PictureDesk
from bot.model import Person
from bot.pictures import HandPicture, SheetPicture
from bot.presenter.chat import no_sheet_text
from bot.screens import Answer, Role, Screen
from bot.texts import Texts, texts

log = structlog.get_logger(__name__)

PlaceName = Callable[[str, Texts], str]


class Answers:
    """Shows screens and sentences to the one who pressed or typed, and to nobody else."""

    def __init__(self, app: App, desk: PictureDesk, emojis: CardEmojis, place_name: PlaceName) -> None:
        """``place_name`` names the channel of a home's place, or tells its trouble; empty where it is not known."""
        self._app = app
        self._desk = desk
        self._emojis = emojis
        self._place_name = place_name
        self.hands = OpenHands()
        self._answering: Counter[str] = Counter()
        """Presses of each person that are being answered."""
        self._left: set[tuple[str, str]] = set()
        """Tables and persons whose open hand was left to such an answer."""

    @asynccontextmanager
    async def answering(self, person: Person) -> AsyncIterator[None]:
        """While somebody's press is answered: their hand is drawn by the answer, and not once more beside it."""
        self._answering[person.id] += 1
        try:
            yield
        finally:
            self._answering[person.id] -= 1
            if not self._answering[person.id]:
                del self._answering[person.id]
                await self._catch_up(person)

    async def _catch_up(self, person: Person) -> None:
        """Bring what was left to answers up to date, where they did not."""
        for table_id, person_id in [left for left in self._left if left[1] == person.id]:
            self._left.discard((table_id, person_id))
            for hand in self.hands.of_table(table_id):
                if hand.person.id == person_id:
                    await self._refresh(table_id, hand)

    async def acknowledge(self, interaction: discord.Interaction) -> bool:
        """Tell Discord within its three seconds that the interaction has come; False where it is too late for that."""
        try:
            if interaction.type is discord.InteractionType.component:
                await interaction.response.defer()
            else:
                await interaction.response.defer(ephemeral=True, thinking=True)
        except discord.HTTPException as error:
            if not is_late(error) and error.status < 500:
                raise
            log.info("discord.late", status=error.status, code=error.code)
            return False
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            # Perhaps it got through and only the answer was lost.
            log.warning("discord.not_acknowledged", error=repr(error))
            return False
        except discord.InteractionResponded:
            pass
        return True

    async def say(self, interaction: discord.Interaction, text: str) -> None:
        """A sentence to the one who pressed or typed."""
        await self._deliver(interaction, text_layout(text), (), in_place=_is_command(interaction))

    async def say_marked(self, interaction: discord.Interaction, marked: str) -> None:
        """A sentence with markup of ours, such as the link to a thread; what people chose in it is escaped already."""
        await self._deliver(interaction, marked_layout(marked), (), in_place=_is_command(interaction))

    async def invite(self, interaction: discord.Interaction, text: str, label: str, address: str) -> None:
        """A sentence beside what is shown already, with a link where there is one."""
        try:
            await interaction.followup.send(view=link_layout(text, label, address), ephemeral=True)
        except discord.HTTPException as error:
            log.info("discord.no_invitation", code=error.code)

    async def give(self, interaction: discord.Interaction, person: Person, answer: Answer, *, in_place: bool) -> None:
        """Whatever a press or a typed question was answered."""
        screen = answer.screen
        if answer.document is not None:
            await self._print(interaction, person, answer.document)
        elif answer.file is not None:
            view, files = file_layout(answer.text, answer.file.name), (Picture(answer.file.name, answer.file.data),)
            await self._deliver(interaction, view, files, in_place=_is_command(interaction))
        elif screen is None:
            await self.say(interaction, answer.text)
        elif answer.public:
            await self._publish(interaction, screen)
        else:
            await self.show(interaction, person, with_more(screen, answer), note=answer.text, in_place=in_place)

    async def _print(self, interaction: discord.Interaction, person: Person, sheet: SheetPicture) -> None:
        pictures = await sheet_pictures(self._desk, sheet)
        if not pictures:
            await self.say(interaction, no_sheet_text(texts(person.locale)))
            return
        in_place = _is_command(interaction)
        await self._deliver(interaction, sheet_layout(sheet), pictures, in_place=in_place)

    async def _publish(self, interaction: discord.Interaction, screen: Screen) -> None:
        """A screen for everybody in the channel."""
        pictures = await public_picture(self._desk, screen)
        view = public_layout(screen, picture=bool(pictures), signs=self._emojis.text)
        try:
            await interaction.followup.send(view=view, files=uploads(pictures), ephemeral=False)
        except discord.HTTPException as error:
            log.info("discord.not_published", code=error.code)

    async def show(
        self, interaction: discord.Interaction, person: Person, screen: Screen, *, note: str = "", in_place: bool
    ) -> None:
        """A screen to the one who pressed or typed, in the message that they pressed or in a new private one."""
        if screen.role is Role.HAND:
            await self._show_hand(interaction, person, screen, frozenset(), note=note, in_place=in_place)
            return
        pictures = await public_picture(self._desk, screen)
        layout = partial(public_layout, screen, note=note, signs=self._emojis.text)
        words = partial(layout, picture=False)
        await self._deliver(interaction, layout(picture=bool(pictures)), pictures, in_place=in_place, words=words)

    async def show_picked(
        self,
        interaction: discord.Interaction,
        person: Person,
        screen: Screen,
        picked: frozenset[int],
        *,
        note: str = "",
    ) -> None:
        """A hand with some of its cards chosen, in the message in which they were."""
        await self._show_hand(interaction, person, screen, picked, note=note, in_place=True)

    async def _show_hand(
        self,
        interaction: discord.Interaction,
        person: Person,
        screen: Screen,
        picked: frozenset[int],
        *,
        note: str,
        in_place: bool,
    ) -> None:
        view, pictures, words = await self._hand_view(person, screen, picked, note=note)
        shown = await self._deliver(interaction, view, pictures, in_place=in_place, words=words)
        if shown is not None:
            message_id, followup = shown
            hand = await self.hands.opened(screen, person, interaction, message_id, followup=followup)
            # While it was drawn and sent, the table may have gone on, and nobody knew of this message then.
            await self._refresh(screen.table_id, hand)

    async def _hand_view(
        self, person: Person, screen: Screen, picked: frozenset[int] = frozenset(), *, note: str = ""
    ) -> tuple[discord.ui.LayoutView, Pictures, Words]:
        """A hand's layout, its pictures and the same hand in words; with the table where that has no other channel."""
        homes = [home for home in await self._app.homes(screen.table_id) if home.platform == PLATFORM]
        table = None if homes else await self._app.public_screen(screen.table_id, person.id)
        hand, public = await asyncio.gather(
            hand_picture(self._desk, with_picked(screen, picked)),
            _nothing() if table is None else table_picture(self._desk, table),
        )
        layout = partial(
            hand_layout,
            texts(person.locale),
            screen,
            self._emojis,
            picked=picked,
            note=note,
            place=self._place_name(homes[0].place, texts(person.locale)) if homes else "",
        )
        view = layout(picture=bool(hand), table=table if public else None)
        return view, (*public, *hand), partial(layout, picture=False)

    async def refresh(self, table_id: str) -> None:
        """Bring the open hands of a table up to date, where they look different now."""
        for hand in self.hands.of_table(table_id):
            if hand.person.id in self._answering:
                self._left.add((table_id, hand.person.id))
            else:
                await self._refresh(table_id, hand)

    async def _refresh(self, table_id: str, hand: OpenHand) -> None:
        async with hand.turn:
            hand.person = await self._app.person(key_of(hand.interaction.user.id)) or hand.person
            screen = await self._app.hand_screen(table_id, hand.person)
            if screen is None:
                self.hands.forget(table_id, hand.person.id)
                return
            look = look_of(screen)
            if screen.version <= hand.version or look == hand.look:
                return
            view, pictures, words = await self._hand_view(hand.person, screen)
            if hand not in self.hands.of_table(table_id):
                return
            try:
                await in_words_at_least(hand.edit, view, pictures, words)
            except FAILURES as error:
                if not is_gone(error):
                    log.info("discord.hand_not_refreshed", error=repr(error))
                self.hands.forget(table_id, hand.person.id)
                return
            hand.version, hand.look = screen.version, look

    async def _deliver(
        self,
        interaction: discord.Interaction,
        view: discord.ui.LayoutView,
        pictures: Pictures,
        *,
        in_place: bool,
        words: Words | None = None,
    ) -> tuple[int, bool] | None:
        """Send or edit; the id of the message that shows it and whether it is a follow-up, None where nothing can.

        ``words`` makes what says the same without the pictures, should these be refused.
        """

        async def edit(view: discord.ui.LayoutView, pictures: Pictures) -> tuple[int, bool]:
            edited = await interaction.edit_original_response(view=view, attachments=uploads(pictures))
            return edited.id, False

        async def send(view: discord.ui.LayoutView, pictures: Pictures) -> tuple[int, bool]:
            sent = await interaction.followup.send(view=view, files=uploads(pictures), ephemeral=True, wait=True)
            return sent.id, True

        try:
            return await in_words_at_least(edit if in_place else send, view, pictures, words)
        except discord.HTTPException as error:
            if in_place and must_post_anew(error):
                return await self._deliver(interaction, view, pictures, in_place=False, words=words)
            # What was pressed may be done already: saying that it failed would be wrong.
            level = INFO if is_gone(error) else WARNING if error.status >= 500 else ERROR
            log.log(level, "discord.not_shown", status=error.status, code=error.code)
        except FAILURES as error:
            log.warning("discord.not_shown", error=repr(error))
        return None


def with_more(screen: Screen, answer: Answer) -> Screen:
    """The screen with the button to where one reads on, first of all."""
    return screen if answer.more is None else msgspec.structs.replace(screen, rows=((answer.more,), *screen.rows))


def with_picked(screen: Screen, picked: frozenset[int]) -> Screen:
    """The hand's screen with the picked cards raised in its picture."""
    picker, picture = screen.picker, screen.picture
    if picker is None or not picked or not isinstance(picture, HandPicture):
        return screen
    cards = [card for group in picture.groups for card in group]
    raised = tuple(card for card, option in zip(cards, picker.cards, strict=True) if option.bit in picked)
    return msgspec.structs.replace(screen, picture=msgspec.structs.replace(picture, selected=raised))


async def _nothing() -> Pictures:
    return ()


def _is_command(interaction: discord.Interaction) -> bool:
    return interaction.type is discord.InteractionType.application_command
