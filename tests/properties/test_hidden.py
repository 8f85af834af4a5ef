"""Nothing hidden shows: what a seat sees stays byte for byte the same when everything hidden from it is dealt anew."""

import random
from collections.abc import Iterable, Sequence

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from engine import legal
from engine.cards import BACK, Card, sorted_cards
from engine.judge import play
from engine.notation import write_action
from engine.reasons import IllegalAction
from engine.state import Checkpoint, Deal, Match
from engine.views import public_view, seat_view
from tests.strategies import Player, deal_of, matches, seeds

Hidden = list[tuple[Card, bool]]
"""Cards that a seat does not see, with whether their back is seen."""


def hidden_from(match: Match, seat: int | None) -> Hidden:
    """Every card that a seat (None: somebody beside the table) does not see.

    Backs in hands and on top of stock and muertos are public; inside stock, muertos and pile nothing is. The third
    deck is one pack, in which every back is the same.
    """
    deal = deal_of(match)
    cards: Hidden = [(card, True) for other, hand in enumerate(deal.hands) if other != seat for card in hand]
    for heap in (deal.stock, *deal.muertos):
        cards += [(card, i == len(heap) - 1) for i, card in enumerate(heap)]
    cards += [(card, False) for card in deal.pile[:-1]]
    return cards + [(card, True) for card in deal.reserve]


def dealt_anew(rng: random.Random, cards: Hidden) -> dict[Card, Card]:
    """A shuffle of hidden cards that keeps every back which is seen."""
    places = [card for card, _ in cards]
    for back in range(3):  # within a back everything may change places
        same = [i for i, card in enumerate(places) if BACK[card] == back]
        values = [places[i] for i in same]
        rng.shuffle(values)
        for i, value in zip(same, values, strict=True):
            places[i] = value
    covered = [i for i, (_, seen) in enumerate(cards) if not seen]  # where no back is seen, backs may too
    values = [places[i] for i in covered]
    rng.shuffle(values)
    for i, value in zip(covered, values, strict=True):
        places[i] = value
    return {card: place for (card, _), place in zip(cards, places, strict=True)}


def with_other_cards(match: Match, other: dict[Card, Card]) -> Match:
    """The match with cards exchanged wherever they lie, and in what only the seat on turn knows of its own hand.

    What was told of the plays is left alone: it names only cards that everybody saw.
    """

    def swap(cards: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(other.get(card, card) for card in cards)

    def back_to(checkpoint: Checkpoint) -> Checkpoint:
        return msgspec.structs.replace(
            checkpoint,
            hand=sorted_cards(swap(checkpoint.hand)),
            muerto_cards=swap(checkpoint.muerto_cards),
            new=swap(checkpoint.new),
        )

    deal = deal_of(match)
    turn = msgspec.structs.replace(
        deal.turn, new=swap(deal.turn.new), undo=tuple(back_to(checkpoint) for checkpoint in deal.turn.undo)
    )
    changed: Deal = msgspec.structs.replace(
        deal,
        hands=tuple(sorted_cards(swap(hand)) for hand in deal.hands),
        stock=swap(deal.stock),
        pile=swap(deal.pile),
        muertos=tuple(swap(muerto) for muerto in deal.muertos),
        muerto_cards=tuple(swap(cards) for cards in deal.muerto_cards),
        reserve=swap(deal.reserve),
        turn=turn,
    )
    return msgspec.structs.replace(match, deal=changed)


def all_that_a_seat_gets(match: Match, seat: int) -> bytes:
    """The view of a seat and every hint that is worked out from it."""
    view = seat_view(match, seat)
    hints = (
        [write_action(action) for action in legal.actions(view)],
        legal.discards(view),
        legal.draw_problem(view),
        legal.pile_problem(view),
        [write_action(use) for use in legal.pile_uses(view)],
        legal.options(view),
        legal.moves(view),
        legal.can_end(view),
    )
    return msgspec.json.encode((view, hints))


@given(matches(), seeds)
def test_a_seat_sees_nothing_hidden(match: Match, seed: int) -> None:
    """Every seat's view and hints, with hands of others, stock, muertos, covered pile and third deck dealt anew."""
    for seat in range(match.seating.seats):
        other = dealt_anew(random.Random(seed), hidden_from(match, seat))
        changed = with_other_cards(match, other)
        assert all_that_a_seat_gets(changed, seat) == all_that_a_seat_gets(match, seat)
        assert changed != match


@given(matches(), seeds)
def test_the_public_sees_nothing_hidden(match: Match, seed: int) -> None:
    """The public view, with every hand dealt anew as well."""
    changed = with_other_cards(match, dealt_anew(random.Random(seed), hidden_from(match, None)))
    assert msgspec.json.encode(public_view(changed)) == msgspec.json.encode(public_view(match))
    assert changed != match


@given(matches(), seeds)
def test_own_cards_do_show(match: Match, seed: int) -> None:
    """The test can fail: what a seat holds changes its view."""
    seat = deal_of(match).turn.seat
    hand = deal_of(match).hands[seat]
    stock = deal_of(match).stock
    if hand and stock:
        changed = with_other_cards(match, {hand[0]: stock[0], stock[0]: hand[0]})
        assert all_that_a_seat_gets(changed, seat) != all_that_a_seat_gets(match, seat)


def _answers(match: Match, seat: int, texts: Sequence[str]) -> list[str]:
    answers = []
    for text in texts:
        try:
            play(match, f"{seat}: {text}")
        except IllegalAction as refusal:
            answers.append(f"{refusal.reason} {dict(refusal.facts)}")
        else:
            answers.append("done")
    return answers


@given(matches(), seeds, st.data())
def test_refusals_tell_nothing_hidden(match: Match, seed: int, data: st.DataObject) -> None:
    """Whether an action is allowed, and why not, never depends on what the asking seat does not see."""
    player = Player(random.Random(seed))
    texts = [player.attempt(match)[1] for _ in range(8)] if match.in_play else ["draw", "pile", "undo"]
    seat = data.draw(st.integers(0, match.seating.seats - 1))
    changed = with_other_cards(match, dealt_anew(random.Random(seed), hidden_from(match, seat)))
    assert _answers(changed, seat, texts) == _answers(match, seat, texts)
