"""Evaluators: what a position is worth to each seat, for a search that uses one instead of its own playouts."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.core.kernel import kernel
from snakeden.core.rng import stream
from snakeden.programs import compiled
from snakeden.search.playouts import make_play_out
from snakeden.search.rewards import write_outcome
from snakeden.search.tree import copy_words
from snakeden.search.workspace import new_workspace


class Evaluation(NamedTuple):
    """What an evaluator says about a batch of positions."""

    values: NDArray[np.float64]
    """[positions, 2 * seats] per seat its chance to win (shared victories in parts), then its expected final score."""
    priors: NDArray[np.float32] | None = None
    """[positions, actions] how promising each action is, from 0 to 1; those that are not legal are not looked at."""


class Evaluator(Protocol):
    """Evaluates many positions at once, such as a neural network does. Each of a search's threads calls it."""

    @property
    def gives_priors(self) -> bool:
        """Whether its evaluations hold priors. They take the place of those of the game's heuristics."""

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        """Evaluate positions [positions, words], in each of which a player is to move. The array is the search's
        own, to be read and not kept."""


@cache
def make_rollout(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """rollout(t, positions, workspace, seed, games, values): writes to values (float64[positions, 2 * seats]) the mean
    outcome of this many playouts from each position."""
    play_out = make_play_out(rules, heuristics)

    @kernel
    def rollout(t, positions, workspace, seed, games, values):
        s, scores, outcome = workspace.scratch, workspace.scores, workspace.outcome
        for index in range(len(positions)):
            rng = stream(seed, index)
            for k in range(len(outcome)):
                values[index, k] = 0.0
            for _ in range(games):
                copy_words(s, positions[index])
                rng, _ = play_out(t, s, rng, workspace.played)
                rules.scores(t, s, scores)
                write_outcome(scores, t.seats, outcome)
                for k in range(len(outcome)):
                    values[index, k] += outcome[k] / games

    return rollout


class PlayoutEvaluator:
    """Evaluates by the mean of playouts, the game's guided ones where it has them."""

    gives_priors = False

    def __init__(self, variant: Variant, *, seed: int = 0, playouts: int = 1) -> None:
        self._variant, self._playouts = variant, playouts
        self._random = np.random.default_rng(seed)
        self._program = compiled(variant, "study")

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        tables = self._variant.tables
        # Several threads may call at once, so each call writes on its own.
        workspace = new_workspace(tables, positions.dtype, np.zeros)
        values = np.empty((len(positions), 2 * tables.seats))
        self._program.rollout(
            positions, workspace, int(self._random.integers(1 << 62)), self._playouts, values
        )
        return Evaluation(values)


class MixedEvaluator:
    """Says what `first` says, but for a share of its values, which is another's: two that err in different ways err
    less together."""

    def __init__(self, first: Evaluator, other: Evaluator, share: float) -> None:
        self._first, self._other, self._share = first, other, share
        self.gives_priors = first.gives_priors

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        said, other = self._first(positions), self._other(positions)
        return said._replace(values=(1 - self._share) * said.values + self._share * other.values)
