"""The sealed pack in words: its mark while the deal goes on, and what opens it afterwards."""

from collections.abc import Sequence

from bot.fairness import Seal
from bot.texts import Texts


def seal_line(t: Texts, seal: Seal | None, names: Sequence[str] = (), *, fixed: bool = False) -> tuple[str, ...]:
    """The seal of a deal in one line, for the public table, and who cut; nothing where the deal has none.

    ``names`` are those of the seats.
    """
    _ = t.gettext
    if fixed:
        return (fixed_line(t),)
    if seal is None:
        return ()
    if seal.is_open:
        told = _("El sello {mark}… está abierto: lo puedes comprobar en ⋯, «La mesa en palabras».")
        return (told.format(mark=seal.short), *_cut_line(t, seal, names))
    return (_("Mazo sellado: {mark}…").format(mark=seal.short), *_cut_line(t, seal, names))


def seal_lines(t: Texts, seal: Seal | None, names: Sequence[str] = (), *, fixed: bool = False) -> tuple[str, ...]:
    """The seal of a deal whole, for those who want to note or to check it."""
    _ = t.gettext
    if fixed:
        return (fixed_line(t),)
    if seal is None:
        return ()
    whole = (sealed_line(t, seal), *_cut_line(t, seal, names))
    if not seal.is_open:
        return (*whole, _("Se abre cuando termine la ronda: así se ve que nadie cambió el orden de las cartas."))
    salt = _("Sal: {salt}").format(salt=seal.salt)
    return (*whole, salt, _("Con la sal y el registro de la ronda, «buraco verify» lo comprueba."))


def sealed_line(t: Texts, seal: Seal) -> str:
    """The whole commitment."""
    return t.gettext("Sello del mazo (SHA-256): {commitment}").format(commitment=seal.commitment)


def _cut_line(t: Texts, seal: Seal, names: Sequence[str]) -> tuple[str, ...]:
    """Who cut the pack of a seal, and where."""
    _ = t.gettext
    if not seal.cut:
        return ()
    if seal.cutter is None or seal.cutter >= len(names):
        return (_("Nadie cortó a tiempo: se repartió con el corte {cut}.").format(cut=seal.cut),)
    return (_("Cortó {name}: {cut}.").format(name=names[seal.cutter], cut=seal.cut),)


def fixed_line(t: Texts) -> str:
    """The guided first deal is not shuffled."""
    return t.gettext("En la primera ronda guiada el reparto es fijo: siempre el mismo.")
