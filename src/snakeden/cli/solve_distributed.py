"""`snakeden solve --checkpoint FOLDER`: solving on several cores, from a checkpoint."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict

from snakeden.cli.lab import ended_like_by_a_key
from snakeden.cli.solve import between
from snakeden.core.state import State
from snakeden.search.distributed import Standing, opened
from snakeden.search.solver import can_solve


def solve_distributed(state: State, args: argparse.Namespace) -> int:
    if not can_solve(state):
        raise ValueError(
            f"{state.game} with these options cannot be solved: only games of two without dice can"
        )
    with opened(state, args.checkpoint, memory=args.memory << 20) as proof:
        stopped = False
        try:
            with ended_like_by_a_key(), _shown(proof.positions) as show:
                proof.solve(goal=args.goal, on=args.on, jobs=args.jobs, seconds=args.seconds, progress=show)
        except KeyboardInterrupt:
            stopped = True
        standing = proof.standing()
    answered = standing.low >= standing.goal or standing.high < standing.goal
    solved = standing.low == standing.high or (args.goal is not None and answered)
    if args.json:
        print(json.dumps({"solved": solved, **asdict(standing), "left": None if solved else standing.left}))
    else:
        for line in _words(standing, solved):
            print(line)
    return 130 if stopped else 0 if solved else 1


def _words(standing: Standing, solved: bool) -> list[str]:
    lines = [f"{'Solved' if solved else 'Not solved'}: {between(standing.low, standing.high)}."]
    if standing.moves:
        lines.append(
            f"Does seat 0 end at least {standing.goal:+} ahead? After each first move, up to symmetry:"
        )
        said = {True: "yes", False: "no", None: "not known yet"}
        lines += [f"  {move}: {said[answer]}" for move, answer in standing.moves.items()]
    lines += [
        f"Asked after {depth} moves: {asked:,} positions, {answered:,} of them answered"
        for depth, (asked, answered) in enumerate(standing.depths)
    ]
    lines.append(f"{standing.positions:,} positions in {standing.jobs:,} jobs")
    if not solved:
        lines[-1] += f"; this question is expected to take {standing.left:.1e} more"
    return lines


@contextmanager
def _shown(before: int) -> Iterator[Callable[[Standing], None]]:
    """A line that shows how it goes, where somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda standing: None
        return
    begin = time.monotonic()

    def show(standing: Standing) -> None:
        rate = (standing.positions - before) / max(time.monotonic() - begin, 1e-3)
        known = sum(answer is not None for answer in standing.moves.values())
        print(
            f"\r\x1b[K{standing.positions:,} positions ({rate:,.0f} a second), {between(standing.low, standing.high)}; "
            f"{standing.goal:+} ahead? {known} of {len(standing.moves)} first moves answered, about "
            f"{standing.left / max(rate, 1) / 3600:,.1f} h left",
            end="",
            file=sys.stderr,
            flush=True,
        )

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr)
