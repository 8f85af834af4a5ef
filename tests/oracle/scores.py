"""What melds and hands count, added up from the tables of the rules as they are told (``clasico``)."""

from collections.abc import Sequence

from tests.oracle.melds import Reading, is_wild

POINTS = {"JK": 50, "2": 20, "A": 20, **dict.fromkeys("89TJQK", 10), **dict.fromkeys("34567", 5)}
BONUS = {"meld": 0, "dirty": 100, "clean": 200, "aces_dirty": 200, "aces_clean": 500, "wilds": 1500}


def card_points(cards: Sequence[str]) -> int:
    """What cards count."""
    return sum(POINTS[card if card == "JK" else card[0]] for card in cards)


def kind(meld: Reading) -> str:
    """What a meld is worth beyond its cards."""
    if len(meld.cards) < 7:
        return "meld"
    if all(is_wild(card) for card in meld.cards):
        return "wilds"
    clean = all(card == place for card, place in zip(meld.cards, meld.places, strict=True))
    aces = meld.shape == "set" and meld.cards[0][0] == "A"
    return ("aces_" if aces else "") + ("clean" if clean else "dirty")


def side_score(melds: Sequence[Reading], hands: Sequence[Sequence[str]], *, took: bool, closed: bool) -> dict[str, int]:
    """A side's score of a deal, part by part."""
    kinds = [kind(meld) for meld in melds]
    canasta = any(len(meld.cards) == 7 for meld in melds)
    laid = sum(card_points(meld.cards) for meld in melds)
    parts = {
        "cards": laid if canasta else -laid,
        "bonuses": sum(BONUS[name] for name in kinds),
        "hand": -sum(card_points(hand) for hand in hands),
        "muerto": 0 if took else -100,
        "closing": 100 if closed and canasta else 0,
    }
    return {**parts, "total": sum(parts.values())}


def winner(totals: Sequence[int], target: int) -> int | None:
    """The side that has won, once one side alone is ahead with the target reached."""
    best = max(totals)
    ahead = [side for side, total in enumerate(totals) if total == best]
    return ahead[0] if best >= target and len(ahead) == 1 else None
