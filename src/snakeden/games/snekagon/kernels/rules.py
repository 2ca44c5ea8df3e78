"""The rules of Snekagon and Snekagon 5G, as the house asks for them. Snekagon is played on a single floor, and so
has no links; all else is the same.

`layout.py` describes the layout of a state and of a move's number.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, add_at, row_set, single, write_through
from snakeden.core.game import OVER
from snakeden.core.kernel import inline, kernel
from snakeden.games.snekagon.kernels.faults import fault
from snakeden.games.snekagon.kernels.layout import (
    DONE,
    END,
    FIRST_SHAPE,
    JOINTS,
    OVER_WORD,
    TILE,
    Tables,
    board,
    cells_at,
    cells_of,
    floor_by,
    hand,
    joints_at,
    links_at,
    number,
    opening,
    split,
    tables,
)
from snakeden.games.snekagon.kernels.legality import can_place, drills, fitting, next_linked
from snakeden.games.snekagon.kernels.sampling import sample_flat, sample_floors
from snakeden.games.snekagon.kernels.scoring import longest
from snakeden.games.snekagon.kernels.sight import sight

__all__ = [
    "DTYPE",
    "Tables",
    "apply",
    "fault",
    "legal",
    "opening",
    "sample",
    "scores",
    "settle",
    "tables",
    "turn",
    "weight",
]

DTYPE = np.uint64


@kernel
def turn(t, s):
    """The seat to move, or OVER."""
    return OVER if s[0] == OVER_WORD else np.int64(s[0])


@inline
def pass_on(t, s):
    """Hand the turn to the next seat that is not done; the game is over if there is none."""
    seat = np.int64(s[0])
    for ahead in range(1, t.seats + 1):
        following = (seat + ahead) % t.seats
        if s[1 + following] & DONE == ZERO:
            s[0] = np.uint64(following)
            return
    s[0] = OVER_WORD


@inline
def give_up(t, s):
    """The seat to move can place nothing, and never will again: others only take room away."""
    s[1 + np.int64(s[0])] |= DONE
    pass_on(t, s)


@kernel
def settle(t, s):
    """Pass over seats that cannot place."""
    while s[0] != OVER_WORD and not can_place(t, s, np.int64(s[0])):
        give_up(t, s)


@kernel
def sort_tail(out, first, last):
    """Sort out[first:last] in place (Shell sort: short, and allocates nothing)."""
    gap = (last - first) // 2
    while gap > 0:
        for i in range(first + gap, last):
            value, j = out[i], i
            while j >= first + gap and out[j - gap] > value:
                out[j] = out[j - gap]
                j -= gap
            out[j] = value
        gap //= 2


@kernel
def legal_here(t, s, seat, out):
    """Write the seat's legal moves in ascending order; how many."""
    found = 0
    tiles = hand(t, s, seat)
    for floor in range(t.floors):
        v = sight(t, s, seat, floor)
        for tile in range(t.tile_count):
            if (tiles >> np.uint64(tile)) & ONE:
                first = number(t, floor, 0, 0)
                for shape in range(t.tiles[tile, FIRST_SHAPE], t.tiles[tile + 1, FIRST_SHAPE]):
                    anchors = fitting(t, v, tile, shape)
                    found = write_through(anchors, t.at_anchor, shape, first, out, found)
        if t.floors > 1:
            earlier, later = drills(t, s, seat, floor, 0, v.taken), drills(t, s, seat, floor, 1, v.taken)
            start = found
            way, fields, at, entry, move = next_linked(t, s, seat, floor, v, later, 0, earlier, 0, 0)
            while move >= 0:
                out[found] = move
                found += 1
                way, fields, at, entry, move = next_linked(
                    t, s, seat, floor, v, later, way, fields, at, entry
                )
            sort_tail(out, start, found)
    return found


@kernel
def legal(t, s, out):
    """Settle, write the legal moves in ascending order, return how many."""
    while s[0] != OVER_WORD:
        found = legal_here(t, s, np.int64(s[0]), out)
        if found > 0:
            return found
        give_up(t, s)
    return 0


@kernel
def apply(t, s, move):
    """Place a tile, unchecked, and hand the turn on."""
    floor, link, place = split(t, move)
    seat = np.int64(s[0])
    add_at(s, cells_at(t, floor, seat), cells_of(t, place))
    for axis in range(3):
        add_at(s, joints_at(t, floor, axis), row_set(board(t), t.masks, place, (JOINTS + axis) * t.width))
    if link > 0:
        way, end = (link - 1) & 1, (link - 1) >> 1
        add_at(
            s,
            links_at(t, floor_by(t, floor, 0) if way == 0 else floor),
            single(board(t), t.places[place, END + end]),
        )
    s[1 + seat] &= ~(ONE << np.uint64(t.places[place, TILE]))
    pass_on(t, s)


@kernel
def sample(t, s, rng):
    """Settle and draw a legal move, each with the same probability: random placements until one is legal, and
    after TRIES of them a draw from all legal moves, which is uniform too."""
    while s[0] != OVER_WORD:
        seat = np.int64(s[0])
        if t.floors == 1:
            rng, move = sample_flat(t, s, seat, rng)
        else:
            rng, move = sample_floors(t, s, seat, rng)
        if move >= 0:
            return rng, move
        give_up(t, s)
    return rng, np.int64(-1)


@kernel
def weight(t, s, move):
    """There is no chance in this game."""
    return 1.0


@kernel
def scores(t, s, out):
    """The length of each seat's longest snake."""
    for seat in range(t.seats):
        out[seat] = longest(t, s, seat)
