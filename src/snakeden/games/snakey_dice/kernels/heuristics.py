"""What helps a search to play Snakey Dice well. Nothing here decides what is legal.

Who lives long scores: a head should go on looking at open ground, and one-time actions are points to be kept.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ZERO
from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import bits
from snakeden.games.snakey_dice.kernels import rules
from snakeden.games.snakey_dice.kernels.choices import blocked, use_mask
from snakeden.games.snakey_dice.kernels.layout import (
    FLIP,
    FRONT,
    IGNORE,
    LOCKED,
    MANIPULATE,
    PHASE,
    POWER_UP,
    REROLL_X,
    UNLOCK_X,
    USE,
    USE_DIE,
    WAY,
    mine,
    step,
    way_after,
)

_LOCKED_FIRST = 3
"""A locked die is used before a movement die that looks at less than this; open ground counts 2 to 6."""
_MOSTLY, _LOW = np.uint64(3), np.uint64(7)


@inline
def outlook(t, s, way_used):
    """How well the head stands after this movement die: 0 in front of an obstacle, else the more the more free
    squares lie around the square it faces, and a power-up counts for two."""
    at = mine(s)
    place = np.int64(s[at + FRONT])
    ahead = place + step(t, way_after(np.int64(s[at + WAY]), way_used))
    if s[t.board + ahead] > POWER_UP:
        return 0
    found = 2 + 2 * (s[t.board + ahead] == POWER_UP)
    for side in range(4):
        beside = ahead + step(t, side)
        found += beside != place and s[t.board + beside] <= POWER_UP
    return found


@kernel
def playout_move(t, s, rng):
    """Draw a move: dice are mostly taken as they fall, and used towards open ground."""
    phase = s[PHASE]
    if phase == USE and not blocked(t, s):
        mask = use_mask(t, s)
        best, promise = -1, -1
        rng, z = bits(rng)
        for used in range(LOCKED + 1):
            if (mask >> used) & 1:
                value = outlook(t, s, used) if used < LOCKED else _LOCKED_FIRST
                # Eight steps apart, so that chance decides between equals and, rarely, neighbours.
                value = 6 * value + np.int64(z & _LOW)
                z >>= np.uint64(3)
                if value > promise:
                    best, promise = used, value
        return rng, np.int64(USE_DIE + best)
    if phase == MANIPULATE:
        # Mostly the dice are taken as they are: changing them at random gains nothing and takes time.
        rng, z = bits(rng)
        if z & _MOSTLY != ZERO:
            return rng, np.int64(IGNORE)
    return rules.sample(t, s, rng)


@kernel
def priors(t, s, moves, count, out):
    """How promising each move looks, from 0 to 1."""
    free = s[PHASE] == USE and not blocked(t, s)
    for k in range(count):
        move = np.int64(moves[k])
        rating = 0.5
        if free and move < USE_DIE + LOCKED:
            rating = 0.1 * outlook(t, s, move - USE_DIE)
        elif s[PHASE] == MANIPULATE and (REROLL_X <= move < FLIP or move == UNLOCK_X):
            rating = 0.3
        out[k] = np.float32(rating)
