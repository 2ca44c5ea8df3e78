"""The part of a wide grid where something lies. A network of convolutions reads it like the whole grid, and faster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Window:
    """A window of one size into n grids, elsewhere in each."""

    top: NDArray[np.int64]
    left: NDArray[np.int64]
    """[n] its first row and column."""
    height: int
    width: int

    def fields(self, row: int) -> tuple[slice, slice]:
        """The rows and columns of grid number `row` that it shows."""
        top, left = self.top[row], self.left[row]
        return slice(top, top + self.height), slice(left, left + self.width)

    def cut(self, planes: NDArray[Any]) -> NDArray[Any]:
        """[n or 1, planes, height, width] what is inside, of planes [n or 1, planes, rows, columns]."""
        return np.array([planes[row, :, *self.fields(row)] for row in range(len(planes))])


def whole(n: int, rows: int, columns: int) -> Window:
    """A window that shows all of n grids."""
    nowhere = np.zeros(n, np.int64)
    return Window(nowhere, nowhere, rows, columns)


def window_around(busy: NDArray[np.bool_], margin: int) -> Window:
    """The smallest window that shows all busy fields of each of the grids busy [n, rows, columns], with a margin
    around them where the grid goes on."""
    top, height = _span(np.asarray(busy.any(2)), margin)
    left, width = _span(np.asarray(busy.any(1)), margin)
    return Window(top, left, height, width)


def _span(busy: NDArray[np.bool_], margin: int) -> tuple[NDArray[np.int64], int]:
    """([n] where to begin, how long): the shortest stretch that holds what is busy in each of busy [n, fields]."""
    fields = busy.shape[1]
    some = busy.any(1)
    first = np.where(some, busy.argmax(1), fields // 2)
    last = np.where(some, fields - 1 - busy[:, ::-1].argmax(1), fields // 2)
    length = min(fields, int((last - first).max()) + 1 + 2 * margin)
    begin = (first + last + 1 - length) // 2
    return np.clip(begin, 0, fields - length), length
