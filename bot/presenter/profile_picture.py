"""The words and numbers of a profile's picture."""

from collections.abc import Sequence

from babel.numbers import format_percent

from bot.model import Person
from bot.pictures import ProfileFact, ProfilePicture, SuitColours
from bot.presenter.achievements import achievement_name
from bot.results.achievements import Achievement, Earned
from bot.results.form import Form
from bot.results.rating import SETTLED, shown_rating
from bot.results.statistics import Partners, Rivals, Statistics
from bot.texts import Texts


def profile_picture(
    t: Texts, person: Person, numbers: Statistics, form: Form, earned: Sequence[Earned], suits: SuitColours
) -> ProfilePicture:
    """A person's profile at a glance, without the people in it; ``suits`` are the viewer's."""
    _ = t.gettext
    played = bool(numbers.total.matches)
    notes = [numbers.ruleset_names[numbers.favourite]] if played else []
    notes += [] if person.public_record else [_("oculto: solo tú lo ves")]
    return ProfilePicture(
        name=person.name,
        alias=_("Jugador"),
        note=" · ".join(notes),
        empty="" if played else _("Todavía no hay partidas terminadas."),
        rating=_rating(t, form),
        standing=_standing(t, form),
        trend=0 if not form.moved else 1 if form.moved > 0 else -1,
        facts=_facts(t, numbers) if played else (),
        recent_title=_("Últimas partidas"),
        recent=form.recent,
        awards_title=_("Logros: {count} de {all}").format(count=len(earned), all=len(Achievement)),
        # The newest first: of many, those are named that are news.
        awards=tuple(achievement_name(t, one.code) for one in reversed(earned)),
        suits=suits,
    )


def _rating(t: Texts, form: Form) -> ProfileFact | None:
    _ = t.gettext
    if form.rating is None:
        return None
    seating = form.rating.seating.value
    label = seating if form.rating.matches >= SETTLED else _("{seating} · provisional").format(seating=seating)
    return ProfileFact(label, t.number(shown_rating(form.rating.skill)))


def _standing(t: Texts, form: Form) -> tuple[str, ...]:
    """The rating's place, and last how it moves."""
    _ = t.gettext
    if form.rating is None:
        return ()
    lines = [_("Clasificación")]
    if form.place is not None:
        lines.append(_("puesto {place} de {among} con quienes jugaste").format(place=form.place, among=form.among))
    if form.moved is not None:
        told = t.ngettext("{change} en la última partida", "{change} en las últimas {count} partidas", form.over)
        lines.append(told.format(change=t.signed(form.moved) if form.moved else "0", count=form.over))
    return tuple(lines)


def _facts(t: Texts, numbers: Statistics) -> tuple[ProfileFact, ...]:
    _ = t.gettext
    with_robots = numbers.robots.matches
    found = [
        ProfileFact(
            _("partidas"),
            t.number(numbers.total.matches),
            _("{count} con robots").format(count=t.number(with_robots)) if with_robots else "",
        )
    ]
    among, note = (numbers.people, _("{share} entre personas"))
    if not numbers.people.matches:
        among, note = (numbers.robots, _("{share} con robots"))
    share = format_percent(among.share, locale=t.locale)
    found.append(ProfileFact(_("ganadas"), t.number(among.won), note.format(share=share)))
    best = t.number(numbers.best_streak)
    found.append(ProfileFact(_("seguidas"), t.number(numbers.streak), _("la mejor racha: {best}").format(best=best)))
    if numbers.deals:
        average = round(numbers.points / numbers.deals)
        best = "" if numbers.best_deal is None else t.number(numbers.best_deal)
        found.append(
            ProfileFact(
                _("puntos por ronda"), t.number(average), _("la mejor: {best}").format(best=best) if best else ""
            )
        )
        clean = t.number(numbers.clean)
        found.append(ProfileFact(_("canastas"), t.number(numbers.canastas), _("limpias: {clean}").format(clean=clean)))
        deals = t.number(numbers.deals)
        found.append(ProfileFact(_("cierres"), t.number(numbers.closed), _("de {deals} rondas").format(deals=deals)))
    return tuple(found)


def people_facts(
    t: Texts, partner: tuple[str, Partners] | None, rival: tuple[str, Rivals] | None
) -> tuple[ProfileFact, ...]:
    """With whom and against whom the person plays most."""
    _ = t.gettext
    found = []
    if partner is not None:
        name, pair = partner
        told = _("{matches} partidas, ganadas {won}").format(
            matches=t.number(pair.tally.matches), won=t.number(pair.tally.won)
        )
        found.append(ProfileFact(_("pareja favorita"), name, told))
    if rival is not None:
        name, against = rival
        told = _("{matches} partidas, ganadas {won}").format(
            matches=t.number(against.matches), won=t.number(against.one)
        )
        found.append(ProfileFact(_("rival favorito"), name, told))
    return tuple(found)
