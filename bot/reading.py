"""Answering what is asked of the rule book: presses of its buttons, and whatever people type."""

import random
import re
from typing import Final

import msgspec

from bot import rulesets
from bot.commands import find_ruleset, fold
from bot.keeper import Keeper
from bot.model import Person
from bot.presenter.book import Book, found_screen, index_screen, published, rules_mark, topic_screen
from bot.presenter.sheet import sheet_of
from bot.presenter.verdicts import count_screen, quiz_answer_screen, quiz_screen, unread_text, verdict_screen
from bot.reglas.judging import judge_cards
from bot.reglas.quiz import ENDLESS, exercise, next_number
from bot.reglas.search import SURE, find_topics
from bot.reglas.topics import GROUPS, topics
from bot.reglas.typed import UnreadCards, read_cards
from bot.screens import Answer
from bot.store import Record
from bot.texts import Texts
from bot.tokens import Intent, TokenError, Verb, from_base36
from engine.reasons import NotationError
from engine.ruleset import SHORTEST_MELD, Ruleset

BOOK_VERBS: Final = frozenset({Verb.INDEX, Verb.TOPIC, Verb.PUBLISH, Verb.QUIZ, Verb.SHEET})
_JUDGE: Final = ("vale", "sirve", "serve", "valido", "valida", "valid")
_COUNT: Final = ("puntos", "cuenta", "pontos", "conta", "punti", "points", "count")
_SHEET: Final = ("resumen", "imprimir", "hoja", "resumo", "folha", "riassunto", "foglio", "summary", "sheet", "pdf")
_QUIZ: Final = ("prueba", "ejercicio", "ejercicios", "teste", "prova", "quiz", "test")
_INDEX: Final = ("indice", "temas", "index", "ayuda", "help")
_BETWEEN: Final = re.compile(r"[;|\n]+")
_MOST_MELDS: Final = 20
_OFFERED: Final = 8


def rules_of_mark(mark: str) -> Ruleset:
    """The rule set that a token names.

    Raises:
        TokenError: there is none.
    """
    found = next((name for name in rulesets.ids() if rules_mark(rulesets.load(name)) == mark), None)
    if found is None:
        raise TokenError(mark)
    return rulesets.load(found)


def book_of(record: Record) -> Book:
    """The rule book as it is open at a table."""
    return Book(record.table.rules, record.table, record.version)


class Reading:
    """Opens the rule book."""

    def __init__(self, keeper: Keeper, lot: random.Random) -> None:
        self._keeper = keeper
        self._lot = lot

    async def press(self, t: Texts, person: Person, intent: Intent, record: Record | None) -> Answer:
        """What a press of a button of the book leads to; ``record`` is the table it is open at, if it is.

        Raises:
            TokenError: the press makes no sense.
        """
        arguments = intent.arguments
        if record is not None:
            book = book_of(record)
        else:
            *arguments_before, mark = arguments or ("",)
            book, arguments = Book(rules_of_mark(mark)), tuple(arguments_before)
        match intent.verb:
            case Verb.INDEX:
                return Answer(
                    screen=index_screen(t, book, arguments[0] if arguments and arguments[0] in GROUPS else "")
                )
            case Verb.TOPIC | Verb.PUBLISH:
                topic = topics(t.locale).get(arguments[0] if arguments else "")
                if topic is None:
                    raise TokenError(intent.verb)
                screen = topic_screen(t, book, topic)
                if intent.verb is Verb.TOPIC:
                    return Answer(screen=screen)
                return Answer(screen=published(screen), public=True)
            case Verb.SHEET:
                return Answer(document=sheet_of(t, book.rules))
            case Verb.QUIZ:
                return await self._quiz(t, person, book, arguments)
            case _:
                raise TokenError(intent.verb)

    async def typed(self, t: Texts, person: Person, book: Book, text: str) -> Answer:
        """What a typed question leads to: a topic, a verdict, a count, an exercise; never nothing."""
        words = text.split()
        first, rest = (fold(words[0]).rstrip(":?"), " ".join(words[1:])) if words else ("", "")
        if first in _JUDGE and (rest or len(words) == 1):
            return self._judged(t, book, rest)
        if first in _COUNT and rest and (answer := self._counted(t, book, text.strip()[len(words[0]) :])) is not None:
            return answer
        named = find_ruleset(rest) if rest else None
        if first in _SHEET and (named is not None or len(words) == 1):
            return Answer(document=sheet_of(t, named or book.rules))
        if first in _QUIZ and (named is not None or len(words) == 1):
            return await self._quiz(t, person, Book(named) if named is not None else book, ("0",))
        if not words or (len(words) == 1 and first in _INDEX):
            return Answer(screen=index_screen(t, book))
        if _are_cards(text):
            return self._judged(t, book, text)
        if text.strip() in topics(t.locale):
            return Answer(screen=topic_screen(t, book, topics(t.locale)[text.strip()]))
        found = find_topics(text, t.locale, _OFFERED)
        if found and found[0][1] >= SURE and (len(found) == 1 or found[0][1] > found[1][1] or found[0][1] >= 100):
            return Answer(screen=topic_screen(t, book, found[0][0]))
        return Answer(screen=found_screen(t, book, text.strip(), [topic for topic, _ in found]))

    def _judged(self, t: Texts, book: Book, text: str) -> Answer:
        try:
            cards = read_cards(text)
            if not cards:
                return Answer(unread_text(t, ""), ok=False)
            return Answer(screen=verdict_screen(t, book, judge_cards(book.rules, cards)))
        except UnreadCards as error:
            return Answer(unread_text(t, error.word), ok=False)
        except NotationError as error:
            return Answer(unread_text(t, error.text), ok=False)

    def _counted(self, t: Texts, book: Book, text: str) -> Answer | None:
        """The count of melds, one a line or between semicolons; None where no cards are named at all."""
        parts = [part for part in _BETWEEN.split(text) if part.strip()][:_MOST_MELDS]
        try:
            melds = [read_cards(part) for part in parts]
            verdicts = [judge_cards(book.rules, cards) for cards in melds if cards]
        except UnreadCards as error:
            return Answer(unread_text(t, error.word), ok=False) if any(map(str.isdigit, text)) else None
        except NotationError as error:
            return Answer(unread_text(t, error.text), ok=False)
        return Answer(screen=count_screen(t, book, verdicts)) if verdicts else None

    async def _quiz(self, t: Texts, person: Person, book: Book, arguments: tuple[str, ...]) -> Answer:
        try:
            number = from_base36(arguments[0]) if arguments else 0
        except ValueError:
            raise TokenError(Verb.QUIZ) from None
        if number >= ENDLESS:
            raise TokenError(Verb.QUIZ)
        task = exercise(book.rules, number)
        if len(arguments) < 2:
            return Answer(screen=quiz_screen(t, book, task))
        right = (arguments[1] == "1") is (task.verdict.meld is not None)
        person = await self._answered(person, f"{rules_mark(book.rules)}:{number}", right=right)
        following = next_number(number, self._lot)
        screen = quiz_answer_screen(
            t, book, task, right=right, streak=person.quiz_streak, best=person.quiz_best, following=following
        )
        return Answer(screen=screen)

    async def _answered(self, person: Person, mark: str, *, right: bool) -> Person:
        """The person with the streak counted on; the same exercise answered twice in a row counts once."""
        person = await self._keeper.store.person(person.id) or person
        if person.quiz_last == mark:
            return person
        streak = person.quiz_streak + 1 if right else 0
        person = msgspec.structs.replace(
            person, quiz_streak=streak, quiz_best=max(person.quiz_best, streak), quiz_last=mark
        )
        await self._keeper.store.save_person(person)
        return person


def _are_cards(text: str) -> bool:
    """Whether a text is a row of cards and nothing else."""
    try:
        return len(read_cards(text)) >= SHORTEST_MELD
    except UnreadCards:
        return False
