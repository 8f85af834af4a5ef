"""Text with markup: everything that people or the presenter write is escaped, and nothing gets longer than it may."""

import html
from collections.abc import Iterable

from adapters.telegram.limits import TEXT


def units(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, most: int) -> str:
    """A text of at most ``most`` units."""
    if units(text) <= most:
        return text
    kept = text[: most - 1]
    while units(kept) > most - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def escaped(text: str) -> str:
    """A text that shows as it is."""
    return html.escape(text, quote=False)


def mention(name: str, user_id: int | None) -> str:
    """A name that calls its owner, who need have no user name."""
    if user_id is None:
        return escaped(name)
    return f'<a href="tg://user?id={user_id}">{escaped(name)}</a>'


def titled(title: str, body: Iterable[str], most: int) -> str:
    """A heading and lines under it; what does not fit is cut off."""
    title = cut(title, most)
    text = "\n".join(line for line in body if line)
    left = most - units(title) - 1
    if not text or left <= 1:
        return f"<b>{escaped(title)}</b>"
    return f"<b>{escaped(title)}</b>\n{escaped(cut(text, left))}"


def pages(title: str, lines: Iterable[str], most: int = TEXT) -> list[str]:
    """A heading and lines under it, in as many messages as they need."""
    found: list[str] = []
    held: list[str] = []
    heading = title
    for line in lines:
        line = cut(line, most // 2)
        if held and units("\n".join((heading, *held, line))) > most - 1:
            found.append(titled(heading, held, most) if heading else escaped("\n".join(held)))
            heading, held = "", []
        held.append(line)
    found.append(titled(heading, held, most) if heading else escaped("\n".join(held)))
    return found
