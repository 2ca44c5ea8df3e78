"""Observations by a GPU: a thread packs one plane, and another one number of those that are the same everywhere."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, load, meet, up
from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.games.snekagon.kernels import observation
from snakeden.games.snekagon.kernels.layout import DONE, Tables, board, cells_at, links_at, room_of
from snakeden.games.snekagon.kernels.observation import constant_planes

_HALF = np.uint64(0xFFFFFFFF)


def bit_parts(t: Tables) -> int:
    """How many threads pack the bits of a position: one a plane."""
    return len(observation.planes(t)) - constant_planes(t)


def value_parts(t: Tables) -> int:
    """How many threads write its numbers: one each."""
    return constant_planes(t)


@inline
def mark_set(t, cells, bits, plane):
    """As `observation.mark_set`, but every word is written once. Rows lie a bit further apart than they have fields."""
    rows = 2 * t.side - 1
    left = up(meet(cells, board(t)), np.uint64(t.side - 1))
    pending = ZERO
    for row in unrolled(range(rows)):
        word = (rows + 1) * row >> 6
        low = (rows + 1) * row & 63
        first = rows * row
        held = left[word] >> np.uint64(low)
        if low + rows > 64 and word + 1 < t.width:
            held |= left[word + 1] << np.uint64(64 - low)
        pending |= (held & np.uint64((1 << rows) - 1)) << np.uint64(first & 31)
        if (first & 31) + rows >= 32:
            bits[plane, first >> 5] = np.uint32(pending & _HALF)
            pending >>= np.uint64(32)
    if rows * rows & 31:
        bits[plane, rows * rows >> 5] = np.uint32(pending)


@kernel
def pack_bits(t, s, seat, plane, bits):
    """Write the bits of a plane."""
    cells, k = room_of(t, 0), plane - 1
    if k >= 0:
        own = cells_at(t, k // t.seats, (seat + k % t.seats) % t.seats)
        cells = load(board(t), s, own if k < t.floors * t.seats else links_at(t, k - t.floors * t.seats))
    mark_set(t, cells, bits, plane)


@kernel
def pack_values(t, s, seat, k, values):
    """Write a number."""
    tiles = t.seats * t.tile_count
    ahead, bit = (k // t.tile_count, np.uint64(k % t.tile_count)) if k < tiles else (k - tiles, ZERO)
    supply = s[1 + (seat + ahead) % t.seats]
    values[k] = np.float32((supply >> bit) & ONE if k < tiles else np.uint64(supply & DONE != ZERO))


REPLACED = {observation.mark_set: mark_set}
