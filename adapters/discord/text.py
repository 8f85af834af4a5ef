"""Text as Discord shows it: what people chose as names never becomes a mention, markup or a link."""

import re

import discord

_HEADING = re.compile(r"^(\s*)(#{1,3}|-#|[-*+>]|\d+\.)(?=\s)", re.MULTILINE)
_ANGLE = str.maketrans({"<": "‹", ">": "›"})
"""Mentions, emojis, timestamps and hidden links all stand in angle brackets."""
_SCHEME = re.compile(r"(?i)\b(https?|discord|ftp)://")


def plain(text: str) -> str:
    """The text with everything escaped that Discord would take for more than text."""
    escaped = discord.utils.escape_markdown(_SCHEME.sub(r"\1:", text.translate(_ANGLE)))
    return discord.utils.escape_mentions(_HEADING.sub(_escaped_mark, escaped))


def _escaped_mark(match: re.Match[str]) -> str:
    blank, mark = match.groups()
    # A number keeps its figure: the backslash goes before the dot.
    return f"{blank}{mark[:-1]}\\." if mark.endswith(".") else f"{blank}\\{mark}"


def fit(text: str, longest: int) -> str:
    """The text, cut with an ellipsis where it is longer."""
    return text if len(text) <= longest else text[: longest - 1].rstrip("\\") + "…"
