"""Playing in Discord: what people type, press and pick, and what they and the others see of it."""

import re
from typing import Any

import discord
import msgspec
import pytest

from bot.clocks import safe_turn
from bot.model import Pace, Status
from bot.store import Change, Record, StoreBusy, UnreadableSave
from engine.evolve import evolve_all
from engine.seating import Seating
from engine.state import Match
from tests.bot.rooms import discard_token
from tests.bot.tables import at, deal_of
from tests.discord.conftest import Bot
from tests.discord.looks import SELECT, of_type, verb_of
from tests.discord.test_text import NASTY, live
from tests.discord.world import MANAGER, MODERATOR, Answered, Shown, World

FORTY = " ".join(f"{rank}{suit}" for suit in "shdc" for rank in "3456789TJQ")
STALE = "La mesa cambió mientras tanto"
NOT_YOURS = "No juegas en esta mesa"


async def position(world: World, actor: Any, cards: str, **fields: Any) -> None:
    """Set the table's match to one in which somebody is on turn with these cards."""
    seat = await world.seat(actor)
    hands = ["3s 3c 8d"] * 2
    hands[seat] = cards
    side = seat
    for name, empty in (("melds", ()), ("taken", False)):
        if name in fields:
            row: list[Any] = [empty, empty]
            row[side] = fields[name]
            fields[name] = tuple(row)
    await world.put(at(hands=hands, mover=seat, seating=Seating.ONE_ON_ONE, **fields))


async def hand(world: World, actor: Any) -> Shown:
    """Somebody's hand, asked for by command."""
    shown = (await world.slash(actor, "buraco mano")).shown
    assert shown.ephemeral
    return shown


# opening, and the lobby


async def test_a_table_is_opened_in_the_channel_and_its_opener_is_told_alone(world: World) -> None:
    ana = world.member("Ana")
    answer = await world.slash(ana, "buraco nueva", modo="2v2", variante="cerrado", meta="3000", ritmo="quick")
    assert answer.shown.ephemeral
    record = await world.record()
    assert record.table.code in answer.text
    assert record.table.seating is Seating.TWO_PAIRS
    assert record.table.rules.id == "cerrado"
    assert record.table.pace is Pace.QUICK
    assert record.table.origin == f"discord:server:{world.guild.id}"
    assert not world.board.ephemeral
    assert "Mesa de Ana" in world.board.text
    assert {"Sentarme", "Pareja 1", "Pareja 2", "Salir", "+ Robot", "Empezar", "Cancelar la mesa"} <= set(
        world.board.enabled
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"variante": "canasta"}, "No entiendo «canasta»"),
        ({"variante": "cerado"}, "¿Quisiste decir «cerrado»?"),
        ({"variante": "@everyone **x**"}, "No entiendo"),
        ({"meta": "7"}, "se juega así"),
        ({"modo": "2v2v2", "variante": "burraco-13"}, "no se juega 2v2v2"),
    ],
)
async def test_what_makes_no_sense_opens_nothing(world: World, options: dict[str, str], told: str) -> None:
    answer = await world.slash(world.member("Ana"), "buraco new", **options)
    assert told in answer.text
    assert not live(answer.text)
    assert not world.boards()


async def test_strangers_sit_down_and_only_the_host_directs(world: World) -> None:
    ana, luis = world.member("Ana"), world.member("Luis")
    await world.slash(ana, "buraco new", modo="2v2")
    for label in ("+ Robot", "Empezar", "Cancelar la mesa"):
        told = await world.board.press(luis, label)
        assert told.shown.ephemeral
        assert told.text.startswith("Solo puede hacerlo quien dirige la mesa.")
    assert (await world.board.press(luis, "Salir")).text == "No estás en esta mesa."
    assert (await world.board.press(luis, "Sentarme")).text == "Te sentaste a la mesa."
    assert "Luis" in world.board.text
    assert (await world.board.press(luis, "Sentarme")).text == "Ya estás en esta mesa."
    assert (await world.board.press(ana, "+ Robot")).is_silent, "everybody sees it"
    assert "Lola" in world.board.text
    assert (await world.board.press(ana, "− Robot")).is_silent
    assert "Lola" not in world.board.text
    assert len(world.boards()) == 1


async def test_sides_are_chosen_changed_and_full(world: World) -> None:
    people = [world.member(name) for name in ("Ana", "Luis", "Marta")]
    await world.slash(people[0], "buraco new", modo="2v2")
    for actor in people[:2]:
        await world.board.press(actor, "Pareja 1")
    assert "Pareja 1: Ana y Luis." in world.board.text
    assert world.board.buttons["Pareja 1"]["disabled"]
    await world.board.press(people[2], "Pareja 2")
    await world.board.press(people[1], "Pareja 2")
    assert "Pareja 2: Luis y Marta." in world.board.text
    assert "Pareja 1" in world.board.enabled


async def test_the_host_expels_after_a_question(world: World) -> None:
    ana, luis = world.member("Ana"), world.member("Luis")
    await world.slash(ana, "buraco new", modo="1v1")
    await world.board.press(luis, "Sentarme")
    question = (await world.board.press(ana, "Expulsar")).shown
    assert question.ephemeral
    assert "¿A quién sacas de la mesa?" in question.text
    await question.press(ana, "Luis")
    assert "Luis" not in world.board.text
    assert (await world.record()).table.people == ((await world.person(ana)).id,)


async def test_a_cancelled_table_keeps_no_buttons(world: World) -> None:
    ana = world.member("Ana")
    await world.slash(ana, "buraco new", modo="1v1")
    await world.board.press(ana, "Cancelar la mesa")
    (message,) = world.messages()
    assert "se canceló" in message.text
    assert not message.buttons


async def test_a_table_joined_by_its_code_from_elsewhere(world: World) -> None:
    ana, luis = world.member("Ana"), world.member("Luis")
    await world.slash(ana, "buraco new", modo="1v1")
    code = (await world.record()).table.code
    other = world.guild.create_text_channel("otro")
    told = await world.slash(luis, "buraco unirse", other, codigo=f" {code.lower()} ")
    assert told.shown.ephemeral
    assert "Luis" in world.board.text
    assert not world.messages(other)
    assert "No encuentro esa mesa" in (await world.slash(luis, "buraco unirse", codigo="nada")).text


async def test_a_thread_of_its_own(world: World) -> None:
    ana = world.member("Ana")
    told = await world.slash(ana, "buraco new", modo="1v1", hilo=True)
    (thread,) = world.channel.threads
    assert f"<#{thread.id}>" in told.text
    assert len(world.boards(thread)) == 1
    assert not world.messages()


@pytest.mark.parametrize(
    ("denied", "named"), [("send_messages", "Enviar mensajes"), ("attach_files", "Adjuntar archivos")]
)
async def test_rights_that_are_missing_are_named_before_anything_is_opened(
    world: World, denied: str, named: str
) -> None:
    mute = discord.PermissionOverwrite(**{denied: False})
    closed = world.guild.create_text_channel("cerrado", overwrites={world.guild.default_role: mute})
    ana = world.member("Ana")
    told = await world.slash(ana, "buraco new", closed, modo="1v1")
    assert f"«{named}»" in told.text
    assert not world.messages(closed)
    assert not await world.bot.app.tables_of((await world.person(ana)).id)


# the match


async def test_the_start_calls_everybody_once_and_shows_the_table(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    (notice,) = world.notices
    assert {f"<@{ana.id}>", f"<@{luis.id}>"} <= set(notice.text.replace(":", " ").split())
    assert set(notice.message.raw_mentions) == {ana.id, luis.id}
    assert world.board.files == ["mesa.png"]
    assert "Mazo: " in world.board.alternatives[0]
    assert "Mi mano" in world.board.enabled


async def test_a_turn_notice_pings_only_the_mover_and_takes_the_place_of_the_last(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    await mine.discard(ana, "K♠")
    (notice,) = world.notices
    assert notice.message.raw_mentions == [luis.id]
    assert "te toca" in notice.text
    sent = [r.json for r in world.env.http_requests if r.json and r.path.endswith("/messages") and r.json["content"]]
    assert sent[-1]["allowed_mentions"]["users"] == [luis.id] or sent[-1]["allowed_mentions"]["users"] == [str(luis.id)]
    assert not sent[-1]["allowed_mentions"].get("parse")
    opened = (await notice.press(luis, "Mi mano")).shown
    assert opened.ephemeral
    assert "Robar" in opened.enabled


async def test_my_hand_is_mine_alone_with_picture_and_words(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    answer = await world.board.press(ana, "Mi mano")
    shown = answer.shown
    assert shown.ephemeral
    assert shown.files == ["mano.png"]
    assert all(sign in shown.alternatives[0] for sign in ("4♥", "5♥", "6♥", "9♣", "K♠", "Q♦"))
    assert [label for label in shown.enabled if label.startswith("Bajar 4♥")]
    assert "Amigos · #mesa" in shown.text
    with pytest.raises(Exception, match="not visible"):
        await luis.click(shown.message, label="Ordenar por valor")
    for message in world.messages():
        assert "K♠" not in message.text
        assert not message.ephemeral


async def test_without_a_picture_the_words_stand_there(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    world.bot.renderer.broken = True
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    assert not mine.files
    assert "Tu mano · 6 cartas" in mine.text
    await mine.discard(ana, "K♠")
    assert not world.board.files
    assert "Mazo: " in world.board.text


async def test_out_of_turn_the_hand_is_there_with_its_buttons_off(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    shown = await hand(world, luis)
    assert "Juega Ana" in shown.text
    assert shown.files == ["mano.png"]
    assert {verb_of(shown.buttons[label]["custom_id"]) for label in shown.enabled} == {
        verb_of(shown.buttons[label]["custom_id"]) for label in ("Ordenar por valor", "Palos en dos colores")
    }
    assert not of_type(shown.components, SELECT)
    sorted_ = await shown.press(luis, "Ordenar por valor")
    assert sorted_.is_silent
    assert "Ordenar por palo" in shown.enabled


async def test_strangers_are_told_and_change_nothing(world: World) -> None:
    await world.playing("Ana", "Luis")
    marta = world.member("Marta")
    before = await world.record()
    for label in ("Robar", "Tomar el pozo", "Mi mano"):
        told = await world.board.press(marta, label)
        assert told.shown.ephemeral
        assert NOT_YOURS in told.text
    for label, words in (("Últimas jugadas", "Se repartió"), ("Reglas", "CARTAS"), ("⋯", "La mesa en palabras")):
        reading = (await world.board.press(marta, label)).shown
        assert reading.ephemeral
        assert words.casefold() in (reading.text + str(reading.buttons)).casefold()
    assert await world.record() == before
    assert "No tienes cartas" in (await world.slash(marta, "buraco mano")).text


async def test_who_is_not_on_turn_is_told_whose_turn_it_is(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    away = ana if "Turno de Luis" in world.board.alternatives[0] else luis
    told = await world.board.press(away, "Robar")
    assert "Es el turno de" in told.text


async def test_drawing_tells_the_card_to_the_one_who_drew_alone(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd", phase="draw")
    mine = await hand(world, ana)
    await mine.press(ana, "Robar")
    assert "Robaste" in mine.text
    assert "Tu mano · 7 cartas" in mine.alternatives[0]
    drawn = mine.text.split("Robaste ")[1].split()[0].rstrip(".*")
    assert all(f"Robaste {drawn}" not in message.text for message in world.messages())


async def test_taking_the_pile_from_the_public_message_opens_the_hand(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd", phase="draw", pile="7h 8h 9h")
    await hand(world, ana)
    await world.slash(ana, "buraco mesa")
    answer = await world.boards()[-1].press(ana, "Tomar el pozo")
    assert answer.shown.ephemeral
    assert "Tu mano · 9 cartas" in answer.shown.alternatives[0]


# picking cards


async def test_picked_cards_are_melded_with_one_press(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    assert mine.cards[0].startswith("K♠ · ")
    await mine.pick(ana, "4♥", "5♥")
    assert "Elegidas: 4♥ 5♥" in mine.text
    assert "Bajar (2)" not in mine.enabled
    await mine.pick(ana, "4♥", "5♥", "6♥")
    assert len(mine.picked) == 3
    assert world.bot.renderer.hands[-1].selected
    assert not [label for label in mine.buttons if label.startswith("Bajar 4♥")], "it is below already"
    await mine.press(ana, "Bajar (3)")
    assert "4♥" in mine.text
    assert not mine.picked
    assert "Tu mano · 3 cartas" in mine.alternatives[0]
    assert "4♥" in world.boards()[-1].alternatives[0] or "de corazones" in world.boards()[-1].alternatives[0]


async def test_cards_that_make_no_meld_are_refused_with_the_reason(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    await mine.pick(ana, "9♣", "K♠", "Q♦")
    before = await world.record()
    await mine.press(ana, "Bajar (3)")
    assert mine.text.startswith("**")
    assert await world.record() == before


async def test_suggestions_add_and_undo_in_one_tap(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "7h 9c Ks Qd 4d", melds=("4h 5h 6h",))
    mine = await hand(world, ana)
    label = mine.label("Agregar 7♥ a #1")
    await mine.press(ana, label)
    assert "agregaste 7♥" in mine.text.lower()
    undo = mine.label("Deshacer")
    assert "7♥" in undo
    await mine.press(ana, undo)
    assert "Jugada deshecha" in mine.text
    assert "Agregar 7♥ a #1" in mine.enabled


async def test_adding_picked_cards_asks_where_several_melds_take_them(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "2c 9c Ks Qd 4d", melds=("4h 5h 6h", "Js Qs Ks"))
    mine = await hand(world, ana)
    await mine.pick(ana, "2♣")
    await mine.press(ana, "Agregar (1)")
    assert "¿A qué juego agregas 2♣?" in mine.text
    await mine.press(ana, "#2")
    if "¿Qué carta reemplaza" in mine.text:
        await mine.press(ana, "Como A♠")
    assert "2♣" in mine.text
    assert "Tu mano · 4 cartas" in mine.alternatives[0]


async def test_a_wild_s_place_is_asked_for_and_the_way_back_changes_nothing(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "JK 9c Ks Qd 4d", melds=("5h 6h 7h",))
    mine = await hand(world, ana)
    await mine.pick(ana, "joker")
    await mine.press(ana, "Agregar (1)")
    assert "¿Qué carta reemplaza el comodín?" in mine.text
    assert {"Como 4♥", "Como 8♥", "Volver"} == set(mine.enabled)
    assert not mine.files
    await mine.press(ana, "Volver")
    assert mine.files == ["mano.png"]
    await mine.pick(ana, "joker")
    await mine.press(ana, "Agregar (1)")
    await mine.press(ana, "Como 4♥")
    assert "Tu mano · 4 cartas" in mine.alternatives[0]


async def test_discarding_takes_one_tap_and_passes_the_turn(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine, other = await hand(world, ana), await hand(world, luis)
    assert "Juega Ana" in other.text
    await mine.discard(ana, "K♠")
    assert "K♠" in mine.text
    assert "Sigue Luis." in mine.text
    assert "Robar" in other.enabled, "the other's open hand is brought up to date"
    assert "Turno de Luis" in world.boards()[-1].alternatives[0]


async def test_an_open_hand_stays_sorted_as_it_was_asked_for(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine, other = await hand(world, ana), await hand(world, luis)
    await other.press(luis, "Ordenar por valor")
    assert "Ordenar por palo" in other.enabled
    await mine.discard(ana, "K♠")
    assert "Robar" in other.enabled
    assert "Ordenar por palo" in other.enabled


async def test_picks_in_two_pickers_are_kept_when_one_is_changed(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, FORTY)
    mine = await hand(world, ana)
    assert len(mine.pickers) == 2
    assert len(mine.cards) == 40
    assert not [s for s in of_type(mine.components, SELECT) if s["custom_id"].startswith("d:")]
    await mine.pick(ana, "4♠", "5♠")
    await mine.pick(ana, "7♣", picker=1)
    assert {card[:2] for card in mine.picked} == {"4♠", "5♠", "7♣"}
    await mine.pick(ana, "6♠")
    assert {card[:2] for card in mine.picked} == {"6♠", "7♣"}
    await mine.pick(ana, picker=1)
    assert {card[:2] for card in mine.picked} == {"6♠"}
    await mine.press(ana, "Descartar (1)")
    assert "6♠" in mine.text
    assert (await world.record()).match.deal.turn.seat != await world.seat(ana)  # type: ignore[union-attr]


async def again(world: World) -> None:
    """The next process over the same store."""
    old = world.bot
    await old.app.stop()
    world.bot = Bot(old.store)
    world.tell_time()
    await world.env.restart_bot(world.bot.client)


async def test_picks_survive_a_restart_in_the_message_itself(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, FORTY)
    mine = await hand(world, ana)
    await mine.pick(ana, "4♠", "5♠")
    await again(world)
    await mine.pick(ana, "7♣", picker=1)
    assert {card[:2] for card in mine.picked} == {"4♠", "5♠", "7♣"}
    await mine.pick(ana, "4♠", "5♠", "6♠")
    await mine.pick(ana, picker=1)
    await mine.press(ana, "Bajar (3)")
    assert "Tu mano · 37 cartas" in mine.alternatives[0]


@pytest.mark.parametrize("label", ["Ordenar por valor", "Palos en dos colores", "Bajar"])
async def test_what_is_no_more_marked_is_no_more_picked(world: World, label: str) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, FORTY)
    mine = await hand(world, ana)
    await mine.pick(ana, "4♠", "6♠", "8♠")
    await mine.press(ana, "Bajar (3)" if label == "Bajar" else label)
    assert not mine.picked
    await mine.pick(ana, mine.pickers[1]["options"][3]["label"], picker=1)
    assert len(mine.picked) == 1


async def test_buttons_and_the_board_work_after_a_restart(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    board = world.board.id
    await again(world)
    await mine.press(ana, "Bajar 4♥ 5♥ 6♥")
    assert "Tu mano · 3 cartas" in mine.alternatives[0]
    assert world.board.id == board, "the message is found again"


# stale, double, odd


async def test_a_stale_press_shows_how_it_is_now(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    await position(world, ana, "4h 5h 6h 7h 9c Ks Qd")
    await mine.press(ana, "Bajar 4♥ 5♥ 6♥")
    assert STALE in mine.text
    assert "Tu mano · 7 cartas" in mine.alternatives[0]
    await position(world, ana, "4h 5h 6h 9c Ks")
    await mine.pick(ana, "4♥")
    assert STALE in mine.text
    assert not mine.picked
    await position(world, ana, "4h 5h 6h 9c")
    await mine.discard(ana, "9♣")
    assert STALE in mine.text


async def test_the_same_press_delivered_twice_counts_once(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd", phase="draw")
    mine = await hand(world, ana)
    person, token = await world.person(ana), mine.buttons["Robar"]["custom_id"]
    first = await world.bot.app.press(person, token, "77")
    version = (await world.record()).version
    second = await world.bot.app.press(person, token, "77")
    assert first.text == second.text
    assert (await world.record()).version == version


async def test_two_presses_of_the_same_button_draw_once(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd", phase="draw")
    mine = await hand(world, ana)
    message, custom_id = mine.message, mine.buttons["Robar"]["custom_id"]
    await ana.click(message, custom_id=custom_id)
    board = world.boards()[-1]
    assert "Robar" not in board.enabled
    assert "Tu mano · 7 cartas" in mine.alternatives[0]


async def test_only_the_newest_message_with_a_hand_stays(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    first = await hand(world, ana)
    second = (await world.board.press(ana, "Mi mano")).shown
    assert not first.is_there
    third = await hand(world, ana)
    assert not second.is_there
    assert third.is_there


async def test_a_table_that_goes_on_while_a_hand_is_drawn_is_shown_as_it_is_then(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    table_id, mover = (await world.record()).table.id, await world.person(ana)
    answers = world.bot.client.answers
    gone_on: list[bool] = []
    deliver = answers._deliver

    async def ana_is_quicker(*args: Any, **options: Any) -> Any:
        if not gone_on:
            gone_on.append(True)
            screen = await world.bot.app.hand_screen(table_id, mover)
            assert screen is not None
            assert (await world.bot.app.press(mover, discard_token(screen), "quick")).ok
            # Everybody's open hands are seen to before this one is known.
            await answers.refresh(table_id)
        return await deliver(*args, **options)

    monkeypatch.setattr(answers, "_deliver", ana_is_quicker)
    mine = await hand(world, luis)
    await world.settle()
    assert gone_on
    assert "Robar" in mine.enabled


async def test_buttons_of_others_and_nonsense_are_answered(world: World) -> None:
    ana = world.member("Ana")
    channel = world.env.bot.get_channel(world.channel.id)
    with world.env._bot_scope():
        view = discord.ui.View(timeout=None)
        for custom_id in ("nonsense", "1:abcdefghij:0:dr", "p:0:abcdefghij", "p:x:y:z", "d:1:a:b:c"):
            view.add_item(discord.ui.Button(label=custom_id, custom_id=custom_id))
        view.stop()
        await channel.send("…", view=view, allowed_mentions=discord.AllowedMentions.none())
    old = world.messages()[-1]
    for label in list(old.buttons):
        answer = await old.press(ana, label)
        assert answer.shown.ephemeral
        assert "ya no sirve" in answer.text or "No encuentro esa mesa" in answer.text


# trouble


async def test_a_message_that_comes_too_late_leaves_the_move_done(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    before = mine.text
    world.env.inject_error("PATCH", "/webhooks/*", status=404, code=10015, message="Unknown Webhook", times=None)
    await mine.press(ana, "Bajar 4♥ 5♥ 6♥")
    assert mine.text == before
    match = (await world.record()).match
    assert match is not None
    assert len(match.deal.melds[await world.seat(ana)]) == 1  # type: ignore[union-attr]
    world.env.inject_error("POST", "/webhooks/*", status=401, code=50027, message="Invalid Webhook Token", times=1)
    await world.board.press(luis, "Mi mano")


async def test_an_acknowledgement_that_comes_too_late_leaves_the_move_done(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    world.env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction", times=1)
    version = (await world.record()).version
    custom_id = mine.buttons[mine.label("Bajar 4♥")]["custom_id"]
    await ana.click(mine.message, custom_id=custom_id)
    assert (await world.record()).version == version + 1


async def test_a_store_that_is_busy_is_told_and_nothing_is_done(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)
    before = await world.record()

    async def busy(*_: Any) -> Any:
        raise StoreBusy("locked")

    monkeypatch.setattr(world.bot.store, "commit", busy)
    monkeypatch.setattr(world.bot.store, "create", busy)
    answer = await mine.press(ana, "Bajar 4♥ 5♥ 6♥")
    assert "No se pudo guardar" in answer.text
    assert "No se pudo guardar" in (await world.slash(ana, "buraco new", modo="1v1")).text
    assert await world.record() == before


async def test_what_nobody_foresaw_is_answered_with_a_number(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    mine = await hand(world, ana)

    async def broken(*_: Any) -> Any:
        raise RuntimeError("what now")

    monkeypatch.setattr(world.bot.store, "person_by_key", broken)
    for answer in (
        await mine.press(ana, "Bajar 4♥ 5♥ 6♥"),
        await mine.pick(ana, "4♥"),
        await world.board.press(ana, "Mi mano"),
        await world.slash(ana, "buraco mano"),
        await world.slash(ana, "buraco new", modo="1v1"),
    ):
        assert re.search(r"Si se repite, da este número: [0-9a-f]{8}\.", answer.text)
        assert "what now" not in answer.text


async def test_a_table_whose_save_cannot_be_read_is_shown_as_paused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = await world.playing("Ana", "Luis")

    async def unreadable(table_id: str) -> Any:
        raise UnreadableSave(table_id, "the bytes make no sense")

    board = world.board
    monkeypatch.setattr(world.bot.store, "load", unreadable)
    answer = await board.press(ana, "Robar")
    assert "pausa" in answer.text
    assert "No tienes cartas" in (await world.slash(ana, "buraco mano")).text


# commands


async def test_what_is_typed_is_completed(world: World) -> None:
    ana = world.member("Ana")

    async def offered(command: str, option: str, typed: str, **filled: str) -> list[str]:
        found = await ana.autocomplete(world.channel, command, option, typed, **filled)
        return [choice["value"] for choice in found]

    for command in ("buraco new", "buraco nueva", "buraco ajustes", "reglas"):
        assert (await offered(command, "variante", "CLÁS"))[0] == "clasico"
        assert await offered(command, "variante", "xyz") == []
    assert await offered("buraco new", "meta", "20", variante="fibur") == ["2005"]
    assert await offered("buraco new", "meta", "7", variante="fibur") == []


async def test_alone_with_the_bot_the_match_begins_at_once(world: World) -> None:
    eva = world.env.create_user("Eva")
    answer = Answered(world, await eva.slash("buraco new", modo="1v1"))
    mine = answer.first
    assert "mesa.png" in mine.files
    assert "mano.png" in mine.files
    assert len(mine.alternatives) == 2
    assert "contra robots" in answer.text
    (link,) = [b for b in answer.shown.buttons.values() if b.get("url")]
    assert "oauth2/authorize" in link["url"]
    for _ in range(3):
        shown = Answered(world, await eva.slash("buraco mano")).shown
        await world.settle()
        if "Robar" in shown.enabled:
            await shown.press(eva, "Robar")
        assert len(shown.files) == 2


async def test_settings_are_kept_and_those_of_the_server_need_a_right(world: World) -> None:
    ana, jefe = world.member("Ana"), world.member("Jefa", MANAGER)
    shown = (await world.slash(ana, "buraco ajustes")).shown
    assert shown.ephemeral
    assert "por palo" in shown.text
    assert "Guardado" not in shown.text
    told = (await world.slash(ana, "buraco ajustes", orden="rank", colores="two")).text
    assert "Guardado." in told
    assert "por valor" in told
    assert "dos colores" in told
    assert "Eso solo puede hacerlo quien modera aquí." in (await world.slash(ana, "buraco ajustes", hilos=True)).text
    told = (await world.slash(jefe, "buraco ajustes", variante="Cerrado", ritmo="mail", hilos=True)).text
    assert "Guardado." in told
    assert "Cerrado" in told
    assert "Cada mesa abre su hilo." in told
    await world.slash(ana, "buraco new")
    (thread,) = world.channel.threads
    assert "Cerrado" in world.boards(thread)[0].text
    assert "No entiendo" in (await world.slash(jefe, "buraco ajustes", variante="nada")).text


async def test_rules_of_a_variant_of_the_table_here_and_of_a_table(world: World) -> None:
    ana = world.member("Ana")
    assert "Clásico" in (await world.slash(ana, "reglas")).text
    assert (
        "Italiano" in (await world.slash(ana, "reglas", variante="Burraco")).text
        or "Burraco" in (await world.slash(ana, "reglas", variante="Burraco")).text
    )
    assert "No entiendo «nada»" in (await world.slash(ana, "reglas", variante="nada")).text
    assert "Aquí no hay ninguna mesa" in (await world.slash(ana, "buraco reglas-de-la-mesa")).text
    await world.slash(ana, "buraco new", variante="fibur", modo="1v1")
    assert "Federación" in (await world.slash(ana, "reglas")).text
    whole = (await world.slash(ana, "buraco reglas-de-la-mesa")).shown
    assert whole.ephemeral
    assert len(whole.text) > 1000


async def test_my_tables_begin_with_those_where_it_is_my_turn(world: World) -> None:
    ana = world.member("Ana")
    assert "No juegas en ninguna mesa" in (await world.slash(ana, "buraco mistandas")).text
    await world.slash(ana, "buraco new", modo="1v1")
    await world.slash(ana, "buraco new", modo="2v2")
    shown = (await world.slash(ana, "buraco mistandas")).shown
    assert shown.ephemeral
    assert len(shown.buttons) == 2
    assert "sin empezar" in shown.text
    opened = await shown.press(ana, "1.")
    assert "Mesa de Ana" in opened.text
    which = (await world.slash(ana, "buraco salir")).shown
    assert "¿Cuál de estas mesas?" in which.text
    await which.press(ana, next(iter(which.buttons)))
    assert len(await world.bot.app.tables_of((await world.person(ana)).id)) == 1


async def test_leaving_a_match_is_asked_about_and_a_robot_goes_on(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    question = (await world.slash(luis, "buraco salir")).shown
    assert "un robot sigue con tus cartas" in question.text
    await question.press(luis, "Sí, irme")
    record = await world.record()
    assert record.table.people == ((await world.person(ana)).id,)
    assert record.table.status is Status.PLAYING


async def test_only_who_moderates_here_ends_a_table_of_several(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    assert "solo puede terminarla quien modera aquí" in (await world.slash(ana, "buraco terminar")).text
    elsewhere = world.env.create_guild("Otros")
    stranger = elsewhere.add_member(
        world.env.create_user("Otro"), roles=[elsewhere.create_role("mod", permissions=MODERATOR)]
    )
    code = (await world.record()).table.code
    there = elsewhere.create_text_channel("x")
    assert "solo puede terminarla" in (await world.slash(stranger, "buraco terminar", there, codigo=code)).text
    question = (await world.slash(world.member("Mod", MODERATOR), "buraco terminar")).shown
    assert "¿Terminar la mesa" in question.text
    await question.press(world.guild_member("Mod"), "Sí, terminarla")
    assert not await world.bot.app.tables_at("discord", str(world.channel.id))
    assert "se canceló" in world.messages()[-1].text


async def test_the_table_again_at_the_bottom(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    old = world.board
    await ana.send(world.channel, "hola")
    told = await world.slash(ana, "buraco mesa")
    assert told.text == "Aquí está la mesa."
    assert not old.is_there
    assert world.board.id > old.id


async def test_a_deleted_board_comes_back_once(world: World) -> None:
    await world.playing("Ana", "Luis")
    mod = world.member("Mod", MODERATOR)
    old = world.board
    await mod.delete(old.message)
    await world.settle()
    assert world.board.id != old.id
    await mod.delete(world.board.message)
    await world.settle()
    assert not world.boards(), "deleted twice it is meant"


async def test_a_buried_board_is_posted_anew(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    old = world.board
    for number in range(12):
        await ana.send(world.channel, f"bla {number}")
    await (await hand(world, ana)).press(ana, "Bajar 4♥ 5♥ 6♥")
    assert world.board.id > old.id
    assert not old.is_there


async def test_a_channel_that_refuses_does_not_hold_up_the_match(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "4h 5h 6h 9c Ks Qd")
    world.env.inject_error("*", f"/channels/{world.channel.id}/messages*", status=403, code=50013, times=None)
    mine = await hand(world, ana)
    await mine.press(ana, "Bajar 4♥ 5♥ 6♥")
    assert "Tu mano · 3 cartas" in mine.alternatives[0]
    await mine.discard(ana, "K♠")
    assert "Sigue Luis." in mine.text


async def test_a_deal_that_is_over_leaves_its_result_and_the_next_gets_a_message(world: World) -> None:
    ana, _ = await world.playing("Ana", "Luis")
    await position(world, ana, "Ks", taken=True, melds=("4h 5h 6h 7h 8h 9h Th",))
    mine = await hand(world, ana)
    answer = await mine.discard(ana, "K♠")
    if "Sí, seguir" in answer.shown.enabled:
        await answer.shown.press(ana, "Sí, seguir")
    assert "La ronda terminó" in mine.text
    over = world.board
    assert "Siguiente ronda" in over.enabled
    await over.press(ana, "Siguiente ronda")
    assert world.board.id != over.id
    assert over.is_there
    assert not over.buttons
    assert not over.files
    assert "R2" in repr(world.bot.renderer.tables[-1].texts.corner)


@pytest.mark.parametrize("name", [*NASTY[2:24:3], "W" * 32, "\u202eana", "👩\u200d👩\u200d👧\u200d👦"])
async def test_names_with_markup_are_shown_as_text_everywhere(world: World, name: str) -> None:
    nasty = world.member(name)
    await world.slash(nasty, "buraco new", modo="1v1")
    await world.board.press(nasty, "Empezar")
    await (await world.slash(nasty, "buraco mano")).shown.press(nasty, "Ordenar por valor")
    seen = [*world.messages(), (await world.slash(nasty, "buraco mistandas")).shown]
    for shown in seen:
        text = shown.text.replace("### ", "").replace("-# Amigos", "Amigos")
        assert not live(text.replace("**", "").replace(f"<@{nasty.id}>", ""))
        assert set(shown.message.raw_mentions) <= {nasty.id}
        assert not shown.message.mention_everyone


async def test_a_channel_that_is_closed_is_told_of_in_the_hand_and_the_match_goes_on(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    path = f"/channels/{world.channel.id}/messages*"
    for method in ("POST", "PATCH"):
        world.env.inject_error(method, path, status=403, code=50013, message="Missing Permissions", times=None)
    world.bot.client.boards._live.clear()
    for actor in (ana, luis):
        mine = await hand(world, actor)
        if "Robar" in mine.enabled:
            await mine.press(actor, "Robar")
            await world.env.advance_time(5)
            again = await hand(world, actor)
            assert "No puedo mostrar la mesa en ese canal ahora" in again.text
            assert again.cards


async def test_a_rematch_is_posted_and_everybody_finds_their_seat(world: World) -> None:
    ana, luis = await world.playing("Ana", "Luis")
    record = await world.record()
    assert record.match is not None
    over = msgspec.structs.replace(record.table, status=Status.OVER)
    ended = await finished(record.match)
    change = Change(Record(over, record.version + 1, msgspec.structs.replace(ended, winner=0), record.events))
    await world.bot.store.commit(change)
    world.bot.app._keeper.forget_recent()
    with world.env._bot_scope():
        world.bot.app._announcer.changed(record.table.id)
    await world.env.advance_time(10)
    old = world.board
    assert {"Revancha", "Manos finales"} <= set(old.enabled)
    hands = await old.press(luis, "Manos finales")
    assert hands.shown.ephemeral
    assert "Ana" in hands.text
    told = await old.press(luis, "Revancha")
    assert "Revancha" in told.text
    await world.env.advance_time(10)
    lobby = next(shown for shown in world.boards() if "Empezar" in shown.buttons)
    assert "Luis" in lobby.text
    await old.press(ana, "Revancha")
    await world.env.advance_time(10)
    assert "Ana" in lobby.text
    assert len(world.boards()) == 2


async def finished(match: Match) -> Match:
    """The match with its deal played to the end."""
    while match.in_play:
        seat = deal_of(match).turn.seat
        match = evolve_all(match, safe_turn(match, seat))
    return match
