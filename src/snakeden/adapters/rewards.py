"""What a finished game is worth to its players; the same in every adapter."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakeden.core import outcome
from snakeden.core.game import Variant
from snakeden.core.learning import observation


def rewards(scores: ArrayLike) -> NDArray[np.float64]:
    """[..., seats] what final scores [..., seats] are worth, as `core.outcome.rewards` says."""
    return outcome.rewards(outcome.victory_shares(scores), scores)


def reward_range(variant: Variant) -> tuple[float, float]:
    """The lowest and the highest reward a game can end with."""
    if variant.tables.seats > 1:
        return -1.0, 1.0
    limits = observation(variant.game).limits(variant.tables)
    return float(limits.low), float(limits.high)
