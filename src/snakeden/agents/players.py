"""The agents themselves. Each keeps what it knows between moves and takes a seed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.agents.choice import Choice, Reasons
from snakeden.core.game import Variant
from snakeden.core.moves import Moves
from snakeden.core.outcome import victory_shares
from snakeden.core.state import State
from snakeden.nets import evaluator
from snakeden.nets.inputs import BadNet
from snakeden.search.evaluators import Evaluator, SolvingEvaluator
from snakeden.search.greedy import appraise
from snakeden.search.solver import Solver, can_solve
from snakeden.search.thinking import Budget, Line, Search
from snakeden.words import Message

Stop = Callable[[], bool]


class RandomAgent:
    """Any legal move, each as likely as the others."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._random = random.Random(seed)

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        return Choice(self._random.choice(_moves(state)), Reasons(note=Message("choice.random")))


_GLANCE = 30
"""A player that does not search asks the solver where it is expected to look at no more positions than these."""
_GLANCE_MEMORY = 4 << 20


class GreedyAgent:
    """The move with the best score margin right after it, over the chance that follows; among equals the one
    the game's heuristics like best, then any.

    With probability `slip` it plays at random instead. With `sees` it looks at this many moves only, any of them, as a
    beginner does. With `solve` it plays a win that a glance proves, whatever else it would have done.
    """

    def __init__(
        self, name: str, seed: int, slip: float = 0.0, *, sees: int | None = None, solve: bool = False
    ) -> None:
        self.name = name
        self._random = random.Random(seed)
        self._slip, self._sees, self._solve = slip, sees, solve
        self._variant: Variant | None = None
        self._solver: Solver | None = None

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        moves = _moves(state)
        won = self._won(state, moves) if self._solve else None
        if won is not None:
            return won
        if self._random.random() < self._slip:
            return Choice(self._random.choice(moves), Reasons(note=Message("choice.random")))
        _, leads, ratings = appraise(state)
        seen = np.arange(len(moves))
        if self._sees is not None and self._sees < len(moves):
            seen = np.array(sorted(self._random.sample(range(len(moves)), self._sees)))
        chosen = self._random.choice(_best(leads, ratings, seen))
        key = "choice.makes_points" if state.seats == 1 else "choice.makes_lead"
        note = Message(key, move=str(moves[chosen]), n=round(float(leads[chosen]), 1))
        best = _best(leads, ratings, np.arange(len(moves)))
        overlooked = moves[best[0]] if chosen not in best else None
        return Choice(moves[chosen], Reasons(note=note, overlooked=overlooked))

    def _won(self, state: State, moves: Moves) -> Choice | None:
        """A move that certainly wins, if a glance finds one."""
        if state.seats == 1:
            return None
        if not can_solve(state):
            for move in moves:
                after = state.play(move)
                if after.is_over and after.winners() == (state.player,):
                    return Choice(move, Reasons(proven=True, note=Message("choice.wins", move=str(move))))
            return None
        if self._variant is not state.variant:
            self._variant, self._solver = state.variant, Solver(state, memory=_GLANCE_MEMORY)
            self._playouts = Search(state.variant, memory=_GLANCE_MEMORY)
        if _expected_work(len(moves), self._playouts.plies_left(state)) > _GLANCE:
            return None
        assert self._solver is not None
        # The first question is whether the player to move wins.
        solution = self._solver.solve(state, positions=_GLANCE, guess=1 if state.player == 0 else 0)
        ahead = solution.low if state.player == 0 else -solution.high
        if solution.move is None or ahead <= 0:
            return None
        return Choice(solution.move, Reasons(proven=True, note=_promise(str(solution.move), ahead)))


def _best(leads: NDArray[np.float64], ratings: NDArray[np.float32], among: NDArray[np.intp]) -> list[int]:
    """Of these moves, by their places, those of the highest lead and then the highest rating."""
    best = among[leads[among] >= leads[among].max() - 1e-9]
    return [int(one) for one in best[ratings[best] >= ratings[best].max() - 1e-6]]


_SOLVER_SHARE = 0.5
"""The part of the budget that the solver may take near the end."""
_EXPECTED_A_SECOND = 2_800_000
"""Expected work that the solver does in a second. It looks at about 300,000 positions then, a tenth of those that
`_expected_work` expects: the median of positions for which that is 10,000 or more."""
_POSITIONS_A_SIMULATION = 8
"""What the solver may look at for every simulation of the budget."""
_HOPE = 3.0
"""The solver is asked where it is expected to look at no more than this many times what it may: positions of one ply
differ so much that it then still answers many of the questions."""
_EASIER = 4.0
"""Once it was asked in vain, it is asked again where the work looks this many times smaller."""


def _expected_work(moves: int, plies: float) -> float:
    """About how many positions the solver will look at to see who wins, with this many moves now and plies to come:
    a rule of thumb from the second half of Snekagon, right to an order of magnitude at best."""
    return float(3 * moves ** (plies / 4))


class MctsAgent:
    """Tree search with a budget for each move, and exact play near the end where the game allows it."""

    def __init__(
        self,
        name: str,
        seed: int,
        budget: Budget,
        *,
        threads: int = 1,
        memory: int = 256 << 20,
        solve: bool = True,
    ) -> None:
        self.name = name
        self._seed, self._budget, self._threads, self._memory = seed, budget, threads, memory
        self._solve = solve
        self._variant: Variant | None = None
        self._note: Message | None = None
        self._playouts_a_simulation = 1

    def choose(self, state: State, stop: Stop | None = None) -> Choice:
        moves = _moves(state)
        if self._variant is not state.variant:
            self._variant = state.variant
            table = self._memory // 4 if self._solve and can_solve(state) else 0
            self._solver = Solver(state, memory=table) if table else None
            self._search = self._searching(state.variant, self._memory - table)
            self._in_vain = float("inf")
        begin = time.perf_counter()
        if self._solver is not None:
            proven = self._exactly(self._solver, state, len(moves), stop)
            if proven is not None:
                return proven
        budget = self._budget
        if budget.seconds is not None:
            left = budget.seconds - (time.perf_counter() - begin)
            budget = replace(budget, seconds=max(left, 0.1 * budget.seconds))
        report = self._search.think(state, budget, stop)
        visits = {line.move.code: line.simulations for line in report.lines}
        reasons = Reasons(
            report.lines[:10], report.simulations, report.seconds, report.proven, self._note, visits=visits
        )
        return Choice(report.lines[0].move, reasons)

    def _searching(self, variant: Variant, memory: int) -> Search:
        return Search(variant, seed=self._seed, threads=self._threads, memory=memory)

    def _exactly(self, solver: Solver, state: State, moves: int, stop: Stop | None) -> Choice | None:
        """The choice if the position can be solved within a part of the budget, or is known to be won."""
        seconds = positions = None
        allowed = 1 << 60
        if self._budget.seconds is not None:
            seconds = _SOLVER_SHARE * self._budget.seconds
            allowed = int(seconds * _EXPECTED_A_SECOND)
        if self._budget.simulations is not None:
            each = _POSITIONS_A_SIMULATION * self._playouts_a_simulation
            positions = int(_SOLVER_SHARE * self._budget.simulations * each)
            allowed = min(allowed, positions)
        work = _expected_work(moves, self._search.plies_left(state))
        if work > min(_HOPE * allowed, self._in_vain / _EASIER):
            return None
        asked = (lambda low, high, seen: stop()) if stop is not None else None
        # The first question is whether the player to move wins.
        guess = 1 if state.player == 0 else 0
        solution = solver.solve(state, seconds=seconds, positions=positions, guess=guess, stop=asked)
        ahead = solution.low if state.player == 0 else -solution.high
        if solution.move is None or not (solution.solved or ahead > 0):
            self._in_vain = min(self._in_vain, work)
            return None
        if not solution.scores:
            note = _promise(str(solution.move), ahead)
            return Choice(solution.move, Reasons(seconds=solution.seconds, proven=True, note=note))
        wins = tuple(victory_shares(solution.scores).tolist())
        line = Line(solution.move, 0, wins, tuple(map(float, solution.scores)), True, solution.line)
        note = Message("choice.looked_at_all", n=solution.positions)
        return Choice(solution.move, Reasons((line,), 0, solution.seconds, True, note))


_SIMULATIONS_AN_EVALUATION = 30
"""Simulations with playouts that take about as long as one with a network."""
_REMEMBERED = 8
"""What a network said is remembered in this part of the memory: by default some 10,000 positions find room."""


class NetAgent(MctsAgent):
    """Tree search with a network as its evaluator: that of the package for the game, or a file. Where none fits, or
    ONNX Runtime is missing, the search plays without one and says so. If it does not `wait`, it also does so while the
    kernels that a network needs are being compiled. `mix` is the share of the values that playouts say, from 0 to 1,
    where it is not to be that of the network's card."""

    def __init__(
        self,
        name: str,
        seed: int,
        budget: Budget,
        *,
        file: Path | None = None,
        wait: bool = True,
        mix: float | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(name, seed, budget, **settings)
        self._file, self._wait, self._mix, self._asked = file, wait, mix, budget

    def _searching(self, variant: Variant, memory: int) -> Search:
        self._budget, self._note, self._playouts_a_simulation = self._asked, None, 1
        try:
            asked: Evaluator = evaluator.evaluator_of(
                variant,
                self._file or evaluator.network_for(variant),
                wait=self._wait,
                mix=self._mix,
                seed=self._seed,
                memory=memory // _REMEMBERED,
            )
        except BadNet as error:
            if self._file is not None:
                raise
            self._note = Message("choice.without_net", why=str(error))
            if self._asked.simulations is not None:
                more = self._asked.simulations * _SIMULATIONS_AN_EVALUATION
                self._budget = replace(self._asked, simulations=more)
            return super()._searching(variant, memory)
        if self._solver is not None:
            asked = SolvingEvaluator(variant, asked, self._solver)
        # The solver may take as long as beside a search with playouts that thinks for the same time.
        self._playouts_a_simulation = _SIMULATIONS_AN_EVALUATION
        left = memory - memory // _REMEMBERED
        return evaluator.search_with(asked, variant, seed=self._seed, threads=self._threads, memory=left)


def _promise(move: str, ahead: int) -> Message:
    """What a move that ends so far ahead does for sure."""
    if ahead > 0:
        return Message("choice.wins_by", move=move, n=ahead)
    return Message("choice.loses_by", move=move, n=-ahead) if ahead else Message("choice.shares", move=move)


def _moves(state: State) -> Moves:
    moves = state.legal_moves()
    if not moves:
        raise ValueError("there is nothing to choose: no player is to move here")
    return moves
