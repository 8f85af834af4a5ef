"""The table, the deal, drawing and how a deal ends by itself, in words."""

from bot.presenter.rulebook.line import Chapter, RuleLine, capital
from bot.presenter.words import seating_name
from engine.policies import LonePileCard, MuertoCount, PileShown, PileTaking, StockEnd, Tie, UpCard


class TableChapter(Chapter):
    """What is played with, and how cards come."""

    # the table and the deal

    def table(self) -> tuple[RuleLine, ...]:
        _, r = self._t.gettext, self._rules
        section = _("La mesa y el reparto")
        seatings = self._t.listed([seating_name(self._t, seating) for seating in r.seatings])
        cards = 104 + r.jokers
        pack = (
            _("Dos mazos franceses con {jokers} jokers: {cards} cartas.").format(jokers=r.jokers, cards=cards)
            if r.jokers
            else _("Dos mazos franceses sin jokers: {cards} cartas.").format(cards=cards)
        )
        ups = {
            UpCard.NONE: _("{pile} empieza sin cartas."),
            UpCard.TURNED: _("Se da vuelta una carta para empezar {pile}; si es comodín, queda así."),
            UpCard.TURNED_NATURAL: _("Se da vuelta una carta para empezar {pile}; si es comodín, se baraja otra vez."),
        }
        return (
            RuleLine(section, ("seatings",), _("Se juega: {seatings}.").format(seatings=seatings)),
            RuleLine(section, ("jokers",), pack),
            RuleLine(section, ("hand_size",), _("Cada jugador recibe {count} cartas.").format(count=r.hand_size)),
            RuleLine(section, ("muertos", "muerto_size", "muertos_a_side"), self._muertos()),
            RuleLine(section, ("up_card",), capital(ups[r.up_card].format(pile=self._pile.the))),
            RuleLine(section, ("target", "target_options"), self._target()),
            RuleLine(section, ("tie",), self._tie()),
        )

    def _muertos(self) -> str:
        _, r, muerto = self._t.gettext, self._rules, self._muerto
        match r.muertos:
            case MuertoCount.ONE_A_SIDE:
                return _("Hay {muerto} de {size} cartas para cada bando.").format(muerto=muerto.a, size=r.muerto_size)
            case MuertoCount.THREE:
                return _("Hay tres {muertos} de {size} cartas; un bando puede tomar hasta {most}.").format(
                    muertos=muerto.many, size=r.muerto_size, most=r.muertos_a_side
                )

    def _target(self) -> str:
        _, r = self._t.gettext, self._rules
        if not r.target:
            return _("Una sola ronda decide la partida.")
        return _("Gana quien llega a {target} al terminar una ronda; si llegan varios, el que más tiene.").format(
            target=self._t.number(r.target)
        )

    def _tie(self) -> str:
        _ = self._t.gettext
        match self._rules.tie:
            case Tie.ANOTHER_DEAL:
                return _("Si hay empate arriba, se juega una ronda más.")
            case Tie.FIRST_STARTER:
                return _("Si hay empate arriba, gana el bando de quien empezó la partida.")

    # the pile

    def pile_rules(self) -> tuple[RuleLine, ...]:
        _, r, pile = self._t.gettext, self._rules, self._pile
        section = _("Robar")
        shown = {
            PileShown.TOP: _("{pile}: solo se ve la carta de arriba."),
            PileShown.ALL: _("{pile}: se ven todas sus cartas."),
        }[r.pile_shown]
        taking = {
            PileTaking.FREE: _("{pile} se puede tomar en cualquier turno, y se toma con todo lo que tiene."),
            PileTaking.TOP_THIS_TURN: _(
                "Puedes tomar {pile} si usas su carta de arriba en ese mismo turno; te llevas todas sus cartas."
            ),
            PileTaking.TOP_AT_ONCE: _(
                "Puedes tomar {pile} si usas su carta de arriba al momento; te llevas todas sus cartas."
            ),
        }[r.pile_taking]
        wilds = (
            _("Si al empezar tu turno solo tienes comodines, tienes que tomar {pile}.")
            if r.all_wild_hand_must_take_pile
            else _("Con una mano de puros comodines puedes robar como siempre.")
        )
        if r.pile_taking is not PileTaking.FREE and r.lone_pile_card is LonePileCard.FREE:
            lone_told = _("Aunque {pile} tenga una sola carta, se toma con la misma obligación.")
        else:
            lone_told = {
                LonePileCard.FREE: _("Si {pile} tenía una sola carta, puedes descartarla en el mismo turno."),
                LonePileCard.BARRED: _(
                    "Si {pile} tenía una sola carta, no puedes descartarla en el mismo turno; otra igual, sí."
                ),
            }[r.lone_pile_card]
        return (
            RuleLine(section, ("pile_shown",), capital(shown.format(pile=pile.the))),
            RuleLine(section, ("pile_taking",), capital(taking.format(pile=pile.the))),
            RuleLine(section, ("all_wild_hand_must_take_pile",), wilds.format(pile=pile.the)),
            RuleLine(section, ("lone_pile_card",), lone_told.format(pile=pile.the)),
            RuleLine(section, ("stock_end", "stock_left_at_end"), self._stock_end()),
            RuleLine(
                section,
                ("rounds_without_draw", "rounds_without_draw_warning"),
                _(
                    "Si pasan {count} vueltas sin que nadie robe del mazo, la ronda termina (avisamos desde la {warn})."
                ).format(count=r.rounds_without_draw, warn=r.rounds_without_draw_warning),
            ),
        )

    def _stock_end(self) -> str:
        _, r = self._t.gettext, self._rules
        match r.stock_end:
            case StockEnd.THIRD_DECK:
                return _("Si se acaba el mazo, entra un tercer mazo; la segunda vez, la ronda termina con ese turno.")
            case StockEnd.MUERTOS:
                return _(
                    "Si se acaba el mazo, {muertos} sin tomar pasan a ser mazo; sin ninguno, la ronda termina."
                ).format(muertos=_("los {many}").format(many=self._muerto.many))
            case StockEnd.WHILE_PILE:
                return _(
                    "Si se acaba el mazo, se sigue mientras se pueda tomar {pile}; si no, la ronda termina."
                ).format(pile=self._pile.the)
            case StockEnd.DEAL_ENDS if r.stock_left_at_end:
                return _("La ronda termina con el turno que deja {count} cartas en el mazo.").format(
                    count=r.stock_left_at_end
                )
            case StockEnd.DEAL_ENDS:
                return _("Si se acaba el mazo, la ronda termina con ese turno.")
