"""Moves generated and random playouts a second of processor time, against OpenSpiel's Havannah."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from snakeden.bench.measuring import Row, Task, measure_in_turns
from snakeden.bench.peers import havannah_playouts, open_spiel_missing, open_spiel_name
from snakeden.core.game import Game
from snakeden.core.state import new_game
from snakeden.programs import compiled

missing_peer = open_spiel_missing


def _tasks(game: Game) -> dict[str, tuple[str, Task]]:
    """Row name -> (unit, task)."""
    start = new_game(game.id, **game.bench_options)
    array, here = start.array(), compiled(start.variant, "study")
    moves = np.empty(start.variant.tables.most_moves, np.int32)
    s, scores = array.copy(), np.zeros(start.seats, np.int64)

    def list_moves(repeats: int) -> float:
        return float(here.generated(array, s, scores, moves, 1, repeats)[1])

    def play_listed(repeats: int) -> float:
        here.generated(array, s, scores, moves, 1, repeats)
        return repeats

    def play_sampled(repeats: int) -> float:
        here.sampled(array, s, scores, 1, repeats)
        return repeats

    return {
        f"{game.id} generated moves": ("moves/s", list_moves),
        f"{game.id} full playouts": ("games/s", play_listed),
        f"{game.id} sampled playouts": ("games/s", play_sampled),
    }


def rows(games: list[Game], seconds: float) -> Iterator[Row]:
    peer = open_spiel_name()
    for game in games:
        for name, (unit, task) in _tasks(game).items():
            tasks = {name: task}
            if peer:
                tasks[peer] = havannah_playouts(unit.removesuffix("/s"))
            rates = measure_in_turns(tasks, seconds, time.process_time)
            ratio = rates[name] / rates[peer] if peer else None
            yield Row(name, rates[name], unit, ratio, f"{peer}, {rates[peer]:,.0f} {unit}" if peer else "")
