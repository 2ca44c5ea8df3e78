"""Linked moves of 5G as a GPU's program goes through them: counted for all fields and anchors at once, or one by one.

One by one, every thread reads other rows of the tables and waits for them. Counted, a shape is looked at once for all
fields where a snake can come through, and all threads look at the same shape.
"""

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
    single,
    size,
    union,
    without,
    word_lowest,
)
from snakeden.core.kernel import inline, unrolled
from snakeden.games.snekagon.kernels.layout import (
    ENDS,
    FIRST_SHAPE,
    FROM,
    HEADING,
    HEXES,
    MIDDLES,
    board,
    floor_by,
    number,
    room_of,
)
from snakeden.games.snekagon.kernels.legality import aside, drills, fits_linked
from snakeden.games.snekagon.kernels.sight import far_heading, keeps_heading, way_to_own


@inline
def holds(tiles, tile):
    return (tiles >> np.uint64(tile)) & ONE != ZERO


@inline
def bad_anchors(t, shape, edge, stiff, beside):
    """The anchors of a shape that has an end in `edge`, an inner cell in `stiff`, or a cell aside in `beside`. The
    compiler does not know the shape: threads with different ones stay together. A shape with fewer cells has some of
    them twice."""
    bad = union(aside(t, shape, 0, beside), aside(t, shape, 1, beside))
    for k in unrolled(range(2)):
        bad = union(bad, lowered(edge, t.shapes[ENDS + k, shape]))
    for k in unrolled(range(3)):
        bad = union(bad, lowered(stiff, t.shapes[MIDDLES + k, shape]))
    return bad


# ---- counted


@inline
def linked_fields(t, s, seat, floor, v, way):
    """The fields of this floor where a linked tile can begin: whatever lies on a blocked field is refused."""
    return without(drills(t, s, seat, floor, way, v.taken), v.blocked)


@inline
def linkable(t, v, tile, shape):
    """The anchors where the shape, one of a tile of two or more hexes, is legal with a link that suits it: as
    `legality.fits_linked`."""
    hexes, nothing = t.tiles[tile, HEXES], without(v.own, v.own)
    stiff = union(v.blocked, v.near_own) if hexes > 2 else nothing
    return without(
        room_of(t, shape), bad_anchors(t, shape, v.blocked, stiff, v.own if hexes == 2 else nothing)
    )


@inline
def headed_fields(t, s, seat, floor, v, way, fields):
    """Those of the fields from which a snake may go on in each direction, and those where a one-hex tile keeps its
    heading."""
    a = without(fields, fields)
    b, c, d, e, f, alone = a, a, a, a, a, a
    while common(fields, fields) != ZERO:
        bit = lowest(fields)
        here = single(board(t), bit)
        fields = without(fields, here)
        leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit)
        a = union(a, here) if keeps_heading(leaves, 0) else a
        b = union(b, here) if keeps_heading(leaves, 1) else b
        c = union(c, here) if keeps_heading(leaves, 2) else c
        d = union(d, here) if keeps_heading(leaves, 3) else d
        e = union(e, here) if keeps_heading(leaves, 4) else e
        f = union(f, here) if keeps_heading(leaves, 5) else f
        alone = union(alone, here) if keeps_heading(leaves, way_to_own(t, v.own, bit)) else alone
    return (a, b, c, d, e, f), alone


@inline
def headed(t, sets, shape, end):
    """The set of the direction in which the shape goes on from this end."""
    place = np.int64(t.at_anchor[shape, lowest(room_of(t, shape))])
    goes, found = t.places[place, HEADING + end], sets[0]
    for way in unrolled(range(1, 6)):
        found = sets[way] if goes == way else found
    return found


@inline
def count_way(t, s, seat, floor, v, tiles, way, fields):
    """How many linked moves come from one of the two floors beside this one, through these fields."""
    far, alone = without(fields, v.near_own), fields
    if t.advanced:
        sets, alone = headed_fields(t, s, seat, floor, v, way, fields)
    found = size(meet(alone, room_of(t, 0))) if holds(tiles, 0) else 0
    if common(far, far) != ZERO:
        for tile in range(1, t.tile_count):
            if holds(tiles, tile):
                for shape in range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE]):
                    room = linkable(t, v, tile, shape)
                    for end in unrolled(range(2)):
                        ends = meet(far, headed(t, sets, shape, end)) if t.advanced else far
                        found += size(meet(room, lowered(ends, t.shapes[ENDS + end, shape])))
    return found


@inline
def count_linked(t, s, seat, floor, v, tiles):
    """How many linked moves there are on a floor. Next to own cells only the one-hex tile, the first, can be linked."""
    found = 0
    for way in range(2):
        fields = linked_fields(t, s, seat, floor, v, way)
        if common(fields, fields) != ZERO:
            found += count_way(t, s, seat, floor, v, tiles, way, fields)
    return found


# ---- one by one


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
def nth_linked(t, s, seat, floor, v, tiles, n):
    """The n-th linked move on a floor, in the order of `legality.next_linked`; -1 if there are not so many."""
    move = np.int64(-1)
    for way in range(2):
        fields = linked_fields(t, s, seat, floor, v, way)
        rest, bit, leaves, tile, at, last = ZERO, 0, -1, 0, 0, 0
        while n >= 0:
            fields, rest, bit, leaves, tile, at, last = next_entry(
                t, s, seat, floor, v, way, tiles, fields, rest, bit, leaves, tile, at, last
            )
            if at >= last:
                break
            place, end = np.int64(t.from_list[at] >> 1), np.int64(t.from_list[at] & 1)
            at += 1
            if fits_linked(t, v, tile, place, end, leaves):
                move = np.int64(number(t, floor, 1 + 2 * end + way, place))
                n -= 1
    return move if n < 0 else np.int64(-1)


@inline
def write_linked(t, s, seat, floor, v, tiles, out, found, flagged):
    """Write the linked moves on a floor to out[found:], or flag them in it; where they end. `flagged` is a constant."""
    for way in range(2):
        fields = linked_fields(t, s, seat, floor, v, way)
        rest, bit, leaves, tile, at, last = ZERO, 0, -1, 0, 0, 0
        while True:
            fields, rest, bit, leaves, tile, at, last = next_entry(
                t, s, seat, floor, v, way, tiles, fields, rest, bit, leaves, tile, at, last
            )
            if at >= last:
                break
            place, end = np.int64(t.from_list[at] >> 1), np.int64(t.from_list[at] & 1)
            at += 1
            if fits_linked(t, v, tile, place, end, leaves):
                move = number(t, floor, 1 + 2 * end + way, place)
                if flagged:
                    out[move >> 5] |= np.uint32(1) << np.uint32(move & 31)
                else:
                    out[found] = move
                found += 1
    return found
