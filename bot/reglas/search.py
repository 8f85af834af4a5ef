"""Finding topics by whatever people type: titles, synonyms in several languages, typing errors forgiven."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz, process

from bot.commands import fold
from bot.reglas.topics import Topic, topics
from bot.texts import SOURCE_LOCALE

SURE: Final = 86.0
"""From this score on (of 100) a topic is what was meant."""
NEAR: Final = 62.0
"""From this score on a topic is offered."""
_PREFIX: Final = 96.0
_INSIDE: Final = 90.0


@lru_cache(maxsize=8)
def _keys(locale: str) -> tuple[tuple[str, str], ...]:
    """Every name of every topic, folded, with the topic's id."""
    return tuple(
        (name, topic.id)
        for topic in topics(locale).values()
        for name in dict.fromkeys(fold(each) for each in (topic.head.title, *topic.head.words, topic.id))
    )


def find_topics(query: str, locale: str = SOURCE_LOCALE, most: int = 25) -> Sequence[tuple[Topic, float]]:
    """The topics that a query may mean with a score of up to 100, best first; all of them where nothing is typed."""
    known = topics(locale)
    wanted = fold(query)[:60]
    if not wanted:
        return [(topic, 0.0) for topic in known.values()][:most]
    best: dict[str, float] = {}
    keys = _keys(locale)
    names = [name for name, _ in keys]
    for name, score, at in process.extract(wanted, names, scorer=fuzz.WRatio, limit=60, score_cutoff=NEAR):
        # A short name inside a long query scores high without meaning much.
        fair = score if len(name) > 3 or name == wanted else min(score, NEAR)
        best[keys[at][1]] = max(best.get(keys[at][1], 0.0), fair)
    for name, topic_id in keys:
        bonus = 100.0 if name == wanted else _PREFIX if name.startswith(wanted) else 0.0
        if not bonus and len(wanted) > 3 and wanted in name:
            bonus = _INSIDE
        if bonus > best.get(topic_id, 0.0):
            best[topic_id] = bonus
    order = {topic_id: place for place, topic_id in enumerate(known)}
    ranked = sorted(best, key=lambda topic_id: (-best[topic_id], order[topic_id]))
    return [(known[topic_id], best[topic_id]) for topic_id in ranked[:most]]


@lru_cache(maxsize=8)
def topic_of_reason(locale: str = SOURCE_LOCALE) -> dict[str, str]:
    """The topic that explains each refusal."""
    return {reason: topic.id for topic in topics(locale).values() for reason in topic.head.reasons}
