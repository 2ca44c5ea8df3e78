"""What a finished game is worth to its players; the same in every adapter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakeden.core.game import Variant
from snakeden.core.learning import observation


def rewards(scores: ArrayLike) -> NDArray[np.float64]:
    """[..., seats] what final scores [..., seats] are worth.

    Alone, the score itself. Else 1 for winning alone, and in all 0: whoever does not win loses
    1 / (seats - 1), and the winners share what the others lose. Of two that is 1, -1, and 0 for a shared
    victory.
    """
    final: NDArray[Any] = np.asarray(scores, np.float64)
    seats = final.shape[-1]
    if seats == 1:
        return final
    won = final == final.max(axis=-1, keepdims=True)
    winners = won.sum(axis=-1, keepdims=True)
    worth: NDArray[np.float64] = np.where(won, (seats - winners) / winners, -1) / (seats - 1)
    return worth


def reward_range(variant: Variant) -> tuple[float, float]:
    """The lowest and the highest reward a game can end with."""
    if variant.tables.seats > 1:
        return -1.0, 1.0
    limits = observation(variant.game).limits(variant.tables)
    return float(limits.low), float(limits.high)
