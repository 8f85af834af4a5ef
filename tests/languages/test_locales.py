"""Which language somebody is answered in: regions, headers of browsers, and what people and places have chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.speech import accepted
from bot.model import PlaceSettings
from bot.texts import language, languages, own_name, own_texts, parent, texts
from bot.tokens import NO_TABLE, Intent, Verb, write_token
from engine.seating import Seating
from tests.bot.rooms import House

PORTUGUESE = pytest.mark.skipif("pt_BR" not in languages(), reason="there is no such catalogue")


@PORTUGUESE
@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("pt", "pt_BR"),
        ("pt-BR", "pt_BR"),
        ("pt_PT", "pt_BR"),
        ("PT-br", "pt_BR"),
        ("es", "es"),
        ("es-ES", "es"),
        ("es-MX", "es"),
        ("es-419", "es"),
        ("es-AR", "es_AR"),
        ("es_UY", "es_AR"),
        ("es-PY", "es_AR"),
        ("fr", "es"),
        ("zh-Hans-CN", "es"),
        ("", "es"),
    ],
)
def test_a_locale_is_answered_in_the_nearest_language(said: str, answered: str) -> None:
    assert language(said) == answered
    assert texts(said).locale == answered


@PORTUGUESE
def test_the_command_line_speaks_as_the_shell_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, answered in (("pt_BR:en", "pt_BR"), ("es_AR.UTF-8", "es_AR"), ("C.UTF-8", "es"), ("", "es")):
        monkeypatch.setenv("LANGUAGE", said)
        for other in ("LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(other, raising=False)
        assert own_texts().locale == answered


def test_every_language_falls_back_to_its_parent() -> None:
    assert {parent(locale) for locale in languages()} == {"es"}
    for locale in languages():
        assert texts(locale).gettext("no such message") == "no such message"
        assert own_name(locale)[0].isupper()
        assert texts(locale).either(["a", "b"])


@PORTUGUESE
@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("pt-BR,pt;q=0.9,en;q=0.5", "pt-BR"),
        ("fr, pt;q=0.3, es;q=0.8", "es"),
        ("fr,de;q=0.5", ""),
        ("pt;q=0, es", "es"),
        ("pt;q=x,es", "es"),
        ("", ""),
        (";;;,,", ""),
    ],
)
def test_the_browser_says_what_it_likes_best(header: str, locale: str) -> None:
    assert accepted(header) == locale


@given(st.text(max_size=200))
def test_any_header_is_read(header: str) -> None:
    assert isinstance(accepted(header), str)


@PORTUGUESE
async def test_people_are_answered_as_their_app_says_until_they_choose() -> None:
    house = House()
    ana = await house.app.meet("test:a", "Ana", "pt-BR")
    assert ana.locale == "pt_BR"
    assert (await house.app.meet("test:a", "Ana", "es-MX")).locale == "es"
    chosen = write_token(Intent(NO_TABLE, 0, Verb.SETTINGS, ("l", "ptbr")))
    answer = await house.app.press(await house.app.meet("test:a", "Ana", "es"), chosen, "1")
    assert answer.text == "Salvo."
    again = await house.app.meet("test:a", "Ana", "es")
    assert (again.locale, again.language) == ("pt_BR", "pt_BR")
    await house.app.press(again, write_token(Intent(NO_TABLE, 0, Verb.SETTINGS, ("l", "app"))), "2")
    assert (await house.app.meet("test:a", "Ana", "es")).locale == "es"
    assert (await house.app.meet("test:a", "Ana")).locale == "es", "a platform that says nothing changes nothing"
    await house.app.stop()


@PORTUGUESE
async def test_tables_speak_the_language_of_their_place_and_answers_the_person_s() -> None:
    house = House()
    ana = await house.app.meet("test:a", "Ana", "es")
    await house.app.save_place_settings("test:place", PlaceSettings(locale="pt_BR"))
    wanted = {"ruleset_id": "clasico", "seating": Seating.ONE_ON_ONE}
    there = await house.app.open_table(ana, **wanted, origin="test:place")  # type: ignore[arg-type]
    here = await house.app.open_table(ana, **wanted)  # type: ignore[arg-type]
    assert (there.table.locale, here.table.locale) == ("pt_BR", "es")
    shown = await house.app.public_screen(there.table.id)
    assert shown is not None
    assert shown.locale == "pt_BR"
    assert "Falta 1 jogador" in "\n".join(shown.lines)
    answer = await house.app.press(ana, write_token(Intent(there.table.id, 99, Verb.JOIN)), "x")
    assert "mesa" in answer.text
    assert "Você" not in answer.text
    await house.app.stop()
