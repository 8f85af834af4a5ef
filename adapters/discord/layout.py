"""Screens as Discord's layouts: text, picture and buttons in one container, always within the limits."""

from collections.abc import Iterator, Sequence

import discord
from discord import ui

from adapters.discord.limits import ALTERNATIVE, BUTTON_LABEL, COMPONENTS, ROW_BUTTONS, TEXT
from adapters.discord.text import Signs, fit, no_signs, plain, with_emojis
from bot.pictures import ProfilePicture, ReadPicture, SheetPicture
from bot.screens import Choice, Role, Screen, Style

STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.GOOD: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}
FELT = discord.Colour(0x1F6B4A)
YOURS = discord.Colour(0xF2C14E)

TABLE_FILE = "mesa.png"
HAND_FILE = "mano.png"
READ_FILE = "buraco.png"
SHEET_FILE = "buraco"
"""Without its ending: the page to print comes as PNG and as PDF."""

Rows = Sequence[Sequence[Choice]]


def public_layout(screen: Screen, *, picture: bool, note: str = "", signs: Signs = no_signs) -> ui.LayoutView:
    """A screen without cards to pick: a table, a lobby, a question, something to read.

    ``picture`` says that :data:`TABLE_FILE` goes with it; without it the facts stand there in words. ``note`` is a
    line above all, such as the answer to a press. ``signs`` gives the emoji of a card.
    """
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=FELT)
    words = "" if picture or screen.role is not Role.TABLE else screen.alternative
    # A profile is seen first and read then.
    first = picture and isinstance(screen.picture, ProfilePicture)
    text = ui.TextDisplay[ui.LayoutView](told(screen, note=note, more=words, signs=signs))
    if not first:
        container.add_item(text)
    if picture:
        file = READ_FILE if isinstance(screen.picture, ReadPicture) else TABLE_FILE
        container.add_item(gallery(file, screen.alternative))
    if first:
        container.add_item(text)
    add_rows(container, screen.rows, room=COMPONENTS - 2 - container_count(container))
    return finished(container)


def text_layout(text: str) -> ui.LayoutView:
    """Nothing but text."""
    return marked_layout(plain(text))


def marked_layout(marked: str) -> ui.LayoutView:
    """Nothing but text that is markup already."""
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=FELT)
    container.add_item(ui.TextDisplay(fit(marked, TEXT)))
    return finished(container)


def sheet_layout(sheet: SheetPicture) -> ui.LayoutView:
    """A page to print: to look at, and as a file to keep."""
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=FELT)
    container.add_item(ui.TextDisplay(fit(f"### {plain(sheet.title)}\n{plain(sheet.subtitle)}", TEXT)))
    container.add_item(gallery(f"{SHEET_FILE}.png", sheet.title))
    container.add_item(ui.File(f"attachment://{SHEET_FILE}.pdf"))
    return finished(container)


def file_layout(text: str, name: str) -> ui.LayoutView:
    """A file to keep, and what it is."""
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=FELT)
    container.add_item(ui.TextDisplay(fit(plain(text), TEXT)))
    container.add_item(ui.File(f"attachment://{name}"))
    return finished(container)


def link_layout(text: str, label: str, address: str) -> ui.LayoutView:
    """A text with a link below it; without an address the text alone."""
    if not address:
        return text_layout(text)
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=FELT)
    container.add_item(ui.TextDisplay(fit(plain(text), TEXT)))
    container.add_item(ui.ActionRow(ui.Button(label=fit(label, BUTTON_LABEL), url=address)))
    return finished(container)


def finished(*items: "ui.Item[ui.LayoutView]") -> ui.LayoutView:
    """The view of these items. Its buttons are answered by their ids, so the library need not keep it."""
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def told(screen: Screen, *, note: str = "", more: str = "", signs: Signs = no_signs) -> str:
    """What a screen says, with its title and within the limit."""
    body = "\n".join(plain(line) for line in (*screen.lines, *([more] if more else [])))
    if screen.until_ms is not None:
        # Discord counts down by itself, in the reader's language.
        body += f"\n-# ⏳ <t:{screen.until_ms // 1000}:R>"
    head = "\n".join(part for part in (f"**{plain(note)}**" if note else "", f"### {plain(screen.title)}") if part)
    text = f"{head}\n{body}".strip()
    drawn = with_emojis(text, signs)
    # An emoji is long as text: where it would not fit, the plain signs stay.
    return drawn if len(drawn) <= TEXT // 2 else fit(text, TEXT)


def gallery(file: str, alternative: str) -> "ui.MediaGallery[ui.LayoutView]":
    """The picture of an uploaded file with its facts in words."""
    described = fit(alternative, ALTERNATIVE) or None
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{file}", description=described))


def button(choice: Choice) -> "ui.Button[ui.LayoutView]":
    """A choice as a button."""
    return ui.Button(
        label=fit(choice.label, BUTTON_LABEL),
        style=STYLES[choice.style],
        custom_id=choice.token,
        disabled=not choice.enabled,
    )


def packed(rows: Rows) -> Iterator[tuple[Choice, ...]]:
    """Rows of at most five: lone choices share a row, and no button stands there twice."""
    seen: set[str] = set()
    lone: list[Choice] = []
    for row in rows:
        fresh = [choice for choice in row if choice.token not in seen]
        seen.update(choice.token for choice in fresh)
        if len(fresh) == 1 and len(row) == 1:
            lone += fresh
            if len(lone) == ROW_BUTTONS:
                yield tuple(lone)
                lone = []
            continue
        if lone:
            yield tuple(lone)
            lone = []
        for start in range(0, len(fresh), ROW_BUTTONS):
            yield tuple(fresh[start : start + ROW_BUTTONS])
    if lone:
        yield tuple(lone)


def add_rows(container: "ui.Container[ui.LayoutView]", rows: Rows, room: int) -> None:
    """Add rows of buttons as far as ``room`` components reach; the last row, the way back, is always among them."""
    ready = list(packed(rows))
    while ready and sum(1 + len(row) for row in ready) > room:
        # What is offered is ranked: the least important is the one before the last row.
        place = -2 if len(ready) > 1 else -1
        shorter = ready[place][:-1]
        ready[place : len(ready) if place == -1 else -1] = [shorter] if shorter else []
    for row in ready:
        container.add_item(ui.ActionRow(*(button(choice) for choice in row)))


def container_count(container: "ui.Container[ui.LayoutView]") -> int:
    """How many components a container holds."""
    return sum(1 for _ in container.walk_children())
