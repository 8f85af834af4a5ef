"""Records in files: one deal as TOML, a whole match as a ZIP of such files, one a deal."""

import io
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.records import DealRecord, RecordError, read_record, write_record

ENDING: Final = ".toml"
LONGEST: Final = 1_000_000
"""Bytes of one record, unpacked: a deal takes a few thousand."""
MOST: Final = 500
"""Records in one file."""


def record_name(code: str, number: int) -> str:
    """The name of the file of a deal; ``number`` is 0 for the first."""
    return f"buraco-{code}-{number + 1}{ENDING}"


def bundle_name(code: str) -> str:
    """The name of the file of a match."""
    return f"buraco-{code}.zip"


def write_bundle(code: str, records: Sequence[DealRecord]) -> bytes:
    """A match as a ZIP; the same records give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as bundle:
        for record in records:
            # Without a time of its own: two copies of a match are equal.
            entry = zipfile.ZipInfo(record_name(code, record.number))
            bundle.writestr(entry, write_record(record), zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def read_records(path: Path) -> list[tuple[str, DealRecord]]:
    """The records in a file with the name of each, a deal's or a match's; what they tell is for others to verify.

    Raises:
        RecordError: one cannot be read.
        OSError, UnicodeDecodeError: the file cannot be read.
    """
    if not zipfile.is_zipfile(path):
        return [(str(path), read_record(path.read_text(encoding="utf-8")))]
    try:
        with zipfile.ZipFile(path) as bundle:
            entries = [entry for entry in bundle.infolist() if entry.filename.endswith(ENDING)]
            if not entries or len(entries) > MOST:
                raise RecordError("file", f"1 to {MOST} records are expected, there are {len(entries)}")
            return [(f"{path}:{entry.filename}", read_record(_text(bundle, entry))) for entry in entries]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise RecordError("file", f"cannot be unpacked: {error}") from None


def _text(bundle: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    with bundle.open(entry) as stream:
        # What the entry says of its size need not be true.
        body = stream.read(LONGEST + 1)
    if len(body) > LONGEST:
        raise RecordError(entry.filename, "too long for a record")
    return body.decode("utf-8")
