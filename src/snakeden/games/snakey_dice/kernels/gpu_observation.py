"""Observations by a GPU: a thread packs a word, 32 places, of every plane, and another one writes the numbers that are
the same everywhere."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.core.planes import FIELDS, words
from snakeden.games.snakey_dice.kernels.layout import (
    BLOCKADE,
    FRONT,
    POWER_UP,
    SNAKE,
    START_PLACE,
    TRAIL,
    WALL,
    WAY,
    Tables,
    seat_at,
)
from snakeden.games.snakey_dice.kernels.observation import HEADINGS_AT, write_values

_NONE = np.uint32(0)


def bit_parts(t: Tables) -> int:
    """How many threads pack the bits of a position: one a word of a plane."""
    return words((t.side + 2) ** 2)


def value_parts(t: Tables) -> int:
    """How many threads write its numbers."""
    return 1


@inline
def chosen(flag, bit):
    return np.uint32(1) << np.uint32(bit) if flag else _NONE


@inline
def starts_in(t, word):
    """The starts among the places of a word."""
    found = _NONE
    for start in unrolled(range(t.starts)):
        place = t.squares[start, START_PLACE]
        found |= chosen(word == place >> 5, place & 31)
    return found


@inline
def pack_seat(t, s, seat, ahead, word, bits):
    """The planes of a seat: its trail, and the square that it faces."""
    mover, trail = (seat + ahead) % t.seats, _NONE
    for bit in range(FIELDS):
        place = FIELDS * word + bit
        if place < (t.side + 2) * (t.side + 2):
            trail |= chosen(np.int64(s[t.board + place]) == SNAKE + mover, bit)
    bits[HEADINGS_AT + 4 * t.seats + ahead, word] = trail
    at = seat_at(mover)
    front, is_there = np.int64(s[at + FRONT]), s[at + TRAIL] > 0
    for way in range(4):
        is_faced = is_there and s[at + WAY] == way and front >> 5 == word
        bits[HEADINGS_AT + 4 * ahead + way, word] = chosen(is_faced, front & 31)


@kernel
def pack_bits(t, s, seat, word, bits):
    """Write a word of every plane."""
    walls, power_ups, blockades, enterable = _NONE, _NONE, _NONE, _NONE
    for bit in range(FIELDS):
        place = FIELDS * word + bit
        if place < (t.side + 2) * (t.side + 2):
            held = np.int64(s[t.board + place])
            walls |= chosen(held == WALL, bit)
            power_ups |= chosen(held == POWER_UP, bit)
            blockades |= chosen(held == BLOCKADE, bit)
            enterable |= chosen(held <= POWER_UP, bit)
    bits[0, word] = walls
    bits[1, word] = power_ups
    bits[2, word] = blockades
    bits[3, word] = starts_in(t, word)
    bits[4, word] = enterable
    for ahead in range(t.seats):
        pack_seat(t, s, seat, np.int64(ahead), word, bits)


@kernel
def pack_values(t, s, seat, part, values):
    """Write the numbers."""
    write_values(t, s, seat, values)
