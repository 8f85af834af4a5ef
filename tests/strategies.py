"""What tests play with: rule sets, shuffled and stacked packs, a random player, and hypothesis strategies for them."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from engine import legal
from engine.actions import StartDeal
from engine.cards import CODE, FACE_CODE, IS_WILD, Card
from engine.dealing import new_pack, new_reserve
from engine.decide import start_deal
from engine.evolve import evolve_all
from engine.judge import play
from engine.notation import write_action
from engine.position import Position, build_match
from engine.ruleset import Ruleset, parse_ruleset
from engine.seating import Seating
from engine.state import Deal, Match, Phase, new_match
from engine.views import seat_view
from tests.oracle.melds import readings

RULESETS = Path(__file__).parent.parent / "data" / "rulesets"
SEATINGS = tuple(Seating)
PLACES = FACE_CODE[:-1]


@cache
def ruleset(name: str) -> Ruleset:
    """A rule set that ships."""
    return parse_ruleset((RULESETS / f"{name}.toml").read_text(encoding="utf-8"))


def deal_of(match: Match) -> Deal:
    """The deal of a match in which one has begun."""
    assert match.deal is not None
    return match.deal


# packs

Stack = Callable[[random.Random, Seating, list[Card]], list[Card]]


def _fair(rng: random.Random, seating: Seating, pack: list[Card]) -> list[Card]:
    return pack


def _wilds_to_one_hand(rng: random.Random, seating: Seating, pack: list[Card]) -> list[Card]:
    """Eleven wilds for one seat: it has to take the pile."""
    wilds = [card for card in pack if IS_WILD[card]]
    rest = [card for card in pack if not IS_WILD[card]]
    lucky = rng.randrange(seating.seats)
    hands = seating.seats * 11
    top = [wilds.pop() if wilds and n % seating.seats == lucky else rest.pop() for n in range(hands)]
    rest += wilds
    rng.shuffle(rest)
    return top + rest


def _wilds_to_the_muertos(rng: random.Random, seating: Seating, pack: list[Card]) -> list[Card]:
    """Muertos full of wilds, and none in the hands."""
    return sorted(pack, key=lambda card: IS_WILD[card])


def _wilds_on_the_pile(rng: random.Random, seating: Seating, pack: list[Card]) -> list[Card]:
    """A wild hand before a pile of one wild."""
    stacked = _wilds_to_one_hand(rng, seating, pack)
    hands = seating.seats * 11
    at = next((i for i in range(hands, len(stacked)) if IS_WILD[stacked[i]]), hands)
    stacked[hands], stacked[at] = stacked[at], stacked[hands]
    return stacked


def _suits_together(rng: random.Random, seating: Seating, pack: list[Card]) -> list[Card]:
    """Hands that hold one suit each, so that much is laid and muertos are taken early."""
    by_suit = sorted(pack, key=lambda card: (CODE[card][1:], rng.random()))
    blocks = [by_suit[i * 11 : (i + 1) * 11] for i in range(seating.seats)]
    rest = by_suit[seating.seats * 11 :]
    rng.shuffle(rest)
    return [blocks[seat][n] for n in range(11) for seat in range(seating.seats)] + rest


def _ranks_together(rng: random.Random, seating: Seating, pack: list[Card]) -> list[Card]:
    by_rank = sorted(pack, key=lambda card: (CODE[card][0], rng.random()))
    blocks = [by_rank[i * 11 : (i + 1) * 11] for i in range(seating.seats)]
    rest = by_rank[seating.seats * 11 :]
    rng.shuffle(rest)
    return [blocks[seat][n] for n in range(11) for seat in range(seating.seats)] + rest


STACKS: dict[str, Stack] = {
    "fair": _fair,
    "wild hand": _wilds_to_one_hand,
    "wild muertos": _wilds_to_the_muertos,
    "wild hand and pile": _wilds_on_the_pile,
    "suits": _suits_together,
    "ranks": _ranks_together,
}


def shuffled(rules: Ruleset, seating: Seating, rng: random.Random, stack: str = "fair") -> StartDeal:
    """A pack in random order, or stacked."""
    pack, reserve = list(new_pack(rules)), list(new_reserve(rules))
    rng.shuffle(pack)
    rng.shuffle(reserve)
    return StartDeal(tuple(STACKS[stack](rng, seating, pack)), tuple(reserve))


def dealt(rules: Ruleset, seating: Seating, rng: random.Random, stack: str = "fair") -> Match:
    """A match whose first deal has just been dealt."""
    match = new_match(rules, seating, rng.randrange(seating.seats))
    return evolve_all(match, start_deal(match, shuffled(rules, seating, rng, stack)))


def position(
    hands: Sequence[str],
    *,
    phase: str = "draw",
    melds: Sequence[str] = (),
    pile: str = "Qs",
    stock: str = "",
    taken: tuple[bool | str, ...] = (False, False),
    muertos: Sequence[str] = ("...", "..."),
) -> Match:
    """A written position of two players, seat 0 on turn and its melds on the table."""
    written = Position(
        mover=0,
        phase=Phase(phase),
        hands=tuple(tuple(hand.split()) for hand in hands),
        melds=(tuple(melds), ()),
        pile=tuple(pile.split()),
        stock=tuple(stock.split()),
        muertos=tuple(tuple(muerto.split()) for muerto in muertos),
        taken=taken,
    )
    return build_match(ruleset("clasico"), Seating.ONE_ON_ONE, written)


def endgame(rules: Ruleset, seating: Seating, rng: random.Random) -> Match:
    """A position with few cards in the hand on turn, many of them wild, and melds of every shape on the table."""
    left = [CODE[card] for card in new_pack(rules)]
    rng.shuffle(left)
    wilds = [card for card in left if _wild(card)]
    mover = rng.randrange(seating.seats)
    side = seating.side_of(mover)
    hand = [wilds.pop() for _ in range(rng.choice((0, 0, 1, 1, 2, 3, 4)))]
    for card in hand:
        left.remove(card)
    melds: list[list[str]] = [[] for _ in range(seating.sides)]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        melds[side].append(_some_meld(rng, left))
    hand += [left.pop() for _ in range(rng.choice((0, 0, 1, 1, 2, 3, 6)) if hand else rng.choice((1, 2, 3)))]
    taken = [rng.random() < 0.5 for _ in range(seating.sides)]
    muertos = seating.sides - sum(taken) - (rng.random() < 0.1 and not all(taken))
    position = Position(
        mover=mover,
        phase=rng.choice((Phase.PLAY, Phase.PLAY, Phase.PLAY, Phase.DRAW)),
        hands=tuple(
            tuple(hand if seat == mover else [left.pop() for _ in range(rng.randint(1, 4))])
            for seat in range(seating.seats)
        ),
        melds=tuple(tuple(row) for row in melds),
        pile=tuple(left.pop() for _ in range(rng.choice((0, 1, 1, 2, 5)))),
        muertos=tuple(tuple(left.pop() for _ in range(11)) for _ in range(muertos)),
        taken=tuple(taken),
        scores=tuple(rng.choice((0, 2900, 2900, 3100)) for _ in range(seating.sides)),
    )
    return build_match(rules, seating, position)


def _some_meld(rng: random.Random, left: list[str]) -> str:
    """A legal meld taken from the cards left."""
    while True:
        size = rng.choice((3, 4, 5, 6, 7))
        pivot = rng.choice(left)
        shape = rng.choice(("run", "run", "set", "wilds"))
        if shape == "wilds":
            near = [card for card in left if _wild(card)]
        elif shape == "set":
            near = [card for card in left if card[0] == pivot[0]]
        else:
            first = rng.randrange(14)
            near = [rank + pivot[-1] for rank in "A23456789TJQKA"[first : first + size]]
        cards = near[:size]
        if rng.random() < 0.5 and shape != "wilds":
            cards[-1:] = [rng.choice([card for card in left if _wild(card)] or ["JK"])]
        if len(cards) == size and not Counter(cards) - Counter(left):
            found = sorted(reading.text for reading in readings(cards))
            if found:
                for card in cards:
                    left.remove(card)
                return rng.choice(found)


# players


class Player:
    """Plays at random, with the taste of one deal: how often it draws, melds and moves."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.draws = rng.choice((0.1, 0.5, 0.8, 0.95))
        self.lays = rng.choice((0.3, 0.7, 0.95))

    def choose(self, match: Match) -> str:
        """A legal action of the seat on turn."""
        rng = self.rng
        texts = [write_action(action) for action in legal.actions(seat_view(match, deal_of(match).turn.seat))]
        assert texts, "the seat on turn can do nothing"
        if {"draw", "pile"} <= set(texts):
            return "draw" if rng.random() < self.draws else "pile"
        laid = [text for text in texts if text.startswith(("meld", "add"))]
        if laid and rng.random() < self.lays:
            return rng.choice(laid)
        rest = [text for text in texts if not text.startswith("move") or rng.random() < 0.2]
        return rng.choice(rest or texts)

    def attempt(self, match: Match) -> tuple[int, str]:
        """A seat and anything that might be asked for, mostly nonsense."""
        rng = self.rng
        deal = deal_of(match)
        seat = deal.turn.seat
        if deal.turn.phase is not Phase.PLAY and rng.random() < 0.7:
            return self._odd(seat, [CODE[card] for card in deal.hands[seat]], match)
        hand = [CODE[card] for card in deal.hands[seat]]
        mine = deal.melds[match.seating.side_of(seat)]
        kind = rng.choices(("meld", "add", "move", "odd"), (6, 6 if mine else 0, 3 if mine else 0, 3))[0]
        if kind in ("meld", "add") and 0 < len(hand) < 8 and rng.random() < 0.4:  # as much as can be
            naturals = [card for card in hand if not _wild(card)]
            wilds = [card for card in hand if _wild(card)]
            words = rng.choice((hand, naturals, wilds, [*naturals, *wilds[:1]], hand[1:])) or hand
            return seat, f"{'meld' if kind == 'meld' else f'add {rng.randrange(len(mine))}'} {' '.join(words)}"
        if kind == "meld" and len(hand) > 1:
            return seat, "meld " + " ".join(self._named(self._related(hand)))
        if kind == "add" and hand:
            index = rng.randrange(len(mine))
            words = self._named(self._related([*hand, *(CODE[card] for card in mine[index].cards)], hand))
            wild = mine[index].wild_card
            if wild is not None and rng.random() < 0.3:
                words.append(f"{CODE[wild]}={rng.choice(PLACES)}")
            return seat, f"add {index} " + " ".join(words)
        if kind == "move" and mine:
            index = rng.randrange(len(mine))
            meld = mine[index]
            card = meld.wild_card if meld.wild_card is not None and rng.random() < 0.9 else rng.choice(meld.cards)
            low = meld.low + rng.randint(-1, len(meld.cards))
            if meld.suit >= 0 and 1 <= low <= 14 and rng.random() < 0.8:
                return seat, f"move {index} {CODE[card]}={PLACES[meld.suit * 13 + (low - 1) % 13]}"
            return seat, f"move {index} {CODE[card]}={rng.choice(PLACES)}"
        return self._odd(seat, hand, match)

    def _odd(self, seat: int, hand: Sequence[str], match: Match) -> tuple[int, str]:
        rng = self.rng
        other = rng.randrange(match.seating.seats)
        card = rng.choice(FACE_CODE)
        odd: tuple[tuple[int, str], ...] = (
            (seat, "draw"),
            (seat, "pile"),
            (seat, "undo"),
            (seat, "undo"),
            (seat, "end"),
            (seat, f"discard {card}"),
            (seat, f"discard {rng.choice(hand or FACE_CODE)}"),
            (seat, f"discard {rng.choice([card for card in hand if _wild(card)] or FACE_CODE)}"),
            (seat, f"muerto {rng.randrange(3)}"),
            (seat, f"meld {card} {card} {card}"),
            (seat, f"add {rng.randrange(8)} {card}"),
            (seat, f"pile meld {card} {card} {card}"),
            (seat, f"add 0 JK={rng.choice(PLACES)}"),
            (other, "draw"),
            (other, "undo"),
            (other, f"muerto {rng.randrange(3)}"),
            (other, f"discard {card}"),
            (match.seating.seats, "draw"),
        )
        return rng.choice(odd)

    def _related(self, near: Sequence[str], hand: Sequence[str] | None = None) -> list[str]:
        """Cards of a hand that could belong together."""
        rng = self.rng
        held = list(near if hand is None else hand)
        rng.shuffle(held)
        pivot = rng.choice(near)
        same = 1 if rng.random() < 0.6 else 0
        alike = [card for card in held if card[same:] == pivot[same:] or (same == 0 and card[0] == pivot[0])]
        wild = [card for card in held if card not in alike and _wild(card)]
        if same and rng.random() < 0.7:  # a stretch of a run
            alike.sort(key=_by_rank)
            start = rng.randrange(len(alike)) if alike else 0
            alike = alike[start:]
        most = rng.choice((1, 2, 3)) if hand is not None else rng.choice((2, 3, 3, 3, 4, 4, 5, 6, 7, 8))
        chosen = alike[:most]
        if wild and rng.random() < 0.5:
            chosen = [*chosen[: most - 1 or 1], *wild[: rng.choice((1, 1, 1, 2, 3, 7))]]
        return chosen or [rng.choice(held)]

    def _named(self, cards: Sequence[str]) -> list[str]:
        rng = self.rng
        suits = [card[1] for card in cards if card != "JK" and card[0] != "2"] or ["h"]
        ranks = [card[0] for card in cards if card != "JK" and card[0] != "2"] or ["3"]
        words = []
        for card in cards:
            if _wild(card) and rng.random() < 0.3:
                near = "A23456789TJQKA".index(rng.choice(ranks)) + rng.choice((-1, 0, 1, 2))
                words.append(f"{card}={'A23456789TJQKA'[near % 14]}{rng.choice(suits)}")
            else:
                words.append(card)
        return words


def _wild(card: str) -> bool:
    return card == "JK" or card[0] == "2"


def _by_rank(card: str) -> int:
    return "A23456789TJQKJ".index(card[0])


def play_on(match: Match, rng: random.Random, actions: int) -> Match:
    """The match after so many random legal actions, or when the deal is over."""
    player = Player(rng)
    for _ in range(actions):
        if not match.in_play:
            break
        match = play(match, player.choose(match))
    return match


# hypothesis

seeds = st.integers(0, 2**32)
stacks = st.sampled_from(sorted(STACKS))
seatings = st.sampled_from(SEATINGS)
FACES_OF_TWO_PACKS = (*(code for code in FACE_CODE for _ in range(4 if code == "JK" else 2)),)
hands_of_codes = st.lists(st.sampled_from(FACES_OF_TWO_PACKS), min_size=1, max_size=14)


@st.composite
def matches(draw: st.DrawFn, name: str = "clasico", most: int = 250) -> Match:
    """A match somewhere in its first deal."""
    rng = random.Random(draw(seeds))
    match = dealt(ruleset(name), draw(seatings), rng, draw(stacks))
    return play_on(match, rng, draw(st.sampled_from((0, 1, 2, 20, 60, 120, most // 2, most))))
