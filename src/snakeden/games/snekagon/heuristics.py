"""What helps a search to play Snekagon and 5G well. Nothing here decides what is legal.

Long snakes grow at their open ends, with the big tiles first, and the opponent's open ends are worth standing
in front of.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, common, load, lowest, meet, single, size, union, without
from snakeden.core.kernel import inner, kernel, routine
from snakeden.games.snekagon.layout import (
    DONE,
    END,
    HEXES,
    OVER_WORD,
    TILE,
    cells_at,
    cells_of,
    floor_by,
    split,
)
from snakeden.games.snekagon.scoring import longest, walk
from snakeden.games.snekagon.sight import near, open_ends, sight

# How a move is rated: by the length of the snake it makes, the cells it takes in front of others' open ends,
# and the free cells around it.
_LENGTH, _BLOCK, _ROOM = 0.030, 0.045, 0.012
_MOST_ROOM = 6


@routine
def front_of_others(t, s, seat, floor, taken):
    """Free cells next to open ends of other seats on a floor."""
    found = without(taken, taken)
    for other in range(t.seats):
        if other != seat:
            found = union(found, near(t, open_ends(t, s, other, floor)))
    return without(found, taken)


@routine
def joined_length(t, s, seat, floor, ends):
    """The lengths together of the snakes that have an end in the set, each once."""
    total = 0
    while common(ends, ends) != ZERO:
        bit = lowest(ends)
        length, last_floor, last_bit = walk(t, s, seat, floor, bit)
        total += length
        ends = without(ends, single(t.board, bit))
        if last_floor == floor and last_bit >= 0:
            ends = without(ends, single(t.board, last_bit))
    return total


@kernel
def rate(t, s, moves, count, out):
    """How promising each move looks, from 0 to 1."""
    seat = np.int64(s[0])
    seen = -1
    v = sight(t, s, seat, 0)
    ends = without(v.own, v.full)
    front = front_of_others(t, s, seat, 0, v.taken)
    for k in range(count):
        floor, link, place = split(t, np.int64(moves[k]))
        if floor != seen:
            v = sight(t, s, seat, floor)
            ends = without(v.own, v.full)
            front = front_of_others(t, s, seat, floor, v.taken)
            seen = floor
        cells = cells_of(t, place)
        hexes = t.tiles[t.places[place, TILE], HEXES]
        beside = near(t, cells)
        length = hexes + joined_length(t, s, seat, floor, meet(beside, ends))
        if link > 0:
            end, way = (link - 1) >> 1, (link - 1) & 1
            field = single(t.board, t.places[place, END + end])
            length += joined_length(t, s, seat, floor_by(t, floor, way), field)
        room = min(size(without(beside, v.blocked)), _MOST_ROOM)
        rating = _LENGTH * length + _BLOCK * size(meet(cells, front)) + _ROOM * room
        out[k] = np.float32(min(rating, 1.0))


# ---- what is certain


@inner
def reach(t, start, through):
    """The cells of the set `through` that are connected to `start` within it."""
    found = meet(start, through)
    while True:
        wider = meet(union(found, near(t, found)), through)
        if common(without(wider, found), wider) == ZERO:
            return found
        found = wider


@routine
def most_cells(t, s, seat):
    """No snake of the seat can get longer than this.

    Each tile still to come joins at most two snakes, so the longest one can take in one more of today's
    snakes than there are tiles, and grows through free cells that its ends can reach.
    """
    tiles = s[1 + seat] & ~DONE
    if s[1 + seat] & DONE or s[0] == OVER_WORD:
        tiles = ZERO
    count, hexes = 0, 0
    for tile in range(len(t.tiles) - 1):
        if (tiles >> np.uint64(tile)) & ONE:
            count += 1
            hexes += t.tiles[tile, HEXES]
    best, second, third, total, still = 0, 0, 0, 0, 0
    cells = 0
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        free = without(without(t.board, v.taken), v.beside)
        ends = without(v.own, v.full)
        growing = without(ends, ends)
        while common(ends, ends) != ZERO:
            bit = lowest(ends)
            length, last_floor, last_bit = walk(t, s, seat, floor, bit)
            tips = single(t.board, bit)
            if last_floor == floor and last_bit >= 0:
                tips = union(tips, single(t.board, last_bit))
            ends = without(ends, tips)
            alive = t.floors > 1 or common(near(t, tips), free) != ZERO
            if alive and count > 0:
                growing = union(growing, tips)
                total += length
                if length > best:
                    best, second, third = length, best, second
                elif length > second:
                    second, third = length, second
                elif length > third:
                    third = length
            else:
                still = max(still, length)
        if t.floors > 1:
            cells += size(without(t.board, v.taken))
        else:
            cells += size(reach(t, near(t, growing), free))
            if common(growing, growing) == ZERO:
                cells += size(free)
    if count == 1:
        total = best + second
    elif count == 2:
        total = best + second + third
    return max(still, total + min(hexes, cells)) if count > 0 else max(still, best)


@kernel
def bounds(t, s, low, high):
    """Snakes never shrink, and grow no longer than their tiles and the free cells allow."""
    for seat in range(t.seats):
        low[seat] = longest(t, s, seat)
        high[seat] = max(low[seat], most_cells(t, s, seat))


# ---- symmetry


@kernel
def images(t):
    """A single board looks the same in twelve ways; floors with eyes do not."""
    return 12 if t.floors == 1 else 1


@inner
def turned(t, bit, k):
    """Where a cell lies in the k-th image: turned by 60 degrees k mod 6 times, and mirrored from k = 6 on."""
    side, stride = t.side, np.int64(t.stride)
    row = (bit + side - 1) // stride
    x, y = bit - row * stride, row - side + 1
    if k >= 6:
        x, y = y, x
    for _ in range(k % 6):
        x, y = -y, x + y
    return (y + side - 1) * stride + x


@kernel
def image(t, s, k, out):
    """The position turned or mirrored; key words only."""
    for i in range(t.key_words):
        out[i] = s[i]
    for seat in range(t.seats):
        at = cells_at(t, 0, seat)
        own, seen = load(t.board, s, at), without(t.board, t.board)
        while common(own, own) != ZERO:
            bit = lowest(own)
            own = without(own, single(t.board, bit))
            seen = union(seen, single(t.board, turned(t, bit, k)))
        for i in range(t.width):
            out[at + i] = seen[i]
