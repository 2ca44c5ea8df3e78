"""Observations by a GPU: a thread packs a word, 32 places, of every plane, and another one each of the numbers that are
the same everywhere."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.core.planes import FIELDS, words
from snakeden.games.snakey_dice.kernels.hand import faces_up
from snakeden.games.snakey_dice.kernels.layout import (
    ACTIONS,
    BLOCKADE,
    BLOCKADES_DUE,
    DICE_DUE,
    EATEN,
    FINISHED,
    FIRST,
    FLIPS,
    FRONT,
    GIVEN,
    HAND,
    LAST,
    LEVEL,
    LEVEL_DUE,
    MOST_DICE,
    MOST_GIVEN,
    OUT,
    PHASE,
    POWER_UP,
    POWER_UPS_DUE,
    REROLLS,
    SNAKE,
    START_PLACE,
    TOP,
    TRAIL,
    UNLOCKED,
    UNLOCKS,
    WALL,
    WAY,
    Tables,
    seat_at,
)
from snakeden.games.snakey_dice.kernels.observation import (
    _USES,
    HEADINGS_AT,
    MOST_ACTIONS,
    MOST_DUE,
    constant_planes,
)

_NONE = np.uint32(0)
_SHARED = FINISHED + 7
"""The first number after those of phases and of faces."""
_SEATS, _OWN = _SHARED + 9, 19
"""Where the numbers of seats begin, and how many each has."""


def bit_parts(t: Tables) -> int:
    """How many threads pack the bits of a position: one a word of a plane."""
    return words((t.side + 2) ** 2)


def value_parts(t: Tables) -> int:
    """How many threads write its numbers: one each."""
    return constant_planes(t)


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
def other_trail(t, s, mover, word):
    """The trail of a seat among the places of a word."""
    trail = _NONE
    for bit in range(FIELDS):
        place = FIELDS * word + bit
        if place < (t.side + 2) * (t.side + 2):
            trail |= chosen(np.int64(s[t.board + place]) == SNAKE + mover, bit)
    return trail


@inline
def pack_seat(t, s, mover, ahead, trail, word, bits):
    """The planes of a seat: its trail, and the square that it faces."""
    bits[HEADINGS_AT + 4 * t.seats + ahead, word] = trail
    at = seat_at(mover)
    front, is_there = np.int64(s[at + FRONT]), s[at + TRAIL] > 0
    for way in range(4):
        is_faced = is_there and s[at + WAY] == way and front >> 5 == word
        bits[HEADINGS_AT + 4 * ahead + way, word] = chosen(is_faced, front & 31)


@kernel
def pack_bits(t, s, seat, word, bits):
    """Write a word of every plane."""
    walls, power_ups, blockades, enterable, own = _NONE, _NONE, _NONE, _NONE, _NONE
    for bit in range(FIELDS):
        place = FIELDS * word + bit
        if place < (t.side + 2) * (t.side + 2):
            held = np.int64(s[t.board + place])
            walls |= chosen(held == WALL, bit)
            power_ups |= chosen(held == POWER_UP, bit)
            blockades |= chosen(held == BLOCKADE, bit)
            enterable |= chosen(held <= POWER_UP, bit)
            own |= chosen(held == SNAKE + seat, bit)
    bits[0, word] = walls
    bits[1, word] = power_ups
    bits[2, word] = blockades
    bits[3, word] = starts_in(t, word)
    bits[4, word] = enterable
    pack_seat(t, s, seat, np.int64(0), own, word, bits)
    for ahead in range(1, t.seats):
        mover = (seat + ahead) % t.seats
        pack_seat(t, s, mover, np.int64(ahead), other_trail(t, s, mover, word), word, bits)


@inline
def table_value(s, k):
    """A number that all seats share: where it stands, and what it is a share of."""
    word, most, share = UNLOCKED, MOST_DICE, np.int64(0)
    if k == _SHARED + 1:
        word, most = REROLLS, _USES
    elif k == _SHARED + 2:
        word, most = FLIPS, _USES
    elif k == _SHARED + 3:
        word, most = UNLOCKS, _USES
    elif k == _SHARED + 4:
        word = DICE_DUE
    elif k == _SHARED + 5:
        word, most = BLOCKADES_DUE, MOST_DUE
    elif k == _SHARED + 6:
        word, most = POWER_UPS_DUE, MOST_DUE
    elif k == _SHARED + 7:
        word, most = LEVEL_DUE, 1
    elif k == _SHARED + 8:
        word, most = LAST, 1
    share = np.int64(s[word])
    return (min(share, MOST_DUE) if most == MOST_DUE else share), most


@inline
def seat_value(t, s, other, k):
    """A seat's own number."""
    at, track = seat_at(other), (k - 1) & 3
    word, most = at + OUT, 1
    if k >= _OWN - 2:
        word, most = at + (TRAIL if k == _OWN - 2 else EATEN), t.side * t.side
    elif k >= 13:
        word = FIRST + track
    elif k >= 9:
        word, most = at + GIVEN + track, MOST_GIVEN
    elif k >= 5:
        word, most = at + ACTIONS + track, MOST_ACTIONS
    elif k >= 1:
        word, most = at + LEVEL + track, TOP
    held = np.int64(s[word])
    is_first = k >= 13 and k < _OWN - 2
    return np.int64(held == other + 1) if is_first else held, most


@kernel
def pack_values(t, s, seat, k, values):
    """Write one of the numbers, as `observation.write_values`. They are small, so that their shares are the same in
    32 bits."""
    share, most = np.int64(0), 1
    if k <= FINISHED:
        share = np.int64(s[PHASE] == k)
    elif k < _SHARED:
        share, most = np.int64(faces_up(s[HAND], k - FINISHED)), MOST_DICE
    elif k < _SEATS:
        share, most = table_value(s, k)
    else:
        ahead = (k - _SEATS) // _OWN
        share, most = seat_value(t, s, (seat + ahead) % t.seats, (k - _SEATS) % _OWN)
    values[k] = np.float32(share) / np.float32(most)
