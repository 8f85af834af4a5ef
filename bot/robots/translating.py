"""Between the engine's actions and what the compiled search knows as uses and candidates."""

from typing import Any

import numpy as np

from bot.robots.swift import layout as at
from bot.robots.swift.forms import OTHER_TWO, OWN_TWO, number_of
from bot.robots.swift.moves import card_class, wild_after
from bot.robots.swift.workshop import Workshop
from engine.actions import Action, AddToMeld, Discard, DrawStock, LayMeld, NamedCard, TakePile
from engine.cards import IS_WILD, Face


def action_of(use: Any) -> LayMeld | AddToMeld:
    """The engine's action for a use."""
    named = tuple(NamedCard(Face(int(face))) for face in use[at.U_FACES : at.U_FACES + use[at.U_COUNT]])
    return LayMeld(named) if use[at.U_INDEX] == at.NONE else AddToMeld(int(use[at.U_INDEX]), named)


def candidate_of(action: Action, shop: Workshop, deal: Any) -> Any | None:
    """The row of an action for the seat on turn; None where the search does not know the like."""
    row = np.zeros(at.CANDIDATE_SIZE, dtype=np.int64)
    match action:
        case DrawStock():
            row[at.C_KIND] = at.DRAWS
        case TakePile(use=None):
            row[at.C_KIND] = at.TAKES
        case TakePile(use=LayMeld() | AddToMeld() as use):
            row[at.C_KIND] = at.TAKES
            if not _fill(row[at.C_USE :], use, shop, deal):
                return None
        case LayMeld() | AddToMeld():
            row[at.C_KIND] = at.LAYS
            if not _fill(row[at.C_USE :], action, shop, deal):
                return None
        case Discard(card=face):
            row[at.C_KIND], row[at.C_FACE] = at.THROWS, int(face)
        case _:
            row[at.C_KIND] = at.ENDS
    return row


def _fill(use: Any, action: LayMeld | AddToMeld, shop: Workshop, deal: Any) -> bool:
    faces = [int(card.face) for card in action.cards]
    use[at.U_COUNT] = len(faces)
    use[at.U_FACES : at.U_FACES + len(faces)] = faces
    use[at.U_BACK] = at.NONE
    if isinstance(action, LayMeld):
        return _laid(use, faces, shop)
    place = at.MELDS + ((deal[at.TURN] % shop.rules.sides) * at.MOST_MELDS + action.meld) * 2
    return _added(use, action.meld, faces, int(deal[place]), int(deal[place + 1]), shop)


def _laid(use: Any, faces: list[int], shop: Workshop) -> bool:
    book = shop.rules.book
    laid = book.laid(tuple(sorted(faces)))
    if laid == at.NONE:
        return False
    number, wild = number_of(shop.forms, book.melds[laid])
    if wild != at.NONE and wild not in faces:
        # In a set one 2 is as good as another: it is the one that is laid.
        wild = next(face for face in faces if IS_WILD[face])
    use[at.U_INDEX], use[at.U_NUMBER], use[at.U_WILD] = at.NONE, number, wild
    return True


def _added(use: Any, index: int, faces: list[int], number: int, wild: int, shop: Workshop) -> bool:
    if shop.gear.m[number >> 2, at.SHAPE] == at.RUN:
        known = _run_grown(use, faces, number, wild, shop)
    else:
        known = _heap_grown(use, faces, number, wild, shop)
    use[at.U_INDEX] = index
    return known


def _run_grown(use: Any, faces: list[int], number: int, wild: int, shop: Workshop) -> bool:
    """All cards at once: a wild may be needed between others."""
    book, suit = shop.rules.book, number & 3
    # A 2 of the suit may have lain there as a plain one before.
    named = {at.NONE: at.NONE, OWN_TWO: suit * 13 + OWN_TWO} | {_in_first_suit(face, suit): face for face in faces}
    grown = book.grown(shop.forms.numbers[number >> 2], tuple(sorted(_in_first_suit(face, suit) for face in faces)))
    if grown is None:
        return False
    after, back = grown
    form, newest = number_of(shop.forms, book.melds[after])
    use[at.U_NUMBER] = form + suit
    use[at.U_BACK] = at.NONE if back == at.NONE else wild
    use[at.U_WILD] = named.get(newest, wild)
    return True


def _in_first_suit(face: int, suit: int) -> int:
    """A card of a run as it would be if the run were of the first suit; 2s of other suits are all alike."""
    if face == at.JOKER:
        return face
    return face % 13 if face // 13 == suit else OTHER_TWO


def _heap_grown(use: Any, faces: list[int], number: int, wild: int, shop: Workshop) -> bool:
    """Sets and wild melds, card by card."""
    for face in faces:
        kind = card_class(shop.gear.m, number, face)
        form = at.NONE if kind == at.NONE else int(shop.gear.m[number >> 2, at.GROWN + kind])
        if form == at.NONE:
            return False
        if shop.gear.m[number >> 2, at.BACK + kind]:
            use[at.U_BACK] = wild
        wild = wild_after(shop.gear.m, number, wild, kind, face)
        number = form * 4 + (number & 3)
    use[at.U_NUMBER], use[at.U_WILD] = number, wild
    return True
