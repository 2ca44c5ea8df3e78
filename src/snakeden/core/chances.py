"""The probabilities of all outcomes of a roll, in one call."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

from snakeden.core.kernel import driver


@cache
def weights(rules: ModuleType) -> Any:
    """The function (t, s, codes, out) that writes the probability of each chance outcome in codes (int32[n]) to
    out (float64[n])."""
    weight = rules.weight

    @driver
    def weigh(t, s, codes, out):  # type: ignore[no-untyped-def]
        for i in range(len(codes)):
            out[i] = weight(t, s, codes[i])

    return weigh
