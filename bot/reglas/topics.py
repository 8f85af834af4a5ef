"""The topics of the rule book: text files with a head of facts about them, one folder a language.

A topic is a template over a rule set, so that the same text speaks of any table's own rules and words. What its
head names (fields, related topics, refusals) is checked when it is loaded; what its examples claim is recomputed by the
engine in a test.
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, Final

import msgspec
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from bot.texts import SOURCE_LOCALE, parent
from engine.ruleset import Ruleset

FENCE: Final = "+++"
SUFFIX: Final = ".md"
GROUPS: Final = ("start", "cards", "turn", "melds", "muerto", "score", "variants", "table", "play")
"""The chapters, in the order in which they are listed."""


class TopicError(ValueError):
    """A topic that cannot be used: ``topic`` is its id, the message says what is wrong with it."""

    def __init__(self, topic: str, problem: str) -> None:
        super().__init__(f"{topic}: {problem}")
        self.topic = topic


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Melds that a topic shows, and what it claims about them."""

    melds: tuple[str, ...]
    """Each in the notation of melds: ``3h 4h 2s=5h``."""
    caption: str
    """A template, as the text is."""
    valid: bool = True
    """Whether each of them may be laid."""
    rules: tuple[str, ...] = ()
    """The rule sets for which this holds; empty for all."""
    kind: str = ""
    """What the first of them is: ``clean``, ``dirty`` …; empty where nothing is claimed."""
    worth: dict[str, int] = {}
    """What they are worth on the table, by rule set: cards and bonuses."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts about a topic."""

    title: str
    group: str
    words: tuple[str, ...] = ()
    """What people may call it, in whatever language."""
    related: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    """The rule set's fields whose lines stand below the text."""
    reasons: tuple[str, ...] = ()
    """The refusals that it explains."""
    examples: tuple[Example, ...] = ()


class Topic(msgspec.Struct, frozen=True):
    """A topic: ``id`` is its file's name, in letters and figures alone, so that it fits in a button."""

    id: str
    head: Head
    body: str


@lru_cache(maxsize=8)
def topics(locale: str = SOURCE_LOCALE) -> Mapping[str, Topic]:
    """All topics of a language by their ids, in the order of the chapters.

    A topic that the language does not tell itself is its parent's: Argentina's is that of all Spanish speakers.

    Raises:
        TopicError: one of them is broken, or names another that there is not.
    """
    told = {} if locale == SOURCE_LOCALE else dict(topics(parent(locale)))
    told |= own_topics(locale)
    found = sorted(told.values(), key=lambda topic: (GROUPS.index(topic.head.group), topic.head.title))
    known = {topic.id: topic for topic in found}
    for topic in found:
        for other in topic.head.related:
            if other not in known or other == topic.id:
                raise TopicError(topic.id, f"related topic {other!r} is not there")
    return known


def own_topics(locale: str) -> Mapping[str, Topic]:
    """The topics that a language tells itself, by their ids.

    Raises:
        TopicError: one of them is broken.
    """
    folder = resources.files("data") / "reglas" / locale
    files = [entry for entry in folder.iterdir() if entry.name.endswith(SUFFIX)] if folder.is_dir() else []
    names = {entry.name.removesuffix(SUFFIX): entry.read_text(encoding="utf-8") for entry in files}
    return {name: parse_topic(name, text) for name, text in sorted(names.items())}


def parse_topic(name: str, text: str) -> Topic:
    """A topic from its file.

    Raises:
        TopicError: it makes no sense.
    """
    if not (name.isascii() and name.isalnum() and name.islower() and len(name) <= 20):
        raise TopicError(name, "the name must be up to twenty small letters and figures")
    before, _, rest = text.partition(FENCE)
    front, fence, body = rest.partition(f"\n{FENCE}")
    if before.strip() or not fence:
        raise TopicError(name, f"the head must stand between lines of {FENCE}")
    try:
        head = msgspec.convert(tomllib.loads(front), Head)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TopicError(name, str(error)) from None
    if head.group not in GROUPS:
        raise TopicError(name, f"group {head.group!r} is none of {', '.join(GROUPS)}")
    for field in head.fields:
        if field not in Ruleset.__struct_fields__:
            raise TopicError(name, f"{field!r} is no field of a rule set")
    if not body.strip():
        raise TopicError(name, "it has no text")
    return Topic(name, head, body.strip())


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    # Plain text for chats, never HTML: pages escape what they show themselves.
    return ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )


@lru_cache(maxsize=1024)
def _compiled(template: str) -> Any:
    return _environment().from_string(template)


def rendered(topic: str, template: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The lines of a template with its values; list items get their dot, blank lines go.

    Raises:
        TopicError: the template asks for something that there is not.
    """
    try:
        text: str = _compiled(template).render(values)
    except Exception as error:
        raise TopicError(topic, f"{type(error).__name__}: {error}") from error
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(f"• {line[2:]}" if line.startswith("- ") else line for line in lines if line)
