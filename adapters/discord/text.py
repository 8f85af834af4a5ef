"""Text as Discord shows it: what people chose as names never becomes a mention, markup or a link."""

import re
from collections.abc import Callable
from typing import Final

import discord

_ANGLE = str.maketrans({"<": "‹", ">": "›"})
"""Mentions, emojis, timestamps and hidden links all stand in angle brackets."""
_SCHEME = re.compile(r":/{2,}")
"""What makes a link of a bare address, whatever stands before it."""
_MARKUP = re.compile(r"[\\*_~`|\[\]]|:(?=[\w+-]+:)")
"""Emphasis, code, spoilers, named links and emojis by their name."""
_HEADING = re.compile(r"^(\s*)(#{1,3}|-#|[-+]|\d+\.)(?=\s|$)", re.MULTILINE)
_TORN = re.compile(r"(<[:\w]*|\\+)$")
"""What a cut may leave of an emoji or an escape."""


def plain(text: str) -> str:
    """The text with everything escaped that Discord would take for more than text."""
    lines = "\n".join(text.splitlines()).translate(_ANGLE)
    escaped = _MARKUP.sub(r"\\\g<0>", _SCHEME.sub(":", lines))
    return discord.utils.escape_mentions(_HEADING.sub(_escaped_mark, escaped))


def _escaped_mark(match: re.Match[str]) -> str:
    blank, mark = match.groups()
    # A number keeps its figure: the backslash goes before the dot.
    return f"{blank}{mark[:-1]}\\." if mark.endswith(".") else f"{blank}\\{mark}"


Signs = Callable[[str], str]
"""Gives the emoji of a card (``7h``) as it is written in a message; empty where there is none."""

_SUITS: Final = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_CARD: Final = re.compile(r"(?<!\w)(10|[2-9AJQK])([♠♥♦♣])")


def no_signs(code: str) -> str:
    """No emoji for any card."""
    del code
    return ""


def with_emojis(text: str, signs: Signs) -> str:
    """The text with its cards as emojis, where there are any."""
    return _CARD.sub(lambda match: signs(match[1].replace("10", "T") + _SUITS[match[2]]) or match[0], text)


def fit(text: str, longest: int) -> str:
    """The text, cut with an ellipsis where it is longer; no emoji and no escape is cut in two."""
    return text if len(text) <= longest else _TORN.sub("", text[: longest - 1]) + "…"
