"""A match in plain lines, for terminals."""

from collections.abc import Iterator, Sequence

from engine.cards import codes
from engine.state import Match
from engine.views import PublicView, public_view, seat_view


def show_match(match: Match, names: Sequence[str]) -> Iterator[str]:
    """Everything, hidden cards included."""
    yield from _public(public_view(match), names)
    if match.deal is not None:
        for name, hand in zip(names, match.deal.hands, strict=True):
            yield f"hand {name}: {codes(hand) or '-'}"


def show_seat(match: Match, names: Sequence[str], seat: int) -> Iterator[str]:
    """What one seat sees."""
    view = seat_view(match, seat)
    yield from _public(view.table, names)
    yield f"hand {names[seat]}: {codes(view.hand) or '-'}"


def _public(view: PublicView, names: Sequence[str]) -> Iterator[str]:
    choosing = " (picks a muerto)" if view.choosing is not None else ""
    yield f"turn {names[view.mover]}: {view.phase}{choosing}"
    held = ", ".join(f"{name} {hand.count}" for name, hand in zip(names, view.hands, strict=True))
    yield f"cards {held}; stock {view.stock_count}, pile {view.pile_count}: {codes(view.pile) or '-'}"
    for side, melds in enumerate(view.melds):
        laid = " | ".join(
            f"{meld}" + (f" [{kind}]" if meld.is_canasta else "")
            for meld, kind in zip(melds, view.kinds[side], strict=True)
        )
        yield f"side {side}: {laid or '-'}"
    if view.scores is not None:
        for side, score in enumerate(view.scores):
            parts = f"cards {score.cards}, bonuses {score.bonuses}, hand {score.hand}"
            yield f"score {side}: {parts}, muerto {score.muerto}, closing {score.closing} = {score.total}"
        winner = "" if view.winner is None else f"; side {view.winner} wins the match"
        yield f"over: {view.ended}; totals {', '.join(map(str, view.totals))}{winner}"
