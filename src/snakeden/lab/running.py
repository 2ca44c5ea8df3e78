"""Playing what a study asks for: no game twice, and the same games whoever plays them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from snakeden import workers
from snakeden.lab.playing import Task, play
from snakeden.lab.results import Key, Results, Row, opened
from snakeden.lab.statistics import wilson
from snakeden.lab.study import STEP, Setting, Study

Progress = Callable[[int, int], None]
"""Called with how many games are done and how many there will be in all, as far as that is known."""


def run(
    study: Study,
    folder: Path,
    *,
    on: str = "local",
    jobs: int | None = None,
    progress: Progress = lambda done, total: None,
) -> int:
    """Play the games that the folder does not have yet; how many died and are still missing. Can be interrupted at any
    time: what was played is kept, and the next run goes on from there."""
    lost: set[Key] = set()
    with opened(folder, study) as results:
        while tasks := _wanted(study, results, lost):
            total = len(results.rows) + len(tasks)
            progress(len(results.rows), total)
            for done in workers.run(play, tasks, on=on, jobs=jobs):
                if done.result is None:
                    lost.add((done.task.setting.key, done.task.number))
                else:
                    results.add(done.result)
                progress(len(results.rows), total)
    return len(lost)


def _wanted(study: Study, results: Results, lost: set[Key]) -> list[Task]:
    """The games to be played next. Settings take turns, so that a study that is interrupted knows something of each."""
    tasks = []
    for setting in study.settings:
        keys = [(setting.key, number) for number in range(enough(setting, results.rows))]
        missing = [key for key in keys if key not in results.rows and key not in lost]
        tasks += [Task(setting, number, study.seed) for _, number in missing]
    return sorted(tasks, key=lambda task: task.number)


def enough(setting: Setting, rows: dict[Key, Row]) -> int:
    """How many games a setting needs, as far as its first games show: with `width` they decide in steps."""
    if setting.width is None:
        return setting.games
    for count in range(STEP, setting.games, STEP):
        found = [rows.get((setting.key, number)) for number in range(count)]
        points = [row["points"] for row in found if row is not None]
        if len(points) < count:
            return count
        intervals = (wilson(sum(seat) / count, count) for seat in zip(*points, strict=True))
        if max(high - low for low, high in intervals) <= setting.width:
            return count
    return setting.games
