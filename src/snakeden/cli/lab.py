"""`snakeden lab`: play studies of the games, and tell what they found."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


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


def add_workers(parser: argparse.ArgumentParser) -> None:
    """`--on` and `--jobs`."""
    parser.add_argument(
        "--on",
        default="local",
        metavar="WHERE",
        help="local: processes of this machine (default); ray, ray://HOST:PORT: Ray, see docs/lab.md",
    )
    parser.add_argument("--jobs", type=int, help="games at a time (default: one a core)")


def run(args: argparse.Namespace) -> int:
    return {"run": _run}[args.action](args)


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
    with _ended_like_by_a_key(), _shown(study.title) as show:
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
def _ended_like_by_a_key() -> Iterator[None]:
    """Who is asked to end, by a batch system for example, keeps what was played as after Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
