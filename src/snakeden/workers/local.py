"""Work in processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

from snakeden.workers.done import Done, Source

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_in_processes(
    function: Callable[[Task], Result], source: Source[Task], jobs: int
) -> Generator[Done[Task, Result], None, None]:
    """Yield every task with its result. When a process dies, its pool breaks with all that runs in it: these tasks are
    done again one at a time, which shows which of them kills its process. That one is given up."""
    while suspects := (yield from _in_one_pool(function, source, jobs)):
        while suspects:
            unfinished = yield from _in_one_pool(function, lambda: suspects.pop() if suspects else None, 1)
            yield from (Done[Task, Result](task) for task in unfinished)


def _in_one_pool(
    function: Callable[[Task], Result], source: Source[Task], jobs: int
) -> Generator[Done[Task, Result], None, list[Task]]:
    """Do the tasks of a source in one pool; returns what was running when the pool broke."""
    running: dict[Future[Result], Task] = {}
    refused: list[Task] = []
    context = multiprocessing.get_context("spawn")
    first = source()
    if first is None:
        return []
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_end_with_parent)
    with pool:
        try:
            task: Task | None = first
            while task is not None or running:
                while task is not None:
                    # With a broken pool `submit` fails.
                    refused = [task]
                    running[pool.submit(function, task)] = task
                    refused = []
                    task = source() if len(running) < jobs else None
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    yield Done(running.pop(future), result)
                task = source()
        except BrokenProcessPool:
            unfinished = refused
            for future, task in running.items():
                if future.done() and future.exception() is None:
                    yield Done(task, future.result())
                else:
                    unfinished.append(task)
            return unfinished
        except BaseException:
            for process in list((pool._processes or {}).values()):
                process.terminate()
            raise
    return []


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if that was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait_for([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
