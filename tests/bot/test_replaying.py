"""A deal again: only when it is over, turn by turn, always the truth; and as a file that anybody can check."""

import itertools
from pathlib import Path

import msgspec
import pytest

from bot.bundles import read_records
from bot.model import Person
from bot.pictures import CardsPicture, StillPicture, SuitColours
from bot.presenter.words import face_sign
from bot.records import read_record, verify
from bot.replays import NoReplay, StillPlayed, ended_deals, moments_of
from bot.screens import Answer, Role, Screen
from bot.texts import texts
from bot.tokens import LONGEST, NO_TABLE, Intent, Verb, base36, read_token, write_token
from engine.cards import FACE
from engine.seating import Seating
from engine.views import final_hands, public_view
from tests.bot.rooms import House, words
from tests.bot.tables import choices, deal_of

T = texts()


async def ended(seating: Seating = Seating.ONE_ON_ONE, people: int = 2) -> tuple[House, str, list[Person]]:
    """A table at which the first deal is over."""
    house = House()
    table_id, crowd = await house.started(people, seating)
    await house.play_out(table_id, crowd)
    return house, table_id, crowd


def shown(answer: Answer) -> Screen:
    assert answer.ok, answer.text
    screen = answer.screen
    assert screen is not None
    assert screen.role is Role.READING
    tokens = [choice.token for choice in choices(screen)]
    assert len(set(tokens)) == len(tokens), "a chat shows no button twice"
    assert all(len(token) <= LONGEST for token in tokens)
    return screen


async def test_every_turn_is_there_and_adds_up_to_the_end() -> None:
    house, table_id, _ = await ended(Seating.TWO_PAIRS, 4)
    record = await house.record(table_id)
    events = await house.store.events(table_id)
    assert record.match is not None
    moments = moments_of(record.table.rules, record.table.seating, events, 0)
    assert moments[0].plays == ()
    assert deal_of(moments[0].match).ended is None
    assert all(moment.plays for moment in moments[1:])
    assert public_view(moments[-1].match).scores == public_view(record.match).scores
    assert moments[-1].hands == final_hands(record.match)
    (deal,) = ended_deals(record.table.rules, record.table.seating, events)
    assert deal.totals == record.match.totals
    seats = [moment.plays[0].seat for moment in moments[1:]]
    assert all(after == (before + 1) % 4 for before, after in itertools.pairwise(seats))
    await house.app.stop()


async def test_the_screen_tells_turn_and_hands_and_survives_the_process() -> None:
    house, table_id, (ana, luis) = await ended()
    record = await house.record(table_id)
    screen = shown(await house.press(ana, table_id, Verb.REPLAY, "0", version=0))
    assert "turno 0 de" in screen.title
    assert isinstance(screen.picture, StillPicture)
    following = next(choice for choice in choices(screen) if "Siguiente" in choice.label)
    # Another process answers the button of this one, to somebody else too.
    house = house.again()
    screen = shown(await house.app.press(luis, following.token, "again"))
    assert "turno 1 de" in screen.title
    assert isinstance(screen.picture, StillPicture)
    assert screen.picture.table.view.phase == "draw"
    moments = moments_of(record.table.rules, record.table.seating, await house.store.events(table_id), 0)
    for name, hand in zip(
        ("Ana", "Luis"), (moments[1].hands[record.table.seat_of(p.id) or 0] for p in (ana, luis)), strict=True
    ):
        (line,) = (line for line in screen.lines if line.startswith(f"{name}: "))
        assert all(face_sign(T, FACE[card]) in line for card in hand)
    assert shown(await house.app.press(luis, screen.again, "same")) == screen
    hands = next(choice for choice in choices(screen) if choice.label == "Ver las manos")
    screen = shown(await house.app.press(luis, hands.token, "hands"))
    assert isinstance(screen.picture, CardsPicture)
    assert [len(row.cards) for row in screen.picture.rows] == [len(hand) for hand in moments[1].hands]
    assert (await house.record(table_id)).version == record.version, "reading changes nothing"
    await house.app.stop()


async def test_first_and_last_turn_offer_no_way_beyond() -> None:
    house, table_id, (ana, _) = await ended()
    screen = shown(await house.press(ana, table_id, Verb.REPLAY, "0", "0"))
    off = {choice.label: choice.why for choice in choices(screen) if not choice.enabled}
    assert off == {"‹ Anterior": "Aquí empieza la ronda.", "« Inicio": "Aquí empieza la ronda."}
    last = shown(await house.press(ana, table_id, Verb.REPLAY, "0", base36(9000)))
    off = {choice.label: choice.why for choice in choices(last) if not choice.enabled}
    assert off == {"Siguiente ›": "Aquí termina la ronda.", "Final »": "Aquí termina la ronda."}
    assert isinstance(last.picture, StillPicture)
    assert last.picture.table.texts.banner.startswith(("Cerró ", "Fin de la ronda"))
    await house.app.stop()


async def test_a_deal_that_is_played_is_never_shown() -> None:
    house = House()
    table_id, (ana, luis) = await house.started()
    for verb, *arguments in ((Verb.REPLAY,), (Verb.REPLAY, "0"), (Verb.REPLAY, "0", "3", "h"), (Verb.RECORD, "0")):
        answer = await house.press(ana, table_id, verb, *arguments)
        assert not answer.ok
        assert answer.screen is None
        assert answer.file is None
        assert "todavía se juega" in answer.text
    assert not (await house.press(ana, table_id, Verb.RECORD)).ok
    await house.play_out(table_id, [ana, luis])
    await house.press(ana, table_id, Verb.NEXT_DEAL)
    # The first deal is over, the second one is not.
    assert "Ronda 1 · turno" in shown(await house.press(ana, table_id, Verb.REPLAY, "0")).title
    assert not (await house.press(ana, table_id, Verb.REPLAY, "1")).ok
    assert not (await house.press(ana, table_id, Verb.RECORD, "1")).ok
    index = shown(await house.press(ana, table_id, Verb.REPLAY))
    assert "Ronda 1: " in words(index)
    assert "Ronda 2" not in words(index)
    assert "Descargar la partida" not in words(index)
    record, events = await house.record(table_id), await house.store.events(table_id)
    with pytest.raises(StillPlayed):
        moments_of(record.table.rules, record.table.seating, events, 1)
    await house.app.stop()


@pytest.mark.parametrize("arguments", [("",), ("-1",), ("0", "Ñ"), ("zzzzz",), ("0", "zzzzzz")])
async def test_made_up_buttons_are_answered(arguments: tuple[str, ...]) -> None:
    house, table_id, (ana, _) = await ended()
    token = ":".join(("1", table_id, "0", Verb.REPLAY, *arguments))
    answer = await house.app.press(ana, token, "made-up")
    assert not answer.ok
    assert "ya no sirve" in answer.text
    assert not (await house.press(ana, table_id, Verb.REPLAY, "7")).ok
    assert not (await house.app.press(ana, write_token(Intent(NO_TABLE, 0, Verb.REPLAY)), "x")).ok
    await house.app.stop()


async def test_a_finished_match_is_taken_along_whole(tmp_path: Path) -> None:
    house, table_id, (ana, luis) = await ended()
    for _ in range(200):
        if (await house.match(table_id)).is_over:
            break
        await house.press(ana, table_id, Verb.NEXT_DEAL)
        await house.play_out(table_id, [ana, luis])
    code = (await house.record(table_id)).table.code
    index = shown(await house.press(ana, table_id, Verb.REPLAY))
    button = next(choice for choice in choices(index) if choice.label == "Descargar la partida")
    answer = await house.app.press(ana, button.token, "file")
    assert answer.ok
    assert answer.file is not None
    assert answer.file.name == f"buraco-{code}.zip"
    path = tmp_path / answer.file.name
    path.write_bytes(answer.file.data)
    records = read_records(path)
    assert [record.number for _, record in records] == list(range((await house.match(table_id)).deals))
    for _, record in records:
        verify(record)
        assert record.commitment, "the seals are open"
    one = await house.press(ana, table_id, Verb.RECORD, "0")
    assert one.file is not None
    assert read_record(one.file.data.decode()) == records[0][1]
    again = await house.press(luis, table_id, Verb.RECORD)
    assert again.file == answer.file
    await house.app.stop()


async def test_what_is_not_kept_any_more_is_said() -> None:
    house, table_id, (ana, _) = await ended()
    record = await house.record(table_id)
    with pytest.raises(NoReplay):
        ended_deals(record.table.rules, record.table.seating, ())
    house.store.events = _none  # type: ignore[method-assign,assignment]
    for verb in (Verb.REPLAY, Verb.RECORD):
        answer = await house.press(ana, table_id, verb, "0")
        assert not answer.ok
        assert "ya no se guardan" in answer.text
    await house.app.stop()


async def _none(_table_id: str) -> tuple[()]:
    return ()


async def test_suits_are_the_reader_s() -> None:
    house, table_id, (ana, _) = await ended()
    two = msgspec.structs.replace(ana, suit_colours="two")
    screen = shown(await house.press(two, table_id, Verb.REPLAY, "0"))
    assert isinstance(screen.picture, StillPicture)
    assert screen.picture.table.suits is SuitColours.TWO
    assert read_token(screen.again).verb is Verb.REPLAY
    await house.app.stop()
