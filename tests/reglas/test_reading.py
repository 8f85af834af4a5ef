"""The rule book as people open it: typed questions, buttons, tables with their own rules, refusals that lead to it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import rulesets
from bot.pictures import CardsPicture
from bot.presenter.book import rules_mark
from bot.reglas.search import find_topics
from bot.reglas.topics import topics
from bot.screens import Answer, Role, Screen
from bot.tokens import Verb, read_token
from engine.seating import Seating
from tests.bot.rooms import House, discard_token, words
from tests.bot.tables import choices, verb_of


async def asked(house: House, text: str, **where: Any) -> Answer:
    """What Ana is answered."""
    ana = await house.app.meet("test:Ana", "Ana")
    return await house.app.look_up(ana, text, **where)


def shown(answer: Answer) -> Screen:
    """The screen of an answer."""
    assert answer.screen is not None, answer.text
    return answer.screen


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        ("muerto", "muerto"),
        ("Muerto directo", "muertodirecto"),
        ("comodines", "comodines"),
        ("cerrar", "cerrar"),
        ("canasta limpia", "limpia"),
        ("empate", "empate"),
        ("glosario", "glosario"),
        ("descartar comodin", "descartarcomodin"),
        ("pozzetto", None),
        ("morto", None),
        ("curinga", None),
    ],
)
async def test_a_topic_is_found_by_its_name_and_its_synonyms(typed: str, topic: str | None) -> None:
    screen = shown(await asked(House(), typed))
    if topic is None:
        assert screen.role is Role.READING
        assert any(verb_of(choice) is Verb.TOPIC for choice in choices(screen))
    else:
        assert screen.title == topics()[topic].head.title


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        ("muetro directo", "muertodirecto"),
        ("comodinez", "comodines"),
        ("CANASTA LIMPÍA", "limpia"),
        ("zerrar", "cerrar"),
    ],
)
def test_typing_errors_are_forgiven(typed: str, topic: str) -> None:
    assert topic in [found.id for found, _ in find_topics(typed)[:4]]


def test_every_topic_is_found_by_its_title_and_each_of_its_words() -> None:
    for topic in topics().values():
        assert find_topics(topic.head.title)[0][0].id == topic.id
        for word in topic.head.words:
            assert topic.id in [found.id for found, _ in find_topics(word)[:12]], word


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_is_searched_without_harm(text: str) -> None:
    found = find_topics(text)
    assert len(found) <= 25
    assert len({topic.id for topic, _ in found}) == len(found)


async def test_cards_are_judged_and_counted() -> None:
    house = House()
    assert shown(await asked(house, "vale 3♥ 4♥ 2♠")).title == "Vale: escalera de corazones"
    assert shown(await asked(house, "¿vale? 3♥ 4♥ 2♠".replace("¿vale?", "vale"))).title.startswith("Vale")
    assert shown(await asked(house, "10 de trébol, J de trébol, JK")).title.startswith("Vale")
    refused = shown(await asked(house, "vale 9h 2s JK"))
    assert refused.title == "No vale"
    assert any(verb_of(choice) is Verb.TOPIC for choice in choices(refused))
    assert isinstance(refused.picture, CardsPicture)
    assert not refused.picture.rows[0].good
    counted = shown(await asked(house, "puntos 3d 4d 5d 6d 7d 8d 9d; Jh Js Jd"))
    assert "275 puntos" in words(counted)
    assert shown(await asked(house, "puntos")).title == topics()["puntos"].head.title
    assert "no es una carta" in (await asked(house, "vale 3h hola")).text
    assert "Escribe las cartas" in (await asked(house, "vale")).text


async def test_the_index_leads_to_every_topic_and_back() -> None:
    house = House()
    ana = await house.app.meet("test:Ana", "Ana")
    index = shown(await asked(house, ""))
    seen: set[str] = set()
    for chapter in [choice for choice in choices(index) if verb_of(choice) is Verb.INDEX]:
        listed = shown(await house.app.press(ana, chapter.token, house.press_id()))
        for choice in choices(listed):
            if verb_of(choice) is Verb.TOPIC:
                seen.add(read_token(choice.token).arguments[0])
                topic = shown(await house.app.press(ana, choice.token, house.press_id()))
                assert topic.title == choice.label
    assert seen == set(topics())


@pytest.mark.parametrize("name", rulesets.ids())
async def test_every_topic_opens_under_every_rule_set_and_its_buttons_fit(name: str) -> None:
    house = House()
    for topic in topics().values():
        answer = await asked(house, topic.id, ruleset_id=name)
        screen = shown(answer)
        assert screen.title == topic.head.title
        assert len("\n".join(screen.lines)) < 3600
        assert sum(len(row) for row in screen.rows) <= 10
        assert all(len(choice.label) <= 80 and len(choice.token) <= 64 for choice in choices(screen))


async def test_a_table_s_own_rules_are_told_and_its_changes_marked() -> None:
    house = House()
    ana = await house.app.meet("test:Ana", "Ana")
    record = await house.app.open_table(
        ana, ruleset_id="clasico", seating=Seating.ONE_ON_ONE, options={"closing_bonus": 200}
    )
    topic = next(topic for topic in topics().values() if "closing_bonus" in topic.head.fields)
    told = words(shown(await asked(house, topic.id, table_id=record.table.id)))
    assert "(cambio de esta mesa)" in told
    assert "En esta mesa:" in told
    usual = words(shown(await asked(house, topic.id)))
    assert "(cambio de esta mesa)" not in usual


async def test_publishing_shows_the_topic_without_the_button_that_did_it() -> None:
    house = House()
    ana = await house.app.meet("test:Ana", "Ana")
    topic = shown(await asked(house, "muerto"))
    publish = next(choice for choice in choices(topic) if verb_of(choice) is Verb.PUBLISH)
    answer = await house.app.press(ana, publish.token, "publish")
    assert answer.public
    assert not any(verb_of(choice) is Verb.PUBLISH for choice in choices(shown(answer)))
    assert shown(answer).lines == topic.lines


async def test_the_printed_page_is_offered() -> None:
    answer = await asked(House(), "resumen", ruleset_id="rioplatense")
    assert answer.document is not None
    assert "Rioplatense" in answer.document.title
    named = await asked(House(), "resumen Burraco de 13")
    assert named.document is not None
    assert "Burraco de 13" in named.document.title
    quiz = shown(await asked(House(), "prueba abierto"))
    assert next(choices(quiz)).token.endswith(":abierto")


async def test_exercises_count_a_streak_that_is_kept() -> None:
    house = House()
    ana = await house.app.meet("test:Ana", "Ana")
    screen = shown(await asked(house, "prueba"))
    answers = (False, False, True, True)
    for number, known in enumerate(answers):
        assert f"{number + 1} de 12" in screen.title
        vale, no = list(choices(screen))[:2]
        answer = shown(await house.app.press(ana, (vale if known else no).token, house.press_id()))
        assert answer.title == "¡Bien!"
        again = shown(await house.app.press(ana, (vale if known else no).token, house.press_id()))
        assert f"Racha: {number + 1}. La mejor: {number + 1}." in words(again), "answered twice, counted once"
        following = next(choice for choice in choices(answer) if choice.label == "Siguiente")
        screen = shown(await house.app.press(ana, following.token, house.press_id()))
    vale, no = list(choices(screen))[:2]
    wrong = shown(await house.app.press(ana, vale.token, house.press_id()))
    assert wrong.title == "Casi…"
    assert "Racha: 0. La mejor: 4." in words(wrong)
    person = await house.app.person("test:Ana")
    assert person is not None
    assert (person.quiz_streak, person.quiz_best) == (0, 4)


@pytest.mark.parametrize(
    "token",
    [
        "1:x:0:re:nada:clasico",
        "1:x:0:re",
        "1:x:0:re:muerto:nada",
        "1:x:0:qz:zzzzzzzzzz:clasico",
        "1:x:0:ix",
        "1:x:0:dr",
    ],
)
async def test_buttons_that_make_no_sense_are_answered(token: str) -> None:
    house = House()
    ana = await house.app.meet("test:Ana", "Ana")
    answer = await house.app.press(ana, token, "odd")
    assert not answer.ok
    assert answer.text


async def test_a_refusal_leads_to_the_rule_that_explains_it() -> None:
    house = House()
    table_id, crowd = await house.started(2)
    mover = await house.mover(table_id, crowd)
    await house.press(mover, table_id, Verb.DRAW)
    screen = await house.app.hand_screen(table_id, mover)
    assert screen is not None
    meld = discard_token(screen).replace(":di:", ":ml:")
    refused = await house.app.press(mover, meld, "refused")
    assert not refused.ok
    assert refused.more is not None
    rule = shown(await house.app.press(mover, refused.more.token, "why"))
    assert rule.role is Role.READING
    assert rule.table_id == table_id
    await house.app.stop()


async def test_the_guided_deal_explains_each_step_and_ends_with_the_deal() -> None:
    house = House()
    ana = await house.app.meet("test:Ana", "Ana")
    answer = await house.app.press(ana, "1:x:0:ls:clasico", "lesson")
    screen = shown(answer)
    assert screen.role is Role.HAND
    assert "🎓" in words(screen)
    again = await house.app.press(ana, "1:x:0:ls:clasico", "lesson")
    assert shown(again).table_id == screen.table_id, "one lesson for one press"
    seen: set[str] = set()
    for _ in range(400):
        match = await house.match(screen.table_id)
        hand = await house.app.hand_screen(screen.table_id, ana)
        assert hand is not None
        seen.update(line for line in hand.lines if line.startswith("🎓"))
        if not match.in_play:
            break
        if await house.mover_is(screen.table_id, ana):
            await house.play_on(screen.table_id, [ana])
        else:
            from tests.bot.fakes import settled

            await settled()
    assert any("Ya sabes jugar" in line for line in seen)
    assert any("Primero, roba" in line for line in seen)
    assert any("botones verdes" in line for line in seen)
    assert len(seen) >= 6
    await house.press(ana, screen.table_id, Verb.NEXT_DEAL)
    assert "🎓" not in words(await house.app.hand_screen(screen.table_id, ana))
    await house.app.stop()


def test_marks_of_rule_sets_are_unique() -> None:
    marks = [rules_mark(rulesets.load(name)) for name in rulesets.ids()]
    assert len(set(marks)) == len(marks)
    assert all(mark.isalnum() for mark in marks)
