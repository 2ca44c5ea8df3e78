"""Kernels made for one game, put together so that Numba keeps what it compiles of them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def linked(name: str, *parts: ModuleType | None, **functions: Any) -> ModuleType:
    """A module that holds these functions, made for these parts of a game, for a kernel to close over.

    Numba tells closures apart by pickling what they close over. A compiled function has another pickle in each
    process, so a kernel that closed over one would never be found on disk again; a module goes by its name.
    """
    made_for = ", ".join(part.__name__ if part is not None else "none" for part in parts)
    module = ModuleType(f"{__name__}.{name}({made_for})")
    vars(module).update(functions)
    sys.modules[module.__name__] = module
    return module
