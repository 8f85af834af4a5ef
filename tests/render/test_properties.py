"""Whatever is on the table, the picture is made, fits, and shows everything inside its place."""

import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.pictures import HandPicture, Line, SideTexts, SuitColours, TablePicture, TableTexts
from engine.cards import CARDS_A_PACK, FACE, IS_WILD, PACKS, RANK, Card, make_face
from engine.melds import Kind, Meld, Shape, make_set, make_wild_meld
from engine.seating import Seating
from engine.state import Emptied, Ended, Phase, Play, PlayKind
from engine.views import HandBacks, MuertoBack, PublicView
from render import PillowRenderer
from render.layout import HIGHEST, WIDTH, plan_table
from render.scene import scene_of
from tests.render import scenes
from tests.render.png import chunks, decode
from tests.render.watch import watching

RENDERER = PillowRenderer()

words = st.text(max_size=40)
names = st.one_of(
    st.text(min_size=1, max_size=32),
    st.sampled_from(["Ana", "Иван", "李雷", "🎉", "  ", "M" * 40, "\u202eabc", "a\nb", "é" * 20, "𝓐𝓷𝓪", "."]),
)


class Pack:
    """The cards of three packs, taken away as they are laid."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.left = [Card(n) for n in range(PACKS * CARDS_A_PACK)]
        chance.shuffle(self.left)

    def take(self, fits: Any) -> Card | None:
        card = next((card for card in self.left if fits(card)), None)
        if card is not None:
            self.left.remove(card)
        return card

    def some(self, count: int) -> tuple[Card, ...]:
        taken, self.left = self.left[:count], self.left[count:]
        return tuple(taken)

    def meld(self) -> Meld | None:
        shape = self.chance.choice((Shape.RUN, Shape.RUN, Shape.SET, Shape.WILDS))
        size = self.chance.choice((3, 3, 4, 5, 7, 7, 10, 14))
        if shape is Shape.RUN:
            return self.run(size)
        if shape is Shape.SET:
            return self.set(size)
        cards = [self.take(lambda card: IS_WILD[card]) for _ in range(size)]
        laid = tuple(card for card in cards if card is not None)
        return make_wild_meld(laid) if len(laid) >= 3 else None

    def run(self, size: int) -> Meld | None:
        suit, low = self.chance.randrange(4), self.chance.randint(1, 15 - size)
        wild, cards = self.chance.randrange(-1, size), []
        for n in range(size):
            face = make_face(low + n, suit)
            fits = (lambda card: IS_WILD[card]) if n == wild else (lambda card, face=face: FACE[card] == face)
            card = self.take(fits)
            if card is None:
                break
            cards.append(card)
        return Meld(Shape.RUN, tuple(cards), low, wild if wild < len(cards) else -1) if len(cards) >= 3 else None

    def set(self, size: int) -> Meld | None:
        rank = self.chance.choice([1, *range(3, 14)])
        cards = [self.take(lambda card: RANK[card] == rank) for _ in range(size)]
        laid = tuple(card for card in cards if card is not None)
        wild = self.take(lambda card: IS_WILD[card]) if self.chance.random() < 0.5 else None
        if len(laid) < 2 or (wild is None and len(laid) < 3):
            return None
        return make_set(laid if wild is None else (*laid, wild), rank, wild)


@st.composite
def views(draw: st.DrawFn) -> PublicView:
    pack = Pack(random.Random(draw(st.integers(0, 2**32))))
    seating = draw(st.sampled_from(Seating))
    counts = draw(st.lists(st.integers(0, 18), min_size=seating.sides, max_size=seating.sides))
    melds = [[meld for meld in (pack.meld() for _ in range(count)) if meld] for count in counts]
    open_pile = draw(st.booleans())
    pile = pack.some(draw(st.integers(0, 90)))
    backs = st.tuples(*[st.integers(0, 30)] * 3)
    seats = st.integers(0, seating.seats - 1)
    stock = draw(st.integers(0, 80))
    kinds = tuple(
        tuple(draw(st.sampled_from(Kind)) if len(meld.cards) >= 7 else Kind.MELD for meld in side) for side in melds
    )
    touched = [Play(draw(seats), PlayKind.MELDED, meld.cards, n) for side in melds for n, meld in enumerate(side[:1])]
    over = draw(st.booleans())
    return scenes.view_of(
        scenes.rules(open_pile=open_pile),
        seating,
        melds,
        kinds=kinds,
        mover=draw(seats),
        phase=Phase.OVER if over else Phase.PLAY,
        choosing=draw(st.sampled_from([None, *Emptied])),
        hands=tuple(HandBacks(draw(backs)) for _ in range(seating.seats)),
        pile=pile if open_pile else pile[-1:],
        pile_count=len(pile),
        stock_count=stock,
        stock_back=draw(st.integers(0, 2)) if stock else None,
        muertos=tuple(MuertoBack(11, draw(st.integers(0, 2))) for _ in range(draw(st.integers(0, 3)))),
        taken=tuple(draw(st.integers(0, 2)) for _ in range(seating.sides)),
        plays=tuple(touched) if draw(st.booleans()) else (),
        last_plays=(Play(draw(seats), PlayKind.DISCARDED, pile[-1:]),) if pile else (),
        ended=draw(st.sampled_from(Ended)) if over else None,
        closer=draw(seats) if over else None,
        winner=draw(st.integers(0, seating.sides - 1)) if over and draw(st.booleans()) else None,
    )


cards = st.builds(Card, st.integers(0, PACKS * CARDS_A_PACK - 1))
lines: st.SearchStrategy[Line] = st.lists(st.one_of(words, cards), max_size=14).map(tuple)


@st.composite
def pictures(draw: st.DrawFn) -> TablePicture:
    view = draw(views())
    seats, sides = view.seating.seats, view.seating.sides
    texts = TableTexts(
        banner=draw(words),
        corner=draw(words),
        names=tuple(draw(names) for _ in range(seats)),
        stock=draw(words),
        pile=draw(words),
        muertos=draw(words),
        last=draw(lines),
        sides=tuple(SideTexts(draw(words), draw(words), draw(words)) for _ in range(sides)),
        ribbons={kind: draw(words) for kind in Kind},
        joker=draw(st.text(max_size=3)),
    )
    return TablePicture(view, texts, draw(st.sampled_from(SuitColours)))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(pictures())
def test_any_table_fits(picture: TablePicture) -> None:
    with watching() as seen:
        data = RENDERER.table(picture)
    image = decode(data)
    assert seen.outside == []
    assert min(seen.sizes, default=34) >= 34
    assert image.mode == "P"
    assert image.width == WIDTH
    assert image.height <= HIGHEST
    assert "tEXt" not in chunks(data)
    assert len(data) < 100_000, "what every platform takes at once"
    assert RENDERER.table(picture) == data


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(pictures())
def test_melds_of_any_table_lie_apart_and_none_is_lost(picture: TablePicture) -> None:
    plan = plan_table(scene_of(picture))
    assert plan.height <= HIGHEST
    for melds, panel in zip(picture.view.melds, plan.panels, strict=True):
        assert len(panel.melds) + panel.hidden == len(melds)
        boxes = [slot.box for slot in panel.melds] + ([panel.more] if panel.more else [])
        for n, box in enumerate(boxes):
            assert panel.box.x <= box.x
            assert box.right <= panel.box.right
            assert box.bottom <= panel.box.bottom
            for other in boxes[:n]:
                apart = box.x >= other.right or other.x >= box.right or box.y >= other.bottom or other.y >= box.bottom
                assert apart
    if plan.pile is not None:
        assert sum(map(len, plan.pile.rows)) + plan.pile.hidden == len(picture.view.pile)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(cards, max_size=80, unique=True),
    st.integers(1, 6),
    st.lists(cards, max_size=8),
    st.lists(cards, max_size=8),
    words,
)
def test_any_hand_fits(held: list[Card], parts: int, new: list[Card], selected: list[Card], title: str) -> None:
    groups = tuple(tuple(held[part::parts]) for part in range(parts))
    picture = HandPicture(groups, tuple(new), title, title, title, selected=tuple(selected))
    with watching() as seen:
        image = decode(RENDERER.hand(picture))
    assert seen.outside == []
    assert min(seen.sizes, default=34) >= 34
    assert image.size[0] == WIDTH
    assert image.size[1] <= HIGHEST
