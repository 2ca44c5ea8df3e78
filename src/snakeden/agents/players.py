"""The agents themselves. Each keeps what it knows between moves and can be told a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from snakeden.agents.choice import Choice, Reasons
from snakeden.core.game import Variant
from snakeden.core.moves import Move
from snakeden.core.state import State
from snakeden.search.greedy import appraise
from snakeden.search.thinking import Budget, Search

Stop = Callable[[], bool]


class RandomAgent:
    """Any legal move, each as likely as the others."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._random = random.Random(seed)

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        return Choice(self._random.choice(_moves(state)), Reasons(note="A random move."))


class GreedyAgent:
    """The move with the best score margin right after it, over the chance that follows; among equals the one
    the game's heuristics like best, then any. With probability `slip` it plays at random instead."""

    def __init__(self, name: str, seed: int, slip: float = 0.0) -> None:
        self.name = name
        self._random = random.Random(seed)
        self._slip = slip

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        moves = _moves(state)
        if self._random.random() < self._slip:
            return Choice(self._random.choice(moves), Reasons(note="A random move."))
        _, leads, ratings = appraise(state)
        best = np.flatnonzero(leads >= leads.max() - 1e-9)
        best = best[ratings[best] >= ratings[best].max() - 1e-6]
        chosen = int(self._random.choice(best.tolist()))
        if state.seats == 1:
            note = f"{moves[chosen]} makes it {leads[chosen]:.1f} points at once."
        else:
            note = f"{moves[chosen]} makes the lead {leads[chosen]:+.1f} at once."
        return Choice(moves[chosen], Reasons(note=note))


class MctsAgent:
    """Tree search with a budget for each move."""

    def __init__(
        self, name: str, seed: int, budget: Budget, threads: int = 1, memory: int = 256 << 20
    ) -> None:
        self.name = name
        self._seed, self._budget, self._threads, self._memory = seed, budget, threads, memory
        self._search: tuple[Variant, Search] | None = None

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        _moves(state)
        if self._search is None or self._search[0] is not state.variant:
            fresh = Search(state.variant, seed=self._seed, threads=self._threads, memory=self._memory)
            self._search = (state.variant, fresh)
        report = self._search[1].think(state, self._budget, stop)
        return Choice(
            report.lines[0].move,
            Reasons(report.lines[:10], report.simulations, report.seconds, report.proven),
        )


def _moves(state: State) -> list[Move]:
    moves = state.legal_moves()
    if not moves:
        raise ValueError("there is nothing to choose: no player is to move here")
    return moves
