"""Verdicts as screens: melds that people ask about, what a table of them counts, and exercises."""

from collections.abc import Sequence

from bot.pictures import CardsPicture
from bot.presenter.book import Book, book_screen
from bot.presenter.card_rows import card_row
from bot.presenter.reasons import reason_text
from bot.presenter.words import canasta_name, canasta_noun, face_sign, kind_name, meld_name, meld_signs, signs
from bot.reglas.judging import Verdict, worth_of
from bot.reglas.quiz import FIXED, Exercise
from bot.reglas.search import topic_of_reason
from bot.reglas.topics import Topic, TopicError, topics
from bot.screens import Choice, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb, base36
from engine.cards import FACE
from engine.melds import Kind, Meld, Shape
from engine.ruleset import Ruleset


def verdict_screen(t: Texts, book: Book, verdict: Verdict) -> Screen:
    """Whether cards are a meld here: as what, what its wild stands for, what it is worth; or exactly why not."""
    _ = t.gettext
    rows: list[tuple[Choice, ...]] = []
    if verdict.meld is not None:
        title = _("Vale: {meld}").format(meld=_called(t, book.rules, verdict.meld, verdict.kind))
        lines = meld_lines(t, verdict)
    else:
        title = _("No vale")
        lines = (why_not(t, book.rules, verdict),)
        topic = reason_topic(t, verdict)
        if topic is not None:
            rows.append((book.choice(topic.head.title, Verb.TOPIC, topic.id, style=Style.PRIMARY),))
    rows.append((book.choice(_("Índice"), Verb.INDEX),))
    picture = CardsPicture(title, (card_row(t, verdict),), _("JKR"))
    return book_screen(book, title, lines, rows, picture=picture, t=t, about=True)


def rule_choice(t: Texts, book: Book, reason: str) -> Choice | None:
    """The button to the rule that explains a refusal; None where no topic does."""
    try:
        topic = topic_of_reason(t.locale).get(reason)
    except TopicError:  # Found by a test long before; a refusal must be told all the same.
        return None
    return None if topic is None else book.choice(t.gettext("Ver la regla"), Verb.TOPIC, topic)


def why_not(t: Texts, rules: Ruleset, verdict: Verdict) -> str:
    """Why a row of cards is no meld."""
    if verdict.reason is None:
        return ""
    return reason_text(t, rules, verdict.reason, verdict.facts)


def reason_topic(t: Texts, verdict: Verdict) -> Topic | None:
    """The topic that explains why a row of cards is no meld."""
    name = topic_of_reason(t.locale).get(str(verdict.reason))
    return None if name is None else topics(t.locale)[name]


def _called(t: Texts, rules: Ruleset, meld: Meld, kind: Kind) -> str:
    name = meld_name(t, meld)
    return name if kind is Kind.MELD else f"{name}, {canasta_name(t, rules, kind)}"


def meld_lines(t: Texts, verdict: Verdict) -> tuple[str, ...]:
    """What there is to say of a meld."""
    _ = t.gettext
    meld = verdict.meld
    if meld is None:
        return ()
    lines = [meld_signs(t, meld)]
    wild = meld.wild_card
    if wild is not None and meld.wild_place is not None:
        sign, place = face_sign(t, FACE[wild]), face_sign(t, meld.wild_place)
        lines.append(_("El {wild} hace de {place}.").format(wild=sign, place=place))
    elif wild is not None:
        lines.append(_("El {wild} es el comodín del grupo.").format(wild=face_sign(t, FACE[wild])))
    elif meld.shape is not Shape.WILDS:
        lines.append(_("Todas sus cartas son naturales."))
    worth = _("Sus cartas valen {points}.").format(points=t.number(verdict.points))
    if verdict.bonus:
        worth = _("Sus cartas valen {points} y el premio es {bonus}: {total} en total.").format(
            points=t.number(verdict.points),
            bonus=t.number(verdict.bonus),
            total=t.number(verdict.points + verdict.bonus),
        )
    return (*lines, worth)


def count_screen(t: Texts, book: Book, verdicts: Sequence[Verdict]) -> Screen:
    """What melds are worth together, one line each."""
    _ = t.gettext
    lines: list[str] = []
    for number, verdict in enumerate(verdicts, 1):
        if verdict.meld is None:
            told = _("{number}. {cards}: no vale. {why}").format(
                number=number, cards=signs(t, verdict.cards), why=why_not(t, book.rules, verdict)
            )
        else:
            told = _("{number}. {meld}: {points}").format(
                number=number,
                meld=meld_signs(t, verdict.meld),
                points=t.number(verdict.points),
            )
            if verdict.bonus:
                told += _(" + {bonus} ({kind})").format(
                    bonus=t.number(verdict.bonus), kind=kind_name(t, book.rules, verdict.kind)
                )
        lines.append(told)
    total = worth_of(book.rules, verdicts)
    lines.append(_("En la mesa: {total} puntos.").format(total=t.number(total)))
    if total < 0:
        lines.append(_("Sin {canasta}, lo bajado resta.").format(canasta=canasta_noun(t, book.rules).a))
    rows = [(book.choice(_("Índice"), Verb.INDEX),)]
    picture = CardsPicture(_("Puntos"), tuple(card_row(t, verdict) for verdict in verdicts), _("JKR"))
    return book_screen(book, _("Puntos"), tuple(lines), rows, picture=picture, t=t, about=True)


def unread_text(t: Texts, word: str) -> str:
    """Something typed that is no card."""
    _ = t.gettext
    if not word:
        return _("Escribe las cartas, por ejemplo: 3♥ 4♥ 2♠, o 10 de trébol, J de trébol, JK.")
    return _("«{word}» no es una carta. Escribe, por ejemplo: 3♥ 4♥ 2♠, 10 de trébol, As, JK.").format(word=word)


# exercises


def quiz_screen(t: Texts, book: Book, task: Exercise) -> Screen:
    """An exercise: does this count?"""
    _ = t.gettext
    number = base36(task.number)
    title = (
        _("Ponte a prueba · {number} de {count}").format(number=task.number + 1, count=len(FIXED))
        if task.number < len(FIXED)
        else _("Ponte a prueba")
    )
    rows = [
        (
            book.choice(_("Vale"), Verb.QUIZ, number, "1", style=Style.GOOD),
            book.choice(_("No vale"), Verb.QUIZ, number, "0", style=Style.DANGER),
        ),
        (book.choice(_("Índice"), Verb.INDEX),),
    ]
    cards = signs(t, task.verdict.cards)
    picture = CardsPicture(_("¿Vale este juego?"), (card_row(t, task.verdict, judged=False),), _("JKR"))
    return book_screen(book, title, (_("¿Vale este juego? {cards}").format(cards=cards),), rows, picture=picture, t=t)


def quiz_answer_screen(
    t: Texts, book: Book, task: Exercise, *, right: bool, streak: int, best: int, following: int
) -> Screen:
    """The verdict on an exercise and on the answer, and the next one."""
    _ = t.gettext
    title = _("¡Bien!") if right else _("Casi…")
    verdict = task.verdict
    if verdict.meld is not None:
        told = [_("Vale: {meld}").format(meld=_called(t, book.rules, verdict.meld, verdict.kind))]
        told += meld_lines(t, verdict)[:-1]
    else:
        told = [_("No vale."), why_not(t, book.rules, verdict)]
    told.append(_("Racha: {streak}. La mejor: {best}.").format(streak=streak, best=best))
    rows: list[tuple[Choice, ...]] = [
        (book.choice(_("Siguiente"), Verb.QUIZ, base36(following), style=Style.PRIMARY),),
    ]
    topic = reason_topic(t, verdict)
    if topic is not None:
        rows.append((book.choice(topic.head.title, Verb.TOPIC, topic.id),))
    rows.append((book.choice(_("Índice"), Verb.INDEX),))
    picture = CardsPicture(title, (card_row(t, verdict),), _("JKR"))
    return book_screen(book, title, tuple(told), rows, picture=picture, t=t)
