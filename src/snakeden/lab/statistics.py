"""Intervals, tests and corrections. All intervals are of 95 %."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from statistics import fmean, pstdev, stdev

import numpy as np

Z = 1.959964
"""Standard deviations on each side of a 95 % interval."""
_RESAMPLES = 1000


def wilson(share: float, count: int) -> tuple[float, float]:
    """The interval of a share of this many games (Wilson's score interval). Shared victories count in parts; they vary
    less than victories, so that the interval is wider than it would have to be."""
    if count == 0:
        return 0.0, 1.0
    bottom = 1 + Z * Z / count
    centre = (share + Z * Z / (2 * count)) / bottom
    half = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count)) / bottom
    return max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share))


def bootstrap(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """The interval of a mean, by drawing the values again with repetition; always the same for the same values."""
    generator, drawn = np.random.default_rng(seed), np.asarray(values, float)
    means = [drawn[generator.integers(0, len(drawn), len(drawn))].mean() for _ in range(_RESAMPLES)]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def p_of_mean(values: Sequence[float], expected: float) -> float:
    """How probable a mean at least so far from the expected one is, if that is the true one (two-sided z-test)."""
    count = len(values)
    if count < 2:
        return 1.0
    # The same value everywhere has no spread; one more game that is not like the others says that there is some.
    spread = stdev(values) if pstdev(values) > 0 else 1 / sqrt(count)
    return erfc(abs(fmean(values) - expected) / (spread / sqrt(count)) / sqrt(2))


def p_of_difference(one: Sequence[float], other: Sequence[float]) -> float:
    """How probable so large a difference between two means is, if there is none in truth (two-sided z-test)."""
    if len(one) < 2 or len(other) < 2:
        return 1.0
    error = sqrt(stdev(one) ** 2 / len(one) + stdev(other) ** 2 / len(other))
    difference = abs(fmean(one) - fmean(other))
    if error == 0:
        return 0.0 if difference else 1.0
    return erfc(difference / error / sqrt(2))


def holm(probabilities: Sequence[float]) -> list[float]:
    """The same probabilities, corrected for there being many (Holm): those below 0.05 are significant together."""
    order = sorted(range(len(probabilities)), key=lambda k: probabilities[k])
    corrected, highest = [0.0] * len(probabilities), 0.0
    for place, k in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - place) * probabilities[k]))
        corrected[k] = highest
    return corrected
