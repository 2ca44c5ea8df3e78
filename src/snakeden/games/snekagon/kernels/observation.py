"""Snekagon and 5G as numbers: planes over the cells, and the legal moves as a mask.

A plane's rows are the board's rows a, b, …; its columns are x + side - 1 with the axial x of `core.hexgrid`,
so that the six neighbours of a field are always the same six steps away. Fields outside the board are 0.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, down, load, meet, size, up, write_flags
from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import Limits, viewed
from snakeden.core.planes import mark_row
from snakeden.games.snekagon.kernels.layout import (
    DONE,
    FIRST,
    FIRST_SHAPE,
    HEXES,
    OVER_WORD,
    Tables,
    board,
    cells_at,
    hand,
    links_at,
    number,
    room_of,
)
from snakeden.games.snekagon.kernels.legality import drills, fitting, next_linked
from snakeden.games.snekagon.kernels.rules import give_up
from snakeden.games.snekagon.kernels.sight import sight
from snakeden.games.snekagon.tiles import TILES


def planes(t: Tables) -> tuple[str, ...]:
    """What each plane means."""
    who = viewed(t.seats)
    floors = [f" on floor {floor + 1}" for floor in range(t.floors)] if t.floors > 1 else [""]
    tiles = TILES[: t.tile_count]
    return (
        "fields that tiles may cover",
        *(f"cells of {seat}{floor}" for floor in floors for seat in who),
        *(f"drilled through to the next floor{floor}" for floor in floors if t.floors > 1),
        *(f"everywhere 1: tile {tile} is left for {seat}" for seat in who for tile in tiles),
        *(f"everywhere 1: {seat} can place nothing more" for seat in who),
    )


def constant_planes(t: Tables) -> int:
    """How many planes have one number everywhere."""
    return t.seats * (t.tile_count + 1)


def grid(t: Tables) -> tuple[int, int]:
    """Rows and columns of a plane."""
    return 2 * t.side - 1, 2 * t.side - 1


def limits(t: Tables) -> Limits:
    """Every tile is placed once at most, and no snake is longer than a seat's tiles."""
    hexes = [
        sum(int(t.tiles[tile, HEXES]) for tile in range(t.tile_count) if int(supply) >> tile & 1)
        for supply in t.supplies
    ]
    return Limits(sum(int(supply).bit_count() for supply in t.supplies), 0, 0, max(hexes))


@inline
def mark_set(t, cells, bits, plane):
    """Mark the cells of a set."""
    rows = 2 * t.side - 1
    # Moved so that a row's first field is bit 0 of its part; off the board nothing is left.
    left = up(meet(cells, board(t)), np.uint64(t.side - 1))
    for row in range(rows):
        mark_row(bits, plane, row * rows, left[0] & ((ONE << np.uint64(rows)) - ONE))
        left = down(left, np.uint64(t.stride))


@kernel
def observe(t, s, seat, bits, values):
    """Write the position as the seat sees it."""
    # The first shape is the single hex, whose anchors are the cells that it may cover.
    mark_set(t, room_of(t, 0), bits, 0)
    plane = 1
    for floor in range(t.floors):
        for ahead in range(t.seats):
            mark_set(t, load(board(t), s, cells_at(t, floor, (seat + ahead) % t.seats)), bits, plane)
            plane += 1
    if t.floors > 1:
        for floor in range(t.floors):
            mark_set(t, load(board(t), s, links_at(t, floor)), bits, plane)
            plane += 1
    value = 0
    for ahead in range(t.seats):
        supply = s[1 + (seat + ahead) % t.seats]
        for tile in range(t.tile_count):
            values[value] = np.float32((supply >> np.uint64(tile)) & ONE)
            value += 1
    for ahead in range(t.seats):
        values[value] = np.float32(s[1 + (seat + ahead) % t.seats] & DONE != ZERO)
        value += 1


@inline
def mask_floor(t, s, seat, floor, tiles, out):
    """Write the flags of a floor's actions; how many are legal."""
    v = sight(t, s, seat, floor)
    base = number(t, floor, 0, 0)
    found = 0
    for tile in range(t.tile_count):
        first, last = base + np.int64(t.tiles[tile, FIRST]), base + np.int64(t.tiles[tile + 1, FIRST])
        if (tiles >> np.uint64(tile)) & ONE == ZERO:
            out[first:last] = 0
            continue
        for shape in range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE]):
            anchors = fitting(t, v, tile, shape)
            found += size(anchors)
            first = write_flags(anchors, room_of(t, shape), t.anchors, first - base, out, first)
    if t.floors > 1:
        out[base + t.placements : number(t, floor + 1, 0, 0)] = 0
        fields, later = drills(t, s, seat, floor, 0, v.taken), drills(t, s, seat, floor, 1, v.taken)
        way, fields, at, entry, move = next_linked(t, s, seat, floor, v, later, 0, fields, 0, 0)
        while move >= 0:
            out[move] = 1
            found += 1
            way, fields, at, entry, move = next_linked(t, s, seat, floor, v, later, way, fields, at, entry)
    return found


@kernel
def mask(t, s, out):
    """Settle and flag every action; how many are legal."""
    while s[0] != OVER_WORD:
        seat = np.int64(s[0])
        tiles = hand(t, s, seat)
        found = 0
        for floor in range(t.floors):
            found += mask_floor(t, s, seat, floor, tiles, out)
        if found > 0:
            return found
        give_up(t, s)
    return 0
