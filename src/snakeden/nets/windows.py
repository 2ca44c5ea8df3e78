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

    def cut(self, planes: NDArray[Any]) -> NDArray[Any]:
        """[n or 1, planes, height, width] what is inside, of planes [n or 1, planes, rows, columns]."""
        cut = np.empty((*planes.shape[:2], self.height, self.width), planes.dtype)
        for row, (top, left) in enumerate(zip(self.top[: len(planes)], self.left, strict=False)):
            cut[row] = planes[row, :, top : top + self.height, left : left + self.width]
        return cut

    def put_back(self, planes: NDArray[Any], rows: int, columns: int) -> NDArray[Any]:
        """[n, planes, rows, columns] planes [n, planes, height, width] at their place, zeros around them."""
        whole = np.zeros((*planes.shape[:2], rows, columns), planes.dtype)
        for row, (top, left) in enumerate(zip(self.top, self.left, strict=True)):
            whole[row, :, top : top + self.height, left : left + self.width] = planes[row]
        return whole


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
