"""The command line's sub-commands; ``bot/__main__.py`` adds those that need a platform, a store or a renderer."""

import typer

from bot.cli.arena import arena
from bot.cli.judging import judge
from bot.cli.replaying import replay, verify_files
from bot.cli.selfplay import selfplay

app = typer.Typer(
    name="buraco",
    help="Play Buraco in Discord, in Telegram or in a local browser room.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(judge)
app.command()(replay)
app.command("verify")(verify_files)
app.command()(selfplay)
app.command()(arena)
