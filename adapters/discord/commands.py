"""The slash commands. Each reads what was typed and hands it on; what happens is the application's business."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from adapters.discord.limits import CHOICE_NAME, OPTIONS
from adapters.discord.people import texts_of
from adapters.discord.text import fit
from adapters.discord.translator import said
from bot.commands import default_rules, find_ruleset, matching_rulesets, targets_of
from bot.model import Pace, PlaceSettings
from bot.presenter.book import topic_options
from bot.presenter.commands import ruleset_label, target_name
from bot.stakes.rules import LEAST_STAKE, MOST_STAKE
from bot.texts import languages
from bot.tokens import Verb
from engine.seating import Seating

if TYPE_CHECKING:
    from adapters.discord.desk import FrontDesk

MODES = [Choice(name=said(f"choice:{seating.value}"), value=seating.value) for seating in Seating]
PACES = [Choice(name=said(f"choice:{pace.value}"), value=pace.value) for pace in Pace]
ORDERS = [Choice(name=said(f"choice:{value}"), value=value) for value in ("suit", "rank")]
COLOURS = [Choice(name=said(f"choice:{value}"), value=value) for value in ("four", "two")]
ANY_LANGUAGE = "any-language"
LANGUAGES = [Choice(name=said(f"choice:{value}"), value=value) for value in (ANY_LANGUAGE, *languages())]

Code = app_commands.Range[str, 1, 32]
Word = app_commands.Range[str, 1, 60]
Stake = app_commands.Range[int, LEAST_STAKE, MOST_STAKE]
Question = app_commands.Range[str, 1, 400]


def add_commands(tree: app_commands.CommandTree[Any], desk: "FrontDesk") -> None:
    """Add all commands to a tree."""
    tree.add_command(_buraco(desk))
    tree.add_command(_reglas(desk))
    commands = (
        _perfil(desk),
        _plain("ranking", desk.ranking),
        _plain("history", desk.history),
        _plain("coins", desk.coins),
        _plain("own-settings", partial(desk.own, verb=Verb.SETTINGS)),
        _plain("my-data", partial(desk.own, verb=Verb.MY_DATA)),
        _plain("erase", partial(desk.own, verb=Verb.ERASE)),
    )
    for command in commands:
        tree.add_command(_everywhere(command))


def _everywhere(command: Any) -> Any:
    """A command for servers and direct messages, installed by a server or by a user."""
    installed = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(installed)


async def variants(interaction: discord.Interaction, current: str) -> list[Choice[str]]:
    """The rule sets that a typed beginning may mean."""
    t = texts_of(interaction)
    return [
        Choice(name=fit(ruleset_label(t, rules), CHOICE_NAME), value=rules.id) for rules in matching_rulesets(current)
    ][:OPTIONS]


async def targets(interaction: discord.Interaction, current: str) -> list[Choice[str]]:
    """The points to which the chosen rule set is played."""
    t = texts_of(interaction)
    chosen = find_ruleset(str(getattr(interaction.namespace, "variante", "") or ""))
    rules = chosen or default_rules(PlaceSettings())
    wanted = current.replace(".", "").strip()
    return [
        Choice(name=fit(target_name(t, target), CHOICE_NAME), value=str(target))
        for target in targets_of(rules)
        if str(target).startswith(wanted)
    ][:OPTIONS]


async def topics(interaction: discord.Interaction, current: str) -> list[Choice[str]]:
    """The topics of the rule book that a typed beginning may mean."""
    found = topic_options(texts_of(interaction), current)
    return [Choice(name=fit(title, CHOICE_NAME), value=topic_id) for topic_id, title in found][:OPTIONS]


def _buraco(desk: "FrontDesk") -> app_commands.Group:
    group = app_commands.Group(name=said("name:game"), description=said("about:game"))
    _everywhere(group)

    for name in ("open", "open-new"):
        group.add_command(_opening(desk, name))

    @group.command(name=said("name:join"), description=said("about:join"))
    @app_commands.rename(code=said("name:code"))
    @app_commands.describe(code=said("about:code"))
    async def unirse(interaction: discord.Interaction, code: Code) -> None:
        await desk.join(interaction, code)

    @group.command(name=said("name:hand"), description=said("about:hand"))
    async def mano(interaction: discord.Interaction) -> None:
        await desk.hand(interaction)

    @group.command(name=said("name:board"), description=said("about:board"))
    @app_commands.rename(code=said("name:code"))
    @app_commands.describe(code=said("about:code"))
    async def mesa(interaction: discord.Interaction, code: Code | None = None) -> None:
        await desk.board(interaction, code)

    @group.command(name=said("name:mine"), description=said("about:mine"))
    async def mistandas(interaction: discord.Interaction) -> None:
        await desk.mine(interaction)

    @group.command(name=said("name:waiting"), description=said("about:waiting"))
    async def abiertas(interaction: discord.Interaction) -> None:
        await desk.waiting(interaction)

    @group.command(name=said("name:leave"), description=said("about:leave"))
    @app_commands.rename(code=said("name:code"))
    @app_commands.describe(code=said("about:code"))
    async def salir(interaction: discord.Interaction, code: Code | None = None) -> None:
        await desk.leave(interaction, code)

    @group.command(name=said("name:table-rules"), description=said("about:table-rules"))
    @app_commands.rename(code=said("name:code"))
    @app_commands.describe(code=said("about:code"))
    async def reglas(interaction: discord.Interaction, code: Code | None = None) -> None:
        await desk.table_rules(interaction, code)

    @group.command(name=said("name:end"), description=said("about:end"))
    @app_commands.rename(code=said("name:code"))
    @app_commands.describe(code=said("about:code"))
    async def terminar(interaction: discord.Interaction, code: Code | None = None) -> None:
        await desk.end(interaction, code)

    @group.command(name=said("name:block"), description=said("about:block"))
    @app_commands.rename(person=said("name:person"))
    @app_commands.describe(person=said("about:whom"))
    async def bloquear(interaction: discord.Interaction, person: discord.User) -> None:
        await desk.block(interaction, person, yes=True)

    @group.command(name=said("name:unblock"), description=said("about:unblock"))
    @app_commands.rename(person=said("name:person"))
    @app_commands.describe(person=said("about:whom"))
    async def desbloquear(interaction: discord.Interaction, person: discord.User) -> None:
        await desk.block(interaction, person, yes=False)

    @group.command(name=said("name:blocked"), description=said("about:blocked"))
    async def bloqueados(interaction: discord.Interaction) -> None:
        await desk.blocked(interaction)

    group.add_command(_settings(desk))
    return group


def _opening(desk: "FrontDesk", name: str) -> "app_commands.Command[Any, Any, None]":
    @app_commands.command(name=said(f"name:{name}"), description=said(f"about:{name}"))
    @app_commands.rename(
        mode=said("name:seating"),
        rules=said("name:ruleset"),
        target=said("name:target"),
        pace=said("name:pace"),
        thread=said("name:thread"),
        stake=said("name:stake"),
        private=said("name:private"),
        name=said("name:table-name"),
    )
    @app_commands.describe(
        mode=said("about:seating"),
        rules=said("about:ruleset"),
        target=said("about:target"),
        pace=said("about:pace"),
        thread=said("about:thread"),
        stake=said("about:stake"),
        private=said("about:private"),
        name=said("about:table-name"),
    )
    @app_commands.choices(mode=MODES, pace=PACES)
    @app_commands.autocomplete(rules=variants, target=targets)
    async def opening(
        interaction: discord.Interaction,
        mode: Choice[str] | None = None,
        rules: Word | None = None,
        target: Word | None = None,
        pace: Choice[str] | None = None,
        thread: bool | None = None,
        stake: Stake | None = None,
        private: bool = False,
        name: Word | None = None,
    ) -> None:
        words = [mode.value if mode else "", rules or "", target or ""]
        asked = {"stake": stake, "private": private, "name": name, "pace": None if pace is None else Pace(pace.value)}
        await desk.open(interaction, words, asked, thread=thread)

    return opening


def _settings(desk: "FrontDesk") -> "app_commands.Command[Any, Any, None]":
    @app_commands.command(name=said("name:settings"), description=said("about:settings"))
    @app_commands.rename(
        order=said("name:order"),
        colours=said("name:colours"),
        rules=said("name:ruleset"),
        pace=said("name:pace"),
        threads=said("name:threads"),
        channel=said("name:channel"),
        anywhere=said("name:anywhere"),
        pings=said("name:pings"),
        coins=said("name:coins"),
        cutting=said("name:cutting"),
        locale=said("name:language"),
    )
    @app_commands.describe(
        order=said("about:order"),
        colours=said("about:colours"),
        rules=said("about:server-ruleset"),
        pace=said("about:server-pace"),
        threads=said("about:threads"),
        channel=said("about:channel"),
        anywhere=said("about:anywhere"),
        pings=said("about:pings"),
        coins=said("about:server-coins"),
        cutting=said("about:cutting"),
        locale=said("about:language"),
    )
    @app_commands.choices(order=ORDERS, colours=COLOURS, pace=PACES, locale=LANGUAGES)
    @app_commands.autocomplete(rules=variants)
    async def ajustes(
        interaction: discord.Interaction,
        order: Choice[str] | None = None,
        colours: Choice[str] | None = None,
        rules: Word | None = None,
        pace: Choice[str] | None = None,
        threads: bool | None = None,
        channel: discord.TextChannel | None = None,
        anywhere: bool = False,
        pings: bool | None = None,
        coins: bool | None = None,
        cutting: bool | None = None,
        locale: Choice[str] | None = None,
    ) -> None:
        await desk.settings(
            interaction,
            hand_order=order.value if order else None,
            suit_colours=colours.value if colours else None,
            rules=rules,
            place={
                "pace": None if pace is None else Pace(pace.value),
                "threads": threads,
                "channel": "" if anywhere else None if channel is None else str(channel.id),
                "pings": pings,
                "coins": coins,
                "cutting": cutting,
                "locale": None if locale is None else locale.value.replace(ANY_LANGUAGE, ""),
            },
        )

    return ajustes


def _reglas(desk: "FrontDesk") -> "app_commands.Command[Any, Any, None]":
    @app_commands.command(name=said("name:rules"), description=said("about:rules"))
    @app_commands.rename(topic=said("name:topic"), rules=said("name:ruleset"))
    @app_commands.describe(topic=said("about:topic"), rules=said("about:rules-ruleset"))
    @app_commands.autocomplete(topic=topics, rules=variants)
    async def reglas(
        interaction: discord.Interaction, topic: Question | None = None, rules: Word | None = None
    ) -> None:
        await desk.rules(interaction, topic, rules)

    _everywhere(reglas)
    return reglas


def _perfil(desk: "FrontDesk") -> "app_commands.Command[Any, Any, None]":
    @app_commands.command(name=said("name:profile"), description=said("about:profile"))
    @app_commands.rename(person=said("name:person"))
    @app_commands.describe(person=said("about:person"))
    async def perfil(interaction: discord.Interaction, person: discord.User | None = None) -> None:
        await desk.profile(interaction, None if person is None else person.id)

    return perfil


def _plain(name: str, work: Callable[[discord.Interaction], Awaitable[None]]) -> "app_commands.Command[Any, Any, None]":
    """A command without options."""

    @app_commands.command(name=said(f"name:{name}"), description=said(f"about:{name}"))
    async def plain(interaction: discord.Interaction) -> None:
        await work(interaction)

    return plain
