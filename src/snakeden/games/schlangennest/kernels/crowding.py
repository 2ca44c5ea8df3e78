"""Crowding: what the snakes' ends may not come to, all at once, on free squares."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, noinline
from snakeden.games.schlangennest.cards import CURVE
from snakeden.games.schlangennest.kernels.strands import end_of, supply

THREE_SNAKES, FOUR_COLOURS, NO_CURVE = 1, 2, 3


@inline
def end_after(s, change, colour, which):
    """A snake's first (0) or second (1) end after the change; negative if it is none."""
    for i in range(3):
        if change.colours[i] == colour:
            return change.one[i] if which == 0 else change.other[i]
    return end_of(s, colour, which)


@inline
def reaching(t, s, change, square):
    """The colours whose snakes reach this square after the change, a bit each."""
    colours = np.int64(0)
    for colour in range(t.colours):
        for which in range(2):
            end = end_after(s, change, colour, which)
            if end >= 0 and end >> 2 == square:
                colours |= 1 << colour
    return colours


@inline
def count_bits(mask):
    count = np.int64(0)
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inline
def first_to_curve(t, mover, a, b):
    """Of two colours, the one whose owner comes first after the mover, the mover last. They have different
    owners: a player's two snakes begin with a tail and so have one open end each."""
    return a if (a - mover - 1) % t.seats <= (b - mover - 1) % t.seats else b


@inline
def both_round_corner(one, other):
    """Whether two ends come to one square on neighbouring sides."""
    return one >= 0 and other >= 0 and one >> 2 == other >> 2 and (one ^ other) & 3 != 2


@noinline
def crowding(t, s, change, mover, kind):
    """(0, 0, 0) if the change crowds no square; else which of the three rules it breaks, the square, and: the
    colours there as bits, the other square, or both colours and the one that lacks a curve, a * 16 + b * 4 +
    it. `kind` is the kind of card that the mover lays from its supply for the first strand of the change, or
    -1."""
    for i in range(3):
        colour = change.colours[i]
        if colour >= 0:
            one, other = change.one[i], change.other[i]
            if t.colours > 2:
                for which in range(2):
                    end = one if which == 0 else other
                    if end >= 0:
                        here = reaching(t, s, change, end >> 2)
                        if count_bits(here) > 2:
                            return np.int64(THREE_SNAKES), end >> 2, here
                        if t.colours == 4 and count_bits(here) == 2:
                            for step in (-t.stride, -1, 1, t.stride):
                                if here | reaching(t, s, change, (end >> 2) + step) == 15:
                                    return np.int64(FOUR_COLOURS), end >> 2, (end >> 2) + step
            if both_round_corner(one, other):
                for second in range(t.colours):
                    if second != colour:
                        a, b = end_after(s, change, second, 0), end_after(s, change, second, 1)
                        if both_round_corner(a, b) and a >> 2 == one >> 2:
                            first = first_to_curve(t, mover, colour, np.int64(second))
                            left = supply(s, first, CURVE)
                            if kind == CURVE and first == change.colours[0]:
                                left -= 1
                            if left == 0:
                                return np.int64(NO_CURVE), one >> 2, colour * 16 + second * 4 + first
    return np.int64(0), np.int64(0), np.int64(0)
