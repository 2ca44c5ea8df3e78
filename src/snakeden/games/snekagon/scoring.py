"""The length of snakes."""

from __future__ import annotations

from snakeden.core.bitset import ZERO, common, has, load, lowest, single, size, without
from snakeden.core.kernel import inner
from snakeden.games.snekagon.layout import cells_at, floor_by, links_by
from snakeden.games.snekagon.sight import open_ends, step_bit, way_to_own


@inner
def walk(t, s, seat, floor, bit):
    """Follow a snake from this cell until it ends or closes: (cells passed, last floor, last bit; a ring's last
    bit is -1)."""
    start_floor, start_bit = floor, bit
    own = load(t.board, s, cells_at(t, floor, seat))
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
            own = load(t.board, s, cells_at(t, floor, seat))
        came = onward
        if floor == start_floor and bit == start_bit:
            return length, floor, -1
        length += 1


@inner
def longest(t, s, seat):
    """The number of cells of a seat's longest snake."""
    best, unseen = 0, 0
    for floor in range(t.floors):
        unseen += 2 * size(load(t.board, s, cells_at(t, floor, seat)))
        ends = open_ends(t, s, seat, floor)
        while common(ends, ends) != ZERO:
            bit = lowest(ends)
            length, last_floor, last_bit = walk(t, s, seat, floor, bit)
            best = max(best, length)
            # Every chain is counted from both its ends; where both are on this floor, at once.
            ends = without(ends, single(t.board, bit))
            unseen -= length
            if last_floor == floor:
                ends = without(ends, single(t.board, last_bit))
                unseen -= length
    if unseen == 0:
        return best
    for floor in range(t.floors):
        rest = without(load(t.board, s, cells_at(t, floor, seat)), open_ends(t, s, seat, floor))
        while common(rest, rest) != ZERO:
            bit = lowest(rest)
            rest = without(rest, single(t.board, bit))
            length, _, last_bit = walk(t, s, seat, floor, bit)
            if last_bit < 0:
                best = max(best, length)
    return best
