"""Counting the sequences of moves from a position on an NVIDIA GPU: one thread plays a move and lists what follows.

Positions are gone through in portions, each as deep as asked before the next, so that memory is enough at any depth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from snakeden.core.state import State
from snakeden.programs.cuda import CudaProgram, array_namespace

ROOM = 1 << 33
"""Bytes on the card for the positions and the lists of legal moves of all depths."""


class _Level:
    """Up to `size` positions of one depth, and what is legal in them."""

    def __init__(self, program: CudaProgram, tables: Any, size: int, dtype: Any) -> None:
        self.states = program.array((size, int(tables.words)), dtype)
        """[size, words]"""
        self.moves = program.array((size, int(tables.most_moves)), np.int32)
        """[size, most_moves]"""
        self.counts = program.array(size, np.int32)
        """[size] how many moves each list has."""


def perft(state: State, depth: int, portion: int | None = None) -> int:
    """As `search.perft.perft`. A portion has at most so many positions; as many as there is room for if it is not
    given. Raises CudaMissing where there is no GPU to be used."""
    if depth < 1:
        raise ValueError(f"a depth of {depth} counts nothing: it must be 1 or more")
    program, tables, first = CudaProgram(state.variant), state.variant.tables, state.array()
    moves = np.zeros(int(tables.most_moves), np.int32)
    count = state.variant.program.legal(first, moves)
    if depth == 1:
        return int(count)
    each = first.nbytes + moves.nbytes
    size = portion or max(1, ROOM // (each * (depth - 1)))
    start = _Level(program, tables, 1, first.dtype)
    start.states[0] = array_namespace().asarray(first)
    start.moves[0] = array_namespace().asarray(moves)
    start.counts[0] = count
    levels = [start, *(_Level(program, tables, size, first.dtype) for _ in range(depth - 1))]
    return _count(program, levels, 1)


def _count(program: CudaProgram, levels: list[_Level], positions: int) -> int:
    """How many sequences there are from the first `positions` of levels[0], one move a level."""
    here = levels[0]
    counts = here.counts[:positions].astype(np.int64)
    if len(levels) == 1:
        return int(counts.sum())
    xp, after = array_namespace(), levels[1]
    behind = xp.cumsum(counts)
    total, size = 0, len(after.counts)
    for first in range(0, int(behind[-1]), size):
        # The numbers of moves, counted through all lists.
        number = xp.arange(first, min(first + size, int(behind[-1])))
        parents = xp.searchsorted(behind, number, side="right")
        played = here.moves[parents, number - behind[parents] + counts[parents]]
        chosen = parents.astype(np.int32), xp.ascontiguousarray(played)
        listed = after.states, after.moves, after.counts
        program.play_and_list(here.states, *chosen, *listed, 0, len(number))
        total += _count(program, levels[1:], len(number))
    return total
