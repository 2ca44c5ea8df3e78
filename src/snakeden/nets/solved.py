"""Positions of which the solver has found who wins under best play, to learn values from.

Games of a network end as well as it plays, so that what it learns from them about a position is what its own mistakes
make of it. Near the end of a game the solver knows better.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from snakeden.core.game import Variant
from snakeden.core.state import State, new_game
from snakeden.nets.evaluator import NetEvaluator
from snakeden.search.evaluators import Evaluator
from snakeden.search.solver import Solver, can_solve

EARLIEST = 4
"""Positions of a game that are kept: the earliest that could be solved, of which least is known otherwise."""
PIECE = 10.0
"""How many seconds a worker plays and solves, at most, before it hands over what it found."""
_MEMORY = 64 << 20


class BadPositions(ValueError):
    """A file of solved positions that cannot be read or is for another variant."""


class SolvedPositions(NamedTuple):
    """n positions of a variant."""

    states: NDArray[Any]
    """[n, words]"""
    shares: NDArray[np.float32]
    """[n, seats] what each seat gets of the victory under best play."""


def read_solved(path: Path, variant: Variant) -> SolvedPositions:
    """What `collect` wrote; raises BadPositions."""
    return _read(path, variant)[0]


def _read(path: Path, variant: Variant) -> tuple[SolvedPositions, int]:
    """The positions in a file, and how many pieces of work they took."""
    try:
        with path.open("rb") as file, np.load(file) as found:
            states, shares, about = found["states"], found["shares"], json.loads(str(found["about"]))
    except FileNotFoundError:
        raise BadPositions(f"there is no file {path}: `snakeden nets solve` makes one") from None
    except (OSError, EOFError, TypeError, ValueError, KeyError, BadZipFile) as error:
        raise BadPositions(f"{path} holds no solved positions: {error}") from None
    wanted = _about(variant)
    if {name: about.get(name) for name in wanted} != wanted:
        raise BadPositions(
            f"{path} is for {about.get('game')} with the options {about.get('options')}, not for {wanted['game']} "
            f"with {wanted['options']}"
        )
    return SolvedPositions(states, shares), int(about["pieces"])


def _about(variant: Variant) -> dict[str, Any]:
    return {"game": variant.game.id, "options": dict(variant.given)}


def _write(path: Path, variant: Variant, positions: SolvedPositions, pieces: int) -> None:
    """Write the file so that there is always a whole one."""
    fresh = path.with_name(path.name + ".new")
    about = json.dumps(_about(variant) | {"pieces": pieces})
    with fresh.open("wb") as file:
        np.savez_compressed(file, states=positions.states, shares=positions.shares, about=about)
    fresh.replace(path)


def solve_a_game(
    start: State, evaluator: Evaluator, solver: Solver, positions: int, generator: random.Random
) -> list[tuple[NDArray[Any], tuple[float, float]]]:
    """The earliest positions of a game that can be solved, in each of which a player is to move, and what each seat
    gets of the victory. A question may take this many `positions`. The network plays both seats, by its priors alone;
    half of the games begin with any move."""
    played: list[tuple[NDArray[Any], int]] = []
    state = start
    while state.player is not None:
        played.append((state.array(), state.player))
        moves = state.legal_moves()
        weights = None
        if len(played) > 1 or generator.random() < 0.5:
            priors = evaluator(played[-1][0][None]).priors
            assert priors is not None
            weights = [float(priors[0, move.code]) for move in moves]
        state = state.play(generator.choices(moves, weights)[0])
    found: list[tuple[NDArray[Any], tuple[float, float]]] = []
    likely = 0.5
    for number in range(len(played) - 1, -1, -1):
        array, player = played[number]
        share = solver.victory_share(array, positions, likely=likely)
        if share is None:
            break
        found.append((array, (share, 1 - share) if player == 0 else (1 - share, share)))
        # What one gets the other does not.
        likely = share if number and played[number - 1][1] == player else 1 - share
    return found[-EARLIEST:]


@lru_cache(maxsize=1)
def _ready(game: str, options: tuple[tuple[str, Any], ...], file: Path) -> tuple[State, Evaluator, Solver]:
    state = new_game(game, **dict(options))
    return state, NetEvaluator(state.variant, file), Solver(state, memory=_MEMORY)


def _piece(
    game: str,
    options: tuple[tuple[str, Any], ...],
    file: Path,
    positions: int,
    seconds: float,
    number: int,
) -> SolvedPositions:
    """What a worker finds in so many seconds; other games for another number."""
    start, evaluator, solver = _ready(game, options, file)
    begin, generator = time.monotonic(), random.Random(number)
    states: list[NDArray[Any]] = []
    shares: list[tuple[float, float]] = []
    while not states or time.monotonic() - begin < seconds:
        for array, share in solve_a_game(start, evaluator, solver, positions, generator):
            states.append(array)
            shares.append(share)
    return SolvedPositions(np.array(states), np.array(shares, np.float32))


def collect(
    variant: Variant,
    file: Path,
    out: Path,
    *,
    positions: int,
    seconds: float,
    jobs: int,
    advance: Callable[[], None],
) -> SolvedPositions:
    """Play games with the network of a file and solve their ends, by so many processes; all that is found is kept in
    `out`, which is added to. `advance` is called for every piece of work that is done."""
    if not can_solve(new_game(variant.game.id, **dict(variant.given))):
        raise ValueError(
            f"{variant.game.name} with these options cannot be solved: only games of two without dice can"
        )
    kept, pieces = _read(out, variant) if out.exists() else (None, 0)
    found: list[SolvedPositions] = [kept] if kept is not None else []
    begin = last_kept = time.monotonic()
    given = variant.game.id, tuple(sorted(variant.given.items())), file, positions, min(PIECE, seconds)

    def keep() -> None:
        found[:] = [SolvedPositions(*(np.concatenate(each) for each in zip(*found, strict=True)))]
        _write(out, variant, found[0], pieces)

    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            running: set[Future[SolvedPositions]] = set()
            started = pieces
            while running or time.monotonic() - begin < seconds:
                while len(running) < jobs and time.monotonic() - begin < seconds:
                    running.add(pool.submit(_piece, *given, started))
                    started += 1
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    found.append(each.result())
                    pieces += 1
                    advance()
                if time.monotonic() - last_kept > 60:
                    keep()
                    last_kept = time.monotonic()
    finally:
        # Whoever interrupts this keeps what there is.
        if found:
            keep()
    return found[0]
