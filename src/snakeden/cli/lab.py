"""`snakeden lab`: play studies of the games, and report what they found."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING

from snakeden.cli.game_options import add_device, add_game, chosen_game
from snakeden.cli.output_files import check_output

if TYPE_CHECKING:
    from snakeden.lab.balance import Arm
    from snakeden.lab.measures import Estimate
    from snakeden.lab.random_sums import Figures, PlayoutFigures


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run_parser = actions.add_parser(
        "run",
        help="play what a study asks for",
        description="Play the games that a study asks for and its folder does not hold yet.",
    )
    run_parser.add_argument("study", type=Path, metavar="STUDY", help="the study, a .toml file")
    run_parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where the games are kept (default: the study's name without .toml)",
    )
    add_workers(run_parser)
    run_parser.add_argument("--json", action="store_true", help="print what was done as an object")
    balance_parser = actions.add_parser(
        "balance",
        help="search a study's settings for a fair one",
        description="Play a study by successive halving until the fairest settings are known; measure those anew.",
    )
    balance_parser.add_argument("study", type=Path, metavar="STUDY", help="the study, with a table [balance]")
    balance_parser.add_argument(
        "-o", "--out", type=Path, metavar="FOLDER", help="where the games are kept (default: as for run)"
    )
    add_workers(balance_parser)
    balance_parser.add_argument("--json", action="store_true", help="print what was found as an object")
    report_parser = actions.add_parser(
        "report",
        help="report what a study found",
        description="Write a report of a study: tables with intervals, plots, and what is significant.",
    )
    report_parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the study's games are kept")
    report_parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="FILE", help="an .html, .md or .pdf file"
    )
    bench_parser = actions.add_parser(
        "bench",
        help="how many games a second a number of workers plays",
        description="Play games of a study with 1, 2, 4 workers; print games a second, the efficiency and the costs.",
    )
    bench_parser.add_argument("study", type=Path, metavar="STUDY", help="the study, a .toml file")
    bench_parser.add_argument("--workers", default="1,2,4", metavar="N,N", help="how many (default 1,2,4)")
    bench_parser.add_argument("--games", type=int, default=200, help="measured each time (default 200)")
    bench_parser.add_argument(
        "--on", default="local", metavar="WHERE", help="local (default), ray, ray://HOST:PORT"
    )
    bench_parser.add_argument("--json", action="store_true", help="print a list of objects")
    random_help = "what games are like in which everybody moves at random"
    _configure_random(actions.add_parser("random", help=random_help))


def _configure_random(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Play random games to their ends. Print how long they are, how many moves are legal, scores and "
        "victories, with intervals of 95 %. --moves steps games move by move and counts legal moves; --plies plays "
        "them out inside one kernel, several times as fast, and does not. Both together do both."
    )
    add_game(parser)
    parser.add_argument(
        "--moves",
        type=float,
        metavar="N",
        help="step games until there are so many moves (default 1e7, or none with --plies)",
    )
    parser.add_argument(
        "--plies",
        type=float,
        metavar="N",
        help="play out games until there are so many plies: moves and rolls of dice",
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same games")
    parser.add_argument(
        "--block",
        type=int,
        default=65_536,
        metavar="N",
        help="games that are counted together (default %(default)s)",
    )
    add_device(parser)
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="keep the sums there as they grow, and go on from them"
    )
    parser.add_argument("--json", action="store_true", help="print an object")


def add_workers(parser: argparse.ArgumentParser, what: str = "games") -> None:
    """`--on` and `--jobs`; `what` is worked on."""
    parser.add_argument(
        "--on",
        default="local",
        metavar="WHERE",
        help="local: processes of this machine (default); ray, ray://HOST:PORT: Ray, see docs/lab.md",
    )
    parser.add_argument("--jobs", type=int, help=f"{what} at a time (default: one per core)")


def run(args: argparse.Namespace) -> int:
    actions = {"run": _run, "report": _report, "balance": _balance, "bench": _bench, "random": _random}
    return actions[args.action](args)


def _random(args: argparse.Namespace) -> int:
    from snakeden.core.game import variant as variant_of
    from snakeden.lab.random_play import play
    from snakeden.lab.random_sums import figures, playout_figures

    game, options = chosen_game(args)
    variant = variant_of(game, options)
    if args.moves is None and args.plies is None:
        args.moves = 1e7
    for name, number in (("moves", args.moves), ("plies", args.plies)):
        if number is not None and not 1 <= number <= 1e15:
            raise ValueError(f"--{name} {number:g} is not possible: give 1 to 1e15")
    if not 1 <= args.block <= 2**24:
        raise ValueError(f"--block {args.block} is not possible: give 1 to {2**24:,}")
    if not 0 <= args.seed < 2**62:
        raise ValueError(f"--seed {args.seed} is not possible: give a whole number from 0 on")
    if args.keep is not None:
        check_output(args.keep)
    with ended_like_by_a_key(), _shown(game.name) as show:
        kept = play(
            variant,
            int(args.moves or 0),
            int(args.plies or 0),
            block=args.block,
            seed=args.seed,
            device=args.device,
            keep=args.keep,
            progress=show,
        )
    stepped = figures(kept.sums) if args.moves else None
    played_out = playout_figures(kept.playouts) if args.plies else None
    if args.json:
        found = asdict(stepped) if stepped else {}
        print(json.dumps(found | ({"playouts": asdict(played_out)} if played_out else {})))
        return 0
    if stepped:
        print(f"{stepped.games:,} games, {stepped.moves:,} moves")
        print(f"moves of a game      {_around(stepped.length)}, {stepped.shortest} to {stepped.longest}")
        print(f"legal moves          {_around(stepped.choices)}")
        _print_ends(stepped)
    if played_out:
        counted = "plies, moves and rolls of dice" if game.chance else "plies"
        print(f"{played_out.games:,} games played out, {played_out.plies:,} {counted}")
        print(
            f"plies of a game      {_around(played_out.length)}, {played_out.shortest} to {played_out.longest}"
        )
        _print_ends(played_out)
    return 0


def _print_ends(found: Figures | PlayoutFigures) -> None:
    """Scores and victories."""
    for seat, score in enumerate(found.scores):
        print(f"score of seat {seat}      {_around(score)}")
    for seat, share in enumerate(found.points):
        print(f"points of seat {seat}     {_around(share)}")
    if found.points:
        print(f"shared victories     {_around(found.shared)}")


def _around(estimate: Estimate) -> str:
    """A number with as many digits as are known."""
    half = (estimate.high - estimate.low) / 2
    digits = max(0, min(6, 1 - floor(log10(half)))) if half > 0 else 0
    return f"{estimate.value:.{digits}f} ± {half:.{digits}f}"


def _bench(args: argparse.Namespace) -> int:
    from snakeden.lab.scaling import scales
    from snakeden.lab.study import read_study

    study = read_study(args.study)
    counts = [int(text) for text in args.workers.split(",") if text.strip().isdecimal()]
    if not counts or min(counts) < 1 or len(counts) < len(args.workers.split(",")):
        raise ValueError(f"--workers {args.workers} is not possible: give numbers such as 1,2,4")
    if not 1 <= args.games <= 100_000:
        raise ValueError(f"--games {args.games} is not possible: give 1 to 100,000")
    print(f"{os.cpu_count()} cores here", file=sys.stderr)
    found = []
    if not args.json:
        print("workers  games/s  efficiency  ms a game  ms to hand out  bytes a game  s to start")
    for scale in scales(study, counts, args.games, args.on):
        found.append(asdict(scale))
        if not args.json:
            print(
                f"{scale.workers:7} {scale.games_a_second:8.1f} {100 * scale.efficiency:9.0f} % "
                f"{scale.processor_ms:10.1f} {scale.coordinator_ms:15.2f} {scale.bytes:13,.0f} {scale.start_s:11.1f}",
                flush=True,
            )
    if args.json:
        print(json.dumps(found, indent=1))
    return 0


def _balance(args: argparse.Namespace) -> int:
    from snakeden.lab.balance import balance
    from snakeden.lab.study import read_study

    study = read_study(args.study)
    folder = args.out or args.study.with_suffix("")
    with ended_like_by_a_key(), _shown(study.title) as show:
        result = balance(study, folder, on=args.on, jobs=args.jobs, progress=show)
    if args.json:
        found = _arm_object(result.found) if result.found else None
        arms = {"arms": result.arms, "confirmed": result.confirmed}
        listed = {name: [_arm_object(arm) for arm in some] for name, some in arms.items()}
        print(json.dumps({"found": found, "excluded": result.excluded, **listed}))
        return 0
    print("round  games  points of seat 0 (95 %)      setting")
    for arm in result.arms:
        print(_arm_line(arm, str(arm.round)))
    print("Measured anew:")
    for arm in result.confirmed:
        print(_arm_line(arm, ""))
    within = f"within {100 * result.fair:g} % of an equal share"
    if result.found:
        print(f"Fair: {_arm_name(result.found)} is {within} at 95 % confidence.")
    elif result.excluded:
        print(f"None of them is {within}: every interval lies beyond.")
    else:
        print(f"None of them was shown to be {within}; more games would show more.")
    return 0


def _arm_name(arm: Arm) -> str:
    bonus = f" with {' : '.join(f'{points:+d}' for points in arm.bonus)} points" if any(arm.bonus) else ""
    return f"{arm.setting.game} {arm.setting.options_text or '(standard)'}{bonus}"


def _arm_line(arm: Arm, number: str) -> str:
    p = arm.points
    shown = f"{100 * p.value:5.1f} % ({100 * p.low:.1f} to {100 * p.high:.1f})"
    return f"{number:>5} {arm.games:6}  {shown:28} {_arm_name(arm)}"


def _arm_object(arm: Arm) -> dict[str, object]:
    return {
        "setting": arm.setting.key,
        "bonus": list(arm.bonus),
        "games": arm.games,
        "points": [arm.points.value, arm.points.low, arm.points.high],
    }


def _report(args: argparse.Namespace) -> int:
    from snakeden.lab.document import write
    from snakeden.lab.report import report

    check_output(args.out)
    for path in write(args.out, *report(args.folder)):
        print(path)
    return 0


def _run(args: argparse.Namespace) -> int:
    from snakeden.lab import read_study
    from snakeden.lab import run as play_study
    from snakeden.lab.results import read_rows

    study = read_study(args.study)
    folder = args.out or args.study.with_suffix("")
    if folder.is_file():
        raise ValueError(f"{folder} is a file: name a folder")
    before = len(read_rows(folder))
    for name in sorted({name for s in study.settings if not s.repeatable for name in s.seating}):
        print(f"snakeden lab: {name} watches the clock, so its games cannot be repeated", file=sys.stderr)
    with ended_like_by_a_key(), _shown(study.title) as show:
        lost = play_study(study, folder, on=args.on, jobs=args.jobs, progress=show)
    games = len(read_rows(folder))
    if args.json:
        print(json.dumps({"folder": str(folder), "games": games, "played": games - before, "lost": lost}))
    else:
        print(f"{folder}: {games:,} games, {games - before:,} of them new")
    if lost:
        print(f"snakeden lab: {lost} games killed the process that played them", file=sys.stderr)
    return 1 if lost else 0


@contextmanager
def _shown(title: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar with an estimate, where somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(title, markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def ended_like_by_a_key() -> Iterator[None]:
    """Who is asked to end, by a batch system for example, keeps what was played as after Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
