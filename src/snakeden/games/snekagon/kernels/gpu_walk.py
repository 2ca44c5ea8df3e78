"""Following snakes on a GPU: the six cells around a field are looked at together, by shifts instead of branches."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, common, has, load, lowest, single, size, without
from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.games.snekagon.kernels.layout import board, cells_at, floor_by, links_by
from snakeden.games.snekagon.kernels.sight import open_ends, step_bit

_WORD_MASK = np.uint64(63)


@inline
def around(t, own, bit):
    """Which of the six cells next to this bit are in the set: a bit a direction."""
    start = np.int64(bit) - np.int64(t.stride)
    word, following = start >> 6, ZERO
    low = ZERO
    for k in unrolled(range(4)):
        if k < len(own):
            low = own[k] if word == k else low
            following = own[k] if word == k - 1 else following
    n = np.uint64(start) & _WORD_MASK
    window = (low >> n) | ((following << ONE) << (_WORD_MASK - n))
    wide = np.int64(t.stride)
    found = np.int64(0)
    for way in unrolled(range(6)):
        at = step_bit(t, wide, way)
        found |= np.int64((window >> np.uint64(at)) & ONE) << way
    return found


@inline
def first_of(ways):
    """The first of the directions, -1 if there is none."""
    found = np.int64(-1)
    for way in unrolled((5, 4, 3, 2, 1, 0)):
        found = np.int64(way) if (ways >> way) & 1 else found
    return found


@inline
def way_to_own(t, own, bit):
    """As `sight.way_to_own`."""
    return first_of(around(t, own, bit))


@inline
def onward_from(t, s, own, floor, bit, came):
    """The direction in which a snake goes on from a cell, 6 and 7 for the floor before and after, -1 where it ends: as
    in `scoring.walk`."""
    ways = around(t, own, bit)
    turned = came if came >= 0 and came < 6 else 0
    ahead = ((ways | (ways << 6) | (ways << 12)) >> (turned + 5)) & 7
    left = turned + 1 if turned < 5 else 0
    right = turned - 1 if turned > 0 else 5
    found = turned if ahead & 2 else left if ahead & 4 else right if ahead & 1 else -1
    if came < 0 or came >= 6:
        found = first_of(ways)
    if found < 0:
        before, after = has(links_by(t, s, floor, 0), bit), has(links_by(t, s, floor, 1), bit)
        found = 6 if came != 7 and before else 7 if came != 6 and after else -1
    return found


@inline
def cells_to_walk(t, s, seat, part, own):
    """The cells of a floor where walks begin: open ends, and in the second half of the parts all others."""
    ends = open_ends(t, s, seat, part if part < t.floors else part - t.floors)
    return ends if part < t.floors else without(own, ends)


@kernel
def longest_of_all(t, s, out):
    """As `scoring.longest`, for all seats. A pass is one step of a walk, or begins the next: threads that walk along
    different snakes go step by step together. Parts are floors, and once more all floors for rings."""
    seat, part, best, unseen = 0, -1, 0, 0
    is_walking, length, came = False, 0, -1
    start_floor, start_bit, floor, bit = 0, 0, 0, 0
    rest = without(board(t), board(t))
    while seat < t.seats:
        own = load(board(t), s, cells_at(t, floor, seat))
        if is_walking:
            onward = onward_from(t, s, own, floor, bit, came)
            came = onward
            if onward >= 6:
                floor = floor_by(t, floor, onward - 6)
            elif onward >= 0:
                bit = step_bit(t, bit, onward)
            is_ring = onward >= 0 and floor == start_floor and bit == start_bit
            is_walking = onward >= 0 and not is_ring
            length += 1 if is_walking else 0
            if not is_walking:
                is_first = part < t.floors
                best = max(best, length) if is_first or is_ring else best
                is_whole = is_first and floor == start_floor
                rest = without(rest, single(board(t), bit)) if is_whole else rest
                if is_first:
                    unseen -= 2 * length if is_whole else length
                floor = start_floor
        elif common(rest, rest) != ZERO:
            bit = lowest(rest)
            rest = without(rest, single(board(t), bit))
            start_floor, start_bit = floor, bit
            is_walking, length, came = True, 1, -1
        else:
            part += 1
            if part == 2 * t.floors or (part >= t.floors and unseen == 0):
                out[seat] = best
                seat, part, best, unseen, floor = seat + 1, -1, 0, 0, 0
            else:
                floor = part if part < t.floors else part - t.floors
                own = load(board(t), s, cells_at(t, floor, seat))
                unseen += 2 * size(own) if part < t.floors else 0
                rest = cells_to_walk(t, s, seat, part, own)
