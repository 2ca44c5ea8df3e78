"""Plies a second of random play in batches, legal masks included, on all cores; against pgx's Hex on one."""

from __future__ import annotations

from collections.abc import Iterator

from snakeden.adapters.batch import Device, batch, cores
from snakeden.bench.measuring import Row, Task, measure_in_turns
from snakeden.bench.peers import hex_steps, pgx_missing, pgx_name
from snakeden.core.game import Game

SIDE_BY_SIDE: dict[Device, int] = {"cpu": 1024, "cuda": 65_536}
"""Games in a batch, ours and pgx's; a GPU is not full with fewer."""

missing_peer = pgx_missing


def _task(game: Game, device: Device) -> Task:
    games = batch(game.id, SIDE_BY_SIDE[device], seed=1, device=device, **game.bench_options)

    def play(repeats: int) -> float:
        for _ in range(repeats):
            games.step(games.sample())
        return repeats * games.n

    return play


def _machine(device: Device) -> str:
    """What plays our games."""
    if device == "cuda":
        from snakeden.programs.cuda import gpu_name, require_gpu

        require_gpu()
        return gpu_name()
    used = cores()
    return f"{used} core{'s' if used > 1 else ''}"


def rows(games: list[Game], seconds: float, device: Device = "cpu") -> Iterator[Row]:
    peer, machine = pgx_name(), _machine(device)
    for game in games:
        name = f"{game.id} batch, {machine}"
        tasks = {name: _task(game, device)}
        if peer:
            tasks[peer] = hex_steps(SIDE_BY_SIDE[device])
        rates = measure_in_turns(tasks, seconds)
        ratio = rates[name] / rates[peer] if peer else None
        against = f"{peer}, {rates[peer]:,.0f} steps/s" if peer else ""
        yield Row(name, rates[name], "plies/s", ratio, against)
