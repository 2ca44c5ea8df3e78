"""`snakeden solve`: the value of a position under best play, and how that play goes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from snakeden.cli.game_options import add_settings, read_options
from snakeden.cli.lab import add_workers
from snakeden.cli.progress import progress
from snakeden.core.learning import distinct_first_moves
from snakeden.core.registry import game as find_game
from snakeden.core.state import State, new_game
from snakeden.records import read
from snakeden.search.solver import Solution, Solver


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", nargs="?", type=Path, help="the file of a game")
    parser.add_argument(
        "--at", type=int, metavar="PLY", help="the position after this many moves (default: all)"
    )
    parser.add_argument("--game", metavar="ID", help="instead of a record: the first position of this game")
    add_settings(parser, "with --game: ")
    parser.add_argument("--seconds", type=float, help="give up after this long, with what is known by then")
    parser.add_argument("--memory", type=int, default=512, metavar="MB", help="for the table (default 512)")
    parser.add_argument(
        "--moves",
        action="store_true",
        help="the value of every move; those of a first position up to symmetry",
    )
    parser.add_argument(
        "--checkpoint",
        type=Path,
        metavar="FOLDER",
        help="solve on several cores, and keep there what is known: the same command goes on from it",
    )
    parser.add_argument(
        "--goal",
        type=int,
        metavar="POINTS",
        help="with --checkpoint: ask only whether seat 0 ends at least this far ahead, such as 0 or -1",
    )
    add_workers(parser, "with --checkpoint: positions")
    parser.add_argument("--json", action="store_true", help="print one object")


def run(args: argparse.Namespace) -> int:
    state = _position(args)
    if not 1 <= args.memory <= 1 << 20:
        raise ValueError(f"--memory {args.memory} is not possible: give megabytes, such as 512")
    if args.checkpoint is not None:
        from snakeden.cli.solve_distributed import solve_distributed

        if args.moves:
            raise ValueError("--moves and --checkpoint do not go together: leave one out")
        return solve_distributed(state, args)
    if args.goal is not None or args.jobs is not None or args.on != "local":
        raise ValueError("--goal, --jobs and --on go with --checkpoint: name a folder for what is known")
    solver = Solver(state, memory=args.memory << 20)
    if args.moves:
        return _moves(state, solver, args)
    begin = last = time.perf_counter()

    def show(low: int, high: int, seen: int) -> bool:
        nonlocal last
        now = time.perf_counter()
        if sys.stderr.isatty() and now - last > 0.5:
            last = now
            print(
                f"\r{seen:,} positions, {now - begin:.0f} s: {between(low, high)} ", end="", file=sys.stderr
            )
        return False

    solution = solver.solve(state, seconds=args.seconds, stop=show)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    if args.json:
        print(json.dumps(_object(solution)))
    else:
        for line in _words(state, solution):
            print(line)
    return 0 if solution.solved else 1


def _moves(state: State, solver: Solver, args: argparse.Namespace) -> int:
    """Print the value of every move, the best for the player to move first."""
    if state.player is None:
        raise ValueError("the game is over: there are no moves")
    codes = state.codes().tolist()
    alike = {code: [code] for code in codes}
    if args.game is not None:
        alike = distinct_first_moves(state.variant, codes)
    begin, found = time.perf_counter(), []
    with progress("moves", len(alike)) as advance:
        for code, like_it in alike.items():
            left = None if args.seconds is None else max(0.0, args.seconds - (time.perf_counter() - begin))
            solution = solver.solve(state.play(code), seconds=left)
            found.append((state.variant.text(code), len(like_it), solution))
            advance()
    found.sort(key=lambda row: -row[2].low if state.player == 0 else row[2].high)
    positions = sum(solution.positions for _, _, solution in found)
    if args.json:
        moves = [
            {"move": text, "images": images, "low": solution.low, "high": solution.high}
            for text, images, solution in found
        ]
        print(json.dumps({"player": state.player, "moves": moves, "positions": positions}))
    else:
        for text, images, solution in found:
            times = f" (and {images - 1} more like it)" if images > 1 else ""
            print(f"{text}{times}: {between(solution.low, solution.high)}")
        print(f"{positions:,} positions in {time.perf_counter() - begin:.2f} s")
    return 0 if all(solution.solved for _, _, solution in found) else 1


def _position(args: argparse.Namespace) -> State:
    if (args.record is None) == (args.game is None):
        raise ValueError("say what to solve: the file of a record, or --game ID for a first position")
    if args.game is not None:
        if args.at is not None:
            raise ValueError("--at goes with a record: it counts its moves")
        game = find_game(args.game)
        return new_game(game.id, **read_options(game, args.settings))
    try:
        text = args.record.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{args.record} cannot be read: {error}") from None
    return read(text).state(args.at)


def between(low: int, high: int) -> str:
    """What is known of the value, in words."""
    least = "anything" if low < -10_000 else f"{low:+}"
    most = "anything" if high > 10_000 else f"{high:+}"
    return f"seat 0's lead is between {least} and {most}" if low < high else f"seat 0's lead is {low:+}"


def _object(solution: Solution) -> dict[str, object]:
    return {
        "solved": solution.solved,
        "value": solution.value if solution.solved else None,
        "low": solution.low,
        "high": solution.high,
        "scores": list(solution.scores),
        "move": str(solution.move) if solution.move is not None else None,
        "line": [str(move) for move in solution.line],
        "positions": solution.positions,
        "seconds": round(solution.seconds, 3),
    }


def _words(state: State, solution: Solution) -> list[str]:
    effort = f"{solution.positions:,} positions in {solution.seconds:.2f} s"
    if not solution.solved:
        best = f"; {solution.move} keeps the better of that" if solution.move is not None else ""
        return [f"Not solved: {between(solution.low, solution.high)}{best}.", effort]
    if solution.value == 0:
        outcome = "a draw"
    else:
        outcome = f"seat {0 if solution.value > 0 else 1} wins by {abs(solution.value)}"
    points = f": {' : '.join(map(str, solution.scores))}" if solution.scores else ""
    lines = [f"With best play {outcome}{points}."]
    if solution.line:
        named = "the whole line" if solution.scores else "the line as far as there was time"
        lines.append(
            f"Seat {state.player} plays {solution.line[0]}; {named}: {' '.join(map(str, solution.line))}"
        )
    return [*lines, effort]
