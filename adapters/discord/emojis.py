"""The cards as emojis of the application: found at the start, uploaded where missing, used as far as they are there.

An emoji is named ``buraco_7h_1``: the card, and the version of its drawing. Nothing depends on emojis: whoever gets
none writes the card in text.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import discord
import structlog

log = structlog.get_logger(__name__)

_NAME: Final = re.compile(r"buraco_([A-Za-z0-9]+)_([0-9]+)")

Draw = Callable[[], bytes]
"""Draws one emoji as PNG; it is called in a worker thread."""


def _parts(name: str) -> tuple[str, int] | None:
    """The card and the version in a name of ours; None for any other name."""
    match = _NAME.fullmatch(name)
    return (match[1], int(match[2])) if match else None


class CardEmojis:
    """The emojis of the faces (``7h``, ``JK``) and of the backs. Until :meth:`load` has found some there are none."""

    def __init__(self, draw: Mapping[str, Draw]) -> None:
        """Take how to draw each emoji, by its name.

        Raises:
            ValueError: a name is not made of a card and a version.
        """
        self._draw: dict[str, tuple[str, Draw]] = {}
        self._version: dict[str, int] = {}
        for name, drawing in draw.items():
            parts = _parts(name)
            if parts is None:
                raise ValueError(f"{name} does not name the emoji of a card")
            code, self._version[code] = parts
            self._draw[code] = name, drawing
        self._found: dict[str, discord.PartialEmoji] = {}
        self._loading = asyncio.Lock()

    def of(self, face_code: str) -> discord.PartialEmoji | None:
        """The emoji of a face; None where there is none."""
        return self._found.get(face_code)

    def back(self, back: int) -> discord.PartialEmoji | None:
        """The emoji of the back of a pack; None where there is none."""
        return self._found.get(f"back{back}")

    def text(self, face_code: str) -> str:
        """The emoji of a face as it is written in a message, ``<:name:id>``; empty where there is none."""
        return str(self._found.get(face_code, ""))

    async def load(self, client: discord.Client) -> None:
        """Find the emojis of the application, upload the missing ones, then delete those of older drawings.

        Can take minutes, as Discord slows uploads down. It never raises because of a failure: the first one is logged
        and ends it, and what is there by then is used. Cancelled or failed, the next call takes up where this one
        ended.
        """
        async with self._loading:
            try:
                older = self._remember(await client.fetch_application_emojis())
                missing = [code for code in self._draw if not self._is_new(code)]
                for code in missing:
                    name, draw = self._draw[code]
                    image = await asyncio.to_thread(draw)
                    made = await client.create_application_emoji(name=name, image=image)
                    self._found[code] = discord.PartialEmoji(name=name, id=made.id)
                await _delete(older)
            except Exception as error:  # noqa: BLE001 - games are played without emojis just as well
                log.warning(
                    "emojis_incomplete",
                    there=sum(map(self._is_new, self._draw)),
                    wanted=len(self._draw),
                    status=getattr(error, "status", None),
                    code=getattr(error, "code", None),
                    error=repr(error),
                )
            else:
                log.info("emojis_ready", uploaded=len(missing), deleted=len(older))

    def _is_new(self, code: str) -> bool:
        emoji = self._found.get(code)
        return emoji is not None and emoji.name == self._draw[code][0]

    def _remember(self, emojis: Iterable[discord.Emoji]) -> list[discord.Emoji]:
        """Note what is there, for each card the latest drawing up to ours; returns those of older drawings."""
        found: dict[str, tuple[int, discord.PartialEmoji]] = {}
        older = []
        for emoji in emojis:
            code, version = _parts(emoji.name) or ("", 0)
            if code not in self._draw or version > self._version[code]:
                continue
            if version < self._version[code]:
                older.append(emoji)
            if code not in found or found[code][0] < version:
                found[code] = version, discord.PartialEmoji(name=emoji.name, id=emoji.id)
        self._found = {code: emoji for code, (_, emoji) in found.items()}
        return older


async def _delete(emojis: Iterable[discord.Emoji]) -> None:
    for emoji in emojis:
        try:
            await emoji.delete()
        except discord.NotFound:
            continue
