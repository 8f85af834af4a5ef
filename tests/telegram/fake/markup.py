"""Formatted text: the HTML of the Bot API, entities in UTF-16 units, and the commands in what people write."""

import re
from dataclasses import dataclass, field
from html import unescape

from tests.telegram.fake.errors import ApiError, Json, bad

_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "tg-emoji": "custom_emoji",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}
_ENTITY = re.compile(r"&(?:#[0-9]+|#x[0-9a-fA-F]+|lt|gt|amp|quot);")
_ATTRIBUTE = re.compile(r"""\s*([^\s=>/"']+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")
_COMMAND = re.compile(r"(?<![\w/@])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?!\w)")
_MENTION = re.compile(r"(?<![\w/@])@[A-Za-z0-9_]{4,32}\b")
_USER_LINK = re.compile(r"tg://user\?id=(\d+)")


def units(text: str) -> int:
    """Count the UTF-16 units of a text, the measure of entities."""
    return len(text.encode("utf-16-le")) // 2


def utf16_slice(text: str, offset: int, length: int) -> str:
    """Cut a text by UTF-16 units."""
    return text.encode("utf-16-le")[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")


@dataclass
class Formatted:
    """A text without its tags, with its entities."""

    text: str
    entities: list[Json] = field(default_factory=list)

    def trimmed(self) -> "Formatted":
        """Drop white space at both ends, as Telegram does, and what entities lose by it."""
        text = self.text.strip()
        cut = units(self.text[: len(self.text) - len(self.text.lstrip())])
        end = units(text)
        kept: list[Json] = []
        for entity in self.entities:
            start = max(0, entity["offset"] - cut)
            stop = min(end, entity["offset"] + entity["length"] - cut)
            if stop > start:
                kept.append({**entity, "offset": start, "length": stop - start})
        kept.sort(key=lambda entity: (entity["offset"], -entity["length"]))
        return Formatted(text, kept)


@dataclass
class _Open:
    tag: str
    start: int
    entity: Json | None


class _Html:
    """One pass over a text in HTML."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.out = Formatted("")
        self.stack: list[_Open] = []

    def parse(self) -> Formatted:
        at = 0
        while at < len(self.source):
            char = self.source[at]
            if char == "<":
                at = self._tag(at)
                continue
            entity = _ENTITY.match(self.source, at) if char == "&" else None
            self.out.text += unescape(entity.group()) if entity else char
            at = entity.end() if entity else at + 1
        if self.stack:
            raise _parse_error(f'Can\'t find end tag corresponding to start tag "{self.stack[-1].tag}"')
        return self.out

    def _tag(self, at: int) -> int:
        where = len(self.source[:at].encode())
        end = self.source.find(">", at)
        if self.source.startswith("</", at):
            self._close(self.source[at + 2 : end if end >= 0 else None].strip().lower(), where, ended=end >= 0)
            return end + 1
        name = re.match(r"[^\s>]*", self.source[at + 1 :])
        tag = name.group().lower() if name else ""
        if tag not in _TAGS:
            raise _parse_error(f'Unsupported start tag "{tag}" at byte offset {where}')
        at += 1 + len(tag)
        attributes: dict[str, str] = {}
        while at < len(self.source) and self.source[at] != ">":
            if self.source[at].isspace():
                at += 1
                continue
            found = _ATTRIBUTE.match(self.source, at)
            if found and self.source.startswith("=", found.end()):
                raise _parse_error(f"Unclosed start tag at byte offset {where}")
            if not found:
                raise _parse_error(f'Empty attribute name in the tag "{tag}" at byte offset {where}')
            value = next((group for group in found.groups()[1:] if group is not None), "")
            attributes[found.group(1).lower()] = unescape(value)
            at = found.end()
        if at >= len(self.source):
            raise _parse_error(f'Unclosed start tag "{tag}" at byte offset {where}')
        self.stack.append(_Open(tag, units(self.out.text), self._entity(tag, attributes, where)))
        return at + 1

    def _entity(self, tag: str, attributes: dict[str, str], where: int) -> Json | None:
        entity: Json = {"type": _TAGS[tag]}
        if tag == "span" and attributes.get("class") != "tg-spoiler":
            raise _parse_error(f'Tag "span" must have class "tg-spoiler" at byte offset {where}')
        if tag == "tg-emoji":
            entity["custom_emoji_id"] = attributes.get("emoji-id", "")
        if tag == "blockquote" and "expandable" in attributes:
            entity["type"] = "expandable_blockquote"
        if tag == "code":
            language = attributes.get("class", "").removeprefix("language-")
            if language and self.stack and self.stack[-1].tag == "pre" and self.stack[-1].entity is not None:
                self.stack[-1].entity["language"] = language
                return None
        if tag == "a":
            user = _USER_LINK.fullmatch(attributes.get("href", ""))
            if user:
                return {"type": "text_mention", "user": {"id": int(user[1]), "is_bot": False, "first_name": "?"}}
            if not attributes.get("href"):
                return None
            entity["url"] = attributes["href"]
        return entity

    def _close(self, tag: str, where: int, *, ended: bool) -> None:
        if not self.stack:
            raise _parse_error(f"Unexpected end tag at byte offset {where}")
        if not ended:
            raise _parse_error(f"Unclosed end tag at byte offset {where}")
        opened = self.stack.pop()
        if tag not in {"", opened.tag}:
            raise _parse_error(
                f'Unmatched end tag at byte offset {where}, expected "</{opened.tag}>", found "</{tag}>"'
            )
        length = units(self.out.text) - opened.start
        if opened.entity is not None and length:
            self.out.entities.append({**opened.entity, "offset": opened.start, "length": length})


def _parse_error(what: str) -> ApiError:
    return bad(f"can't parse entities: {what}")


def parse_html(source: str) -> Formatted:
    """Read a text in the HTML of the Bot API; refuse it as Telegram does."""
    return _Html(source).parse()


def loose_ampersands(source: str) -> list[str]:
    """Find what looks like a character reference but stays as it is in Telegram (such as `&nbsp;`)."""
    return [found for found in re.findall(r"&#?\w+;", source) if not _ENTITY.fullmatch(found)]


def checked_entities(text: str, entities: list[Json]) -> list[Json]:
    """Refuse entities that lie outside of their text."""
    end = units(text)
    for entity in entities:
        if entity["offset"] < 0 or entity["length"] <= 0 or entity["offset"] + entity["length"] > end:
            raise bad(
                f"entity beginning at UTF-16 offset {entity['offset']} ends after the end of the text "
                f"at UTF-16 offset {end}"
            )
    return entities


def written_entities(text: str) -> list[Json]:
    """Mark the commands and mentions in what a person wrote."""
    found = [("bot_command", match) for match in _COMMAND.finditer(text)]
    found += [("mention", match) for match in _MENTION.finditer(text)]
    entities = [
        {"type": kind, "offset": units(text[: match.start()]), "length": units(match.group())} for kind, match in found
    ]
    return sorted(entities, key=lambda entity: int(str(entity["offset"])))
