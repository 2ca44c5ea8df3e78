"""`snakeden print GAME -o FILE.pdf`: everything a game needs on paper, true to size."""

from __future__ import annotations

import argparse
from pathlib import Path

from snakeden.cli.game_options import add_game, chosen_game
from snakeden.cli.output_files import check_output, write
from snakeden.cli.progress import progress
from snakeden.core.game import variant
from snakeden.drawing.image import pdf
from snakeden.drawing.pages import PAPERS, Page
from snakeden.drawing.scene import worded
from snakeden.drawing.svg import svg
from snakeden.words import languages

POINTS = 72 / 25.4
"""Points of a PDF to a millimetre."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--paper", choices=PAPERS, default="a4")
    parser.add_argument(
        "--language", choices=languages(), default="en", help="language of the pages (default en)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the .pdf to write")


def run(args: argparse.Namespace) -> int:
    if args.output.suffix.lower() != ".pdf":
        raise ValueError(f"{args.output}: pages are printed from a file that ends in .pdf")
    check_output(args.output)
    game, options = chosen_game(args)
    pages: tuple[Page, ...] = game.printed.pages(variant(game, options), PAPERS[args.paper], args.language)
    drawn = []
    with progress("drawing", len(pages)) as advance:
        for page in pages:
            drawn.append(svg(worded(page.scene, args.language), "print", page.unit * POINTS))
            advance()
    write(args.output, pdf(drawn))
    print(f"{args.output}: {len(pages)} pages; print them at 100 %, not fitted to the page")
    return 0
