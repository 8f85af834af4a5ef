"""How well robots play, in words."""

from bot.model import Table
from bot.presenter.buttons import choice
from bot.robots.registry import EASY, HARD, LEVELS, NORMAL
from bot.screens import Choice
from bot.texts import Texts
from bot.tokens import Verb


def level_name(t: Texts, level: str) -> str:
    """``fácil``, ``normal``, ``difícil``."""
    _ = t.gettext
    return {EASY: _("fácil"), NORMAL: _("normal"), HARD: _("difícil")}.get(level, level)


def level_line(t: Texts, level: str) -> str:
    """What robots that take a seat will play like."""
    return t.gettext("Nivel de los robots: {level}.").format(level=level_name(t, level))


def level_choice(t: Texts, table: Table, version: int) -> Choice:
    """The button that sets the next level."""
    at = LEVELS.index(table.robot_level) if table.robot_level in LEVELS else 0
    following = LEVELS[(at + 1) % len(LEVELS)]
    label = t.gettext("Robots: cambiar a {level}").format(level=level_name(t, following))
    return choice(label, table.id, version, Verb.ROBOT_LEVEL, following)
