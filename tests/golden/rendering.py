"""A deal as text: every action, its events, and each line of each view that it changed."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from engine import legal
from engine.actions import StartDeal
from engine.cards import BACK, CARDS_A_PACK, CODE, JOKER, Card, codes, parse_face
from engine.decide import decide, start_deal
from engine.events import DealStarted, Event
from engine.evolve import evolve_all
from engine.judge import play
from engine.notation import parse_action, write_action
from engine.reasons import IllegalDeal
from engine.ruleset import Ruleset
from engine.seating import Seating
from engine.state import Ended, Match, Play, new_match
from engine.views import PublicView, SeatView, public_view, seat_view
from tests.strategies import Player, deal_of, ruleset, shuffled


@dataclass
class Script:
    """What a golden deal is made of; the rest of the file follows from it."""

    ruleset: str
    seating: Seating
    starter: int
    chance: StartDeal
    actions: list[str]


def with_back(card: Card) -> str:
    """A physical card: its face and its back, 0 to 2."""
    return f"{CODE[card]}{BACK[card]}"


def read_cards(text: str) -> tuple[Card, ...]:
    """Physical cards, in the order of the file; the two jokers of a pack in turn."""
    jokers: Counter[int] = Counter()
    cards = []
    for word in text.split():
        face, back = parse_face(word[:-1]), int(word[-1])
        number = int(face)
        if face == JOKER:
            number += jokers[back]
            jokers[back] += 1
        cards.append(Card(back * CARDS_A_PACK + number))
    return tuple(cards)


def read_script(text: str) -> Script:
    """The script of a golden file."""
    lines = text.splitlines()
    head = {key: rest.strip() for key, _, rest in (line.partition(":") for line in lines[:5])}
    actions = [line.split(": ", 1)[1] for line in lines if line.startswith("== ")]
    chance = StartDeal(read_cards(head["pack"]), read_cards(head["reserve"]))
    return Script(head["ruleset"], Seating(head["seating"]), int(head["starter"]), chance, actions)


def render(script: Script) -> str:
    """The whole file."""
    rules = ruleset(script.ruleset)
    lines = [
        f"ruleset: {script.ruleset}",
        f"seating: {script.seating}",
        f"starter: {script.starter}",
        f"pack: {' '.join(with_back(card) for card in script.chance.pack)}",
        f"reserve: {' '.join(with_back(card) for card in script.chance.reserve)}".strip(),
    ]
    match = new_match(rules, script.seating, script.starter)
    events = start_deal(match, script.chance)
    seen: dict[str, str] = {}
    lines += _step(match := evolve_all(match, events), events, seen)
    for number, text in enumerate(script.actions, 1):
        seat = deal_of(match).turn.seat
        lines.append(f"== {number} seat {seat}: {text}")
        _, action = parse_action(text)
        events = decide(match, seat, action)
        match = evolve_all(match, events)
        lines += _step(match, events, seen)
    return "\n".join(lines) + "\n"


def _step(match: Match, events: tuple[Event, ...], seen: dict[str, str]) -> Iterator[str]:
    for event in events:
        if not isinstance(event, DealStarted):  # it only says again what the pack says
            yield f"! {msgspec.json.encode(event).decode()}"
    seats = range(match.seating.seats)
    views = [seat_view(match, seat) for seat in seats]
    assert all(view.table == public_view(match) for view in views)
    now = {**_public(public_view(match)), **{f"seat {view.seat}": _private(view) for view in views}}
    for label, text in now.items():
        if seen.get(label) != text:
            yield f"{label}: {text}".rstrip()
    seen.clear()
    seen.update(now)


def _public(view: PublicView) -> dict[str, str]:
    sides = range(view.seating.sides)
    lines = {
        "turn": f"{view.mover} {view.phase} {view.choosing or ''}",
        "backs": " ".join("/".join(map(str, hand.backs)) for hand in view.hands),
        **{f"melds {side}": _melds(view, side) for side in sides},
        "pile": f"{view.pile_count} {' '.join(with_back(card) for card in view.pile)}",
        "stock": f"{view.stock_count} back {view.stock_back}, {view.decks} decks",
        "muertos": " ".join(f"{muerto.count}x{muerto.back}" for muerto in view.muertos),
        "taken": " ".join(map(str, view.taken)),
        "idle": str(view.turns_without_draw),
        "plays": "; ".join(_play(play) for play in view.plays),
        "before": "; ".join(_play(play) for play in view.last_plays),
        "totals": " ".join(map(str, view.totals)),
        "deal": f"{view.number} from {view.starter}",
    }
    if view.ended is not None:
        lines["ended"] = f"{view.ended} by {view.closer}, winner {view.winner}"
    if view.scores is not None:
        lines |= {f"score {side}": str(msgspec.structs.asdict(view.scores[side])) for side in sides}
    return lines


def _melds(view: PublicView, side: int) -> str:
    rows = zip(view.numbers[side], view.melds[side], view.kinds[side], strict=True)
    return " | ".join(f"#{number} {meld}" + ("" if kind == "meld" else f" ({kind})") for number, meld, kind in rows)


def _play(play: Play) -> str:
    cards = " ".join(with_back(card) for card in play.cards)
    return " ".join(filter(None, (str(play.seat), str(play.kind), cards, f"m{play.meld}" if play.meld >= 0 else "")))


def _private(view: SeatView) -> str:
    flags = [
        f"new {codes(view.new)}" if view.new else "",
        f"barred {CODE[view.barred]}" if view.barred is not None else "",
        f"owed {CODE[view.owed]}" if view.owed is not None else "",
        "all wild" if view.all_wild else "",
        "discarded" if view.discarded else "",
        f"undo {view.undo.kind}" if view.undo is not None else "",
    ]
    offers = Counter(write_action(action).split()[0] for action in legal.actions(view))
    flags.append("may " + ", ".join(f"{verb} {count}" for verb, count in sorted(offers.items())) if offers else "")
    return "; ".join(filter(None, (" ".join(with_back(card) for card in view.hand), *flags)))


def compose(name: str, seating: Seating) -> Script:
    """A new golden deal: the first random one of a fair length in which a muerto is taken and somebody closes."""
    best: Script | None = None
    for seed in range(400):
        script, match = _random_deal(ruleset(name), seating, random.Random(f"{name} {seating} {seed}"))
        verbs = Counter(text.split()[0] for text in script.actions)
        if best is None or len(script.actions) < len(best.actions):
            best = script
        good = deal_of(match).ended is Ended.CLOSED and any(
            meld.is_canasta for row in deal_of(match).melds for meld in row
        )
        if good and 60 <= len(script.actions) <= 140 and {"meld", "add", "pile", "draw"} <= verbs.keys():
            return script
    assert best is not None
    return best


def _random_deal(rules: Ruleset, seating: Seating, rng: random.Random) -> tuple[Script, Match]:
    starter = rng.randrange(seating.seats)
    match = new_match(rules, seating, starter)
    while True:
        chance = shuffled(rules, seating, rng)
        try:
            match = evolve_all(match, start_deal(match, chance))
        except IllegalDeal:  # a wild was turned up where that is dealt again
            continue
        break
    player = Player(rng)
    player.lays = 0.95
    actions: list[str] = []
    while match.in_play:
        actions.append(player.choose(match))
        match = play(match, actions[-1])
    return Script(rules.id, seating, starter, chance, actions), match
