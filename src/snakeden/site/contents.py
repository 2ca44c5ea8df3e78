"""Which files of this package the Python in a browser has, and whether a folder was built from those here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
ABOUT = "about.json"
_NEEDED = (
    *("agents", "analysis", "core", "drawing", "games", "lessons", "nets", "programs", "puzzles", "search"),
    *("server", "site", "words"),
)
"""Folders of the package that answer a page."""
_SUFFIXES = (".py", ".json", ".jsonl", ".toml", ".txt")


def package_files() -> Iterator[tuple[Path, str]]:
    """The files, and their names within the package."""
    for file in sorted(PACKAGE.rglob("*")):
        name = file.relative_to(PACKAGE).as_posix()
        if file.suffix in _SUFFIXES and ("/" not in name or name.partition("/")[0] in _NEEDED):
            yield file, name


def sources() -> str:
    """A hash of these files."""
    found = hashlib.sha256()
    for file, name in package_files():
        found.update(name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:16]


def check_engine_files(folder: Path) -> None:
    """Raises ValueError, in words, for a folder that has no engine for pages, or one of another version."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise ValueError(
            f"{folder} has no engine for pages: `make site` builds one, in build/snakeden/python"
        ) from None
    if about.get("sources") != sources():
        raise ValueError(f"the engine in {folder} is of another version: run `make site` again")
