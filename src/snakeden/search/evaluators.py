"""Evaluators: what a position is worth to each seat, for a search that uses one instead of its own playouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from threading import Lock, local
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.core.kernel import kernel
from snakeden.core.rng import stream
from snakeden.programs import compiled, program
from snakeden.search.playouts import make_play_out
from snakeden.search.rewards import write_outcome
from snakeden.search.solver import Solver
from snakeden.search.tree import copy_words
from snakeden.search.workspace import new_workspace


class Evaluation(NamedTuple):
    """What an evaluator says about a batch of positions."""

    values: NDArray[np.float64]
    """[positions, 2 * seats] per seat its chance to win (shared victories in parts), then its expected final score."""
    priors: NDArray[np.float32] | None = None
    """[positions, actions] how promising each action is, from 0 to 1; those that are not legal are not looked at."""
    decided: NDArray[np.bool_] | None = None
    """[positions] whether best play leads to these victories for certain, so that nothing more is to be learnt there;
    none do where this is missing."""
    actions: Sequence[NDArray[np.integer[Any]]] | None = None
    """[positions] the actions that the priors are about, if the evaluator has a list of them: the others are 0."""


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


class _Said(NamedTuple):
    """What was said of one position. Of its priors only those that are not 0 are kept: legal moves are few."""

    values: NDArray[np.float64]
    actions: NDArray[np.integer[Any]]
    priors: NDArray[np.float32]


_BESIDES = 500
"""Bytes that an entry takes besides its numbers."""


class RememberingEvaluator:
    """Says what `first` said of a position before, and asks it about others only: moves in another order lead to many
    positions again, and so does the search for the next move. For evaluators that say the same each time, give priors
    and decide nothing. What was said first is forgotten first, once all takes more than `memory` bytes."""

    gives_priors = True

    def __init__(self, variant: Variant, first: Evaluator, memory: int) -> None:
        self._actions, self._first, self._memory = int(variant.tables.actions), first, memory
        # Several threads may call at once; what one was told serves all.
        self._lock, self._said, self._taken = Lock(), dict[bytes, _Said](), 0

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        keys = [position.tobytes() for position in positions]
        with self._lock:
            known = {key: self._said[key] for key in keys if key in self._said}
        asked = {key: row for row, key in enumerate(keys) if key not in known}
        if asked:
            said = self._first(positions[list(asked.values())])
            fresh = dict(zip(asked, _parts(said), strict=True))
            self._keep(fresh)
            if len(asked) == len(keys):
                return said
            known |= fresh
        priors = np.zeros((len(keys), self._actions), np.float32)
        for row, key in enumerate(keys):
            priors[row, known[key].actions] = known[key].priors
        return Evaluation(np.array([known[key].values for key in keys]), priors)

    def _keep(self, fresh: dict[bytes, _Said]) -> None:
        with self._lock:
            for key, said in fresh.items():
                if key not in self._said:
                    self._said[key] = said
                    self._taken += _size(key, said)
            while self._taken > self._memory:
                oldest = next(iter(self._said))
                self._taken -= _size(oldest, self._said.pop(oldest))


def _parts(said: Evaluation) -> Iterator[_Said]:
    """What was said of each position of a batch."""
    assert said.priors is not None
    for row, (values, priors) in enumerate(zip(said.values, said.priors, strict=True)):
        # Without a list: which are true is found several times faster than which numbers are not 0.
        actions = np.flatnonzero(priors > 0) if said.actions is None else said.actions[row]
        yield _Said(values.copy(), actions, priors[actions])


def _size(key: bytes, said: _Said) -> int:
    return _BESIDES + len(key) + sum(each.nbytes for each in said)


_POSITIONS = 200
"""What the solver may look at for one question about a leaf: it takes about as long then as asking a network twice."""
_LEAST_SHARE = 0.5
"""It is asked where it answered at least this share of the questions about positions with about as many moves."""
_SEEN_ANYWAY = 32
"""Of other positions it is asked about one in so many, to see whether that is still so."""
_FADING = 0.98
"""How much each question before counts beside the next."""
_HOPED, _BEFORE = 2.0, 4.0
"""As if so many had been answered, of so many before the first."""


class SolvingEvaluator:
    """Says what `first` says, but who wins where the solver finds that out within a few positions. Near the end of a
    game that takes about as long as a network, and what is certain goes up the tree."""

    def __init__(self, variant: Variant, first: Evaluator, solver: Solver) -> None:
        self._variant, self._first, self._solver = variant, first, solver
        self.gives_priors = first.gives_priors
        # Several threads may call at once. They share what the solver remembers, and nothing else.
        self._kept = local()

    def __call__(self, positions: NDArray[Any]) -> Evaluation:
        if not hasattr(self._kept, "glance"):
            self._kept.glance = _Glance(self._variant, self._solver.beside())
        glance: _Glance = self._kept.glance
        said = self._first(positions)
        values, decided = said.values.copy(), np.zeros(len(positions), np.bool_)
        for row, position in enumerate(positions):
            player = glance.program.turn(position)
            share = glance.victory_share(position, float(values[row, player]))
            if share is not None:
                values[row, player], values[row, 1 - player] = share, 1 - share
                decided[row] = True
        return said._replace(values=values, decided=decided)


class _Glance:
    """The solver as one thread asks it. What an answer takes depends on the number of moves more than on all else, so
    for each half octave of these it is kept how many questions were answered lately, of how many."""

    def __init__(self, variant: Variant, solver: Solver) -> None:
        self.program, self._solver = program(variant), solver
        self._moves = np.zeros(int(variant.tables.most_moves), np.int32)
        self._answered: dict[int, float] = {}
        self._asked: dict[int, float] = {}
        self._seen: dict[int, int] = {}

    def victory_share(self, position: NDArray[Any], likely: float) -> float | None:
        """As the solver's; None where it is not expected to say."""
        alike = int(2 * np.log2(1 + self.program.legal(position, self._moves)))
        seen = self._seen[alike] = self._seen.get(alike, 0) + 1
        answered, asked = self._answered.get(alike, _HOPED), self._asked.get(alike, _BEFORE)
        if answered < _LEAST_SHARE * asked and seen % _SEEN_ANYWAY:
            return None
        share = self._solver.victory_share(position, _POSITIONS, likely=likely)
        self._answered[alike] = _FADING * answered + (share is not None)
        self._asked[alike] = _FADING * asked + 1
        return share
