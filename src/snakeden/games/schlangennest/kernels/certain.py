"""How many parts snakes have in the end for certain, and at most: what lets an exact search stop early."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel
from snakeden.games.schlangennest.cards import ALL_PARTS
from snakeden.games.schlangennest.kernels.layout import (
    COMPLETE,
    FENCE,
    FRAMED,
    STUCK,
)
from snakeden.games.schlangennest.kernels.strands import parts_of, status, supply

_AROUND = 2 * 18
"""A fence or a frame has no more gray parts than this."""


@inline
def cards_left(s, colour):
    left = 0
    for kind in range(4):
        left += supply(s, colour, kind)
    return left


@inline
def most_parts(t, s, colour):
    """A snake that is finished stays as it is. Any other has in the end no more than all parts of all cards, less
    those that others' snakes have and the coloured ones on cards that others still hold."""
    if status(s, colour) == COMPLETE or status(s, colour) == STUCK:
        return parts_of(s, colour)
    most = ALL_PARTS * t.colours
    if t.border == FENCE or t.border == FRAMED:
        most += _AROUND
    for other in range(t.colours):
        if other != colour:
            most -= parts_of(s, other) + cards_left(s, other)
    return most


@kernel
def lead_bounds(t, s):
    """For two seats: how far seat 0 ends ahead of seat 1 at least and at most. Snakes lose no parts."""
    low, high = np.int64(0), np.int64(0)
    for colour in range(t.colours):
        now, most = parts_of(s, colour), most_parts(t, s, colour)
        low += now if colour % 2 == 0 else -most
        high += most if colour % 2 == 0 else -now
    return low, high
