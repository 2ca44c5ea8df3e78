"""How long snakes are for certain, and how long they can get at most: what lets an exact search stop early."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import (
    ONE,
    ZERO,
    common,
    has,
    lowest,
    meet,
    single,
    size,
    union,
    without,
    word_lowest,
    word_size,
)
from snakeden.core.kernel import inner, kernel, routine
from snakeden.games.snekagon.layout import DONE, END, FROM, HEXES, OVER_WORD
from snakeden.games.snekagon.legality import fits
from snakeden.games.snekagon.scoring import longest, walk
from snakeden.games.snekagon.sight import near, sight


@inner
def reach(t, start, through):
    """The cells of the set `through` that are connected to `start` within it."""
    found = meet(start, through)
    while True:
        wider = meet(union(found, near(t, found)), through)
        if common(without(wider, found), wider) == ZERO:
            return found
        found = wider


@inner
def tiles_left(s, seat):
    """The tiles a seat will ever choose from."""
    if s[0] == OVER_WORD or s[1 + seat] & DONE != ZERO:
        return ZERO
    return s[1 + seat]


@inner
def sums_of(t, tiles):
    """(all hexes of the tiles together, a word whose bit n says whether some of them have n hexes together)."""
    hexes, sums = 0, ONE
    while tiles != ZERO:
        more = t.tiles[word_lowest(tiles), HEXES]
        tiles &= tiles - ONE
        hexes += more
        sums |= sums << np.uint64(more)
    return hexes, sums


@inner
def most_filled(sums, cells):
    """The most hexes of tiles that fit into so many cells, whatever their shape."""
    sums &= (ONE << np.uint64(cells + 1)) - ONE if cells < 63 else ~ZERO
    most = 0
    while sums != ZERO:
        most = word_lowest(sums)
        sums &= sums - ONE
    return most


@inner
def three_longest(length, best, second, third):
    """The three longest of four lengths, of which three stand in order already."""
    return max(length, best), max(min(length, best), second), max(min(length, second), third)


@routine
def most_flat(t, s, seat, tiles):
    """No snake of the seat that still grows gets longer than this, on a single floor.

    Free cells that hang together are an area. A snake grows into the areas at its open ends, so the longest
    snake there will be stays within areas and snakes that hang together. It can take in every snake between
    two areas, but only two of those that are stuck at one end; one snake more than there are tiles, since
    each tile joins two; and of each area no more than some of the tiles fill.
    """
    count = word_size(tiles)
    hexes, sums = sums_of(t, tiles)
    v = sight(t, s, seat, 0)
    # A cell next to two own ones takes a single hex, but no end of a longer tile.
    blocked = meet(v.blocked, v.blocked_single) if tiles & ONE != ZERO else v.blocked
    free = without(t.board, blocked)
    ends, rest = without(v.own, v.full), free
    most = 0
    while common(rest, rest) != ZERO:
        # One group of areas and snakes that hang together.
        waiting = single(t.board, lowest(rest))
        room, passing = 0, 0
        stuck, stuck_too = 0, 0
        best, second, third = 0, 0, 0
        while common(waiting, waiting) != ZERO:
            area = reach(t, single(t.board, lowest(waiting)), rest)
            rest, waiting = without(rest, area), without(waiting, area)
            room += most_filled(sums, size(area))
            tips = meet(ends, near(t, area))
            while common(tips, tips) != ZERO:
                bit = lowest(tips)
                length, _, last = walk(t, s, seat, 0, bit)
                one = single(t.board, bit)
                tips, ends = without(tips, one), without(ends, one)
                # An end may lie between several areas, and grow into any of them.
                waiting = union(waiting, meet(near(t, one), rest))
                onward = free
                if last != bit:
                    other = single(t.board, last)
                    tips, ends = without(tips, other), without(ends, other)
                    onward = meet(near(t, other), free)
                    waiting = union(waiting, meet(onward, rest))
                if common(onward, onward) != ZERO:
                    passing += length
                elif length > stuck:
                    stuck, stuck_too = length, stuck
                elif length > stuck_too:
                    stuck_too = length
                best, second, third = three_longest(length, best, second, third)
        together = passing + stuck + stuck_too
        if count == 1:
            together = min(together, best + second)
        elif count == 2:
            together = min(together, best + second + third)
        most = max(most, together + min(room, hexes))
    return most


@routine
def most_on_floors(t, s, seat, tiles):
    """The same for several floors, where snakes find ways around: all free cells and all snakes count, but for
    those too many to be joined by the last two tiles."""
    count = word_size(tiles)
    hexes, _ = sums_of(t, tiles)
    best, second, third, total, room = 0, 0, 0, 0, 0
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        room += size(without(t.board, v.taken))
        ends = without(v.own, v.full)
        while common(ends, ends) != ZERO:
            bit = lowest(ends)
            length, last_floor, last = walk(t, s, seat, floor, bit)
            ends = without(ends, single(t.board, bit))
            if last_floor == floor and last >= 0:
                ends = without(ends, single(t.board, last))
            total += length
            best, second, third = three_longest(length, best, second, third)
    if count == 1:
        total = best + second
    elif count == 2:
        total = best + second + third
    return total + min(room, hexes)


@routine
def most_with_last(t, s, seat, tile):
    """The longest snake that the seat can make on a single floor by putting its last tile to an open end now,
    0 if it fits to none. What others place only takes room away."""
    v = sight(t, s, seat, 0)
    ends = without(v.own, v.full)
    fronts = without(near(t, ends), v.blocked_single if t.tiles[tile, HEXES] == 1 else v.blocked)
    most = 0
    while common(fronts, fronts) != ZERO:
        bit = lowest(fronts)
        fronts = without(fronts, single(t.board, bit))
        # A tile of two hexes or more touches one own cell here, a single one perhaps two.
        beside = meet(near(t, single(t.board, bit)), ends)
        near_end = lowest(beside)
        length, _, far_end = walk(t, s, seat, 0, near_end)
        both = union(single(t.board, near_end), single(t.board, far_end))
        length += t.tiles[tile, HEXES] + longest_at(t, s, seat, without(beside, both))
        for at in range(t.fields[bit, FROM + tile], t.fields[bit, FROM + tile + 1]):
            place, end = np.int64(t.from_list[at] >> 1), np.int64(t.from_list[at] & 1)
            if fits(t, v, tile, place):
                far = t.places[place, END + 1 - end]
                joined = 0
                if far != bit and has(v.near_own, far):
                    # Both ends at one snake close it to a ring.
                    others = without(meet(near(t, single(t.board, far)), ends), both)
                    joined = longest_at(t, s, seat, others)
                most = max(most, length + joined)
    return most


@inner
def longest_at(t, s, seat, ends):
    """The length of the snake with an end in this set of one cell or none."""
    if common(ends, ends) == ZERO:
        return 0
    length, _, _ = walk(t, s, seat, 0, lowest(ends))
    return length


@kernel
def bounds(t, s, low, high):
    """Snakes never shrink, so a seat keeps its longest; it grows no longer than its tiles, the free cells and the
    ways between them allow. With its last tile in hand a seat on turn takes what it gives."""
    for seat in range(t.seats):
        now = np.int64(longest(t, s, seat))
        low[seat], high[seat] = now, now
        tiles = tiles_left(s, seat)
        if tiles != ZERO:
            if t.floors > 1:
                high[seat] = max(now, most_on_floors(t, s, seat, tiles))
            elif tiles & (tiles - ONE) != ZERO:
                high[seat] = max(now, most_flat(t, s, seat, tiles))
            else:
                tile = word_lowest(tiles)
                last = max(now, most_with_last(t, s, seat, tile))
                # Laid somewhere else it is a snake of its own.
                high[seat] = max(last, t.tiles[tile, HEXES])
                if s[0] == np.uint64(seat):
                    low[seat] = last
