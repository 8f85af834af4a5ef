"""What the compiled player would do at one decision, for whoever translates it."""

from typing import Any

from bot.robots.swift import layout as at
from bot.robots.swift.discards import rank_discards
from bot.robots.swift.evaluate import plan_value
from bot.robots.swift.outlook import look
from bot.robots.swift.plan import plan, start
from bot.robots.swift.turn import draw_or_take
from bot.robots.swift.uses import list_uses, put
from bot.robots.swift.workshop import Workshop


def taken(shop: Workshop, deal: Any) -> Any | None:
    """The use with which the pile is taken, an empty one where its top need not be used at once; None: not taken."""
    trial = deal.copy()
    look(trial, shop.r, shop.m, shop.w, shop.o, shop.k)
    draw_or_take(trial, *shop.turn)
    if trial[at.DREW] or trial[at.OVER]:
        return None
    use = shop.uses[3, int(shop.rows[5, at.PLAN_SIZE - 1])].copy()
    if not shop.r[at.AT_ONCE]:
        use[:] = 0
    return use


def discards(shop: Workshop, deal: Any) -> list[int]:
    """The faces that may be thrown, the best first."""
    look(deal, shop.r, shop.m, shop.w, shop.o, shop.k)
    start(deal, shop.r, shop.rows[0])
    count = rank_discards(deal, shop.r, shop.m, shop.w, shop.o, shop.k, shop.rows[0], shop.rows[5], shop.k[-1])
    return [int(face) for face in shop.rows[5, :count]]


def first_use(shop: Workshop, deal: Any, breadth: int) -> Any | None:
    """What is laid first; None where nothing is."""
    look(deal, shop.r, shop.m, shop.w, shop.o, shop.k)
    start(deal, shop.r, shop.rows[0])
    _, steps = plan(deal, shop.r, shop.m, shop.n, shop.w, shop.o, shop.k, shop.rows, shop.uses, shop.paths, breadth)
    return shop.paths[0, 0].copy() if steps else None


def best_uses(shop: Workshop, deal: Any, most: int) -> list[Any]:
    """The uses that look best at once, at most so many."""
    look(deal, shop.r, shop.m, shop.w, shop.o, shop.k)
    start(deal, shop.r, shop.rows[0])
    found = []
    for i in range(list_uses(deal, shop.r, shop.m, shop.n, shop.rows[0], shop.uses[0])):
        shop.rows[1] = shop.rows[0]
        put(shop.r, shop.rows[1], shop.uses[0, i])
        value = plan_value(deal, shop.r, shop.m, shop.w, shop.o, shop.k, shop.rows[1])
        found.append((-value, i))
    return [shop.uses[0, i].copy() for _, i in sorted(found)[:most]]
