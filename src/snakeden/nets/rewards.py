"""What outcomes are worth to each seat, as `search.rewards` has it, for tensors."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

MARGIN_WEIGHT = 0.2
"""The part of the reward that is for the margin; the rest is for winning."""


@dataclass
class Scale:
    """By what scores are measured: in a game for one the score that is worth a half, and the margin (or the distance
    from it) that is worth everything."""

    centre: float = 0.0
    scale: float = 10.0
    spread: float = 5.0
    """The standard deviation of scores between games."""

    def take(self, other: Scale) -> None:
        """Become like another; whoever measures by this one goes on with it."""
        self.centre, self.scale, self.spread = other.centre, other.scale, other.spread


def scale_alone(mean: float, spread: float) -> Scale:
    """For a game for one in which scores have this mean and standard deviation."""
    return Scale(mean, spread + 1, spread + 1)


def victory_shares(scores: Tensor) -> Tensor:
    """[..., seats] 1 for whoever has most in scores [..., seats], shared victories in parts."""
    first = scores == scores.amax(-1, keepdim=True)
    return first.float() / first.sum(-1, keepdim=True)


def rewards(wins: Tensor, scores: Tensor, scale: Scale) -> Tensor:
    """[n, seats] about 0 to 1, of chances to win [n, seats] and scores [n, seats] in points. In a game for one the
    reward is not cut off: how high scores get is only found out in play."""
    seats = scores.shape[1]
    if seats == 1:
        return 0.5 + 0.5 * (scores - scale.centre) / scale.scale
    best = scores.topk(2, 1).values
    other = torch.where(scores == best[:, :1], best[:, 1:], best[:, :1])
    lead = ((scores - other) / scale.scale).clamp(-1, 1)
    return (1 - MARGIN_WEIGHT) * wins + MARGIN_WEIGHT * (0.5 + 0.5 * lead)


def expected_of(before: Tensor, gain: Tensor, scale: Scale) -> Tensor:
    """[n, seats] the shares of the victory that seats may expect, or in a game for one the score, where they expected
    `before` [n, seats] and the rewards have turned out higher by `gain` [n, seats]. All that is gained counts as gained
    by winning: a margin changes a reward by little."""
    if before.shape[1] == 1:
        return before + 2 * scale.scale * gain
    shares = (before + gain / (1 - MARGIN_WEIGHT)).clamp(1e-4, 1)
    return shares / shares.sum(1, keepdim=True)
