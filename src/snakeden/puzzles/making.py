"""Finding puzzles in the engine's own games. Each game has a seed of its own, so that work can be interrupted and
gone on with: the same seed makes the same puzzles."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from snakeden import agents, workers
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.state import State, new_game
from snakeden.puzzles.expectation import TooMany, Value, has_exact_chances, values
from snakeden.puzzles.judging import best_moves
from snakeden.puzzles.puzzle import SEARCHES, Puzzle
from snakeden.puzzles.winning import TooHard, only_wins
from snakeden.search.solver import Solver, can_solve

_NO_SOLVER = ",solver=no,memory=16"
_PLAYERS = ("greedy:slip=0.25", *(f"mcts:sims={sims}{_NO_SOLVER}" for sims in (12, 60, 200)))
"""Who plays the games: they must go wrong now and then, or there is nothing to find."""
_ASKED = ("greedy:slip=0.25", *(f"mcts:sims={sims}{_NO_SOLVER}" for sims in SEARCHES))
"""Who is asked for the solution, without the help of exact play."""
_TRIES = 5
_ENOUGH = 0.6
"""A level finds a move that it chooses so often."""
_FEWEST_MOVES = 4
"""A choice among fewer is no puzzle."""
_SOLVER_MEMORY = 64 << 20
_POSITIONS = 100_000
"""What the solver may look at for one question."""
_EXPECTED = 2_000
"""Positions of a turn that are looked at for exact values."""
_CLEARLY_SAFER, _CLEARLY_MORE = 0.03, 0.5
"""How much the best use of a roll must be better than the next: in chance to stay in, or in points."""
_LARGEST_SHARE = 1 / 3
"""No difficulty makes up more of a collection than this."""
_MOST_A_GAME, _MOST_WITH_DICE = 2, 6
"""This many puzzles come from one game; those with dice have many more decisions."""
_EVERY = 3
"""One in this many decisions of a game with dice is looked at."""


@dataclass(frozen=True)
class _Found:
    """A position with one best move."""

    ply: int
    solutions: tuple[Move, ...]
    value: int | None = None
    line: tuple[Move, ...] = ()
    values: dict[Move, Value] | None = None


def make(
    game: str,
    options: Mapping[str, Any],
    seed: int,
    *,
    begin: int = 0,
    known: Sequence[Puzzle] = (),
    count: int,
    on: str = "local",
    jobs: int | None = 1,
) -> Iterator[list[Puzzle]]:
    """For each game from the one of number `begin` on, the puzzles it has to offer; `known` are those made before, and
    `count` is how many there are to be with them. `on` and `jobs` say who looks, as in `snakeden.workers`; they change
    nothing about the puzzles."""
    levels = Counter(puzzle.difficulty for puzzle in known)
    made = len(known)
    most = _MOST_A_GAME if can_solve(new_game(game, **options)) else _MOST_WITH_DICE
    if made >= count:
        return
    look = partial(_from_game, game, dict(options), seed)
    alone = on == "local" and jobs == 1
    with closing(_here(look, begin) if alone else _in_order(look, begin, on, jobs)) as games:
        for offered in games:
            taken: list[Puzzle] = []
            for puzzle in offered:
                room = levels[puzzle.difficulty] < max(1, _LARGEST_SHARE * count)
                if room and made < count and len(taken) < most:
                    levels[puzzle.difficulty] += 1
                    made += 1
                    taken.append(puzzle)
            yield taken
            if made >= count:
                return


def _here(look: Callable[[int], list[Puzzle]], begin: int) -> Generator[list[Puzzle], None, None]:
    """The puzzles of game after game, by this process."""
    for number in itertools.count(begin):
        yield look(number)


def _in_order(
    look: Callable[[int], list[Puzzle]], begin: int, on: str, jobs: int | None
) -> Generator[list[Puzzle], None, None]:
    """The puzzles of game after game, by workers. They end in any order, and are handed on in that of the games, since
    which puzzles are taken depends on those before."""
    numbers = itertools.count(begin)
    done: dict[int, list[Puzzle]] = {}
    with closing(workers.run_from(look, lambda: next(numbers), on=on, jobs=jobs)) as results:
        for result in results:
            if result.result is None:
                raise RuntimeError(f"the search for puzzles in game {result.task} killed its process")
            done[result.task] = result.result
            while begin in done:
                yield done.pop(begin)
                begin += 1


def _from_game(game: str, options: Mapping[str, Any], seed: int, number: int) -> list[Puzzle]:
    """The puzzles in the game of this number, the hardest first."""
    chosen = random.Random(f"{seed} {number}")
    start = new_game(game, **options)
    if not (can_solve(start) or has_exact_chances(start)):
        raise ValueError(f"no puzzles of {game} with these options: two must play without dice, or one alone")
    states, moves = _played(start, chosen)
    puzzles = []
    for found in _wins(states) if can_solve(start) else _best_rolls(states, chosen):
        state = states[found.ply]
        difficulty, shares = _difficulty(state, found.solutions, chosen.randrange(1 << 30))
        if found.values is not None and difficulty > len(_ASKED):
            continue  # what is best for this turn is not what strong players do
        puzzles.append(
            Puzzle(
                game=game,
                number=number,
                options=dict(start.variant.given),
                moves=tuple(move.text for move in moves[: found.ply]),
                solutions=tuple(move.text for move in found.solutions),
                difficulty=difficulty,
                found=shares,
                themes=themes(state, found.solutions[0]),
                value=found.value,
                line=tuple(move.text for move in found.line),
                values=_written(found.values),
            )
        )
    return sorted(puzzles, key=lambda puzzle: (-puzzle.difficulty, len(puzzle.moves)))


def _played(start: State, chosen: random.Random) -> tuple[list[State], list[Move]]:
    """A game between agents, with a random move at the start: its positions and moves."""
    players = [
        agents.make(chosen.choice(_PLAYERS), seed=chosen.randrange(1 << 30)) for _ in range(start.seats)
    ]
    states: list[State] = [start]
    moves: list[Move] = []
    while not states[-1].is_over:
        state = states[-1]
        if state.player == CHANCE:
            move = state.roll(chosen)
        elif not moves:
            move = chosen.choice(state.legal_moves())
        else:
            move = players[state.player or 0].choose(state).move
        moves.append(move)
        states.append(state.play(move))
    return states, moves


def _wins(states: list[State]) -> Iterator[_Found]:
    """Positions in which one move alone wins, from the end back to where the solver gives up."""
    solver = Solver(states[0], memory=_SOLVER_MEMORY)
    for ply in reversed(range(len(states) - 1)):
        state = states[ply]
        if len(state.codes()) < _FEWEST_MOVES:
            continue
        try:
            solutions = only_wins(solver, state, _POSITIONS)
        except TooHard:
            return
        if not solutions:
            continue
        solution = solver.solve(state, positions=_POSITIONS)
        if not solution.scores or solution.line[0] not in solutions:
            continue
        value = solution.value if state.player == 0 else -solution.value
        yield _Found(ply, solutions, value, solution.line)


def _best_rolls(states: list[State], chosen: random.Random) -> Iterator[_Found]:
    """Positions in which one use of the roll is clearly the best."""
    for ply, state in enumerate(states[:-1]):
        if state.player == CHANCE or len(state.codes()) < _FEWEST_MOVES or chosen.randrange(_EVERY):
            continue
        try:
            found = values(state, _EXPECTED)
        except TooMany:
            continue
        solutions = best_moves(state, found)
        others = [value for move, value in found.items() if move not in solutions]
        if solutions and others and _is_clear(found[solutions[0]], max(others)):
            yield _Found(ply, solutions, values=found)


def _is_clear(best: Value, next_best: Value) -> bool:
    safer = best[0] - next_best[0]
    return safer >= _CLEARLY_SAFER or (abs(safer) < 1e-9 and best[1] - next_best[1] >= _CLEARLY_MORE)


def _written(found: dict[Move, Value] | None) -> dict[str, Value] | None:
    if found is None:
        return None
    return {move.text: (round(stay, 9), round(points, 9)) for move, (stay, points) in found.items()}


def _difficulty(state: State, solutions: tuple[Move, ...], seed: int) -> tuple[int, tuple[float, ...]]:
    """The first of those asked who finds the solution in most tries, and how often each up to it does."""
    shares: list[float] = []
    for name in _ASKED:
        chosen = [agents.make(name, seed=seed + i).choose(state).move for i in range(_TRIES)]
        shares.append(sum(move in solutions for move in chosen) / _TRIES)
        if shares[-1] >= _ENOUGH:
            return len(shares), tuple(shares)
    return len(shares) + 1, tuple(shares)


def themes(state: State, move: Move) -> tuple[str, ...]:
    """What a move is about, by the game's own words."""
    part = state.variant.game.part("reasons")
    known: Mapping[str, str] = getattr(part, "THEMES", {})
    kinds = (effect.key.partition(".reason.")[2] for effect in agents.effects(state, move))
    found = (theme for kind in kinds for prefix, theme in known.items() if kind.startswith(prefix))
    return tuple(dict.fromkeys(found))
