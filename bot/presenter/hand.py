"""The private hand: picture, suggestions, the card picker and what may be done with the picked cards."""

from bot.hands import Groups, HandOrder, in_groups
from bot.model import Pace, Person
from bot.pictures import HandPicture, SuitColours
from bot.presenter.buttons import choice, pick_verb
from bot.presenter.lesson import lesson_lines
from bot.presenter.plays import undo_label
from bot.presenter.reasons import reason_text
from bot.presenter.seated import Seated
from bot.presenter.suggestions import pile_choices, suggestions
from bot.presenter.words import card_name, muerto_noun, pace_line, pile_noun, signs
from bot.presenter.yours import your_turn_so_far
from bot.screens import CardOption, CardPicker, Choice, PickVerb, Role, Screen, Style
from bot.texts import Texts, texts
from bot.tokens import Verb
from engine import legal
from engine.actions import MoveWild
from engine.cards import BACK, CODE
from engine.pile import takes_top_at_once
from engine.reasons import Reason
from engine.ruleset import SHORTEST_MELD
from engine.standing import closing_problem, standing_in
from engine.state import Phase
from engine.views import SeatView

FEW_CARDS = 3
"""From here on the hand's screen tells what happens when the last card goes."""


def hand_screen(place: Seated, view: SeatView, person: Person) -> Screen:
    """The hand of ``person``, who sits at ``view.seat``: always there, with its buttons off out of turn."""
    t = texts(person.locale)
    order = HandOrder(person.hand_order)
    groups = in_groups(view.hand, order)
    count = len(view.hand)
    title = t.ngettext("Tu mano · {count} carta", "Tu mano · {count} cartas", count).format(count=count)
    picture = HandPicture(
        groups=groups,
        new=view.new,
        title=title,
        corner=_order_name(t, order),
        joker=t.gettext("JKR"),
        suits=SuitColours(person.suit_colours),
    )
    return Screen(
        role=Role.HAND,
        table_id=place.table.id,
        version=place.version,
        title=t.gettext("{table} · {code} · {side}").format(
            table=place.table.name, code=place.table.code, side=place.side_name(view.side)
        ),
        lines=(*lesson_lines(t, place, view), *_lines(t, place, view), *_clock_lines(t, place, view)),
        picture=picture,
        alternative=": ".join(part for part in (title, " · ".join(signs(t, group) for group in groups)) if part),
        rows=_rows(t, place, view, order, SuitColours(person.suit_colours)),
        picker=_picker(t, place, view, groups),
    )


def _order_name(t: Texts, order: HandOrder) -> str:
    _ = t.gettext
    return _("por palo") if order is HandOrder.SUIT else _("por valor")


def _clock_lines(t: Texts, place: Seated, view: SeatView) -> tuple[str, ...]:
    """What a turn's time is, and that a robot stands in."""
    table = place.table
    if table.chairs[view.seat].absent:
        return (t.gettext("Un robot juega por ti. Toca «Volver a mi lugar» cuando quieras."),)
    return (pace_line(t, table.pace),) if view.on_turn and table.pace is not Pace.FREE else ()


def _lines(t: Texts, place: Seated, view: SeatView) -> tuple[str, ...]:
    _ = t.gettext
    table = view.table
    if table.phase is Phase.OVER:
        return (_("La ronda terminó: el resultado está en la mesa."),)
    if not view.on_turn:
        return (_("Juega {name}. Mientras tanto, aquí tienes tu mano.").format(name=place.names[table.mover]),)
    if table.choosing is not None:
        muerto = muerto_noun(t, table.rules)
        return (_("Te quedaste sin cartas: elige {muerto}.").format(muerto=muerto.a),)
    if table.phase is Phase.DRAW:
        return (_draw_line(t, view), *_pile_line(t, view))
    done = your_turn_so_far(t, view)
    if view.owed is not None:
        return (done, _("Este turno tienes que usar {card}.").format(card=signs(t, (view.owed,))))
    if view.discarded:
        return (done, _("Puedes bajar más o terminar el turno."))
    return (done, _("Baja lo que quieras y termina descartando una carta."), *_end_line(t, view))


def _end_line(t: Texts, view: SeatView) -> tuple[str, ...]:
    """With few cards left, what happens when the last one goes."""
    _ = t.gettext
    standing = standing_in(view)
    if len(view.hand) > FEW_CARDS:
        return ()
    if standing.can_take_muerto:
        return (_("Si te quedas sin cartas, tomas {muerto}.").format(muerto=muerto_noun(t, view.table.rules).yours),)
    barred = closing_problem(standing, by_discard=True)
    if barred is not None:
        return (reason_text(t, view.table.rules, barred),)
    return (_("Si tiras tu última carta, cierras la ronda."),)


def _draw_line(t: Texts, view: SeatView) -> str:
    _ = t.gettext
    pile = pile_noun(t, view.table.rules)
    if legal.draw_problem(view) is not None:
        return _("Tu turno: tienes que tomar {pile}.").format(pile=pile.the)
    if legal.pile_problem(view) is not None:
        return _("Tu turno: roba del mazo.")
    return _("Tu turno: roba del mazo o toma {pile}.").format(pile=pile.the)


def _pile_line(t: Texts, view: SeatView) -> tuple[str, ...]:
    top = view.table.pile_top
    if top is None:
        return ()
    count = view.table.pile_count
    told = t.ngettext("{pile}: {card}, {count} carta.", "{pile}: arriba {card}, {count} cartas.", count)
    pile = pile_noun(t, view.table.rules).one.capitalize()
    return (told.format(pile=pile, card=signs(t, (top,)), count=count),)


def _rows(
    t: Texts, place: Seated, view: SeatView, order: HandOrder, colours: SuitColours
) -> tuple[tuple[Choice, ...], ...]:
    _ = t.gettext
    table_id, version = place.table.id, place.version
    rows: list[tuple[Choice, ...]] = []
    if place.table.chairs[view.seat].absent:
        rows.append((choice(_("Volver a mi lugar"), table_id, version, Verb.BACK, style=Style.GOOD),))
    if view.on_turn and view.table.choosing is not None:
        rows.append(_muerto_row(t, place, view))
    elif view.on_turn and view.table.phase is Phase.DRAW:
        rows.append(_draw_row(t, place, view))
        rows += [(taking,) for taking in pile_choices(t, place, view)]
    elif view.on_turn:
        rows += [(idea,) for idea in suggestions(t, place, view)]
        rows += [(moving,) for moving in _move_choices(t, place, view)]
    foot: list[Choice] = []
    if view.undo is not None:
        foot.append(choice(undo_label(t, view.table, view.undo), table_id, version, Verb.UNDO))
    if legal.can_end(view):
        foot.append(choice(_("Terminar el turno"), table_id, version, Verb.END, style=Style.PRIMARY))
    if view.on_turn:
        foot.append(choice(_("Pista"), table_id, version, Verb.HINT))
    other = HandOrder.RANK if order is HandOrder.SUIT else HandOrder.SUIT
    label = _("Ordenar {order}").format(order=_order_name(t, other))
    foot.append(choice(label, table_id, version, Verb.SORT, other.value))
    two, four = SuitColours.TWO, SuitColours.FOUR
    label, colours = (_("Palos en dos colores"), two) if colours is four else (_("Palos en cuatro colores"), four)
    foot.append(choice(label, table_id, version, Verb.COLOURS, colours.value))
    rows.append(tuple(foot))
    return tuple(rows)


def _draw_row(t: Texts, place: Seated, view: SeatView) -> tuple[Choice, ...]:
    _ = t.gettext
    rules = view.table.rules
    draw, take = legal.draw_problem(view), legal.pile_problem(view)
    pile = pile_noun(t, rules)
    row = [
        choice(
            _("Robar"),
            place.table.id,
            place.version,
            Verb.DRAW,
            style=Style.PRIMARY,
            why="" if draw is None else reason_text(t, rules, draw),
        )
    ]
    if not takes_top_at_once(rules):
        count = view.table.pile_count
        label = t.ngettext("Tomar {pile} ({count} carta)", "Tomar {pile} ({count} cartas)", count)
        why = "" if take is None else reason_text(t, rules, take)
        row.append(
            choice(
                label.format(pile=pile.the, count=count),
                place.table.id,
                place.version,
                Verb.TAKE_PILE,
                style=Style.PRIMARY,
                why=why,
            )
        )
    return tuple(row)


def _muerto_row(t: Texts, place: Seated, view: SeatView) -> tuple[Choice, ...]:
    _ = t.gettext
    backs = (_("azul"), _("rojo"), _("verde"))
    return tuple(
        choice(
            _("El {number} (dorso {back})").format(number=index + 1, back=backs[muerto.back]),
            place.table.id,
            place.version,
            Verb.MUERTO,
            str(index),
            style=Style.PRIMARY,
        )
        for index, muerto in enumerate(view.table.muertos)
    )


def _move_choices(t: Texts, place: Seated, view: SeatView) -> list[Choice]:
    _ = t.gettext
    numbers = view.table.numbers[view.side]
    melds = dict.fromkeys(move.action.meld for move in legal.moves(view) if isinstance(move.action, MoveWild))
    return [
        choice(
            _("Mover el comodín de #{number}").format(number=numbers[meld]),
            place.table.id,
            place.version,
            Verb.MOVE_WILD,
            str(meld),
        )
        for meld in melds
    ]


def _picker(t: Texts, place: Seated, view: SeatView, groups: Groups) -> CardPicker:
    bits = {card: bit for bit, card in enumerate(view.hand)}
    kept = {card: reason for card, reason in legal.discards(view) if reason is not None}
    playing = view.on_turn and view.table.phase is Phase.PLAY and view.table.choosing is None
    rules = view.table.rules
    cards = tuple(
        CardOption(
            bit=bits[card],
            code=CODE[card],
            label=card_name(t, card),
            group=number,
            back=BACK[card],
            new=card in view.new,
            keep=reason_text(t, rules, kept[card]) if playing and card in kept else "",
        )
        for number, group in enumerate(groups)
        for card in group
    )
    return CardPicker(cards, _verbs(t, place, view, playing=playing))


def _verbs(t: Texts, place: Seated, view: SeatView, *, playing: bool) -> tuple[PickVerb, ...]:
    _ = t.gettext
    table, rules = view.table, view.table.rules
    count = len(view.hand)
    why = "" if playing else _why_idle(t, place, view)
    table_id, version = place.table.id, place.version
    if view.on_turn and table.phase is Phase.DRAW and takes_top_at_once(rules):
        pile = pile_noun(t, rules)
        take, add = _("Tomar {pile} y bajar").format(pile=pile.the), _("Tomar {pile} y agregar").format(pile=pile.the)
        barred = legal.pile_problem(view)
        no = "" if barred is None else reason_text(t, rules, barred)
        return (
            pick_verb(take, table_id, version, Verb.PILE_MELD, 2, count, style=Style.PRIMARY, why=no),
            pick_verb(add, table_id, version, Verb.PILE_ADD, 0, count, style=Style.PLAIN, why=no),
        )
    no_meld = why or ("" if table.melds[view.side] else _("Todavía no hay juegos en tu mesa."))
    once = why or (reason_text(t, rules, Reason.ALREADY_DISCARDED) if view.discarded else "")
    return (
        pick_verb(_("Bajar"), table_id, version, Verb.MELD, SHORTEST_MELD, count, style=Style.PRIMARY, why=why),
        pick_verb(_("Agregar"), table_id, version, Verb.ADD_SOMEWHERE, 1, count, style=Style.PLAIN, why=no_meld),
        pick_verb(_("Descartar"), table_id, version, Verb.DISCARD, 1, 1, style=Style.DANGER, why=once),
    )


def _why_idle(t: Texts, place: Seated, view: SeatView) -> str:
    table = view.table
    if table.phase is Phase.OVER:
        return reason_text(t, table.rules, Reason.DEAL_OVER)
    if not view.on_turn:
        _ = t.gettext
        return _("Es el turno de {name}.").format(name=place.names[table.mover])
    if table.choosing is not None:
        return reason_text(t, table.rules, Reason.MUERTO_CHOICE_NEEDED)
    return reason_text(t, table.rules, Reason.MUST_DRAW_FIRST)
