"""A task that was done, or that nobody survived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

Source = Callable[[], Task | None]
"""Gives the next task; None if there is none now."""

DIED = "the process that worked on it died"


@dataclass(frozen=True)
class Done(Generic[Task, Result]):
    """A task and what came out."""

    task: Task
    result: Result | None = None
    """None if every worker that tried it died."""

    @property
    def died(self) -> bool:
        return self.result is None
