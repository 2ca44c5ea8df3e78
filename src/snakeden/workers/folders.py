"""Folders that one process at a time works in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout


@contextmanager
def locked(folder: Path, in_use: Exception) -> Iterator[None]:
    """Make the folder if there is none, and keep other processes out of it; raises `in_use` where one is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / ".lock"
    lock = FileLock(file)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise in_use from None
    try:
        yield
    finally:
        # While it is held: afterwards it might be the next process's. Windows deletes no open files, but filelock does.
        with suppress(OSError):
            file.unlink()
        lock.release()
