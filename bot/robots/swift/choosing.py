"""What the compiled player would do at one decision, for whoever translates it."""

from typing import Any, NamedTuple

from bot.robots.swift import layout as at
from bot.robots.swift.discards import rank_discards
from bot.robots.swift.evaluate import plan_value
from bot.robots.swift.outlook import look
from bot.robots.swift.plan import plan, start
from bot.robots.swift.turn import draw_or_take
from bot.robots.swift.uses import list_uses, put
from bot.robots.swift.workshop import Workshop


class Ways(NamedTuple):
    """How a turn may go on once the seat has drawn."""

    first: Any | None
    """What is laid first; None where nothing is."""
    uses: list[Any]
    """What looks best at once."""
    discards: list[int]
    """The faces that may be thrown, the best first."""


def taken(shop: Workshop, deal: Any) -> Any | None:
    """The use with which the pile is taken, an empty one where its top need not be used at once; None: not taken."""
    g, trial = shop.gear, deal.copy()
    look(trial, g.r, g.m, g.w, g.o, g.k)
    draw_or_take(trial, g)
    if trial[at.DREW] or trial[at.OVER]:
        return None
    use = g.uses[3, int(g.rows[5, at.PLAN_SIZE - 1])].copy()
    if not g.r[at.AT_ONCE]:
        use[:] = 0
    return use


def ways_on(shop: Workshop, deal: Any, breadth: int, most: int) -> Ways:
    """How the turn may go on, with ``breadth`` first uses followed up, and ``most`` uses that look best."""
    g = shop.gear
    look(deal, g.r, g.m, g.w, g.o, g.k)
    start(deal, g.r, g.rows[0])
    _, steps = plan(deal, g, breadth)
    first = g.paths[0, 0].copy() if steps else None
    start(deal, g.r, g.rows[0])
    found = []
    for i in range(list_uses(deal, g.r, g.m, g.n, g.rows[0], g.uses[0])):
        g.rows[1] = g.rows[0]
        put(g.r, g.rows[1], g.uses[0, i])
        found.append((-plan_value(deal, g.r, g.m, g.w, g.o, g.k, g.rows[1]), i))
    uses = [g.uses[0, i].copy() for _, i in sorted(found)[:most]]
    count = rank_discards(deal, g.r, g.m, g.w, g.o, g.k, g.rows[0], g.rows[5], g.k[-1])
    return Ways(first, uses, [int(face) for face in g.rows[5, :count]])
