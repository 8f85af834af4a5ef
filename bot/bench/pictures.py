"""Pictures: how long each kind takes to draw and how many bytes it has, over the moments of a deal."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from bot import rulesets
from bot.bench.deals import random_deal
from bot.bench.stores import playing
from bot.bench.timing import cost_of
from bot.model import Person
from bot.pictures import CardRow, CardsPicture, HandPicture, Renderer, TablePicture
from bot.screening import private_screen, public_screen
from bot.store import Record
from engine.seating import Seating

_PEOPLE: Final = ("Ana", "Bruno", "Carla", "Diego")


def picture_rows(renderer: Renderer, rounds: int, seconds: float) -> Iterator[dict[str, Any]]:
    """A row for each kind, with what a screen takes that is drawn from the same moments."""
    moments = list(_moments())
    people = {name: Person(id=name, name=name) for name in _PEOPLE}
    tables = [public_screen(record).picture for record in moments]
    hands = [_hand_of(record, people) for record in moments]
    rows = [CardsPicture("", (CardRow(hand.groups[0]),), "JKR") for hand in hands if hand.groups]
    drawn: tuple[tuple[str, Callable[[Any], bytes], Sequence[Any]], ...] = (
        ("table", renderer.table, [picture for picture in tables if isinstance(picture, TablePicture)]),
        ("hand", renderer.hand, hands),
        ("cards", renderer.cards, rows),
    )
    for kind, draw, pictures in drawn:
        sizes = sorted(len(draw(picture)) for picture in pictures)
        cost = cost_of(lambda draw=draw, pictures=pictures: [draw(one) for one in pictures], rounds, seconds)  # type: ignore[misc]
        yield {
            "kind": kind,
            "ms": round(1000 * cost.cpu / len(pictures), 2),
            "wall_ms": round(1000 * cost.wall / len(pictures), 2),
            "bytes": sizes[len(sizes) // 2],
            "most_bytes": sizes[-1],
        }
    screens: tuple[tuple[str, Callable[[Record], object]], ...] = (
        ("table's screen, without its picture", public_screen),
        ("hand's screen, without its picture", lambda record: private_screen(record, people[_mover(record)])),
    )
    for kind, make in screens:
        cost = cost_of(lambda make=make: [make(record) for record in moments], rounds, seconds)  # type: ignore[misc]
        yield {
            "kind": kind,
            "ms": round(1000 * cost.cpu / len(moments), 3),
            "wall_ms": round(1000 * cost.wall / len(moments), 3),
            "bytes": 0,
            "most_bytes": 0,
        }


def _moments() -> Iterator[Record]:
    """Every eighth moment of some deals."""
    rules = rulesets.load("clasico")
    for seed in range(2):
        deal = random_deal(rules, Seating.TWO_PAIRS, seed)
        table = playing(f"p{seed}", rules, _PEOPLE)
        for number, step in enumerate(deal.steps[::8]):
            yield Record(table, number, step.after)


def _mover(record: Record) -> str:
    deal = None if record.match is None else record.match.deal
    return _PEOPLE[0 if deal is None else deal.turn.seat]


def _hand_of(record: Record, people: dict[str, Person]) -> HandPicture:
    screen = private_screen(record, people[_mover(record)])
    if screen is None or not isinstance(screen.picture, HandPicture):
        raise AssertionError("whoever is on turn holds a hand")
    return screen.picture
