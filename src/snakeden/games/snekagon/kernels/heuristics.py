"""What helps a search to play Snekagon and 5G well. Nothing here decides what is legal.

Long snakes grow at their open ends, with the big tiles first, and the opponent's open ends are worth standing
in front of.
"""

from __future__ import annotations

from typing import NamedTuple

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
from snakeden.core.kernel import inline, kernel, noinline
from snakeden.core.rng import below
from snakeden.games.snekagon.kernels import rules
from snakeden.games.snekagon.kernels.certain import (
    before_moves,
    best_lead,
    bounds,
    prune,
    score_after,
    sure_lead,
)
from snakeden.games.snekagon.kernels.layout import (
    END,
    FROM,
    HEXES,
    OVER_WORD,
    TILE,
    adjacent,
    beside_of,
    board,
    cells_at,
    cells_of,
    floor_by,
    hand,
    number,
    split,
)
from snakeden.games.snekagon.kernels.legality import drills, fits, linked_at
from snakeden.games.snekagon.kernels.scoring import end_lengths, joined_length, length_at
from snakeden.games.snekagon.kernels.sight import Sight, near, open_ends, sight

__all__ = [
    "before_moves",
    "best_lead",
    "bounds",
    "expand_after",
    "image",
    "images",
    "playout_move",
    "priors",
    "prune",
    "score_after",
    "sure_lead",
]

# How a move is rated: by the length of the snake it makes, the cells it takes in front of others' open ends,
# and the free cells around it. On several floors there is room for everybody's longest snake, so standing in
# the way counts for more.
_LENGTH, _BLOCK, _ROOM = 0.030, 0.045, 0.012
_LENGTH_FLOORS, _BLOCK_FLOORS = 0.020, 0.150
_MOST_ROOM = 6


@noinline
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


class Outlook(NamedTuple):
    """What the seat to move goes by on a floor."""

    sight: Sight
    ends: tuple[np.uint64, ...]
    """The open ends of its snakes."""
    lengths: tuple[tuple[np.uint64, ...], ...]
    """The lengths of those snakes, as `end_lengths` gives them."""
    front: tuple[np.uint64, ...]
    """Where others would go on."""


@kernel
def outlook(t, s, seat, floor):
    v = sight(t, s, seat, floor)
    ends = without(v.own, v.full)
    return Outlook(v, ends, end_lengths(t, s, seat, floor, ends), front_of_others(t, s, seat, floor, v.taken))


@inline
def rating(t, s, seat, floor, o, link, place):
    """How promising a legal move looks, with the outlook on its floor; about 0 to 1."""
    by_length, by_block = (_LENGTH, _BLOCK) if t.floors == 1 else (_LENGTH_FLOORS, _BLOCK_FLOORS)
    beside = beside_of(t, place)
    length = np.int64(t.tiles[t.places[place, TILE], HEXES])
    joined = meet(beside, o.ends)
    if common(joined, joined) != ZERO:
        length += length_at(t, s, seat, floor, o.lengths, joined)
    if link > 0:
        end, way = (link - 1) >> 1, (link - 1) & 1
        field = single(board(t), t.places[place, END + end])
        length += joined_length(t, s, seat, floor_by(t, floor, way), field)
    room = min(size(without(beside, o.sight.blocked)), _MOST_ROOM)
    return by_length * length + by_block * size(meet(cells_of(t, place), o.front)) + _ROOM * room


@kernel
def priors(t, s, moves, count, out):
    """How promising each move looks, from 0 to 1."""
    seat = np.int64(s[0])
    floor, link, seen = np.int64(0), np.int64(0), np.int64(0)
    o = outlook(t, s, seat, floor)
    for k in range(count):
        place = np.int64(moves[k])
        if t.floors > 1:
            floor, link, place = split(t, place)
        if floor != seen:
            o = outlook(t, s, seat, floor)
            seen = floor
        out[k] = np.float32(min(rating(t, s, seat, floor, o, link, place), 1.0))


# ---- playouts

_GROW = 7
"""On a single floor in this many of eight draws a snake is made longer, if that is found quickly."""
_TRIES, _TRIES_THROUGH = 12, 4
"""Random placements at open ends before any legal move is drawn."""
_PICKS, _THROUGH = 4, 2
"""Where there are several floors the best of this many such moves is taken, and this many of eight are first tried
through a floor."""


@kernel
def drawn_entry(t, fields, count, tiles, kinds, rng):
    """(rng, one of the `count` fields, one of the `kinds` tiles, and a place of the tile in `from_list` that has an
    end in the field, or -1 if it has none)."""
    rng, k = below(rng, count * kinds)
    bit = nth(fields, k // kinds)
    for _ in range(k % kinds):
        tiles &= tiles - ONE
    tile = word_lowest(tiles)
    first, last = t.fields[bit, FROM + tile], t.fields[bit, FROM + tile + 1]
    if last == first:
        return rng, bit, tile, np.int64(-1)
    rng, k = below(rng, last - first)
    return rng, bit, tile, np.int64(first + k)


@kernel
def drawn_at_end(t, v, tiles, rng):
    """(rng, a legal placement of one of the tiles with an end at an open end on this floor, or -1 if none was
    found)."""
    fronts = without(near(t, without(v.own, v.full)), v.blocked)
    count, kinds = size(fronts), word_size(tiles)
    if count > 0 and kinds > 0:
        for _ in range(_TRIES):
            rng, _, tile, at = drawn_entry(t, fronts, count, tiles, kinds, rng)
            if at >= 0:
                place = np.int64(t.from_list[at] >> 1)
                if fits(t, v, tile, place):
                    return rng, place
    return rng, np.int64(-1)


@kernel
def drawn_through(t, s, seat, floor, v, tiles, rng):
    """(rng, a link and a legal placement of one of the tiles that comes through to this floor, or -1 if none was
    found)."""
    rng, way = below(rng, 2)
    fields = drills(t, s, seat, floor, way, v.taken)
    if common(fields, fields) == ZERO:
        way = 1 - way
        fields = drills(t, s, seat, floor, way, v.taken)
    count, kinds = size(fields), word_size(tiles)
    if count > 0 and kinds > 0:
        for _ in range(_TRIES_THROUGH):
            rng, bit, tile, at = drawn_entry(t, fields, count, tiles, kinds, rng)
            if at >= 0:
                link, place = linked_at(t, s, seat, floor, v, way, bit, tile, at)
                if place >= 0:
                    return rng, link, place
    return rng, np.int64(0), np.int64(-1)


@noinline
def drawn_on_floors(t, s, seat, rng):
    """(rng, the best rated of a few legal moves at open ends, or -1 if none was found)."""
    tiles = hand(t, s, seat)
    best, most = np.int64(-1), -1.0
    for _ in range(_PICKS):
        rng, k = below(rng, t.floors)
        floor, link, place = np.int64(k), np.int64(0), np.int64(-1)
        o = outlook(t, s, seat, floor)
        rng, chance = below(rng, 8)
        if chance < _THROUGH:
            rng, link, place = drawn_through(t, s, seat, floor, o.sight, tiles, rng)
        if place < 0:
            rng, place = drawn_at_end(t, o.sight, tiles, rng)
        if place >= 0:
            rated = rating(t, s, seat, floor, o, link, place)
            if rated > most:
                best, most = np.int64(number(t, floor, link, place)), rated
    return rng, best


@kernel
def playout_move(t, s, rng):
    """Draw a move: mostly a tile that lies with an end at an open end of an own snake."""
    if s[0] != OVER_WORD:
        seat, move = np.int64(s[0]), np.int64(-1)
        if t.floors > 1:
            rng, move = drawn_on_floors(t, s, seat, rng)
        else:
            rng, chance = below(rng, 8)
            if chance < _GROW:
                rng, move = drawn_at_end(t, sight(t, s, seat, 0), hand(t, s, seat), rng)
        if move >= 0:
            return rng, move
    return rules.sample(t, s, rng)


@kernel
def expand_after(t):
    """On several floors ratings say more than playouts do."""
    return 4 if t.floors == 1 else 1


# ---- symmetry


@kernel
def images(t):
    """A single board looks the same in twelve ways; floors with eyes do not."""
    return 12 if t.floors == 1 else 1


@inline
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
        own, seen = load(board(t), s, at), without(board(t), board(t))
        while common(own, own) != ZERO:
            bit = lowest(own)
            own = without(own, single(board(t), bit))
            seen = union(seen, single(board(t), turned(t, bit, k)))
        for i in range(t.width):
            out[at + i] = seen[i]
