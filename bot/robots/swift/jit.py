"""The compiler of this package's functions."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, TypeVar, cast

import numba
import platformdirs

F = TypeVar("F", bound=Callable[..., object])


def kept_in() -> Path:
    """Where machine code is kept: a folder for each state of the sources, as functions are compiled into each other."""
    told = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        told.update(path.read_bytes())
    return Path(platformdirs.user_cache_dir("buraco", appauthor=False)) / "compiled" / told.hexdigest()[:16]


def can_keep(folder: Path) -> bool:
    """Whether the folder can be written to; where it cannot, everything is compiled anew in each process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


_CACHE: Final = kept_in()
KEEPS: Final = can_keep(_CACHE)
if KEEPS:
    numba.config.CACHE_DIR = str(_CACHE)  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """The function as machine code, compiled at its first call and kept on disk; it takes numbers and arrays alone."""
    return cast("F", numba.njit(cache=KEEPS, nogil=True)(function))
