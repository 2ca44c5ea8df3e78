"""How long snakes are for certain, and how long they can get at most: what lets an exact search stop early."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snakeden.core.bitset import (
    ONE,
    ZERO,
    common,
    lowered,
    lowest,
    meet,
    single,
    size,
    union,
    without,
    word_lowest,
    word_size,
)
from snakeden.core.kernel import inline, kernel, noinline
from snakeden.games.snekagon.kernels import rules
from snakeden.games.snekagon.kernels.layout import (
    DONE,
    ENDS,
    FIRST_SHAPE,
    HEXES,
    OVER_WORD,
    TILE,
    beside_of,
    board,
)
from snakeden.games.snekagon.kernels.legality import fitting
from snakeden.games.snekagon.kernels.scoring import (
    add_snakes,
    end_lengths,
    length_at,
    longest,
    three_longest,
    walk,
)
from snakeden.games.snekagon.kernels.sight import near, sight


@kernel
def reach(t, start, through):
    """The cells of the set `through` that are connected to `start` within it."""
    found = meet(start, through)
    while True:
        wider = meet(union(found, near(t, found)), through)
        if common(without(wider, found), wider) == ZERO:
            return found
        found = wider


@inline
def tiles_left(s, seat):
    """The tiles a seat will ever choose from."""
    if s[0] == OVER_WORD or s[1 + seat] & DONE != ZERO:
        return ZERO
    return s[1 + seat]


@inline
def sums_of(t, tiles):
    """(all hexes of the tiles together, a word whose bit n says whether some of them have n hexes together)."""
    hexes, sums = 0, ONE
    while tiles != ZERO:
        more = t.tiles[word_lowest(tiles), HEXES]
        tiles &= tiles - ONE
        hexes += more
        sums |= sums << np.uint64(more)
    return hexes, sums


@inline
def most_filled(sums, cells):
    """The most hexes of tiles that fit into this many cells, whatever their shape."""
    sums &= (ONE << np.uint64(cells + 1)) - ONE if cells < 63 else ~ZERO
    most = 0
    while sums != ZERO:
        most = word_lowest(sums)
        sums &= sums - ONE
    return most


@noinline
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
    free = without(board(t), blocked)
    ends, rest = without(v.own, v.full), free
    most = 0
    while common(rest, rest) != ZERO:
        # One group of areas and snakes that hang together.
        waiting = single(board(t), lowest(rest))
        room, passing = 0, 0
        stuck, stuck_too = 0, 0
        best, second, third = 0, 0, 0
        while common(waiting, waiting) != ZERO:
            area = reach(t, single(board(t), lowest(waiting)), rest)
            rest, waiting = without(rest, area), without(waiting, area)
            room += most_filled(sums, size(area))
            tips = meet(ends, near(t, area))
            while common(tips, tips) != ZERO:
                bit = lowest(tips)
                length, _, last = walk(t, s, seat, 0, bit)
                one = single(board(t), bit)
                tips, ends = without(tips, one), without(ends, one)
                # An end may lie between several areas, and grow into any of them.
                waiting = union(waiting, meet(near(t, one), rest))
                onward = free
                if last != bit:
                    other = single(board(t), last)
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


@noinline
def most_on_floors(t, s, seat, tiles):
    """The same for several floors, where snakes find ways around: all free cells and all snakes count, but for
    those too many to be joined by the last two tiles."""
    count = word_size(tiles)
    hexes, _ = sums_of(t, tiles)
    best, second, third, total, room = 0, 0, 0, 0, 0
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        room += size(without(board(t), v.taken))
        ends = without(v.own, v.full)
        total, best, second, third = add_snakes(t, s, seat, floor, ends, total, best, second, third)
    if count == 1:
        total = best + second
    elif count == 2:
        total = best + second + third
    return total + min(room, hexes)


@noinline
def most_with_last(t, s, seat, tile):
    """The longest snake that the seat can make on a single floor by putting its last tile to an open end now,
    0 if it fits to none. What others place only takes room away."""
    v = sight(t, s, seat, 0)
    ends = without(v.own, v.full)
    fronts = near(t, ends)
    lengths = end_lengths(t, s, seat, 0, ends)
    most = 0
    for shape in range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE]):
        touching = union(lowered(fronts, t.shapes[ENDS, shape]), lowered(fronts, t.shapes[ENDS + 1, shape]))
        anchors = meet(fitting(t, v, tile, shape), touching)
        while common(anchors, anchors) != ZERO:
            bit = lowest(anchors)
            anchors = without(anchors, single(board(t), bit))
            joined = meet(beside_of(t, np.int64(t.at_anchor[shape, bit])), ends)
            most = max(most, length_at(t, s, seat, 0, lengths, joined))
    return most + t.tiles[tile, HEXES] if most > 0 else most


@kernel
def least_of(t, s, seat):
    """A seat's longest snake gets at least this long."""
    return least_from(t, s, seat, np.int64(longest(t, s, seat)))


@inline
def least_from(t, s, seat, now):
    """The same, from its longest snake `now`. Snakes never shrink, so a seat keeps that. With its last tile in hand a
    seat on turn takes what that gives."""
    tiles = tiles_left(s, seat)
    if t.floors == 1 and s[0] == np.uint64(seat) and tiles != ZERO and tiles & (tiles - ONE) == ZERO:
        now = max(now, most_with_last(t, s, seat, word_lowest(tiles)))
    return now


@kernel
def most_of(t, s, seat, least):
    """A seat's longest snake grows no longer than its tiles, the free cells and the ways between them allow."""
    tiles = tiles_left(s, seat)
    if tiles == ZERO:
        return least
    if t.floors > 1:
        return max(least, most_on_floors(t, s, seat, tiles))
    if tiles & (tiles - ONE) != ZERO:
        return max(least, most_flat(t, s, seat, tiles))
    tile = word_lowest(tiles)
    if s[0] != np.uint64(seat):
        least = max(least, most_with_last(t, s, seat, tile))
    # Laid somewhere else it is a snake of its own.
    return max(least, np.int64(t.tiles[tile, HEXES]))


@kernel
def bounds(t, s, low, high):
    for seat in range(t.seats):
        low[seat] = least_of(t, s, seat)
        high[seat] = most_of(t, s, seat, low[seat])


class Before(NamedTuple):
    """What is the same for all moves of a position with two seats."""

    longest: int
    """The longest snake of the seat to move."""
    other: int
    """The longest snake of the other."""
    most: int
    """No snake of the other gets longer than this."""
    ends: tuple[np.uint64, ...]
    """On a single floor the open ends of the seat to move."""
    lengths: tuple[tuple[np.uint64, ...], ...]
    """The lengths of their snakes, as `end_lengths` gives them."""


@kernel
def before_moves(t, s):
    """What `score_after` and the solver ask about a position."""
    seat = np.int64(s[0])
    v = sight(t, s, seat, 0)
    ends = without(v.own, v.full)
    lengths = end_lengths(t, s, seat, 0, ends)
    other = np.int64(longest(t, s, 1 - seat))
    return Before(np.int64(longest(t, s, seat)), other, most_of(t, s, 1 - seat, other), ends, lengths)


@kernel
def score_after(t, s, before, move, scratch):
    """The longest snake of the seat to move after this move."""
    seat = np.int64(s[0])
    if t.floors > 1:
        for k in range(t.words):
            scratch[k] = s[k]
        rules.apply(t, scratch, move)
        return np.int64(longest(t, scratch, seat))
    length = np.int64(t.tiles[t.places[move, TILE], HEXES])
    joined = meet(beside_of(t, move), before.ends)
    if common(joined, joined) != ZERO:
        length += length_at(t, s, seat, 0, before.lengths, joined)
    return max(before.longest, length)


@kernel
def sure_lead(t, seat, after, score, other):
    """How far ahead of the other a seat ends for certain, with longest snakes of these lengths now."""
    least, least_other = least_from(t, after, seat, score), least_from(t, after, 1 - seat, other)
    return least - most_of(t, after, 1 - seat, least_other)


@kernel
def best_lead(t, seat, after, score, other):
    """How far ahead of the other a seat ends at most, with longest snakes of these lengths now."""
    least, least_other = least_from(t, after, seat, score), least_from(t, after, 1 - seat, other)
    return most_of(t, after, seat, least) - least_other


@kernel
def prune(t, s, need, moves, count):
    """Drop the moves after which the player to move cannot end `need` ahead of the other any more; (how many are
    left, the most those dropped could have been ahead). For two seats.

    The longest snake at the end either has the tile in it that is placed now, or it is made without that tile.
    """
    if t.floors > 1:
        return count, np.int64(0)
    seat = np.int64(s[0])
    behind, now = np.int64(longest(t, s, 1 - seat)), np.int64(longest(t, s, seat))
    goal = need + behind
    if now >= goal:
        return count, np.int64(0)
    v = sight(t, s, seat, 0)
    ends = without(v.own, v.full)
    tiles = s[1 + seat]
    hexes, _ = sums_of(t, tiles)
    # Every tile after this one can bring one more snake in.
    later = word_size(tiles) - 1
    total, best, second, _ = add_snakes(t, s, seat, 0, ends, 0, 0, 0, 0)
    brought = total
    if later < 3:
        brought = best * (later > 0) + second * (later > 1)
    if hexes + brought >= goal:
        return count, np.int64(0)
    lengths = end_lengths(t, s, seat, 0, ends)
    kept, most = 0, np.int64(0)
    tile, without_it = np.int64(-1), now
    for k in range(count):
        place = np.int64(moves[k])
        joined = meet(beside_of(t, place), ends)
        length = hexes + brought
        if common(joined, joined) != ZERO:
            length += length_at(t, s, seat, 0, lengths, joined)
        if length < goal:
            if t.places[place, TILE] != tile:
                tile = np.int64(t.places[place, TILE])
                others = tiles & ~(ONE << np.uint64(tile))
                without_it = max(now, most_flat(t, s, seat, others)) if others != ZERO else now
            length = max(length, without_it)
        if length >= goal:
            moves[kept] = moves[k]
            kept += 1
        else:
            most = max(most, length)
    return kept, most - behind
