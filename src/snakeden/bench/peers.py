"""Other people's programs on work of the same kind, to measure against."""

from __future__ import annotations

import random
from importlib.metadata import version
from importlib.util import find_spec

from snakeden.bench.measuring import Task

HAVANNAH = "havannah(board_size=6)"


def open_spiel_name() -> str | None:
    """OpenSpiel with its version, or None if it is not installed."""
    return f"OpenSpiel {version('open_spiel')} Havannah" if find_spec("pyspiel") else None


def havannah_playouts(count: str) -> Task:
    """Random games of Havannah on the board of 91 cells in a Python loop; counts "games" or "moves" listed."""
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
    """OpenSpiel's own tree search in C++ on the empty board of 91 cells, one random rollout a simulation; counts
    thousands of simulations as 1000."""
    import pyspiel

    game = pyspiel.load_game(HAVANNAH)

    def think(repeats: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        simulations = 1000 * repeats
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
        bot.step(game.new_initial_state())
        return simulations

    return think
