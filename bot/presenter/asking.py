"""A question about a table: what is asked, a button for each answer, and a way back."""

from collections.abc import Sequence

from bot.model import Table
from bot.presenter.buttons import choice
from bot.screens import Choice, Role, Screen
from bot.texts import Texts
from bot.tokens import Verb


def question_screen(
    t: Texts, table: Table, version: int, told: str, choices: Sequence[Choice], back: Verb, *, in_a_row: int = 1
) -> Screen:
    """The question ``told`` with its answers, so many in a row; ``back`` is what leads away from it."""
    rows = [tuple(choices[at : at + in_a_row]) for at in range(0, len(choices), in_a_row)]
    return Screen(
        role=Role.QUESTION,
        table_id=table.id,
        version=version,
        title=told,
        alternative=told,
        rows=(*rows, (choice(t.gettext("Volver"), table.id, version, back),)),
    )
