"""Running what needs an event loop of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def in_own_thread(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What the function returns. A browser, once started, leaves its loop running in the thread of the tests, and a
    thread has one loop only."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work, *arguments, **named).result()
