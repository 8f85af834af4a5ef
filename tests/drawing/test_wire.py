"""What goes between the bot and a process that draws comes out as it went in."""

import io

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.drawing.base import Drawable
from bot.drawing.wire import (
    LENGTH,
    Answer,
    Done,
    Failed,
    Ready,
    framed,
    next_body,
    read_answer,
    read_order,
    write_answer,
    write_order,
)
from bot.pictures import CardRow, CardsPicture, SheetForm, StillPicture, SuitColours
from tests.render import scenes
from tests.render.test_profile import full, new
from tests.render.test_sheet import RULESETS, sheet

PICTURES: dict[str, Drawable] = {
    **scenes.tables(),
    **{f"hand of {count}": scenes.hand(count, selected=count // 2, suits=SuitColours.TWO) for count in (0, 1, 60)},
    "cards": CardsPicture("á", (CardRow(scenes.hand(3).groups[0], "x", ("5♥",), good=False), CardRow(())), "JKR"),
    "profile": full(),
    "new profile": new(),
    **{f"sheet of {name}": sheet(name) for name in RULESETS},
}


@pytest.mark.parametrize("name", PICTURES)
def test_an_order_comes_out_as_it_went_in(name: str) -> None:
    """Types and all: what is drawn from it must not differ."""
    written = io.BytesIO(write_order(PICTURES[name], SheetForm.PDF))
    body = next_body(written)
    assert body is not None
    assert read_order(body) == (PICTURES[name], SheetForm.PDF)
    assert next_body(written) is None


ANSWERS: st.SearchStrategy[Answer] = st.one_of(
    st.builds(Ready, st.floats(0, 10)),
    st.builds(Done, st.binary(max_size=100), st.text(max_size=32), st.floats(0, 10), st.floats(0, 10)),
    st.builds(Failed, st.text(max_size=20), st.text(max_size=20), st.floats(0, 10)),
)


@given(st.lists(ANSWERS, max_size=4), st.integers(0, 3))
def test_answers_come_out_in_order_and_a_broken_end_is_an_end(answers: list[Answer], cut: int) -> None:
    written = b"".join(map(write_answer, answers))
    stream = io.BytesIO(written[: len(written) - cut] if cut else written)
    found = []
    while (body := next_body(stream)) is not None:
        found.append(read_answer(body))
    assert found == (answers[:-1] if cut else answers)


def test_what_is_no_picture_is_no_order() -> None:
    """A still is drawn as the table that it shows; what does not belong here is not taken for something else."""
    with pytest.raises(LookupError):
        write_order(StillPicture(scenes.early()), SheetForm.PNG)  # type: ignore[arg-type]
    body = write_order(scenes.hand(3), SheetForm.PNG)[LENGTH.size :]
    with pytest.raises(msgspec.MsgspecError):
        read_order(body[:-1])
    with pytest.raises(msgspec.MsgspecError):
        read_answer(b"\x93nonsense")
    assert framed(b"abc") == b"\0\0\0\3abc"
