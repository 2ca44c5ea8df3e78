"""Registers the environments with Gymnasium whenever a program imports it, so that nobody has to import ours.

Gymnasium looks for no plugins since version 1.0. So the package brings `snakeden_gymnasium.pth`, a line that Python
runs when it starts. The line adds a finder to `sys.meta_path`, which asks `find_spec` below for Gymnasium and has
nothing to say about other modules. Names and strings are registered; the games are loaded by `gymnasium.make`.

With the environment variable `SNAKEDEN_GYMNASIUM=off` only `import snakeden.adapters.gymnasium` registers them.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from snakeden.core.registry import game_ids

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_searching = False
"""Whether other finders are being asked for Gymnasium: one of them may in turn ask all finders."""


def register() -> None:
    """Register `snakeden/<game>-v0` for every game that is not registered yet."""
    import gymnasium

    for game in game_ids():
        if f"snakeden/{game}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"snakeden/{game}-v0",
                "snakeden.adapters.gymnasium:GameEnv",
                kwargs={"game": game},
                vector_entry_point="snakeden.adapters.gymnasium_vector:GameVectorEnv",
            )


def find_spec(path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
    """Gymnasium as the other finders find it; once it is loaded, the environments are registered."""
    global _searching
    if _searching or os.environ.get("SNAKEDEN_GYMNASIUM", "").lower() in ("off", "0", "no"):
        return None
    _searching = True
    try:
        spec = _found_by_others(path, target)
    finally:
        _searching = False
    if spec is not None and spec.loader is not None:
        _register_after(spec.loader)
    return spec


def _found_by_others(path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    for finder in tuple(sys.meta_path):
        if hasattr(finder, "find_spec"):  # finders of the kind that Python 3.11 still takes have none
            spec = finder.find_spec("gymnasium", path, target)
            if spec is not None:
                return spec
    return None


def _register_after(loader: Loader) -> None:
    """Let a loader register the environments when it has executed Gymnasium, and be as it was then."""
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        del loader.exec_module  # the class's own remains
        execute(module)
        # Nobody's `import gymnasium` fails because of us; `import snakeden.adapters.gymnasium` says what is wrong.
        with suppress(Exception):
            register()

    loader.exec_module = exec_module  # type: ignore[method-assign]
