"""Snekagon and 5G as numbers: planes over the cells, and the legal moves as a mask.

A plane's rows are the board's rows a, b, …; its columns are x + side - 1 with the axial x of `core.hexgrid`,
so that the six neighbours of a field are always the same six steps away. Fields outside the board are 0.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, has, load, size, write_flags
from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import Limits, viewed
from snakeden.games.snekagon.kernels.layout import (
    DONE,
    FIRST,
    FIRST_SHAPE,
    FROM,
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
def write_set(t, cells, out):
    """Write a plane: 1 where the set has a cell."""
    rows, stride = 2 * t.side - 1, np.int64(t.stride)
    for row in range(rows):
        for column in range(rows):
            across = column - (t.side - 1)
            out[row, column] = (
                has(cells, row * stride + across) if abs(across + row - (t.side - 1)) < t.side else 0
            )


@kernel
def observe(t, s, seat, out):
    """Write the position as the seat sees it."""
    rows, stride = 2 * t.side - 1, np.int64(t.stride)
    for row in range(rows):
        for column in range(rows):
            across = column - (t.side - 1)
            out[0, row, column] = 0
            if abs(across + row - (t.side - 1)) < t.side:
                bit = row * stride + across
                # A one-hex tile has a placement there.
                out[0, row, column] = t.fields[bit, FROM + 1] > t.fields[bit, FROM]
    plane = 1
    for floor in range(t.floors):
        for ahead in range(t.seats):
            write_set(t, load(board(t), s, cells_at(t, floor, (seat + ahead) % t.seats)), out[plane])
            plane += 1
    if t.floors > 1:
        for floor in range(t.floors):
            write_set(t, load(board(t), s, links_at(t, floor)), out[plane])
            plane += 1
    for ahead in range(t.seats):
        supply = s[1 + (seat + ahead) % t.seats]
        for tile in range(t.tile_count):
            out[plane] = np.float32((supply >> np.uint64(tile)) & ONE)
            plane += 1
    for ahead in range(t.seats):
        out[plane] = np.float32(s[1 + (seat + ahead) % t.seats] & DONE != ZERO)
        plane += 1


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
