"""Draws the pictures of the documentation from the games recorded beside them: `make docs-pictures`.

In `pictures/` a record says in its headers which position is the middle one, and which moves were considered
there; of a record in `games/pictures/` the last position is drawn.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from snakeden.records import Record, read

DOCS = Path(__file__).parent
FOLDERS = (DOCS / "pictures", DOCS / "games" / "pictures")


def _candidates(record: Record) -> list[tuple[str, float]]:
    parts = [part.rpartition("=") for part in record.extra["Candidates"].split()]
    return [(move, float(weight)) for move, _, weight in parts]


def _whole_game(record: Record, stem: str) -> Iterator[tuple[str, str]]:
    """A game's start, middle and end, and the middle in the dark and with the moves considered."""
    middle, end = int(record.extra["Middle"]), len(record.moves)
    states = list(record.states())
    for name, ply in (("start", 0), ("middle", middle), ("end", end)):
        last = record.moves[ply - 1] if ply else None
        yield f"{stem}-{name}.svg", states[ply].svg(last_move=last, names=record.seats)
    last = record.moves[middle - 1]
    state = states[middle]
    yield f"{stem}-dark.svg", state.svg(last_move=last, names=record.seats, theme="dark")
    considered = state.svg(last_move=last, candidates=_candidates(record), names=record.seats)
    yield f"{stem}-candidates.svg", considered


def pictures() -> Iterator[tuple[Path, str]]:
    """Every picture: its file and what belongs into it."""
    for folder in FOLDERS:
        for file in sorted(folder.glob("*.game")):
            record = read(file.read_text(encoding="utf-8"))
            if "Middle" in record.extra:
                yield from ((folder / name, picture) for name, picture in _whole_game(record, file.stem))
            else:
                yield file.with_suffix(".svg"), record.state().svg(names=record.seats)


def _there() -> Iterator[Path]:
    return (file for folder in FOLDERS for file in folder.glob("*.svg"))


def stale() -> list[Path]:
    """The pictures whose files are missing, differ, or are drawn no more."""
    wanted = dict(pictures())
    there = {file: file.read_text(encoding="utf-8") for file in _there()}
    return sorted(file for file in wanted.keys() | there.keys() if wanted.get(file) != there.get(file))


def main() -> int:
    wanted = dict(pictures())
    for file in list(_there()):
        if file not in wanted:
            file.unlink()
    for file, picture in wanted.items():
        file.write_text(picture, encoding="utf-8")
    print(f"{len(wanted)} pictures in {DOCS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
