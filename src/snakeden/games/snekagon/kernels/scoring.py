"""The length of snakes."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ZERO, common, has, load, lowest, meet, single, size, union, without
from snakeden.core.kernel import inline, kernel, noinline
from snakeden.games.snekagon.kernels.layout import board, cells_at, floor_by, links_by
from snakeden.games.snekagon.kernels.sight import open_ends, step_bit, way_to_own


@kernel
def walk(t, s, seat, floor, bit):
    """Follow a snake from this cell until it ends or closes: (cells passed, last floor, last bit; a ring's last
    bit is -1)."""
    start_floor, start_bit = floor, bit
    own = load(board(t), s, cells_at(t, floor, seat))
    length = 1
    came = -1  # the direction of the last step; 6 and 7 for a step to the floor before and after
    while True:
        onward = -1
        if came >= 0 and came < 6:
            # No sharp turns: a snake goes straight on or bends by 60 degrees.
            for way in (came, came + 1 if came < 5 else 0, came - 1 if came > 0 else 5):
                if has(own, step_bit(t, bit, way)):
                    onward = way
                    break
        else:
            onward = way_to_own(t, own, bit)
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
    """The number of cells of a seat's longest snake."""
    best, unseen = 0, 0
    for floor in range(t.floors):
        unseen += 2 * size(load(board(t), s, cells_at(t, floor, seat)))
        ends = open_ends(t, s, seat, floor)
        while common(ends, ends) != ZERO:
            bit = lowest(ends)
            length, last_floor, last_bit = walk(t, s, seat, floor, bit)
            best = max(best, length)
            # Every chain is counted from both its ends; where both are on this floor, at once.
            ends = without(ends, single(board(t), bit))
            unseen -= length
            if last_floor == floor:
                ends = without(ends, single(board(t), last_bit))
                unseen -= length
    if unseen == 0:
        return best
    for floor in range(t.floors):
        rest = without(load(board(t), s, cells_at(t, floor, seat)), open_ends(t, s, seat, floor))
        while common(rest, rest) != ZERO:
            bit = lowest(rest)
            rest = without(rest, single(board(t), bit))
            length, _, last_bit = walk(t, s, seat, floor, bit)
            if last_bit < 0:
                best = max(best, length)
    return best


@inline
def three_longest(length, best, second, third):
    """The three longest of four lengths, of which three stand in order already."""
    return max(length, best), max(min(length, best), second), max(min(length, second), third)


@kernel
def add_snakes(t, s, seat, floor, ends, total, best, second, third):
    """Take the snakes with an end in the set into (lengths together, the three longest)."""
    while common(ends, ends) != ZERO:
        bit = lowest(ends)
        length, last_floor, last = walk(t, s, seat, floor, bit)
        ends = without(ends, single(board(t), bit))
        if last_floor == floor and last >= 0:
            ends = without(ends, single(board(t), last))
        total += length
        best, second, third = three_longest(length, best, second, third)
    return total, best, second, third


@noinline
def joined_length(t, s, seat, floor, ends):
    """The lengths together of the snakes that have an end in the set, each once."""
    return add_snakes(t, s, seat, floor, ends, 0, 0, 0, 0)[0]


@noinline
def end_lengths(t, s, seat, floor, ends):
    """The lengths of the snakes with these ends, in binary: six sets, of which the k-th has the ends whose snake's
    length has the k-th bit."""
    none = without(ends, ends)
    b0, b1, b2, b3, b4, b5 = none, none, none, none, none, none
    while common(ends, ends) != ZERO:
        bit = lowest(ends)
        length, last_floor, last_bit = walk(t, s, seat, floor, bit)
        tips = single(board(t), bit)
        if last_floor == floor and last_bit >= 0:
            tips = meet(union(tips, single(board(t), last_bit)), ends)
        ends = without(ends, tips)
        b0 = union(b0, tips) if length & 1 else b0
        b1 = union(b1, tips) if length & 2 else b1
        b2 = union(b2, tips) if length & 4 else b2
        b3 = union(b3, tips) if length & 8 else b3
        b4 = union(b4, tips) if length & 16 else b4
        b5 = union(b5, tips) if length & 32 else b5
    return b0, b1, b2, b3, b4, b5


@inline
def length_at(t, s, seat, floor, lengths, ends):
    """The lengths together of the snakes that have an end in the set, each once; `lengths` as `end_lengths` gave
    them for this floor."""
    if size(ends) > 1:
        # These may be both ends of one snake.
        return joined_length(t, s, seat, floor, ends)
    found = 0
    for k in range(6):
        found += np.int64(common(ends, lengths[k]) != ZERO) << k
    return found
