"""Positions of Schlangennest."""

from __future__ import annotations

from typing import Any

import snakeden
from snakeden import State

SQUARE = "S(0,0)EW S(0,1)EW S(1,0)EW C(1,1)NW C(2,0)NW S(1,2)NS"
"""Cards that take a square of 3x3: which way a nest of 3x4 lies is still open."""
RING = "C(0,0)NE S(-1,-1)NS C(1,0)NW S(-1,-2)NS C(1,1)SW S(-1,-3)NS C(0,1)SE S(-1,-4)NS"
"""Seat 0 has closed a ring of four curves, and is to move."""
BOTH_AT_A_CORNER = "C(0,0)SE C(-1,-1)SE C(1,0)SW C(-1,-2)NE C(1,-1)NW"
"""One more curve, and both snakes reach (0,-1) round a corner."""


def played(moves: str, **options: Any) -> State:
    """The position after these moves, with spaces between."""
    state = snakeden.new_game("schlangennest", **options)
    for move in moves.split():
        state = state.play(move)
    return state


def legal(state: State) -> set[str]:
    return {str(move) for move in state.legal_moves()}
