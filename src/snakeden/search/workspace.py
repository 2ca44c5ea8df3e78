"""The parameters of the tree search and its memory, which is allocated once and passed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

DEEPEST = 512
"""Plies the tree may reach down; below that it is all evaluation."""
REMEMBERED = 64
"""Plies of a playout that are remembered."""


class Parameters(NamedTuple):
    """How the search weighs things. The values come from short trial matches of a few dozen games each."""

    exploration: float = 0.35
    """How much an edge that was tried little is preferred (the constant of UCB1)."""
    prior_weight: float = 0.5
    """How much a move's prior counts before it has been tried; fades as 1 / (1 + tried)."""
    puct: float = 0.0
    """How much more it counts the more its node was visited (the constant of PUCT), for priors that are
    probabilities."""
    fpu_reduction: float = -1.0
    """How much less than the moves tried so far an untried one promises before its prior is added (first play urgency),
    for priors that are probabilities. Below 0, a move is tried as soon as it takes part."""
    history_weight: float = 0.5
    """How much it counts, before a move has been tried here, how well it went elsewhere for its player."""
    widening: float = 1.0
    """A node visited n times lets 1 + widening * sqrt(n) moves take part."""
    expand_after: int = 4
    """Visits before a node's moves are listed."""
    margin_weight: float = 0.2
    """The part of the reward that is for the margin; the rest is for winning."""
    centre: float = 0.0
    """In a game for one: the score that is worth a half."""
    scale: float = 10.0
    """The margin (or score above the centre) that is worth everything."""


class Workspace(NamedTuple):
    """What the search writes on while it works. A leaf is where a descent ended; a batch has several."""

    states: NDArray[Any]
    """[leaves, words] the position at each leaf."""
    leaf_node: NDArray[np.int64]
    """[leaves] the leaf's node, or -1 where the tree had no room for one."""
    leaf_depth: NDArray[np.int64]
    """[leaves] the plies from the root to the leaf."""
    path_node: NDArray[np.int64]
    path_edge: NDArray[np.int64]
    path_known: NDArray[np.int64]
    """[leaves, DEEPEST] the way down: nodes, the edges taken, and each node's best edge of known outcome, or -1.
    Edges count from their node's first: a node's edges move when more are listed."""
    scratch: NDArray[Any]
    """[words] another position."""
    moves: NDArray[np.int32]
    priors: NDArray[np.float32]
    """[most_moves] the moves of one position."""
    no_priors: NDArray[np.float32]
    """[0] handed to `expand` where the evaluator gave no priors."""
    listed: NDArray[np.int32]
    """[actions + 1] per move the number of the last list that held it; then the latest number."""
    outcome: NDArray[np.float64]
    """[2 * seats] victories, then scores."""
    scores: NDArray[np.int64]
    """[seats]"""
    limits: NDArray[np.int64]
    """[2, seats] the lowest and highest scores a position can lead to."""
    played: NDArray[np.int32]
    """[REMEMBERED, 2] seat and move of each ply of a playout, as far as they fit."""
    history: NDArray[np.float32]
    """[seats, actions, 2] per seat and move its mean reward, wherever it was played, and how often that was."""


def new_workspace(
    t: Any, dtype: Any, empty: Callable[[Any, Any], NDArray[Any]], leaves: int = 1
) -> Workspace:
    """A workspace for these tables and positions of this type; `empty(shape, dtype)` makes its arrays, of zeros."""
    return Workspace(
        states=empty((leaves, t.words), dtype),
        leaf_node=empty(leaves, np.int64),
        leaf_depth=empty(leaves, np.int64),
        path_node=empty((leaves, DEEPEST), np.int64),
        path_edge=empty((leaves, DEEPEST), np.int64),
        path_known=empty((leaves, DEEPEST), np.int64),
        scratch=empty(t.words, dtype),
        moves=empty(t.most_moves, np.int32),
        priors=empty(t.most_moves, np.float32),
        no_priors=empty(0, np.float32),
        listed=empty(t.actions + 1, np.int32),
        outcome=empty(2 * t.seats, np.float64),
        scores=empty(t.seats, np.int64),
        limits=empty((2, t.seats), np.int64),
        played=empty((REMEMBERED, 2), np.int32),
        history=empty((t.seats, t.actions, 2), np.float32),
    )
