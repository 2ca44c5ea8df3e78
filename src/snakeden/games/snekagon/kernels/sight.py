"""What a seat sees on a floor: the sets of cells that decide where its tiles fit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snakeden.core.bitset import ONE, ZERO, common, down, has, load, lowest, meet, single, union, up, without
from snakeden.core.kernel import inline, kernel
from snakeden.games.snekagon.kernels.layout import board, cells_at, floor_by, links_by


class Sight(NamedTuple):
    """What a seat sees on a floor: sets that decide where its tiles fit."""

    own: tuple[np.uint64, ...]
    taken: tuple[np.uint64, ...]
    """Cells of anybody."""
    near_own: tuple[np.uint64, ...]
    near_taken: tuple[np.uint64, ...]
    near_two: tuple[np.uint64, ...]
    """Cells next to two own cells or more."""
    sharp: tuple[np.uint64, ...]
    """Cells that a one-hex tile would turn into a branch or a sharp turn."""
    beside: tuple[np.uint64, ...]
    """Cells next to an own cell that has both its neighbours already."""
    astray: tuple[np.uint64, ...]
    """Cells where a snake that came through a floor would lose its heading."""
    ended: tuple[np.uint64, ...]
    """Own cells that have a neighbour or a link."""
    full: tuple[np.uint64, ...]
    """Own cells that have two."""
    blocked: tuple[np.uint64, ...]
    """Where no cell of a tile of two or more hexes may lie."""
    blocked_single: tuple[np.uint64, ...]
    """Where no one-hex tile may lie."""


# ---- geometry on sets


@inline
def near(t, a):
    """All cells next to a cell of the set."""
    level = union(up(a, ONE), down(a, ONE))
    above = union(up(a, t.stride), up(a, t.stride - ONE))
    under = union(down(a, t.stride), down(a, t.stride - ONE))
    return meet(union(level, union(above, under)), board(t))


@inline
def step_bit(t, bit, way):
    """The bit next to this one in a direction; it may lie outside the board, even below 0."""
    stride = np.int64(t.stride)
    if way == 0:
        return bit + 1
    if way == 1:
        return bit + stride
    if way == 2:
        return bit + stride - 1
    if way == 3:
        return bit - 1
    if way == 4:
        return bit - stride
    return bit - stride + 1


@inline
def way_to_own(t, own, bit):
    """The direction of a cell of the set next to this bit, -1 if there is none."""
    for way in range(6):
        if has(own, step_bit(t, bit, way)):
            return way
    return -1


# ---- what a seat sees


@inline
def own_counts(t, own):
    """Of the cells next to cells of the set: (next to one or more, to two or more, to three or more or to
    two that touch each other). May contain bits outside the board."""
    a, b, c = up(own, ONE), up(own, t.stride), up(own, t.stride - ONE)
    d, e, f = down(own, ONE), down(own, t.stride), down(own, t.stride - ONE)
    ab, cd, ef = union(a, b), union(c, d), union(e, f)
    one = union(ab, union(cd, ef))
    pairs = union(meet(a, b), union(meet(c, d), meet(e, f)))
    two = union(pairs, union(meet(ab, cd), union(meet(ab, ef), meet(cd, ef))))
    # Three of six always include two in a row or are every second one.
    rows = union(pairs, union(meet(b, c), union(meet(d, e), meet(f, a))))
    spread = union(meet(a, meet(c, e)), meet(b, meet(d, f)))
    return one, two, union(rows, spread)


@inline
def full_cells(t, s, floor, own, near_one, near_two):
    """Own cells that have two neighbours, links counted, and those that have one or two."""
    if t.floors == 1:
        return meet(own, near_two), meet(own, near_one)
    earlier, later = links_by(t, s, floor, 0), links_by(t, s, floor, 1)
    linked = union(earlier, later)
    full = meet(own, union(near_two, union(meet(near_one, linked), meet(earlier, later))))
    return full, meet(own, union(near_one, linked))


@kernel
def open_ends(t, s, seat, floor):
    """The cells of a seat on a floor that can be drilled through: those with one neighbour or none."""
    own = load(board(t), s, cells_at(t, floor, seat))
    near_one, near_two, _ = own_counts(t, own)
    full, _ = full_cells(t, s, floor, own, near_one, near_two)
    return without(own, full)


@kernel
def far_heading(t, s, seat, floor, bit):
    """The direction in which an open end's snake leaves this field, on its floor or, if the end came through
    floors, where it went in; -1 if it does not leave it."""
    came = -1
    while True:
        way = way_to_own(t, load(board(t), s, cells_at(t, floor, seat)), bit)
        if way >= 0:
            return way
        if came != 1 and has(links_by(t, s, floor, 1), bit):
            floor, came = floor_by(t, floor, 1), 0
        elif came != 0 and has(links_by(t, s, floor, 0), bit):
            floor, came = floor_by(t, floor, 0), 1
        else:
            return -1


@inline
def keeps_heading(leaves, goes):
    """Whether a snake that leaves a field in one direction may leave it in the other too: it goes on within
    60 degrees of where it was going. -1 stands for a step not made yet."""
    if leaves < 0 or goes < 0:
        return True
    turn = (goes - leaves + 6) % 6
    return turn >= 2 and turn <= 4


@kernel
def astray_cells(t, s, seat, floor, ends):
    """Cells next to the given ends, all come through a floor, where their snakes would lose their heading."""
    found = without(ends, ends)
    while common(ends, ends) != ZERO:
        bit = lowest(ends)
        ends = without(ends, single(board(t), bit))
        leaves = far_heading(t, s, seat, floor, bit)
        for way in range(6):
            if not keeps_heading(leaves, way):
                beside = step_bit(t, bit, way)
                if has(board(t), beside):
                    found = union(found, single(board(t), beside))
    return found


@inline
def taken_cells(t, s, floor):
    """The cells of all seats on a floor."""
    taken = load(board(t), s, cells_at(t, floor, 0))
    for seat in range(1, t.seats):
        taken = union(taken, load(board(t), s, cells_at(t, floor, seat)))
    return taken


@kernel
def sight(t, s, seat, floor):
    """What the seat sees on the floor."""
    own = load(board(t), s, cells_at(t, floor, seat))
    taken = taken_cells(t, s, floor)
    near_one, near_two, sharp = own_counts(t, own)
    full, ended = full_cells(t, s, floor, own, near_one, near_two)
    beside = near(t, full)
    astray = without(own, own)
    if t.advanced:
        astray = astray_cells(t, s, seat, floor, without(without(ended, full), near_one))
    common_blocks = union(taken, union(beside, astray))
    return Sight(
        own,
        taken,
        near_one,
        near(t, taken),
        near_two,
        sharp,
        beside,
        astray,
        ended,
        full,
        union(common_blocks, near_two),
        union(common_blocks, sharp),
    )
