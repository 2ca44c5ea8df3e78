"""One pass of the solver over the tree: alpha-beta with a window of nothing, which answers "is the value at least g?".

The line that is being looked at stands in arrays, a row a level, so that a pass can stop anywhere and go on later. Each
step does one of three things on the last level: enter a position, try its next move, or take a value that
came back from the level below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import OVER
from snakeden.core.kernel import inline, kernel
from snakeden.search.transposition import FAR, find_row, hashed, high_of, low_of, move_of, store
from snakeden.search.tree import copy_words

DEEPEST = 128
"""Plies a line may have."""

# Columns of `frames`, and what `control` holds.
INDEX, COUNT, TURN, BEST, MOVE, EFFORT, OTHER = range(7)
LEVEL, STEP, VALUE, SEEN = range(4)
ENTER, NEXT, RETURN = range(3)

# How early moves are tried: priors and history count less than 1 each.
_BEST_BEFORE, _LAST_CUT, _CUT_BEFORE_THAT = np.float32(100.0), np.float32(3.0), np.float32(2.0)
_MANY_CUTS = np.float32(64.0)
"""A move that cut so often counts half of what one that always does."""
_LEAD = np.float32(1.5)
"""What a point counts of the lead that a move leaves its player for sure."""
_LOOKED_INTO = 4
"""For how many moves, those that look best without it, that lead is found out. Where a move answers the question at
once, it is mostly one of these. For the others the lead is estimated, which takes a fraction of the time."""


class Line(NamedTuple):
    """The line that is being looked at, and what earlier ones taught about the order of moves."""

    control: NDArray[np.int64]
    """[4] LEVEL, STEP to take there, VALUE handed up, positions SEEN in all."""
    frames: NDArray[np.int64]
    """[DEEPEST, 7] per level INDEX of the next move, COUNT of moves, TURN, BEST value and its MOVE, the positions seen
    when it was entered (EFFORT), and the score of the OTHER seat."""
    keys: NDArray[np.uint64]
    """[DEEPEST, 2] per level the hash that finds the place in the table and the one that is compared."""
    states: NDArray[Any]
    """[DEEPEST + 1, words]"""
    moves: NDArray[np.int32]
    order: NDArray[np.float32]
    """[DEEPEST, most_moves] per level the moves and how early to try them."""
    scores_after: NDArray[np.int32]
    """[DEEPEST, most_moves] and the score of the seat to move right after each, where the game has `sure_lead`."""
    killers: NDArray[np.int32]
    """[DEEPEST, 2] per level the last moves that cut."""
    history: NDArray[np.int32]
    """[2, actions] per seat how often a move cut."""
    scores: NDArray[np.int64]
    """[seats]"""
    image: NDArray[Any]
    """[words]"""


def new_line(t: Any, dtype: Any, empty: Callable[[Any, Any], NDArray[Any]]) -> Line:
    """An empty line; `empty(shape, dtype)` makes its arrays, of zeros."""
    line = Line(
        control=empty(4, np.int64),
        frames=empty((DEEPEST, 7), np.int64),
        keys=empty((DEEPEST, 2), np.uint64),
        states=empty((DEEPEST + 1, t.words), dtype),
        moves=empty((DEEPEST, t.most_moves), np.int32),
        order=empty((DEEPEST, t.most_moves), np.float32),
        scores_after=empty((DEEPEST, t.most_moves), np.int32),
        killers=empty((DEEPEST, 2), np.int32),
        history=empty((2, t.actions), np.int32),
        scores=empty(t.seats, np.int64),
        image=empty(t.words, dtype),
    )
    line.killers[:] = -1
    return line


@cache
def make_hash(heuristics: ModuleType | None) -> Any:
    """key(t, line, s, folded) -> the two hashes of a position; `folded`: the same for its symmetric images."""
    symmetric = hasattr(heuristics, "image")

    @inline
    def key(t, line, s, folded):
        a, b = hashed(s, t.key_words)
        if symmetric:
            for image in range(1, heuristics.images(t) if folded else 0):
                heuristics.image(t, s, image, line.image)
                other_a, other_b = hashed(line.image, t.key_words)
                if other_b < b:
                    a, b = other_a, other_b
        return a, b

    return key


@inline
def needed(turn, goal):
    """How far ahead of the other whoever is to move has to end, so that the question is answered as they want."""
    return goal if turn == 0 else 1 - goal


@inline
def bring_best(line, level, index):
    """Bring the most promising of a level's moves from `index` on there."""
    moves, order, scores = line.moves[level], line.order[level], line.scores_after[level]
    chosen = index
    for k in range(index + 1, line.frames[level, COUNT]):
        if order[k] > order[chosen]:
            chosen = k
    moves[index], moves[chosen] = moves[chosen], moves[index]
    order[index], order[chosen] = order[chosen], order[index]
    scores[index], scores[chosen] = scores[chosen], scores[index]


@cache
def make_rank(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """rank(t, line, s, level, need): orders a level's moves by what they leave their player for sure, too. If one
    answers the question at once, that one alone is left."""

    @inline
    def rank(t, line, s, level, need):
        moves, order, scores, frame = (
            line.moves[level],
            line.order[level],
            line.scores_after[level],
            line.frames[level],
        )
        turn, before = frame[TURN], heuristics.before_moves(t, s)
        frame[OTHER] = before.other
        for k in range(frame[COUNT]):
            scores[k] = heuristics.score_after(t, s, before, np.int64(moves[k]), line.image)
        for k in range(min(frame[COUNT], _LOOKED_INTO)):
            bring_best(line, level, k)
            copy_words(line.image, s)
            rules.apply(t, line.image, np.int64(moves[k]))
            sure = heuristics.sure_lead(t, turn, line.image, np.int64(scores[k]), frame[OTHER])
            if sure >= need:
                moves[0] = moves[k]
                frame[INDEX], frame[COUNT], frame[MOVE] = 1, 1, moves[k]
                frame[BEST] = sure if turn == 0 else -sure
                return
            order[k] += _LEAD * np.float32(sure)
        for k in range(_LOOKED_INTO, frame[COUNT]):
            order[k] += _LEAD * np.float32(scores[k] - before.most)

    return rank


@cache
def make_list_moves(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """list_moves(t, line, s, level, turn, goal, first): writes the moves of a position to its level, less those that
    cannot answer the question, and how early each is tried; `first`: the best move of earlier passes, or -1."""
    pruned, rated = hasattr(heuristics, "prune"), hasattr(heuristics, "priors")
    ranked, rank = hasattr(heuristics, "sure_lead"), make_rank(rules, heuristics)

    @inline
    def list_moves(t, line, s, level, turn, goal, first):
        moves, order, frame = line.moves[level], line.order[level], line.frames[level]
        count, need = rules.legal(t, s, moves), needed(turn, goal)
        frame[BEST] = -FAR if turn == 0 else FAR
        if pruned:
            kept, most = heuristics.prune(t, s, need, moves, count)
            if kept < count:
                frame[BEST] = most if turn == 0 else -most
                count = kept
        if rated:
            heuristics.priors(t, s, moves, count, order)
        for k in range(count):
            cuts = np.float32(line.history[turn, moves[k]])
            early = cuts / (cuts + _MANY_CUTS)
            if rated:
                early += order[k]
            if moves[k] == first:
                early += _BEST_BEFORE
            if moves[k] == line.killers[level, 0]:
                early += _LAST_CUT
            if moves[k] == line.killers[level, 1]:
                early += _CUT_BEFORE_THAT
            order[k] = early
        frame[INDEX], frame[COUNT], frame[TURN], frame[MOVE] = 0, count, turn, -1
        if ranked:
            rank(t, line, s, level, need)

    return list_moves


@cache
def make_enter(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """enter(t, table, line, level, goal, folded, seen) -> (whether the question is answered at once, the value)."""
    key, list_moves = make_hash(heuristics), make_list_moves(rules, heuristics)

    @inline
    def enter(t, table, line, level, goal, folded, seen):
        s = line.states[level]
        rules.settle(t, s)
        turn = rules.turn(t, s)
        if turn == OVER:
            rules.scores(t, s, line.scores)
            return True, np.int64(line.scores[0] - line.scores[1])
        a, b = key(t, line, s, level < folded)
        row, first = find_row(table, a, b), np.int64(-1)
        if row >= 0:
            word = table[row, 1]
            first, low, high = move_of(word), low_of(word), high_of(word)
            # The first position is always looked into, as its move is asked for.
            if level > 0 and low >= goal:
                return True, low
            if level > 0 and high < goal:
                return True, high
        list_moves(t, line, s, level, turn, goal, first)
        line.keys[level, 0], line.keys[level, 1] = a, b
        line.frames[level, EFFORT] = seen
        return False, np.int64(0)

    return enter


@inline
def answered(line, level, goal):
    """Whether a move that was tried on this level answers the question for who moved."""
    frame = line.frames[level]
    reached = frame[BEST] >= goal
    return frame[INDEX] > 0 and ((frame[TURN] == 0 and reached) or (frame[TURN] == 1 and not reached))


@inline
def leave(table, line, level, goal, seen):
    """Remember what was found out about the position of a level; its value, a bound on one side of the goal."""
    frame, best = line.frames[level], line.frames[level, BEST]
    move = np.int64(-1)
    if answered(line, level, goal):
        move = frame[MOVE]
        if line.killers[level, 0] != move:
            line.killers[level, 1] = line.killers[level, 0]
            line.killers[level, 0] = move
        line.history[frame[TURN], move] += np.int32(1)
    low = best if best >= goal else -FAR
    high = best if best < goal else FAR
    store(table, line.keys[level, 0], line.keys[level, 1], low, high, move, seen - frame[EFFORT])
    return best


@inline
def next_move(line, level):
    """The most promising move of a level that is left, brought to its place in the order."""
    index = line.frames[level, INDEX]
    bring_best(line, level, index)
    line.frames[level, INDEX] = index + 1
    return np.int64(line.moves[level, index])


@inline
def take(line, level, value):
    """Take the value of the move tried last into a level's best."""
    frame = line.frames[level]
    if (frame[TURN] == 0 and value > frame[BEST]) or (frame[TURN] == 1 and value < frame[BEST]):
        frame[BEST] = value
        frame[MOVE] = line.moves[level, frame[INDEX] - 1]


@cache
def make_foresee(heuristics: ModuleType | None) -> Any:
    """foresee(t, line, level, goal) -> whether limits of what the move tried last can lead to answer the question. Then
    the limit is taken into the level's best."""
    of_moves, of_positions = hasattr(heuristics, "best_lead"), hasattr(heuristics, "lead_bounds")

    @inline
    def foresee(t, line, level, goal):
        frame, after = line.frames[level], line.states[level + 1]
        if of_moves:
            turn, score = frame[TURN], np.int64(line.scores_after[level, frame[INDEX] - 1])
            best = heuristics.best_lead(t, turn, after, score, frame[OTHER])
            if best < needed(turn, goal):
                take(line, level, best if turn == 0 else -best)
                return True
        elif of_positions:
            low, high = heuristics.lead_bounds(t, after)
            if low >= goal or high < goal:
                take(line, level, low if low >= goal else high)
                return True
        return False

    return foresee


@cache
def make_solve(rules: ModuleType, heuristics: ModuleType | None) -> Any:
    """run(t, table, line, goal, budget, folded) -> whether the pass has ended, its answer in control[VALUE].

    The answer is a lower bound of the value if it is at least `goal`, else an upper bound. `folded`: on this many
    levels symmetric positions are taken as one.
    """
    enter, foresee = make_enter(rules, heuristics), make_foresee(heuristics)

    @kernel
    def run(t, table, line, goal, budget, folded):
        level, step, value, seen = (
            line.control[LEVEL],
            line.control[STEP],
            line.control[VALUE],
            line.control[SEEN],
        )
        stop_at = seen + budget
        while level >= 0 and seen < stop_at:
            if step == ENTER:
                seen += 1
                done, value = enter(t, table, line, level, goal, folded, seen)
                step = NEXT
                if done:
                    step = RETURN
                    level -= 1
            elif step == RETURN:
                take(line, level, value)
                step = NEXT
            elif answered(line, level, goal) or line.frames[level, INDEX] == line.frames[level, COUNT]:
                value = leave(table, line, level, goal, seen)
                step = RETURN
                level -= 1
            else:
                move = next_move(line, level)
                copy_words(line.states[level + 1], line.states[level])
                rules.apply(t, line.states[level + 1], move)
                if not foresee(t, line, level, goal):
                    step = ENTER
                    level += 1
        line.control[LEVEL], line.control[STEP], line.control[VALUE], line.control[SEEN] = (
            level,
            step,
            value,
            seen,
        )
        return np.int64(level < 0)

    return run
