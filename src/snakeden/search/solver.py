"""Exact play for games of two without chance: alpha-beta with a transposition table.

The value of a position is seat 0's final score less seat 1's under best play; its sign says who wins, so the
larger margin never costs a win. Each pass over the tree (`alphabeta.py`) asks one question, "is the value at least g?",
and the answers close in on the value from both sides (MTD(f)). What a pass learns stays in the table
(`transposition.py`) for the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.moves import Move
from snakeden.core.state import State
from snakeden.programs import Target, program
from snakeden.search.alphabeta import ENTER, LEVEL, MOVE, SEEN, STEP, VALUE, new_line
from snakeden.search.transposition import FAR, new_table

_SLICE = 20_000
"""Positions between looks at the clock."""
_FOLDED = 4
"""Levels on which symmetric positions are taken as one; further down that costs more than it saves."""


@dataclass(frozen=True)
class Solution:
    """A position solved, or as far as it was."""

    low: int
    high: int
    """The value lies between these, seat 0's score less seat 1's; equal if solved."""
    move: Move | None
    """A move that gives the player to move the better of these bounds for sure; None if there is none yet."""
    line: tuple[Move, ...]
    """Best play from here on, as far as there was time to follow it; empty if not solved."""
    scores: tuple[int, ...]
    """The final scores that line leads to; empty if it does not reach the end."""
    positions: int
    seconds: float

    @property
    def solved(self) -> bool:
        return self.low == self.high

    @property
    def value(self) -> int:
        """Seat 0's score less seat 1's under best play; ValueError if that is not known."""
        if not self.solved:
            raise ValueError(f"not solved: the value lies between {self.low} and {self.high}")
        return self.low


def can_solve(state: State) -> bool:
    """Whether this is a game the solver is for: two players and no dice."""
    return state.seats == 2 and not state.variant.game.chance


class Solver:
    """Solves positions of one variant and remembers what it has seen."""

    def __init__(
        self,
        state: State,
        *,
        memory: int = 256 << 20,
        target: Target | None = None,
        table: NDArray[np.uint64] | None = None,
    ) -> None:
        """`table`: one of `transposition.shared_table`, in place of a new one; for the target `cpu`."""
        if not can_solve(state):
            raise ValueError(
                f"{state.game} with these options cannot be solved: only games of two players without dice can"
            )
        self._variant, self._start, self._target = state.variant, state, target
        self._program = program(state.variant, target)
        self._table = new_table(memory, self._program.array) if table is None else table
        self._pass = new_line(state.variant.tables, state.array().dtype, self._program.array)

    def beside(self) -> Solver:
        """Another one, for another thread. They share what they learn, but for those in WebAssembly, where each has a
        memory of its own."""
        shared = self._table if self._program.target == "cpu" else None
        return Solver(self._start, memory=self._table.nbytes, target=self._target, table=shared)

    def solve(
        self,
        state: State,
        *,
        seconds: float | None = None,
        positions: int | None = None,
        guess: int | None = None,
        stop: Callable[[int, int, int], bool] | None = None,
    ) -> Solution:
        """The value and best play, or bounds of the value when the time, the positions or `stop` end it first.

        `stop` is asked now and then with the bounds and the number of positions so far; `guess` is the first
        value to be tried.
        """
        begin, start = time.perf_counter(), self.seen

        def over(low: int, high: int) -> bool:
            seen = self.seen - start
            return (
                (seconds is not None and time.perf_counter() - begin >= seconds)
                or (positions is not None and seen >= positions)
                or (stop is not None and stop(low, high, seen))
            )

        if state.player is None:
            scores = state.scores()
            return Solution(scores[0] - scores[1], scores[0] - scores[1], None, (), scores, 0, 0.0)
        low, high, move = -FAR, FAR, None
        if guess is None:
            now = state.scores()
            guess = now[0] - now[1]
        goal = guess
        while low < high:
            answer = self._ask(state.array(), goal, partial(over, low, high))
            if answer is None:
                break
            if (answer >= goal) == (state.player == 0):
                move = self._first_move()
            if answer >= goal:
                low, goal = answer, answer + 1
            else:
                high, goal = answer, answer
        line, scores = self._line(state, low, partial(over, low, high)) if low == high else ((), ())
        positions_seen = self.seen - start
        return Solution(low, high, move, line, scores, positions_seen, time.perf_counter() - begin)

    def at_least(
        self, state: State, goal: int, *, positions: int | None = None, seconds: float | None = None
    ) -> bool | None:
        """Whether seat 0 ends at least `goal` points ahead of seat 1 under best play; None if the positions or the
        time end first. One such question is much cheaper than the value."""
        if state.player is None:
            scores = state.scores()
            return scores[0] - scores[1] >= goal
        begin, start = time.perf_counter(), self.seen

        def over() -> bool:
            return (positions is not None and self.seen - start >= positions) or (
                seconds is not None and time.perf_counter() - begin >= seconds
            )

        between_looks = _SLICE if positions is None else min(_SLICE, positions)
        answer = self._ask(state.array(), goal, over, between_looks)
        return None if answer is None else answer >= goal

    def victory_share(self, position: NDArray[Any], positions: int, *, likely: float = 0.5) -> float | None:
        """What whoever is to move in a position [words] gets of the victory under best play: 1, 0.5 if it is shared, or
        0. It takes one or two questions; None where one of them takes more than this many positions. What is `likely`
        is asked first."""
        player = self._program.turn(position)
        for goal in (1, 0) if likely >= 0.5 else (0, 1):
            asked = goal if player == 0 else 1 - goal
            answer = self._ask(position, asked, lambda: True, positions)
            if answer is None:
                return None
            reached = (answer >= asked) == (player == 0)
            if reached == (goal == 1):
                return float(goal)
        return 0.5

    @property
    def seen(self) -> int:
        """How many positions were looked at in all."""
        return int(self._pass.control[SEEN])

    def _first_move(self) -> Move:
        """The move of the first position that answered the last question."""
        code = int(self._pass.frames[0, MOVE])
        return Move.of(self._variant, code)

    def _ask(
        self, position: NDArray[Any], goal: int, over: Callable[[], bool], between_looks: int = 0
    ) -> int | None:
        """A lower bound of the value of a position [words] if it is at least `goal`, else an upper bound; None if it is
        `over` first: that is asked every `between_looks` positions."""
        line = self._pass
        line.states[0] = position
        line.control[LEVEL], line.control[STEP] = 0, ENTER
        while not self._program.solve(self._table, line, goal, between_looks or _SLICE, _FOLDED):
            if over():
                return None
        return int(line.control[VALUE])

    def _line(
        self, state: State, value: int, over: Callable[[], bool]
    ) -> tuple[tuple[Move, ...], tuple[int, ...]]:
        """Moves that keep the value for both sides, and the scores they lead to; no scores if `over` ends it."""
        line: list[Move] = []
        while not state.is_over:
            # Seat 0 shows a move that reaches the value, seat 1 one that lets no more through.
            goal = value if state.player == 0 else value + 1
            if self._ask(state.array(), goal, over) is None:
                return tuple(line), ()
            line.append(self._first_move())
            state = state.play(line[-1])
        return tuple(line), state.scores()
