"""Why a move is not legal: the first rule it breaks."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, common, has, lowest, meet
from snakeden.core.kernel import inline, kernel
from snakeden.games.snekagon.kernels.layout import (
    CELL,
    END,
    HEADING,
    HEXES,
    TILE,
    adjacent,
    cells_of,
    floor_by,
    gap_of,
    hand,
    inner_of,
    split,
)
from snakeden.games.snekagon.kernels.sight import (
    far_heading,
    keeps_heading,
    open_ends,
    sight,
    step_bit,
    way_to_own,
)

# Why a placement is not legal: the first number that `fault` returns; the others are cells or a tile.
TILE_USED, NOT_SINGLE, OCCUPIED, TOUCHES_ONLY_OTHERS = 1, 2, 3, 4
FROM_THE_SIDE, TILE_INSIDE, BRANCHES, SHARP_TURN = 5, 6, 7, 8
NO_SUCH_LINK, NO_OPEN_END, LINK_BRANCHES, HEADING_LOST = 9, 10, 11, 12


@inline
def touching(t, bit, among):
    """The index of a cell of the set next to this bit."""
    way = way_to_own(t, among, bit)
    return np.int64(t.fields[step_bit(t, bit, way), CELL]) if way >= 0 else np.int64(-1)


@kernel
def fault(t, s, move):
    """(0, 0, 0) if the move is legal, else the first rule it breaks and the cells (or the tile) it is about."""
    floor, link, place = split(t, move)
    seat = np.int64(s[0])
    tile, cells, inner = t.places[place, TILE], cells_of(t, place), inner_of(t, place)
    hexes = t.tiles[tile, HEXES]
    if (s[1 + seat] >> np.uint64(tile)) & ONE == ZERO:
        return TILE_USED, np.int64(tile), 0
    if (hand(t, s, seat) >> np.uint64(tile)) & ONE == ZERO:
        return NOT_SINGLE, 0, 0
    v = sight(t, s, seat, floor)
    clash = meet(cells, v.taken)
    if common(clash, clash) != ZERO:
        return OCCUPIED, np.int64(t.fields[lowest(clash), CELL]), 0
    end, leaves = 0, -1
    if link > 0:
        way, end = (link - 1) & 1, (link - 1) >> 1
        bit = np.int64(t.places[place, END + end])
        if not adjacent(t, floor, way) or (hexes == 1 and end == 1):
            return NO_SUCH_LINK, 0, 0
        source = floor_by(t, floor, way)
        if not has(open_ends(t, s, seat, source), bit):
            return NO_OPEN_END, np.int64(t.fields[bit, CELL]), source
        if t.advanced:
            leaves = far_heading(t, s, seat, source, bit)
    clash = meet(cells, v.beside)
    if common(clash, clash) != ZERO:
        bit = lowest(clash)
        return FROM_THE_SIDE, touching(t, bit, v.full), np.int64(t.fields[bit, CELL])
    if hexes > 2:
        clash = meet(inner, v.near_own)
        if common(clash, clash) != ZERO:
            bit = lowest(clash)
            return TILE_INSIDE, np.int64(t.fields[bit, CELL]), touching(t, bit, v.own)
    if hexes == 2:
        clash = meet(inner, v.own)
        if common(clash, clash) != ZERO:
            return SHARP_TURN, np.int64(t.fields[lowest(clash), CELL]), 0
    if hexes > 1 or link > 0:
        clash = meet(cells, v.near_two)
        if common(clash, clash) != ZERO:
            return BRANCHES, np.int64(t.fields[lowest(clash), CELL]), 0
    elif common(cells, v.sharp) != ZERO:
        bit = lowest(cells)
        return SHARP_TURN, touching(t, bit, v.own), np.int64(t.fields[bit, CELL])
    clash = meet(gap_of(t, place), v.ended)
    if common(clash, clash) != ZERO:
        return BRANCHES, np.int64(t.fields[lowest(clash), CELL]), 0
    clash = meet(cells, v.astray)
    if common(clash, clash) != ZERO:
        return HEADING_LOST, np.int64(t.fields[lowest(clash), CELL]), 0
    if link > 0:
        bit = np.int64(t.places[place, END + end])
        if hexes > 1 and has(v.near_own, bit):
            return LINK_BRANCHES, np.int64(t.fields[bit, CELL]), touching(t, bit, v.own)
        goes = way_to_own(t, v.own, bit) if hexes == 1 else np.int64(t.places[place, HEADING + end])
        if not keeps_heading(leaves, goes):
            return HEADING_LOST, np.int64(t.fields[bit, CELL]), 0
        return 0, 0, 0
    if common(cells, v.near_own) == ZERO:
        clash = meet(cells, v.near_taken)
        if common(clash, clash) != ZERO:
            bit = lowest(clash)
            return TOUCHES_ONLY_OTHERS, np.int64(t.fields[bit, CELL]), touching(t, bit, v.taken)
    return 0, 0, 0
