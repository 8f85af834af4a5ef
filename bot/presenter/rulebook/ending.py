"""The muerto, closing and the score, in words."""

from bot.presenter.rulebook.line import Chapter, RuleLine
from bot.presenter.words import kind_name
from engine.melds import Kind, bonus_of
from engine.policies import Closing, ClosingBy, MeldsWithoutCanasta, MuertoAfterDiscard, MuertoPenalty, UnusedMuerto


class EndingChapter(Chapter):
    """How a hand runs out, and what it is worth."""

    # muerto and closing

    def closing(self) -> tuple[RuleLine, ...]:
        _, r, muerto = self._t.gettext, self._rules, self._muerto
        section = _("Quedarse sin cartas")
        after = {
            MuertoAfterDiscard.NEXT_TURN: _(
                "Si te quedas sin cartas al descartar, tomas {muerto} y lo juegas desde tu próximo turno."
            ),
            MuertoAfterDiscard.SAME_TURN: _(
                "Si te quedas sin cartas al descartar, tomas {muerto} y sigues jugando, sin otro descarte."
            ),
        }[r.muerto_after_discard]
        needs = {
            Closing.NONE: _("Para cerrar hace falta haber tomado {muerto}, y nada más."),
            Closing.ANY: _("Para cerrar hace falta haber tomado {muerto} y tener {canasta}."),
            Closing.CLEAN: _("Para cerrar hace falta haber tomado {muerto} y tener {canasta} sin comodín."),
        }[r.closing]
        way = {
            ClosingBy.DISCARD: _("Se cierra siempre con un descarte."),
            ClosingBy.MELD_OR_DISCARD: _("Se cierra bajando o descartando la última carta."),
        }[r.closing_by]
        return (
            RuleLine(section, ("muerto_after_discard",), after.format(muerto=muerto.a)),
            RuleLine(section, ("closing",), needs.format(muerto=muerto.a, canasta=self._canasta.a)),
            RuleLine(section, ("closing_by",), way),
        )

    # the score

    def score(self) -> tuple[RuleLine, ...]:
        _, r = self._t.gettext, self._rules
        section = _("Los puntos")
        points = _("Valen: joker {joker}, 2 {two}, as {ace}, de 8 a K {high}, de 3 a 7 {low}.").format(
            joker=r.joker_points, two=r.two_points, ace=r.ace_points, high=r.high_points, low=r.low_points
        )
        if not r.jokers:
            points = _("Valen: 2 {two}, as {ace}, de 8 a K {high}, de 3 a 7 {low}.").format(
                two=r.two_points, ace=r.ace_points, high=r.high_points, low=r.low_points
            )
        closing = (
            _("Cerrar suma {points}, solo con {canasta}.")
            if r.closing_bonus_needs_canasta
            else _("Cerrar suma {points}.")
        )
        negative = {
            MeldsWithoutCanasta.NEGATIVE: _("Sin ninguna {canasta}, lo que hay en tu mesa resta en vez de sumar."),
            MeldsWithoutCanasta.COUNT: _("Lo que hay en tu mesa suma siempre; lo que te queda en la mano resta."),
        }[r.melds_without_canasta]
        penalty = {
            MuertoPenalty.ALWAYS: _("No tomar {muerto} resta {points}."),
            MuertoPenalty.UNLESS_NOBODY_DID: _(
                "No tomar {muerto} resta {points}, salvo que nadie haya tomado el suyo."
            ),
        }[r.muerto_penalty_when]
        unused = {
            UnusedMuerto.HAND_ONLY: _("Si tomaste {muerto} y no lo usaste, sus cartas restan como las de la mano."),
            UnusedMuerto.PENALTY_AND_HAND: _(
                "Si tomaste {muerto} y no lo usaste, resta {points} además de sus cartas."
            ),
        }[r.unused_muerto]
        muerto, canasta = self._muerto, self._canasta
        return (
            RuleLine(section, ("joker_points", "two_points", "ace_points", "high_points", "low_points"), points),
            RuleLine(
                section,
                (
                    "dirty_bonus",
                    "semi_clean_bonus",
                    "clean_bonus",
                    "real_bonus",
                    "ace_to_ace_bonus",
                    "clean_aces_bonus",
                    "dirty_aces_bonus",
                    "wilds_bonus",
                ),
                self._bonuses(),
            ),
            RuleLine(
                section,
                ("closing_bonus", "closing_bonus_needs_canasta"),
                closing.format(points=r.closing_bonus, canasta=canasta.a),
            ),
            RuleLine(section, ("melds_without_canasta",), negative.format(canasta=canasta.one)),
            RuleLine(
                section,
                ("muerto_penalty", "muerto_penalty_when"),
                penalty.format(muerto=muerto.a, points=r.muerto_penalty),
            ),
            RuleLine(section, ("unused_muerto",), unused.format(muerto=muerto.a, points=r.muerto_penalty)),
        )

    def _bonuses(self) -> str:
        _, r = self._t.gettext, self._rules
        bonuses = ((kind_name(self._t, r, kind), bonus_of(r, kind)) for kind in Kind)
        told = ", ".join(f"{name} {self._t.number(points)}" for name, points in bonuses if points)
        return _("Desde 7 cartas es {canasta}: {bonuses}.").format(canasta=self._canasta.one, bonuses=told)
