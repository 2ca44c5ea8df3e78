"""`snakeden puzzles make` finds puzzles in the engine's own games; `snakeden puzzles prove` proves them again."""

from __future__ import annotations

import argparse
import json
import random
import shlex
from pathlib import Path

from snakeden.cli.game_options import add_settings, read_options
from snakeden.cli.lab import add_workers
from snakeden.cli.output_files import check_output
from snakeden.cli.progress import progress
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games
from snakeden.puzzles import Collection, Puzzle, collection, prove
from snakeden.puzzles.making import make
from snakeden.puzzles.puzzle import read


def configure(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    making = commands.add_parser("make", help="find puzzles; continues a file that exists")
    making.add_argument("--game", metavar="ID", required=True, help=", ".join(games()))
    add_settings(making)
    making.add_argument("--count", type=int, default=10, help="how many puzzles to find (default 10)")
    making.add_argument(
        "--seed", type=int, default=1, help="the same seed makes the same puzzles (default 1)"
    )
    add_workers(making)
    making.add_argument("-o", "--output", metavar="FILE", type=Path, required=True)
    proving = commands.add_parser("prove", help="prove puzzles again; without a file, those that are shipped")
    proving.add_argument("files", metavar="FILE", nargs="*", type=Path)
    proving.add_argument("--game", metavar="ID", help="of the shipped puzzles, only this game's")
    proving.add_argument("--share", type=float, default=1.0, help="prove a random part of them, such as 0.1")
    proving.add_argument("--seed", type=int, default=0, help="decides which part is proven (default 0)")
    proving.add_argument("--json", action="store_true", help="print one object")


def run(args: argparse.Namespace) -> int:
    return _make(args) if args.what == "make" else _prove(args)


def _read_file(path: Path) -> Collection:
    try:
        return read(path.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def _command(args: argparse.Namespace) -> str:
    words = ["snakeden", "puzzles", "make", "--game", args.game]
    for setting in args.settings:
        words += ["--set", setting]
    return shlex.join([*words, "--count", str(args.count), "--seed", str(args.seed), "-o", args.output.name])


def _make(args: argparse.Namespace) -> int:
    if args.count < 1:
        raise ValueError(f"--count {args.count} is none: give 1 or more")
    game = find_game(args.game)
    options = read_options(game, args.settings)
    check_output(args.output)
    head = Collection(game.id, args.seed, _command(args))
    known: tuple[Puzzle, ...] = ()
    if args.output.exists():
        there = _read_file(args.output)
        if there.head() != head.head():
            raise ValueError(
                f"{args.output} was made by `{there.command}`: give the same again to go on with it, or name "
                "another file"
            )
        known = there.puzzles
    else:
        args.output.write_text(head.head() + "\n", encoding="utf-8")
    begin = known[-1].number + 1 if known else 0
    with progress("puzzles", args.count - len(known)) as advance:
        for found in make(
            game.id,
            options,
            args.seed,
            begin=begin,
            known=known,
            count=args.count,
            on=args.on,
            jobs=args.jobs,
        ):
            # All puzzles of a game or none: who goes on begins with the next game.
            text = "".join(puzzle.write() + "\n" for puzzle in found)
            with args.output.open("a", encoding="utf-8") as file:
                file.write(text)
            for _ in found:
                advance()
    print(f"{args.output}: {args.count} puzzles")
    return 0


def _prove(args: argparse.Namespace) -> int:
    if not 0 < args.share <= 1:
        raise ValueError(f"--share {args.share} is not possible: give a part of 1, such as 0.1")
    if args.files:
        puzzles = [puzzle for path in args.files for puzzle in _read_file(path).puzzles]
    else:
        wanted = [find_game(args.game).id] if args.game else games()
        puzzles = [puzzle for game in wanted for puzzle in collection(game).puzzles]
    count = max(1, round(args.share * len(puzzles)))
    chosen = random.Random(args.seed).sample(puzzles, min(count, len(puzzles)))
    wrong = []
    with progress("proving", len(chosen)) as advance:
        for puzzle in chosen:
            try:
                prove(puzzle)
            except ValueError as error:
                wrong.append(str(error))
            advance()
    if args.json:
        print(json.dumps({"proven": len(chosen) - len(wrong), "wrong": wrong}))
    else:
        for reason in wrong:
            print(reason)
        print(f"{len(chosen) - len(wrong)} of {len(chosen)} puzzles proven")
    return 1 if wrong else 0
