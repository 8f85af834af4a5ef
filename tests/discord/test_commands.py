"""The command tree: within Discord's limits, quick to type, translated where it can be, sent when it has changed."""

import asyncio
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest
from discord import app_commands
from discord.app_commands import TranslationContextLocation, locale_str
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord import translator as translator_module
from adapters.discord.commands import add_commands, targets, variants
from adapters.discord.sync import fingerprint, sync_if_changed
from adapters.discord.translator import CommandTranslator, said
from bot import rulesets
from bot.commands import DEFAULT_RULESET, targets_of
from bot.leases import Alone
from bot.presenter.slash import command_texts
from bot.texts import texts
from engine.seating import Seating
from tests.discord.looks import check_body

_NAME = re.compile(r"[-_'\w]{1,32}")
COMMAND, GROUP = 1, 2


def make_tree() -> app_commands.CommandTree[Any]:
    """The commands, with nothing behind them."""
    client = discord.Client(intents=discord.Intents.none())
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(client)
    add_commands(tree, Mock())
    return tree


@pytest.fixture
async def tree() -> app_commands.CommandTree[Any]:
    """The commands, with a translator."""
    tree = make_tree()
    await tree.set_translator(CommandTranslator())
    return tree


@pytest.fixture
async def payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """What is sent to Discord."""
    return await payload_of(tree)


async def payload_of(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """What is sent to Discord of a tree."""
    translator = tree.translator
    assert translator is not None
    return [dict(await command.get_translated_payload(tree, translator)) for command in tree.get_commands()]


def nodes(commands: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All commands, subcommands and options."""
    for node in commands:
        yield node
        yield from nodes(node.get("options", []))


def longest(node: dict[str, Any], key: str) -> int:
    """The characters of a text in its longest language."""
    return max(map(len, [node.get(key) or "", *(node.get(f"{key}_localizations") or {}).values()]))


def characters(node: dict[str, Any]) -> int:
    """The characters that Discord counts of a command."""
    own = longest(node, "name") + longest(node, "description")
    own += sum(longest(choice, "name") + len(str(choice["value"])) for choice in node.get("choices", []))
    return own + sum(characters(option) for option in node.get("options", []))


def leaf(payload: list[dict[str, Any]], *path: str) -> dict[str, Any]:
    """A command by its path."""
    found, options = {}, payload
    for name in path:
        found = next(node for node in options if node["name"] == name)
        options = found.get("options", [])
    return found


@pytest.fixture(params=["as it is", "translated"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The languages that there are, and one more with the longest texts that fit."""
    if request.param == "translated":
        translate(monkeypatch)
    return str(request.param)


def translate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make German known, in which every text is another one."""
    spanish = command_texts(texts())
    german = {key: f"{text}-de"[:32] if key.startswith("name:") else f"{text} (de)" for key, text in spanish.items()}
    monkeypatch.setattr(translator_module, "language", lambda locale: "de" if locale == "de" else "es")
    monkeypatch.setattr(translator_module, "texts", lambda name="es": name)
    monkeypatch.setattr(translator_module, "command_texts", lambda name: german if name == "de" else spanish)


async def test_every_limit_holds(language: str, tree: app_commands.CommandTree[Any]) -> None:
    payload = await payload_of(tree)
    assert 1 <= len(payload) <= 100
    assert len({command["name"] for command in payload}) == len(payload)
    for command in payload:
        assert characters(command) <= 8000
    for node in nodes(payload):
        names = [node["name"], *(node.get("name_localizations") or {}).values()]
        descriptions = [node["description"], *(node.get("description_localizations") or {}).values()]
        assert all(_NAME.fullmatch(name) and name == name.lower() for name in names), names
        assert all(1 <= len(text) <= 100 for text in descriptions)
        options, choices = node.get("options", []), node.get("choices", [])
        assert len(options) <= 25
        assert len({option["name"] for option in options}) == len(options)
        assert len(choices) <= 25
        assert not (choices and node.get("autocomplete"))
        assert all(1 <= longest(choice, "name") <= 100 and len(str(choice["value"])) <= 100 for choice in choices)
        assert len({choice["value"] for choice in choices}) == len(choices)
        required = [option.get("required", False) for option in options if option["type"] not in (COMMAND, GROUP)]
        assert required == sorted(required, reverse=True), "required options come first"
        if node.get("name_localizations"):
            for locale in node["name_localizations"]:
                assert locale in {each.value for each in discord.Locale}
    if language == "translated":
        assert all(node["name_localizations"].get("de") for node in nodes(payload)), "every text is translated"
        said_in_german = [c["name_localizations"]["de"] for node in nodes(payload) for c in node.get("choices", [])]
        assert all(said_in_german)


async def test_the_payload_is_what_discord_describes(payload: list[dict[str, Any]]) -> None:
    assert not check_body("PUT", "/applications/{application_id}/commands", payload)


def test_new_2v2_works_as_it_is_typed(payload: list[dict[str, Any]]) -> None:
    for name in ("new", "nueva"):
        first, *others = leaf(payload, "buraco", name)["options"]
        assert [choice["value"] for choice in first["choices"]] == [seating.value for seating in Seating]
        assert all(choice["name"].startswith(choice["value"]) for choice in first["choices"])
        assert not any(option["required"] for option in (first, *others))
    assert leaf(payload, "buraco", "new")["options"] == leaf(payload, "buraco", "nueva")["options"]


def test_commands_are_for_servers_and_for_one_person_alone(payload: list[dict[str, Any]]) -> None:
    for command in payload:
        assert sorted(command["contexts"]) == [0, 1, 2]
        assert sorted(command["integration_types"]) == [0, 1]
        assert not command["nsfw"]
        assert command["default_member_permissions"] is None


def test_there_is_what_the_help_speaks_of(payload: list[dict[str, Any]]) -> None:
    from bot.presenter.commands import rows_of_help

    known = {command["name"] for command in payload}
    known |= {f"{command['name']} {sub['name']}" for command in payload for sub in command["options"]}
    for named in re.findall(r"/([\w-]+(?: [\w-]+)?)", " ".join(rows_of_help(texts()))):
        assert named in known or named.split()[0] in known


# autocomplete


def typing(**filled: Any) -> Any:
    """An interaction in which somebody types."""
    return SimpleNamespace(
        locale=discord.Locale.spain_spanish, namespace=SimpleNamespace(**filled), user=SimpleNamespace(id=1)
    )


async def test_nothing_typed_offers_everything_with_the_default_first() -> None:
    offered = await variants(typing(), "")
    assert offered[0].value == DEFAULT_RULESET
    assert {choice.value for choice in offered} == set(rulesets.ids())


@pytest.mark.parametrize("typed", ["clasico", "Clásico", "CLÁS", " clasi", "cla\u0301s"])
async def test_accents_capitals_and_blanks_do_not_matter(typed: str) -> None:
    assert (await variants(typing(), typed))[0].value == "clasico"


async def test_unknown_words_offer_nothing() -> None:
    assert await variants(typing(), "canasta uruguaya") == []
    assert await targets(typing(), "muchos") == []
    assert await targets(typing(variante="nadie"), "7") == []


async def test_the_targets_are_those_of_the_chosen_rule_set() -> None:
    for ruleset_id in rulesets.ids():
        rules = rulesets.load(ruleset_id)
        for named in (ruleset_id, rules.name.upper()):
            offered = await targets(typing(variante=named), "")
            assert [choice.value for choice in offered] == [str(target) for target in targets_of(rules)]
    default = await targets(typing(), "")
    assert [choice.value for choice in default] == [str(t) for t in targets_of(rulesets.load(DEFAULT_RULESET))]
    assert await targets(typing(variante=None), "") == default
    assert [choice.value for choice in await targets(typing(), " 3.0")] == ["3000"]


@given(st.text(max_size=200))
def test_whatever_is_typed_the_offer_fits(typed: str) -> None:
    for offered in (
        asyncio.run(variants(typing(), typed)),
        asyncio.run(targets(typing(variante=typed), typed)),
    ):
        assert len(offered) <= 25
        assert all(1 <= len(choice.name) <= 100 and 1 <= len(choice.value) <= 100 for choice in offered)
        assert len({choice.value for choice in offered}) == len(offered)


# translating


async def translated(string: locale_str, locale: discord.Locale) -> str | None:
    """What the translator makes of a text."""
    context: Any = app_commands.TranslationContext(TranslationContextLocation.command_name, Mock())
    return await CommandTranslator().translate(string, locale, context)


async def test_the_source_s_own_text_is_not_sent_as_a_translation() -> None:
    for locale in discord.Locale:
        assert await translated(locale_str("buraco"), locale) is None, "not one of ours"
    for key in command_texts(texts()):
        for locale in (discord.Locale.spain_spanish, discord.Locale.latin_american_spanish, discord.Locale.turkish):
            assert await translated(said(key), locale) is None


async def test_a_catalogue_s_text_is(monkeypatch: pytest.MonkeyPatch) -> None:
    string = said("name:hand")
    translate(monkeypatch)
    assert await translated(string, discord.Locale.german) == "mano-de"
    assert await translated(string, discord.Locale.french) is None
    assert await translated(string, discord.Locale.spain_spanish) is None


def test_every_text_of_the_commands_is_used(payload: list[dict[str, Any]]) -> None:
    sent = {node[key] for node in nodes(payload) for key in ("name", "description")}
    sent |= {choice["name"] for node in nodes(payload) for choice in node.get("choices", [])}
    assert set(command_texts(texts()).values()) == sent


# registering


class Notes:
    """The application's notes."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.leases = Alone()

    async def note(self, key: str) -> str | None:
        """A note."""
        return self.kept.get(key)

    async def write_note(self, key: str, text: str) -> None:
        """Write a note."""
        self.kept[key] = text


def register(tree: app_commands.CommandTree[Any], application: int = 1) -> AsyncMock:
    """Make a tree count how often it is sent."""
    tree.client._connection.application_id = application
    sent = AsyncMock(return_value=[])
    tree.sync = sent  # type: ignore[method-assign]
    return sent


async def test_commands_are_sent_only_when_they_changed(tree: app_commands.CommandTree[Any]) -> None:
    notes: Any = Notes()
    sent = register(tree)
    assert await sync_if_changed(notes, tree, CommandTranslator())
    assert not await sync_if_changed(notes, tree, CommandTranslator())
    again = make_tree()
    assert register(again).await_count == 0
    assert not await sync_if_changed(notes, again, CommandTranslator()), "the next process knows it too"
    assert sent.await_count == 1

    @tree.command(name="otra", description="Otra")
    async def otra(interaction: discord.Interaction) -> None:
        """Nothing."""

    assert await sync_if_changed(notes, tree, CommandTranslator())
    assert sent.await_count == 2


async def test_another_application_is_sent_its_own(tree: app_commands.CommandTree[Any]) -> None:
    notes: Any = Notes()
    sent = register(tree)
    await sync_if_changed(notes, tree, CommandTranslator())
    register(tree, application=2).return_value = []
    assert await sync_if_changed(notes, tree, CommandTranslator())
    assert sent.await_count == 1
    assert len(notes.kept) == 2


async def test_a_translation_counts_as_a_change(
    tree: app_commands.CommandTree[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await fingerprint(tree, CommandTranslator())
    assert before == await fingerprint(make_tree(), CommandTranslator())
    translate(monkeypatch)
    assert before != await fingerprint(tree, CommandTranslator())


async def test_what_discord_refuses_is_sent_again_at_the_next_start(tree: app_commands.CommandTree[Any]) -> None:
    notes: Any = Notes()
    sent = register(tree)
    sent.side_effect = discord.DiscordServerError(Mock(status=503, reason="away"), "away")
    with pytest.raises(discord.DiscordServerError):
        await sync_if_changed(notes, tree, CommandTranslator())
    assert not notes.kept
    sent.side_effect = None
    assert await sync_if_changed(notes, tree, CommandTranslator())
