"""What is kept of a person, and forgetting it, in words."""

from bot.presenter.buttons import choice
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import NO_TABLE, Verb

FILE_NAME = "buraco-mis-datos.json"
"""What the file with somebody's data is called."""


def my_data_text(t: Texts) -> str:
    """The file with all that is kept of somebody is here."""
    return t.gettext("Esto es todo lo que Buraco guarda de ti. El archivo es solo para ti.")


def erasing_screen(t: Texts, playing: int, waiting: int, over: int, erase: Verb, mark: str) -> Screen:
    """Ask whether all that is kept of somebody shall go: with what becomes of their seats."""
    _ = t.gettext
    lines = [_("Se borran tu nombre, tus cuentas, tus ajustes y tus pulsaciones. No se puede deshacer.")]
    if playing:
        told = t.ngettext(
            "Estás jugando en {count} mesa: un robot sigue con tus cartas.",
            "Estás jugando en {count} mesas: un robot sigue con tus cartas.",
            playing,
        )
        lines.append(told.format(count=playing))
    if waiting:
        told = t.ngettext("Dejas {count} mesa que no empezó.", "Dejas {count} mesas que no empezaron.", waiting)
        lines.append(told.format(count=waiting))
    if over:
        told = t.ngettext(
            "En {count} mesa terminada queda «{nobody}» en tu lugar; el resultado de los demás no cambia.",
            "En {count} mesas terminadas queda «{nobody}» en tu lugar; el resultado de los demás no cambia.",
            over,
        )
        lines.append(told.format(count=over, nobody=nobody_name(t)))
    lines.append(_("Los mensajes que ya están en el chat no se borran solos. Si vuelves a jugar, empiezas de cero."))
    yes = choice(_("Sí, borrar mis datos"), NO_TABLE, 0, erase, mark, style=Style.DANGER, confirmed=True)
    return _screen(_("¿Borrar todo lo que Buraco guarda de ti?"), tuple(lines), ((yes,),))


def erased_screen(t: Texts, left: int) -> Screen:
    """All is gone; ``left`` tables could not be read, and hence not be changed."""
    _ = t.gettext
    lines = [_("Buraco ya no guarda nada de ti.")]
    if left:
        told = t.ngettext(
            "Falta {count} mesa que está dañada: avisa a quien lleva este bot.",
            "Faltan {count} mesas que están dañadas: avisa a quien lleva este bot.",
            left,
        )
        lines = [_("Buraco borró lo que guardaba de ti."), told.format(count=left)]
    return _screen(_("Datos borrados"), tuple(lines))


def nothing_kept_text(t: Texts) -> str:
    """Somebody asks who is not known."""
    return t.gettext("Buraco no guarda nada de ti.")


def _screen(title: str, lines: tuple[str, ...], rows: tuple[tuple[Choice, ...], ...] = ()) -> Screen:
    return Screen(
        role=Role.QUESTION if rows else Role.READING,
        table_id="",
        version=0,
        title=title,
        lines=lines,
        alternative="\n".join(lines),
        rows=rows,
    )


def nobody_name(t: Texts) -> str:
    """Who sits on the chair of somebody who is forgotten."""
    return t.gettext("Jugador")


def no_title(t: Texts) -> str:
    """What a table is called whose name told that of somebody who is forgotten."""
    return t.gettext("Mesa")


def given_title(t: Texts, name: str) -> str:
    """What a table is called whose opener gave it no name."""
    return t.gettext("Mesa de {name}").format(name=name)
