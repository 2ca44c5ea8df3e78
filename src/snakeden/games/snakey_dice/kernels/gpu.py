"""What a GPU's program knows of this game beyond its rules."""

from __future__ import annotations

from types import FunctionType

from snakeden.core.kernel import inline
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
)

STAGES = (SET_UP, START, ROLL, MANIPULATE, BONUS, USE, MAKE, RAISE, LEAVE)
"""The phases in the order in which a turn goes through them, so that threads whose games are in different phases come
to each of them together. `sample` and `apply` call it `phase`."""
STAGE = "phase"
LAST = FINISHED


@inline
def stage(s):
    return s[PHASE]


REPLACED: dict[FunctionType, FunctionType] = {}
