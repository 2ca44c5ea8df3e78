"""Work in processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

from snakeden.workers.done import Done

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_in_processes(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[Done[Task, Result], None, None]:
    """Yield every task with its result. When a process dies, its pool breaks with all that runs in it: these tasks are
    done again one at a time, which shows which of them kills its process. That one is given up."""
    waiting = list(reversed(tasks))
    suspects: list[Task] = []
    while waiting or suspects:
        alone = bool(suspects)
        source = suspects if alone else waiting
        unfinished = yield from _in_one_pool(function, source, 1 if alone else jobs)
        if alone:
            yield from (Done[Task, Result](task) for task in unfinished)
        else:
            suspects = unfinished


def _in_one_pool(
    function: Callable[[Task], Result], waiting: list[Task], jobs: int
) -> Generator[Done[Task, Result], None, list[Task]]:
    """Work off the list from its end in one pool; returns what was running when the pool broke."""
    running: dict[Future[Result], Task] = {}
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(waiting)), mp_context=context, initializer=_end_with_parent)
    with pool:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    # Taken off the list only when it is on its way: with a broken pool `submit` fails.
                    running[pool.submit(function, waiting[-1])] = waiting[-1]
                    waiting.pop()
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    yield Done(running.pop(future), result)
        except BrokenProcessPool:
            unfinished = []
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
