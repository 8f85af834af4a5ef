"""Which melds lie in a hand, and which of its cards go on a meld: found fast, never all combinations.

Every run that the hand holds, clean or with one wild in its gap or at its ends; sets whole, with one card kept back,
and of three; each with and without a wild; wild melds. A wild in the place of a card that is also held is left to the
player's own choice. What is listed is a *candidate*: :mod:`engine.arrange` judges it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from engine.cards import (
    ACE,
    FACE,
    HIGH_ACE,
    IS_JOKER,
    IS_TWO,
    IS_WILD,
    RANK,
    SUIT,
    TWO,
    Card,
)
from engine.melds import Meld, Shape
from engine.ruleset import HIGHEST_RUN, SHORTEST_MELD, Melding, Ruleset

Cards = tuple[Card, ...]
AllCards = tuple[Cards, ...]

_HANDS_KEPT: Final = 256
_PARTS_KEPT: Final = 8192
"""Suits and ranks of hands whose melds are remembered."""


def candidate_melds(rules: Ruleset, hand: Sequence[Card]) -> list[Cards]:
    """The cards of every meld worth asking for in a hand, each once by its faces."""
    return list(_candidates(rules.melding, tuple(hand)))


@lru_cache(maxsize=_HANDS_KEPT)
def _candidates(rules: Melding, hand: Cards) -> AllCards:
    suits: tuple[list[Card], ...] = ([], [], [], [])
    ranks: dict[int, list[Card]] = {}
    wild_by_face: dict[int, Card] = {}
    for card in hand:
        if IS_WILD[card]:
            wild_by_face[FACE[card]] = card
        if not IS_JOKER[card]:
            suits[SUIT[card]].append(card)
            ranks.setdefault(RANK[card], []).append(card)
    wilds = tuple(wild_by_face.values())
    found: list[Cards] = []
    # A card that comes or goes changes one suit and one rank: what is known of the others stays.
    for suit in suits:
        if len(suit) + bool(wilds) >= rules.shortest_run:
            found += _runs(rules, tuple(suit), wilds)
    if rules.sets:
        for rank in sorted(ranks):
            cards = ranks[rank]
            if len(cards) > 1 and (rank != TWO or rules.sets_of_twos):
                found += _sets(rules, tuple(cards), wilds)
    if rules.wild_melds and wilds:
        found += _wild_melds(rules, hand)
    return tuple(found)


def forget_melds(*, parts: bool = True) -> None:
    """Forget the melds of every hand, and with ``parts`` those of every suit and rank too: for measuring."""
    _candidates.cache_clear()
    if parts:
        _runs.cache_clear()
        _sets.cache_clear()


def melds_with(rules: Ruleset, hand: Sequence[Card], card: Card) -> list[Cards]:
    """The candidate melds that use ``card`` itself, which is in ``hand``."""
    # Only what can lie beside the card is looked at: a hand that took a big pile holds hundreds of other melds.
    beside = [
        other
        for other in hand
        if IS_WILD[card] or IS_WILD[other] or SUIT[other] == SUIT[card] or RANK[other] == RANK[card]
    ]
    return [swapped for cards in candidate_melds(rules, beside) for swapped in _with_card(cards, card)]


def adds_with(rules: Ruleset, meld: Meld, hand: Sequence[Card], card: Card) -> list[Cards]:
    """The candidate adds to ``meld`` that use ``card`` itself, which is in ``hand``."""
    return [swapped for cards in candidate_adds(rules, meld, hand) for swapped in _with_card(cards, card)]


def _with_card(cards: Cards, card: Card) -> Iterator[Cards]:
    if card in cards:
        yield cards
        return
    for i, other in enumerate(cards):
        if FACE[other] == FACE[card]:
            yield (*cards[:i], card, *cards[i + 1 :])
            return


def _one_of_each_face(cards: Iterable[Card]) -> Cards:
    return tuple({FACE[card]: card for card in cards}.values())


@lru_cache(maxsize=4096)
def _windows(mask: int, shortest: int, longest: int) -> tuple[tuple[int, int, int], ...]:
    """Runs in a 14-bit mask of held places (bit 1: low ace … bit 14: high ace): (low, size, missing place or 0)."""
    found: list[tuple[int, int, int]] = []
    for low in range(ACE, HIGH_ACE + 1):
        missing = 0
        gaps = 0
        for place in range(low, min(HIGH_ACE, low + longest - 1) + 1):
            if not mask >> place & 1:
                gaps += 1
                if gaps > 1:
                    break
                missing = place
            if place - low + 1 >= shortest:
                found.append((low, place - low + 1, missing))
    return tuple(found)


@lru_cache(maxsize=_PARTS_KEPT)
def _runs(rules: Melding, cards: Cards, wilds: Cards) -> AllCards:
    """The runs of the cards of one suit."""
    held: dict[int, Card] = {}
    second_ace: Card | None = None
    for card in cards:
        if RANK[card] == ACE and ACE in held:
            second_ace = card
        held.setdefault(RANK[card], card)
    if set(held) == {TWO}:
        return ()
    mask = sum(1 << place for place in held)
    if ACE in held:
        mask |= 1 << HIGH_ACE
    found: list[Cards] = []
    for low, size, missing in _windows(mask, rules.shortest_run, rules.longest_run):
        both_aces = size == HIGHEST_RUN and missing not in (ACE, HIGH_ACE)
        if both_aces and (second_ace is None or not rules.ace_to_ace):
            continue
        places = [place for place in range(low, low + size) if place != missing]
        row = tuple([_at(held, second_ace if both_aces else None, place) for place in places])
        if not missing:
            found.append(row)
            continue
        if size < rules.run_takes_wild_from or all(IS_WILD[card] for card in row):
            continue
        for wild in wilds:
            if wild not in row:
                found.append((*row, wild))
            else:
                second = next((c for c in cards if FACE[c] == FACE[wild] and c != wild), None)
                if second is not None:
                    found.append((*row, second))
    return tuple(found)


def _at(held: dict[int, Card], second_ace: Card | None, place: int) -> Card:
    if place == HIGH_ACE:
        return held[ACE] if second_ace is None else second_ace
    return held[place]


@lru_cache(maxsize=_PARTS_KEPT)
def _sets(rules: Melding, naturals: Cards, wilds: Cards) -> AllCards:
    """The sets of the cards of one rank."""
    joining = tuple(card for card in wilds if IS_JOKER[card]) if RANK[naturals[0]] == TWO else wilds
    found: list[Cards] = []
    for cards in _selections(naturals, rules.most):
        if len(cards) >= SHORTEST_MELD:
            found.append(cards)
        if 2 <= len(cards) < rules.most:
            found += [(*cards, wild) for wild in joining]
    return tuple(found)


def _selections(naturals: Cards, most: int) -> Iterator[Cards]:
    """All of them, all but one of each face, and every three and pair of different faces."""
    seen: set[tuple[int, ...]] = set()
    count = len(naturals)
    for size in sorted({min(count, most), min(count - 1, most), 3, 2}, reverse=True):
        if not 2 <= size <= count:
            continue
        for cards in combinations(naturals, size):
            faces = tuple(FACE[card] for card in cards)
            if faces not in seen:
                seen.add(faces)
                yield cards


def _wild_melds(rules: Melding, hand: Cards) -> Iterator[Cards]:
    twos = [card for card in hand if IS_TWO[card]]
    jokers = [card for card in hand if IS_JOKER[card]]
    seen: set[tuple[int, ...]] = set()
    for order in ([*twos, *jokers], [*jokers, *twos]):
        for size in range(SHORTEST_MELD, min(len(order), rules.most) + 1):
            cards = tuple(order[:size])
            faces = tuple(sorted(FACE[card] for card in cards))
            if faces not in seen:
                seen.add(faces)
                yield cards


def candidate_adds(rules: Ruleset, meld: Meld, hand: Sequence[Card]) -> list[Cards]:
    """The cards of every add to ``meld`` worth asking for: one by one, as far as a chain leads, with a wild."""
    closes = rules.meld_closes_at
    room = (closes or HIGHEST_RUN + 1) - len(meld.cards)
    if room <= 0:
        return []
    wilds = _one_of_each_face(card for card in hand if IS_WILD[card])
    match meld.shape:
        case Shape.WILDS:
            return _some_of([card for card in hand if IS_WILD[card]], room)
        case Shape.SET:
            naturals = [card for card in hand if RANK[card] == meld.low]
            found = _some_of(naturals, room)
            joining = [w for w in wilds if IS_JOKER[w] or meld.low != TWO]
            if meld.wild < 0 and room:
                found += [(wild,) for wild in joining]
                found += [(*cards, wild) for cards in _some_of(naturals, room - 1)[-1:] for wild in joining]
            return found
        case Shape.RUN:
            return _run_adds(meld, hand, wilds, room)


def _some_of(cards: Sequence[Card], room: int) -> list[Cards]:
    """Each single face, then growing heaps of all."""
    singles = [(card,) for card in _one_of_each_face(cards)] if room else []
    heaps = [tuple(cards[:size]) for size in range(2, min(len(cards), room) + 1)]
    return [*singles, *heaps]


def _run_adds(meld: Meld, hand: Sequence[Card], wilds: Cards, room: int) -> list[Cards]:
    suit = meld.suit
    held: dict[int, Card] = {}
    for card in hand:
        if SUIT[card] == suit:
            held.setdefault(RANK[card], card)
            if RANK[card] == ACE:
                held[HIGH_ACE] = card
    low, high = meld.low, meld.low + len(meld.cards) - 1
    inside = [held[place] for place in range(low, high + 1) if place in held and place == low + meld.wild]
    down = _chain(held, range(low - 1, 0, -1))
    up = _chain(held, range(high + 1, HIGH_ACE + 1))
    stems: list[Cards] = [()]
    stems += [tuple(up[:n]) for n in range(1, len(up) + 1)]
    stems += [tuple(down[:n]) for n in range(1, len(down) + 1)]
    if up and down:
        stems += [(*down, up[0]), (*up, down[0]), (*up, *down)]
    found: list[Cards] = [stem for stem in stems if stem]
    found += [(*inside, *stem) for stem in stems if inside]
    # A wild, new or the one that is there, bridges one gap to the next cards held.
    beyond = _chain(held, range(high + len(up) + 2, HIGH_ACE + 1))
    below = _chain(held, range(low - len(down) - 2, 0, -1))
    bridged = [(*up, *beyond[:n]) for n in range(1, len(beyond) + 1)]
    bridged += [(*down, *below[:n]) for n in range(1, len(below) + 1)]
    if meld.wild >= 0:
        found += bridged
        home = held.get(TWO)
        if home is not None and low == TWO + 1:
            found += [(home, *stem) for stem in stems]
        if IS_TWO[meld.cards[meld.wild]] and SUIT[meld.cards[meld.wild]] == suit:
            found += [(*stem, wild) for stem in stems for wild in wilds if wild not in stem]
    else:
        found += [(*stem, wild) for stem in (*stems, *bridged) for wild in wilds if wild not in stem]
    return [cards for cards in dict.fromkeys(found) if len(set(cards)) == len(cards) <= room]


def _chain(held: dict[int, Card], places: Iterable[int]) -> list[Card]:
    chain: list[Card] = []
    for place in places:
        card = held.get(place)
        if card is None:
            break
        chain.append(card)
    return chain
