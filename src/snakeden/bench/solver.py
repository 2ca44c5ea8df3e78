"""How long the solver takes for late positions of Snekagon-like games, in processor time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

from snakeden.agents import make
from snakeden.bench.measuring import Row
from snakeden.core.game import Game
from snakeden.core.state import State, new_game
from snakeden.search.solver import Solver, can_solve

PLIES = (11, 9, 7)
POSITIONS = 20
LIMIT = 60.0
"""Seconds after which a position counts as not solved."""


def missing_peer() -> str:
    """Nobody else solves these games."""
    return ""


def _position(game: Game, seed: int, ply: int) -> State:
    """The position after this many moves of a sensible game."""
    state, agent = new_game(game.id, **game.bench_options), make("mcts:sims=200,solver=no", seed=seed)
    for _ in range(ply):
        if not state.is_over:
            state = state.play(agent.choose(state).move)
    return state


def rows(games: list[Game], seconds: float) -> Iterator[Row]:
    """Per game and ply the median and the longest; games of chance or of more than two are left out."""
    for game in games:
        if not can_solve(new_game(game.id, **game.bench_options)):
            continue
        for ply in PLIES:
            took = []
            for seed in range(POSITIONS):
                state = _position(game, seed, ply)
                solver = Solver(state, memory=128 << 20)
                begin = time.process_time()
                solved = solver.solve(state, seconds=LIMIT).solved
                took.append(time.process_time() - begin if solved else float("inf"))
            yield Row(f"{game.id} solved from ply {ply}, median", 1000 * median(took), "ms")
            yield Row(f"{game.id} solved from ply {ply}, longest", 1000 * max(took), "ms")
