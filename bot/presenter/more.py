"""What lies behind the table's further buttons: the last plays, the table in words, and the menu."""

from collections.abc import Sequence

import msgspec

from bot.fairness import seal_of
from bot.hands import HandOrder, in_groups
from bot.model import Person, Status, Table
from bot.pictures import CardRow, CardsPicture
from bot.presenter.alternative import line_in_words, table_in_words
from bot.presenter.buttons import choice
from bot.presenter.cutting import cut_lines
from bot.presenter.fairness import seal_lines
from bot.presenter.plays import plays_line
from bot.presenter.seated import Seated
from bot.presenter.settings import settings_button
from bot.presenter.table import banner
from bot.presenter.votes import decision_rows
from bot.presenter.words import signs
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import NO_TABLE, Verb
from engine.cards import Card
from engine.state import Play

WHOLE = 3500
"""Characters of the table in words where it stands alone, not under a picture."""


def plays_screen(t: Texts, place: Seated, turns: Sequence[Sequence[Play]]) -> Screen:
    """The last turns of the deal, oldest first."""
    lines = tuple(line_in_words(t, plays_line(t, place.view, place.names, plays)) for plays in turns if plays)
    return _reading(t, place, t.gettext("Últimas jugadas"), lines or (line_in_words(t, _dealt(t, place)),))


def _dealt(t: Texts, place: Seated) -> Sequence[object]:
    return plays_line(t, place.view, place.names, ())


def words_screen(t: Texts, place: Seated) -> Screen:
    """The table in words, whole."""
    lines = table_in_words(t, place, banner(t, place), WHOLE).split("\n")
    table, deal = place.table, place.view.number
    sealed = seal_lines(t, seal_of(table.seals, deal), place.names, fixed=table.lesson and deal == 0)
    return _reading(t, place, table.name, (*lines, *sealed, *cut_lines(t, table)))


def final_hands_screen(t: Texts, place: Seated, hands: Sequence[tuple[Card, ...]]) -> Screen:
    """What everybody still held when the deal ended, and what it cost."""
    _ = t.gettext
    rules = place.view.rules
    lines: list[str] = []
    rows: list[CardRow] = []
    for name, hand in zip(place.names, hands, strict=True):
        ordered = tuple(card for heap in in_groups(hand, HandOrder.SUIT) for card in heap)
        told = _("{name}: sin cartas").format(name=name)
        if ordered:
            told = _("{name}: {cards} ({points})").format(
                name=name, cards=signs(t, ordered), points=t.signed(-rules.points(ordered))
            )
        lines.append(told)
        rows.append(CardRow(ordered, _("{name}: {points}").format(name=name, points=t.signed(-rules.points(ordered)))))
    screen = _reading(t, place, _("Manos finales"), tuple(lines))
    return msgspec.structs.replace(screen, picture=CardsPicture(_("Manos finales"), tuple(rows), _("JKR")))


def _reading(t: Texts, place: Seated, title: str, lines: tuple[str, ...]) -> Screen:
    back = choice(t.gettext("Volver"), place.table.id, place.version, Verb.SHOW_TABLE)
    return Screen(
        role=Role.READING,
        table_id=place.table.id,
        version=place.version,
        title=title,
        lines=lines,
        alternative="\n".join(lines),
        rows=((back,),),
    )


def menu_screen(t: Texts, table: Table, version: int, person: Person, *, moderator: bool) -> Screen:
    """Everything else that may be done with a table."""
    _ = t.gettext
    rows: list[tuple[Choice, ...]] = []
    if table.status in (Status.PLAYING, Status.OVER):
        rows.append((choice(_("La mesa en palabras"), table.id, version, Verb.WORDS),))
    rows.append((choice(_("Reglas de la mesa"), table.id, version, Verb.RULES),))
    rows.append((choice(_("Mi perfil"), NO_TABLE, 0, Verb.PROFILE), settings_button(t)))
    ends = moderator or (table.host == person.id and table.people == (person.id,))
    last: list[Choice] = []
    if table.status in (Status.LOBBY, Status.PLAYING):
        if table.seat_of(person.id) is not None:
            last.append(choice(_("Salir de la mesa"), table.id, version, Verb.LEAVE, style=Style.DANGER))
        if moderator and any(other != person.id for other in table.people):
            last.append(choice(_("Expulsar"), table.id, version, Verb.EXPEL, style=Style.DANGER))
        if ends:
            last.append(choice(_("Terminar la mesa"), table.id, version, Verb.END_TABLE, style=Style.DANGER))
    rows += decision_rows(t, table, version, person)
    if len(table.people) > 1 and table.seat_of(person.id) is not None:
        rows.append((choice(_("No jugar con alguien"), table.id, version, Verb.SHUN),))
    rows += [tuple(last)] if last else []
    rows.append((choice(_("Volver"), table.id, version, Verb.SHOW_TABLE),))
    hidden = table.private and table.seat_of(person.id) is None
    title = table.name if hidden else _("{table} · código {code}").format(table=table.name, code=table.code)
    return Screen(
        role=Role.QUESTION,
        table_id=table.id,
        version=version,
        title=title,
        rows=tuple(rows),
    )
