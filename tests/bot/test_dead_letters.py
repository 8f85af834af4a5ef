"""What is kept of an update that failed: its outline and where it failed, and nothing that anybody wrote."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adapters.storage.memory import MemoryStore
from bot.dead_letters import OUTLINE, DeadLetters, outline
from bot.doctor import letters_told
from tests.bot.fakes import FakeClock

SECRET = "x7♠Zoe"
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=6),
    max_leaves=25,
)


@given(anything)
def test_anything_has_an_outline_and_it_is_the_same_whatever_is_written(value: Any) -> None:
    def written_over(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: written_over(inner) for name, inner in part.items()}
        if isinstance(part, list):
            return [written_over(inner) for inner in part]
        return SECRET if isinstance(part, str) else 7 if type(part) in (int, float) else part

    assert outline(value) == outline(written_over(value))
    assert len(outline(value)) <= OUTLINE
    json.loads(outline(value))


def test_fields_and_kinds_stay_and_what_stood_there_does_not() -> None:
    raw = {"update_id": 7, "message": {"text": SECRET, "from": {"id": 5, "is_bot": False}}, SECRET: [1.5, None, SECRET]}
    assert json.loads(outline(raw)) == {
        "update_id": "number",
        "message": {"text": "text", "from": {"id": "number", "is_bot": False}},
        "?": ["number", None, "text"],
    }


def test_what_is_deep_or_long_is_cut() -> None:
    deep: Any = SECRET
    for _ in range(5000):
        deep = {"a": [deep]}
    assert len(outline(deep)) < 200
    assert len(outline([0] * 100_000)) < 300
    assert len(outline({f"a{number}": 0 for number in range(100_000)})) == OUTLINE


async def test_it_is_told_where_it_failed_and_not_what_the_error_says() -> None:
    store, clock, error_id = MemoryStore(lambda: 0), FakeClock(), ""
    try:
        int(SECRET)
    except ValueError as error:
        error_id = await DeadLetters(store, clock).keep("web", None, error, SECRET, tries=3)
    (kept,) = await store.letters()
    assert kept.error.startswith(f"ValueError in {__name__}:")
    assert (kept.number, kept.error_id, kept.tries, kept.at_ms) == (error_id, error_id, 3, clock.now_ms())
    assert kept.outline == '"text"'
    assert SECRET not in str(kept)
    assert letters_told([kept]) == (
        f"; 1 updates failed at every try, the newest web {error_id}: {kept.error}, error {error_id}"
    )
    assert letters_told([]) == ""


async def test_an_error_without_a_place_is_told_by_its_kind() -> None:
    store = MemoryStore(lambda: 0)
    await DeadLetters(store, FakeClock()).keep("web", 5, KeyError(SECRET), None)
    (kept,) = await store.letters()
    assert (kept.number, kept.error, kept.tries) == ("5", "KeyError", 1)
