"""Short answers to presses: what could not be done in the lobby, stale buttons, and the like."""

from bot.lobby import LobbyProblem
from bot.texts import Texts


def lobby_problem_text(t: Texts, problem: LobbyProblem) -> str:
    """The sentence for something that cannot be done in a lobby."""
    _ = t.gettext
    match problem:
        case LobbyProblem.NOT_IN_LOBBY:
            return _("La partida ya empezó.")
        case LobbyProblem.TABLE_FULL:
            return _("La mesa está completa.")
        case LobbyProblem.ALREADY_SEATED:
            return _("Ya estás en esta mesa.")
        case LobbyProblem.NOT_SEATED:
            return _("No estás en esta mesa.")
        case LobbyProblem.ONLY_HOST:
            return _("Solo puede hacerlo quien abrió la mesa.")
        case LobbyProblem.NO_ROBOT:
            return _("No hay robots en la mesa.")


def stale_text(t: Texts) -> str:
    """A button of an older screen."""
    return t.gettext("La mesa ha cambiado: aquí la tienes al día.")


def unknown_button_text(t: Texts) -> str:
    """A token that is none."""
    return t.gettext("Ese botón ya no sirve. Abre la mesa de nuevo.")


def unknown_table_text(t: Texts) -> str:
    """A table that is not there."""
    return t.gettext("No encuentro esa mesa. Revisa el código.")


def not_seated_text(t: Texts) -> str:
    """A press of somebody who only watches."""
    return t.gettext("No juegas en esta mesa, pero puedes mirar.")


def suspended_text(t: Texts) -> str:
    """A press at a table whose save cannot be read."""
    return t.gettext("Esta mesa está en pausa: no se pudo leer su partida. No se ha perdido nada.")


def busy_text(t: Texts) -> str:
    """The store cannot write just now."""
    return t.gettext("No se pudo guardar la jugada, así que no se hizo. Prueba otra vez en un momento.")


def failed_text(t: Texts, error_id: str) -> str:
    """Something unforeseen; the number finds it in the log."""
    return t.gettext("Algo falló y tu jugada no se hizo. Si se repite, da este número: {id}.").format(id=error_id)


def turn_done_text(t: Texts) -> str:
    """The turn is over."""
    return t.gettext("Turno terminado.")


def name_needed_text(t: Texts) -> str:
    """A name that leaves nothing."""
    return t.gettext("Escribe un nombre.")
