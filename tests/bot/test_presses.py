"""Presses: one effect each, an answer to all, and nobody does what is not theirs to do."""

import asyncio

import msgspec
import pytest
import structlog

from bot.model import Status
from bot.pictures import HandPicture, TablePicture
from bot.screens import Answer, Role
from bot.store import StoreBusy
from bot.tokens import Verb
from engine.seating import Seating
from engine.state import Phase, PlayKind
from tests.bot.fakes import settled
from tests.bot.rooms import House, discard_token, words
from tests.bot.tables import choices, deal_of, verb_of


@pytest.fixture
def house() -> House:
    return House()


async def test_a_press_has_one_effect_and_one_answer_however_often_it_comes(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    version = house.store.version(table_id)
    first = await house.press(person, table_id, Verb.DRAW, version=version, press_id="same")
    again = [await house.press(person, table_id, Verb.DRAW, version=version, press_id="same") for _ in range(2)]
    assert first.ok
    assert first.text.startswith("Robaste ")
    assert again == [first, first]
    assert house.store.version(table_id) == version + 1


async def test_a_press_delivered_at_once_three_times_has_one_effect(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    version = house.store.version(table_id)
    answers = await asyncio.gather(
        *(house.press(person, table_id, Verb.DRAW, version=version, press_id="same") for _ in range(3))
    )
    assert answers == [answers[0]] * 3
    assert answers[0].ok
    assert house.store.version(table_id) == version + 1


async def test_a_press_id_of_somebody_else_gives_nothing_away(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    other = next(each for each in people if each != person)
    version = house.store.version(table_id)
    mine = await house.press(person, table_id, Verb.DRAW, version=version, press_id="same")
    theirs = await house.press(other, table_id, Verb.DRAW, version=version, press_id="same")
    assert mine.ok
    assert not theirs.ok
    assert theirs.text != mine.text
    assert theirs.reason == "stale"


async def test_an_id_used_before_somebody_does_not_swallow_their_press(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    other = next(each for each in people if each != person)
    await house.press(other, table_id, Verb.LEAVE, press_id="guessed")
    await house.press(other, table_id, Verb.SHOW_HAND, press_id="guessed")
    assert (await house.press(person, table_id, Verb.DRAW, press_id="guessed")).ok


async def test_two_presses_of_one_screen_do_one_thing(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    version = house.store.version(table_id)
    answers = await asyncio.gather(
        house.press(person, table_id, Verb.DRAW, version=version),
        house.press(person, table_id, Verb.TAKE_PILE, version=version),
    )
    assert sorted(answer.ok for answer in answers) == [False, True]
    late = next(answer for answer in answers if not answer.ok)
    assert late.reason == "stale"
    assert late.screen is not None
    assert late.screen.version == version + 1
    assert house.store.version(table_id) == version + 1


async def test_a_stale_token_shows_the_table_as_it_is_and_changes_nothing(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    now = house.store.version(table_id)
    kept = house.store.kept[table_id].saved
    for version in (*range(now), now + 1, 10**6):
        for verb in (Verb.DRAW, Verb.TAKE_PILE, Verb.END, Verb.UNDO, Verb.NEXT_DEAL):
            answer = await house.press(person, table_id, verb, version=version)
            assert (answer.ok, answer.reason) == (False, "stale")
            assert "cambió" in answer.text
            assert answer.screen is not None
            assert (answer.screen.role, answer.screen.version) == (Role.HAND, now)
    assert house.store.kept[table_id].saved == kept


async def test_two_people_at_once_and_only_the_one_on_turn_is_served(house: House) -> None:
    table_id, people = await house.started(4, Seating.TWO_PAIRS)
    person = await house.mover(table_id, people)
    version = house.store.version(table_id)
    answers = await asyncio.gather(*(house.press(each, table_id, Verb.DRAW, version=version) for each in people))
    assert [answer.ok for answer in answers] == [each == person for each in people]
    assert house.store.version(table_id) == version + 1


async def test_out_of_turn_the_one_on_turn_is_named(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    other = next(each for each in people if each != person)
    answer = await house.press(other, table_id, Verb.DRAW)
    assert (answer.ok, answer.reason) == (False, "not_your_turn")
    assert answer.text == f"Es el turno de {person.name}."
    assert answer.screen is not None
    assert answer.screen.role is Role.HAND


async def test_whoever_has_no_seat_may_watch_and_nothing_else(house: House) -> None:
    table_id, _ = await house.started()
    stranger = await house.app.meet("test:stranger", "Rosa")
    version = house.store.version(table_id)
    for verb in (Verb.DRAW, Verb.SHOW_HAND, Verb.SORT, Verb.NEXT_DEAL):
        arguments = ("rank",) if verb is Verb.SORT else ()
        answer = await house.press(stranger, table_id, verb, *arguments)
        assert answer.text == "No juegas en esta mesa, pero puedes mirar."
        assert not answer.ok
        assert answer.screen is not None
        assert answer.screen.role is Role.TABLE
    shown = await house.press(stranger, table_id, Verb.SHOW_TABLE)
    assert shown.ok
    assert shown.screen == await house.app.public_screen(table_id)
    assert await house.app.hand_screen(table_id, stranger) is None
    assert house.store.version(table_id) == version


async def test_nobody_acts_for_another_seat(house: House) -> None:
    table_id, people = await house.started(4, Seating.TWO_PAIRS)
    for person in people:
        answer = await house.press(person, table_id, Verb.SHOW_HAND)
        assert answer.screen is not None
        assert isinstance(answer.screen.picture, HandPicture)
        match = await house.match(table_id)
        seat = (await house.record(table_id)).table.seat_of(person.id)
        assert seat is not None
        shown = sorted(card for group in answer.screen.picture.groups for card in group)
        assert shown == sorted(deal_of(match).hands[seat])


async def test_before_the_start_the_table_says_so(house: House) -> None:
    ana, luis = await house.people(2)
    table_id = await house.open(ana)
    for verb in (Verb.DRAW, Verb.SHOW_HAND, Verb.NEXT_DEAL):
        answer = await house.press(ana, table_id, verb)
        assert answer.text == "La partida todavía no empezó."
        assert answer.screen is not None
        assert answer.screen.role is Role.LOBBY
    answer = await house.press(luis, table_id, Verb.DRAW)
    assert answer.text == "No juegas en esta mesa, pero puedes mirar."


async def test_a_cancelled_table_says_so(house: House) -> None:
    ana, luis = await house.people(2)
    table_id = await house.open(ana)
    assert (await house.press(ana, table_id, Verb.CANCEL)).ok
    for person, verb in ((ana, Verb.DRAW), (ana, Verb.START), (luis, Verb.JOIN), (luis, Verb.SHOW_HAND)):
        answer = await house.press(person, table_id, verb)
        assert answer.text == "Esta mesa se canceló."
        assert not answer.ok
        assert answer.screen is not None
        assert answer.screen.role is Role.NOTE


@pytest.mark.parametrize(
    "token", ["", "x", "1:::", "2:abc:0:dr", "1:abc:0:zz", "1:abc:0:dr:é", "a" * 5000, "1:" + ":" * 60, "\x00", "🂡"]
)
async def test_what_is_no_token_is_answered(house: House, token: str) -> None:
    (ana,) = await house.people(1)
    answer = await house.app.press(ana, token, "one")
    assert answer == Answer("Ese botón ya no sirve. Abre la mesa de nuevo.", ok=False)


async def test_a_table_that_is_not_there_is_answered(house: House) -> None:
    (ana,) = await house.people(1)
    answer = await house.app.press(ana, "1:nothere:0:dr", "one")
    assert answer == Answer("No encuentro esa mesa. Revisa el código.", ok=False)


async def test_a_save_that_cannot_be_read_suspends_its_table_alone(house: House) -> None:
    broken, people = await house.started()
    whole, _ = await house.started()
    house.store.unreadable.add(broken)
    with structlog.testing.capture_logs() as logs:
        answer = await house.press(people[0], broken, Verb.DRAW)
    assert not answer.ok
    assert answer.text == "Esta mesa está en pausa: no se pudo leer su partida. No se ha perdido nada."
    assert answer.screen is not None
    assert answer.screen.role is Role.NOTE
    assert [entry["event"] for entry in logs] == ["table.unreadable", "press"]
    assert house.store.suspends == 1
    public = await house.app.public_screen(broken)
    assert public is not None
    assert public.role is Role.NOTE
    assert await house.app.hand_screen(broken, people[0]) is None
    assert (await house.press(await house.mover(whole, people), whole, Verb.DRAW)).ok


async def test_a_store_that_cannot_suspend_just_now_still_answers_the_same(house: House) -> None:
    table_id, people = await house.started()
    house.store.unreadable.add(table_id)

    async def busy(table_id: str) -> None:
        raise StoreBusy("locked")

    house.store.suspend = busy  # type: ignore[method-assign]
    answer = await house.press(people[0], table_id, Verb.DRAW)
    assert "en pausa" in answer.text


async def test_a_busy_store_is_told_and_nothing_has_changed(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    version = house.store.version(table_id)
    kept = house.store.kept[table_id].saved
    told = "No se pudo guardar la jugada, así que no se hizo. Prueba otra vez en un momento."
    house.store.busy = 10**6
    assert await house.press(person, table_id, Verb.DRAW) == Answer(told, ok=False, reason="busy")
    assert await house.press(person, table_id, Verb.SORT, "rank") == Answer(told, ok=False, reason="busy")
    house.store.busy = 0
    house.store.faults = [StoreBusy("disk full")]
    assert await house.press(person, table_id, Verb.DRAW) == Answer(told, ok=False, reason="busy")
    assert house.store.kept[table_id].saved == kept
    assert (await house.press(person, table_id, Verb.DRAW)).ok
    assert house.store.version(table_id) == version + 1


async def test_something_unforeseen_is_answered_with_a_number_that_the_log_has(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    house.store.faults = [RuntimeError("never seen before")]
    with structlog.testing.capture_logs() as logs:
        answer = await house.press(person, table_id, Verb.DRAW)
    assert not answer.ok
    (entry,) = [entry for entry in logs if entry["event"] == "press.failed"]
    assert entry["error_id"] in answer.text
    assert len(answer.text) <= 200
    assert (await house.press(person, table_id, Verb.DRAW)).ok


async def test_a_change_made_elsewhere_is_seen_and_the_press_judged_anew(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    house.store.conflicts = 2
    drawn = await house.press(person, table_id, Verb.DRAW)
    assert drawn.ok
    assert drawn.screen is not None
    house.store.conflicts = 99
    answer = await house.app.press(person, discard_token(drawn.screen), house.press_id())
    assert "no se hizo" in answer.text
    house.store.conflicts = 0


async def test_a_listener_that_fails_does_not_undo_what_is_committed(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)

    def fail(_: object) -> None:
        raise RuntimeError("deaf")

    house.app._keeper.listen(fail)
    assert (await house.press(person, table_id, Verb.DRAW)).ok


async def test_answers_tell_what_was_done(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    other = next(each for each in people if each != person)
    drawn = await house.press(person, table_id, Verb.DRAW)
    match = await house.match(table_id)
    assert drawn.screen is not None
    assert isinstance(drawn.screen.picture, HandPicture)
    assert drawn.screen.picture.new == deal_of(match).turn.new
    assert drawn.text in drawn.screen.lines
    public = await house.app.public_screen(table_id)
    card = drawn.text.removeprefix("Robaste ").removesuffix(".")
    assert public is not None
    assert isinstance(public.picture, TablePicture)
    assert card not in public.alternative.splitlines()[-1]
    discarded = await house.app.press(person, discard_token(drawn.screen), house.press_id())
    assert discarded.text.startswith("Tiraste ")
    assert discarded.text.endswith(f"Sigue {other.name}.")
    taken = await house.press(other, table_id, Verb.TAKE_PILE)
    assert taken.text == "Tomaste el pozo (2 cartas)."


async def test_undo_and_questions_change_nothing_by_themselves(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    await house.press(person, table_id, Verb.TAKE_PILE)
    undone = await house.press(person, table_id, Verb.UNDO)
    assert undone.text == "Jugada deshecha."
    match = await house.match(table_id)
    assert deal_of(match).turn.phase is Phase.DRAW


async def test_the_hand_is_sorted_as_its_player_likes_it(house: House) -> None:
    table_id, people = await house.started()
    version = house.store.version(table_id)
    sorted_ = await house.press(people[0], table_id, Verb.SORT, "rank")
    coloured = await house.press(await house.app.meet("test:Ana", "Ana"), table_id, Verb.COLOURS, "two")
    assert sorted_.screen is not None
    assert isinstance(sorted_.screen.picture, HandPicture)
    assert sorted_.screen.picture.corner == "por valor"
    assert coloured.screen is not None
    assert isinstance(coloured.screen.picture, HandPicture)
    assert coloured.screen.picture.suits == "two"
    kept = await house.app.person("test:Ana")
    assert kept is not None
    assert (kept.hand_order, kept.suit_colours) == ("rank", "two")
    assert house.store.version(table_id) == version, "a preference is no change of the table"
    for verb in (Verb.SORT, Verb.COLOURS):
        wrong = await house.press(people[0], table_id, verb, "nonsense")
        assert wrong.text == "Ese botón ya no sirve. Abre la mesa de nuevo."


async def test_deals_follow_each_other_to_the_end_of_the_match(house: House) -> None:
    table_id, people = await house.started(3, Seating.THREE_ALONE)
    early = await house.press(people[0], table_id, Verb.NEXT_DEAL)
    assert early.text == "Esta ronda todavía no terminó."
    for number in range(60):
        await house.play_out(table_id, people)
        match = await house.match(table_id)
        assert deal_of(match).number == number
        public = await house.app.public_screen(table_id)
        if match.is_over:
            break
        assert public is not None
        assert next(verb_of(choice) for choice in choices(public)) is Verb.NEXT_DEAL
        wrong = await house.press(people[1], table_id, Verb.DRAW)
        assert wrong.text == "Esta ronda ya terminó."
        both = await asyncio.gather(
            *(house.press(each, table_id, Verb.NEXT_DEAL, version=house.store.version(table_id)) for each in people[:2])
        )
        assert sorted(answer.ok for answer in both) == [False, True]
    record = await house.record(table_id)
    assert record.match is not None
    assert record.match.is_over
    assert record.table.status is Status.OVER
    assert table_id not in await house.store.open_tables()
    public = await house.app.public_screen(table_id)
    assert public is not None
    assert [verb_of(choice) for choice in choices(public)] == [
        Verb.REMATCH,
        Verb.REMATCH,
        Verb.FINAL_HANDS,
        Verb.REPLAY,
        Verb.PLAYS,
        Verb.RULES,
        Verb.MENU,
    ]
    assert isinstance(public.picture, TablePicture)
    assert public.picture.texts.banner.startswith("¡Gana ")
    for verb in (Verb.DRAW, Verb.NEXT_DEAL, Verb.JOIN):
        answer = await house.press(people[0], table_id, verb)
        assert answer.text == "La partida ya terminó."
    hand = await house.press(people[0], table_id, Verb.SHOW_HAND)
    assert hand.screen is not None
    assert hand.screen.role is Role.HAND
    events = await house.store.events(table_id)
    assert sum(type(event).__name__ == "MatchWon" for event in events) == 1


async def test_stored_answers_keep_no_screen(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    await house.press(person, table_id, Verb.DRAW, press_id="kept")
    stored = await house.store.answer_to(f"{person.id}:kept")
    assert stored is not None
    assert msgspec.json.decode(stored)["screen"] is None


async def test_what_was_done_is_public_but_for_the_card(house: House) -> None:
    table_id, people = await house.started()
    person = await house.mover(table_id, people)
    await house.press(person, table_id, Verb.DRAW)
    match = await house.match(table_id)
    assert [play.kind for play in deal_of(match).turn.plays] == [PlayKind.DREW]
    public = await house.app.public_screen(table_id)
    assert f"{person.name} robó" in words(public)
    await settled()
