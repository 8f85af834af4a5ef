"""Positions: a deal in progress written down as data, and what there is to say of one (docs/notation.md).

A position names what matters; the cards that it does not name lie in the stock under the named ones, in the pack's
order. It is what a test, a picture or a player's dispute starts from.
"""

from collections.abc import Sequence

import msgspec

from engine import rows
from engine.cards import CODE, FACE, FACE_CODE, IS_JOKER, IS_WILD, RANK, TWO, Card, Face, pack, sorted_cards
from engine.melds import Meld, kind_of, make_set, make_wild_meld, only_wilds
from engine.notation import parse_named
from engine.pile import barred_card
from engine.policies import PileTaking
from engine.reasons import NotationError
from engine.ruleset import SHORTEST_MELD, Ruleset
from engine.seating import Seating
from engine.state import Deal, Match, Phase, Turn

ELEVEN_UNKNOWN = "..."
"""Stands for a whole muerto of cards left over."""
UNUSED = "unused"


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as it is written; see docs/notation.md for each key."""

    mover: int
    phase: Phase
    hands: tuple[tuple[str, ...], ...]
    melds: tuple[tuple[str, ...], ...] = ()
    pile: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    muertos: tuple[tuple[str, ...], ...] = ()
    taken: tuple[bool | int | str, ...] = ()
    from_pile: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    starter: int = 0
    decks: int = 2


class PositionError(ValueError):
    """A position that cannot be: with the key that is wrong and why."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem


class _Box:
    """The cards that are not placed yet, dealt out by face in the pack's order."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._left: dict[Card, None] = dict.fromkeys(cards)

    def take(self, code: str, key: str) -> Card:
        try:
            face = parse_named(code).face
        except NotationError:
            raise PositionError(key, f"no such card: {code}") from None
        for card in self._left:
            if FACE[card] == face:
                del self._left[card]
                return card
        raise PositionError(key, f"more copies of {code} than the pack has")

    def take_all(self, codes: Sequence[str], key: str) -> tuple[Card, ...]:
        return tuple(self.take(code, key) for code in codes)

    def take_any(self, count: int, key: str) -> tuple[Card, ...]:
        cards = tuple(self._left)[:count]
        if len(cards) < count:
            raise PositionError(key, "not enough cards are left over")
        for card in cards:
            del self._left[card]
        return cards

    def rest(self) -> tuple[Card, ...]:
        return tuple(self._left)


def build_match(rules: Ruleset, seating: Seating, position: Position) -> Match:
    """The match that a position describes.

    Raises:
        PositionError: it cannot be.
    """
    _check(rules, seating, position)
    box = _Box(pack(position.decks, rules.jokers_a_pack))
    sides = range(seating.sides)
    hands = tuple(sorted_cards(box.take_all(hand, "hands")) for hand in position.hands)
    melds = tuple(
        tuple(_read_meld(rules, text, box) for text in row) for row in (position.melds or ((),) * seating.sides)
    )
    pile = box.take_all(position.pile, "pile")
    stock = box.take_all(position.stock, "stock")
    named = [() if muerto == (ELEVEN_UNKNOWN,) else box.take_all(muerto, "muertos") for muerto in position.muertos]
    muertos = tuple(cards or box.take_any(rules.muerto_size, "muertos") for cards in named)
    taken = position.taken or (False,) * seating.sides
    mine = melds[seating.side_of(position.mover)]
    turn = _turn(rules, position, hands[position.mover], mine)
    counts = iter(range(1, 1 + sum(len(row) for row in melds)))
    holders = tuple(_holder(rules, seating, hands, side) if taken[side] == UNUSED else None for side in sides)
    deal = Deal(
        number=0,
        starter=position.starter,
        stock=(*box.rest(), *stock),
        pile=pile,
        hands=hands,
        melds=melds,
        numbers=tuple(tuple(next(counts) for _ in row) for row in melds),
        muertos=muertos,
        taken=tuple(1 if value == UNUSED else int(value) for value in taken),
        muerto_cards=tuple(() if seat is None else hands[seat] for seat in holders),
        muerto_used=tuple(bool(value) and value != UNUSED for value in taken),
        reserve=pack(1, rules.jokers_a_pack, first=2) if rules.uses_third_deck and position.decks == 2 else (),
        turn=turn,
        decks=position.decks,
    )
    return Match(
        rules=rules,
        seating=seating,
        first_starter=position.starter,
        totals=position.scores or (0,) * seating.sides,
        deals=1,
        deal=deal,
    )


def _check(rules: Ruleset, seating: Seating, position: Position) -> None:
    seats, sides = seating.seats, seating.sides
    problems = (
        ("seating", seating not in rules.seatings, f"{rules.id} is not played {seating}"),
        ("mover", not 0 <= position.mover < seats, f"no seat {position.mover}"),
        ("starter", not 0 <= position.starter < seats, f"no seat {position.starter}"),
        ("phase", position.phase is Phase.OVER, "a position is draw or play"),
        ("hands", len(position.hands) != seats, f"{seats} hands are needed"),
        ("melds", bool(position.melds) and len(position.melds) != sides, f"{sides} lists are needed"),
        ("taken", bool(position.taken) and len(position.taken) != sides, f"{sides} values are needed"),
        ("taken", any(isinstance(v, str) and v != UNUSED for v in position.taken), 'true, false, a number or "unused"'),
        ("taken", any(not isinstance(v, str) and v < 0 for v in position.taken), "must not be negative"),
        ("scores", bool(position.scores) and len(position.scores) != sides, f"{sides} values are needed"),
        ("decks", position.decks not in (2, 3), "2 or 3"),
        ("decks", position.decks == 3 and not rules.uses_third_deck, f"{rules.id} has no third deck"),
        ("from_pile", bool(position.from_pile) and position.phase is Phase.DRAW, "nothing has been taken yet"),
        ("muertos", any(not muerto for muerto in position.muertos), "a muerto is not empty"),
    )
    for key, wrong, problem in problems:
        if wrong:
            raise PositionError(key, problem)


def _turn(rules: Ruleset, position: Position, hand: tuple[Card, ...], melds: tuple[Meld, ...]) -> Turn:
    drawn = position.phase is Phase.PLAY
    at_hand = {FACE[card]: card for card in (*(card for meld in melds for card in meld.cards), *hand)}
    taken: list[Card] = []
    for code in position.from_pile:
        card = at_hand.get(parse_named(code).face) if code in FACE_CODE else None
        if card is None:
            raise PositionError("from_pile", f"{code} is neither in the hand nor on the table")
        taken.append(card)
    owes = rules.pile_taking is PileTaking.TOP_THIS_TURN and taken and taken[0] in hand
    return Turn(
        seat=position.mover,
        phase=position.phase,
        drew=drawn and not taken,
        barred=barred_card(rules, taken) if taken and taken[0] in hand else None,
        owed=taken[0] if owes else None,
        all_wild=drawn and all(IS_WILD[card] for card in hand),
    )


def _holder(rules: Ruleset, seating: Seating, hands: Sequence[Sequence[Card]], side: int) -> int:
    """The seat that holds the side's unused muerto: in pairs the one with exactly a muerto's cards."""
    seats = seating.seats_of(side)
    exact = [seat for seat in seats if len(hands[seat]) == rules.muerto_size]
    return exact[0] if exact else max(seats, key=lambda seat: len(hands[seat]))


def _read_meld(rules: Ruleset, text: str, box: _Box) -> Meld:
    words = text.split()
    if len(words) < SHORTEST_MELD:
        raise PositionError("melds", f"no meld: {text}")
    cards = box.take_all(words, "melds")
    named = {card: place for card, word in zip(cards, words, strict=True) if (place := parse_named(word).place)}
    places: dict[Card, Face] = dict(named)
    runs = [run for run in rows.arrangements(cards) if rows.fits(run, places)]
    as_written = [run for run in runs if run.cards == cards]
    if as_written or runs:
        return rows.pick(rules, as_written or runs)
    if only_wilds(cards) and (rules.wild_melds or not rules.sets):
        return make_wild_meld(cards)
    of_twos = only_wilds(cards)
    wilds = [card for card in cards if (IS_JOKER[card] if of_twos else IS_WILD[card])]
    ranks = {RANK[card] for card in cards if card not in wilds}
    if len(ranks) != 1 or len(wilds) > 1:
        raise PositionError("melds", f"no meld: {text}")
    return make_set(cards, TWO if of_twos else ranks.pop(), wilds[0] if wilds else None)


class Situation(msgspec.Struct, frozen=True):
    """What there is to say of a match at one moment, in the notation of positions."""

    mover: int
    phase: str
    hands: list[list[str]]
    melds: list[list[str]]
    kinds: list[list[str]]
    taken: list[bool | int | str]
    score: list[dict[str, int]] | None
    match: dict[str, object] | None


def describe(match: Match) -> Situation:
    """The situation of a match, complete and canonical.

    Raises:
        ValueError: no deal has begun.
    """
    deal = match.deal
    if deal is None:
        raise ValueError("no deal has begun")
    over = deal.scores is not None
    scores = [msgspec.structs.asdict(score) for score in deal.scores] if deal.scores is not None else None
    return Situation(
        mover=deal.turn.seat,
        phase=str(deal.turn.phase),
        hands=[[CODE[card] for card in hand] for hand in deal.hands],
        melds=[[str(meld) for meld in row] for row in deal.melds],
        kinds=[[str(kind_of(match.rules, meld)) for meld in row] for row in deal.melds],
        taken=[_taken(match, deal, side) for side in range(match.seating.sides)],
        score=scores,
        match={"totals": list(match.totals), "winner": match.winner} if over else None,
    )


def _taken(match: Match, deal: Deal, side: int) -> bool | int | str:
    if match.rules.muertos_a_side > 1:
        return deal.taken[side]
    if deal.taken[side] and not deal.muerto_used[side]:
        return UNUSED
    return bool(deal.taken[side])
