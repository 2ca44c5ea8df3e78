"""The tiles and every place they can take on a board: tables for the rules, names for the notation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from snakeden.core.hexgrid import DIRECTIONS, HexBoard, hex_board

BASIC = ("1", "2", "3S", "3L", "4SS", "4SL", "4LR", "4LL")
FIVES = ("5SSS", "5SSL", "5SLS", "5SLL", "5SLR", "5LSL", "5LSR", "5LLL", "5LLR", "5LRL")
TILES = BASIC + FIVES
"""Every tile by its code: the number of hexes, then straight, left or right at each inner hex."""

_TURN = {"S": 0, "L": 1, "R": -1}
_LETTERS = "SL???R"
"""A letter for a turn by this many times 60° to the left; no tile has the others."""
MIRROR = str.maketrans("LR", "RL")
"""A code's letters, mirrored."""

Path = tuple[int, ...]


@dataclass(frozen=True)
class Placement:
    """A tile lying on a board: its cells along the chain, from the end that comes first in cell order."""

    tile: int
    shape: int
    """Which of all tiles' shapes this is: a tile turned and mirrored one way. Counted from the first tile's."""
    path: Path
    headings: tuple[int, int]
    """The direction of the first step from either end; (-1, -1) for a single hex."""


def eye_cells(side: int) -> frozenset[int]:
    """The two holes of a 5G board of this side."""
    board = hex_board(side)
    return frozenset(board.rank[cell] for cell in ((-3, 2), (1, 2))) if side >= 5 else frozenset()


def headings_along(side: int, path: Path) -> list[int]:
    """The direction of each step along a path; -1 where two cells do not touch."""
    cells = [hex_board(side).cells[cell] for cell in path]
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(cells)]
    return [DIRECTIONS.index(step) if step in DIRECTIONS else -1 for step in steps]


def turns_along(headings: Sequence[int]) -> str:
    """The turns between steps as a tile's code has them; a question mark for one that no tile makes."""
    return "".join(_LETTERS[(after - before) % 6] for before, after in pairwise(headings))


def _chain(board: HexBoard, start: int, heading: int, turns: str) -> tuple[Path, int] | None:
    """The cells from `start` on, and the heading of the last step; None where the board ends."""
    path = [start]
    for turn in "S" + turns:
        heading = (heading + _TURN[turn]) % 6
        x, y = board.cells[path[-1]]
        dx, dy = DIRECTIONS[heading]
        if (x + dx, y + dy) not in board.rank:
            return None
        path.append(board.rank[x + dx, y + dy])
    return tuple(path), heading


def _steps(board: HexBoard, path: Path) -> tuple[tuple[int, int], ...]:
    """Where a path's cells lie, seen from its first: the same for all places of a shape."""
    x, y = board.cells[path[0]]
    return tuple((board.cells[cell][0] - x, board.cells[cell][1] - y) for cell in path)


@lru_cache(maxsize=4)  # there are as many as orders of snakes, and each is megabytes
def placements(side: int, tiles: tuple[str, ...], holes: frozenset[int]) -> tuple[Placement, ...]:
    """Every place of every tile, by tile, then by the way it is turned, then by path."""
    board = hex_board(side)
    found = []
    shapes = 0
    for tile, code in enumerate(tiles):
        ways: dict[Path, tuple[int, int]] = {}
        if code == "1":
            ways = {(cell,): (-1, -1) for cell in range(len(board.cells))}
        else:
            for start in range(len(board.cells)):
                for heading in range(6):
                    for turns in {code[1:], code[1:].translate(MIRROR)}:
                        chain = _chain(board, start, heading, turns)
                        if chain is not None:
                            path, last = chain
                            back = (last + 3) % 6
                            if path[0] < path[-1]:
                                ways[path] = (heading, back)
                            else:
                                ways[path[::-1]] = (back, heading)
        turned = defaultdict(list)
        for path in ways:
            if not holes.intersection(path):
                turned[_steps(board, path)].append(path)
        for steps in sorted(turned):
            found += [Placement(tile, shapes, path, ways[path]) for path in sorted(turned[steps])]
            shapes += 1
    return tuple(found)


@cache
def shape_of(turns: str, hexes: int) -> int | None:
    """The number in TILES of the tile with these turns, whichever way it is read or mirrored."""
    backwards = turns[::-1].translate(MIRROR)
    ways = {way for one in (turns, backwards) for way in (one, one.translate(MIRROR))}
    return next((i for i, code in enumerate(TILES) if int(code[0]) == hexes and code[1:] in ways), None)
