"""How commands end: one clear line on standard error, and the exit status."""

from typing import Final, NoReturn

import typer

FAILED: Final = 1
UNREADABLE: Final = 2
TEMPORARY: Final = 75
"""Try again later (sysexits.h): a port in use, a full disk."""
CONFIG: Final = 78
"""Change a setting first (sysexits.h): starting again does not help."""


def fail(told: str, code: int) -> NoReturn:
    """Say what is wrong and end.

    Raises:
        typer.Exit: always.
    """
    typer.echo(f"buraco: {told}", err=True)
    raise typer.Exit(code)
