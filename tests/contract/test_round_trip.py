"""Saving loses nothing: over real matches, what was saved is what is loaded, and the events tell the same."""

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.storage import codec
from adapters.storage.codec import (
    Progress,
    Upcast,
    decode_events,
    decode_record,
    encode_events,
    encode_record,
    rebuild_record,
)
from bot.store import Record, UnreadableSave
from engine.events import Event
from engine.ruleset import Ruleset, parse_ruleset
from engine.seating import Seating
from engine.state import Match
from tests.contract.playing import RULESETS, lobby, play, started

GAMES: list[tuple[Ruleset, Seating]] = [
    (rules, seating)
    for rules in (parse_ruleset(path.read_text(encoding="utf-8")) for path in RULESETS)
    for seating in rules.seatings
]


@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32), actions=st.integers(0, 120), starter=st.integers(0, 1))
def test_what_is_loaded_is_what_was_saved(game: tuple[Ruleset, Seating], seed: int, actions: int, starter: int) -> None:
    rules, seating = game
    record = started(lobby(rules=rules, seating=seating), starter)
    payloads: list[bytes] = []
    events: list[Event] = []
    for change in play(record, seed, actions):
        record = change.record
        events += change.events
        payloads += encode_events(change.events)
    saved = encode_record(record)
    assert decode_record(saved) == record
    assert encode_record(decode_record(saved)) == saved
    assert list(decode_events("t1", payloads)) == events
    lost = msgspec.structs.replace(saved, snapshot=None)
    assert rebuild_record(lost, payloads) == record


def test_snapshot_and_table_hold_the_whole_match() -> None:
    """A field that is added to the match must be added to the snapshot."""
    table_has = {"rules", "seating", "first_starter"}
    fields = {field.name: field.type for field in msgspec.structs.fields(Match)}
    stored = {field.name: field.type for field in msgspec.structs.fields(Progress)}
    assert stored == {name: kind for name, kind in fields.items() if name not in table_has}


@pytest.fixture
def undecoded() -> Iterator[None]:
    """Nothing that was decoded otherwise is kept."""
    codec.forget_decoded()
    yield
    codec.forget_decoded()


@pytest.mark.usefixtures("undecoded")
def test_older_json_is_lifted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    record = started(lobby())
    saved = encode_record(record)
    steps = {
        codec.SCHEMA: Upcast(table=lambda tree: {**tree, "name": tree["name"] + "!"}),
        codec.SCHEMA + 1: Upcast(
            table=lambda tree: {**tree, "name": tree["name"] + "?"},
            snapshot=lambda tree: {**tree, "totals": [5, 5]},
        ),
    }
    monkeypatch.setattr(codec, "UPCASTS", steps)
    monkeypatch.setattr(codec, "SCHEMA", codec.SCHEMA + 2)
    lifted = decode_record(saved)
    assert lifted.table.name == record.table.name + "!?"
    assert lifted.match is not None
    assert lifted.match.totals == (5, 5)
    assert encode_record(lifted).schema == codec.SCHEMA


def test_json_that_nothing_lifts_is_refused() -> None:
    saved = msgspec.structs.replace(encode_record(Record(lobby())), data_schema=0)
    with pytest.raises(UnreadableSave):
        decode_record(saved)
