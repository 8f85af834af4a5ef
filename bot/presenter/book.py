"""The rule book as screens: its chapters and topics, in the words of whichever rules it is opened for."""

from collections.abc import Sequence

import msgspec

from bot.model import Table
from bot.pictures import CardRow, CardsPicture
from bot.presenter.card_rows import card_row
from bot.presenter.rulebook import is_house_default
from bot.presenter.topics import caption, shown_examples, topic_lines, topic_rules
from bot.reglas.judging import judge_cards
from bot.reglas.search import find_topics
from bot.reglas.topics import GROUPS, Topic, topics
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import NO_TABLE, Intent, Verb, base36, write_token
from engine.ruleset import Ruleset

_MOST_RELATED = 5


class Book(msgspec.Struct, frozen=True):
    """The rule book as it is open before somebody: whose rules it tells, and of which table."""

    rules: Ruleset
    table: Table | None = None
    version: int = 0

    def token(self, verb: Verb, *arguments: str) -> str:
        """The token of a verb in this book."""
        if self.table is not None:
            return write_token(Intent(self.table.id, self.version, verb, arguments))
        return write_token(Intent(NO_TABLE, 0, verb, (*arguments, rules_mark(self.rules))))

    def choice(self, label: str, verb: Verb, *arguments: str, style: Style = Style.PLAIN) -> Choice:
        """A button of this book."""
        return Choice(label, self.token(verb, *arguments), style)


def rules_mark(rules: Ruleset) -> str:
    """A rule set's id in letters and figures alone, as tokens have it."""
    return rules.id.replace("-", "")


def chapter_name(t: Texts, group: str) -> str:
    """What a chapter is called."""
    _ = t.gettext
    return dict(
        zip(
            GROUPS,
            (
                _("Para empezar"),
                _("Las cartas"),
                _("El turno"),
                _("Los juegos"),
                _("Quedarse sin cartas"),
                _("Los puntos"),
                _("Las variantes"),
                _("La mesa"),
                _("Jugar mejor"),
            ),
            strict=True,
        )
    )[group]


def index_screen(t: Texts, book: Book, group: str = "") -> Screen:
    """The chapters; or the topics of one."""
    _ = t.gettext
    known = topics(t.locale).values()
    if group:
        listed = [
            (book.choice(topic.head.title, Verb.TOPIC, topic.id),) for topic in known if topic.head.group == group
        ]
        listed.append((book.choice(_("Índice"), Verb.INDEX),))
        return book_screen(
            book, _("Reglas · {chapter}").format(chapter=chapter_name(t, group)), _about(t, book), listed
        )
    rows: list[tuple[Choice, ...]] = [(book.choice(chapter_name(t, name), Verb.INDEX, name),) for name in GROUPS]
    rows.append(
        (
            book.choice(_("Ponte a prueba"), Verb.QUIZ, base36(0), style=Style.GOOD),
            book.choice(_("Hoja para imprimir"), Verb.SHEET),
            book.choice(_("Primera partida guiada"), Verb.LESSON, style=Style.GOOD),
        )
    )
    return book_screen(book, _("Reglas"), (*_about(t, book), _how(t)), rows, back=book.table is not None, t=t)


def _how(t: Texts) -> str:
    return t.gettext("Elige un capítulo, o escribe lo que buscas: «muerto», «vale 3♥ 4♥ 2♠», «puntos 3h 4h 5h».")


def _about(t: Texts, book: Book) -> tuple[str, ...]:
    _ = t.gettext
    if book.table is not None:
        return (_("Según las reglas de esta mesa: {rules}.").format(rules=book.rules.name),)
    return (_("Según {rules}.").format(rules=book.rules.name),)


def topic_options(t: Texts, query: str) -> tuple[tuple[str, str], ...]:
    """The topics that a typed beginning may mean: id and title, the likeliest first."""
    return tuple((topic.id, topic.head.title) for topic, _ in find_topics(query, t.locale))


def found_screen(t: Texts, book: Book, query: str, found: Sequence[Topic]) -> Screen:
    """The topics that a query may have meant; or that there is none."""
    _ = t.gettext
    rows = [(book.choice(topic.head.title, Verb.TOPIC, topic.id),) for topic in found]
    rows.append((book.choice(_("Índice"), Verb.INDEX),))
    told = (
        _("¿Buscabas alguno de estos temas?")
        if found
        else _("No encontré nada sobre «{query}». Mira en el índice.").format(query=query[:40])
    )
    return book_screen(book, _("Reglas"), (told,), rows)


def topic_screen(t: Texts, book: Book, topic: Topic) -> Screen:
    """A topic in the words of the book's rules; what the table changed and what the source leaves open is marked."""
    _ = t.gettext
    lines = list(topic_lines(t, topic, book.rules))
    told = topic_rules(t, topic, book.rules)
    if told:
        heading = _("En esta mesa:") if book.table is not None else _("En {rules}:").format(rules=book.rules.name)
        lines.append(heading)
        changed = set(book.table.options) if book.table is not None else set()
        for line in told:
            mark = ""
            if changed & set(line.fields):
                mark = " " + _("(cambio de esta mesa)")
            elif is_house_default(book.rules, line):
                mark = " " + _("(costumbre de la casa)")
            lines.append(f"• {line.text}{mark}")
    related = [topics(t.locale)[name] for name in topic.head.related][:_MOST_RELATED]
    rows: list[tuple[Choice, ...]] = [(book.choice(each.head.title, Verb.TOPIC, each.id),) for each in related]
    rows.append(
        (
            book.choice(_("Índice"), Verb.INDEX),
            book.choice(_("Publicar aquí"), Verb.PUBLISH, topic.id),
        )
    )
    picture = _examples(t, topic, book.rules)
    return book_screen(
        book, topic.head.title, tuple(lines), rows, picture=picture, t=t, back=book.table is not None, about=True
    )


def published(screen: Screen) -> Screen:
    """A topic for everybody: without the button that made it public."""
    last = tuple(choice for choice in screen.rows[-1] if f":{Verb.PUBLISH}:" not in choice.token)
    rows = tuple(row for row in (*screen.rows[:-1], last) if row)
    kept = tuple(tuple(choice for choice in row if f":{Verb.PUBLISH}:" not in choice.token) for row in rows)
    return msgspec.structs.replace(screen, rows=tuple(row for row in kept if row))


def _examples(t: Texts, topic: Topic, rules: Ruleset) -> CardsPicture | None:
    rows: list[CardRow] = []
    for example in shown_examples(topic, rules):
        told = caption(t, topic, example, rules)
        for number, meld in enumerate(example.melds):
            verdict = judge_cards(rules, meld.split())
            rows.append(card_row(t, verdict, told if number == len(example.melds) - 1 else ""))
    return CardsPicture(topic.head.title, tuple(rows), t.gettext("JKR")) if rows else None


def book_screen(
    book: Book,
    title: str,
    lines: Sequence[str],
    rows: Sequence[tuple[Choice, ...]],
    *,
    picture: CardsPicture | None = None,
    t: Texts | None = None,
    back: bool = False,
    about: bool = False,
) -> Screen:
    told = list(lines)
    if about and t is not None and book.table is None:
        told.append(_about(t, book)[0])
    shown = list(rows)
    if back and t is not None and book.table is not None:
        shown.append((book.choice(t.gettext("Volver"), Verb.SHOW_TABLE),))
    return Screen(
        role=Role.READING,
        table_id="" if book.table is None else book.table.id,
        version=book.version,
        title=title,
        lines=tuple(told),
        picture=picture,
        alternative="\n".join(told),
        rows=tuple(shown),
    )
