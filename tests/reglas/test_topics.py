"""The topics: complete, linked, right under every rule set, and within what a chat shows."""

import pytest

from bot import rulesets
from bot.presenter.topics import caption, shown_examples, topic_lines, topic_rules
from bot.reglas.judging import judge_cards, worth_of
from bot.reglas.topics import GROUPS, Topic, TopicError, parse_topic, topics
from engine.reasons import Reason
from tests.bot.tables import SPANISH

ALL = tuple(topics().values())
RULES = tuple(rulesets.load(name) for name in rulesets.ids())
LONGEST = 2600
"""Characters of a topic's text and rule lines: a chat's message holds them with title and captions."""


@pytest.mark.parametrize("topic", ALL, ids=lambda topic: topic.id)
def test_every_topic_has_text_that_fits_under_every_rule_set(topic: Topic) -> None:
    for rules in RULES:
        lines = topic_lines(SPANISH, topic, rules)
        text = "\n".join((*lines, *(f"• {line.text}" for line in topic_rules(SPANISH, topic, rules))))
        assert len(lines) >= 2, rules.id
        assert 120 < len(text) <= LONGEST, (rules.id, len(text))
        assert "{" not in text
        assert "None" not in text
        assert "  " not in text
    assert topic.head.words
    assert 3 <= len(topic.head.title) <= 60


@pytest.mark.parametrize("topic", ALL, ids=lambda topic: topic.id)
def test_every_example_is_what_it_claims(topic: Topic) -> None:
    for rules in RULES:
        for example in shown_examples(topic, rules):
            told = caption(SPANISH, topic, example, rules)
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


def test_every_chapter_has_topics_and_every_topic_leads_on() -> None:
    assert {topic.head.group for topic in ALL} == set(GROUPS)
    assert all(topic.head.related for topic in ALL)
    assert len({topic.head.title for topic in ALL}) == len(ALL)


def test_every_refusal_has_the_one_topic_that_explains_it() -> None:
    explained = [reason for topic in ALL for reason in topic.head.reasons]
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
