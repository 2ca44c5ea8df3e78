"""Random games of 5G on a GPU, with the random numbers of `rules.sample` and so with its moves.

All threads of a warp go through the same phases, one turn after the other, whatever the ply of their games: find a
placement worth a look, look at it, draw from all moves where tries are of no use, play the move, begin the next ply.
Everything is written once and in loops: code that is longer than the GPU's cache for instructions makes it wait for
them most of the time.

A thread keeps, beside its state, an array of words:

| where           | what                                                                                       |
| --------------- | ------------------------------------------------------------------------------------------ |
| taken_at        | per floor: the cells of all seats                                                          |
| fields_at       | per floor and way: the fields of the floor that way which a snake of the seat to move can   |
|                 | come to from here                                                                          |
| headed_at       | per way and direction, for one floor: the fields from which a snake may go on that way; at |
|                 | last those where the one-hex tile keeps its heading                                        |
| counts_at       | a word: how many each of the fields_at are, six bits each                                  |

`held` is what it knows about its ply: how many tries are left, how many openings there are, how many placements the
tiles in hand have on a floor, and how many ends in one field.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import (
    ONE,
    ZERO,
    add_at,
    common,
    has,
    load,
    lowered,
    lowest,
    meet,
    nth,
    single,
    size,
    without,
    word_lowest,
)
from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.core.rng import below
from snakeden.games.snekagon.kernels import rules
from snakeden.games.snekagon.kernels.gpu import anchors, shape_at
from snakeden.games.snekagon.kernels.gpu_links import PICK, go_through_linked, holds
from snakeden.games.snekagon.kernels.layout import (
    DONE,
    END,
    ENDS,
    FIRST,
    FIRST_SHAPE,
    FROM,
    HEADING,
    MOST_AT_END,
    OVER_WORD,
    Tables,
    adjacent,
    beside_of,
    board,
    cells_at,
    cells_of,
    floor_by,
    gap_of,
    hand,
    inner_of,
    links_at,
    number,
    room_of,
)
from snakeden.games.snekagon.kernels.sampling import TRIES_FLOORS, WORTH_TRYING_FLOORS
from snakeden.games.snekagon.kernels.sight import (
    far_heading,
    full_cells,
    keeps_heading,
    open_ends,
    own_counts,
    sight,
    step_bit,
    way_to_own,
)

TRIES_A_TURN = 1
"""Placements that a thread may refuse in a turn because they lie on something."""
DRAWN_TOGETHER, ENDED_TOGETHER, PLAYED_TOGETHER = 16, 8, 4
"""Threads of a warp that have to draw from all moves, whose games are over, or that have found a move wait until there
are so many."""
FEW = 0
"""So few threads that try placements do not let the others wait."""
GIVES_UP = 1 << 30
"""In place of a placement: there is none."""
_TRIES, _OPENINGS_AT, _COUNT_AT, _WAYS_AT = (1 << 8) - 1, 8, 20, 36
_ALONE, _COUNT_BITS = 6, 6
_NOTHING, _LINKED = -1, -2


def kept_words(t: Tables) -> int:
    """How many words a thread keeps beside its state."""
    return (3 * t.floors + (2 * (_ALONE + 1) if t.advanced else 0)) * t.width + 1


@inline
def taken_at(t, floor):
    return floor * t.width


@inline
def fields_at(t, floor, way):
    return (t.floors + 2 * floor + way) * t.width


@inline
def headed_at(t, way, direction):
    return (3 * t.floors + (_ALONE + 1) * way + direction) * t.width


@inline
def counts_at(t):
    return (3 * t.floors + (2 * (_ALONE + 1) if t.advanced else 0)) * t.width


@inline
def put_set(array, at, cells):
    for k in unrolled(range(4)):
        if k < len(cells):
            array[at + k] = cells[k]


@inline
def is_over(s):
    return s[0] == OVER_WORD


@inline
def is_trying(held):
    return held & _TRIES != 0


# ---- beginning and playing


@inline
def clear(t, s, kept):
    """Before the first game: as if one were over."""
    s[0] = OVER_WORD
    forget(t, kept)


@inline
def forget(t, kept):
    """Forget the last game's cells."""
    for k in range(t.floors * t.width):
        kept[k] = ZERO


@inline
def begun(t, s, kept):
    """Begin a ply: what is held."""
    held = np.int64(0)
    if s[0] != OVER_WORD:
        seat = np.int64(s[0])
        tiles = hand(t, s, seat)
        opened, count, ways, counts = 0, 0, 0, ZERO
        for floor in range(t.floors):
            ends = open_ends(t, s, seat, floor)
            for way in unrolled(range(2)):
                fields = without(ends, load(board(t), kept, taken_at(t, floor_by(t, floor, way))))
                fields = fields if adjacent(t, floor, way) else without(ends, ends)
                put_set(kept, fields_at(t, floor, way), fields)
                counts |= np.uint64(size(fields)) << np.uint64(_COUNT_BITS * (2 * floor + way))
                opened += size(fields)
        kept[counts_at(t)] = counts
        for tile in unrolled(range(t.tile_count)):
            count += t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST] if holds(tiles, tile) else 0
            ways += t.tiles[tile, MOST_AT_END] if holds(tiles, tile) else 0
        if count * t.floors >= WORTH_TRYING_FLOORS:
            held = TRIES_FLOORS | (np.int64(opened) << _OPENINGS_AT)
            held |= (np.int64(count) << _COUNT_AT) | (np.int64(ways) << _WAYS_AT)
    return held


@inline
def put(t, s, kept, floor, link, place):
    """Place a tile: as `rules.apply`, without what only pictures ask for, and without handing the turn on. Returns the
    move's number."""
    seat = np.int64(s[0])
    cells = cells_of(t, place)
    add_at(s, cells_at(t, floor, seat), cells)
    add_at(kept, taken_at(t, floor), cells)
    tile = 0
    for k in unrolled(range(1, t.tile_count)):
        tile += 1 if place >= t.tiles[k, FIRST] else 0
    s[1 + seat] &= ~(ONE << np.uint64(tile))
    if link > 0:
        way, end = (link - 1) & 1, (link - 1) >> 1
        bit = t.places[place, END + end]
        add_at(s, links_at(t, floor_by(t, floor, 0) if way == 0 else floor), single(board(t), bit))
    return np.int64(number(t, floor, link, place))


@inline
def pass_on(t, s):
    rules.pass_on(t, s)


@inline
def give_up(s):
    """As `rules.give_up`, without handing the turn on."""
    s[1 + np.int64(s[0])] |= DONE


# ---- tries


@inline
def quotient(n, divisor):
    """n // divisor, both below 2**20: as floating-point numbers, which a GPU divides much faster."""
    return np.int64(np.float32(n) / np.float32(divisor))


@inline
def opening_at(t, kept, opening):
    """(floor, way, bit) of one of the openings, as in `sampling.try_linked`."""
    counts, at, is_before = kept[counts_at(t)], 0, True
    left = np.uint32(opening)
    for k in unrolled(range(2 * t.floors - 1)):
        count = np.uint32(counts >> np.uint64(_COUNT_BITS * k)) & np.uint32((1 << _COUNT_BITS) - 1)
        is_before = is_before and left >= count
        left = np.uint32(left - count) if is_before else left
        at += 1 if is_before else 0
    source, way = at >> 1, at & 1
    fields = load(board(t), kept, fields_at(t, source, way))
    return floor_by(t, source, way), 1 - way, nth(fields, np.int64(left))


@inline
def try_one(t, s, kept, rng, held):
    """Draw a placement and see whether its cells are free: (rng, what is held, floor, link, placement or -1)."""
    tiles = hand(t, s, np.int64(s[0]))
    opened = (held >> _OPENINGS_AT) & ((1 << (_COUNT_AT - _OPENINGS_AT)) - 1)
    count = (held >> _COUNT_AT) & ((1 << (_WAYS_AT - _COUNT_AT)) - 1)
    ways = held >> _WAYS_AT
    flat = count * t.floors
    rng, n = below(rng, flat + opened * ways)
    is_linked = n >= flat
    floor, way, bit, link = 0, 0, 0, 0
    if is_linked:
        n -= flat
        opening = quotient(n, ways)
        n -= opening * ways
        floor, way, bit = opening_at(t, kept, opening)
    else:
        for _ in unrolled(range(t.floors - 1)):
            is_above = n >= count
            floor += 1 if is_above else 0
            n -= count if is_above else 0
    # In 32 bits, which a GPU calculates with in half the time.
    tile, is_before, first, rest = np.uint32(0), True, np.uint32(0), np.uint32(n)
    for k in unrolled(range(t.tile_count)):
        most, all_of = t.tiles[k, MOST_AT_END], t.tiles[k + 1, FIRST] - t.tiles[k, FIRST]
        weight = np.uint32(most) if is_linked else np.uint32(all_of)
        weight = weight if holds(tiles, k) else np.uint32(0)
        is_before = is_before and rest >= weight
        rest = np.uint32(rest - weight) if is_before else rest
        tile = np.uint32(k + 1) if is_before else tile
        first = np.uint32(t.tiles[k + 1, FIRST]) if is_before else first
    n = np.int64(rest)
    place = np.int64(first) + n
    if is_linked:
        column = FROM + np.int64(tile)
        at = np.int64(t.fields[bit, column]) + n
        place = np.int64(-1)
        if at < t.fields[bit, column + 1]:
            entry = np.int64(t.from_list[at])
            place, link = entry >> 1, 1 + 2 * (entry & 1) + way
    if place >= 0:
        is_free = common(cells_of(t, place), load(board(t), kept, taken_at(t, floor))) == ZERO
        place = place if is_free else np.int64(-1)
    return rng, held - 1, np.int64(floor), np.int64(link), place


@inline
def find(t, s, kept, rng, held):
    """Try placements until the cells of one are free, as often as a turn allows: as `try_one`."""
    floor, link, place, tried = np.int64(0), np.int64(0), np.int64(-1), 0
    while place < 0 and tried < TRIES_A_TURN and is_trying(held):
        rng, held, floor, link, place = try_one(t, s, kept, rng, held)
        tried += 1
    return rng, held, floor, link, place


@inline
def strays(t, s, seat, floor, cells, ends):
    """Whether a snake that came through one of these ends would lose its heading on these cells."""
    found = False
    while common(ends, ends) != ZERO:
        bit = lowest(ends)
        ends = without(ends, single(board(t), bit))
        leaves = far_heading(t, s, seat, floor, bit)
        for way in range(6):
            if not keeps_heading(leaves, way) and has(cells, step_bit(t, bit, way)):
                found = True
    return found


@inline
def is_legal(t, s, kept, floor, link, place):
    """Whether a placement on free cells is legal: as `legality.fits` and `legality.fits_linked`, by the cells beside
    the placement instead of those beside snakes."""
    seat = np.int64(s[0])
    own = load(board(t), s, cells_at(t, floor, seat))
    one, two, sharp = own_counts(t, own)
    full, ended = full_cells(t, s, floor, own, one, two)
    cells, beside = cells_of(t, place), beside_of(t, place)
    hexes = size(cells)
    bad = common(beside, full) | common(inner_of(t, place), own if hexes == 2 else one)
    bad |= common(cells, sharp if hexes == 1 and link == 0 else two)
    if t.gap_tile >= 0:
        bad |= common(gap_of(t, place), ended) if link == 0 else ZERO
    found = bad == ZERO
    if link == 0:
        touches = common(beside, own) != ZERO
        is_apart = common(beside, load(board(t), kept, taken_at(t, floor))) == ZERO
        found = found and (touches or is_apart)
    elif found:
        way, end = (link - 1) & 1, (link - 1) >> 1
        bit = np.int64(t.places[place, END + end])
        found = hexes == 1 or not has(one, bit)
        if t.advanced:
            leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit)
            goes = way_to_own(t, own, bit) if hexes == 1 else np.int64(t.places[place, HEADING + end])
            found = found and keeps_heading(leaves, goes)
    if t.advanced and found:
        ends = meet(without(without(ended, full), one), beside)
        found = not strays(t, s, seat, floor, cells, ends)
    return found


# ---- drawing from all moves


@inline
def has_nothing(t, s):
    """Whether the seat to move has no tile left."""
    return hand(t, s, np.int64(s[0])) == ZERO


@inline
def note_headings(t, s, kept, seat, floor, v, one, other):
    """Note from which of the fields a snake may go on in each direction: `one` are those of way 0, `other` of way 1."""
    for k in range(headed_at(t, 0, 0), headed_at(t, 2, 0)):
        kept[k] = ZERO
    while (common(one, one) | common(other, other)) != ZERO:
        way = 0 if common(one, one) != ZERO else 1
        bit = lowest(one if way == 0 else other)
        here = single(board(t), bit)
        one, other = without(one, here), without(other, here) if way == 1 else other
        leaves = far_heading(t, s, seat, floor_by(t, floor, way), bit)
        goes = way_to_own(t, v.own, bit)
        for direction in range(_ALONE + 1):
            if keeps_heading(leaves, direction if direction < _ALONE else goes):
                add_at(kept, headed_at(t, way, direction), here)


@inline
def linked_from(t, kept, floor, v, way):
    """The fields of this floor where a linked tile can begin."""
    return without(load(board(t), kept, fields_at(t, floor_by(t, floor, way), 1 - way)), v.blocked)


@inline
def count_linked_shape(t, kept, shape, room, far):
    """How many linked moves a shape has, of a tile of two or more hexes. `far` are fields per way."""
    found = 0
    for end in unrolled(range(2)):
        behind = t.shapes[ENDS + end, shape]
        for way in unrolled(range(2)):
            ends = far[way]
            if t.advanced:
                place = np.int64(t.at_anchor[shape, lowest(room_of(t, shape))])
                goes = np.int64(t.places[place, HEADING + end])
                ends = meet(ends, load(board(t), kept, headed_at(t, way, goes)))
            found += size(meet(room, lowered(ends, behind)))
    return found


@inline
def count_floor(t, s, kept, seat, floor, v, tiles, rng, total):
    """Go through the tiles of a floor: (rng, how many moves there are so far, the tile drawn or -1, which of its
    placements, counts by shapes as two words, linked moves). Every thread goes through the tiles in its own hand."""
    one, other = linked_from(t, kept, floor, v, 0), linked_from(t, kept, floor, v, 1)
    far = without(one, v.near_own), without(other, v.near_own)
    linked = 0
    if t.advanced:
        note_headings(t, s, kept, seat, floor, v, one, other)
        one = load(board(t), kept, headed_at(t, 0, _ALONE))
        other = load(board(t), kept, headed_at(t, 1, _ALONE))
    if holds(tiles, 0):
        linked = size(meet(one, room_of(t, 0))) + size(meet(other, room_of(t, 0)))
    is_far = (common(far[0], far[0]) | common(far[1], far[1])) != ZERO
    drawn, n_drawn, low_drawn, high_drawn = _NOTHING, np.int64(0), ZERO, ZERO
    rest, tile, first, shape, last, count, low, high = tiles, 0, 0, 0, 0, 0, ZERO, ZERO
    while shape < last or rest != ZERO:
        if shape >= last:
            tile = word_lowest(rest)
            rest &= rest - ONE
            first = np.int64(t.tiles[tile, FIRST_SHAPE])
            shape, last = first, np.int64(t.tiles[tile + 1, FIRST_SHAPE])
            count, low, high = 0, ZERO, ZERO
        flat, room = anchors(t, v, tile, shape)
        found = size(flat)
        count += found
        moved = np.uint64(found) << np.uint64(8 * ((shape - first) & 7))
        low |= moved if shape - first < 8 else ZERO
        high |= moved if shape - first >= 8 else ZERO
        if is_far and tile > 0:
            linked += count_linked_shape(t, kept, shape, room, far)
        shape += 1
        if shape == last and count > 0:
            total += count
            rng, n = below(rng, total)
            if n < count:
                drawn, n_drawn, low_drawn, high_drawn = tile, n, low, high
    return rng, total, drawn, n_drawn, low_drawn, high_drawn, linked


@inline
def nth_linked(t, s, kept, seat, floor, v, tiles, n):
    """(link, placement) of the n-th linked move on a floor, in the order of `legality.next_linked`."""
    link, place = np.int64(0), np.int64(-1)
    for way in range(2):
        fields = linked_from(t, kept, floor, v, way)
        _, n, link, place = go_through_linked(
            t, s, seat, floor, v, way, tiles, fields, kept, 0, n, link, place, PICK
        )
    return link, place


@kernel
def draw(t, s, kept, rng):
    """(rng, floor, link, placement or -1) drawn from all moves, as `sampling.draw`. After all floors the one that was
    drawn from is looked at once more."""
    seat = np.int64(s[0])
    tiles = hand(t, s, seat)
    total, drawn, drawn_floor, n_drawn, low_drawn, high_drawn = 0, _NOTHING, 0, np.int64(0), ZERO, ZERO
    link, place = np.int64(0), np.int64(-1)
    for step in range(t.floors + 1):
        floor = step if step < t.floors else drawn_floor
        v = sight(t, s, seat, floor)
        if step < t.floors:
            rng, total, tile, n, low, high, linked = count_floor(
                t, s, kept, seat, floor, v, tiles, rng, total
            )
            if tile >= 0:
                drawn, drawn_floor, n_drawn, low_drawn, high_drawn = tile, floor, n, low, high
            for k in range(linked):
                total += 1
                rng, n = below(rng, total)
                if n == 0:
                    drawn, drawn_floor, n_drawn = _LINKED, floor, np.int64(k)
        elif drawn >= 0:
            shape, n = shape_at(low_drawn, high_drawn, n_drawn)
            shape += np.int64(t.tiles[drawn, FIRST_SHAPE])
            flat, _ = anchors(t, v, drawn, shape)
            place = np.int64(t.at_anchor[shape, nth(flat, n)])
        elif drawn == _LINKED:
            link, place = nth_linked(t, s, kept, seat, floor, v, tiles, n_drawn)
    return rng, np.int64(drawn_floor), link, place
