"""What helps a search to play Snekagon and 5G well. Nothing here decides what is legal.

Long snakes grow at their open ends, with the big tiles first, and the opponent's open ends are worth standing
in front of.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import (
    ONE,
    ZERO,
    common,
    load,
    lowest,
    meet,
    nth,
    single,
    size,
    union,
    without,
    word_lowest,
    word_size,
)
from snakeden.core.kernel import inner, kernel, routine
from snakeden.core.rng import below
from snakeden.games.snekagon import rules
from snakeden.games.snekagon.certain import bounds, lead, winnow
from snakeden.games.snekagon.layout import (
    END,
    FROM,
    HEXES,
    OVER_WORD,
    TILE,
    adjacent,
    beside_of,
    cells_at,
    cells_of,
    floor_by,
    hand,
    number,
    split,
)
from snakeden.games.snekagon.legality import fits
from snakeden.games.snekagon.sampling import entries, openings, try_linked
from snakeden.games.snekagon.scoring import end_lengths, joined_length, length_at
from snakeden.games.snekagon.sight import near, open_ends, sight

__all__ = ["bounds", "draw", "image", "images", "lead", "rate", "winnow"]

# How a move is rated: by the length of the snake it makes, the cells it takes in front of others' open ends,
# and the free cells around it. On several floors there is room for everybody's longest snake, so standing in
# the way counts for more.
_LENGTH, _BLOCK, _ROOM = 0.030, 0.045, 0.012
_LENGTH_FLOORS, _BLOCK_FLOORS = 0.020, 0.090
_MOST_ROOM = 6


@routine
def front_of_others(t, s, seat, floor, taken):
    """Free cells next to open ends of other seats on a floor, and where those could come through to it."""
    found = without(taken, taken)
    for other in range(t.seats):
        if other != seat:
            found = union(found, near(t, open_ends(t, s, other, floor)))
            for way in range(2):
                if adjacent(t, floor, way):
                    found = union(found, open_ends(t, s, other, floor_by(t, floor, way)))
    return without(found, taken)


@kernel
def rate(t, s, moves, count, out):
    """How promising each move looks, from 0 to 1."""
    seat = np.int64(s[0])
    by_length, by_block = (_LENGTH, _BLOCK) if t.floors == 1 else (_LENGTH_FLOORS, _BLOCK_FLOORS)
    floor, link, seen = np.int64(0), np.int64(0), np.int64(0)
    v = sight(t, s, seat, floor)
    ends = without(v.own, v.full)
    lengths = end_lengths(t, s, seat, floor, ends)
    front = front_of_others(t, s, seat, floor, v.taken)
    for k in range(count):
        place = np.int64(moves[k])
        if t.floors > 1:
            floor, link, place = split(t, place)
        if floor != seen:
            v = sight(t, s, seat, floor)
            ends = without(v.own, v.full)
            lengths = end_lengths(t, s, seat, floor, ends)
            front = front_of_others(t, s, seat, floor, v.taken)
            seen = floor
        beside = beside_of(t, place)
        length = np.int64(t.tiles[t.places[place, TILE], HEXES])
        joined = meet(beside, ends)
        if common(joined, joined) != ZERO:
            length += length_at(t, s, seat, floor, lengths, joined)
        if link > 0:
            end, way = (link - 1) >> 1, (link - 1) & 1
            field = single(t.board, t.places[place, END + end])
            length += joined_length(t, s, seat, floor_by(t, floor, way), field)
        room = min(size(without(beside, v.blocked)), _MOST_ROOM)
        rating = by_length * length + by_block * size(meet(cells_of(t, place), front)) + _ROOM * room
        out[k] = np.float32(min(rating, 1.0))


# ---- playouts

_GROW = 7
"""In so many of eight draws a snake is made longer, if that is found quickly."""
_THROUGH = 2
"""Where there are several floors, in so many of eight it is tried first to grow through one."""
_TRIES, _TRIES_THROUGH = 12, 4
"""Random placements at open ends before any legal move is drawn."""


@inner
def drawn_at_end(t, s, seat, rng):
    """(rng, a legal move with an end at an open end of an own snake on one floor, or -1 if none was found)."""
    floor = np.int64(0)
    if t.floors > 1:
        rng, floor = below(rng, t.floors)
    v = sight(t, s, seat, floor)
    fronts = without(near(t, without(v.own, v.full)), v.blocked)
    for _ in range(1, t.floors):
        if common(fronts, fronts) == ZERO:
            floor = floor_by(t, floor, 1)
            v = sight(t, s, seat, floor)
            fronts = without(near(t, without(v.own, v.full)), v.blocked)
    tiles = hand(t, s, seat)
    count, kinds = size(fronts), word_size(tiles)
    if count > 0 and kinds > 0:
        for _ in range(_TRIES):
            rng, k = below(rng, count * kinds)
            bit = nth(fronts, k // kinds)
            left = tiles
            for _ in range(k % kinds):
                left &= left - ONE
            tile = word_lowest(left)
            first, last = t.fields[bit, FROM + tile], t.fields[bit, FROM + tile + 1]
            if last > first:
                rng, k = below(rng, last - first)
                place = np.int64(t.from_list[first + k] >> 1)
                if fits(t, v, tile, place):
                    return rng, np.int64(number(t, floor, 0, place))
    return rng, np.int64(-1)


@inner
def drawn_through(t, s, seat, rng):
    """(rng, a legal move that comes through a floor, or -1 if none was found)."""
    tiles = hand(t, s, seat)
    at_each = entries(t, tiles)
    ways = openings(t, s, seat) * at_each
    if ways > 0:
        for _ in range(_TRIES_THROUGH):
            rng, n = below(rng, ways)
            opening = n // at_each
            move = try_linked(t, s, seat, tiles, opening, n - opening * at_each)
            if move >= 0:
                return rng, move
    return rng, np.int64(-1)


@kernel
def draw(t, s, rng):
    """Draw a move: mostly a tile that lies with an end at an open end of an own snake."""
    if s[0] != OVER_WORD:
        seat = np.int64(s[0])
        rng, chance = below(rng, 8)
        move = np.int64(-1)
        if t.floors > 1 and chance < _THROUGH:
            rng, move = drawn_through(t, s, seat, rng)
        if move < 0 and chance < _GROW:
            rng, move = drawn_at_end(t, s, seat, rng)
        if move >= 0:
            return rng, move
    return rules.sample(t, s, rng)


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
