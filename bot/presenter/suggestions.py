"""Suggestions: what may be done now, ranked by the engine, as one-tap choices."""

from bot.presenter.buttons import choice
from bot.presenter.seated import Seated
from bot.presenter.words import canasta_name, face_sign, pile_noun, signs
from bot.screens import Choice, Style
from bot.texts import Texts
from bot.tokens import Verb, mask_of, wild_at
from engine import legal
from engine.actions import AddToMeld, LayMeld, TakePile
from engine.cards import FACE, Card
from engine.legal import Option
from engine.melds import Kind
from engine.views import SeatView

MOST = 5


def suggestions(t: Texts, place: Seated, view: SeatView) -> tuple[Choice, ...]:
    """The best melds and adds, at most :data:`MOST`; adds to different melds before more of the same."""
    chosen: list[Option] = []
    covered: set[Card] = set()
    for option in legal.options(view):
        # One suggestion a card: the player sees different ideas, not the same one in five lengths.
        if len(chosen) < MOST and not covered & set(option.cards):
            chosen.append(option)
            covered |= set(option.cards)
    return tuple(_suggestion(t, place, view, option) for option in chosen)


def _suggestion(t: Texts, place: Seated, view: SeatView, option: Option) -> Choice:
    _ = t.gettext
    mask = mask_of(view.hand, option.cards)
    wild, place_taken = option.meld.wild_card, option.meld.wild_place
    # The label says where the wild goes, so the token does too and nothing is left to ask.
    named: tuple[str, ...] = ()
    if wild is not None and place_taken is not None and wild in option.cards:
        named = (wild_at(FACE[wild], place_taken),)
    cards = " ".join(
        f"{sign}({face_sign(t, place_taken)})" if card == wild and place_taken is not None else sign
        for card in option.cards
        for sign in [face_sign(t, FACE[card])]
    )
    if isinstance(option.action, AddToMeld):
        number = view.table.numbers[view.side][option.action.meld]
        label = _("Agregar {cards} a #{number}").format(cards=cards, number=number)
        arguments: tuple[str, ...] = (str(option.action.meld), mask, *named)
        verb = Verb.ADD
    else:
        label = _("Bajar {cards}").format(cards=cards)
        arguments = (mask, *named)
        verb = Verb.MELD
    label += _worth(t, place, view, option)
    return choice(label, place.table.id, place.version, verb, *arguments, style=Style.GOOD)


def _worth(t: Texts, place: Seated, view: SeatView, option: Option) -> str:
    if option.kind is Kind.MELD:
        return ""
    before = None
    if isinstance(option.action, AddToMeld):
        before = view.table.kinds[view.side][option.action.meld]
    if before is option.kind:
        return ""
    rules = place.view.rules
    return f" → {canasta_name(t, rules, option.kind)}"


def pile_choices(t: Texts, place: Seated, view: SeatView) -> tuple[Choice, ...]:
    """The ways to take a pile that obliges to use its top, as one-tap choices."""
    _ = t.gettext
    top = view.table.pile_top
    pile = pile_noun(t, view.table.rules)
    found: list[Choice] = []
    for take in legal.pile_uses(view)[:MOST]:
        if take.use is None or top is None:
            continue
        hand_cards = _hand_cards(view, take, top)
        mask = mask_of(view.hand, hand_cards)
        cards = signs(t, (*hand_cards, top))
        if isinstance(take.use, LayMeld):
            label = _("Tomar {pile} y bajar {cards}").format(pile=pile.the, cards=cards)
            found.append(choice(label, place.table.id, place.version, Verb.PILE_MELD, mask, style=Style.GOOD))
        else:
            number = view.table.numbers[view.side][take.use.meld]
            label = _("Tomar {pile} y agregar {cards} a #{number}").format(pile=pile.the, cards=cards, number=number)
            arguments = (str(take.use.meld), mask)
            found.append(choice(label, place.table.id, place.version, Verb.PILE_ADD, *arguments, style=Style.GOOD))
    return tuple(found)


def _hand_cards(view: SeatView, take: TakePile, top: Card) -> tuple[Card, ...]:
    """The cards of the hand among those that the use of the top names."""
    if take.use is None:
        return ()
    left = list(view.hand)
    spared_top = False
    cards: list[Card] = []
    for named in take.use.cards:
        if named.face == FACE[top] and not spared_top:
            spared_top = True
            continue
        card = next(card for card in left if FACE[card] == named.face)
        left.remove(card)
        cards.append(card)
    return tuple(cards)
