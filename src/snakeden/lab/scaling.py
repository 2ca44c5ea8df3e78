"""How a study grows with the number of workers: games a second, and what each game costs those who hand them out."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from snakeden import workers
from snakeden.lab.playing import Task, play
from snakeden.lab.results import opened
from snakeden.lab.study import Study

_WARMING = 2
"""Games a worker has played before the clock is started: it has loaded everything then."""


@dataclass(frozen=True)
class Scale:
    """What was measured with so many workers."""

    workers: int
    games: int
    games_a_second: float
    efficiency: float
    """Games a second and worker, compared with the first row."""
    processor_ms: float
    """Processor time of a game, in the worker."""
    coordinator_ms: float
    """Processor time of a game in the process that hands it out and keeps its row."""
    bytes: float
    """What travels for a game, task and row."""
    start_s: float
    """Until the first game was there."""


def _timed(task: Task) -> tuple[dict[str, Any], float]:
    begin = time.process_time()
    return play(task), time.process_time() - begin


def scales(study: Study, counts: Sequence[int], games: int, on: str = "local") -> Iterator[Scale]:
    """Play so many games of a study for every number of workers, each time from the start, and keep nothing."""
    first: float | None = None
    for count in counts:
        measured = _measured(study, count, games, on, first)
        first = first or measured.games_a_second / count
        yield measured


def _measured(study: Study, count: int, games: int, on: str, first: float | None) -> Scale:
    unmeasured = _WARMING * count
    settings = study.settings
    tasks = [
        Task(settings[number % len(settings)], number // len(settings), study.seed)
        for number in range(games + unmeasured)
    ]
    took: list[float] = []
    begin, started, coordinator = time.perf_counter(), 0.0, 0.0
    clock = begin
    with TemporaryDirectory() as folder, opened(Path(folder) / "bench", study) as results:
        for number, done in enumerate(workers.run(_timed, tasks, on=on, jobs=count), 1):
            if done.result is None:
                raise RuntimeError(f"a game killed its process: {done.task.setting.key}, {done.task.number}")
            row, seconds = done.result
            if number == 1:
                started = time.perf_counter() - begin
            results.add(row)
            if number == unmeasured:
                clock, coordinator = time.perf_counter(), time.process_time()
            elif number > unmeasured:
                took.append(seconds)
        rate = games / (time.perf_counter() - clock)
        coordinator = (time.process_time() - coordinator) / games
        sizes = [len(pickle.dumps(task)) for task in tasks[:20]]
        sizes_back = [len(pickle.dumps(row)) for row in list(results.rows.values())[:20]]
    return Scale(
        count,
        games,
        rate,
        rate / count / first if first else 1.0,
        1000 * fmean(took),
        1000 * coordinator,
        fmean(sizes) + fmean(sizes_back),
        started,
    )
