"""The command line's sub-commands; ``bot/__main__.py`` adds those that need a platform, a store or a renderer."""

import typer

from bot.cli.judging import judge

app = typer.Typer(
    name="buraco",
    help="Play Buraco in Discord, in Telegram or in a local browser room.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(judge)
