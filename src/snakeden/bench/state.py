"""Plies a second of processor time of random play through `State`: list the moves, choose one, play it, until the
game is over. Against python-chess, which does the same."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from snakeden.bench.measuring import Row, Task, measure_in_turns
from snakeden.bench.peers import chess_missing, chess_name, chess_plies
from snakeden.core.game import CHANCE, Game
from snakeden.core.state import new_game

missing_peer = chess_missing


def _task(game: Game) -> Task:
    start = new_game(game.id, **game.bench_options)
    generator = random.Random(1)

    def play(repeats: int) -> float:
        plies = 0
        for _ in range(repeats):
            state = start
            while not state.is_over:
                rolling = state.player == CHANCE
                state = state.play(
                    state.roll(generator) if rolling else generator.choice(state.legal_moves())
                )
                plies += 1
        return plies

    return play


def rows(games: list[Game], seconds: float) -> Iterator[Row]:
    peer = chess_name()
    for game in games:
        name = f"{game.id} random play"
        tasks = {name: _task(game)}
        if peer:
            tasks[peer] = chess_plies()
        rates = measure_in_turns(tasks, seconds, time.process_time)
        ratio = rates[name] / rates[peer] if peer else None
        yield Row(name, rates[name], "plies/s", ratio, f"{peer}, {rates[peer]:,.0f} plies/s" if peer else "")
