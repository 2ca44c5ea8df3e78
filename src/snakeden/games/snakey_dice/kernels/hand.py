"""Sets of dice for kernels: a number with one hexadecimal digit a face, the lowest for face 1."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline
from snakeden.games.snakey_dice.kernels.layout import SET, SET_FROM, UPPER

_DIGITS = 0x111111
_GUARD = 0x888888


@inline
def faces_up(dice, face):
    """How many of the dice show the face."""
    return (dice >> (4 * (face - 1))) & 15


@inline
def one(face):
    """The set of one die."""
    return 1 << (4 * (face - 1))


@inline
def how_many(dice):
    """How many dice the set has."""
    return ((np.int64(dice) * _DIGITS) >> 20) & 15


@inline
def within(dice, others):
    """Whether the set is part of the other one."""
    return ((others | _GUARD) - dice) & _GUARD == _GUARD


@inline
def number_of(t, dice):
    """The number of a set."""
    return t.halves[dice & 4095, how_many(dice)] + t.halves[dice >> 12, UPPER]


@inline
def faces_mask(dice):
    """A bit for each face that the dice show, from face 1 on."""
    mask = 0
    for face in range(1, 7):
        mask |= (faces_up(dice, face) > 0) << (face - 1)
    return mask


@inline
def parts(dice):
    """How many different sets can be taken from the dice, the empty one included."""
    count = 1
    for face in range(1, 7):
        count *= faces_up(dice, face) + 1
    return count


@inline
def part(dice, n):
    """The n-th of them; the empty one is number 0."""
    found = 0
    while n > 0:
        lowest = dice & -dice
        # The lowest face's digit may begin at its second or third bit.
        shift = 0
        while lowest > 15:
            lowest >>= 4
            shift += 4
        count = (dice >> shift) & 15
        found |= (n % (count + 1)) << shift
        n //= count + 1
        dice &= ~(15 << shift)
    return found


@inline
def ignorable(dice, most):
    """How many different sets of up to `most` (at most three) can be taken from the dice."""
    single, double, triple = 0, 0, 0
    for face in range(1, 7):
        count = faces_up(dice, face)
        single += count > 0
        double += count > 1
        triple += count > 2
    total = 1 + single
    if most > 1:
        total += single * (single - 1) // 2 + double
    if most > 2:
        total += single * (single - 1) * (single - 2) // 6 + double * (single - 1) + triple
    return total


@inline
def nth_ignored(t, dice, most, n):
    """The number of the n-th set of up to `most` that can be taken from the dice."""
    for number in range(SET_FROM[most + 1]):
        if within(t.sets[number, SET], dice):
            if n == 0:
                return number
            n -= 1
    return -1


@inline
def nth_bit(mask, n):
    """The place of the n-th bit of a mask that is set."""
    for _ in range(n):
        mask &= mask - 1
    place = 0
    while mask & 1 == 0:
        mask >>= 1
        place += 1
    return place


@inline
def bits_set(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
