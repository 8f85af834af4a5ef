"""The public table: banner, picture, text and the buttons that everybody sees."""

from bot.fairness import seal_of
from bot.model import Table
from bot.pictures import SideTexts, SuitColours, TablePicture, TableTexts
from bot.presenter.alternative import table_in_words
from bot.presenter.buttons import choice
from bot.presenter.coins import won_lines
from bot.presenter.cutting import cut_call, cut_choice, cut_lines
from bot.presenter.fairness import seal_line
from bot.presenter.plays import last_turn, plays_line
from bot.presenter.rematches import rematch_choices
from bot.presenter.result import result_lines
from bot.presenter.seated import Seated
from bot.presenter.votes import vote_lines, vote_rows
from bot.presenter.words import kind_name, muerto_noun, pile_noun
from bot.screens import Call, Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import Verb, base36
from bot.turns import turn_key
from engine.melds import Kind
from engine.scoring import table_worth
from engine.state import Ended, Phase, Turn
from engine.views import PublicView


def table_screen(place: Seated, suits: SuitColours = SuitColours.FOUR, *, late: bool = False) -> Screen:
    """The table as everybody sees it; ``late`` says that the turn's time is almost over."""
    t = place.texts()
    view = place.view
    headline = banner(t, place)
    return Screen(
        role=Role.TABLE,
        table_id=place.table.id,
        version=place.version,
        title=place.table.name,
        lines=(
            *vote_lines(t, place.table),
            *result_lines(t, place),
            *won_lines(t, place.table, view.winner),
            *_warnings(t, place),
            *_absences(t, place),
            *_seal(t, place),
            *cut_lines(t, place.table),
        ),
        picture=table_picture(t, place, suits),
        alternative=table_in_words(t, place, headline),
        rows=(
            *vote_rows(t, place.table, place.version),
            *(_over_rows(t, place) if view.phase is Phase.OVER else _play_rows(t, place)),
        ),
        call=_call(t, place, late=late),
        deal=view.number,
        passing=is_passing(place.table, view),
    )


def is_passing(table: Table, now: Turn | PublicView) -> bool:
    """Whether the screen of a table in play will soon be another one: somebody is in the middle of a turn."""
    return now.phase is Phase.PLAY and now.choosing is None and table.vote is None


def _call(t: Texts, place: Seated, *, late: bool) -> Call | None:
    """Everybody as the match begins, then whoever is on turn or cuts; nobody while a robot is."""
    _ = t.gettext
    view, table = place.view, place.table
    if table.awaited_cut is not None:
        return cut_call(t, table, place.version, table.awaited_cut, late=late)
    if view.phase is Phase.OVER:
        return None
    hand = choice(_("Mi mano"), table.id, place.version, Verb.SHOW_HAND, style=Style.PRIMARY)
    key = turn_key(view)
    chair = table.chairs[view.mover]
    if late and chair.person is not None and not chair.absent:
        told = _("tu tiempo se acaba: si no juegas, el turno se juega solo.")
        return Call(f"{key}:late", (chair.person,), told, hand, late=True)
    if view.number == 0 and not view.last_plays:
        told = _("¡empieza la partida! Juegan {sides}. Empieza {name}.").format(
            sides=t.listed([place.side_name(side) for side in range(view.seating.sides)]),
            name=place.names[view.starter],
        )
        return Call(key, table.people, told, hand) if table.people else None
    if chair.person is None or chair.absent:
        return None
    return Call(key, (chair.person,), _("te toca."), hand)


def _seal(t: Texts, place: Seated) -> tuple[str, ...]:
    """The pack's seal while the deal's first turn lasts, and again when it is over."""
    view, table = place.view, place.table
    if view.last_plays and view.phase is not Phase.OVER:
        return ()
    fixed = table.lesson and view.number == 0
    return seal_line(t, seal_of(table.seals, view.number), place.names, fixed=fixed)


def _absences(t: Texts, place: Seated) -> tuple[str, ...]:
    """Whose turn played itself, and for whom a robot plays."""
    _ = t.gettext
    lines = []
    last = place.view.last_plays[0].seat if place.view.last_plays else None
    for seat, chair in enumerate(place.table.chairs):
        if chair.absent:
            lines.append(_("Un robot juega por {name} hasta que vuelva.").format(name=chair.name))
        elif chair.missed and seat == last:
            lines.append(_("A {name} se le acabó el tiempo y su turno se jugó solo.").format(name=chair.name))
    return tuple(lines)


def table_picture(t: Texts, place: Seated, suits: SuitColours) -> TablePicture:
    """The picture of the table, with every word in it."""
    _ = t.gettext
    view = place.view
    muerto, pile = muerto_noun(t, view.rules), pile_noun(t, view.rules)
    free = len(view.muertos)
    left = t.ngettext("{count} {one} libre", "{count} {many} libres", free)
    words = TableTexts(
        banner=banner(t, place),
        corner=corner(t, view),
        names=place.names,
        stock=_("Mazo"),
        pile=pile.one.capitalize(),
        muertos=left.format(count=free, one=muerto.one, many=muerto.many) if free else "",
        last=plays_line(t, view, place.names, last_turn(view)),
        sides=tuple(
            SideTexts(
                title=place.side_name(side),
                table=_("mesa {points}").format(points=t.number(table_worth(view.rules, view.melds[side]))),
                total=t.number(view.totals[side]),
            )
            for side in range(view.seating.sides)
        ),
        ribbons={kind: kind_name(t, view.rules, kind).upper() for kind in Kind if kind is not Kind.MELD},
        joker=_("JKR"),
    )
    return TablePicture(view, words, suits)


def banner(t: Texts, place: Seated) -> str:
    """Whose turn it is and what there is to do, or how it ended."""
    _ = t.gettext
    view = place.view
    name = place.names[view.mover]
    if view.winner is not None:
        side = place.side_name(view.winner)
        won = _("¡Ganan {side}!") if view.seating.in_pairs else _("¡Gana {side}!")
        return won.format(side=side)
    if view.ended is not None:
        return _ended(t, place, view.ended)
    if view.choosing is not None:
        return _("{name} elige {muerto}").format(name=name, muerto=muerto_noun(t, view.rules).one)
    if view.phase is Phase.DRAW:
        return _("Turno de {name}: roba").format(name=name)
    return _("Turno de {name}: juega").format(name=name)


def _ended(t: Texts, place: Seated, how: Ended) -> str:
    _ = t.gettext
    match how:
        case Ended.CLOSED:
            closer = place.view.closer
            return _("Cerró {name}").format(name=place.names[closer if closer is not None else place.view.mover])
        case Ended.STOCK_OUT:
            return _("Fin de la ronda: se acabó el mazo")
        case Ended.NO_DRAWS:
            return _("Fin de la ronda: nadie roba del mazo")


def corner(t: Texts, view: PublicView) -> str:
    """Which round it is and what is played to: ``R3 · a 3.000``."""
    _ = t.gettext
    number = view.number + 1
    if not view.rules.target:
        return _("R{number}").format(number=number)
    return _("R{number} · a {target}").format(number=number, target=t.number(view.rules.target))


def _warnings(t: Texts, place: Seated) -> tuple[str, ...]:
    view = place.view
    rounds = view.turns_without_draw // view.seating.seats
    if view.ended is not None or rounds < view.rules.rounds_without_draw_warning:
        return ()
    left = view.rules.rounds_without_draw - rounds
    told = t.ngettext(
        "Nadie roba del mazo: si sigue así, la ronda termina en {count} vuelta.",
        "Nadie roba del mazo: si sigue así, la ronda termina en {count} vueltas.",
        left,
    )
    return (told.format(count=left),)


def _play_rows(t: Texts, place: Seated) -> tuple[tuple[Choice, ...], ...]:
    _ = t.gettext
    table, version, view = place.table, place.version, place.view
    drawn = "" if view.phase is Phase.DRAW else _("{name} ya robó en este turno.").format(name=place.names[view.mover])
    empty = "" if view.pile_count else _("No hay cartas que tomar ahí.")
    pile = pile_noun(t, view.rules)
    return (
        (
            choice(_("Robar"), table.id, version, Verb.DRAW, style=Style.PRIMARY, why=drawn),
            choice(_("Tomar {pile}").format(pile=pile.the), table.id, version, Verb.TAKE_PILE, why=drawn or empty),
            choice(_("Mi mano"), table.id, version, Verb.SHOW_HAND),
        ),
        _further(t, place),
    )


def _further(t: Texts, place: Seated) -> tuple[Choice, ...]:
    _ = t.gettext
    table, version = place.table, place.version
    return (
        choice(_("Últimas jugadas"), table.id, version, Verb.PLAYS),
        choice(_("Reglas"), table.id, version, Verb.RULES),
        choice("⋯", table.id, version, Verb.MENU),
    )


def _over_rows(t: Texts, place: Seated) -> tuple[tuple[Choice, ...], ...]:
    _ = t.gettext
    table_id, version = place.table.id, place.version
    hands = choice(_("Manos finales"), table_id, version, Verb.FINAL_HANDS)
    replay = choice(_("Repetición"), table_id, 0, Verb.REPLAY, base36(place.view.number))
    told = (hands, choice(_("¿Por qué?"), table_id, version, Verb.WHY)) if _had_robots(place) else (hands,)
    if place.view.winner is not None:
        return (rematch_choices(t, place.table, version), (*told, replay), _further(t, place))
    following = choice(_("Siguiente ronda"), table_id, version, Verb.NEXT_DEAL, style=Style.GOOD)
    if place.table.awaited_cut is not None:
        following = cut_choice(t, place.table, version)
    return ((following, *told, replay), _further(t, place))


def _had_robots(place: Seated) -> bool:
    return any(chair.robot is not None or chair.stood_in for chair in place.table.chairs)
