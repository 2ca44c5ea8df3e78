"""The only move that wins: proven by the solver, in games of two without dice."""

from __future__ import annotations

from snakeden.core.moves import Move
from snakeden.core.state import State
from snakeden.search.solver import Solver


class TooHard(Exception):
    """The solver did not answer within the positions it was given."""


def wins(solver: Solver, state: State, seat: int, positions: int | None = None) -> bool:
    """Whether this seat wins under best play; raises TooHard."""
    # Seat 0 wins by 1 or more; seat 1 wins where seat 0's lead is not even 0.
    answer = solver.at_least(state, 1 if seat == 0 else 0, positions=positions)
    if answer is None:
        raise TooHard
    return answer == (seat == 0)


def only_wins(solver: Solver, state: State, positions: int | None = None) -> tuple[Move, ...]:
    """The move after which alone the player to move wins, with any others that lead to the same position; empty if no
    move wins, or moves that lead to different positions do. Raises TooHard."""
    seat = state.player
    assert seat is not None
    words = int(state.variant.tables.key_words)
    if not wins(solver, state, seat, positions):
        return ()
    found: list[Move] = []
    reached = b""
    for move in state.legal_moves():
        after = state.play(move)
        key = after.array()[:words].tobytes()
        if key == reached:
            found.append(move)
        elif wins(solver, after, seat, positions):
            if found:
                return ()
            found.append(move)
            reached = key
    return tuple(found)
