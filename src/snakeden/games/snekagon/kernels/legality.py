"""Where a tile may lie, with and without a link: the rule itself, and the passes over all placements."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import (
    ONE,
    ZERO,
    common,
    has,
    lowered,
    lowest,
    meet,
    nth,
    single,
    size,
    union,
    up,
    without,
)
from snakeden.core.kernel import inline, kernel
from snakeden.games.snekagon.kernels.layout import (
    ANCHOR,
    ASIDE,
    END,
    ENDS,
    FIRST_SHAPE,
    FROM,
    HEADING,
    HEXES,
    MIDDLES,
    SHAPE,
    adjacent,
    board,
    cells_of,
    floor_by,
    hand,
    inner_of,
    number,
    room_of,
)
from snakeden.games.snekagon.kernels.sight import far_heading, keeps_heading, open_ends, sight, way_to_own


@inline
def aside(t, shape, k, cells):
    """Anchors of the shape that have a cell of the set at their k-th place aside."""
    behind = np.int64(t.shapes[ASIDE + k, shape])
    return lowered(cells, np.uint64(behind)) if behind >= 0 else up(cells, np.uint64(-behind))


@inline
def fitting(t, v, tile, shape):
    """The anchors where the shape, one of the tile's, is legal without a link: no cell blocked, its inside away
    from own cells, and either touching an own cell or touching nothing. All of them at once: whatever is true
    of a cell behind the anchor is moved to the anchor."""
    hexes = t.tiles[tile, HEXES]
    room = room_of(t, shape)
    if hexes == 1:
        room = without(room, v.blocked_single)
        return union(meet(room, v.near_own), without(room, v.near_taken))
    one, other = t.shapes[ENDS, shape], t.shapes[ENDS + 1, shape]
    bad = union(lowered(v.blocked, one), lowered(v.blocked, other))
    own = union(lowered(v.near_own, one), lowered(v.near_own, other))
    taken = union(lowered(v.near_taken, one), lowered(v.near_taken, other))
    if hexes == 2:
        bad = union(bad, union(aside(t, shape, 0, v.own), aside(t, shape, 1, v.own)))
    else:
        stiff = union(v.blocked, v.near_own)
        one, other = t.shapes[MIDDLES, shape], t.shapes[MIDDLES + 1, shape]
        bad = union(bad, union(lowered(stiff, one), lowered(stiff, other)))
        taken = union(taken, union(lowered(v.near_taken, one), lowered(v.near_taken, other)))
        if hexes > 4:
            one = t.shapes[MIDDLES + 2, shape]
            bad = union(bad, lowered(stiff, one))
            taken = union(taken, lowered(v.near_taken, one))
        if tile == t.gap_tile:
            bad = union(bad, aside(t, shape, 0, v.ended))
    room = without(room, bad)
    return union(meet(room, own), without(room, taken))


@inline
def fits(t, v, tile, place):
    """Whether the placement, one of the tile's, is legal without a link."""
    return has(fitting(t, v, tile, t.places[place, SHAPE]), t.places[place, ANCHOR])


@inline
def count_tile(t, v, tile):
    """How many placements of the tile are legal without a link."""
    found = 0
    for shape in range(np.uint64(t.tiles[tile, FIRST_SHAPE]), np.uint64(t.tiles[tile + 1, FIRST_SHAPE])):
        found += size(fitting(t, v, tile, shape))
    return found


@kernel
def nth_of_tile(t, v, tile, n):
    """The n-th legal placement of the tile without a link; there must be one."""
    shape = np.int64(t.tiles[tile, FIRST_SHAPE])
    while True:
        anchors = fitting(t, v, tile, shape)
        count = size(anchors)
        if n < count:
            break
        n -= count
        shape += 1
    return np.int64(t.at_anchor[shape, nth(anchors, n)])


@inline
def fits_linked(t, v, tile, place, end, leaves):
    """Whether the placement, one of the tile's, is legal with a link at that end, from an open end whose snake
    leaves the field
    in direction `leaves` (-1 if in none, or if headings do not matter)."""
    if common(cells_of(t, place), v.blocked) != ZERO:
        return False
    bit = t.places[place, END + end]
    goes = np.int64(t.places[place, HEADING + end])
    if t.tiles[tile, HEXES] == 1:
        return keeps_heading(leaves, way_to_own(t, v.own, bit))
    if has(v.near_own, bit) or not keeps_heading(leaves, goes):
        return False
    return common(inner_of(t, place), v.own if t.tiles[tile, HEXES] == 2 else v.near_own) == ZERO


@kernel
def linked_at(t, s, seat, floor, v, way, bit, tile, at):
    """(link, placement) of the tile at this place in `from_list`, coming through a field from the floor before or
    after; the placement is -1 if that is not legal."""
    place, end = np.int64(t.from_list[at] >> 1), np.int64(t.from_list[at] & 1)
    leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit) if t.advanced else -1
    if fits_linked(t, v, tile, place, end, leaves):
        return np.int64(1 + 2 * end + way), place
    return np.int64(0), np.int64(-1)


@kernel
def drills(t, s, seat, floor, way, taken):
    """Fields of this floor that a snake of the seat can come to from the floor before or after."""
    if not adjacent(t, floor, way):
        return without(taken, taken)
    return without(open_ends(t, s, seat, floor_by(t, floor, way)), taken)


@kernel
def next_linked(t, s, seat, floor, v, later, way, fields, tile, entry):
    """The next legal linked move on this floor: (way, fields, tile, entry) to go on from, and its number or -1.

    Begin with way 0, the drills from the floor before, tile 0 and entry 0; `later` are the drills from the floor
    after.
    """
    tiles = hand(t, s, seat)
    while True:
        if common(fields, fields) == ZERO:
            if way == 1:
                return way, fields, tile, entry, np.int64(-1)
            way, fields = 1, later
            continue
        bit = lowest(fields)
        leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit) if t.advanced else -1
        while tile < t.tile_count:
            if (tiles >> np.uint64(tile)) & ONE != ZERO:
                at, last = t.fields[bit, FROM + tile] + entry, t.fields[bit, FROM + tile + 1]
                while at < last:
                    place, end = np.int64(t.from_list[at] >> 1), np.int64(t.from_list[at] & 1)
                    at += 1
                    entry += 1
                    if fits_linked(t, v, tile, place, end, leaves):
                        return way, fields, tile, entry, np.int64(number(t, floor, 1 + 2 * end + way, place))
            tile += 1
            entry = 0
        fields = without(fields, single(board(t), bit))
        tile = 0


@kernel
def can_place(t, s, seat):
    """Whether the seat has any legal move."""
    tiles = hand(t, s, seat)
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        for tile in range(t.tile_count):
            if (tiles >> np.uint64(tile)) & ONE and count_tile(t, v, tile) > 0:
                return True
        if t.floors > 1:
            earlier, later = drills(t, s, seat, floor, 0, v.taken), drills(t, s, seat, floor, 1, v.taken)
            if next_linked(t, s, seat, floor, v, later, 0, earlier, 0, 0)[4] >= 0:
                return True
    return False
