"""Sample scenes: pictures of tables and hands as the application would ask for them."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from bot.pictures import HandPicture, Line, SideTexts, SuitColours, TablePicture, TableTexts
from engine.cards import BACK, CARDS_A_PACK, FACE, FACE_CODE, IS_JOKER, IS_WILD, RANK, SUIT, Card, parse_face
from engine.melds import Kind, Meld, Shape, kind_of, make_set, make_wild_meld
from engine.policies import PileShown
from engine.ruleset import Ruleset, parse_ruleset
from engine.seating import Seating
from engine.state import Ended, Phase, Play, PlayKind
from engine.views import HandBacks, MuertoBack, PublicView

RIBBONS: Final = {
    Kind.DIRTY: "SUCIA",
    Kind.SEMI: "SEMILIMPIA",
    Kind.CLEAN: "LIMPIA",
    Kind.REAL: "REAL",
    Kind.ACE_TO_ACE: "AS A AS",
    Kind.ACES_CLEAN: "ASES LIMPIA",
    Kind.ACES_DIRTY: "ASES SUCIA",
    Kind.WILDS: "COMODINES",
}


@cache
def rules(*, open_pile: bool = False, **changed: Any) -> Ruleset:
    """The classic rule set, with fields changed."""
    base = parse_ruleset(files("data").joinpath("rulesets", "clasico.toml").read_text(encoding="utf-8"))
    return msgspec.structs.replace(base, pile_shown=PileShown.ALL if open_pile else PileShown.TOP, **changed)


class Cards:
    """The cards of three packs, handed out by their faces so that none lies twice."""

    def __init__(self) -> None:
        self._left: list[Card] = [Card(n) for n in range(3 * CARDS_A_PACK)]

    def card(self, code: str) -> Card:
        face = parse_face(code)
        card = next(card for card in self._left if FACE[card] == face)
        self._left.remove(card)
        return card

    def cards(self, codes: str) -> tuple[Card, ...]:
        return tuple(self.card(code) for code in codes.split())

    def run(self, codes: str) -> Meld:
        """A run; a wild is written ``2s=5h``."""
        cards, wild, places = [], -1, []
        for n, code in enumerate(codes.split()):
            own, _, stands = code.partition("=")
            cards.append(self.card(own))
            wild = n if stands else wild
            places.append(parse_face(stands or own))
        low = int(places[0]) % 13 + 1
        return Meld(Shape.RUN, tuple(cards), low, wild)

    def set(self, codes: str, wild: str | None = None) -> Meld:
        cards = self.cards(codes)
        extra = None if wild is None else self.card(wild)
        return make_set(cards if extra is None else (*cards, extra), RANK[cards[0]], extra)

    def wilds(self, codes: str) -> Meld:
        return make_wild_meld(self.cards(codes))


def view_of(ruleset: Ruleset, seating: Seating, melds: Iterable[Iterable[Meld]], **changed: Any) -> PublicView:
    """A view with melds, numbered side by side, and plain values for the rest."""
    laid = tuple(tuple(side) for side in melds)
    numbers, last = [], 0
    for side in laid:
        numbers.append(tuple(range(last + 1, last + 1 + len(side))))
        last += len(side)
    fields: dict[str, Any] = {
        "rules": ruleset,
        "seating": seating,
        "number": 2,
        "starter": 0,
        "totals": (0,) * seating.sides,
        "mover": 0,
        "phase": Phase.DRAW,
        "choosing": None,
        "hands": (HandBacks((6, 5, 0)),) * seating.seats,
        "melds": laid,
        "numbers": tuple(numbers),
        "kinds": tuple(tuple(kind_of(ruleset, meld) for meld in side) for side in laid),
        "pile": (),
        "pile_count": 0,
        "stock_count": 41,
        "stock_back": 1,
        "muertos": (MuertoBack(11, 0), MuertoBack(11, 1)),
        "taken": (0,) * seating.sides,
        "decks": 2,
        "turns_without_draw": 0,
        "plays": (),
        "last_plays": (),
        "ended": None,
        "closer": None,
        "scores": None,
        "winner": None,
    }
    return PublicView(**{**fields, **changed})


def texts_of(names: tuple[str, ...], seating: Seating, last: Line = (), **changed: Any) -> TableTexts:
    """Words for a table as the application's catalogues would give them."""
    sides = tuple(
        SideTexts(" + ".join(names[seat] for seat in seating.seats_of(side)), f"mesa {640 + 65 * side}", total)
        for side, total in zip(range(seating.sides), ("1.245", "2.380", "−115"), strict=False)
    )
    fields: dict[str, Any] = {
        "banner": f"Turno de {names[0]}: roba",
        "corner": "R3 · a 3.000",
        "names": names,
        "stock": "Mazo",
        "pile": "Pozo",
        "muertos": "1 buraco libre",
        "last": last,
        "sides": sides,
        "ribbons": RIBBONS,
        "joker": "JKR",
    }
    return TableTexts(**{**fields, **changed})


NAMES: Final = ("Ana", "Joaquín", "Luis Peña", "Maximiliano", "Bea", "Iñaki")


def late(suits: SuitColours = SuitColours.FOUR) -> TablePicture:
    """Two pairs, late: fourteen melds, a muerto taken, the last turn melded and discarded."""
    box, seating = Cards(), Seating.TWO_PAIRS
    ours = (
        box.run("4s 5s 6s 7s 8s 9s Ts"),
        box.run("3h 4h 5h JK=6h 7h 8h 9h"),
        box.set("Ks Kh Kd Kc Kd"),
        box.run("8d 9d Td Jd"),
        box.set("5c 5d 5c", "2c"),
        box.run("9c Tc Jc Qc Kc Ac"),
        box.set("Qs Qh Qs"),
    )
    theirs = (
        box.run("3c 4c 5c 6c 7c 8c 2h=9c"),
        box.set("As Ah Ad Ad"),
        box.run("Js Qs Ks"),
        box.run("7h 8h 9h Th Jh Qh Kh"),
        box.set("6s 6d 6c"),
        box.run("3d 4d 5d 6d 7d"),
        box.set("Ts Tc Td Tc", "JK"),
    )
    nine = box.card("9d")
    last = (
        Play(2, PlayKind.DREW),
        Play(2, PlayKind.MELDED, ours[6].cards, 6),
        Play(2, PlayKind.ADDED, ours[3].cards[3:], 3),
        Play(2, PlayKind.DISCARDED, (nine,)),
    )
    view = view_of(
        rules(),
        seating,
        (ours, theirs),
        hands=(HandBacks((3, 1, 0)), HandBacks((0, 2, 0)), HandBacks((1, 2, 0)), HandBacks((2, 1, 0))),
        pile=(nine,),
        pile_count=5,
        stock_count=10,
        muertos=(MuertoBack(11, 1),),
        taken=(1, 0),
        last_plays=last,
    )
    words: Line = ("Luis Peña robó, bajó ", *ours[6].cards, " y ", ours[3].cards[3], ", tiró ", nine)
    return TablePicture(view, texts_of(NAMES[:4], seating, words), suits)


def early() -> TablePicture:
    """Two players at the start: no melds yet."""
    box, seating = Cards(), Seating.ONE_ON_ONE
    top = box.card("Qh")
    view = view_of(rules(), seating, ((), ()), pile=(top,), pile_count=1, stock_count=61, number=0)
    return TablePicture(view, texts_of(NAMES[:2], seating, muertos="2 buracos libres"))


def three() -> TablePicture:
    """Three players in the middle of a deal; one must choose a muerto."""
    box, seating = Cards(), Seating.THREE_ALONE
    a = (box.run("3s 4s 5s 6s 7s 8s 9s"), box.set("Jc Jd Jh"), box.run("Qd Kd Ad"))
    b = (box.set("4c 4d 4h 4s 4c 4d", "2d"), box.run("5h 6h 2h=7h 8h"))
    c = (box.wilds("2s 2c JK JK"), box.run("Ah 2h 3h"), box.set("9c 9d 9s 9h"))
    top = box.card("JK")
    view = view_of(
        rules(),
        seating,
        (a, b, c),
        mover=1,
        phase=Phase.PLAY,
        choosing="melding",
        hands=(HandBacks((7, 4, 0)), HandBacks((0, 0, 0)), HandBacks((5, 5, 0))),
        muertos=(MuertoBack(11, 0), MuertoBack(11, 1)),
        taken=(1, 0, 0),
        pile=(top,),
        pile_count=14,
        plays=(Play(1, PlayKind.DREW), Play(1, PlayKind.ADDED, b[1].cards[3:], 1)),
        last_plays=(Play(0, PlayKind.DREW), Play(0, PlayKind.DISCARDED, (top,))),
    )
    words: Line = ("Joaquín agregó ", b[1].cards[3], " a #5 y elige buraco")
    return TablePicture(
        view, texts_of(NAMES[:3], seating, words, banner="Joaquín elige un buraco", muertos="2 buracos libres")
    )


def six() -> TablePicture:
    """Three pairs, late, with every ribbon of the classic rules."""
    box, seating = Cards(), Seating.THREE_PAIRS
    a = (
        box.run("4s 5s 6s 7s 8s 9s Ts"),
        box.set("Ks Kh Kd Kc"),
        box.run("8d 9d Td Jd"),
        box.set("As Ah Ad Ac As Ah Ad"),
    )
    b = (
        box.run("3h 4h 5h JK=6h 7h 8h 9h"),
        box.set("6s 6d 6c"),
        box.run("Tc Jc Qc Kc"),
        box.set("Qs Qh Qd", "2s"),
    )
    c = (box.wilds("2s 2h 2d 2c 2c JK JK"), box.set("Jc Js Jh Jd Jc Js", "2d"), box.run("3d 4d 5d"))
    seven = box.card("7c")
    view = view_of(
        rules(),
        seating,
        (a, b, c),
        mover=4,
        hands=tuple(HandBacks((n, 11 - 2 * n, n % 3)) for n in range(6)),
        pile=(seven,),
        pile_count=9,
        stock_count=23,
        muertos=(),
        taken=(1, 1, 1),
        last_plays=(Play(3, PlayKind.DREW), Play(3, PlayKind.DISCARDED, (seven,))),
    )
    words: Line = ("Maximiliano robó y tiró ", seven)
    return TablePicture(view, texts_of(NAMES, seating, words, banner="Turno de Bea: roba", muertos=""))


def third_deck() -> TablePicture:
    """Two pairs with the third deck in play: 162 cards, three backs in every hand, an empty stock."""
    box, seating = Cards(), Seating.TWO_PAIRS
    sides = []
    for suits in ("sh", "dc"):
        melds = []
        for suit in suits:
            melds.append(box.run(" ".join(f"{rank}{suit}" for rank in "3456789")))
            melds.append(box.run(" ".join(f"{rank}{suit}" for rank in "789TJQK")))
            melds.append(box.run(" ".join(f"{rank}{suit}" for rank in "456") + f" JK=7{suit} 8{suit} 9{suit} T{suit}"))
        melds.append(box.set("As Ah Ad Ac"))
        melds.append(box.set("Ks Kh Kd Kc"))
        sides.append(melds)
    view = view_of(
        rules(),
        seating,
        sides,
        hands=(HandBacks((12, 10, 11)), HandBacks((4, 5, 6)), HandBacks((1, 1, 0)), HandBacks((0, 3, 2))),
        stock_count=0,
        stock_back=None,
        muertos=(),
        taken=(1, 1),
        decks=3,
    )
    return TablePicture(view, texts_of(NAMES[:4], seating, muertos="", last=("Ana levantó el pozo",)))


def open_pile(count: int = 60) -> TablePicture:
    """Two pairs with the whole pile in view, a real canasta, and an ace to ace run."""
    box, seating = Cards(), Seating.TWO_PAIRS
    ruleset = rules(
        open_pile=True,
        run_maximum=14,
        meld_closes_at=0,
        ace_to_ace=True,
        real_bonus=500,
        ace_to_ace_bonus=1000,
        semi_clean_bonus=150,
    )
    ours = (
        box.run("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"),
        box.run("3h 4h 5h JK=6h 7h 8h 9h"),
        box.set("Ks Kh Kd Kc Kd"),
        box.run("8d 9d Td Jd"),
    )
    theirs = (
        box.run("3c 4c 5c 6c 7c 8c 9c Tc 2h=Jc Qc"),
        box.run("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd"),
        box.set("6s 6d 6c"),
    )
    used = {card for melds in (ours, theirs) for meld in melds for card in meld.cards}
    order = sorted((Card(n) for n in range(3 * CARDS_A_PACK) if n not in used), key=lambda card: card * 61 % 163)
    pile = tuple(order[:count])
    plays = [Play(1, PlayKind.DREW), Play(1, PlayKind.ADDED, theirs[0].cards[9:], 0)]
    if pile:
        plays.append(Play(1, PlayKind.DISCARDED, pile[-1:]))
    view = view_of(
        ruleset,
        seating,
        (ours, theirs),
        hands=(HandBacks((3, 1, 0)), HandBacks((0, 2, 0)), HandBacks((1, 2, 0)), HandBacks((12, 11, 0))),
        pile=pile,
        pile_count=len(pile),
        muertos=(MuertoBack(11, 1),),
        taken=(1, 0),
        mover=2,
        last_plays=tuple(plays),
    )
    words: Line = ("Joaquín robó, agregó ", theirs[0].cards[9], " a #5 y tiró ", *pile[-1:])
    return TablePicture(view, texts_of(NAMES[:4], seating, words, banner="Turno de Luis Peña: roba"))


def over(winner: int | None = 1) -> TablePicture:
    """The late table after the deal ended."""
    picture = late()
    view = msgspec.structs.replace(
        picture.view, ended=Ended.CLOSED, closer=3, phase=Phase.OVER, winner=winner, totals=(1245, 3020)
    )
    texts = msgspec.structs.replace(picture.texts, banner="Maximiliano cerró: ganan el partido")
    return msgspec.structs.replace(picture, view=view, texts=texts)


def exotic() -> TablePicture:
    """Names in other scripts, with emoji, and longer than any plate."""
    names = ("李雷", "🎉 Иван 🎉", "𝓐𝓷𝓪 María de los Ángeles Fernández-Villaverde", "W" * 40)
    picture = late()
    words: Line = ("李雷 robó y tiró ", *picture.view.pile)
    texts = texts_of(names, picture.view.seating, words, banner="Turno de 李雷: roba", muertos="Ж")
    return msgspec.structs.replace(picture, texts=texts)


def tables() -> dict[str, TablePicture]:
    """All sample tables by name."""
    return {
        "late": late(),
        "late_two": late(SuitColours.TWO),
        "early": early(),
        "three": three(),
        "six": six(),
        "third_deck": third_deck(),
        "open_pile": open_pile(),
        "open_pile_24": open_pile(24),
        "open_pile_empty": open_pile(0),
        "over": over(),
        "deal_over": over(None),
        "exotic": exotic(),
    }


def groups_by_suit(cards: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
    """Spades, hearts, clubs and diamonds with the ace high, then the wilds."""
    groups: dict[int, list[Card]] = {suit: [] for suit in (0, 1, 3, 2, -1)}
    for card in cards:
        groups[-1 if IS_WILD[card] else SUIT[card]].append(card)
    for group in groups.values():
        group.sort(key=lambda card: (not IS_JOKER[card], (RANK[card] - 2) % 13, SUIT[card], BACK[card]))
    return tuple(tuple(group) for group in groups.values() if group)


def hand(count: int, *, selected: int = 0, suits: SuitColours = SuitColours.FOUR) -> HandPicture:
    """A hand of so many cards, the last of the shuffle new, the first ones selected."""
    cards = sorted((Card(n) for n in range(3 * CARDS_A_PACK)), key=lambda card: card * 47 % 163)[:count]
    return HandPicture(
        groups_by_suit(cards),
        tuple(cards[-1:]),
        f"Tu mano · {count} cartas",
        "por palo",
        "JKR",
        suits,
        tuple(cards[:selected]),
    )


def notation(cards: Iterable[Card]) -> str:
    """Cards as text, for messages of failing tests."""
    return " ".join(FACE_CODE[FACE[card]] for card in cards)
