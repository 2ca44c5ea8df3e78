"""`snakeden export RECORDS… -o games.parquet`: games as a table, a row a position, and back again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from snakeden.cli.output_files import check_output
from snakeden.cli.output_files import write as write_file
from snakeden.cli.progress import progress
from snakeden.records import Record, read_all


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        type=Path,
        help="records, files of an arena (--out), or a table (.parquet) to make records of",
    )
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="FILE", help="what to write: a .parquet, or records"
    )
    parser.add_argument(
        "--observations", action="store_true", help="with the planes of every position; makes files large"
    )
    parser.add_argument("--json", action="store_true", help="print what was written as an object")


def _records(path: Path) -> Iterator[Record]:
    if path.suffix == ".parquet":
        from snakeden.adapters import parquet

        yield from parquet.records(path)
        return
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        games = [json.loads(line) for line in text.splitlines()[1:]]
        text = "\n".join(game["record"] for game in games if game.get("record"))
    yield from read_all(text)


def run(args: argparse.Namespace) -> int:
    for path in args.files:
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
    check_output(args.out)
    if find_spec("pyarrow") is None:
        raise ValueError(
            "tables are written with pyarrow, which is not installed: pip install 'snakeden[data]'"
        )
    with progress("exporting", len(args.files)) as advance:

        def every() -> Iterator[Record]:
            for path in args.files:
                yield from _records(path)
                advance()

        if args.out.suffix == ".parquet":
            from snakeden.adapters import parquet

            counts = {"rows": parquet.write(args.out, every(), observations=args.observations)}
        else:
            found = list(every())
            write_file(args.out, "\n".join(record.write() for record in found).encode())
            counts = {"records": len(found)}
    (what, count), *_ = counts.items()
    print(json.dumps({"file": str(args.out), **counts}) if args.json else f"{args.out}: {count:,} {what}")
    return 0
