"""What each move does to the scores at once: the greedy player's view, for any game."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import CHANCE
from snakeden.core.kernel import kernel
from snakeden.core.state import State
from snakeden.search.rewards import lead_of
from snakeden.search.tree import copy_words


@cache
def make_appraise(rules: ModuleType, guide: ModuleType | None) -> Any:
    """appraise(t, s, moves, leads, priors, states, outcomes, scores): per move the mover's expected lead over the best
    other (alone: its score) right after it, over the chance that follows, and the game's prior. The last three arrays
    are written on."""
    rated = hasattr(guide, "priors")

    @kernel
    def appraise(t, s, moves, leads, priors, states, outcomes, scores):
        seat = rules.turn(t, s)
        after, later = states[0], states[1]
        for k in range(len(moves)):
            copy_words(after, s)
            rules.apply(t, after, np.int64(moves[k]))
            rules.settle(t, after)
            chances = rules.legal(t, after, outcomes) if rules.turn(t, after) == CHANCE else 0
            leads[k] = 0.0
            for i in range(max(1, chances)):
                share = 1.0
                copy_words(later, after)
                if chances > 0:
                    share = rules.weight(t, after, np.int64(outcomes[i]))
                    rules.apply(t, later, np.int64(outcomes[i]))
                rules.scores(t, later, scores)
                leads[k] += share * lead_of(scores, t.seats, seat)
        if rated:
            guide.priors(t, s, moves, len(moves), priors)

    return appraise


def appraise(state: State) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float32]]:
    """(moves, leads, ratings) of a position in which a player is to move: each move's number, the mover's
    expected lead right after it, and how the game's own heuristics rate it (all 0 without them)."""
    tables = state.variant.tables
    moves = state.codes().copy()
    leads, ratings = np.zeros(len(moves)), np.zeros(len(moves), np.float32)
    array = state.array()
    states, scores = np.empty((2, tables.words), array.dtype), np.empty(tables.seats, np.int64)
    outcomes = np.empty(tables.most_moves, np.int32)
    state.variant.program.appraise(array, moves, leads, ratings, states, outcomes, scores)
    return moves, leads, ratings
