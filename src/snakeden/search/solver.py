"""Exact play for games of two without chance: alpha-beta with a transposition table.

The value of a position is seat 0's final score less seat 1's under best play; its sign says who wins, so the
larger margin never costs a win. Each pass over the tree asks one question, "is the value at least g?", and
the answers close in on the value from both sides (MTD(f)). What a pass learns stays in the table for the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import OVER
from snakeden.core.kernel import inner, kernel
from snakeden.core.moves import Move
from snakeden.core.state import State
from snakeden.search.heuristics import offering
from snakeden.search.tree import copy_words

DEEPEST = 128
"""Plies a line may have."""
_FAR = 30_000
"""More than any margin."""
_BUCKET = 4
_SLICE = 20_000
"""Positions between looks at the clock."""
_FOLDED = 4
"""Levels on which symmetric positions are taken as one; further down that costs more than it saves."""

# Columns of `frames`, and what `control` holds.
INDEX, COUNT, TURN, BEST, MOVE, EFFORT = range(6)
LEVEL, MODE, VALUE, SEEN = range(4)
ENTER, NEXT, RETURN = range(3)

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_S32, _S29 = np.uint64(32), np.uint64(29)
_LOW16, _LOW24, _LOW8 = np.uint64(0xFFFF), np.uint64(0xFFFFFF), np.uint64(0xFF)
_MOVE_AT, _EFFORT_AT = np.uint64(32), np.uint64(56)
_HIGH_AT = np.uint64(16)
_EMPTY = np.uint64(0)


class Desk(NamedTuple):
    """The line that is being looked at, so that a pass can stop anywhere and go on later."""

    control: NDArray[np.int64]
    """[4] LEVEL, MODE, VALUE handed up, positions SEEN in all."""
    frames: NDArray[np.int64]
    """[DEEPEST, 6] per level INDEX of the next move, COUNT of moves, TURN, BEST value and its MOVE, and the
    positions seen when it was entered (EFFORT)."""
    keys: NDArray[np.uint64]
    """[DEEPEST, 2] per level the hash that finds the place in the table and the one that is compared."""
    states: NDArray[Any]
    """[DEEPEST + 1, words]"""
    moves: NDArray[np.int32]
    order: NDArray[np.float32]
    """[DEEPEST, most_moves] per level the moves and how early to try them."""
    killers: NDArray[np.int32]
    """[DEEPEST, 2] per level the last moves that cut."""
    history: NDArray[np.int32]
    """[2, actions] per seat how often a move cut, by how much work."""
    scores: NDArray[np.int64]
    """[seats]"""
    image: NDArray[Any]
    """[words]"""


@inner
def mixed(a, b, word):
    a = (a ^ word) * _A
    a ^= a >> _S32
    b = (b + word) * _B
    b ^= b >> _S29
    return a, b


@inner
def probe(table, a, b):
    """The row of the table with this position, or -1."""
    first = np.int64(a & np.uint64(len(table) - 1)) & ~(_BUCKET - 1)
    for row in range(first, first + _BUCKET):
        if table[row, 0] == b and table[row, 1] != _EMPTY:
            return np.int64(row)
    return np.int64(-1)


@inner
def packed(low, high, move, effort):
    """One word: two bounds (16 bits each, shifted to be positive), the best move (24 bits, one up), effort."""
    word = np.uint64(low + _FAR) | (np.uint64(high + _FAR) << _HIGH_AT)
    return word | (np.uint64(move + 1) << _MOVE_AT) | (np.uint64(effort) << _EFFORT_AT)


@inner
def low_of(word):
    return np.int64(word & _LOW16) - _FAR


@inner
def high_of(word):
    return np.int64((word >> _HIGH_AT) & _LOW16) - _FAR


@inner
def move_of(word):
    return np.int64((word >> _MOVE_AT) & _LOW24) - 1


@inner
def effort_of(word):
    return np.int64((word >> _EFFORT_AT) & _LOW8)


@inner
def store(table, a, b, low, high, move, seen):
    """Remember bounds of a position; of a full bucket the one that took the least work makes room."""
    effort = 1
    while seen > 1 and effort < 255:
        seen >>= 1
        effort += 1
    row = probe(table, a, b)
    if row >= 0:
        low, high = max(low, low_of(table[row, 1])), min(high, high_of(table[row, 1]))
        if move < 0:
            move = move_of(table[row, 1])
    else:
        first = np.int64(a & np.uint64(len(table) - 1)) & ~(_BUCKET - 1)
        row = first
        for other in range(first, first + _BUCKET):
            if effort_of(table[other, 1]) < effort_of(table[row, 1]):
                row = other
    table[row, 0] = b
    table[row, 1] = packed(low, high, move, effort)


@cache
def _passer(
    rules: ModuleType,
    rater: ModuleType | None,
    bounder: ModuleType | None,
    sieve: ModuleType | None,
    mirror: ModuleType | None,
) -> Any:
    """run(t, table, desk, goal, budget, folded) -> whether the pass has ended, its answer in control[VALUE].

    The answer is a lower bound of the value if it is at least `goal`, else an upper bound. `folded`: on so many
    levels symmetric positions are taken as one.
    """
    rated, bounded = rater is not None, bounder is not None
    sieved, mirrored = sieve is not None, mirror is not None

    @kernel
    def run(t, table, desk, goal, budget, folded):
        control, frames, keys, scores = desk.control, desk.frames, desk.keys, desk.scores
        level, mode, value = control[LEVEL], control[MODE], control[VALUE]
        seen = control[SEEN]
        stop_at = seen + budget
        while level >= 0 and seen < stop_at:
            if mode == ENTER:
                seen += 1
                s = desk.states[level]
                rules.settle(t, s)
                turn = rules.turn(t, s)
                mode = RETURN
                if turn == OVER:
                    rules.scores(t, s, scores)
                    value = scores[0] - scores[1]
                    level -= 1
                    continue
                if bounded:
                    least, most = bounder.margin_bounds(t, s, goal)
                    # The first position is always looked into: its move is asked for.
                    if level > 0 and least >= goal:
                        value = least
                        level -= 1
                        continue
                    if level > 0 and most < goal:
                        value = most
                        level -= 1
                        continue
                a, b = np.uint64(0), np.uint64(0)
                for k in range(t.key_words):
                    a, b = mixed(a, b, np.uint64(s[k]))
                if mirrored:
                    for image in range(1, mirror.images(t) if level < folded else 0):
                        mirror.image(t, s, image, desk.image)
                        other_a, other_b = np.uint64(0), np.uint64(0)
                        for k in range(t.key_words):
                            other_a, other_b = mixed(other_a, other_b, np.uint64(desk.image[k]))
                        if other_b < b:
                            a, b = other_a, other_b
                row = probe(table, a, b)
                known_move = np.int64(-1)
                if row >= 0:
                    word = table[row, 1]
                    known_move = move_of(word)
                    if level > 0 and low_of(word) >= goal:
                        value = low_of(word)
                        level -= 1
                        continue
                    if level > 0 and high_of(word) < goal:
                        value = high_of(word)
                        level -= 1
                        continue
                count = rules.legal(t, s, desk.moves[level])
                frames[level, BEST] = -_FAR if turn == 0 else _FAR
                if sieved:
                    need = goal if turn == 0 else 1 - goal
                    kept, most = sieve.prune(t, s, need, desk.moves[level], count)
                    if kept < count:
                        frames[level, BEST] = most if turn == 0 else -most
                        count = kept
                if rated:
                    rater.priors(t, s, desk.moves[level], count, desk.order[level])
                for k in range(count):
                    move = desk.moves[level, k]
                    first = np.float32(desk.history[turn, move])
                    early = first / (first + np.float32(64.0))
                    if rated:
                        early += desk.order[level, k]
                    if move == known_move:
                        early += np.float32(100.0)
                    if move == desk.killers[level, 0]:
                        early += np.float32(3.0)
                    if move == desk.killers[level, 1]:
                        early += np.float32(2.0)
                    desk.order[level, k] = early
                keys[level, 0], keys[level, 1] = a, b
                frames[level, INDEX] = 0
                frames[level, COUNT] = count
                frames[level, TURN] = turn
                frames[level, MOVE] = -1
                frames[level, EFFORT] = seen
                mode = NEXT
            elif mode == NEXT:
                turn, best = frames[level, TURN], frames[level, BEST]
                index, count = frames[level, INDEX], frames[level, COUNT]
                cut = index > 0 and ((turn == 0 and best >= goal) or (turn == 1 and best < goal))
                if cut or index == count:
                    move = frames[level, MOVE]
                    work = seen - frames[level, EFFORT]
                    if cut:
                        if desk.killers[level, 0] != move:
                            desk.killers[level, 1] = desk.killers[level, 0]
                            desk.killers[level, 0] = move
                        desk.history[turn, move] += np.int32(1)
                    low = best if best >= goal else -_FAR
                    high = best if best < goal else _FAR
                    store(
                        table, keys[level, 0], keys[level, 1], low, high, move if cut else np.int64(-1), work
                    )
                    value = best
                    mode = RETURN
                    level -= 1
                    continue
                # The best of what is left comes next.
                chosen = index
                for k in range(index + 1, count):
                    if desk.order[level, k] > desk.order[level, chosen]:
                        chosen = k
                move = desk.moves[level, chosen]
                desk.moves[level, chosen] = desk.moves[level, index]
                desk.order[level, chosen] = desk.order[level, index]
                desk.moves[level, index] = move
                frames[level, INDEX] = index + 1
                copy_words(desk.states[level + 1], desk.states[level])
                rules.apply(t, desk.states[level + 1], np.int64(move))
                level += 1
                mode = ENTER
            else:
                turn, best = frames[level, TURN], frames[level, BEST]
                if (turn == 0 and value > best) or (turn == 1 and value < best):
                    frames[level, BEST] = value
                    frames[level, MOVE] = desk.moves[level, frames[level, INDEX] - 1]
                mode = NEXT
        control[LEVEL], control[MODE], control[VALUE], control[SEEN] = level, mode, value, seen
        return level < 0

    return run


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

    def __init__(self, state: State, *, memory: int = 256 << 20) -> None:
        if not can_solve(state):
            raise ValueError(
                f"{state.game} with these options cannot be solved: only games of two players without dice can"
            )
        tables, game = state.variant.tables, state.variant.game
        self._variant = state.variant
        helpers = (offering(game, name) for name in ("priors", "margin_bounds", "prune", "image"))
        self._run = _passer(game.rules, *helpers)
        rows = 1 << max(10, (memory // 16).bit_length() - 1)
        self._table = np.zeros((rows, 2), np.uint64)
        dtype = game.rules.DTYPE
        self._desk = Desk(
            np.zeros(4, np.int64),
            np.zeros((DEEPEST, 6), np.int64),
            np.zeros((DEEPEST, 2), np.uint64),
            np.zeros((DEEPEST + 1, tables.words), dtype),
            np.zeros((DEEPEST, tables.most_moves), np.int32),
            np.zeros((DEEPEST, tables.most_moves), np.float32),
            np.full((DEEPEST, 2), -1, np.int32),
            np.zeros((2, tables.actions), np.int32),
            np.zeros(tables.seats, np.int64),
            np.zeros(tables.words, dtype),
        )
        # Compile, or load what was compiled, before any clock runs.
        self._run(tables, self._table, self._desk, np.int64(0), np.int64(0), np.int64(0))

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
        begin, start = time.perf_counter(), int(self._desk.control[SEEN])

        def over(low: int, high: int) -> bool:
            seen = int(self._desk.control[SEEN]) - start
            return (
                (seconds is not None and time.perf_counter() - begin >= seconds)
                or (positions is not None and seen >= positions)
                or (stop is not None and stop(low, high, seen))
            )

        if state.player is None:
            scores = state.scores()
            return Solution(scores[0] - scores[1], scores[0] - scores[1], None, (), scores, 0, 0.0)
        low, high, move = -_FAR, _FAR, None
        if guess is None:
            now = state.scores()
            guess = now[0] - now[1]
        goal = guess
        while low < high:
            answer = self._ask(state, goal, partial(over, low, high))
            if answer is None:
                break
            if (answer >= goal) == (state.player == 0):
                move = self._first_move()
            if answer >= goal:
                low, goal = answer, answer + 1
            else:
                high, goal = answer, answer
        line, scores = self._line(state, low, partial(over, low, high)) if low == high else ((), ())
        positions_seen = int(self._desk.control[SEEN]) - start
        return Solution(low, high, move, line, scores, positions_seen, time.perf_counter() - begin)

    def _first_move(self) -> Move:
        """The move of the first position that answered the last question."""
        code = int(self._desk.frames[0, MOVE])
        return Move(code, self._variant.game.notation.text(self._variant.tables, code))

    def _ask(self, state: State, goal: int, over: Callable[[], bool]) -> int | None:
        """A lower bound of the value if it is at least `goal`, else an upper bound; None if time is over."""
        desk, tables = self._desk, self._variant.tables
        desk.states[0] = state.array()
        desk.control[LEVEL], desk.control[MODE] = 0, ENTER
        while not self._run(tables, self._table, desk, np.int64(goal), np.int64(_SLICE), np.int64(_FOLDED)):
            if over():
                return None
        return int(desk.control[VALUE])

    def _line(
        self, state: State, value: int, over: Callable[[], bool]
    ) -> tuple[tuple[Move, ...], tuple[int, ...]]:
        """Moves that keep the value for both sides, and the scores they lead to; no scores if `over` ends it."""
        line: list[Move] = []
        while not state.is_over:
            # Seat 0 shows a move that reaches the value, seat 1 one that lets no more through.
            goal = value if state.player == 0 else value + 1
            if self._ask(state, goal, over) is None:
                return tuple(line), ()
            line.append(self._first_move())
            state = state.play(line[-1])
        return tuple(line), state.scores()
