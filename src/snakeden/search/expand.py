"""The second verb of the search: expand a node, which lists its moves in the tree, those of highest prior first."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.kernel import inline, noinline
from snakeden.core.rng import bits
from snakeden.search.rewards import lead_of
from snakeden.search.tree import (
    FIRST,
    LEGAL,
    MOVE,
    OPENED,
    STORED,
    TURN,
    add_edges,
    best_first,
    copy_edges,
    copy_words,
    past_reward,
    write_edge,
)

FIRST_BLOCK = 24
"""How many edges a node gets at first; four times as many whenever they are used up."""
FIRST_BLOCK_WITH_PRIORS = 64
"""How many it gets where an evaluator gave priors, which nobody has for more moves later."""
_JITTER = 1e-4
"""Ties between priors are broken by random numbers below this."""
_FRACTION, _SHIFT = 2.0**-53, np.uint64(11)


@inline
def unlisted(t, tree, workspace, first, stored, count):
    """Keep those of the `count` moves in the workspace that the `stored` edges from `first` on do not hold, in their
    order; how many are left."""
    listed, moves = workspace.listed, workspace.moves
    latest = listed[t.actions] + np.int32(1)
    listed[t.actions] = latest
    for k in range(stored):
        listed[tree.edges[first + k, MOVE]] = latest
    fresh = 0
    for k in range(count):
        if listed[moves[k]] != latest:
            moves[fresh] = moves[k]
            fresh += 1
    return fresh


@cache
def make_margin_priors(rules: ModuleType) -> Any:
    """write_priors(t, workspace, s, turn, count): priors for a game without its own, from 0 to 1 by the lead that a
    move leaves at once."""

    @inline
    def write_priors(t, workspace, s, turn, count):
        moves, priors, after = workspace.moves, workspace.priors, workspace.scratch
        low, high = np.float32(1e30), np.float32(-1e30)
        for k in range(count):
            copy_words(after, s)
            rules.apply(t, after, np.int64(moves[k]))
            rules.scores(t, after, workspace.scores)
            priors[k] = lead_of(workspace.scores, np.int64(t.seats), turn)
            low, high = min(low, priors[k]), max(high, priors[k])
        for k in range(count):
            priors[k] = (priors[k] - low) / (high - low) if high > low else 0.5

    return write_priors


@cache
def make_priors(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """write_priors(t, workspace, s, turn, count): the game's priors of the first moves in the workspace."""
    if not hasattr(heuristics, "priors"):
        return make_margin_priors(rules)

    @inline
    def write_priors(t, workspace, s, turn, count):
        heuristics.priors(t, s, workspace.moves, count, workspace.priors)

    return write_priors


@cache
def make_expand(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """expand(t, tree, workspace, s, node, rng, parameters, given) -> rng: lists moves of a player's node, or more of
    them, behind those that are listed; leaves it as it is if the tree is full.

    given: float32[actions], the evaluator's priors, or float32[0] to ask the game for them.
    """
    write_priors = make_priors(rules, heuristics)

    @noinline
    def expand(t, tree, workspace, s, node, rng, parameters, given):
        moves, priors, nodes = workspace.moves, workspace.priors, tree.nodes
        turn, stored = nodes[node, TURN], nodes[node, STORED]
        count = rules.legal(t, s, moves)
        nodes[node, LEGAL] = count
        block = FIRST_BLOCK if len(given) == 0 else FIRST_BLOCK_WITH_PRIORS
        room = min(count, max(block, 4 * stored))
        first = add_edges(tree, room)
        if first < 0:
            return rng
        copy_edges(tree, first, tree, nodes[node, FIRST], stored)
        fresh = unlisted(t, tree, workspace, first, stored, count)
        if len(given) == 0:
            write_priors(t, workspace, s, turn, fresh)
        for k in range(fresh):
            if len(given) > 0:
                priors[k] = given[moves[k]]
            else:
                rng, z = bits(rng)
                priors[k] += np.float32(_JITTER * _FRACTION) * np.float32(z >> _SHIFT)
                past = past_reward(workspace.history[turn], moves[k])
                priors[k] += np.float32(parameters.history_weight) * past
        best_first(moves, priors, fresh, room - stored)
        for k in range(room - stored):
            write_edge(tree, first + stored + k, moves[k], priors[k])
        nodes[node, FIRST] = first
        nodes[node, STORED] = room
        if len(given) > 0 and parameters.fpu_reduction >= 0:
            nodes[node, OPENED] = room
        return rng

    return expand
