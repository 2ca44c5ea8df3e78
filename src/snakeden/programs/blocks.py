"""A game's tables as one block of memory with known offsets, the same on every target.

A block is a NumPy record. Its numbers are 64 bits wide, its arrays are as large as any variant of the program needs,
so that one program serves them all. What a variant does not use of an array is zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Capacity = Mapping[str, tuple[int, ...]]
"""Per array of the tables the largest shape that a variant of the program has."""


def block_type(tables: Any, capacity: Capacity) -> Any:
    """The layout of these tables' block."""
    fields: list[tuple[str, Any, tuple[int, ...]]] = []
    for name, value in zip(tables._fields, tables, strict=True):
        if isinstance(value, np.ndarray):
            shape = capacity.get(name, value.shape)
            if any(given > most for given, most in zip(value.shape, shape, strict=True)):
                raise AssertionError(f"{name} has shape {value.shape}, but its capacity is {shape}")
            fields.append((name, value.dtype, shape))
        elif isinstance(value, tuple):
            fields.append((name, np.uint64, (len(value),)))
        else:
            fields.append((name, np.uint64 if isinstance(value, np.uint64) else np.int64, ()))
    # The largest alignment first would save a few bytes; the tables' own order is easier to read in a dump.
    return np.dtype((np.record, np.dtype(fields, align=True)))


def packed(tables: Any, capacity: Capacity) -> Any:
    """The tables as a block."""
    block: Any = np.zeros((), block_type(tables, capacity))[()]
    for name, value in zip(tables._fields, tables, strict=True):
        if isinstance(value, np.ndarray):
            block[name][tuple(slice(size) for size in value.shape)] = value
        else:
            block[name] = value
    return block
