"""`snakeden draw RECORD`: a position of a stored game as a picture, or the whole game as a film."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from snakeden.cli.output_files import check_output, write
from snakeden.cli.progress import progress
from snakeden.core.state import State
from snakeden.drawing.image import FORMATS, film, form_of, pdf, png
from snakeden.drawing.scene import Scene, aligned
from snakeden.drawing.svg import PIXELS, svg
from snakeden.drawing.themes import theme_names
from snakeden.records import Record, read_all

MOVING = ("gif", "webp")
FILM_SIZE = 900
"""The most pixels that a film is wide or high."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", type=Path, help="a file with a recorded game")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help=f"what to write: .{', .'.join(FORMATS)}"
    )
    parser.add_argument(
        "--at", metavar="PLY", type=int, help="the position after this many moves (default: the last)"
    )
    parser.add_argument("--game", metavar="N", type=int, default=1, help="which game of the file, from 1")
    parser.add_argument("--theme", choices=theme_names(), default="light")
    parser.add_argument(
        "--milliseconds", metavar="MS", type=int, default=900, help="of a film: time per move (default 900)"
    )
    parser.add_argument(
        "--scale", type=float, default=2.0, help="of a PNG: pixels per unit of the SVG (default 2)"
    )


def chosen_record(path: Path, number: int) -> Record:
    """The game of this number in a file; raises ValueError."""
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8, so no record") from None
    records = read_all(text)
    if not 1 <= number <= len(records):
        raise ValueError(f"{path} holds {len(records)} games; there is no number {number}")
    return records[number - 1]


def _scene(record: Record, ply: int, state: State) -> Scene:
    """The position after this many moves, with the last of them, and the outcome where it is the last position."""
    last = record.moves[ply - 1] if ply else None
    outcome = record.outcome if ply == len(record.moves) else None
    scene: Scene = state.variant.game.view.scene(state, last_move=last, names=record.seats, outcome=outcome)
    return scene


def _scenes(record: Record) -> list[Scene]:
    scenes = []
    with progress("replaying", len(record.moves) + 1) as advance:
        for ply, state in enumerate(record.states()):
            scenes.append(_scene(record, ply, state))
            advance()
    return aligned(scenes)


def run(args: argparse.Namespace) -> int:
    if not 20 <= args.milliseconds <= 10_000 or not 0.1 <= args.scale <= 10:
        raise ValueError("--milliseconds lies between 20 and 10000, and --scale between 0.1 and 10")
    form = form_of(args.output) if args.output else None
    if args.output:
        check_output(args.output)
    record = chosen_record(args.record, args.game)
    if form in MOVING:
        if args.at is not None:
            raise ValueError(f"a .{form} shows the whole game: leave --at out, or ask for another ending")
        scenes = _scenes(record)
        cell = min(PIXELS, FILM_SIZE / max(scenes[0].box[2:]))
        frames = [svg(scene, args.theme, cell) for scene in scenes]
        with progress("drawing", len(frames)) as advance:
            write(args.output, film(frames, str(form), args.milliseconds, advance))
        return 0
    ply = len(record.moves) if args.at is None else args.at
    scene = _scene(record, ply, record.state(ply))
    if form is None:
        show(scene)
    elif form == "svg":
        write(args.output, svg(scene, args.theme).encode())
    elif form == "png":
        write(args.output, png(svg(scene, args.theme), args.scale))
    else:
        write(args.output, pdf([svg(scene, args.theme)]))
    return 0


def show(scene: Scene) -> None:
    """The scene on the terminal, in colour if it has any."""
    from rich.console import Console

    from snakeden.drawing.terminal import text

    console = Console(file=sys.stdout, highlight=False)
    console.print(text(scene, console.width), soft_wrap=True)
