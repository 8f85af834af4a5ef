"""Pictures as files to upload; without one a screen stands there in words."""

import io

import discord
import msgspec

from adapters.discord.layout import HAND_FILE, READ_FILE, SHEET_FILE, TABLE_FILE
from bot.desk import PictureDesk, PictureFailed
from bot.pictures import HandPicture, ReadPicture, SheetForm, SheetPicture, TablePicture
from bot.screens import Screen


class Picture(msgspec.Struct, frozen=True):
    """A picture and the name under which its message shows it."""

    name: str
    png: bytes


Pictures = tuple[Picture, ...]


def uploads(pictures: Pictures) -> list[discord.File]:
    """The pictures as files, fresh for each request: one that failed may have used them up."""
    return [discord.File(io.BytesIO(picture.png), picture.name) for picture in pictures]


async def table_picture(desk: PictureDesk, screen: Screen) -> Pictures:
    """The picture of a public table; nothing where there is none."""
    if not isinstance(screen.picture, TablePicture):
        return ()
    try:
        return (Picture(TABLE_FILE, (await desk.table(screen)).png),)
    except PictureFailed:
        return ()


async def public_picture(desk: PictureDesk, screen: Screen) -> Pictures:
    """The picture of a public table or of something to read; nothing where there is none."""
    if not isinstance(screen.picture, ReadPicture):
        return await table_picture(desk, screen)
    try:
        return (Picture(READ_FILE, await desk.read(screen.picture)),)
    except PictureFailed:
        return ()


async def sheet_pictures(desk: PictureDesk, sheet: SheetPicture) -> Pictures:
    """A page to print as PNG and as PDF; nothing where it cannot be made."""
    try:
        return tuple([Picture(f"{SHEET_FILE}.{form.value}", await desk.sheet(sheet, form)) for form in SheetForm])
    except PictureFailed:
        return ()


async def hand_picture(desk: PictureDesk, screen: Screen) -> Pictures:
    """The picture of a private hand; nothing where there is none."""
    if not isinstance(screen.picture, HandPicture):
        return ()
    try:
        return (Picture(HAND_FILE, await desk.hand(screen.picture)),)
    except PictureFailed:
        return ()
