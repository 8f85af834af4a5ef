"""Every thing that can be said has its Spanish words, and no Spanish stands outside the catalogue."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bot.lobby import LobbyProblem
from bot.model import Status
from bot.pictures import SuitColours
from bot.presenter import notices
from bot.presenter.plays import plays_line, undo_label
from bot.presenter.questions import Warn, warning_screen
from bot.presenter.reasons import reason_text
from bot.presenter.words import (
    canasta_noun,
    face_name,
    face_sign,
    kind_name,
    meld_name,
    muerto_noun,
    pile_noun,
    seating_name,
)
from bot.presenter.yours import LONGEST as TOAST
from bot.presenter.yours import done_text
from bot.texts import Texts
from bot.tokens import Intent, Verb
from engine.cards import FACES, Card
from engine.melds import Kind, Shape
from engine.reasons import Reason
from engine.ruleset import Words
from engine.seating import Seating
from engine.state import Play, PlayKind
from engine.views import public_view, seat_view
from tests.bot.tables import SPANISH, VARIANTS, at, deal_of, dealt, place_of, rules

BOT = Path(__file__).parents[3] / "bot"


def sentence(text: str) -> None:
    """A whole sentence, short enough for a toast, with nothing left to fill in."""
    assert text[0].isupper() or text[0] in "¡¿", text
    assert text[-1] in ".?!", text
    assert len(text) <= TOAST, text
    assert not re.search(r"[{}]|None|\bReason\b", text), text


@pytest.mark.parametrize("variant", ["", *VARIANTS])
@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence(reason: Reason, variant: str) -> None:
    facts: list[dict[str, int | str]] = [{}, {"card": 16, "minimum": 50, "points": 35, "maximum": 7, "mover": 1}]
    for known in facts:
        sentence(reason_text(SPANISH, rules(variant), reason, known))


def test_reasons_are_told_apart() -> None:
    told = [reason_text(SPANISH, rules(), reason) for reason in Reason]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("problem", LobbyProblem)
@pytest.mark.parametrize("status", Status)
def test_every_lobby_problem_has_a_sentence(problem: LobbyProblem, status: Status) -> None:
    sentence(notices.lobby_problem_text(SPANISH, problem, status))


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_canasta_has_a_word_that_goes_with_its_noun(kind: Kind) -> None:
    burraco = msgspec.structs.replace(rules(), words=Words("pozzetto", "burraco", "pila"))
    feminine, masculine = kind_name(SPANISH, rules(), kind), kind_name(SPANISH, burraco, kind)
    assert bool(feminine) == bool(masculine) == (kind is not Kind.MELD)
    assert feminine.replace("limpia", "limpio").replace("sucia", "sucio") == masculine


@pytest.mark.parametrize("seating", Seating)
def test_every_seating_has_words(seating: Seating) -> None:
    assert seating_name(SPANISH, seating)


@pytest.mark.parametrize("kind", PlayKind)
def test_every_play_is_told_of_others_and_of_yourself(kind: PlayKind) -> None:
    match = at(hands=["9s Ts Qc", "9s"], melds=[["4h 5h 6h"], []], phase="draw")
    view, place = public_view(match), place_of(match)
    play = Play(0, kind, (Card(16), Card(17)), 0, 3)
    line = plays_line(SPANISH, view, ("Ana", "Luis"), (play,))
    assert line[0] == "Ana " or str(line[0]).startswith("Ana ")
    assert len(line) > 1 or line[0] != "Ana "
    after_view = msgspec.structs.replace(view, plays=(play,))
    after = msgspec.structs.replace(place, view=after_view)
    sentence(done_text(SPANISH, seat_view(match, 0), after, ()))
    assert undo_label(SPANISH, view, play).startswith("Deshacer")


@pytest.mark.parametrize("warn", Warn)
def test_every_warning_is_a_question(warn: Warn) -> None:
    place = place_of(dealt(Seating.ONE_ON_ONE, 1))
    asked = warning_screen(SPANISH, place, Intent(place.table.id, 7, Verb.DISCARD, ("1",)), warn)
    sentence(asked.title)
    assert asked.title.endswith("?")


def test_every_notice_is_a_sentence() -> None:
    place = place_of(dealt(Seating.TWO_PAIRS, 1))
    for text in (
        notices.stale_text(SPANISH),
        notices.unknown_button_text(SPANISH),
        notices.unknown_table_text(SPANISH),
        notices.not_seated_text(SPANISH),
        notices.not_started_text(SPANISH),
        notices.deal_goes_on_text(SPANISH),
        notices.next_deal_text(SPANISH, place),
        notices.suspended_text(SPANISH),
        notices.busy_text(SPANISH),
        notices.failed_text(SPANISH, "0123abcd"),
        notices.name_needed_text(SPANISH),
        *(notices.closed_text(SPANISH, status) for status in Status if status not in (Status.LOBBY, Status.PLAYING)),
        *(
            notices.table_text(SPANISH, verb)
            for verb in (Verb.JOIN, Verb.LEAVE, Verb.START, Verb.CANCEL, Verb.EXPEL, Verb.END_TABLE)
        ),
    ):
        sentence(text)


def test_every_card_has_a_name_and_a_sign() -> None:
    names, signs = [[work(SPANISH, face) for face in FACES] for work in (face_name, face_sign)]
    assert len(set(names)) == len(set(signs)) == len(FACES)
    assert {"as de picas", "10 de diamantes", "joker"} <= set(names)
    assert {"A♠", "10♦", "K♣"} <= set(signs)


def test_every_shape_of_meld_has_a_name() -> None:
    melds = [["4h 5h 6h", "9s 9c 9d", "2s 2h JK"], []]
    laid = deal_of(at(hands=["9h Ts Qc", "9s"], melds=melds)).melds[0]
    assert {meld.shape for meld in laid} == set(Shape)
    assert [meld_name(SPANISH, meld) for meld in laid] == ["escalera de corazones", "grupo de 9", "juego de comodines"]


@pytest.mark.parametrize("muerto", ["buraco", "muerto", "morto", "pozzetto"])
@pytest.mark.parametrize("pile", ["pozo", "descarte", "pila"])
def test_a_tradition_s_own_words_are_used(muerto: str, pile: str) -> None:
    own = msgspec.structs.replace(rules(), words=Words(muerto, "canasta", pile))
    assert muerto_noun(SPANISH, own).one == muerto
    assert pile_noun(SPANISH, own).the in (f"el {pile}", f"la {pile}")
    assert canasta_noun(SPANISH, own).a == "una canasta"
    assert muerto in reason_text(SPANISH, own, Reason.CLOSING_NEEDS_MUERTO)
    assert pile in reason_text(SPANISH, own, Reason.PILE_TOP_NOT_USED)


def test_suits_can_be_told_in_two_ways() -> None:
    assert {colours.value for colours in SuitColours} == {"two", "four"}
    assert isinstance(SPANISH, Texts)


# no Spanish outside the catalogue

_SPANISH = re.compile(
    r"[áéíóúñ¿¡ÁÉÍÓÚÑ]"
    r"|\b(el|la|los|las|un|una|de|del|que|con|sin|por|para|tu|tus|ya|en|al|se|mesa|mano|carta|cartas|juego|ronda"
    r"|partida|pozo|mazo|comod[ií]n|robar|tomar|bajar|agregar|descartar|turno|jugador|robot|ganan?|cerr[oó])\b",
    re.IGNORECASE,
)
_NOT_FOR_PLAYERS = {"cli", "robots", "__main__.py", "config.py", "doctor.py", "running.py"}
"""What speaks to whoever runs the bot, in English."""
_NAMES_AND_KEYS = {
    *("Lola", "Bruno", "Carmen", "Nico", "Vera", "Tomás"),  # robots
    *("buraco", "muerto", "morto", "pozzetto", "canasta", "burraco", "pozo", "descarte", "pila"),  # keys of words
    *("en", "un"),  # verbs of tokens
    *("mano", "mesa"),  # commands
}


def _literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every string that is neither a docstring nor given to gettext, to the log or to an error."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        if isinstance(node, ast.Raise):
            skipped.update(ast.walk(node))
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if called in ("_", "_p", "gettext", "ngettext", "pgettext") or ast.unparse(node.func).startswith("log."):
                skipped.update(inner for argument in node.args for inner in ast.walk(argument))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.lineno, node.value


def _sources() -> list[Path]:
    return [path for path in sorted(BOT.rglob("*.py")) if not _NOT_FOR_PLAYERS & {*path.relative_to(BOT).parts}]


@pytest.mark.parametrize("path", _sources(), ids=lambda path: str(path.relative_to(BOT)))
def test_no_spanish_stands_outside_the_catalogue(path: Path) -> None:
    found = [
        f"{line}: {text!r}"
        for line, text in _literals(ast.parse(path.read_text(encoding="utf-8")))
        if _SPANISH.search(text) and text not in _NAMES_AND_KEYS
    ]
    assert found == []


def test_the_scan_finds_what_it_looks_for() -> None:
    tree = ast.parse('"""de la mesa"""\nx = _("Toma el pozo")\ny = "Toma el pozo"\nz = f"Turno de {x}"\nlog.info("el")')
    assert [line for line, text in _literals(tree) if _SPANISH.search(text)] == [3, 4]
