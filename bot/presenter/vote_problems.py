"""Why something that people decide together, or somebody's seat, cannot be had."""

from bot.lobby import LobbyProblem
from bot.texts import Texts


def vote_problem_text(t: Texts, problem: LobbyProblem) -> str:
    """The sentence for something that cannot be decided, taken over or had by whoever asks."""
    _ = t.gettext
    told = {
        LobbyProblem.HAS_CHANGED: _("La mesa cambió mientras tanto. Elige otra vez."),
        LobbyProblem.NO_VOTE: _("Esa votación ya terminó."),
        LobbyProblem.VOTE_OPEN: _("Ya hay algo en votación en esta mesa. Cuando se decida, puedes proponer lo tuyo."),
        LobbyProblem.NO_VOTERS: _("Ahora no hay nadie más en la mesa que pueda decidirlo."),
        LobbyProblem.NOT_A_VOTER: _("En esto deciden los demás de la mesa."),
        LobbyProblem.TOO_SOON: _("Lo último que propusiste no salió. Espera un rato antes de proponer otra cosa."),
        LobbyProblem.SAME_PACE: _("La mesa ya juega a ese ritmo."),
        LobbyProblem.SEAT_TAKEN: _("Ese asiento no está libre: juega una persona."),
        LobbyProblem.NOT_GONE_LONG: _("Su dueño salió hace poco y puede volver. Prueba más tarde."),
        LobbyProblem.SAW_CARDS: _("Ya viste las cartas de otro asiento de esta mesa: no puedes tomar este."),
        LobbyProblem.SENT_AWAY: _("En esta partida ya no puedes seguir: te sacaron de la mesa."),
        LobbyProblem.STAKED: _("En una mesa con apuesta nadie toma el lugar de otro ni saca a nadie."),
        LobbyProblem.BLOCKED: _("No puedes sentarte a las mesas de este lugar. Habla con quien modera allí."),
        LobbyProblem.BLOCKED_BY_HOST: _("En esta mesa no hay lugar para ti. Puedes abrir otra cuando quieras."),
    }
    return told[problem]
