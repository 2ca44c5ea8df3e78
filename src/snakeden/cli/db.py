"""`snakeden db`: look after the server's games."""

from __future__ import annotations

import argparse
import os


def configure(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    upgrade = verbs.add_parser("upgrade", help="bring the tables up to this version", allow_abbrev=False)
    for verb in (upgrade,):
        verb.add_argument(
            "--database",
            default=os.environ.get("SNAKEDEN_DATABASE"),
            help="sqlite:///FILE or postgresql://… (default: $SNAKEDEN_DATABASE, else your data folder's)",
        )


def run(args: argparse.Namespace) -> int:
    from snakeden.server import database
    from snakeden.server.settings import default_database

    url = args.database or default_database()
    before, after = database.upgrade(url)
    print(
        f"The database is at revision {after}." if before == after else f"Upgraded from {before} to {after}."
    )
    return 0
