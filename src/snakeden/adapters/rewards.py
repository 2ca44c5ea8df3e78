"""What a finished game is worth to its players; the same in every adapter."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakeden.core import outcome
from snakeden.core.errors import BadOption
from snakeden.core.game import Variant
from snakeden.core.learning import observation

Reward = Literal["outcome", "margin"]
"""What is paid at the end: `rewards`, or `margins`."""


def rewards(scores: ArrayLike) -> NDArray[np.float64]:
    """[..., seats] what final scores [..., seats] are worth, as `core.outcome.rewards` says."""
    return outcome.rewards(outcome.victory_shares(scores), scores)


def margins(scores: ArrayLike) -> NDArray[np.float64]:
    """[..., seats] the lead of each seat over the best other in final scores [..., seats]; alone, the score itself."""
    final: NDArray[Any] = np.asarray(scores, np.float64)
    seats = final.shape[-1]
    if seats == 1:
        return final
    others = [np.delete(final, seat, axis=-1).max(axis=-1) for seat in range(seats)]
    leads: NDArray[np.float64] = final - np.stack(others, axis=-1)
    return leads


def check_reward(kind: Any) -> None:
    """Raises BadOption for a reward that is not paid."""
    if kind not in get_args(Reward):
        raise BadOption(
            f"reward={kind!r} is not possible: allowed is {' or '.join(map(repr, get_args(Reward)))}"
        )


def final_rewards(scores: ArrayLike, kind: Reward) -> NDArray[np.float64]:
    """[..., seats] what final scores are worth in rewards of this kind."""
    return rewards(scores) if kind == "outcome" else margins(scores)


def lowest_reward(variant: Variant, kind: Reward) -> float:
    """What an illegal action is paid."""
    if kind == "outcome" or variant.tables.seats == 1:
        return reward_range(variant)[0]
    limits = observation(variant.game).limits(variant.tables)
    return float(limits.low - limits.high)


def reward_range(variant: Variant) -> tuple[float, float]:
    """The lowest and the highest reward a game can end with."""
    if variant.tables.seats > 1:
        return -1.0, 1.0
    limits = observation(variant.game).limits(variant.tables)
    return float(limits.low), float(limits.high)
