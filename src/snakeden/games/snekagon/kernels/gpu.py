"""Kernels that a GPU's program has in place of others, with the same results.

The threads of a warp, each with a game of its own, wait for each other wherever they take different ways. So all tiles
are gone through in the same order by all threads, with loops written out and distances that the compiler knows, and
what one thread alone would leave out is done by all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.bitset import (
    ONE,
    ZERO,
    add_at,
    common,
    load,
    lowered,
    meet,
    nth,
    size,
    union,
    without,
    word_lowest,
    write_through,
)
from snakeden.core.gpu_operations import store_pair
from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.core.rng import below
from snakeden.games.snekagon.kernels import gpu_walk, legality, observation, rules, sampling
from snakeden.games.snekagon.kernels import sight as seen
from snakeden.games.snekagon.kernels.gpu_links import (
    holds,
    write_linked,
)
from snakeden.games.snekagon.kernels.layout import (
    ENDS,
    FIRST,
    FIRST_SHAPE,
    HEXES,
    MIDDLES,
    MOST_AT_END,
    OVER_WORD,
    TILE,
    Tables,
    board,
    cells_at,
    cells_of,
    gap_of,
    hand,
    inner_of,
    number,
    room_of,
)
from snakeden.games.snekagon.kernels.legality import aside, fitting
from snakeden.games.snekagon.kernels.rules import give_up, pass_on, sort_tail
from snakeden.games.snekagon.kernels.sampling import (
    TRIES,
    WORTH_TRYING,
)
from snakeden.games.snekagon.kernels.sight import near, sight

EVEN = True
"""Games are about equally long."""
MOST_SHAPES = 12
"""Ways a tile can be turned and mirrored, at most."""
WORD, BIT, LENGTH, PLACE = 0, 1, 2, 3
_HALF = np.uint64(0xFFFFFFFF)


class Runs(NamedTuple):
    """What is known about the anchors of shapes, beside the tables, when kernels are linked for a GPU."""

    first_run: NDArray[np.int32]
    """[shapes + 1] the first run of each shape."""
    runs: NDArray[np.int32]
    """[runs, 4] bits side by side where a shape can have its anchor: WORD and BIT of the first, LENGTH, and the
    PLACE, or number, of the first placement."""


def more_tables(t: Tables) -> Runs:
    runs: list[tuple[int, int, int, int]] = []
    first_run = [0]
    for row in t.at_anchor:
        for bit in np.flatnonzero(row >= 0).tolist():
            word, low = divmod(bit, 64)
            is_new = len(runs) == first_run[-1] or low == 0 or row[bit - 1] < 0
            if is_new:
                runs.append((word, low, 1, int(row[bit])))
            else:
                runs[-1] = (*runs[-1][:2], runs[-1][2] + 1, runs[-1][3])
        first_run.append(len(runs))
    return Runs(np.array(first_run, np.int32), np.array(runs, np.int32))


def lists_from_flags(t: Tables) -> bool:
    """Whether lists of legal moves are made from masks with a bit an action; else a thread writes them move by move."""
    return True


def plays_in_phases(t: Tables) -> bool:
    """Whether threads play random games as in `gpu_playouts`."""
    return t.floors > 1


def flags_in_pairs(t: Tables) -> bool:
    """Whether `mask` writes flags in pairs of 64-bit words, and all of them; else single words of 32 bits, and those
    that are not zero."""
    return t.floors == 1


@inline
def candidates(t, tiles):
    total = 0
    for tile in unrolled(range(t.tile_count)):
        total += t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST] if holds(tiles, tile) else 0
    return total


@inline
def candidate(t, tiles, n):
    found, place = -1, -1
    for tile in unrolled(range(t.tile_count)):
        if holds(tiles, tile):
            if n >= 0 and n < t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST]:
                found, place = tile, t.tiles[tile, FIRST] + n
            n -= t.tiles[tile + 1, FIRST] - t.tiles[tile, FIRST]
    return found, place


@inline
def entries(t, tiles):
    total = 0
    for tile in unrolled(range(t.tile_count)):
        total += t.tiles[tile, MOST_AT_END] if holds(tiles, tile) else 0
    return total


@inline
def fits(t, v, tile, place):
    """As `legality.fits`, but by the sets of the placement's own cells: a single one needs no shifts."""
    hexes = t.tiles[tile, HEXES]
    cells = cells_of(t, place)
    bad = common(cells, v.blocked_single if hexes == 1 else v.blocked)
    bad |= common(inner_of(t, place), v.own if hexes == 2 else v.near_own)
    if t.gap_tile >= 0:
        bad |= common(gap_of(t, place), v.ended)
    return bad == ZERO and (common(cells, v.near_own) != ZERO or common(cells, v.near_taken) == ZERO)


@inline
def count_shapes(t, v, tile):
    """How many placements of the tile are legal without a link: (all, those of its first eight shapes, those of the
    others). The counts of shapes have a byte each, the first one's the lowest."""
    count, low, high = 0, ZERO, ZERO
    first = t.tiles[tile, FIRST_SHAPE]
    for shape in unrolled(range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE])):
        found = size(fitting(t, v, tile, shape))
        count += found
        if shape - first < 8:
            low |= np.uint64(found) << np.uint64(8 * (shape - first))
        else:
            high |= np.uint64(found) << np.uint64(8 * (shape - first - 8))
    return count, low, high


@inline
def shape_at(low, high, n):
    """The shape, counted from the tile's first, that has the n-th placement of those `count_shapes` counted, and which
    of the shape's own it is."""
    shape, is_before = 0, True
    for k in unrolled(range(MOST_SHAPES - 1)):
        word = low if k < 8 else high
        found = np.int64((word >> np.uint64(8 * (k & 7))) & np.uint64(255))
        is_before = is_before and n >= found
        n -= found if is_before else 0
        shape += 1 if is_before else 0
    return shape, n


@inline
def anchors(t, v, tile, shape):
    """The anchors where the shape is legal without a link, as `legality.fitting`, and where it is with a link that
    suits it, for a tile of two or more hexes. The compiler does not know the shape: threads with different ones stay
    together. A shape with fewer cells has some of them twice."""
    hexes, nothing = t.tiles[tile, HEXES], without(v.own, v.own)
    edge = v.blocked_single if hexes == 1 else v.blocked
    stiff = union(v.blocked, v.near_own) if hexes > 2 else nothing
    beside = v.own if hexes == 2 else nothing
    if t.gap_tile >= 0:
        beside = v.ended if tile == t.gap_tile else beside
    bad, own, taken = nothing, nothing, nothing
    for k in unrolled(range(2)):
        behind = t.shapes[ENDS + k, shape]
        bad = union(bad, lowered(edge, behind))
        own = union(own, lowered(v.near_own, behind))
        taken = union(taken, lowered(v.near_taken, behind))
    for k in unrolled(range(3)):
        behind = t.shapes[MIDDLES + k, shape]
        bad = union(bad, lowered(stiff, behind))
        taken = union(taken, lowered(v.near_taken, behind))
    near = nothing
    if hexes == 2 or tile == t.gap_tile:
        near = union(aside(t, shape, 0, beside), aside(t, shape, 1, beside))
    room = without(room_of(t, shape), bad)
    flat = without(room, near)
    linked = flat if hexes == 2 else room
    return union(meet(flat, own), without(flat, taken)), linked


@inline
def draw_on_floor(t, v, tiles, rng, total):
    """Go through the tiles on a floor: (rng, how many moves there are so far, the placement drawn or -1). All shapes
    are counted first, and only the one that is drawn from is looked at again, by all threads at the same time."""
    drawn, n_drawn, low_drawn, high_drawn = -1, 0, ZERO, ZERO
    for tile in unrolled(range(t.tile_count)):
        if holds(tiles, tile):
            count, low, high = count_shapes(t, v, tile)
            if count > 0:
                total += count
                rng, n = below(rng, total)
                if n < count:
                    drawn, n_drawn, low_drawn, high_drawn = tile, n, low, high
    place = np.int64(-1)
    if drawn >= 0:
        shape, n = shape_at(low_drawn, high_drawn, n_drawn)
        shape += t.tiles[drawn, FIRST_SHAPE]
        flat, _ = anchors(t, v, drawn, shape)
        place = np.int64(t.at_anchor[shape, nth(flat, n)])
    return rng, total, place


@kernel
def sample_flat(t, s, seat, rng):
    """As `sampling.sample_flat`, but what the seat sees is looked at once."""
    tiles = hand(t, s, seat)
    count = candidates(t, tiles)
    v = sight(t, s, seat, 0)
    if count >= WORTH_TRYING:
        for _ in range(TRIES):
            rng, n = below(rng, count)
            tile, place = candidate(t, tiles, n)
            if fits(t, v, tile, place):
                return rng, np.int64(place)
    rng, _, place = draw_on_floor(t, v, tiles, rng, 0)
    return rng, place


@kernel
def legal_here(t, s, seat, out):
    found = 0
    tiles = hand(t, s, seat)
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        # Plain Python would add to the table's short numbers in 16 bits.
        first = np.int64(number(t, floor, 0, 0))
        for tile in unrolled(range(t.tile_count)):
            if holds(tiles, tile):
                for shape in unrolled(range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE])):
                    anchors = fitting(t, v, tile, shape)
                    found = write_through(anchors, t.at_anchor, shape, first, out, found)
        if t.floors > 1:
            start = found
            found = write_linked(t, s, seat, floor, v, tiles, out, found, False)
            sort_tail(out, start, found)
    return found


@inline
def flag_word(word, first, table, row, base, flags, at, pending):
    """Flag base + table[row, first + element] for every element, the smallest first. What is flagged of the word of
    32 flags at `at` is `pending` before and afterwards: (at, pending)."""
    while word != ZERO:
        move = base + np.int64(table[row, first + word_lowest(word)])
        word &= word - ONE
        if move >> 5 != at:
            flags[at] = pending
            at, pending = move >> 5, np.uint32(0)
        pending |= np.uint32(1) << np.uint32(move & 31)
    return at, pending


@kernel
def flag_floor(t, s, seat, floor, tiles, flags):
    """Flag the legal moves on a floor; how many."""
    v = sight(t, s, seat, floor)
    base = number(t, floor, 0, 0)
    found, at, pending = 0, base >> 5, flags[base >> 5]
    for tile in unrolled(range(t.tile_count)):
        if holds(tiles, tile):
            for shape in unrolled(range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE])):
                anchors = fitting(t, v, tile, shape)
                found += size(anchors)
                for k in unrolled(range(t.width)):
                    at, pending = flag_word(anchors[k], 64 * k, t.at_anchor, shape, base, flags, at, pending)
    flags[at] = pending
    if t.floors > 1:
        found = write_linked(t, s, seat, floor, v, tiles, flags, found, True)
    return found


@inline
def put_word(flags, word, value, low, high):
    """Put a word of 32 flags to those of its group of four, which are `low` and `high` afterwards. The last one of a
    group writes them all. Words come in order."""
    if word & 3 == 0:
        return value, ZERO
    if word & 3 == 1:
        return low | (value << np.uint64(32)), high
    if word & 3 == 2:
        return low, value
    store_pair(flags, word >> 2, low, high | (value << np.uint64(32)))
    return ZERO, ZERO


@kernel
def flag_board(t, s, seat, tiles, flags):
    """As `flag_floor` where there is one floor, with `flags_in_pairs`; all are written. A run of anchors side by side
    becomes as many flags side by side, so that nothing depends on where tiles fit."""
    v = sight(t, s, seat, 0)
    found, pending, low, high = 0, ZERO, ZERO, ZERO
    for tile in unrolled(range(t.tile_count)):
        if holds(tiles, tile):
            for shape in unrolled(range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE])):
                anchors = fitting(t, v, tile, shape)
                found += size(anchors)
                for run in unrolled(range(t.first_run[shape], t.first_run[shape + 1])):
                    place = t.runs[run, PLACE]
                    length = t.runs[run, LENGTH]
                    moved = anchors[t.runs[run, WORD]] >> np.uint64(t.runs[run, BIT])
                    pending |= (moved & np.uint64((1 << length) - 1)) << np.uint64(place & 31)
                    if (place & 31) + length >= 32:
                        low, high = put_word(flags, place >> 5, pending & _HALF, low, high)
                        pending >>= np.uint64(32)
        else:
            for word in unrolled(range(t.tiles[tile, FIRST] >> 5, t.tiles[tile + 1, FIRST] >> 5)):
                low, high = put_word(flags, word, pending, low, high)
                pending = ZERO
    if t.placements & 31:
        low, high = put_word(flags, t.placements >> 5, pending, low, high)
    if (t.placements + 31) >> 5 & 3:
        store_pair(flags, t.placements >> 7, low, high)
    return found


@kernel
def mask(t, s, flags):
    """As `observation.mask`, but with a bit an action, see `flags_in_pairs`."""
    while s[0] != OVER_WORD:
        seat = np.int64(s[0])
        tiles = hand(t, s, seat)
        found = 0
        if t.floors == 1:
            found = flag_board(t, s, seat, tiles, flags)
        else:
            for floor in range(t.floors):
                found += flag_floor(t, s, seat, floor, tiles, flags)
        if found > 0:
            return found
        give_up(t, s)
    return 0


@inline
def lowest_only(a):
    """The set of the smallest element; empty if there is none."""
    one = a[0] & (~a[0] + ONE)
    two = a[1] & (~a[1] + ONE) if a[0] == ZERO else ZERO
    if len(a) == 2:
        return one, two
    rest = a[0] | a[1]
    three = a[2] & (~a[2] + ONE) if rest == ZERO else ZERO
    return one, two, three, a[3] & (~a[3] + ONE) if (rest | a[2]) == ZERO else ZERO


@inline
def longest_flat(t, own):
    """As `scoring.longest` where there is one floor: own cells that touch are of one snake. A pass is the same for all
    threads: it lets a snake grow by its neighbours, or goes on to the next snake."""
    best, rest, snake = 0, own, lowest_only(own)
    while common(rest, rest) != ZERO:
        grown = meet(union(snake, near(t, snake)), own)
        is_whole = common(grown, without(board(t), snake)) == ZERO
        rest = without(rest, snake) if is_whole else rest
        best = max(best, size(snake)) if is_whole else best
        snake = lowest_only(rest) if is_whole else grown
    return best


@kernel
def scores(t, s, out):
    if t.floors > 1:
        gpu_walk.longest_of_all(t, s, out)
    else:
        for seat in range(t.seats):
            out[seat] = longest_flat(t, load(board(t), s, cells_at(t, 0, seat)))


@kernel
def put(t, s, move):
    """As `rules.apply` where there is one floor, without what only pictures ask for."""
    seat = np.int64(s[0])
    add_at(s, cells_at(t, 0, seat), cells_of(t, move))
    s[1 + seat] &= ~(ONE << np.uint64(t.places[move, TILE]))
    pass_on(t, s)


PLAYED = {rules.apply: put}
"""What stands in place of other kernels in `play_games` alone; 5G plays as in `gpu_playouts`."""


def registers(t: Tables, name: str) -> int | None:
    """Registers a thread, at most: what was quickest on an H200."""
    if name != "play_games" or t.width > 2:
        return None
    if t.floors == 1:
        return 72
    return 64 if t.floors == 2 else 80


REPLACED = {
    observation.mask: mask,
    rules.legal_here: legal_here,
    rules.scores: scores,
    sampling.sample_flat: sample_flat,
    sampling.candidates: candidates,
    sampling.candidate: candidate,
    sampling.entries: entries,
    legality.fits: fits,
    seen.way_to_own: gpu_walk.way_to_own,
}
