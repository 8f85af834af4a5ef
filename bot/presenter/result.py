"""The score of a deal, part by part, and how the match stands."""

from bot.presenter.seated import Seated
from bot.presenter.words import canasta_noun, muerto_noun
from bot.texts import Texts
from engine.state import SideScore


def result_lines(t: Texts, place: Seated) -> tuple[str, ...]:
    """A line a side with every part of its score; none while the deal goes on."""
    view = place.view
    if view.scores is None:
        return ()
    _ = t.gettext
    lines = [_score_line(t, place, side, score) for side, score in enumerate(view.scores)]
    if view.winner is None and view.rules.target and max(view.totals) < view.rules.target:
        lines.append(_("Se juega a {target}: falta al menos una ronda.").format(target=t.number(view.rules.target)))
    elif view.winner is None:
        lines.append(_("Empate arriba: se juega una ronda más."))
    return tuple(lines)


def _score_line(t: Texts, place: Seated, side: int, score: SideScore) -> str:
    _ = t.gettext
    rules = place.view.rules
    muerto, canasta = muerto_noun(t, rules), canasta_noun(t, rules)
    parts = [
        _("mesa {points}").format(points=t.signed(score.cards)),
        f"{canasta.many} {t.signed(score.bonuses)}" if score.bonuses else "",
        _("en la mano {points}").format(points=t.signed(score.hand)) if score.hand else "",
        f"{muerto.one} {t.signed(score.muerto)}" if score.muerto else "",
        _("cierre {points}").format(points=t.signed(score.closing)) if score.closing else "",
    ]
    told = ", ".join(part for part in parts if part)
    return _("{side}: {parts} = {total}. En total, {match}.").format(
        side=place.side_name(side),
        parts=told,
        total=t.signed(score.total),
        match=t.number(place.view.totals[side]),
    )
