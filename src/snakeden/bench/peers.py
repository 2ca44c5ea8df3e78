"""Other people's programs on work of the same kind, to measure against."""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from snakeden.bench.measuring import Task

HAVANNAH = "havannah(board_size=6)"


def open_spiel_name() -> str | None:
    """OpenSpiel with its version, or None if it is not installed."""
    return f"OpenSpiel {version('open_spiel')} Havannah" if find_spec("pyspiel") else None


def open_spiel_missing() -> str:
    """What to print where OpenSpiel is not installed; empty if it is."""
    message = "open_spiel is not installed, so no ratios: pip install 'snakeden[bench]'"
    return "" if open_spiel_name() else message


def havannah_playouts(count: str) -> Task:
    """Random games of Havannah on the board of 91 cells in a Python loop; counts "games" or "moves"
    listed."""
    import pyspiel

    game = pyspiel.load_game(HAVANNAH)
    generator = random.Random(1)

    def play(repeats: int) -> float:
        units = 0
        for _ in range(repeats):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                units += len(actions) if count == "moves" else 0
                state.apply_action(actions[int(generator.random() * len(actions))])
            units += 1 if count == "games" else 0
        return units

    return play


def havannah_search() -> Task:
    """OpenSpiel's own tree search in C++ on the empty board of 91 cells, one random rollout a simulation;
    counts thousands of simulations as 1000."""
    import pyspiel

    game = pyspiel.load_game(HAVANNAH)

    def think(repeats: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        simulations = 1000 * repeats
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
        bot.step(game.new_initial_state())
        return simulations

    return think


def connect_four_name() -> str | None:
    """PettingZoo's connect four with its version, or None if it or pygame, which it draws with, is not installed."""
    here = find_spec("pettingzoo") and find_spec("pygame")
    return f"PettingZoo {version('pettingzoo')} connect four" if here else None


def connect_four() -> Any:
    """PettingZoo's connect four."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo's modules warn of each other
        from pettingzoo.classic.connect_four.connect_four import env
    return env()


def chess_name() -> str | None:
    """python-chess with its version, or None if it is not installed."""
    return f"python-chess {version('chess')}" if find_spec("chess") else None


def chess_missing() -> str:
    """What to print where python-chess is not installed; empty if it is."""
    return (
        "" if chess_name() else "python-chess is not installed, so no ratios: pip install 'snakeden[bench]'"
    )


def chess_plies() -> Task:
    """Random games of chess; counts plies."""
    import chess

    generator = random.Random(1)

    def play(repeats: int) -> float:
        plies = 0
        for _ in range(repeats):
            board = chess.Board()
            while not board.is_game_over():
                board.push(generator.choice(list(board.legal_moves)))
                plies += 1
        return plies

    return play


def pgx_name() -> str | None:
    """pgx with its version, or None if it is not installed."""
    return f"pgx {version('pgx')} Hex on one core" if find_spec("pgx") else None


def pgx_missing() -> str:
    """What to print where pgx is not installed; empty if it is."""
    return "" if pgx_name() else "pgx is not installed, so no ratios: pip install pgx"


@contextmanager
def _one_core() -> Iterator[None]:
    """This thread, and threads it starts, keep to one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def hex_steps(side_by_side: int) -> Task:
    """Random play of this many games of Hex at once by pgx, with masks and a new game for each that ends,
    compiled by JAX; on one core."""
    with _one_core():
        import jax
        import pgx
        from pgx.experimental import auto_reset

        env = pgx.make("hex")
        step = jax.vmap(auto_reset(env.step, env.init))

        def one_ply(key: Any, state: Any) -> tuple[Any, Any]:
            key, for_actions, for_resets = jax.random.split(key, 3)
            logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
            actions = jax.random.categorical(for_actions, logits, axis=-1)
            return key, step(state, actions, jax.random.split(for_resets, side_by_side))

        ply = jax.jit(one_ply)
        start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), side_by_side))
        held = ply(jax.random.key(2), start)

    def play(repeats: int) -> float:
        nonlocal held
        with _one_core():
            for _ in range(repeats):
                held = ply(*held)
            jax.block_until_ready(held[1])
        return repeats * side_by_side

    return play
