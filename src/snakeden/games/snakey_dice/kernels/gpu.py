"""What a GPU's program knows of this game beyond its rules, and kernels that it has in place of others, with the same
results: they have no loops whose length depends on the game."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ZERO, nth, word_size
from snakeden.core.kernel import inline
from snakeden.games.snakey_dice.kernels import hand
from snakeden.games.snakey_dice.kernels.layout import (
    BONUS,
    FINISHED,
    LEAVE,
    MAKE,
    MANIPULATE,
    PHASE,
    RAISE,
    ROLL,
    SET_UP,
    START,
    USE,
    Tables,
)

STAGES = (SET_UP, START, ROLL, MANIPULATE, BONUS, USE, MAKE, RAISE, LEAVE)
"""The phases in the order in which a turn goes through them, so that threads whose games are in different phases come
to each of them together. `sample` and `apply` call it `phase`."""
STAGE = "phase"
LAST = FINISHED


@inline
def stage(s):
    return s[PHASE]


@inline
def nth_bit(mask, n):
    return nth((np.uint64(mask), ZERO), n)


@inline
def bits_set(mask):
    return word_size(np.uint64(mask))


def registers(t: Tables, name: str) -> int | None:
    """Registers a thread, at most: what was quickest on an H200."""
    return 40 if name == "play_games" else None


REPLACED = {hand.nth_bit: nth_bit, hand.bits_set: bits_set}
