"""Counting the sequences of moves from a position: the field's check of move generators."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.kernel import kernel
from snakeden.core.state import State
from snakeden.programs import compiled
from snakeden.search.tree import copy_words


@cache
def make_perft(rules: ModuleType) -> Any:
    """perft(t, states, moves, counts, depth) -> number of sequences of `depth` moves from states[0].

    states: [depth + 1, words]; moves: int32[depth, most_moves]; counts: int64[depth, 2], next move and number
    of moves at each level.
    """

    @kernel
    def perft(t, states, moves, counts, depth):
        total = 0
        level = 0
        counts[0, 0] = 0
        counts[0, 1] = rules.legal(t, states[0], moves[0])
        while level >= 0:
            if level == depth - 1:
                total += counts[level, 1]
                level -= 1
            elif counts[level, 0] == counts[level, 1]:
                level -= 1
            else:
                copy_words(states[level + 1], states[level])
                rules.apply(t, states[level + 1], np.int64(moves[level, counts[level, 0]]))
                counts[level, 0] += 1
                level += 1
                counts[level, 0] = 0
                counts[level, 1] = rules.legal(t, states[level], moves[level])
        return total

    return perft


def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` moves there are; chance outcomes count as moves."""
    if depth < 1:
        raise ValueError(f"a depth of {depth} counts nothing: it must be 1 or more")
    tables = state.variant.tables
    states = np.empty((depth + 1, tables.words), state.array().dtype)
    states[0] = state.array()
    moves = np.empty((depth, tables.most_moves), np.int32)
    counts = np.zeros((depth, 2), np.int64)
    return int(compiled(state.variant, "study").perft(states, moves, counts, depth))
