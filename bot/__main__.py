"""The command ``buraco``, and the one place where platforms, renderer and store are wired to the application."""

import asyncio
import faulthandler
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from adapters.ops import OpsServer, OpsUnavailable
from adapters.storage import backup as copies
from adapters.storage import open_store
from adapters.web import RoomUnavailable, WebRoom
from bot.announcing import PlatformUnusable
from bot.app import App
from bot.cli import app as commands
from bot.cli.bench import Part, asked, one_load, run_bench
from bot.cli.chaos import be_victims, hunt
from bot.cli.drawing import draw_cases
from bot.cli.exits import CONFIG, FAILED, TEMPORARY, UNREADABLE, fail
from bot.cli.exporting import export_deals
from bot.cli.keeping import ask_health, bring_up_to_date, make_backup, order_drain, put_back
from bot.cli.probing import probe_books, probe_store
from bot.cli.rules import ask, tell_rules, write_sheet
from bot.commands import DEFAULT_RULESET
from bot.config import ConfigError, Settings, load_settings
from bot.doctor import examine
from bot.drawing.base import Draws
from bot.drawing.pool import Pool
from bot.gate import Gate
from bot.logs import configure_logs
from bot.running import MakePlace, Place, Service
from bot.running import run as run_bot
from bot.store import StoreError, StoreUnreachable, StoreUnusable, UnreadableSave
from bot.vitals import Vitals
from engine.ruleset import RulesetError
from render import PillowRenderer
from render.emoji import emojis

LONGEST_END_SECONDS = 15.0
"""How long the end may take, whatever hangs."""


@commands.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Play Buraco in Discord, in Telegram or in a local browser room. Without a command, the bot runs."""
    if context.invoked_subcommand is None:
        run()


@commands.command()
def run() -> None:
    """Run the bot; without a token, open the browser room and print its address."""
    try:
        settings = load_settings()
        configure_logs(settings.log, settings.log_format)
        asyncio.run(
            run_bot(
                settings,
                open_store,
                _places(settings),
                _draws(settings.drawing_workers),
                _announce,
                services=() if settings.health_address is None else (_ops,),
                on_stopping=_watch_the_end,
            )
        )
    except ConfigError as error:
        fail(str(error), CONFIG)
    except RulesetError as error:
        fail(f"a rule set cannot be read: {error}", CONFIG)
    except StoreUnreachable as error:
        fail(str(error), TEMPORARY)
    except StoreUnusable as error:
        fail(str(error), CONFIG)
    except PlatformUnusable as error:
        fail(str(error), CONFIG)
    except (RoomUnavailable, OpsUnavailable) as error:
        fail(str(error), TEMPORARY)
    except StoreError as error:
        fail(f"the database cannot be used: {error}", TEMPORARY)


def _draws(workers: int) -> Draws:
    """What draws: so many processes, or this one in threads."""
    return Pool(workers) if workers else PillowRenderer()


def _watch_the_end() -> None:
    """A thread that hangs must not keep the process for ever: it ends, and says what every thread was doing."""
    faulthandler.dump_traceback_later(LONGEST_END_SECONDS, exit=True)


def _ops(vitals: Vitals, gate: Gate, settings: Settings) -> Service:
    host, port = settings.health_address or ("127.0.0.1", 0)
    return OpsServer(vitals, gate, host, port, insist="health" in settings.model_fields_set)


def _places(settings: Settings) -> list[MakePlace]:
    """Where the game is played: in the browser room always, in a chat where there is a token for it."""
    places: list[MakePlace] = [_room]
    if settings.discord_token is not None:
        places.append(_discord)
    if settings.telegram_token is not None:
        places.append(_telegram)
    return places


def _room(app: App, draws: Draws, settings: Settings) -> WebRoom:
    return WebRoom(app, draws, settings.web_host, settings.web_port)


# The chats' libraries take a third of a second to load: only where they are wanted.


def _discord(app: App, draws: Draws, settings: Settings) -> Place:
    from adapters.discord import DiscordPlatform  # noqa: PLC0415
    from adapters.discord.intake import InteractionSettings  # noqa: PLC0415
    from adapters.discord.shards import ShardRange  # noqa: PLC0415

    token = settings.discord_token.get_secret_value() if settings.discord_token is not None else ""
    address, key = settings.interactions_address, settings.discord_public_key
    interactions = InteractionSettings(*address, key) if address is not None and key is not None else None
    return DiscordPlatform(
        app,
        draws,
        token,
        emojis(),
        api=settings.discord_api,
        interactions=interactions,
        shards=None if settings.shards is None else ShardRange(*settings.shards),
        on_ready=_tell,
    )


def _telegram(app: App, draws: Draws, settings: Settings) -> Place:
    from adapters.telegram import TelegramPlatform, WebhookSettings  # noqa: PLC0415

    token = settings.telegram_token.get_secret_value() if settings.telegram_token is not None else ""
    webhook = None
    if settings.telegram_webhook is not None and settings.telegram_key is not None:
        secret = settings.telegram_key.get_secret_value()
        webhook = WebhookSettings(settings.telegram_webhook, secret, settings.telegram_host, settings.telegram_port)
    return TelegramPlatform(
        app,
        draws,
        token,
        api=settings.telegram_api,
        webhook=webhook,
        peeks=settings.telegram_peeks,
        on_ready=lambda name: _announce("telegram", name),
    )


def _announce(place: str, address: str) -> None:
    if place == "web":
        _tell(f"Buraco is ready: open {address} in a browser (Ctrl+C stops it).")
    elif place == "telegram" and address:
        _tell(f"Buraco plays in Telegram as {address}: https://t.me/{address.removeprefix('@')}")
    elif not address:
        _tell(f"Buraco cannot reach {place.capitalize()} now and keeps trying.")


def _tell(line: str) -> None:
    typer.echo(line)
    sys.stdout.flush()


@commands.command()
def doctor() -> None:
    """Look at everything that a start needs and say what to do where something is wrong."""
    configure_logs("warning", "text")
    probes: dict[str, Callable[[], str]] = {
        "database": partial(probe_store, open_store),
        "coins": partial(probe_books, open_store),
        "pictures": _probe_pictures,
    }
    if _has_token("discord_token"):
        probes["discord"] = _probe_discord
    if _has_token("telegram_token"):
        probes["telegram"] = _probe_telegram
    findings = examine(probes)
    for finding in findings:
        typer.echo(f"{'ok  ' if finding.ok else 'FAIL'} {finding.name}: {finding.told}")
    wrong = {finding.name for finding in findings if not finding.ok}
    if wrong:
        raise typer.Exit(CONFIG if "settings" in wrong else FAILED)


def _has_token(name: str) -> bool:
    try:
        return getattr(load_settings(), name) is not None
    except ConfigError:  # told by a finding of its own
        return False


def _probe_discord() -> str:
    from adapters.discord.checkup import check  # noqa: PLC0415

    settings = load_settings()
    token = settings.discord_token.get_secret_value() if settings.discord_token is not None else ""
    return asyncio.run(check(token, settings.discord_api))


def _probe_telegram() -> str:
    from adapters.telegram.checkup import check  # noqa: PLC0415

    settings = load_settings()
    token = settings.telegram_token.get_secret_value() if settings.telegram_token is not None else ""
    return asyncio.run(check(token, settings.telegram_api, webhook=settings.telegram_webhook is not None))


def _probe_pictures() -> str:
    from bot.cli.drawing import probe  # noqa: PLC0415 - only the doctor needs it

    return probe(PillowRenderer(), _draws(load_settings().drawing_workers))


@commands.command()
def backup(
    out: Annotated[Path, typer.Option(help="The folder for the copies.")] = Path("backups"),
    keep_all: Annotated[bool, typer.Option("--keep-all", help="Delete no older copy.")] = False,
) -> None:
    """Copy the database, also while the bot runs; of older copies seven days and four weeks stay."""
    make_backup(copies, out, keep_all=keep_all)


@commands.command()
def restore(
    copy: Annotated[Path, typer.Argument(help="The copy.")],
    check: Annotated[bool, typer.Option("--check", help="Only look whether it could be put back.")] = False,
) -> None:
    """Put a copy in the database's place; what was there is kept beside it."""
    put_back(copies, copy, only_check=check)


@commands.command()
def migrate() -> None:
    """Bring the database to this version's schema, with a copy beside it; every start does so by itself."""
    bring_up_to_date(open_store)


@commands.command()
def health(
    ready: Annotated[bool, typer.Option("--ready", help="Ask whether people can be served now.")] = False,
) -> None:
    """Ask the bot that runs here whether it is alive: for containers, which know no other way."""
    ask_health(ready=ready)


@commands.command()
def drain(off: Annotated[bool, typer.Option("--off", help="Open new tables again.")] = False) -> None:
    """Tell the bot that runs here to open no new tables; matches that have begun go on."""
    order_drain(on=not off)


@commands.command()
def chaos(
    minutes: Annotated[float, typer.Option(min=0.05, help="How long.")] = 1.0,
    tables: Annotated[int, typer.Option(min=1, max=200, help="Tables at the same time.")] = 8,
    seed: Annotated[int | None, typer.Option(help="Make the same choices again.")] = None,
    database: Annotated[
        str | None,
        typer.Option("--database-url", "--database", help="An empty database; left out: one that is thrown away."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=16, help="Processes that share a PostgreSQL database.")] = 1,
    victims: Annotated[bool, typer.Option("--victims", hidden=True)] = False,
) -> None:
    """Kill the bot again and again while people play: is anything lost, or done twice?"""
    configure_logs("error", "text")
    if victims:
        be_victims(open_store)
    else:
        hunt(open_store, minutes, tables, seed, database, workers)


@commands.command()
def bench(
    part: Annotated[list[Part] | None, typer.Option(help="Only this part; may be given several times.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Short and rough: less than a minute in all.")] = False,
    ruleset: Annotated[str, typer.Option(help="For self-play: a rule set's id.")] = DEFAULT_RULESET,
    seating: Annotated[str, typer.Option(help="For self-play: 1v1, 1v1v1, 2v2 or 2v2v2.")] = "2v2",
    rounds: Annotated[int | None, typer.Option(min=1, help="How often each thing is timed.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.01, help="How long each time.")] = None,
    load: Annotated[list[int] | None, typer.Option(min=1, help="Matches at once; may be given several times.")] = None,
    load_seconds: Annotated[float | None, typer.Option(min=0.5, help="How long each of those runs.")] = None,
    peers: Annotated[bool, typer.Option("--peers", help="Gin rummy in OpenSpiel and RLCard beside self-play.")] = False,
    database_url: Annotated[str | None, typer.Option(help="A database that may be filled, beside the others.")] = None,
    picture_workers: Annotated[
        int, typer.Option(min=0, max=64, help="Under load: processes that draw; 0 for threads.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    one: Annotated[int | None, typer.Option("--one-load", hidden=True)] = None,
) -> None:
    """Time the engine, the stores, the pictures, robots at play, and the whole program with many matches at once."""
    if one is not None:
        configure_logs("info", "text")
        one_load(open_store, _draws(picture_workers), one, load_seconds or 1.0, database_url)
        return
    configure_logs("error", "text")
    run_bench(
        asked(
            parts=part or (),
            quick=quick,
            ruleset=ruleset,
            seating=seating,
            rounds=rounds,
            seconds=seconds,
            loads=load or (),
            load_seconds=load_seconds,
            peers=peers,
            database_url=database_url,
            picture_workers=picture_workers,
        ),
        open_store,
        PillowRenderer(),
        as_json=as_json,
    )


@commands.command()
def render(
    files: Annotated[list[Path], typer.Argument(help="Cases, one JSON object a line; - reads standard input.")],
    out: Annotated[Path, typer.Option(help="The folder for the pictures.")],
    seat: Annotated[int | None, typer.Option(help="Draw this seat's hand too.")] = None,
) -> None:
    """Draw positions: the table of each case as PNG, and a hand where a seat is named."""
    raise typer.Exit(draw_cases(PillowRenderer(), files, out, seat))


@commands.command()
def rules(
    ruleset: Annotated[str | None, typer.Argument(help="A rule set's id or a file; left out: all ids.")] = None,
    diff: Annotated[tuple[str, str] | None, typer.Option(help="Show what two rule sets differ in.")] = None,
    pdf: Annotated[Path | None, typer.Option(help="Write a page to print: PDF, or PNG by the file's ending.")] = None,
    quiz: Annotated[bool, typer.Option(help="Ask exercises: is this a meld?")] = False,
) -> None:
    """Print a rule set in plain Spanish, what two differ in, or a page for the table; or practise it."""
    if pdf is not None:
        write_sheet(PillowRenderer(), ruleset or DEFAULT_RULESET, pdf)
    elif quiz:
        ask(ruleset or DEFAULT_RULESET)
    else:
        tell_rules(ruleset, diff)


@commands.command()
def export(
    code: Annotated[str, typer.Argument(help="The table's code.")],
    out: Annotated[Path, typer.Option(help="The folder for the records, a file for each finished deal.")] = Path(),
) -> None:
    """Write the records of a table's finished deals; a deal that goes on is never exported."""
    try:
        settings = load_settings()
        configure_logs(settings.log, settings.log_format)
        written = export_deals(open_store, settings.database_url, code, out)
    except StoreUnreachable as error:
        fail(str(error), TEMPORARY)
    except (ConfigError, StoreUnusable) as error:
        fail(str(error), CONFIG)
    except UnreadableSave as error:
        fail(f"the table's save cannot be read: {error.problem}", FAILED)
    except StoreError as error:
        fail(str(error), TEMPORARY)
    except (LookupError, OSError) as error:
        fail(str(error), UNREADABLE)
    for path in written:
        typer.echo(str(path))
    if not written:
        fail("that table has no finished deal yet", FAILED)


def main() -> None:
    """The console script."""
    commands()


if __name__ == "__main__":
    main()
