"""What a deal counts under any rule set, added up from the matrix."""

from collections.abc import Sequence

from engine.ruleset import Ruleset
from tests.oracle.melds import Reading, is_wild


def points(rules: Ruleset, cards: Sequence[str]) -> int:
    """What cards count."""
    table = {"JK": rules.joker_points, "2": rules.two_points, "A": rules.ace_points}
    table |= dict.fromkeys("89TJQK", rules.high_points) | dict.fromkeys("34567", rules.low_points)
    return sum(table[card if card == "JK" else card[0]] for card in cards)


def kinds(rules: Ruleset, meld: Reading) -> list[tuple[str, int]]:
    """All that a meld is, with the bonus; only the best counts."""
    size = len(meld.cards)
    if size < 7:
        return [("meld", 0)]
    if all(is_wild(card) for card in meld.cards) and meld.shape == "wilds":
        return [("wilds", rules.wilds_bonus)]
    stands = "".join("n" if card == place else "w" for card, place in zip(meld.cards, meld.places, strict=True))
    aces = meld.shape == "set" and size == 7 and meld.cards[0][0] == "A"
    if "w" not in stands:
        found = [("clean", rules.clean_bonus)]
        if meld.shape == "run":
            found += [("real", rules.real_bonus)] * (size == 13) + [("ace_to_ace", rules.ace_to_ace_bonus)] * (
                size > 13
            )
        return found + [("aces_clean", rules.clean_aces_bonus)] * aces
    found = [("dirty", rules.dirty_bonus)] + [("aces_dirty", rules.dirty_aces_bonus)] * aces
    semi = size >= 8 if meld.shape == "set" else "n" * 7 in stands
    return found + [("semi", rules.semi_clean_bonus)] * semi


def kind(rules: Ruleset, meld: Reading) -> tuple[str, int]:
    """The best of what a meld is."""
    return max(kinds(rules, meld), key=lambda found: found[1])


def side_score(
    rules: Ruleset,
    melds: Sequence[Reading],
    hands: Sequence[Sequence[str]],
    *,
    took: bool,
    used: bool,
    anybody_took: bool,
    closed: bool,
) -> dict[str, int]:
    """A side's score of a deal, part by part."""
    canasta = any(len(meld.cards) >= 7 for meld in melds)
    laid = sum(points(rules, meld.cards) for meld in melds)
    if took:
        pays = not used and rules.unused_muerto == "penalty_and_hand"
    else:
        pays = anybody_took or rules.muerto_penalty_when == "always"
    parts = {
        "cards": laid if canasta or rules.melds_without_canasta == "count" else -laid,
        "bonuses": sum(kind(rules, meld)[1] for meld in melds),
        "hand": -sum(points(rules, hand) for hand in hands),
        "muerto": -100 if pays else 0,
        "closing": 100 if closed and (canasta or not rules.closing_bonus_needs_canasta) else 0,
    }
    return {**parts, "total": sum(parts.values())}


def winner(rules: Ruleset, totals: Sequence[int], first_side: int) -> int | None:
    """The side that has won the match."""
    best = max(totals)
    ahead = [side for side, total in enumerate(totals) if total == best]
    if rules.target and best < rules.target:
        return None
    if len(ahead) == 1:
        return ahead[0]
    return first_side if rules.tie == "first_starter" and first_side in ahead else None
