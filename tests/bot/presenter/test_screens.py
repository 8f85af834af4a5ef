"""Screens as players read them: what they say, what fits, what is off and why."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pictures import HandPicture, TablePicture
from bot.presenter.alternative import LONGEST, table_in_words
from bot.presenter.result import result_lines
from bot.presenter.table import banner
from bot.presenter.yours import LONGEST as TOAST
from bot.presenter.yours import clipped, done_text
from bot.screens import Role, Style
from bot.tokens import Verb, mask_of, read_token
from engine.cards import CODE
from engine.melds import Kind
from engine.seating import Seating
from engine.state import Ended, Match, Phase
from engine.views import public_view, seat_view
from tests.bot.tables import (
    SPANISH,
    VARIANTS,
    after,
    at,
    choices,
    deal_of,
    dealt,
    hand_of,
    mover_of,
    picked,
    place_of,
    press,
    public_of,
    rules,
    table_of,
    verb_of,
)
from tests.bot.test_moves import fits, moves_of, next_move, offered

LONG_NAMES = ("M" * 20, "W" * 20, "Ñ" * 20, "Q" * 20, "G" * 20, "O" * 20)
MANY_MELDS = (
    "4h 5h 6h 7h 8h 9h Th",
    "4s 5s 6s 7s 8s 9s Ts",
    "4d 5d 6d 7d 8d 9d Td",
    "4c 5c 6c 7c 8c 9c Tc",
    "Js Jh Jd Jc",
    "Qs Qh Qd Qc",
    "Ks Kh Kd Kc",
    "As Ah Ad Ac",
    "3s 3h 3d 3c",
)


@st.composite
def _played(draw: st.DrawFn) -> Match:
    variant = draw(st.sampled_from(["", "", *VARIANTS]))
    seating = draw(st.sampled_from([each for each in Seating if each in rules(variant).seatings]))
    match = dealt(seating, draw(st.integers(0, 5000)), variant)
    rng = random.Random(draw(st.integers(0, 5000)))
    for _ in range(draw(st.integers(0, 120))):
        if match.in_play:
            match = after(match, rng.choice(moves_of(match, next_move(rng, offered(match)))))
    return match


@given(_played())
def test_every_screen_fits(match: Match) -> None:
    screens = [public_of(match), *(hand_of(match, seat) for seat in range(match.seating.seats))]
    for screen in screens:
        fits(screen)
        assert len(screen.title) <= 256
        assert len(screen.alternative) <= LONGEST
        assert all(0 < len(line) <= 300 for line in screen.lines)


@given(_played())
def test_out_of_turn_the_hand_is_there_and_everything_is_off(match: Match) -> None:
    for seat in range(match.seating.seats):
        if match.in_play and seat == mover_of(match):
            continue
        screen = hand_of(match, seat)
        assert {verb_of(choice) for choice in choices(screen)} == {Verb.SORT, Verb.COLOURS}
        assert screen.picker is not None
        assert not any(verb.enabled for verb in screen.picker.verbs)
        assert len(screen.picker.cards) == len(deal_of(match).hands[seat])
        assert isinstance(screen.picture, HandPicture)
        assert sorted(card for group in screen.picture.groups for card in group) == sorted(deal_of(match).hands[seat])


@given(_played())
def test_the_picker_s_bits_are_those_of_its_cards(match: Match) -> None:
    for seat in range(match.seating.seats):
        hand = seat_view(match, seat).hand
        for order in ("suit", "rank"):
            screen = hand_of(match, seat, hand_order=order)
            assert screen.picker is not None
            assert isinstance(screen.picture, HandPicture)
            shown = [card for group in screen.picture.groups for card in group]
            assert [mask_of(hand, [card]) for card in shown] == [
                mask_of(hand, [hand[option.bit]]) for option in screen.picker.cards
            ]


@settings(max_examples=10)
@given(_played(), st.integers(0, 10**6))
def test_results_add_up_in_words_too(match: Match, seed: int) -> None:
    rng = random.Random(seed)
    while match.in_play:
        match = after(match, rng.choice(moves_of(match, next_move(rng, offered(match)))))
    scores = deal_of(match).scores
    assert scores is not None
    for line, score, total in zip(result_lines(SPANISH, place_of(match)), scores, match.totals, strict=False):
        told = line.replace("−", "-").replace(".", "")
        parts, _, rest = told.partition(" = ")
        numbers = [int(part.rsplit(" ", 1)[1]) for part in parts.partition(": ")[2].split(", ")]
        assert sum(numbers) == score.total
        assert int(rest.split(" ")[0]) == score.total
        assert int(rest.rsplit(" ", 1)[1]) == total
        assert score.cards + score.bonuses + score.hand + score.muerto + score.closing == score.total


@pytest.mark.parametrize("seating", Seating)
def test_big_tables_with_long_names_fit_their_alternative(seating: Seating) -> None:
    match = dealt(seating, 1)
    full = at(seating=Seating.ONE_ON_ONE, hands=["9h Ts Qc", "9s"], melds=[list(MANY_MELDS), []])
    laid = deal_of(full).melds[0]
    deal = deal_of(match)
    melds = tuple(laid for _ in range(seating.sides))
    numbers = tuple(tuple(range(side * 9 + 1, side * 9 + 10)) for side in range(seating.sides))
    match = msgspec.structs.replace(match, deal=msgspec.structs.replace(deal, melds=melds, numbers=numbers))
    place = place_of(match)
    chairs = tuple(
        msgspec.structs.replace(chair, name=name) for chair, name in zip(place.table.chairs, LONG_NAMES, strict=False)
    )
    place = msgspec.structs.replace(place, table=msgspec.structs.replace(place.table, chairs=chairs))
    for longest in (LONGEST, 500, 200, 40):
        told = table_in_words(SPANISH, place, banner(SPANISH, place), longest)
        assert len(told) <= longest
        assert told.startswith("Turno de ")
    told = table_in_words(SPANISH, place, banner(SPANISH, place), LONGEST)
    assert all(f"{name} 11 cartas" in told for name in LONG_NAMES[: seating.seats])
    assert "9 juegos." in told or "#9" in told


def test_a_toast_is_never_too_long() -> None:
    assert len(clipped("palabra " * 60)) <= TOAST
    assert clipped("corto") == "corto"


def test_the_first_screens_say_what_there_is_to_do() -> None:
    match = at(seating=Seating.TWO_PAIRS, hands=["4h 5h 6h 9s", "Ts", "Js", "Qs"], pile="Kc 9d", phase="draw")
    screen = hand_of(match)
    assert screen.role is Role.HAND
    assert screen.title == "Mesa de Ana · ABC234 · Ana + Marta"
    assert screen.lines == ("Tu turno: roba del mazo o toma el pozo.", "Pozo: arriba 9♦, 2 cartas.")
    assert [choice.label for choice in choices(screen)] == [
        "Robar",
        "Tomar el pozo (2 cartas)",
        "Pista",
        "Ordenar por valor",
        "Palos en dos colores",
    ]
    waiting = hand_of(match, 1)
    assert waiting.lines == ("Juega Ana. Mientras tanto, aquí tienes tu mano.",)
    assert waiting.picker is not None
    assert {verb.why for verb in waiting.picker.verbs} == {"Es el turno de Ana."}


def test_a_hand_of_wilds_is_told_to_take_the_pile() -> None:
    match = at(hands=["2h JK", "9s"], pile="Kc", phase="draw")
    screen = hand_of(match)
    assert screen.lines[0] == "Tu turno: tienes que tomar el pozo."
    draw = next(choice for choice in choices(screen) if verb_of(choice) is Verb.DRAW)
    assert not draw.enabled
    assert draw.why == "Esta vez tienes que tomar el pozo: robar del mazo no se puede."


def test_an_empty_pile_cannot_be_taken_and_says_so() -> None:
    match = at(hands=["4h 5h 6h 9s", "Ts"], pile="", phase="draw")
    take = next(choice for choice in choices(hand_of(match)) if verb_of(choice) is Verb.TAKE_PILE)
    assert (take.enabled, take.why) == (False, "No hay cartas que tomar ahí.")
    public = next(choice for choice in choices(public_of(match)) if verb_of(choice) is Verb.TAKE_PILE)
    assert (public.enabled, public.why) == (False, "No hay cartas que tomar ahí.")
    assert "Pozo: sin cartas." in public_of(match).alternative
    assert hand_of(match).lines == ("Tu turno: roba del mazo.",)


def test_the_card_that_came_is_named_and_marked() -> None:
    match = dealt(Seating.ONE_ON_ONE, 4)
    draw = next(choice for choice in choices(hand_of(match)) if verb_of(choice) is Verb.DRAW)
    drawn = after(match, press(match, draw.token))
    screen = hand_of(drawn)
    assert screen.lines[0].startswith("Robaste ")
    assert screen.picker is not None
    (new,) = [card for card in screen.picker.cards if card.new]
    assert isinstance(screen.picture, HandPicture)
    assert screen.picture.new == deal_of(drawn).turn.new
    assert new.label


def test_all_cards_of_a_taken_pile_are_marked() -> None:
    match = at(hands=["4h 5h 6h 9s", "Ts"], pile="Kc 9d 3s", phase="draw")
    take = next(choice for choice in choices(hand_of(match)) if verb_of(choice) is Verb.TAKE_PILE)
    screen = hand_of(after(match, press(match, take.token)))
    assert screen.lines[0] == "Tomaste el pozo (3 cartas)."
    assert screen.picker is not None
    assert {card.code for card in screen.picker.cards if card.new} == {"Kc", "9d", "3s"}
    assert isinstance(screen.picture, HandPicture)
    assert {CODE[card] for card in screen.picture.new} == {"Kc", "9d", "3s"}


def test_few_cards_left_are_explained() -> None:
    def last_line(**position: object) -> str:
        return hand_of(at(**position)).lines[-1]  # type: ignore[arg-type]

    hands = ["9h Ts Qc", "9s"]
    assert last_line(hands=hands) == "Si te quedas sin cartas, tomas tu buraco."
    assert last_line(hands=hands, taken=(True, False)) == "Si tiras tu última carta, cierras la ronda."
    assert last_line(hands=["9h Ts Qc Kd", "9s"]) == "Baja lo que quieras y termina descartando una carta."
    assert last_line(hands=hands, taken=(True, False), variant="long runs") == (
        "Para cerrar tu mesa necesita una canasta sin comodín."
    )


def test_cards_that_may_not_go_say_why() -> None:
    match = at(hands=["2h JK 9s Ts", "9s"])
    screen = hand_of(match)
    assert screen.picker is not None
    kept = {card.label: card.keep for card in screen.picker.cards if card.keep}
    assert kept == {"2 de corazones": "Los comodines no se descartan.", "joker": "Los comodines no se descartan."}


def test_suggestions_say_what_they_make() -> None:
    match = at(hands=["Th JK 9s 9d 9c Qc", "9s"], melds=[["4h 5h 6h 7h 8h 9h"], []])
    labels = [choice.label for choice in choices(hand_of(match)) if choice.style is Style.GOOD]
    assert labels[0] == "Agregar 10♥ a #1 → canasta limpia"
    assert "Bajar 9♠ 9♦ 9♣" in labels


def test_several_muertos_are_chosen_by_their_backs() -> None:
    match = at(hands=["9h", "9s"])
    chosen = after(match, press(match, picked(match, Verb.DISCARD, "9h")))
    screen = hand_of(chosen)
    assert screen.lines == ("Te quedaste sin cartas: elige un buraco.",)
    offers = [choice for choice in choices(screen) if verb_of(choice) is Verb.MUERTO]
    assert [choice.label for choice in offers] == [
        f"El {index + 1} (dorso {('azul', 'rojo', 'verde')[muerto.back]})"
        for index, muerto in enumerate(public_view(chosen).muertos)
    ]
    assert public_of(chosen).picture is not None
    assert banner(SPANISH, place_of(chosen)) == "Ana elige buraco"
    taken = press(chosen, offers[1].token)
    ended = after(chosen, taken)
    assert mover_of(ended) == 1
    told = done_text(SPANISH, seat_view(chosen, 0), place_of(ended), taken.events)  # type: ignore[union-attr]
    assert told == "Tomaste tu buraco. Sigue Luis."


def test_what_was_done_is_told_in_the_second_person() -> None:
    melds = [["4h 5h 6h 7h 8h 9h"], []]
    match = at(hands=["Th 3d 9s 9d 9c Qc", "9s"], melds=melds)

    def told(match: Match, token: str) -> tuple[str, Match]:
        move = press(match, token)
        now = after(match, move)
        return done_text(SPANISH, seat_view(match, 0), place_of(now), move.events), now  # type: ignore[union-attr]

    text, match = told(match, picked(match, Verb.MELD, "9s 9d 9c"))
    assert text == "Bajaste 9♠ 9♦ 9♣."
    text, match = told(match, picked(match, Verb.ADD_SOMEWHERE, "Th"))
    assert text == "Agregaste 10♥ a #1. ¡Canasta limpia!"
    assert hand_of(match).lines[0] == "Bajaste 9♠ 9♦ 9♣ y agregaste 10♥ a #1."
    text, undone = told(match, next(c.token for c in choices(hand_of(match)) if verb_of(c) is Verb.UNDO))
    assert text == "Jugada deshecha."
    assert len(deal_of(undone).melds[0][0].cards) == 6
    text, _ = told(match, picked(match, Verb.DISCARD, "Qc"))
    assert text == "Tiraste Q♣. Sigue Luis."


def test_the_end_is_told_to_the_closer_and_to_all() -> None:
    melds = [["4h 5h 6h 7h 8h 9h Th"], []]
    match = at(hands=["Qc", "9s Kd"], melds=melds, taken=(True, False), scores=(2900, 100))
    move = press(match, picked(match, Verb.DISCARD, "Qc"))
    over = after(match, move)
    assert over.is_over
    told = done_text(SPANISH, seat_view(match, 0), place_of(over), move.events)  # type: ignore[union-attr]
    assert told == "Tiraste Q♣ y cerraste. ¡Gana Ana!"
    public = public_of(over)
    assert isinstance(public.picture, TablePicture)
    assert public.picture.texts.banner == "¡Gana Ana!"
    assert public.lines == (
        "Ana: mesa +50, canastas +200, cierre +100 = +350. En total, 3.250.",
        "Luis: mesa 0, en la mano −20, buraco −100 = −120. En total, −20.",
    )
    assert [verb_of(choice) for choice in choices(public)] == [
        Verb.REMATCH,
        Verb.REMATCH,
        Verb.FINAL_HANDS,
        Verb.REPLAY,
        Verb.PLAYS,
        Verb.RULES,
        Verb.MENU,
    ]
    assert hand_of(over, 1).lines == ("La ronda terminó: el resultado está en la mesa.",)


def test_between_deals_the_next_is_offered_and_ties_are_told() -> None:
    match = at(hands=["Qc", "9s Kd"], taken=(True, False), melds=[["4h 5h 6h"], []])
    over = after(match, press(match, picked(match, Verb.DISCARD, "Qc").replace(":di:", ":+di:")))
    assert deal_of(over).ended is Ended.CLOSED
    assert public_of(over).lines[-1] == "Se juega a 3.000: falta al menos una ronda."
    assert next(verb_of(choice) for choice in choices(public_of(over))) is Verb.NEXT_DEAL
    tied = msgspec.structs.replace(over, totals=(3100, 3100))
    assert public_of(tied).lines[-1] == "Empate arriba: se juega una ronda más."


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (Ended.CLOSED, "Cerró Ana"),
        (Ended.STOCK_OUT, "Fin de la ronda: se acabó el mazo"),
        (Ended.NO_DRAWS, "Fin de la ronda: nadie roba del mazo"),
    ],
)
def test_every_end_of_a_deal_has_its_banner(how: Ended, told: str) -> None:
    match = dealt(Seating.ONE_ON_ONE, 1)
    deal = deal_of(match)
    turn = msgspec.structs.replace(deal.turn, seat=0, phase=Phase.OVER)
    over = msgspec.structs.replace(deal, ended=how, closer=0 if how is Ended.CLOSED else None, turn=turn)
    assert banner(SPANISH, place_of(msgspec.structs.replace(match, deal=over))) == told


def test_rounds_without_a_draw_are_warned_of() -> None:
    match = dealt(Seating.ONE_ON_ONE, 1)
    for rounds, told in ((6, ()), (7, ("3 vueltas",)), (9, ("1 vuelta.",))):
        deal = msgspec.structs.replace(deal_of(match), turns_without_draw=rounds * 2)
        lines = public_of(msgspec.structs.replace(match, deal=deal)).lines
        assert len(lines) == len(told)
        for line, part in zip(lines, told, strict=True):
            assert part in line


def test_the_alternative_tells_what_the_picture_shows() -> None:
    melds = [["4h 5h 6h 2s=7h 8h 9h Th"], ["9s 9c 9d"]]
    match = at(seating=Seating.TWO_PAIRS, hands=["9h Ts Qc", "9s", "Kd", "Kh"], melds=melds, pile="Kc Jd")
    told = public_of(match).alternative
    for part in (
        "Turno de Ana: juega",
        "Ronda 1, a 3.000 puntos.",
        "Pozo: 2, arriba J de diamantes.",
        "Quedan 2 buracos.",
        "Ana 3 cartas; Luis 1 carta",
        "#1 4♥ 5♥ 6♥ 2♠(7♥) 8♥ 9♥ 10♥ (sucia)",
        "#2 9♠ 9♦ 9♣",
        "Luis + Pepe: 0 puntos",
    ):
        assert part in told, part


def test_ribbons_cover_every_kind_of_canasta() -> None:
    picture = public_of(dealt(Seating.ONE_ON_ONE, 1)).picture
    assert isinstance(picture, TablePicture)
    assert set(picture.texts.ribbons) == set(Kind) - {Kind.MELD}
    assert picture.texts.ribbons[Kind.CLEAN] == "LIMPIA"


def test_screens_speak_the_reader_s_language_and_tables_their_own() -> None:
    match = dealt(Seating.ONE_ON_ONE, 1)
    assert table_of(match, locale="xx").locale == "xx"
    assert hand_of(match, 0, locale="xx").title == hand_of(match, 0).title
    assert read_token(next(choices(public_of(match))).token).version == 7
