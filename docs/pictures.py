"""Draws the pictures of the documentation from the games recorded beside them: `make docs-pictures`.

A record says in its headers which position is the middle one, and which moves were considered there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from snakeden.records import Record, read

FOLDER = Path(__file__).parent / "pictures"


def _candidates(record: Record) -> list[tuple[str, float]]:
    parts = [part.rpartition("=") for part in record.extra["Candidates"].split()]
    return [(move, float(weight)) for move, _, weight in parts]


def pictures() -> Iterator[tuple[str, str]]:
    """Every picture: its file name and what belongs into it."""
    for file in sorted(FOLDER.glob("*.game")):
        record = read(file.read_text(encoding="utf-8"))
        middle, end = int(record.extra["Middle"]), len(record.moves)
        states = list(record.states())
        for name, ply in (("start", 0), ("middle", middle), ("end", end)):
            last = record.moves[ply - 1] if ply else None
            yield f"{file.stem}-{name}.svg", states[ply].svg(last_move=last, names=record.seats)
        last = record.moves[middle - 1]
        state = states[middle]
        yield f"{file.stem}-dark.svg", state.svg(last_move=last, names=record.seats, theme="dark")
        considered = state.svg(last_move=last, candidates=_candidates(record), names=record.seats)
        yield f"{file.stem}-candidates.svg", considered


def stale() -> list[str]:
    """The pictures whose files are missing, differ, or are drawn no more."""
    wanted = dict(pictures())
    there = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.svg")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main() -> int:
    wanted = dict(pictures())
    for file in FOLDER.glob("*.svg"):
        if file.name not in wanted:
            file.unlink()
    for name, picture in wanted.items():
        (FOLDER / name).write_text(picture, encoding="utf-8")
    print(f"{len(wanted)} pictures in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
