"""Names that people choose, made safe to draw, to print and to send."""

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 20
"""Characters of a name; longer ones are cut."""
_MOST_MARKS = 2
"""Combining marks on one letter."""
_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing: fillers of Korean, the empty Braille cell."""
_MARKUP = str.maketrans({**dict.fromkeys("@<>`*#~\\[]", ""), **dict.fromkeys("_|/", " ")})
"""Mentions, tags, markup of chats, and the slash of links and commands."""
_LINK_DOT = re.compile(r"(?<=\w)\.(?=\w{2})")


def safe_name(text: str, fallback: str = "") -> str:
    """A name without control, format and direction characters, heaps of marks, links or mentions.

    What is left empty becomes ``fallback``.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category.startswith("Z") or character in "\t\n\r":
            kept.append(" ")
            continue
        if category.startswith("C") or character in _UNSEEN:
            continue
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    name = "".join(kept).translate(_MARKUP)
    # What a chat would turn into a link by itself: evil.example, t.me/evil
    name = _LINK_DOT.sub(". ", name)
    return " ".join(name.split())[:LONGEST].strip() or fallback


def unused_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where somebody at the table already has it."""
    others = {other.casefold() for other in taken}
    if name.casefold() not in others:
        return name
    for number in range(2, len(others) + 3):
        candidate = f"{name[: LONGEST - 3].strip()} {number}"
        if candidate.casefold() not in others:
            return candidate
    raise AssertionError("more numbers than names")
