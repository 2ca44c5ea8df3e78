"""`snakeden verify FILE…`: replay stored games (JSON lines) and records, and show the first difference."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from snakeden.cli.progress import progress
from snakeden.core.errors import BadRecord
from snakeden.records import read_all
from snakeden.stored import first_difference, stored_games


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="stored games (.jsonl) or records"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def _games(path: Path) -> Iterator[tuple[int, str | None]]:
    """Every game of the file: (line, first difference or None)."""
    try:
        if path.suffix == ".jsonl":
            for line, game in stored_games(path):
                yield line, first_difference(game)
            return
        for record in read_all(path.read_text(encoding="utf-8")):
            try:
                record.check()
            except BadRecord as error:
                yield error.line, str(error.reason)
            else:
                yield record.lines[0], None
    except BadRecord as error:
        yield error.line, str(error.reason)
    except UnicodeDecodeError:
        yield 1, "the file is not text in UTF-8"


def _count(path: Path) -> int:
    """About how many games the file holds, for the progress bar."""
    start = b"" if path.suffix == ".jsonl" else b"[Game "
    with path.open("rb") as file:
        return sum(line.startswith(start) for line in file)


def run(args: argparse.Namespace) -> int:
    for path in args.files:
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
    results = []
    with progress("replaying", sum(map(_count, args.files))) as advance:
        for path in args.files:
            games, differences = 0, []
            for line, difference in _games(path):
                games += 1
                advance()
                if difference is not None:
                    differences.append({"line": line, "difference": difference})
            results.append({"file": str(path), "games": games, "different": differences})
    if args.json:
        print(json.dumps(results, indent=1))
    else:
        for result in results:
            bad = result["different"]
            assert isinstance(bad, list)
            verdict = f"{len(bad)} of them differ" if bad else "all replay"
            print(f"{result['file']}: {result['games']} games, {verdict}")
            if bad:
                print(f"  line {bad[0]['line']}: {bad[0]['difference']}")
    return 1 if any(result["different"] for result in results) else 0
