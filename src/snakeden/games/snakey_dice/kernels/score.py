"""The scores of both editions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snakeden.core.kernel import inline, kernel
from snakeden.games.snakey_dice.kernels.layout import (
    ACTIONS,
    BLOCKADES,
    EATEN,
    FINISHED,
    FIRST,
    FREE,
    JUMPED,
    LAST,
    LEVEL,
    MULTIPLIERS,
    OUT,
    PHASE,
    TOP,
    TRAIL,
    Tables,
    seat_at,
)


@inline
def actions_left(s, seat):
    """How many one-time actions a seat has not used."""
    at = seat_at(seat) + ACTIONS
    return s[at] + s[at + 1] + s[at + 2] + s[at + 3]


@inline
def levels_gained(s, seat):
    at = seat_at(seat) + LEVEL
    return s[at] + s[at + 1] + s[at + 2] + s[at + 3]


@inline
def tracks_at_top(s, seat):
    count = 0
    for track in range(4):
        count += s[seat_at(seat) + LEVEL + track] == TOP
    return count


@inline
def tracks_first(s, seat):
    """On how many tracks the seat was the first of all at the top."""
    count = 0
    for track in range(4):
        count += s[FIRST + track] == seat + 1
    return count


@inline
def standing(s, seat):
    """1 if the seat has the standing bonus of the duel: the last one in, or in when the board was full."""
    return (s[LAST] == 1 or s[PHASE] == FINISHED) and s[seat_at(seat) + OUT] == 0


@kernel
def counts(t: Tables, s: NDArray[np.int32], seat: int) -> tuple[np.int64, ...]:
    """What a seat's score counts: six numbers, in the order of the row MULTIPLIERS of `Tables.values`."""
    at = seat_at(seat)
    actions, tops = np.int64(actions_left(s, seat)), np.int64(tracks_at_top(s, seat))
    if t.solo:
        eaten, jumped = np.int64(s[at + EATEN]), np.int64(s[at + JUMPED])
        return eaten, actions, tops, np.int64(s[BLOCKADES]), np.int64(s[FREE]), jumped
    levels, trail = np.int64(levels_gained(s, seat)), np.int64(s[at + TRAIL])
    return levels, actions, tops, trail, np.int64(standing(s, seat)), np.int64(tracks_first(s, seat))


@kernel
def scores(t, s, out):
    """Write one score a seat."""
    for seat in range(t.seats):
        counted = counts(t, s, seat)
        total = 0
        for i in range(6):
            total += counted[i] * t.values[MULTIPLIERS, i]
        out[seat] = total
