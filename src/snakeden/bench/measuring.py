"""How a figure is taken: many short turns, one after the other, and the median of each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

ROUNDS = 5

Task = Callable[[int], float]
"""Does the work this many times over and returns how many units (moves, games, plies) that was."""


@dataclass(frozen=True)
class Row:
    """One figure. `ratio` is `value` over the peer's value of the same run, None where there is no peer."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    against: str = ""


def measure_in_turns(
    tasks: dict[str, Task], seconds: float, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Units a second of each task, the median over ROUNDS rounds in which every task has its turn. For tasks on
    one core `time.process_time` is the fairer clock: others at work on the machine do not count."""
    repeats = {name: _calibrate(task, seconds / ROUNDS / len(tasks)) for name, task in tasks.items()}
    rates: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            start = clock()
            units = task(repeats[name])
            rates[name].append(units / (clock() - start))
    return {name: median(taken) for name, taken in rates.items()}


def _calibrate(task: Task, seconds: float) -> int:
    """How often to repeat the task so that it takes about this long; also warms it up."""
    task(1)
    repeats = 1
    while True:
        start = time.perf_counter()
        task(repeats)
        took = time.perf_counter() - start
        if took > seconds / 4:
            return max(1, round(repeats * seconds / took))
        repeats *= 4
