"""Proofs of puzzles, and what is said to an answer: why it is right, or the line that refutes it."""

from __future__ import annotations

from dataclasses import dataclass

from snakeden.core.moves import Move, MoveLike
from snakeden.core.state import State
from snakeden.puzzles.expectation import Value, continuation, rounded, values
from snakeden.puzzles.puzzle import Puzzle
from snakeden.puzzles.winning import only_wins
from snakeden.search.solver import Solver
from snakeden.words import Message

MOST_EXPECTED = 100_000
"""Positions that exact values of a turn may need."""
_MEMORY = 64 << 20
_SAME = 1e-6
"""Values in files are rounded."""


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth."""

    right: bool
    message: Message
    """The judgement as a sentence."""
    line: tuple[Move, ...]
    """Best play from the puzzle's position, the answer first. Where dice decide it goes on to the end of the turn:
    after a right answer as is most likely, after a wrong one as is worst."""
    states: tuple[State, ...]
    """The position after each move of the line."""
    note: Message | None = None
    """How likely the dice fall as in the line, as a sentence."""


def judge(puzzle: Puzzle, move: MoveLike) -> Verdict:
    """What this answer is worth; raises IllegalMove."""
    state = puzzle.state()
    answer = state.move(move)
    right = answer.text in puzzle.solutions
    if puzzle.values is not None:
        line, chance = continuation(state, answer, MOST_EXPECTED, unlucky=not right)
        key = "puzzle.likely_line" if right else "puzzle.unlucky_line"
        note = Message(key, chance=round(100 * chance, 1)) if chance < 1 else None
        return Verdict(right, _roll_words(puzzle, answer), line, _states(state, line), note)
    seat = state.player
    assert seat is not None
    after = state.play(answer)
    if right:
        assert puzzle.value is not None
        line = (answer, *(_moves(after, puzzle.line[1:])))
        return Verdict(True, _won(puzzle.value), line, _states(state, line))
    solution = Solver(state, memory=_MEMORY).solve(after)
    line = (answer, *solution.line)
    lead = solution.value if seat == 0 else -solution.value
    message = Message("puzzle.loses", n=-lead) if lead < 0 else Message("puzzle.draws")
    return Verdict(False, message, line, _states(state, line))


def _won(value: int) -> Message:
    return Message("puzzle.wins", n=value)


def _roll_words(puzzle: Puzzle, answer: Move) -> Message:
    assert puzzle.values is not None
    stay, points = puzzle.values[answer.text]
    best_stay, best_points = puzzle.values[puzzle.solutions[0]]
    figures = {"chance": round(100 * stay, 1), "points": round(points, 2)}
    if answer.text in puzzle.solutions:
        return Message("puzzle.roll_right", **figures)
    return Message(
        "puzzle.roll_wrong",
        **figures,
        best_chance=round(100 * best_stay, 1),
        best_points=round(best_points, 2),
    )


def _moves(state: State, texts: tuple[str, ...]) -> list[Move]:
    found = []
    for text in texts:
        found.append(state.move(text))
        state = state.play(text)
    return found


def _states(state: State, line: tuple[Move, ...]) -> tuple[State, ...]:
    states = []
    for move in line:
        state = state.play(move)
        states.append(state)
    return tuple(states)


def prove(puzzle: Puzzle) -> None:
    """Prove a puzzle anew: that its solution is the only one, and what it is worth. Raises ValueError with what is
    wrong."""
    state = puzzle.state()
    if puzzle.values is not None:
        _prove_roll(puzzle, state)
        return
    solver = Solver(state, memory=_MEMORY)
    found = tuple(move.text for move in only_wins(solver, state))
    if found != puzzle.solutions:
        raise ValueError(
            f"{puzzle.game} {puzzle.id}: what alone wins is {found or 'nothing'}, not {puzzle.solutions}"
        )
    value = solver.solve(state).value * (1 if state.player == 0 else -1)
    if value != puzzle.value:
        raise ValueError(f"{puzzle.game} {puzzle.id}: the solution wins by {value}, not by {puzzle.value}")
    last = _states(state, tuple(_moves(state, puzzle.line)))[-1]
    scores = last.scores()
    ahead = (scores[0] - scores[1]) * (1 if state.player == 0 else -1)
    if puzzle.line[0] not in puzzle.solutions or not last.is_over or ahead != value:
        raise ValueError(f"{puzzle.game} {puzzle.id}: its line does not lead to a win by {value}")


def _prove_roll(puzzle: Puzzle, state: State) -> None:
    found = values(state, MOST_EXPECTED)
    stated = puzzle.values or {}
    if {move.text for move in found} != stated.keys():
        raise ValueError(f"{puzzle.game} {puzzle.id}: other moves are legal than those it has values of")
    for move, value in found.items():
        if not _alike(value, stated[move.text]):
            raise ValueError(f"{puzzle.game} {puzzle.id}: {move} is worth {value}, not {stated[move.text]}")
    best = best_moves(state, found)
    if tuple(move.text for move in best) != puzzle.solutions:
        raise ValueError(f"{puzzle.game} {puzzle.id}: the best move is {best[0]}")


def _alike(one: Value, other: Value) -> bool:
    return all(abs(a - b) <= _SAME for a, b in zip(one, other, strict=True))


def best_moves(state: State, found: dict[Move, Value]) -> tuple[Move, ...]:
    """The moves of the highest value, if they all lead to the same position; else nothing."""
    highest = max(map(rounded, found.values()))
    best = sorted(move for move, value in found.items() if rounded(value) == highest)
    words = int(state.variant.tables.key_words)
    reached = {state.play(move).array()[:words].tobytes() for move in best}
    return tuple(best) if len(reached) == 1 else ()
