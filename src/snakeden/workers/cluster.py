"""Work on a Ray cluster, or on a Ray runtime that is started here.

Ray itself does a task again whose process or machine died. The machines need the same version of Snakeden.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from functools import partial
from typing import Any, TypeVar

import ray
from ray.exceptions import GetTimeoutError, NodeDiedError, RayError, RayTaskError, WorkerCrashedError

from snakeden.workers.done import Done, Source

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRIES_AGAIN = 3
"""How often a task is done again whose worker died. One that always kills its worker is given up then."""
_AHEAD = 2
"""Tasks for every core that are on their way: while one is worked on, the next is there already."""


def run_on_ray(
    function: Callable[[Task], Result], source: Source[Task], on: str, jobs: int | None
) -> Generator[Done[Task, Result], None, None]:
    """Yield every task with its result."""
    started = not ray.is_initialized()
    if started:
        _connect(on, jobs)
    try:
        _check_versions()
        yield from _run(function, source, jobs)
    finally:
        if started:
            ray.shutdown()


def _connect(on: str, jobs: int | None) -> None:
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    try:
        if on != "ray":
            ray.init(on, **quiet)
        elif "RAY_ADDRESS" in os.environ:
            ray.init("auto", **quiet)
        else:
            ray.init(num_cpus=jobs, include_dashboard=False, **quiet)
    except (ConnectionError, RayError, RuntimeError) as error:
        raise ValueError(f"--on {on}: there is no Ray cluster to be reached ({error})") from None


def _version() -> str:
    from importlib.metadata import version

    return version("snakeden")


def _check_versions() -> None:
    """Raises ValueError where the cluster would play with another version than this process has."""
    try:
        there = ray.get(ray.remote(_version).remote(), timeout=120)
    except GetTimeoutError:
        raise ValueError("the Ray cluster has no free core: nothing was done for two minutes") from None
    except RayTaskError as error:
        raise ValueError(f"Snakeden is not installed on the Ray cluster: {error.cause}") from None
    if there != _version():
        raise ValueError(
            f"the Ray cluster has Snakeden {there}, and this process {_version()}: install the same"
        )


def _plain(function: Callable[[Task], Result]) -> Callable[[Task], Result]:
    """Ray takes functions only, and nothing that can be called like one."""
    if not isinstance(function, partial):
        return function

    def call(task: Task) -> Result:
        result: Result = function(task)
        return result

    # Ray's own tools show the work under this name.
    call.__name__ = function.func.__name__
    return call


def _run(
    function: Callable[[Task], Result], source: Source[Task], jobs: int | None
) -> Generator[Done[Task, Result], None, None]:
    work = ray.remote(max_retries=_TRIES_AGAIN, num_cpus=1)(_plain(function))
    running: dict[Any, Task] = {}
    try:
        while True:
            # Machines may come and go while this runs.
            room = jobs or _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(running) < room and (task := source()) is not None:
                running[work.remote(task)] = task
            if not running:
                return
            ready, _ = ray.wait(list(running), num_returns=1)
            for reference in ready:
                done = running.pop(reference)
                try:
                    yield Done(done, ray.get(reference))
                except (WorkerCrashedError, NodeDiedError):
                    yield Done(done)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
