"""A disk that forgets: what a process wrote, and what of it is left when the power goes at any moment.

A shim (``powercut.c``) that is preloaded into a real process writes down every write and every flush of the database's
files, and the process adds what it has acknowledged. From that one account any number of cuts can be made afterwards:
what had been flushed is there; of what had not, nothing is left, or any of its sectors in any combination.
"""

import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

COMPILER: Final = shutil.which("cc") or shutil.which("gcc")
WHY_NOT: Final = (
    "preloading is Linux's" if not sys.platform.startswith("linux") else "" if COMPILER else "needs a C compiler"
)
"""Why it cannot be done here; empty where it can."""
SECTOR: Final = 512
_HEAD: Final = struct.Struct("=cHqQ")
_ACK: Final = "ack"
SAY: Final = f"""
import os, struct
def said(text):
    data = text.encode()
    entry = struct.pack({_HEAD.format!r}, b"A", {len(_ACK)}, 0, len(data)) + {_ACK.encode()!r} + data
    trace = os.open(os.environ["POWERCUT_TRACE"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    assert os.write(trace, entry) == len(entry)
    os.close(trace)
"""
"""What a script under the shim begins with, to say what it has acknowledged."""


class Entry(NamedTuple):
    """``W`` rite, ``T`` runcate, ``S`` ync, ``U`` nlink of a file, or an ``A`` cknowledgement."""

    kind: str
    path: str
    offset: int
    data: bytes


def build_shim(folder: Path) -> Path:
    """The shim, compiled."""
    shim = folder / "powercut.so"
    source = Path(__file__).with_suffix(".c")
    assert COMPILER is not None
    command = [COMPILER, "-shared", "-fPIC", "-O2", "-o", str(shim), str(source), "-ldl", "-lpthread"]
    subprocess.run(command, check=True)  # noqa: S603 - our own source
    return shim


def read_trace(trace: Path) -> list[Entry]:
    """All that was written down."""
    data, at, found = trace.read_bytes(), 0, []
    while at < len(data):
        kind, path, offset, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        name, at = data[at : at + path].decode(), at + path
        found.append(Entry(kind.decode(), name, offset, data[at : at + length]))
        at += length
    return found


class Disk:
    """The files as they are after so many entries: what is safe of each, and what is only on its way."""

    def __init__(self) -> None:
        self._safe: dict[str, bytearray] = {}
        self._pending: dict[str, list[Entry]] = {}

    def take(self, entry: Entry) -> None:
        """One entry more."""
        if entry.kind == "U":
            self._safe.pop(entry.path, None)
            self._pending.pop(entry.path, None)
            return
        safe = self._safe.setdefault(entry.path, bytearray())
        pending = self._pending.setdefault(entry.path, [])
        if entry.kind == "S":
            for one in pending:
                _apply(safe, one)
            pending.clear()
        else:
            pending.append(entry)

    @property
    def is_quiet(self) -> bool:
        """Whether everything is safe."""
        return not any(self._pending.values())

    def left(self, dice: random.Random | None) -> Iterator[tuple[str, bytes]]:
        """Each file as it is found after a cut: without dice nothing that was not safe, with dice any sectors of it."""
        for path, safe in self._safe.items():
            found = bytearray(safe)
            if dice is not None:
                for entry in self._pending[path]:
                    for part in _sectors(entry):
                        if dice.random() < 0.5:
                            _apply(found, part)
            yield path, bytes(found)


def _sectors(entry: Entry) -> Iterator[Entry]:
    if entry.kind == "T":
        yield entry
        return
    at = 0
    while at < len(entry.data):
        length = SECTOR - (entry.offset + at) % SECTOR
        yield Entry("W", entry.path, entry.offset + at, entry.data[at : at + length])
        at += length


def _apply(file: bytearray, entry: Entry) -> None:
    end = entry.offset + len(entry.data)
    if entry.kind == "T":
        del file[entry.offset :]
        end = entry.offset
    if len(file) < end:
        file.extend(bytes(end - len(file)))
    file[entry.offset : entry.offset + len(entry.data)] = entry.data
