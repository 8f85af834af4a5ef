"""The last plays, gathered from public screens."""

import msgspec

from adapters.web.feed import Feeds
from adapters.web.limits import FEED_LINES
from bot import rulesets
from bot.model import Chair, Table
from bot.presenter.seated import seated
from bot.presenter.table import table_screen
from bot.robots.registry import make_robot
from bot.screens import Screen
from bot.shuffling import seeded_deal
from bot.texts import texts
from engine.decide import decide, start_deal
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import Match, new_match
from engine.views import seat_view

T = texts()
RULES = rulesets.load("clasico")
SEATING = Seating.TWO_PAIRS
TABLE = Table("t", "CODE", "Mesa", None, RULES, SEATING, chairs=tuple(Chair(name) for name in "ABCD"))


def played() -> list[Match]:
    """A deal from its start to its end, state by state."""
    match = new_match(RULES, SEATING, 0)
    states = [evolve_all(match, start_deal(match, seeded_deal(RULES, SEATING, 3)))]
    robot = make_robot("random")
    while states[-1].in_play:
        match = states[-1]
        assert match.deal is not None
        seat = match.deal.turn.seat
        states.append(evolve_all(match, decide(match, seat, robot.choose(seat_view(match, seat)))))
    return states


def screens() -> list[Screen]:
    return [table_screen(seated(TABLE, version, match)) for version, match in enumerate(played())]


def test_every_turn_has_one_line_newest_first() -> None:
    feeds = Feeds()
    deal = screens()[:40]
    for screen in deal:
        feeds.observe(T, screen)
    lines = feeds.lines("t")
    turns = [line for line in lines if line[0] in "ABCD" and line[1] == " "]
    assert len(turns) == len(lines) - 1
    names = [line[0] for line in reversed(turns)]
    start = "ABCD".index(names[0])
    assert names == ["ABCD"[(start + i) % 4] for i in range(len(names))]


def test_seeing_a_screen_again_or_an_older_one_changes_nothing() -> None:
    feeds = Feeds()
    deal = screens()[:30]
    for screen in deal:
        feeds.observe(T, screen)
    before = feeds.lines("t")
    for screen in (deal[-1], deal[3], deal[-1]):
        feeds.observe(T, screen)
    assert feeds.lines("t") == before


def test_what_was_missed_leaves_no_half_line() -> None:
    whole, gaps = Feeds(), Feeds()
    for i, screen in enumerate(screens()[:60]):
        whole.observe(T, screen)
        if i % 5 == 0:
            gaps.observe(T, screen)
    told = whole.lines("t")
    assert 0 < len(told) < FEED_LINES
    assert len(gaps.lines("t")) > 3
    assert all(line in told for line in gaps.lines("t")[1:])


def test_the_end_is_told_and_the_feed_is_bounded() -> None:
    feeds = Feeds()
    deal = screens()
    for screen in deal:
        feeds.observe(T, screen)
    picture = deal[-1].picture
    assert picture is not None
    assert feeds.lines("t")[0] == getattr(picture, "texts").banner  # noqa: B009
    assert len(feeds.lines("t")) <= FEED_LINES
    feeds.observe(T, msgspec.structs.replace(deal[0], picture=None, table_id="u"))
    assert feeds.lines("u") == ()
