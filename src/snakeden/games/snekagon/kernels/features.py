"""What a network sees of Snekagon beyond the observation: where each seat's tiles may lie and how long its snakes are,
floor by floor.

Which cells a snake blocks and how long it is depends on how it goes on far away, so a few layers of a network do not
see it.
"""

from __future__ import annotations

from snakeden.core.bitset import ZERO, common, load, lowest, single, without
from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import viewed
from snakeden.games.snekagon.kernels.certain import reach
from snakeden.games.snekagon.kernels.layout import Tables, board, cells_at
from snakeden.games.snekagon.kernels.observation import mark_set
from snakeden.games.snekagon.kernels.scoring import longest, walk
from snakeden.games.snekagon.kernels.sight import sight

_SIGHT_PLANES = 4
_LENGTHS = (6, 10, 15)
"""The cells of snakes that are at least so long have a plane, on up to two floors. With more floors there would be more
of these planes than of all others."""


def planes(t: Tables) -> tuple[str, ...]:
    """What each plane means."""
    floors = [f" on floor {floor + 1}" for floor in range(t.floors)] if t.floors > 1 else [""]
    lengths = [f"cells of snakes of {length} cells or more" for length in _LENGTHS if t.floors <= 2]
    return tuple(
        f"{what}{floor}: {seat}"
        for kinds in (
            (
                "cells where no tile of several hexes may lie",
                "cells where no single hex may lie",
                "cells next to the snakes",
                "cells inside the snakes",
            ),
            ("cells of the longest snakes", *lengths),
        )
        for floor in floors
        for seat in viewed(t.seats)
        for what in kinds
    )


@inline
def snake_length(t, s, seat, floor, bit):
    """The length of the snake that a cell belongs to."""
    length, last_floor, last = walk(t, s, seat, floor, bit)
    if last >= 0:
        # From a cell in its middle that was a part of it.
        length, last_floor, last = walk(t, s, seat, last_floor, last)
    return length


@kernel
def observe(t, s, seat, bits, values):
    """Write the planes as the seat sees them."""
    plane = 0
    for floor in range(t.floors):
        for ahead in range(t.seats):
            v = sight(t, s, (seat + ahead) % t.seats, floor)
            mark_set(t, v.blocked, bits, plane)
            mark_set(t, v.blocked_single, bits, plane + 1)
            mark_set(t, v.near_own, bits, plane + 2)
            mark_set(t, v.full, bits, plane + 3)
            plane += _SIGHT_PLANES
    for floor in range(t.floors):
        for ahead in range(t.seats):
            mark_lengths(t, s, (seat + ahead) % t.seats, floor, bits, plane)
            plane += 1 + len(_LENGTHS) if t.floors <= 2 else 1


@kernel
def mark_lengths(t, s, seat, floor, bits, plane):
    """Mark the cells of a seat's longest snakes on a floor, and where there are planes for them those of long ones."""
    rest, most = load(board(t), s, cells_at(t, floor, seat)), longest(t, s, seat)
    while common(rest, rest) != ZERO:
        bit = lowest(rest)
        part = reach(t, single(board(t), bit), rest)
        rest = without(rest, part)
        length = snake_length(t, s, seat, floor, bit)
        if length == most:
            mark_set(t, part, bits, plane)
        if t.floors <= 2:
            for k in range(len(_LENGTHS)):
                if length >= _LENGTHS[k]:
                    mark_set(t, part, bits, plane + 1 + k)
