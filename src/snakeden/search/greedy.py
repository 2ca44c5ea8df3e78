"""What each move does to the scores at once: the greedy player's view, for any game."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import CHANCE
from snakeden.core.kernel import driver
from snakeden.core.state import State
from snakeden.search.heuristics import offering
from snakeden.search.rewards import lead_of


@cache
def _appraiser(rules: ModuleType, guide: ModuleType | None) -> Any:
    """run(t, s, moves, count, leads, ratings): per move the mover's expected lead over the best other (alone:
    its score) right after it, over the chance that follows, and the game's rating."""
    rated = guide is not None

    @driver
    def run(t, s, moves, count, leads, ratings):
        seat = rules.turn(t, s)
        after, later = s.copy(), s.copy()
        outcomes = np.empty(t.most_moves, np.int32)
        scores = np.empty(t.seats, np.int64)
        for k in range(count):
            after[:] = s
            rules.apply(t, after, np.int64(moves[k]))
            rules.settle(t, after)
            chances = rules.legal(t, after, outcomes) if rules.turn(t, after) == CHANCE else 0
            leads[k] = 0.0
            for i in range(max(1, chances)):
                share = 1.0
                later[:] = after
                if chances > 0:
                    share = rules.weight(t, after, np.int64(outcomes[i]))
                    rules.apply(t, later, np.int64(outcomes[i]))
                rules.scores(t, later, scores)
                leads[k] += share * lead_of(scores, t.seats, seat)
        if rated:
            guide.priors(t, s, moves, count, ratings)

    return run


def appraise(state: State) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float32]]:
    """(moves, leads, ratings) of a position in which a player is to move: each move's number, the mover's
    expected lead right after it, and how the game's own heuristics rate it (all 0 without them)."""
    tables, game = state.variant.tables, state.variant.game
    moves = np.array([move.code for move in state.legal_moves()], np.int32)
    leads, ratings = np.zeros(len(moves)), np.zeros(len(moves), np.float32)
    run = _appraiser(game.rules, offering(game, "priors"))
    run(tables, state.array(), moves, np.int64(len(moves)), leads, ratings)
    return moves, leads, ratings
