"""The compiler of this package's functions."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar, cast

import numba
import platformdirs

F = TypeVar("F", bound=Callable[..., object])


def _kept_in() -> Path:
    """Where machine code is kept: a folder for each state of the sources, since functions are compiled into each other."""
    told = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        told.update(path.read_bytes())
    return Path(platformdirs.user_cache_dir("buraco", appauthor=False)) / "compiled" / told.hexdigest()[:16]


CACHE: Final = _kept_in()
numba.config.CACHE_DIR = str(CACHE)


def compiled(function: F) -> F:
    """The function as machine code, compiled at its first call and kept on disk; it takes numbers and arrays alone."""
    return cast("F", numba.njit(cache=True, nogil=True)(function))
