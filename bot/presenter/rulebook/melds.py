"""Melds and wilds, in words."""

from bot.presenter.rulebook.line import Chapter, RuleLine
from engine.policies import DisplacedWild, SetsOfTwos, WildDiscard, WildLowest, WildMove, WildPlace

_NATURALS = 13
"""The cards of a suit: a longer run without a second ace holds a wild."""


class MeldChapter(Chapter):
    """What may be laid, and what wilds may do."""

    # melds

    def melds(self) -> tuple[RuleLine, ...]:
        _, r = self._t.gettext, self._rules
        section = _("Los juegos")
        sets = (
            _("Valen grupos del mismo valor y escaleras del mismo palo.")
            if r.sets
            else _("Solo valen escaleras del mismo palo: no hay grupos.")
        )
        twos = {
            SetsOfTwos.NO: _("Los 2 no forman grupo."),
            SetsOfTwos.NATURAL: _("Los 2 forman grupo como cartas naturales; un joker puede acompañarlos."),
        }[r.sets_of_twos]
        wild_melds = (
            _("Los comodines solos (2 y jokers) también forman juego.")
            if r.wild_melds
            else _("No hay juegos de puros comodines.")
        )
        if not r.sets:
            second = _("Como no hay grupos, tampoco se repiten.")
        elif r.second_set_of_rank:
            second = _("Puedes tener varios grupos del mismo valor.")
        else:
            second = _("Un bando tiene un solo grupo de cada valor.")
        aces = (
            _("Una escalera puede ir de as a as (14 cartas).")
            if r.ace_to_ace
            else _("Una escalera puede empezar en el as o terminar en él, pero no las dos cosas a la vez.")
        )
        first = (
            _("El primer juego de un bando tiene que sumar al menos {points} puntos.").format(
                points=r.first_meld_minimum
            )
            if r.first_meld_minimum
            else _("El primer juego no tiene mínimo de puntos.")
        )
        return (
            RuleLine(section, ("sets",), sets),
            RuleLine(section, ("sets_of_twos",), twos),
            RuleLine(section, ("wild_melds",), wild_melds),
            RuleLine(section, ("second_set_of_rank",), second),
            RuleLine(section, ("run_minimum", "run_maximum", "meld_closes_at"), self._lengths()),
            RuleLine(section, ("ace_to_ace",), aces),
            RuleLine(section, ("first_meld_minimum",), first),
        )

    def _lengths(self) -> str:
        _, r = self._t.gettext, self._rules
        if r.meld_closes_at:
            return _("Cada juego lleva de {least} a {most} cartas; con {most} queda cerrado.").format(
                least=r.run_minimum, most=r.meld_closes_at
            )
        run = _("Una escalera lleva de {least} a {most} cartas").format(least=r.run_minimum, most=r.run_maximum)
        if r.run_maximum > _NATURALS and not r.ace_to_ace:
            run = _("{run} (trece naturales y un comodín)").format(run=run)
        return _("{run}; un grupo, desde 3.").format(run=run) if r.sets else _("{run}.").format(run=run)

    # wilds

    def wilds(self) -> tuple[RuleLine, ...]:
        _, r = self._t.gettext, self._rules
        section = _("Los comodines")
        who = _("Los 2 y los jokers son comodines") if r.jokers else _("Los 2 son comodines")
        most = (
            _("uno por juego como máximo, menos en el juego de comodines")
            if r.wild_melds
            else _("uno por juego como máximo")
        )
        many = (
            _("{wilds}: {most}. Un 2 en su lugar de escalera es natural.").format(wilds=who, most=most)
            if r.wilds_a_meld
            else _("Ningún juego lleva comodín. Un 2 en su lugar de la escalera es natural.")
        )
        lowest = {
            WildLowest.ANY: _("El comodín puede ser la carta más baja de la escalera."),
            WildLowest.ONLY_AS_ACE: _("El comodín solo puede ser la carta más baja de la escalera si hace de as."),
        }[r.wild_lowest]
        moved = {
            WildMove.NO: _("Un comodín no se mueve sin agregar cartas."),
            WildMove.TWO_HOME: _("Sin agregar cartas, solo un 2 puede moverse, y solo a su lugar natural."),
            WildMove.FREE: _("Puedes mover un comodín dentro de su juego aunque no agregues cartas."),
        }[r.wild_move]
        pushed = (
            _("Un comodín puede ocupar el lugar de otro si el juego queda bien.")
            if r.wild_displaces_wild
            else _("Un comodín no puede desplazar a otro.")
        )
        thrown = {
            WildDiscard.NEVER: _("Los comodines no se descartan, salvo que al robar toda tu mano fuera de comodines."),
            WildDiscard.NOT_CLOSING: _("Los comodines se pueden descartar, pero no para cerrar."),
            WildDiscard.FREE: _("Los comodines se pueden descartar."),
        }[r.wild_discard]
        takes = _("Una escalera acepta comodín desde {count} cartas.").format(count=r.run_takes_wild_from)
        return (
            RuleLine(section, ("wilds_a_meld",), many),
            RuleLine(section, ("run_takes_wild_from",), takes),
            RuleLine(section, ("wild_lowest",), lowest),
            RuleLine(section, ("wild_order", "displaced_wild"), self._displaced()),
            RuleLine(section, ("wild_displaces_wild",), pushed),
            RuleLine(section, ("wild_move",), moved),
            RuleLine(section, ("wild_discard",), thrown),
        )

    def _displaced(self) -> str:
        _, r = self._t.gettext, self._rules
        if r.displaced_wild is DisplacedWild.HAND:
            return _(
                "Si llega la carta que un comodín reemplaza, un 2 va a su lugar natural si cabe; si no, a la mano."
            )
        names = {
            WildPlace.HOME: _("su lugar natural si es un 2 y cabe"),
            WildPlace.HIGH: _("la punta alta"),
            WildPlace.LOW: _("la punta baja"),
        }
        order = _(", después ").join(names[place] for place in r.wild_order)
        return _("Si llega la carta que un comodín reemplaza, el comodín sigue en el juego: {order}.").format(
            order=order
        )
