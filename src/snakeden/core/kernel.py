"""Marks for kernels: functions in the part of Python that Numba compiles.

A kernel stays a plain Python function. What it becomes on a machine is decided by `snakeden.programs`, which links
kernels into a program for a CPU, a GPU or WebAssembly. Called from Python a kernel is its own plain meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any


class Inlining(Enum):
    """Whether a kernel is copied to where it is called."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def kernel(function: Callable[..., Any]) -> Any:
    """Marks a kernel. The compiler decides where it is inlined."""
    return _mark(function, Inlining.AUTO)


def inline(function: Callable[..., Any]) -> Any:
    """Marks a kernel that is always inlined: a short one in a hot loop."""
    return _mark(function, Inlining.ALWAYS)


def noinline(function: Callable[..., Any]) -> Any:
    """Marks a kernel that is never inlined: a long one that is called from several places."""
    return _mark(function, Inlining.NEVER)


def unrolled(numbers: Iterable[int]) -> Iterable[int]:
    """Marks a loop over numbers that a variant's tables fix. Where they stand in the code, as in a GPU's program, the
    passes are written out one after the other."""
    return numbers


def _mark(function: Callable[..., Any], inlining: Inlining) -> Any:
    function.inlining = inlining  # type: ignore[attr-defined]
    return function


def inlining(function: object) -> Inlining | None:
    """How the function is to be inlined; None if it is no kernel."""
    return getattr(function, "inlining", None)
