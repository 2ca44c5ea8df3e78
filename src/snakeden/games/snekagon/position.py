"""A position of Snekagon and 5G for the eye: what lies where, and which cells make a snake, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from snakeden.core.hexgrid import DIRECTIONS, hex_board, neighbours
from snakeden.games.snekagon.kernels import layout
from snakeden.games.snekagon.kernels.layout import Tables
from snakeden.games.snekagon.notation import path_of

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.state import State

Place = tuple[int, int]
"""A floor and a cell's index."""


def plain(kernel: Any) -> Any:
    """The Python of a function that is made for kernels: looking is not worth compiling for."""
    return getattr(kernel, "py_func", kernel)


_cells_at, _links_at, _joints_at = map(plain, (layout.cells_at, layout.links_at, layout.joints_at))
_floor_by, _split = map(plain, (layout.floor_by, layout.split))


class Position(NamedTuple):
    """What lies where, read from a state."""

    cells: list[list[set[int]]]
    """[floor][seat] cells"""
    links: list[set[int]]
    """[floor] cells drilled through to the next floor in the circle"""
    joints: set[tuple[int, frozenset[int]]]
    """(floor, two neighbouring cells of one tile)"""


def _members(t: Tables, array: Any, at: int) -> set[int]:
    """The cells of the set that begins at this word."""
    bits = [64 * k + b for k in range(t.width) for b in range(64) if int(array[at + k]) >> b & 1]
    return {int(t.fields[bit, layout.CELL]) for bit in bits}


def position(state: State) -> Position:
    t: Tables = state.variant.tables
    array = state.array()
    floors = range(t.floors)
    board = hex_board(t.side)
    joints = set()
    for floor in floors:
        for axis in range(3):
            for cell in _members(t, array, _joints_at(t, floor, axis)):
                x, y = board.cells[cell]
                dx, dy = DIRECTIONS[axis]
                joints.add((floor, frozenset((cell, board.rank[x + dx, y + dy]))))
    return Position(
        [[_members(t, array, _cells_at(t, floor, seat)) for seat in range(t.seats)] for floor in floors],
        [_members(t, array, _links_at(t, floor)) if t.floors > 1 else set() for floor in floors],
        joints,
    )


def next_to(t: Tables, p: Position, seat: int, place: Place) -> list[Place]:
    """The places linked to this one, on its floor first."""
    floor, cell = place
    found = [(floor, other) for other in neighbours(t.side, cell) if other in p.cells[floor][seat]]
    if t.floors > 1:
        before = (floor - 1) % t.floors
        if cell in p.links[floor] and cell in p.cells[floor][seat]:
            after = (floor + 1) % t.floors
            if cell in p.cells[after][seat]:
                found.append((after, cell))
        if cell in p.links[before] and cell in p.cells[before][seat]:
            found.append((before, cell))
    return found


def snakes(t: Tables, p: Position, seat: int) -> list[tuple[list[Place], bool]]:
    """Every snake of a seat, from tail to head, and whether it is a ring."""
    left = {(floor, cell) for floor in range(t.floors) for cell in p.cells[floor][seat]}
    found = []
    ends = [place for place in sorted(left) if len(next_to(t, p, seat, place)) < 2]
    for start in [*ends, *sorted(left)]:
        if start not in left:
            continue
        chain, at = [], start
        while True:
            chain.append(at)
            left.discard(at)
            onward = [place for place in next_to(t, p, seat, at) if place in left]
            if not onward:
                break
            at = onward[0]
        found.append((chain, len(chain) > 2 and start in next_to(t, p, seat, chain[-1])))
    return found


def moved(t: Tables, move: Move | str | None, state: State) -> list[Place]:
    """The places that a move covers, and the one it comes through a floor from."""
    if move is None:
        return []
    code = state.variant.game.notation.parse(t, state.array(), str(move))
    floor, link, place = (int(n) for n in _split(t, code))
    path = path_of(t, place)
    if link == 0:
        return [(floor, cell) for cell in path]
    path = path[::-1] if link > 2 else path
    source = int(_floor_by(t, floor, (link - 1) % 2))
    return [(source, path[0]), *((floor, cell) for cell in path)]
