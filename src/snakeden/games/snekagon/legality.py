"""Where a tile may lie, with and without a link: the rule itself, and the passes over all placements."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, common, has, lowest, single, without
from snakeden.core.kernel import inner
from snakeden.games.snekagon.layout import (
    END,
    FIRST,
    FROM,
    HEADING,
    HEXES,
    adjacent,
    cells_of,
    floor_by,
    gap_of,
    hand,
    inner_of,
    number,
)
from snakeden.games.snekagon.sight import far_heading, keeps_heading, open_ends, sight, way_to_own

# Placements counted at once when the n-th legal one is looked for.
CHUNK = 16


@inner
def clear(cells, inner, blocked, tender, near_own, near_taken):
    """Whether a placement without a link is legal: no cell blocked, its inside away from own cells, and
    either touching an own cell or touching nothing."""
    bad = common(cells, blocked) | common(inner, tender)
    return (bad == ZERO) & ((common(cells, near_own) != ZERO) | (common(cells, near_taken) == ZERO))


@inner
def limits(t, v, tile):
    """(blocked, tender) for `clear`, by the size of the tile."""
    if t.tiles[tile, HEXES] == 1:
        return v.blocked_single, v.own
    if t.tiles[tile, HEXES] == 2:
        return v.blocked, v.own
    return v.blocked, v.near_own


@inner
def fits(t, v, tile, place):
    """Whether the placement, one of the tile's, is legal without a link."""
    blocked, tender = limits(t, v, tile)
    cells = cells_of(t, place)
    flat = clear(cells, inner_of(t, place), blocked, tender, v.near_own, v.near_taken)
    # No early way out: the whole test is cheaper than a branch that is hard to foresee.
    return flat & ((tile != t.gap_tile) | (common(gap_of(t, place), v.ended) == ZERO))


@inner
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
    return common(inner_of(t, place), limits(t, v, tile)[1]) == ZERO


@inner
def flag_tile(t, v, tile, out, at):
    """Write 1 or 0 for each placement of the tile to out[at:]: is it legal without a link? Returns how many
    placements there are. One pass that the compiler turns into vector instructions."""
    blocked, tender = limits(t, v, tile)
    near_own, near_taken = v.near_own, v.near_taken
    first, count = np.uint64(t.tiles[tile, FIRST]), np.uint64(t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST])
    start = np.uint64(at)
    for i in range(count):
        place = first + i
        out[start + i] = clear(cells_of(t, place), inner_of(t, place), blocked, tender, near_own, near_taken)
    if tile == t.gap_tile:
        for i in range(count):
            out[start + i] &= common(gap_of(t, first + i), v.ended) == ZERO
    return np.int64(count)


@inner
def count_range(t, v, tile, first, last):
    """How many placements of the tile from `first` to before `last` are legal without a link. One pass too."""
    blocked, tender = limits(t, v, tile)
    near_own, near_taken, ended = v.near_own, v.near_taken, v.ended
    found = 0
    if tile == t.gap_tile:
        for place in range(np.uint64(first), np.uint64(last)):
            flat = clear(cells_of(t, place), inner_of(t, place), blocked, tender, near_own, near_taken)
            found += flat & (common(gap_of(t, place), ended) == ZERO)
    else:
        for place in range(np.uint64(first), np.uint64(last)):
            found += clear(cells_of(t, place), inner_of(t, place), blocked, tender, near_own, near_taken)
    return found


@inner
def count_tile(t, v, tile):
    """How many placements of the tile are legal without a link."""
    return count_range(t, v, tile, t.tiles[tile, FIRST], t.tiles[tile + 1, FIRST])


@inner
def nth_of_tile(t, v, tile, n):
    """The n-th legal placement of the tile without a link; there must be one."""
    place = np.int64(t.tiles[tile, FIRST])
    last = np.int64(t.tiles[tile + 1, FIRST])
    while True:
        count = count_range(t, v, tile, place, min(place + CHUNK, last))
        if n < count:
            break
        n -= count
        place += CHUNK
    while True:
        n -= fits(t, v, tile, place)
        if n < 0:
            return place
        place += 1


@inner
def drills(t, s, seat, floor, way, taken):
    """Fields of this floor that a snake of the seat can come to from the floor before or after."""
    if not adjacent(t, floor, way):
        return without(taken, taken)
    return without(open_ends(t, s, seat, floor_by(t, floor, way)), taken)


@inner
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
        while tile < len(t.tiles) - 1:
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
        fields = without(fields, single(t.board, bit))
        tile = 0


@inner
def can_place(t, s, seat):
    """Whether the seat has any legal move."""
    tiles = hand(t, s, seat)
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        for tile in range(len(t.tiles) - 1):
            if (tiles >> np.uint64(tile)) & ONE and count_tile(t, v, tile) > 0:
                return True
        if t.floors > 1:
            earlier, later = drills(t, s, seat, floor, 0, v.taken), drills(t, s, seat, floor, 1, v.taken)
            if next_linked(t, s, seat, floor, v, later, 0, earlier, 0, 0)[4] >= 0:
                return True
    return False
