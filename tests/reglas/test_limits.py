"""The rule book within the chats' limits: every topic, verdict and exercise under every rule set."""

import html
import re
from collections.abc import Iterator

import pytest

from adapters.discord.layout import public_layout
from adapters.telegram.limits import CAPTION, TEXT
from adapters.telegram.markup import pages, units
from bot import rulesets
from bot.presenter.book import Book, found_screen, index_screen, topic_screen
from bot.presenter.verdicts import count_screen, quiz_answer_screen, quiz_screen, verdict_screen
from bot.reglas.judging import judge_cards
from bot.reglas.quiz import exercise
from bot.reglas.topics import GROUPS, topics
from bot.screens import Screen
from bot.texts import Texts, languages, texts
from engine.ruleset import Ruleset
from tests.discord.looks import fits


def screens(rules: Ruleset, t: Texts) -> Iterator[Screen]:
    """Every kind of screen of the book."""
    book = Book(rules)
    yield index_screen(t, book)
    for group in GROUPS:
        yield index_screen(t, book, group)
    for topic in topics(t.locale).values():
        yield topic_screen(t, book, topic)
    yield found_screen(t, book, "x" * 400, list(topics(t.locale).values())[:8])
    tasks = [exercise(rules, number) for number in range(40)]
    for task in tasks:
        yield quiz_screen(t, book, task)
        yield quiz_answer_screen(t, book, task, right=True, streak=999, best=999, following=1 << 30)
        yield verdict_screen(t, book, task.verdict)
    yield count_screen(t, book, [task.verdict for task in tasks[:20]])
    yield verdict_screen(t, book, judge_cards(rules, ["7h"] * 3 + ["8h"] * 3 + ["9h"] * 3 + ["JK"] * 6))


def parsed(body: str) -> str:
    """A message's text without its markup, which does not count."""
    return html.unescape(re.sub(r"</?\w+>", "", body))


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("name", rulesets.ids())
def test_every_screen_of_the_book_fits_in_every_chat(name: str, locale: str) -> None:
    for screen in screens(rulesets.load(name), texts(locale)):
        for picture in (True, False):
            fits(public_layout(screen, picture=picture and screen.picture is not None))
        for body in pages(screen.title, screen.lines):
            assert units(parsed(body)) <= TEXT
        for body in pages(screen.title, screen.lines, CAPTION):
            assert units(parsed(body)) <= CAPTION
        assert all(len(choice.token.encode()) <= 64 for row in screen.rows for choice in row)
        assert sum(len(row) for row in screen.rows) <= 100
        assert len(pages(screen.title, screen.lines)) == 1, "one message is enough"
