"""Files that commands write: whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path


def check_output(path: Path) -> None:
    """Raises ValueError if no file can come to lie there, before any work is done for it."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file in it")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ValueError(f"{path}: there is no folder {folder}; make it, or name another file")


def write(path: Path, data: bytes) -> None:
    """Write a file; what was there before stays whole until the new one is."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file in it")
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
