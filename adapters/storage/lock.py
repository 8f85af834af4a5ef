"""A lock between processes: the operating system lets it go when its holder ends, however that happens."""

import os
import sys
from pathlib import Path


class FileLock:
    """An exclusive lock on a file beside the database. The file itself stays: deleting it would be a race."""

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises:
            BlockingIOError: somebody else holds it.
            OSError: the file cannot be made.
        """
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let the lock go; may be called twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(error.errno, "held by another process") from error

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
