"""The topics: complete, linked, right under every rule set, and within what a chat shows."""

import msgspec
import pytest

from bot import rulesets
from bot.catalogues import REGIONAL
from bot.presenter.topics import caption, shown_examples, topic_lines, topic_rules
from bot.reglas.judging import judge_cards, worth_of
from bot.reglas.search import find_topics
from bot.reglas.topics import GROUPS, Example, Topic, TopicError, own_topics, parse_topic, topics
from bot.texts import languages, texts
from engine.reasons import Reason

SPOKEN = tuple((locale, topic) for locale in languages() for topic in own_topics(locale).values())
"""Every topic of every language that tells it itself."""
ALL = tuple(topics().values())
RULES = tuple(rulesets.load(name) for name in rulesets.ids())
LONGEST = 2600
"""Characters of a topic's text and rule lines: a chat's message holds them with title and captions."""


each_topic = pytest.mark.parametrize(("locale", "topic"), SPOKEN, ids=lambda each: getattr(each, "id", each))


@each_topic
def test_every_topic_has_text_that_fits_under_every_rule_set(locale: str, topic: Topic) -> None:
    t = texts(locale)
    for rules in RULES:
        lines = topic_lines(t, topic, rules)
        text = "\n".join((*lines, *(f"• {line.text}" for line in topic_rules(t, topic, rules))))
        assert len(lines) >= 2, rules.id
        assert 120 < len(text) <= LONGEST, (rules.id, len(text))
        assert "{" not in text
        assert "None" not in text
        assert "  " not in text
    assert topic.head.words
    assert 3 <= len(topic.head.title) <= 60


@each_topic
def test_every_example_is_what_it_claims(locale: str, topic: Topic) -> None:
    t = texts(locale)
    for rules in RULES:
        for example in shown_examples(topic, rules):
            told = caption(t, topic, example, rules)
            assert 10 < len(told) <= 160, told
            verdicts = [judge_cards(rules, meld.split()) for meld in example.melds]
            where = (rules.id, example.melds, [verdict.reason for verdict in verdicts])
            assert all((verdict.meld is not None) == example.valid for verdict in verdicts), where
            if example.kind:
                assert verdicts[0].kind == example.kind, where
            if rules.id in example.worth:
                assert worth_of(rules, verdicts) == example.worth[rules.id], where
        for example in topic.head.examples:
            assert set(example.rules) <= set(rulesets.ids())
            assert set(example.worth) <= set(rulesets.ids())


@pytest.mark.parametrize("locale", languages())
def test_every_chapter_has_topics_and_every_topic_leads_on(locale: str) -> None:
    told = topics(locale).values()
    assert {topic.head.group for topic in told} == set(GROUPS)
    assert all(topic.head.related for topic in told)
    assert len({topic.head.title for topic in told}) == len(told)


@pytest.mark.parametrize("locale", [name for name in languages() if name not in REGIONAL])
def test_a_language_tells_every_topic_and_no_other(locale: str) -> None:
    if not own_topics(locale):
        pytest.skip("it reads its parent's")
    assert set(own_topics(locale)) == {topic.id for topic in ALL}


@each_topic
def test_the_facts_about_a_topic_are_the_same_in_every_language(locale: str, topic: Topic) -> None:
    source = topics()[topic.id].head
    own = topic.head
    assert (own.group, own.related, own.fields, own.reasons) == (
        source.group,
        source.related,
        source.fields,
        source.reasons,
    )
    assert [_claim(example) for example in own.examples] == [_claim(example) for example in source.examples]


def _claim(example: Example) -> Example:
    return msgspec.structs.replace(example, caption="")


@pytest.mark.parametrize("locale", languages())
def test_search_finds_each_topic_by_its_title_and_by_what_people_call_it(locale: str) -> None:
    for topic in topics(locale).values():
        for name in (topic.head.title, *topic.head.words):
            found = [each.id for each, _ in find_topics(name, locale, most=5)]
            assert topic.id in found, (name, found)
        assert find_topics(topic.head.title, locale)[0][0].id == topic.id


@pytest.mark.parametrize("locale", languages())
def test_every_refusal_has_the_one_topic_that_explains_it(locale: str) -> None:
    explained = [reason for topic in topics(locale).values() for reason in topic.head.reasons]
    assert sorted(explained) == sorted(reason.value for reason in Reason)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("no head", "head"),
        ("+++\ntitle = 'x'\n+++\nbody", "group"),
        ("+++\ntitle = 'x'\ngroup = 'nada'\n+++\nbody", "group"),
        ("+++\ntitle = 'x'\ngroup = 'table'\nfields = ['nada']\n+++\nbody", "field"),
        ("+++\ntitle = 'x'\ngroup = 'table'\nodd = 1\n+++\nbody", "odd"),
        ("+++\ntitle = 'x'\ngroup = 'table'\n+++\n  ", "text"),
    ],
)
def test_a_broken_topic_is_refused_with_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(TopicError, match=problem):
        parse_topic("tema", text)


def test_a_topic_s_name_fits_in_a_button() -> None:
    for name in ("Tema", "con-guion", "ñandu", "x" * 21, ""):
        with pytest.raises(TopicError):
            parse_topic(name, "+++\ntitle = 'x'\ngroup = 'table'\n+++\nbody")
