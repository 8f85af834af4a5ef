"""Every refusal in one plain sentence that says what to do instead."""

from collections.abc import Mapping

from bot.presenter.words import canasta_noun, face_name, muerto_noun, pile_noun
from bot.texts import Texts
from engine.cards import Face
from engine.policies import Closing, WildDiscard, WildLowest
from engine.reasons import Reason
from engine.ruleset import Ruleset

Facts = Mapping[str, int | str]


def reason_text(t: Texts, rules: Ruleset, reason: Reason, facts: Facts | None = None) -> str:  # noqa: C901
    """The sentence for a reason, with the table's own words and figures."""
    _ = t.gettext
    known = facts or {}
    muerto, canasta, pile = muerto_noun(t, rules), canasta_noun(t, rules), pile_noun(t, rules)
    match reason:
        case Reason.MUERTO_CHOICE_NEEDED:
            return _("Primero elige {muerto}.").format(muerto=muerto.a)
        case Reason.BAD_NOTATION:
            return _("No entiendo esa jugada.")
        case Reason.DEAL_OVER:
            return _("Esta ronda ya terminó.")
        case Reason.NOT_YOUR_TURN:
            return _("No es tu turno.")
        case Reason.MUST_DRAW_FIRST:
            return _("Primero roba del mazo o toma {pile}.").format(pile=pile.the)
        case Reason.ALREADY_DRAWN:
            return _("Ya robaste en este turno.")
        case Reason.ALREADY_DISCARDED:
            return _("Ya descartaste: puedes bajar más o terminar el turno.")
        case Reason.NO_SUCH_MELD:
            return _("Ese juego no está en tu mesa.")
        case Reason.CARD_NOT_HELD:
            if "card" in known:
                return _("No tienes esa carta: {card}.").format(card=face_name(t, Face(int(known["card"]))))
            return _("No tienes esa carta.")
        case Reason.PILE_EMPTY:
            return _("No hay cartas que tomar ahí.")
        case Reason.MUST_TAKE_PILE:
            return _("Esta vez tienes que tomar {pile}: robar del mazo no se puede.").format(pile=pile.the)
        case Reason.PILE_TOP_NOT_USED:
            return _("Quien toma {pile} tiene que usar su carta de arriba.").format(pile=pile.the)
        case Reason.PILE_CARD_BARRED:
            return _("Esa carta la acabas de tomar: no puedes devolverla en el mismo turno.")
        case Reason.MELD_TOO_SHORT:
            minimum = known.get("minimum", rules.run_minimum)
            return _("Son muy pocas cartas: hacen falta al menos {minimum}.").format(minimum=minimum)
        case Reason.MELD_TOO_LONG:
            maximum = known.get("maximum", rules.meld_closes_at or rules.run_maximum)
            return _("Son demasiadas cartas: aquí un juego llega a {maximum}.").format(maximum=maximum)
        case Reason.MELD_CLOSED:
            return _("Ese juego ya está completo: no acepta más cartas.")
        case Reason.NOT_A_MELD:
            return _("Esas cartas no forman un juego: ni escalera del mismo palo ni grupo del mismo valor.")
        case Reason.TOO_MANY_WILDS:
            return _("Sobran comodines: cada juego lleva uno como máximo.")
        case Reason.WILD_NOT_ALLOWED_HERE:
            if rules.wild_lowest is WildLowest.ONLY_AS_ACE or rules.run_takes_wild_from > rules.run_minimum:
                return _("El comodín no puede ir en ese lugar con las reglas de esta mesa.")
            return _("El comodín no puede ocupar ese lugar.")
        case Reason.WILD_CANNOT_MOVE:
            return _("Ese comodín no se puede mover así.")
        case Reason.SETS_NOT_ALLOWED:
            return _("En esta mesa solo valen escaleras: no hay grupos.")
        case Reason.SET_OF_TWOS_NOT_ALLOWED:
            return _("Los 2 no forman grupo en esta mesa.")
        case Reason.SECOND_SET_OF_RANK:
            return _("Tu mesa ya tiene un grupo de ese valor: agrega las cartas ahí.")
        case Reason.FIRST_MELD_MINIMUM:
            return _("Tu primer juego tiene que sumar {minimum} puntos; estas cartas suman {points}.").format(
                minimum=known.get("minimum", rules.first_meld_minimum), points=known.get("points", "?")
            )
        case Reason.WILD_DISCARD:
            if rules.wild_discard is WildDiscard.NOT_CLOSING:
                return _("No se puede cerrar tirando un comodín.")
            return _("Los comodines no se descartan.")
        case Reason.MUST_KEEP_A_DISCARD:
            return _("Te quedarías sin una carta que puedas descartar.")
        case Reason.CLOSING_NEEDS_MUERTO:
            return _("No puedes quedarte sin cartas: para cerrar, tu lado tiene que haber tomado {muerto}.").format(
                muerto=muerto.a
            )
        case Reason.CLOSING_NEEDS_CANASTA:
            if rules.closing is Closing.CLEAN:
                return reason_text(t, rules, Reason.CLOSING_NEEDS_CLEAN_CANASTA)
            return _("Para cerrar tu mesa necesita {canasta}.").format(canasta=canasta.a)
        case Reason.CLOSING_NEEDS_CLEAN_CANASTA:
            return _("Para cerrar tu mesa necesita {canasta} sin comodín.").format(canasta=canasta.a)
        case Reason.MUST_CLOSE_BY_DISCARDING:
            return _("Se cierra descartando: guarda una carta para el final.")
        case Reason.CANNOT_END_WITHOUT_DISCARD:
            return _("Para terminar el turno tienes que descartar.")
        case Reason.NOTHING_TO_UNDO:
            return _("No hay nada que deshacer: lo que ya se vio no vuelve atrás.")
