"""Many pieces of work on several cores or machines: the same function called with task after task.

    for done in workers.run(play_one, plans, on="local", jobs=4):
        done.task, done.result

Where the next task depends on what came out before, `run_from` asks for it: its source is a function that gives a task,
or None as long as there is none.

| `on` | who works |
| --- | --- |
| `local` | processes of this machine |
| `ray` | a Ray runtime that is started here |
| `ray://HOST:PORT` | a Ray cluster; both need `pip install 'snakeden[cluster]'` |

What dies while it works, a process or a whole machine, costs only the tasks it was at: these are done again. A result
must depend on the task alone, so that it is the same whoever computes it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from importlib.util import find_spec
from typing import TypeVar

from snakeden.workers.done import DIED, Done, Source

__all__ = ["DIED", "Done", "Source", "run", "run_from"]

Task = TypeVar("Task")
Result = TypeVar("Result")


def run(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    on: str = "local",
    jobs: int | None = None,
) -> Generator[Done[Task, Result], None, None]:
    """Yield every task with its result, as they are done; close the iterator to stop. Raises ValueError for a place
    that there is not. `jobs`: how many tasks at a time; by default one for each core there is."""
    waiting = list(reversed(tasks))
    most = len(waiting)
    yield from run_from(function, lambda: waiting.pop() if waiting else None, on=on, jobs=jobs, most=most)


def run_from(
    function: Callable[[Task], Result],
    source: Source[Task],
    *,
    on: str = "local",
    jobs: int | None = None,
    most: int | None = None,
) -> Generator[Done[Task, Result], None, None]:
    """The same with tasks from a source. It is asked whenever there is room for a task; all is done when it has none
    and nothing is running. `most`: there will be no more than this many tasks."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"--jobs {jobs} is not possible: give 1 or more")
    if on == "local":
        from snakeden.workers.local import run_in_processes

        jobs = jobs or os.cpu_count() or 1
        yield from run_in_processes(function, source, jobs if most is None else max(1, min(jobs, most)))
        return
    if on != "ray" and not on.startswith("ray://"):
        raise ValueError(f"--on {on} is not possible: give local, ray or ray://HOST:PORT")
    if find_spec("ray") is None:
        raise ValueError(f"--on {on} needs Ray, which is not installed: pip install 'snakeden[cluster]'")
    from snakeden.workers.cluster import run_on_ray

    yield from run_on_ray(function, source, on, jobs)
