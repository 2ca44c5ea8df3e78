"""Moves generated and random playouts a second of processor time, against OpenSpiel's Havannah."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from snakeden.bench.measuring import Row, Task, measure_in_turns
from snakeden.bench.peers import havannah_playouts, open_spiel_missing, open_spiel_name
from snakeden.core.game import Game
from snakeden.core.state import new_game
from snakeden.search.playouts import generated, sampled

missing_peer = open_spiel_missing


def _tasks(game: Game) -> dict[str, tuple[str, Task]]:
    """Row name -> (unit, task)."""
    start = new_game(game.id, **game.bench_options)
    tables, array = start.variant.tables, start.array()
    moves = np.empty(tables.most_moves, np.int32)
    by_list, by_sample = generated(game.rules), sampled(game.rules)

    def list_moves(repeats: int) -> float:
        return float(by_list(tables, array, 1, repeats, moves)[1])

    def play_listed(repeats: int) -> float:
        by_list(tables, array, 1, repeats, moves)
        return repeats

    def play_sampled(repeats: int) -> float:
        by_sample(tables, array, 1, repeats)
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
