"""`snakeden db`: look after the server's games."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def configure(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    upgrade = verbs.add_parser("upgrade", help="bring the tables up to this version", allow_abbrev=False)
    export = verbs.add_parser("export", help="write all games as records", allow_abbrev=False)
    export.add_argument("--out", type=Path, default=None, metavar="FILE", help="default: the standard output")
    for verb in (upgrade, export):
        verb.add_argument(
            "--database",
            default=os.environ.get("SNAKEDEN_DATABASE"),
            help="sqlite:///FILE or postgresql://… (default: $SNAKEDEN_DATABASE, else your data folder's)",
        )


def run(args: argparse.Namespace) -> int:
    from snakeden.server.settings import default_database

    url = args.database or default_database()
    return _upgrade(url) if args.verb == "upgrade" else _export(url, args.out)


def _upgrade(url: str) -> int:
    from snakeden.server.database import upgrade

    before, after = upgrade(url)
    print(
        f"The database is at revision {after}." if before == after else f"Upgraded from {before} to {after}."
    )
    return 0


def _export(url: str, out: Path | None) -> int:
    from rich.console import Console
    from rich.progress import track

    from snakeden.server.database import check_current
    from snakeden.server.recording import record_of
    from snakeden.server.store import every_game, load_now, open_engine

    check_current(url)
    engine = open_engine(url)
    file = sys.stdout if out is None else out.open("w", encoding="utf-8")
    try:
        found = every_game(engine)
        console = Console(file=sys.stderr)
        for game_id in track(found, "exporting", console=console, disable=out is None, transient=True):
            file.write(record_of(*load_now(engine, game_id)).write() + "\n")
        if out is not None:
            print(f"{len(found)} games are in {out}.")
    finally:
        if out is not None:
            file.close()
        engine.dispose()
    return 0
