"""Linked moves of 5G as a GPU's program goes through them."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import (
    ONE,
    ZERO,
    common,
    has,
    lowest,
    single,
    without,
    word_lowest,
)
from snakeden.core.kernel import inline
from snakeden.games.snekagon.kernels.layout import (
    FROM,
    board,
    floor_by,
    number,
)
from snakeden.games.snekagon.kernels.legality import drills, fits_linked
from snakeden.games.snekagon.kernels.sight import far_heading

WRITE, FLAG, PICK = 0, 1, 2
"""What is done with moves that are gone through."""


@inline
def holds(tiles, tile):
    return (tiles >> np.uint64(tile)) & ONE != ZERO


@inline
def linked_fields(t, s, seat, floor, v, way):
    """The fields of this floor where a linked tile can begin: whatever lies on a blocked field is refused."""
    return without(drills(t, s, seat, floor, way, v.taken), v.blocked)


@inline
def next_entry(t, s, seat, floor, v, way, tiles, fields, rest, bit, leaves, tile, at, last):
    """Go on to the next tile in hand that has entries in `from_list`, at this field or at the next:
    (fields, rest, bit, leaves, tile, at, last); at == last if there is none."""
    while at >= last and (rest != ZERO or common(fields, fields) != ZERO):
        if rest == ZERO:
            bit = lowest(fields)
            fields = without(fields, single(board(t), bit))
            # Next to an own cell only the one-hex tile can be linked.
            rest = tiles & ONE if has(v.near_own, bit) else tiles
            if t.advanced:
                leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit)
        if rest != ZERO:
            tile = word_lowest(rest)
            rest &= rest - ONE
            at, last = np.int64(t.fields[bit, FROM + tile]), np.int64(t.fields[bit, FROM + tile + 1])
    return fields, rest, bit, leaves, tile, at, last


@inline
def go_through_linked(t, s, seat, floor, v, way, tiles, fields, out, found, n, link, place, deed):
    """Go through the linked moves on a floor that begin at these fields and go on this way. `deed`, a constant, says
    whether to WRITE them to out[found:], to FLAG them in it, or to PICK the n-th. Returns where they end in `out`, n
    less the moves that were passed by to pick it, and the link and placement of the last of these, or those given."""
    rest, bit, leaves, tile, at, last = ZERO, 0, -1, 0, 0, 0
    while n >= 0:
        fields, rest, bit, leaves, tile, at, last = next_entry(
            t, s, seat, floor, v, way, tiles, fields, rest, bit, leaves, tile, at, last
        )
        if at >= last:
            break
        spot, end = np.int64(t.from_list[at] >> 1), np.int64(t.from_list[at] & 1)
        at += 1
        if fits_linked(t, v, tile, spot, end, leaves):
            if deed == PICK:
                link, place = np.int64(1 + 2 * end + way), spot
                n -= 1
            else:
                move = number(t, floor, 1 + 2 * end + way, spot)
                if deed == FLAG:
                    out[move >> 5] |= np.uint32(1) << np.uint32(move & 31)
                else:
                    out[found] = move
                found += 1
    return found, n, link, place


@inline
def write_linked(t, s, seat, floor, v, tiles, out, found, flagged):
    """Write the linked moves on a floor to out[found:], or flag them in it; where they end. `flagged` is a constant."""
    for way in range(2):
        fields = linked_fields(t, s, seat, floor, v, way)
        found, _, _, _ = go_through_linked(
            t, s, seat, floor, v, way, tiles, fields, out, found, 0, 0, -1, FLAG if flagged else WRITE
        )
    return found
