"""What is told of finished matches: a person's profile, achievements and history, and the ranking of a place."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from babel.numbers import format_percent

from bot.model import Person
from bot.pictures import SuitColours
from bot.presenter.achievements import achievement_line, achievement_name
from bot.presenter.buttons import choice
from bot.presenter.profile_picture import people_facts, profile_picture
from bot.results.achievements import Achievement, Earned
from bot.results.form import Form
from bot.results.model import Kind, Player, Rating, Result
from bot.results.rating import SETTLED, shown_rating
from bot.results.seasons import EVER_LEAST, SEASON_LEAST, Season, Standing
from bot.results.statistics import Partners, Rivals, Statistics, Tally
from bot.screens import Choice, Role, Screen, Style
from bot.texts import Texts
from bot.tokens import NO_TABLE, Verb
from engine.seating import Seating

MATCHES_A_PAGE: Final = 6
PLACES_SHOWN: Final = 15
EVERY: Final = "all"
"""In tokens of rankings: every seating."""
_RULESETS_SHOWN: Final = 5
_PARTNERS_SHOWN: Final = 3


class Period(msgspec.Struct, frozen=True):
    """The time that a ranking is about: a season, or all of it."""

    key: str
    """``s`` this season, ``p`` the one before, ``a`` all time."""
    season: Season | None = None

    @property
    def least(self) -> int:
        """Matches before somebody is ranked."""
        return EVER_LEAST if self.season is None else SEASON_LEAST


class Profile(msgspec.Struct, frozen=True):
    """What a profile is made from."""

    person: Person
    numbers: Statistics
    ratings: Sequence[Rating] = ()
    earned: Sequence[Earned] = ()
    partners: Sequence[tuple[str, Partners]] = ()
    """By name, those with most matches first."""
    together: Partners | None = None
    """With the viewer; None on one's own profile."""
    against: Rivals | None = None
    """First the viewer, then the person."""
    form: Form = Form()
    rival: tuple[str, Rivals] | None = None
    """By name, the one of most matches; first the person, then the rival."""


def profile_screen(t: Texts, profile: Profile, viewer: Person) -> Screen:
    """A person's profile; their own with what else there is to see."""
    _ = t.gettext
    person, own = profile.person, profile.person.id == viewer.id
    title = _("Perfil de {name}").format(name=person.name)
    rows: list[tuple[Choice, ...]] = []
    if own:
        rows.append((_button(_("Mis partidas"), Verb.HISTORY, "0"), _button(_("Mis logros"), Verb.ACHIEVEMENTS)))
        rows.append((_sharing_button(t, person),))
    if not profile.numbers.total.matches:
        return _drawn(t, _reading(title, (_("Todavía no hay partidas terminadas."),), rows), profile, viewer)
    lines = [*_matches_lines(t, profile.numbers), *_points_lines(t, profile.numbers)]
    lines += _seating_lines(t, profile)
    if own and profile.form.lighter:
        lines.append(_("Contra rivales que se repiten, o que acaban de empezar, la clasificación se mueve menos."))
    lines += _ruleset_lines(t, profile.numbers)
    if profile.partners:
        told = [f"{name} ({_share(t, pair.tally)})" for name, pair in profile.partners[:_PARTNERS_SHOWN]]
        lines.append(_("Compañeros: {names}.").format(names=t.listed(told)))
    lines.append(
        _("Logros: {count} de {all}.").format(count=len(profile.earned), all=len(Achievement))
        + (f" {_achieved(t, profile.earned[-3:])}" if profile.earned else "")
    )
    lines += _between_lines(t, profile)
    if own and not person.public_record:
        lines.append(_("Tu perfil está oculto: solo tú lo ves, y no sales en los rankings."))
    return _drawn(t, _reading(title, lines, rows), profile, viewer)


def _drawn(t: Texts, screen: Screen, profile: Profile, viewer: Person) -> Screen:
    """The screen with its picture, and how to come to it again."""
    person = profile.person
    again = _button("", Verb.PROFILE, *(() if person.id == viewer.id else (person.id,))).token
    picture = profile_picture(
        t, person, profile.numbers, profile.form, profile.earned, SuitColours(viewer.suit_colours)
    )
    pair = profile.partners[0] if profile.partners else None
    picture = msgspec.structs.replace(picture, people=people_facts(t, pair, profile.rival))
    return msgspec.structs.replace(screen, picture=picture, again=again)


def _sharing_button(t: Texts, person: Person) -> Choice:
    _ = t.gettext
    if person.public_record:
        return _button(_("Ocultar mi perfil"), Verb.SHARE, "0")
    return _button(_("Mostrar mi perfil"), Verb.SHARE, "1", style=Style.GOOD)


def _share(t: Texts, tally: Tally) -> str:
    """``12, ganadas 7 (58 %)``"""
    return t.gettext("{matches}, ganadas {won}, {share}").format(
        matches=t.number(tally.matches), won=t.number(tally.won), share=format_percent(tally.share, locale=t.locale)
    )


def _matches_lines(t: Texts, numbers: Statistics) -> list[str]:
    _ = t.gettext
    lines = [_("Entre personas: {tally}.").format(tally=_share(t, numbers.people))]
    if numbers.robots.matches:
        lines.append(_("Con robots o suplentes: {tally}.").format(tally=_share(t, numbers.robots)))
    if numbers.left:
        lines.append(_("Abandonos, que cuentan como perdidas: {count}.").format(count=t.number(numbers.left)))
    if numbers.best_streak:
        lines.append(
            _("Victorias seguidas entre personas: {streak}; la mejor racha, {best}.").format(
                streak=t.number(numbers.streak), best=t.number(numbers.best_streak)
            )
        )
    return lines


def _points_lines(t: Texts, numbers: Statistics) -> list[str]:
    _ = t.gettext
    lines = []
    if numbers.deals:
        lines.append(
            _("Puntos: {points} en {deals} rondas.").format(
                points=t.number(numbers.points), deals=t.number(numbers.deals)
            )
        )
    if numbers.best_deal is not None:
        lines.append(
            _("Mejor ronda: {best}. Canastas: {canastas}, limpias {clean}. Rondas cerradas: {closed}.").format(
                best=t.number(numbers.best_deal),
                canastas=t.number(numbers.canastas),
                clean=t.number(numbers.clean),
                closed=t.number(numbers.closed),
            )
        )
    return lines


def _seating_lines(t: Texts, profile: Profile) -> list[str]:
    _ = t.gettext
    ratings: Mapping[str, Rating] = {rating.seating.value: rating for rating in profile.ratings}
    lines = []
    for seating in Seating:
        tally = profile.numbers.by_seating.get(seating.value)
        if tally is None:
            continue
        line = f"{seating.value}: {_share(t, tally)}"
        rating = ratings.get(seating.value)
        if rating is not None:
            told = _("clasificación {points}") if rating.matches >= SETTLED else _("clasificación provisional {points}")
            line += " · " + told.format(points=t.number(shown_rating(rating.skill)))
        lines.append(line)
    return lines


def _ruleset_lines(t: Texts, numbers: Statistics) -> list[str]:
    _ = t.gettext
    names = numbers.ruleset_names
    ranked = sorted(numbers.by_ruleset.items(), key=lambda item: (-item[1].matches, item[0]))[:_RULESETS_SHOWN]
    lines = [_("Variante favorita: {name}.").format(name=names[numbers.favourite])]
    if len(ranked) > 1:
        lines += [f"{names[ruleset]}: {_share(t, tally)}" for ruleset, tally in ranked]
    return lines


def _between_lines(t: Texts, profile: Profile) -> list[str]:
    _ = t.gettext
    lines = []
    if profile.together is not None and profile.together.tally.matches:
        lines.append(_("Contigo de pareja: {tally}.").format(tally=_share(t, profile.together.tally)))
    if profile.against is not None and profile.against.matches:
        lines.append(
            _("Contra ti: {matches}; ganaste {won}, ganó {lost}.").format(
                matches=t.number(profile.against.matches),
                won=t.number(profile.against.one),
                lost=t.number(profile.against.other),
            )
        )
    return lines


def _achieved(t: Texts, earned: Sequence[Earned]) -> str:
    return t.gettext("Los últimos: {names}.").format(names=t.listed([achievement_name(t, one.code) for one in earned]))


def achievements_screen(t: Texts, earned: Sequence[Earned]) -> Screen:
    """All achievements: those that one has with their day, and those that there are to get."""
    _ = t.gettext
    days = {one.code: t.day(one.at_ms) for one in earned}
    lines = [f"★ {achievement_name(t, one.code)}: {achievement_line(t, one.code)} ({days[one.code]})" for one in earned]
    lines += [f"☆ {achievement_name(t, code)}: {achievement_line(t, code)}" for code in Achievement if code not in days]
    title = _("Logros: {count} de {all}").format(count=len(days), all=len(Achievement))
    return _reading(title, lines, [(_button(_("Mi perfil"), Verb.PROFILE),)])


def history_screen(t: Texts, results: Sequence[Result], person: Person, page: int) -> Screen:
    """A person's finished matches, the newest first, some at a time; ``results`` are in the order of the end."""
    _ = t.gettext
    pages = max(1, -(-len(results) // MATCHES_A_PAGE))
    page = min(max(page, 0), pages - 1)
    newest = tuple(reversed(results))[page * MATCHES_A_PAGE : (page + 1) * MATCHES_A_PAGE]
    lines = [f"{number}. {_match_line(t, result, person)}" for number, result in enumerate(newest, 1)]
    lines = lines or [_("Todavía no hay partidas terminadas.")]
    turns: list[Choice] = []
    if page > 0:
        turns.append(_button(_("Más nuevas"), Verb.HISTORY, str(page - 1)))
    if page < pages - 1:
        turns.append(_button(_("Más viejas"), Verb.HISTORY, str(page + 1)))
    again = [
        choice(_("Ver {number}").format(number=number), result.table_id, 0, Verb.REPLAY)
        for number, result in enumerate(newest, 1)
    ]
    rows = [tuple(again[at : at + 3]) for at in range(0, len(again), 3)]
    rows += [tuple(turns)] if turns else []
    rows.append((_button(_("Mi perfil"), Verb.PROFILE),))
    title = _("Mis partidas")
    if pages > 1:
        title = _("Mis partidas · {page} de {pages}").format(page=page + 1, pages=pages)
    return _reading(title, lines, rows)


def _match_line(t: Texts, result: Result, person: Person) -> str:
    _ = t.gettext
    seat = result.seat_of(person.id)
    if seat is not None and result.players[seat].left:
        outcome = _("Abandonada")
    elif seat is not None and result.won(seat):
        outcome = _("Ganada")
    else:
        outcome = _("Perdida")
    sides = [
        f"{' + '.join(_player_name(t, result.players[other]) for other in result.seating.seats_of(side))} "
        f"{t.number(result.totals[side])}"
        for side in range(result.seating.sides)
    ]
    told = [f"{t.day(result.ended_ms)}: {outcome}", " – ".join(sides), result.ruleset_name, result.seating.value]
    told += _kind_words(t, result)
    return " · ".join(told)


def _player_name(t: Texts, player: Player) -> str:
    return player.name or t.gettext("alguien que se fue")


def _kind_words(t: Texts, result: Result) -> list[str]:
    _ = t.gettext
    match result.kind:
        case Kind.ROBOTS:
            return [_("con robots")]
        case Kind.SUBSTITUTED:
            return [_("con suplente")]
        case Kind.PEOPLE:
            return []


def ranking_screen(
    t: Texts,
    standings: Sequence[Standing],
    mark: str,
    period: Period,
    seating: Seating | None,
    viewer: Person,
    *,
    browses: bool,
) -> Screen:
    """The ranking of a server or group; ``browses`` gives the buttons to its other times and seatings."""
    _ = t.gettext
    shown = [
        (number, one) for number, one in enumerate(standings, 1) if number <= PLACES_SHOWN or one.person == viewer.id
    ]
    lines = [
        f"{number}. {one.name}{_you(t) if one.person == viewer.id else ''}: {_share(t, one.tally)}"
        for number, one in shown
    ] or [_("Todavía no hay nadie: hacen falta partidas terminadas entre personas.")]
    lines.append(
        _("Cuentan las partidas entre personas abiertas aquí; se entra con {least}. Ordena la parte ganada.").format(
            least=period.least
        )
    )
    title = _("Ranking · {period}").format(period=_period_name(t, period))
    if seating is not None:
        title += f" · {seating.value}"
    return _reading(title, lines, _ranking_rows(t, mark, period, seating) if browses else [])


def _you(t: Texts) -> str:
    return t.gettext(" (tú)")


def _period_name(t: Texts, period: Period) -> str:
    _ = t.gettext
    if period.season is None:
        return _("todo el tiempo")
    return _("temporada {quarter} de {year}").format(quarter=period.season.quarter, year=period.season.year)


def _ranking_rows(t: Texts, mark: str, period: Period, seating: Seating | None) -> list[tuple[Choice, ...]]:
    _ = t.gettext
    chosen = EVERY if seating is None else seating.value
    # The last argument tells the two buttons apart that lead to what is shown already.
    times = tuple(
        _button(name, Verb.RANKING, mark, key, chosen, "t", style=_marked(key == period.key))
        for key, name in (("s", _("Esta temporada")), ("p", _("La anterior")), ("a", _("Todo el tiempo")))
    )
    seatings = tuple(
        _button(name, Verb.RANKING, mark, period.key, value, style=_marked(value == chosen))
        for value, name in ((EVERY, _("Todos")), *((one.value, one.value) for one in Seating))
    )
    return [times, seatings]


def _marked(yes: bool) -> Style:
    return Style.PRIMARY if yes else Style.PLAIN


def no_place_text(t: Texts) -> str:
    """A ranking is asked for where there is no server or group."""
    return t.gettext("El ranking es de cada servidor o grupo: pídelo allí con /ranking.")


def hidden_profile_text(t: Texts) -> str:
    """A profile is asked for that its person hides, or of somebody who has none."""
    return t.gettext("Ese perfil está oculto, o todavía no tiene partidas.")


def shared_text(t: Texts, *, public: bool) -> str:
    """A person has hidden or shown their profile."""
    _ = t.gettext
    return _("Tu perfil se puede ver.") if public else _("Tu perfil está oculto.")


def _button(label: str, verb: Verb, *arguments: str, style: Style = Style.PLAIN) -> Choice:
    return choice(label, NO_TABLE, 0, verb, *arguments, style=style)


def _reading(title: str, lines: Sequence[str], rows: Sequence[tuple[Choice, ...]]) -> Screen:
    return Screen(
        role=Role.READING,
        table_id="",
        version=0,
        title=title,
        lines=tuple(lines),
        alternative="\n".join(lines),
        rows=tuple(rows),
    )
