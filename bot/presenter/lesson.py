"""The guided first deal: one or two sentences beside the hand that explain what there is to do and why."""

from bot.presenter.seated import Seated
from bot.presenter.suggestions import suggestions
from bot.presenter.words import canasta_noun, muerto_noun, pile_noun
from bot.texts import Texts
from bot.tokens import Verb, read_token
from engine.melds import Kind
from engine.standing import standing_in
from engine.state import Phase
from engine.views import SeatView

_BIG_PILE = 5
_FEW = 4


def lesson_lines(t: Texts, place: Seated, view: SeatView) -> tuple[str, ...]:
    """What a beginner should know now; nothing at tables that are no lesson and after their first deal."""
    if not place.table.lesson or view.table.number:
        return ()
    return tuple(f"🎓 {line}" for line in _told(t, place, view))


def _told(t: Texts, place: Seated, view: SeatView) -> tuple[str, ...]:
    _ = t.gettext
    table = view.table
    muerto, canasta, pile = muerto_noun(t, table.rules), canasta_noun(t, table.rules), pile_noun(t, table.rules)
    if table.phase is Phase.OVER:
        return (
            _("Así termina una ronda: se suma lo que hay en la mesa y se resta lo que quedó en la mano."),
            _("Ya sabes jugar. «Siguiente ronda» sigue la partida, ahora sin ayuda."),
        )
    if not view.on_turn:
        return (_("Ahora juega el robot. Mira la mesa: lo que baja y lo que tira te dice qué busca."),)
    if table.choosing is not None:
        return (_("Te quedaste sin cartas: te toca {muerto}, una mano nueva. Elige uno.").format(muerto=muerto.a),)
    if table.phase is Phase.DRAW:
        return _drawing(t, view, pile.the)
    ideas = suggestions(t, place, view)
    if ideas:
        return _melding(t, view, ideas[0].label, adds=read_token(ideas[0].token).verb is Verb.ADD)
    standing = standing_in(view)
    if len(view.hand) <= _FEW and standing.can_take_muerto:
        return (
            _("Te quedan pocas cartas. Cuando te quedes sin ninguna tomas {muerto}: otras once para seguir.").format(
                muerto=muerto.the
            ),
        )
    if table.taken[view.side] and any(meld.is_canasta for meld in table.melds[view.side]):
        return (
            _("Tienes {muerto} y {canasta}: si te quedas sin cartas, cierras la ronda y sumas el premio.").format(
                muerto=muerto.one, canasta=canasta.a
            ),
        )
    return (
        _("No hay nada más que bajar: descarta una carta y termina tu turno."),
        _("Tira la que menos te sirva: una suelta, lejos de tus parejas y escaleras. Los comodines se guardan."),
    )


def _drawing(t: Texts, view: SeatView, pile: str) -> tuple[str, ...]:
    _ = t.gettext
    table = view.table
    if not table.melds[view.side]:
        return (
            _("Cada turno tiene tres pasos: robar, bajar si puedes y descartar."),
            _("Primero, roba: la carta nueva queda marcada en amarillo."),
        )
    if table.pile_count >= _BIG_PILE:
        return (
            _("En {pile} hay {count} cartas: si tomas {pile} te llevas todas, y con más cartas bajas más.").format(
                pile=pile, count=table.pile_count
            ),
        )
    return (_("Roba del mazo, o toma {pile} si sus cartas te sirven.").format(pile=pile),)


def _melding(t: Texts, view: SeatView, label: str, *, adds: bool) -> tuple[str, ...]:
    _ = t.gettext
    table = view.table
    canasta = canasta_noun(t, table.rules)
    if adds:
        near = any(
            len(meld.cards) == _BIG_PILE + 1 and kind is Kind.MELD
            for meld, kind in zip(table.melds[view.side], table.kinds[view.side], strict=True)
        )
        if near:
            return (_("¡Ya casi! Con siete cartas un juego es {canasta}.").format(canasta=canasta.a),)
        told = _("Tus juegos crecen: agrega cartas con los botones verdes. La primera idea es «{label}».")
        return (told.format(label=label),)
    if not table.melds[view.side]:
        return (
            _("Tres cartas del mismo valor, o tres seguidas del mismo palo, son un juego: los 2 y el joker ayudan."),
            _("Los botones verdes son ideas. Toca «{label}» para bajarlo a tu mesa.").format(label=label),
        )
    return (_("Puedes bajar otro juego: «{label}». También puedes guardarlo y descartar.").format(label=label),)
