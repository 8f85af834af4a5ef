"""Answering interactions: first at once, then with what there is to show. Nobody is left without an answer."""

import asyncio
from collections.abc import Callable

import discord
import msgspec
import structlog

from adapters.discord.emojis import CardEmojis
from adapters.discord.faults import is_late
from adapters.discord.hand_layout import hand_layout
from adapters.discord.hands import OpenHands, look_of
from adapters.discord.layout import link_layout, marked_layout, public_layout, text_layout
from adapters.discord.people import PLATFORM
from adapters.discord.pictures import Pictures, hand_picture, table_picture, uploads
from bot.app import App
from bot.desk import PictureDesk
from bot.model import Person
from bot.pictures import HandPicture
from bot.screens import Role, Screen
from bot.texts import texts

log = structlog.get_logger(__name__)

PlaceName = Callable[[str], str]


class Answers:
    """Shows screens and sentences to the one who pressed or typed, and to nobody else."""

    def __init__(self, app: App, desk: PictureDesk, emojis: CardEmojis, place_name: PlaceName) -> None:
        """``place_name`` names the channel of a home's place; empty where it is not known."""
        self._app = app
        self._desk = desk
        self._emojis = emojis
        self._place_name = place_name
        self.hands = OpenHands()

    async def acknowledge(self, interaction: discord.Interaction) -> bool:
        """Tell Discord within its three seconds that the interaction has come; False where it is too late for that."""
        try:
            if interaction.type is discord.InteractionType.component:
                await interaction.response.defer()
            else:
                await interaction.response.defer(ephemeral=True, thinking=True)
        except discord.HTTPException as error:
            if not is_late(error):
                raise
            log.info("discord.late", code=error.code)
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

    async def show(
        self, interaction: discord.Interaction, person: Person, screen: Screen, *, note: str = "", in_place: bool
    ) -> None:
        """A screen to the one who pressed or typed, in the message that they pressed or in a new private one."""
        if screen.role is Role.HAND:
            await self._show_hand(interaction, person, screen, frozenset(), note=note, in_place=in_place)
            return
        pictures = await table_picture(self._desk, screen)
        view = public_layout(screen, picture=bool(pictures), note=note, signs=self._emojis.text)
        await self._deliver(interaction, view, pictures, in_place=in_place)

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
        view, pictures = await self.hand_view(person, screen, picked, note=note)
        message_id = await self._deliver(interaction, view, pictures, in_place=in_place)
        if message_id is not None:
            await self.hands.opened(screen, person, interaction, message_id, followup=not in_place)

    async def hand_view(
        self, person: Person, screen: Screen, picked: frozenset[int] = frozenset(), *, note: str = ""
    ) -> tuple[discord.ui.LayoutView, Pictures]:
        """A hand's layout and its pictures; with the table's where that has no channel of its own."""
        homes = [home for home in await self._app.homes(screen.table_id) if home.platform == PLATFORM]
        table = None if homes else await self._app.public_screen(screen.table_id, person.id)
        hand, public = await asyncio.gather(
            hand_picture(self._desk, with_picked(screen, picked)),
            _nothing() if table is None else table_picture(self._desk, table),
        )
        view = hand_layout(
            texts(person.locale),
            screen,
            self._emojis,
            picked=picked,
            picture=bool(hand),
            table=table if public else None,
            note=note,
            place=self._place_name(homes[0].place) if homes else "",
        )
        return view, (*public, *hand)

    async def refresh(self, table_id: str) -> None:
        """Bring the open hands of a table up to date, where they look different now."""
        for hand in self.hands.of_table(table_id):
            screen = await self._app.hand_screen(table_id, hand.person)
            if screen is None:
                self.hands.forget(table_id, hand.person.id)
                continue
            look = look_of(screen)
            if screen.version <= hand.version or look == hand.look:
                continue
            view, pictures = await self.hand_view(hand.person, screen)
            if hand not in self.hands.of_table(table_id):
                continue
            try:
                await hand.edit(view, pictures)
            except discord.HTTPException as error:
                if not is_late(error) and error.status != 404:
                    log.info("discord.hand_not_refreshed", code=error.code)
                self.hands.forget(table_id, hand.person.id)
                continue
            hand.version, hand.look = screen.version, look

    async def _deliver(
        self,
        interaction: discord.Interaction,
        view: discord.ui.LayoutView,
        pictures: Pictures,
        *,
        in_place: bool,
    ) -> int | None:
        """Send or edit; the id of the message that shows it, None where it came too late."""
        try:
            if in_place:
                edited = await interaction.edit_original_response(view=view, attachments=uploads(pictures))
                return edited.id
            sent = await interaction.followup.send(view=view, files=uploads(pictures), ephemeral=True, wait=True)
        except discord.HTTPException as error:
            if not is_late(error) and error.status != 404:
                raise
            log.info("discord.too_late", code=error.code)
            return None
        return sent.id


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
