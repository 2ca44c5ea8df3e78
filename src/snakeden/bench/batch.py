"""Plies a second of random play in batches, legal masks included, on all cores; against pgx's Hex on one."""

from __future__ import annotations

from collections.abc import Iterator

from snakeden.adapters.batch import batch, cores
from snakeden.bench.measuring import Row, Task, measure_in_turns
from snakeden.bench.peers import hex_steps, pgx_missing, pgx_name
from snakeden.core.game import Game

SIDE_BY_SIDE = 1024
"""Games in a batch, ours and pgx's."""

missing_peer = pgx_missing


def _task(game: Game) -> Task:
    games = batch(game.id, SIDE_BY_SIDE, seed=1, **game.bench_options)

    def play(repeats: int) -> float:
        for _ in range(repeats):
            games.step(games.sample())
        return repeats * SIDE_BY_SIDE

    return play


def rows(games: list[Game], seconds: float) -> Iterator[Row]:
    peer, used = pgx_name(), cores()
    for game in games:
        name = f"{game.id} batch, {used} core{'s' if used > 1 else ''}"
        tasks = {name: _task(game)}
        if peer:
            tasks[peer] = hex_steps(SIDE_BY_SIDE)
        rates = measure_in_turns(tasks, seconds)
        ratio = rates[name] / rates[peer] if peer else None
        against = f"{peer}, {rates[peer]:,.0f} steps/s" if peer else ""
        yield Row(name, rates[name], "plies/s", ratio, against)
