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
from engine.ruleset import Ruleset
from tests.bot.tables import SPANISH
from tests.discord.looks import fits


def screens(rules: Ruleset) -> Iterator[Screen]:
    """Every kind of screen of the book."""
    book = Book(rules)
    yield index_screen(SPANISH, book)
    for group in GROUPS:
        yield index_screen(SPANISH, book, group)
    for topic in topics().values():
        yield topic_screen(SPANISH, book, topic)
    yield found_screen(SPANISH, book, "x" * 400, list(topics().values())[:8])
    tasks = [exercise(rules, number) for number in range(40)]
    for task in tasks:
        yield quiz_screen(SPANISH, book, task)
        yield quiz_answer_screen(SPANISH, book, task, right=True, streak=999, best=999, following=1 << 30)
        yield verdict_screen(SPANISH, book, task.verdict)
    yield count_screen(SPANISH, book, [task.verdict for task in tasks[:20]])
    yield verdict_screen(SPANISH, book, judge_cards(rules, ["7h"] * 3 + ["8h"] * 3 + ["9h"] * 3 + ["JK"] * 6))


def parsed(body: str) -> str:
    """A message's text without its markup, which does not count."""
    return html.unescape(re.sub(r"</?\w+>", "", body))


@pytest.mark.parametrize("name", rulesets.ids())
def test_every_screen_of_the_book_fits_in_every_chat(name: str) -> None:
    for screen in screens(rulesets.load(name)):
        for picture in (True, False):
            fits(public_layout(screen, picture=picture and screen.picture is not None))
        for body in pages(screen.title, screen.lines):
            assert units(parsed(body)) <= TEXT
        for body in pages(screen.title, screen.lines, CAPTION):
            assert units(parsed(body)) <= CAPTION
        assert all(len(choice.token.encode()) <= 64 for row in screen.rows for choice in row)
        assert sum(len(row) for row in screen.rows) <= 100
        assert len(pages(screen.title, screen.lines)) == 1, "one message is enough"
