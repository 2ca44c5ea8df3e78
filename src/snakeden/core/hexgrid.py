"""Hexagonal boards: cells, their names, neighbours and places on screen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt

Axial = tuple[int, int]

DIRECTIONS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six steps in counter-clockwise order; direction d + 3 (mod 6) is the way back."""


@dataclass(frozen=True)
class HexBoard:
    """A hexagon of hexagons with `side` cells a side. A cell's index is its rank by row, then place."""

    side: int
    cells: tuple[Axial, ...]
    names: tuple[str, ...]
    rank: dict[Axial, int]
    by_name: dict[str, int]

    def centre(self, index: int) -> tuple[float, float]:
        """Where the cell's centre is on screen, y upwards, neighbours one apart."""
        x, y = self.cells[index]
        return x + y / 2, y * sqrt(3) / 2


@cache
def hex_board(side: int) -> HexBoard:
    """The board with this many cells a side."""
    cells, names = [], []
    for y in range(-side + 1, side):
        first = max(-side + 1, -side + 1 - y)
        for x in range(first, min(side, side - y)):
            cells.append((x, y))
            names.append(f"{chr(ord('a') + y + side - 1)}{x - first + 1}")
    rank = {cell: i for i, cell in enumerate(cells)}
    return HexBoard(side, tuple(cells), tuple(names), rank, {name: i for i, name in enumerate(names)})


@cache
def neighbours(side: int, cell: int) -> tuple[int, ...]:
    """The cells next to this one."""
    board = hex_board(side)
    x, y = board.cells[cell]
    return tuple(board.rank[x + dx, y + dy] for dx, dy in DIRECTIONS if (x + dx, y + dy) in board.rank)


@cache
def hex_symmetries(side: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The twelve ways to lay the board onto itself: a name, and where each cell goes. The first is no
    change."""
    board = hex_board(side)
    found = []
    for mirrored in (False, True):
        images = [(y, x) if mirrored else (x, y) for x, y in board.cells]
        for turns in range(6):
            name = f"turned by {60 * turns}°" if turns else "as it is"
            if mirrored:
                name = f"mirrored and turned by {60 * turns}°" if turns else "mirrored"
            found.append((name, tuple(board.rank[image] for image in images)))
            images = [(-y, x + y) for x, y in images]
    return tuple(found)
