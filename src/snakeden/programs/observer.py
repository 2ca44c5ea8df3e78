"""Observations by a program's kernels: positions are packed first, one a thread, and then written out as numbers.

Packed, an observation is small, so what costs time is to write the numbers. On a GPU the 32 threads of a warp write
fields side by side, as its memory wants it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.core.learning import observation
from snakeden.core.planes import unpack, words


def observe_plainly(
    variant: Variant, state: NDArray[Any], seat: int, study: ModuleType | None = None
) -> NDArray[np.float32]:
    """[planes, rows, columns] what an Observer writes of one position, by the same kernel as plain Python."""
    tables, seen = variant.tables, observation(variant.game)
    rows, columns = seen.grid(tables)
    constant = int(seen.constant_planes(tables)) if study is None else 0
    marked = len((study or seen).planes(tables)) - constant
    bits, values = np.zeros((marked, words(rows * columns)), np.uint32), np.zeros(constant, np.float32)
    # In plain Python numbers that are cut off to their size are warned of.
    with np.errstate(over="ignore"):
        (study or seen).observe(tables, state, seat, bits, values)
    return unpack(bits, values, (rows, columns))


class Observer:
    """Looks at up to `n` positions of a variant; by its features, if `study` is their module."""

    def __init__(self, variant: Variant, program: Any, n: int, study: ModuleType | None = None) -> None:
        tables, seen = variant.tables, observation(variant.game)
        rows, columns = seen.grid(tables)
        constant = int(seen.constant_planes(tables)) if study is None else 0
        self.shape = (len((study or seen).planes(tables)), rows, columns)
        """(planes, rows, columns) of an observation."""
        self.bits = program.array((n, self.shape[0] - constant, words(rows * columns)), np.uint32)
        """[n, marked planes, words] see `core.planes`."""
        self.values = program.array((n, constant), np.float32)
        """[n, constant planes]"""
        self._pack = program.pack_games if study is None else program.pack_features
        self._unpack = {
            np.dtype(np.float32): program.unpack_floats,
            np.dtype(np.uint8): program.unpack_bytes,
        }
        self._lanes = int(program.lanes)

    def pack(self, states: Any, seats: Any, begin: int, end: int) -> None:
        """Write `bits` and `values` of positions [n, words] as these seats int8[n] see them."""
        self._pack(states, seats, self.bits, self.values, begin, end)

    def write(self, states: Any, seats: Any, out: Any, begin: int, end: int) -> None:
        """Write observations to out[begin:end], which is contiguous: [n, planes, rows, columns] of float32, or of
        uint8 with 255 for 1."""
        self.pack(states, seats, begin, end)
        self._unpack[out.dtype](self.bits, *self._written(out, begin, end))

    def prepared(self, states: Any, seats: Any, out: Any) -> Callable[[], None]:
        """`write` for arrays that stay where they are, all `n` at once."""
        pack = self._pack.prepared(states, seats, self.bits, self.values, 0, len(states))
        unpack = self._unpack[out.dtype].prepared(self.bits, *self._written(out, 0, len(states)))

        def look() -> None:
            pack()
            unpack()

        return look

    def _written(self, out: Any, begin: int, end: int) -> tuple[Any, ...]:
        """What `unpack_floats` takes after the bits."""
        planes, rows, columns = self.shape
        each = planes * self._lanes
        flat = out.reshape(len(out), planes, rows * columns)
        return self.values, flat, self._lanes, begin * each, end * each
