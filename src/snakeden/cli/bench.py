"""`snakeden bench [SUBJECT]`: measure, and print ratios to others measured in the same run."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version

from snakeden.bench import SUBJECTS
from snakeden.cli.game_options import add_device
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games


def configure(parser: argparse.ArgumentParser) -> None:
    subjects = "; ".join(f"{name}: {what}" for name, what in SUBJECTS.items())
    parser.add_argument("subject", nargs="?", default="rules", choices=SUBJECTS, help=subjects)
    parser.add_argument(
        "--game", metavar="ID", action="append", help="only this game; may be given several times"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=4.0,
        help="how long to measure each figure (default 4; the solver takes as long as it takes)",
    )
    add_device(parser)
    parser.add_argument("--json", action="store_true", help="print a list of objects")


def run(args: argparse.Namespace) -> int:
    if not 0.05 <= args.seconds <= 600:
        raise ValueError(f"--seconds {args.seconds} is not possible: allowed is 0.05 to 600")
    if args.device == "cuda" and args.subject != "batch":
        raise ValueError(f"{args.subject} is measured on processors alone: only `batch` can be on a GPU")
    chosen = [find_game(name) for name in args.game] if args.game else list(games().values())
    versions = ", ".join(f"{package} {version(package)}" for package in ("snakeden", "numba", "numpy"))
    print(f"Python {platform.python_version()}, {versions}, {platform.machine()}", file=sys.stderr)
    subject = import_module(f"snakeden.bench.{args.subject}")
    if subject.missing_peer():
        print(subject.missing_peer(), file=sys.stderr)
    more = {"device": args.device} if args.subject == "batch" else {}
    found = []
    for row in subject.rows(chosen, args.seconds, **more):
        found.append(asdict(row))
        if not args.json:
            ratio = f"{row.ratio:8.2f} × {row.against}" if row.ratio is not None else ""
            print(f"{row.name:34} {row.value:16,.0f} {row.unit:10} {ratio}", flush=True)
    if args.json:
        print(json.dumps(found, indent=1))
    return 0
