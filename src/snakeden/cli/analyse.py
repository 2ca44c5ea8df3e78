"""`snakeden analyse RECORD`: chances along a game, better moves, and what each move gave away."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from snakeden.analysis import analyse
from snakeden.analysis.plies import SIMULATIONS, SIMULATIONS_WITH_NET
from snakeden.cli.draw import chosen_record
from snakeden.cli.output_files import check_output, write
from snakeden.cli.progress import progress
from snakeden.words import languages


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", type=Path, help="a file with a recorded game")
    parser.add_argument("--game", metavar="N", type=int, default=1, help="which game of the file, from 1")
    parser.add_argument(
        "--simulations",
        type=int,
        metavar="N",
        help=f"simulations for each position (default {SIMULATIONS}, with --net {SIMULATIONS_WITH_NET})",
    )
    parser.add_argument(
        "--net", action="store_true", help="think with the game's network: pip install 'snakeden[nets]'"
    )
    parser.add_argument("--language", choices=tuple(languages()), default="en")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write the analysis as one self-contained HTML file"
    )
    parser.add_argument("--json", action="store_true", help="print one object")


def run(args: argparse.Namespace) -> int:
    from snakeden.analysis.page import html
    from snakeden.analysis.report import lines

    if args.simulations is not None and not 1 <= args.simulations <= 10**7:
        raise ValueError(f"--simulations {args.simulations} is not possible: give a number such as 2000")
    if args.output is not None:
        check_output(args.output)
    record = chosen_record(args.record, args.game)
    with progress("analysing", len(record.moves) + 1) as advance:
        found = analyse(record, simulations=args.simulations, net=args.net, advance=advance)
    if args.output is not None:
        write(args.output, html(found, args.language).encode())
    if args.json:
        plies = [ply.data() for ply in found.plies]
        data = {"record": record.write(), "simulations": found.simulations, "net": found.net, "plies": plies}
        print(json.dumps(data))
    elif args.output is None:
        print("\n".join(lines(found, args.language)))
    return 0
