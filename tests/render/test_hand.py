"""The picture of a hand."""

from itertools import pairwise

import msgspec
import pytest

from bot.pictures import HandPicture
from engine.cards import Card
from render import PillowRenderer
from render.cards import held
from render.hand import HEAD, lift, line_height, plan_hand
from render.layout import HIGHEST, MARGIN, WIDTH
from tests.render import scenes
from tests.render.png import chunks, decode
from tests.render.watch import watching


@pytest.mark.parametrize("count", [0, 1, 2, 5, 11, 12, 13, 14, 22, 25, 33, 40, 55, 80])
def test_hands_of_every_size_fit(count: int, renderer: PillowRenderer) -> None:
    picture = scenes.hand(count, selected=count // 4)
    data = renderer.hand(picture)
    image = decode(data)
    assert set(chunks(data)) == {"IHDR", "PLTE", "IDAT", "IEND"}
    assert image.mode == "P"
    assert image.width == WIDTH
    assert image.height <= HIGHEST
    assert image.height == plan_hand(picture.groups).height


@pytest.mark.parametrize("count", [1, 7, 13, 14, 26, 41, 60, 80])
def test_cards_stand_in_reading_order_inside_the_picture(count: int) -> None:
    picture = scenes.hand(count)
    plan = plan_hand(picture.groups)
    assert [slot.card for slot in plan.slots] == [card for group in picture.groups for card in group]
    card = held(plan.step)
    for slot in plan.slots:
        assert slot.x >= MARGIN
        assert slot.x + card.w <= WIDTH - MARGIN
        assert HEAD + (slot.line + 1) * line_height(plan.step) <= plan.height
    for before, after in pairwise(plan.slots):
        assert (after.line, after.x) >= (before.line, before.x + plan.step) or after.line == before.line + 1


@pytest.mark.parametrize("seed", range(40))
def test_up_to_13_cards_take_two_lines_and_usual_hands_three(seed: int) -> None:
    for count, lines in ((13, 2), (26, 3)):
        cards = [Card((n * 67 + seed * 29) % 163 % 162) for n in range(count)]
        plan = plan_hand(scenes.groups_by_suit(dict.fromkeys(cards)))
        assert plan.slots[-1].line < lines
        assert plan.step >= 56


@pytest.mark.parametrize("count", [0, 6, 13, 25, 47, 80])
def test_nothing_leaves_its_canvas_and_no_text_is_small(count: int) -> None:
    with watching() as seen:
        PillowRenderer().hand(scenes.hand(count, selected=3))
    assert seen.outside == []
    assert min(seen.sizes) >= 34
    assert {str(number) for number in range(1, count + 1)} <= set(seen.texts)


def test_new_and_selected_cards_look_different(renderer: PillowRenderer) -> None:
    plain = msgspec.structs.replace(scenes.hand(9), new=())
    card = plain.groups[0][:1]
    pictures = (
        plain,
        msgspec.structs.replace(plain, new=card),
        msgspec.structs.replace(plain, selected=card),
        msgspec.structs.replace(plain, selected=card, new=card),
    )
    assert len({renderer.hand(picture) for picture in pictures}) == 4


def test_touching_cards_are_consecutive_or_equal() -> None:
    box = scenes.Cards()
    groups = (box.cards("4s 5s 5s 7s Ks As"), box.cards("JK JK 2h"))
    plan = plan_hand(groups)
    lines = [slot.x for slot in plan.slots]
    touching = [b - a == plan.step for a, b in pairwise(lines)]
    assert touching[:5] == [True, True, False, False, True]


def test_the_back_is_told_by_the_foot_bar(renderer: PillowRenderer) -> None:
    hands = {
        renderer.hand(HandPicture(((Card(pack * 54 + 7),),), (), "Tu mano", "por palo", "JKR")) for pack in range(3)
    }
    assert len(hands) == 3


def test_a_raised_card_does_not_reach_the_line_above() -> None:
    for step in (34, 56, 100):
        assert line_height(step) - held(step).h - lift(step) >= 46


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        plan_hand(tuple((Card(n % 162),) for n in range(900)))
