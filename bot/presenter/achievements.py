"""What achievements are called, and what they are for."""

from bot.results.achievements import Achievement
from bot.texts import Texts


def achievement_name(t: Texts, code: Achievement) -> str:
    """What an achievement is called."""
    return _told(t)[code][0]


def achievement_line(t: Texts, code: Achievement) -> str:
    """What an achievement is for."""
    return _told(t)[code][1]


def _told(t: Texts) -> dict[Achievement, tuple[str, str]]:
    _ = t.gettext
    return {
        Achievement.FIRST_MATCH: (_("Estreno"), _("terminar una partida")),
        Achievement.FIRST_WIN: (_("Primera victoria"), _("ganar entre personas")),
        Achievement.WINS_10: (_("Veterano"), _("ganar diez partidas")),
        Achievement.WINS_50: (_("Maestro"), _("ganar cincuenta partidas")),
        Achievement.MATCHES_100: (_("Centenario"), _("jugar cien partidas hasta el final")),
        Achievement.STREAK_3: (_("En racha"), _("ganar tres partidas seguidas")),
        Achievement.STREAK_7: (_("Imparable"), _("ganar siete partidas seguidas")),
        Achievement.CANASTAS_10: (_("Diez canastas"), _("reunir diez juegos de siete o más")),
        Achievement.CANASTAS_100: (_("Cien canastas"), _("reunir cien juegos de siete o más")),
        Achievement.CLEAN_5: (_("Manos limpias"), _("cinco canastas limpias en una partida")),
        Achievement.DEAL_1000: (_("Ronda de mil"), _("mil puntos en una ronda")),
        Achievement.COMEBACK: (_("Remontada"), _("ganar después de ir mil puntos abajo")),
        Achievement.CLOSE_FINISH: (_("Por un pelo"), _("ganar por cincuenta puntos o menos")),
        Achievement.SHUTOUT: (_("Sin respuesta"), _("ganar sin que nadie más pase de cero")),
        Achievement.MARATHON: (_("Maratón"), _("una partida de diez rondas")),
        Achievement.CLOSER_10: (_("Portazo"), _("cerrar diez rondas")),
        Achievement.ALL_SEATINGS: (_("En todas las mesas"), _("ganar en cada modo de juego")),
        Achievement.RULESETS_5: (_("Trotamundos"), _("jugar cinco variantes")),
        Achievement.PARTNERS_5: (_("Buena compañía"), _("ganar con cinco compañeros distintos")),
        Achievement.ROBOTS_10: (_("Domador de robots"), _("ganar diez partidas con robots")),
    }
