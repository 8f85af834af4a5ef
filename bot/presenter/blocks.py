"""Block lists: what is told to those who keep them."""

from collections.abc import Sequence

from bot.model import Table
from bot.presenter.buttons import choice
from bot.screens import Role, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb

_MOST = 20


def blocked_text(t: Texts, name: str) -> str:
    """Somebody may not sit down in a place any more."""
    return t.gettext("{name} ya no puede sentarse a las mesas de aquí.").format(name=name)


def unblocked_text(t: Texts, name: str) -> str:
    """Somebody may sit down in a place again."""
    return t.gettext("{name} puede sentarse otra vez a las mesas de aquí.").format(name=name)


def not_blocked_text(t: Texts, name: str) -> str:
    """Somebody is to be let in who is not kept out."""
    return t.gettext("{name} no está en la lista: ya puede sentarse.").format(name=name)


def not_oneself_text(t: Texts) -> str:
    """Somebody wants to block themselves."""
    return t.gettext("A ti no te puedes bloquear.")


def whom_text(t: Texts) -> str:
    """A command that needs somebody whom it is about."""
    return t.gettext("¿A quién? Responde con esta orden a un mensaje de esa persona.")


def blocked_screen(t: Texts, names: Sequence[str]) -> Screen:
    """Who may not sit down in a place."""
    _ = t.gettext
    lines = [f"{number}. {name}" for number, name in enumerate(names, 1)] or [_("Nadie: todos pueden sentarse.")]
    if names:
        lines.append(_("Para que alguien vuelva: /buraco desbloquear."))
    return Screen(
        role=Role.NOTE,
        table_id="",
        version=0,
        title=_("No pueden sentarse a las mesas de aquí"),
        lines=tuple(lines),
        alternative="\n".join(lines),
    )


def shunned_text(t: Texts, name: str) -> str:
    """Somebody does not want to play with another any more."""
    return t.gettext("{name} ya no puede sentarse a las mesas que tú dirijas.").format(name=name)


def welcome_text(t: Texts, name: str) -> str:
    """Somebody wants to play with another again."""
    return t.gettext("{name} puede sentarse otra vez a tus mesas.").format(name=name)


def shunning_screen(
    t: Texts, table: Table, version: int, others: Sequence[tuple[str, str]], shunned: Sequence[tuple[str, str]]
) -> Screen:
    """Ask with whom somebody does not want to play, or wants to again: ids and names."""
    _ = t.gettext
    told = _("¿Con quién no quieres jugar? No podrá sentarse a las mesas que tú dirijas, y no se lo decimos.")
    no, again = _("No jugar con {name}"), _("Volver a jugar con {name}")
    rows = [
        *(
            (choice(no.format(name=name), table.id, version, Verb.SHUN, other, "1", style=Style.DANGER),)
            for other, name in others
        ),
        *(
            (choice(again.format(name=name), table.id, version, Verb.SHUN, other, "0"),)
            for other, name in shunned[:_MOST]
        ),
        (choice(_("Volver"), table.id, version, Verb.MENU),),
    ]
    return Screen(
        role=Role.QUESTION, table_id=table.id, version=version, title=told, alternative=told, rows=tuple(rows)
    )
