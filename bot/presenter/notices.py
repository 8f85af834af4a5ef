"""Short answers to presses: what could not be done in the lobby, stale buttons, and the like."""

from typing import assert_never

from bot.lobby import LobbyProblem
from bot.model import Status, Table
from bot.presenter.reasons import reason_text
from bot.presenter.seated import Seated
from bot.presenter.vote_problems import vote_problem_text
from bot.texts import Texts
from bot.tokens import Verb
from engine.reasons import IllegalAction, Reason


def lobby_problem_text(t: Texts, problem: LobbyProblem, status: Status = Status.PLAYING) -> str:
    """The sentence for something that cannot be done in a lobby, or no more at a table of this status."""
    _ = t.gettext
    match problem:
        case LobbyProblem.NOT_IN_LOBBY:
            return closed_text(t, status) or _("La partida ya empezó.")
        case LobbyProblem.TABLE_FULL:
            return _("La mesa está completa.")
        case LobbyProblem.ALREADY_SEATED:
            return _("Ya estás en esta mesa.")
        case LobbyProblem.NOT_SEATED:
            return _("No estás en esta mesa.")
        case LobbyProblem.ONLY_HOST:
            return _("Solo puede hacerlo quien dirige la mesa.")
        case LobbyProblem.NO_ROBOT:
            return _("No hay robots en la mesa.")
        case LobbyProblem.SIDE_FULL:
            return _("Esa pareja ya está completa.")
        case LobbyProblem.NOT_ALLOWED:
            return _(
                "Con más gente en la mesa, solo puede terminarla quien modera aquí. O proponlo a los demás: «⋯», "
                "«Proponer algo»."
            )
        case LobbyProblem.HOST_FIRST:
            return _("Solo puede hacerlo quien dirige la mesa. Si no da señales, dentro de un rato puede cualquiera.")
        case LobbyProblem.NOT_PLAYING:
            return closed_text(t, status) or _("Eso solo se puede durante la partida.")
        case LobbyProblem.PRIVATE:
            return _("Esta mesa es privada: pide su código y usa /buraco unirse.")
        case LobbyProblem.ONLY_PEOPLE:
            return _("Los robots no tienen monedas: en una mesa con apuesta juegan solo personas.")
        case LobbyProblem.NOT_FULL:
            return _("En una mesa con apuesta no entran robots: falta gente para empezar.")
        case _:
            return vote_problem_text(t, problem)


def table_text(t: Texts, verb: Verb) -> str:
    """What a press about the table did; empty where the screen tells it."""
    _ = t.gettext
    match verb:
        case Verb.JOIN:
            return _("Te sentaste a la mesa.")
        case Verb.LEAVE:
            return _("Dejaste la mesa.")
        case Verb.START:
            return _("¡A jugar! Los asientos se sortearon.")
        case Verb.CANCEL:
            return _("La mesa se canceló.")
        case Verb.EXPEL:
            return _("Ya no está en la mesa.")
        case Verb.END_TABLE:
            return _("La mesa se terminó.")
        case _:
            return ""


def closed_text(t: Texts, status: Status) -> str:
    """Why nothing can be pressed any more at a table; empty where it can."""
    _ = t.gettext
    match status:
        case Status.LOBBY | Status.PLAYING:
            return ""
        case Status.OVER:
            return _("La partida ya terminó.")
        case Status.CANCELLED:
            return _("Esta mesa se canceló.")
        case Status.SUSPENDED:
            return suspended_text(t)
        case _:
            assert_never(status)


def refusal_text(t: Texts, place: Seated, refusal: IllegalAction) -> str:
    """Why the rules refuse a move; out of turn, whose turn it is."""
    if refusal.reason is Reason.NOT_YOUR_TURN:
        return t.gettext("Es el turno de {name}.").format(name=place.names[place.view.mover])
    return reason_text(t, place.view.rules, refusal.reason, refusal.facts)


def stale_text(t: Texts) -> str:
    """A button of an older screen."""
    return t.gettext("La mesa cambió mientras tanto: aquí la tienes al día.")


def not_started_text(t: Texts) -> str:
    """A move before the match has begun."""
    return t.gettext("La partida todavía no empezó.")


def not_over_text(t: Texts) -> str:
    """A rematch was asked for while the match goes on."""
    return t.gettext("Esta partida todavía no terminó.")


def rematch_text(t: Texts, table: Table) -> str:
    """Somebody has opened a rematch."""
    return t.gettext("¡Revancha! La mesa nueva de {name} ya está abierta.").format(name=table.name)


def hands_hidden_text(t: Texts) -> str:
    """The hands of all were asked for while the deal goes on."""
    return t.gettext("Las manos de todos se ven cuando termina la ronda.")


def back_text(t: Texts) -> str:
    """Somebody has taken their seat again."""
    return t.gettext("¡Aquí estás! Tu lugar es tuyo otra vez.")


def deal_goes_on_text(t: Texts) -> str:
    """The next deal was asked for too early."""
    return t.gettext("Esta ronda todavía no terminó.")


def next_deal_text(t: Texts, place: Seated) -> str:
    """A deal has just begun."""
    return t.gettext("Se repartió. Empieza {name}.").format(name=place.names[place.view.starter])


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


def name_needed_text(t: Texts) -> str:
    """A name that leaves nothing."""
    return t.gettext("Escribe un nombre.")


def too_fast_text(t: Texts) -> str:
    """Presses in quicker succession than any person's."""
    return t.gettext("Vas muy rápido. Espera un momento y prueba otra vez.")


def restarting_text(t: Texts) -> str:
    """A press that came while the bot was already stopping."""
    return t.gettext("El bot se está reiniciando. No se ha perdido nada: vuelve a pulsar en unos segundos.")
