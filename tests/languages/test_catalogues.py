"""The catalogues: current, complete, with the same placeholders, and with names that the platforms take."""

import re
import string
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog, Message

from adapters.telegram.people import spoken
from bot import rulesets
from bot.catalogues import REGIONAL, extracted, merged, path_of, read, untranslated, written
from bot.commands import fold
from bot.presenter.slash import command_texts
from bot.presenter.telegram import COMMANDS, about_texts, command_list, command_words
from bot.presenter.words import FEMININE, FORMS, MASCULINE, Noun, canasta_noun, muerto_noun, pile_noun
from bot.texts import SOURCE_LOCALE, languages, texts

TRANSLATED = tuple(locale for locale in languages() if locale != SOURCE_LOCALE)
SOURCE = extracted()
_NOUNS = frozenset({"muerto", "muertos", "canasta", "pile"})
"""Placeholders that hold nouns: a translation may ask for another form of them."""
_FAMILIAR = re.compile(
    r"\b(tú|ti|contigo|puedes|tienes|quieres|eres|pierdes|juegas|agregas|sigues|dejas|sacas|vuelves|empiezas|escribes"
    r"|recibes|dices|buscas|propones|sabes|tomas|tiras|cierras|bajas|llevas|usas|terminas|(?<!\} )elige|escribe"
    r"|prueba otra|revisa|ponte|siéntate|pídelo|proponlo|aquí|descarta una|toca «|toca la|tira la|vuelve mañana)\b",
    re.IGNORECASE,
)
"""What nobody says on the Río de la Plata."""


def strings(message: Message) -> tuple[str, ...]:
    """The translations of a message, one for each plural form."""
    said = message.string or ""
    return (said,) if isinstance(said, str) else tuple(said)


def ids(message: Message) -> tuple[str, ...]:
    """A message in the source, singular and plural."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def fields(text: str) -> Iterator[tuple[str, str]]:
    """The placeholders of a text: the name, and which form of a noun is asked for."""
    for _, field, spec, conversion in string.Formatter().parse(text):
        if field is not None:
            assert not spec, text
            assert not conversion, text
            name, _, form = field.partition(".")
            yield name, form


def said_by(catalogue: Catalog) -> Iterator[Message]:
    """The messages that a catalogue translates."""
    return (message for message in catalogue if message.id and any(strings(message)))


@pytest.mark.parametrize("locale", TRANSLATED)
def test_a_catalogue_is_current_and_complete(locale: str) -> None:
    catalogue = merged(locale, SOURCE)
    assert path_of(locale).read_bytes() == written(catalogue), "run python -m bot.catalogues"
    assert [ids(message) for message in untranslated(catalogue)] == []
    if locale not in REGIONAL:
        assert {(ids(m), m.context) for m in read(locale) if m.id} == {(ids(m), m.context) for m in SOURCE if m.id}


@pytest.mark.parametrize("locale", TRANSLATED)
def test_placeholders_are_those_of_the_source_in_every_plural_form(locale: str) -> None:
    for message in said_by(read(locale)):
        optional = {"count"} if len(ids(message)) > 1 else set()
        wanted = [{name for name, _ in fields(text)} | optional for text in ids(message)]
        for said in strings(message):
            told = list(fields(said))
            assert {name for name, _ in told} | optional in wanted, said
            assert all(form == "" or (name in _NOUNS and form in FORMS) for name, form in told), said
            assert said[:1].isspace() == ids(message)[0][:1].isspace(), repr(said)
            assert said[-1:].isspace() == ids(message)[0][-1:].isspace(), repr(said)


@pytest.mark.parametrize("locale", TRANSLATED)
def test_nouns_have_a_gender_and_all_their_forms(locale: str) -> None:
    t = texts(locale)
    for message in read(locale):
        if message.context and "género" in message.context:
            assert strings(message)[0] in (MASCULINE, FEMININE), message.context
    for name in rulesets.ids():
        rules = rulesets.load(name)
        for noun in (muerto_noun(t, rules), canasta_noun(t, rules), pile_noun(t, rules)):
            assert all(_form(noun, form) for form in FORMS)
            assert f"{noun.the.of}" == noun.of


def _form(noun: Noun, form: str) -> str:
    return str(getattr(noun, form))


def test_what_argentines_say_otherwise_is_said_so() -> None:
    if "es_AR" not in languages():
        pytest.skip("there is no such catalogue")
    catalogue = read("es_AR")
    familiar = [m for m in SOURCE if m.id and not m.context and any(_FAMILIAR.search(text) for text in ids(m))]
    assert len(familiar) > 50
    assert [ids(m) for m in familiar if catalogue.get(ids(m)[0]) is None] == []
    assert [strings(m) for m in said_by(catalogue) if any(_FAMILIAR.search(text) for text in strings(m))] == []


@pytest.mark.parametrize("locale", languages())
def test_command_names_are_taken_by_both_chats(locale: str) -> None:
    t = texts(locale)
    for key, text in command_texts(t).items():
        if key.startswith("name:"):
            assert re.fullmatch(r"[-_\w]{1,32}", text), text
            assert text == text.lower()
        else:
            assert 1 <= len(text) <= 100, text
    names = [name for name, _ in command_list(t, group=False, admin=True)]
    assert len(set(names)) == len(COMMANDS)
    assert all(re.fullmatch(r"[a-z0-9_]{1,32}", name) for name in names), names
    assert all(3 <= len(about) <= 256 for _, about in command_list(t, group=False, admin=True))
    assert [command_words()[name] for name in names] == list(COMMANDS)
    long, short = about_texts(t)
    assert len(long) <= 512
    assert len(short) <= 120


@pytest.mark.parametrize("word", ["reglas", "rules", "regras", "regole", "Règles"])
def test_the_rules_are_asked_for_in_every_language(word: str) -> None:
    assert command_words().get(fold(word)) in ("reglas", None if word == "Règles" else "reglas")


def test_telegram_is_told_each_language_once() -> None:
    assert spoken()["es"] == "es"
    assert set(spoken()) == {locale[:2] for locale in languages()}
