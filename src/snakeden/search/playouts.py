"""Random games, played inside kernels; for any game."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.kernel import driver
from snakeden.core.rng import below, stream


@cache
def sampled(rules: ModuleType) -> Any:
    """sampled(t, start, seed, games) -> (plies played, sum of seat 0's scores); moves are drawn by `sample`."""

    @driver
    def run(t, start, seed, games):
        s = start.copy()
        scores = np.zeros(t.seats, np.int64)
        plies, total = 0, 0
        for game in range(games):
            s[:] = start
            rng, move = rules.sample(t, s, stream(seed, game))
            while move >= 0:
                rules.apply(t, s, move)
                plies += 1
                rng, move = rules.sample(t, s, rng)
            rules.scores(t, s, scores)
            total += scores[0]
        return plies, total

    return run


@cache
def generated(rules: ModuleType) -> Any:
    """generated(t, start, seed, games, moves) -> (plies, moves generated, sum of seat 0's scores); every ply
    lists all legal moves in `moves` (int32[most_moves]) and takes one, chance outcomes by `sample`."""

    @driver
    def run(t, start, seed, games, moves):
        s = start.copy()
        scores = np.zeros(t.seats, np.int64)
        plies, listed, total = 0, 0, 0
        for game in range(games):
            s[:] = start
            rng = stream(seed, game)
            count = rules.legal(t, s, moves)
            while count > 0:
                listed += count
                if rules.turn(t, s) >= 0:
                    rng, chosen = below(rng, count)
                    move = np.int64(moves[chosen])
                else:
                    rng, move = rules.sample(t, s, rng)
                rules.apply(t, s, move)
                plies += 1
                count = rules.legal(t, s, moves)
            rules.scores(t, s, scores)
            total += scores[0]
        return plies, listed, total

    return run
