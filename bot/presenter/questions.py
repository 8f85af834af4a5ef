"""Questions that an action needs answered first: which meld, which place for a wild, and warnings."""

from collections.abc import Sequence
from enum import StrEnum

from bot.presenter.buttons import choice
from bot.presenter.seated import Seated
from bot.presenter.words import canasta_noun, face_sign, kind_name, meld_signs, signs
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import Intent, Verb, confirmed, wild_at, write_token
from engine.actions import MoveWild
from engine.cards import FACE_CODE, Card, Face
from engine.legal import Option
from engine.melds import Kind
from engine.views import SeatView


class Warn(StrEnum):
    """What a player is warned of before it is done."""

    CLOSE_WITHOUT_CANASTA = "close_without_canasta"
    CLEAN_BECOMES_DIRTY = "clean_becomes_dirty"
    NATURAL_TWO_BECOMES_WILD = "natural_two_becomes_wild"


def warning_screen(t: Texts, place: Seated, intent: Intent, warn: Warn) -> Screen:
    """Ask whether to go on; yes repeats the same intent, confirmed."""
    _ = t.gettext
    canasta = canasta_noun(t, place.view.rules)
    told = {
        Warn.CLOSE_WITHOUT_CANASTA: _(
            "Vas a cerrar sin {canasta}: lo que hay en tu mesa va a restar en vez de sumar. ¿Cierras igual?"
        ).format(canasta=canasta.one),
        Warn.CLEAN_BECOMES_DIRTY: _("Con ese comodín, {canasta} deja de ser {clean}. ¿Sigues?").format(
            canasta=canasta.the, clean=kind_name(t, place.view.rules, Kind.CLEAN)
        ),
        Warn.NATURAL_TWO_BECOMES_WILD: _("El 2 deja su lugar natural y pasa a ser comodín. ¿Sigues?"),
    }[warn]
    yes = Choice(_("Sí, seguir"), write_token(confirmed(intent)), Style.DANGER)
    return _question(t, place, told, [yes])


def which_meld_screen(
    t: Texts, place: Seated, view: SeatView, targets: Sequence[tuple[int, Intent]], cards: Sequence[Card]
) -> Screen:
    """Ask to which meld the cards go; ``targets`` are melds of the side, each with the intent that adds to it."""
    _ = t.gettext
    melds, numbers = view.table.melds[view.side], view.table.numbers[view.side]
    choices = [
        Choice(
            _("#{number}: {meld}").format(number=numbers[index], meld=meld_signs(t, melds[index])), write_token(intent)
        )
        for index, intent in targets
    ]
    return _question(t, place, _("¿A qué juego agregas {cards}?").format(cards=signs(t, cards)), choices)


def which_place_screen(t: Texts, place: Seated, intent: Intent, wild: Face, places: Sequence[Face]) -> Screen:
    """Ask what the wild stands for; each answer is the same intent with the wild and its place behind it."""
    _ = t.gettext
    choices = [
        choice(
            _("Como {card}").format(card=face_sign(t, face)),
            intent.table_id,
            intent.version,
            intent.verb,
            *intent.arguments,
            wild_at(wild, face),
            confirmed=intent.confirmed,
        )
        for face in places
    ]
    return _question(t, place, _("¿Qué carta reemplaza el comodín?"), choices)


def which_move_screen(t: Texts, place: Seated, meld: int, options: Sequence[Option]) -> Screen:
    """Ask where the wild of a meld moves."""
    _ = t.gettext
    choices = [
        choice(
            meld_signs(t, option.meld),
            place.table.id,
            place.version,
            Verb.MOVE_WILD,
            str(meld),
            FACE_CODE[option.action.place],
        )
        for option in options
        if isinstance(option.action, MoveWild)
    ]
    return _question(t, place, _("¿Cómo queda el juego?"), choices)


def _question(t: Texts, place: Seated, told: str, choices: Sequence[Choice]) -> Screen:
    back = choice(t.gettext("Volver"), place.table.id, place.version, Verb.SHOW_HAND)
    return Screen(
        role=Role.QUESTION,
        table_id=place.table.id,
        version=place.version,
        title=told,
        alternative=told,
        rows=(*((one,) for one in choices), (back,)),
    )
