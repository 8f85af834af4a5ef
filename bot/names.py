"""Names that people choose, made safe to draw, to print and to send."""

import unicodedata
from collections.abc import Iterable

LONGEST = 20
"""Characters of a name; longer ones are cut."""
_MOST_MARKS = 2
"""Combining marks on one letter."""


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
        if category.startswith("C"):
            continue
        marks = marks + 1 if category.startswith("M") else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    name = " ".join("".join(kept).split())
    for unsafe, safe in (("://", " "), ("@", ""), ("<", ""), (">", ""), ("`", ""), ("*", ""), ("_", " "), ("|", " ")):
        name = name.replace(unsafe, safe)
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
