"""A game's kernels, compiled for a machine: its program.

`program(variant)` gives the quickest that is there: the one compiled for this processor, or else the ready-made
WebAssembly while a process in the background compiles. `program(variant, "cpu")` waits for the compiler, if it must.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Protocol
from weakref import WeakKeyDictionary, ref

from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.programs.contents import Part

Target = Literal["auto", "cpu", "wasm", "browser"]
TARGET_VARIABLE = "SNAKEDEN_TARGET"
"""Names the target where none is asked for: `auto`, `cpu`, `wasm`, or `browser` where Python itself runs in one."""
_LOOK_AGAIN = 0.5
"""Seconds after which a program that is still WebAssembly is looked for as a compiled one."""


class Rules(Protocol):
    """What every program offers of a game's rules, with the variant's tables bound. `snakeden.core.game` says
    what each function promises."""

    target: str

    def turn(self, s: NDArray[Any]) -> int: ...
    def legal(self, s: NDArray[Any], out: NDArray[Any]) -> int: ...
    def fault(self, s: NDArray[Any], move: int) -> tuple[int, int, int]: ...
    def apply(self, s: NDArray[Any], move: int) -> None: ...
    def settle(self, s: NDArray[Any]) -> None: ...
    def sample(self, s: NDArray[Any], rng: int) -> tuple[int, int]: ...
    def weight(self, s: NDArray[Any], move: int) -> float: ...
    def scores(self, s: NDArray[Any], out: NDArray[Any]) -> None: ...


class Program(Rules, Protocol):
    """A program: the rules, and whatever else `contents` lists, each as a method."""

    def array(self, shape: tuple[int, ...] | int, dtype: Any) -> NDArray[Any]: ...
    def empty(self, shape: tuple[int, ...] | int, dtype: Any) -> NDArray[Any]: ...
    def __getattr__(self, name: str) -> Any: ...


def program(variant: Variant, target: Target | None = None) -> Program:
    """The variant's program for a target. Programs in WebAssembly have a memory of their own, so each call makes a new
    one; the compiled one is shared."""
    asked = target or os.environ.get(TARGET_VARIABLE) or "auto"
    if asked == "browser":
        from snakeden.programs.browser import BrowserProgram

        return BrowserProgram(variant)
    if asked not in ("auto", "cpu", "wasm"):
        raise ValueError(f"there is no target {asked!r}; the targets are auto, cpu and wasm")
    from snakeden.programs import cpu, wasm

    if asked == "wasm" or (asked == "auto" and not cpu.is_compiled(variant) and wasm.is_available(variant)):
        if not wasm.is_available(variant):
            raise RuntimeError(
                "there is no WebAssembly for this variant: its module is missing or older than the kernels, or the "
                "package wasmtime is not installed. `make wasm` builds the modules."
            )
        if asked == "auto":
            compile_in_background(variant)
        return wasm.WasmProgram(variant)
    return compiled(variant, "play")


def compiled(variant: Variant, part: Part) -> Program:
    """A part of the variant's program for this processor; waits for the compiler, if it must."""
    from snakeden.programs import cpu

    parts = _compiled.setdefault(variant, {})
    if part not in parts:
        parts[part] = cpu.CpuProgram(variant, part)
    return parts[part]


_compiled: WeakKeyDictionary[Variant, dict[Part, Program]] = WeakKeyDictionary()
"""Those that are there, for as long as their variants are."""
_compiling: dict[Path, subprocess.Popen[bytes]] = {}
_starting = Lock()


def compile_in_background(variant: Variant, part: Part = "play") -> subprocess.Popen[bytes] | None:
    """Start a process that compiles a part of the variant's program, unless that is done. It gives way to everything
    else. Many variants have a program in common, which one process compiles."""
    from snakeden.programs import cpu
    from snakeden.programs.specification import specification

    if cpu.is_compiled(variant, part):
        return None
    quiet = subprocess.DEVNULL
    file = cpu.object_file(specification(variant), part)
    with _starting:
        if file not in _compiling:
            _compiling[file] = subprocess.Popen(
                cpu.compile_command(variant, part, gives_way=True),
                env=cpu.compile_environment(),
                stdin=quiet,
                stdout=quiet,
                stderr=quiet,
                start_new_session=True,
            )
        return _compiling[file]


def is_compiled(variant: Variant, part: Part) -> bool:
    """Whether a part of the variant's program is there for this processor."""
    from snakeden.programs import cpu

    return cpu.is_compiled(variant, part)


class Shared:
    """A variant's program for whoever asks for single moves: WebAssembly until the compiled one is there."""

    def __init__(self, variant: Variant) -> None:
        # The variant has this one: with a reference both ways they would stay until garbage is looked for.
        self._variant = ref(variant)
        self._program: Program | None = None
        self._looked = 0.0

    def __call__(self) -> Program:
        found, now = self._program, time.monotonic()
        if found is None or (found.target == "wasm" and now - self._looked > _LOOK_AGAIN):
            self._looked = now
            variant = self._variant()
            if variant is not None and (found is None or self._ready(variant)):
                found = self._program = program(variant)
        assert found is not None, "a program is used whose variant is gone"
        return found

    @staticmethod
    def _ready(variant: Variant) -> bool:
        from snakeden.programs import cpu

        return os.environ.get(TARGET_VARIABLE, "auto") != "wasm" and cpu.is_compiled(variant)
