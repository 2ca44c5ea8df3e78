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
def way_to_own(t, own, bit):
    """As `sight.way_to_own`."""
    ways = around(t, own, bit)
    found = np.int64(-1)
    for way in unrolled((5, 4, 3, 2, 1, 0)):
        found = np.int64(way) if (ways >> way) & 1 else found
    return found


@kernel
def walk(t, s, seat, floor, bit):
    """As `scoring.walk`."""
    start_floor, start_bit = floor, bit
    own = load(board(t), s, cells_at(t, floor, seat))
    length = 1
    came = -1
    while True:
        ways = around(t, own, bit)
        turned = came if came >= 0 and came < 6 else 0
        ahead = ((ways | (ways << 6) | (ways << 12)) >> (turned + 5)) & 7
        left = turned + 1 if turned < 5 else 0
        right = turned - 1 if turned > 0 else 5
        onward = turned if ahead & 2 else left if ahead & 4 else right if ahead & 1 else -1
        if came < 0 or came >= 6:
            onward = -1
            for way in unrolled((5, 4, 3, 2, 1, 0)):
                onward = way if (ways >> way) & 1 else onward
        if onward < 0 and t.floors > 1:
            if came != 7 and has(links_by(t, s, floor, 0), bit):
                onward = 6
            elif came != 6 and has(links_by(t, s, floor, 1), bit):
                onward = 7
        if onward < 0:
            return length, floor, bit
        if onward < 6:
            bit = step_bit(t, bit, onward)
        else:
            floor = floor_by(t, floor, onward - 6)
            own = load(board(t), s, cells_at(t, floor, seat))
        came = onward
        if floor == start_floor and bit == start_bit:
            return length, floor, -1
        length += 1


@kernel
def longest(t, s, seat):
    """As `scoring.longest`, with one loop for snakes that end somewhere, and then for rings if cells are left."""
    best, unseen = 0, 0
    for part in range(2 * t.floors):
        is_second = part >= t.floors
        floor = part - t.floors if is_second else part
        if not is_second or unseen != 0:
            own, ends = load(board(t), s, cells_at(t, floor, seat)), open_ends(t, s, seat, floor)
            unseen += 0 if is_second else 2 * size(own)
            rest = without(own, ends) if is_second else ends
            while common(rest, rest) != ZERO:
                bit = lowest(rest)
                length, last_floor, last_bit = walk(t, s, seat, floor, bit)
                rest = without(rest, single(board(t), bit))
                best = max(best, length) if last_bit < 0 or not is_second else best
                if not is_second:
                    is_whole = last_floor == floor
                    rest = without(rest, single(board(t), last_bit)) if is_whole else rest
                    unseen -= 2 * length if is_whole else length
    return best
