"""The kernels keep to what CUDA takes: games played in Numba's CUDA simulator are the CPU's, move by move."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import snakeden
from snakeden.core.state import State

MOST_PLIES = 400
GAMES: list[tuple[str, dict[str, Any], list[int]]] = [
    ("snekagon", {"side": 3}, [1, 2, 3]),
    ("snekagon", {"side": 6}, [4]),
    ("snekagon", {"side": 7}, [5]),
    ("snekagon-5g", {"side": 4}, [1, 2]),
    ("snekagon-5g", {"players": 3, "side": 5, "advanced": True}, [3]),
    ("schlangennest", {}, [1, 2]),
    ("schlangennest", {"snakes": 2}, [3]),
    ("schlangennest", {"border": "frame"}, [4]),
    ("snakey-dice", {}, [1, 2]),
    ("snakey-dice", {"players": 2, "map": "pinwheel"}, [3]),
]


def test_every_game_is_simulated() -> None:
    assert {game for game, _, _ in GAMES} == set(snakeden.games())


@pytest.fixture(scope="module")
def simulated() -> list[dict[str, Any]]:
    jobs = [(game, options, seeds, MOST_PLIES) for game, options, seeds in GAMES]
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("cuda_simulation.py")), json.dumps(jobs)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _played_here(start: State, seed: int) -> tuple[list[int], list[int]]:
    """The game of this seed by the CPU's kernels."""
    rules = start.variant.program
    array, scores = start.array(), np.zeros(start.seats, np.int64)
    moves: list[int] = []
    rng, move = rules.sample(array, seed)
    while move >= 0 and len(moves) < MOST_PLIES:
        moves.append(int(move))
        rules.apply(array, move)
        rng, move = rules.sample(array, rng)
    rules.scores(array, scores)
    return moves, scores.tolist()


@pytest.mark.parametrize("number", range(len(GAMES)), ids=[f"{game}-{options}" for game, options, _ in GAMES])
def test_simulated_games_are_the_cpu_games(simulated: list[dict[str, Any]], number: int) -> None:
    game, options, seeds = GAMES[number]
    start = snakeden.new_game(game, **options)
    for index, seed in enumerate(seeds):
        moves, scores = _played_here(start, seed)
        assert [move for move in simulated[number]["moves"][index] if move >= 0] == moves
        assert simulated[number]["scores"][index] == scores
