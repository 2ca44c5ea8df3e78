"""What other people's loops get out of the adapters, per second of processor time: turns in PettingZoo beside its own
connect four, and steps of `gymnasium.make_vec` beside Gymnasium's vector of single environments and beside the same
games played by a batch without Gymnasium."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.adapters.batch import batch
from snakeden.bench.measuring import Row, Task, measure_in_turns
from snakeden.bench.peers import connect_four, connect_four_name
from snakeden.core.game import Game

SIDE_BY_SIDE = 8
"""Games in a vector environment."""


def missing_peer() -> str:
    """What to print where the measured package is not installed."""
    if not find_spec("gymnasium") or not find_spec("pettingzoo"):
        return "gymnasium and pettingzoo are not installed: pip install 'snakeden[research]'"
    lacking = "pygame is not installed, so no ratios for PettingZoo: pip install pygame"
    return "" if connect_four_name() else lacking


def _chosen(mask: NDArray[Any], generator: random.Random) -> int:
    """The first legal action from a random number on: whoever plays must cost as little as can be."""
    legal = mask.view(np.bool_)
    start = int(generator.random() * len(legal))
    found = start + int(legal[start:].argmax())
    return found if legal[found] else int(legal.argmax())


def _turns(table: Any) -> Task:
    """Whole games in PettingZoo's own loop, at least this many turns; observations and masks are asked for."""
    generator = random.Random(1)
    table.reset(seed=1)

    def play(turns: int) -> float:
        done = 0
        while done < turns:
            table.reset()
            for _ in table.agent_iter():
                seen, _, over, _, _ = table.last()
                table.step(None if over else _chosen(seen["action_mask"], generator))
                done += not over
        return done

    return play


def _steps(envs: Any) -> Task:
    """Steps of all games of a vector environment together."""
    generator = random.Random(1)
    _, held = envs.reset(seed=1)

    def play(repeats: int) -> float:
        nonlocal held
        for _ in range(repeats):
            chosen = np.array([_chosen(mask, generator) for mask in held["action_mask"]])
            held = envs.step(chosen)[-1]
        return repeats * SIDE_BY_SIDE

    return play


def _batch_steps(game: Game) -> Task:
    """The same by a batch: an action in every game, chosen as above, random ones for the other seats, observations."""
    generator, games = random.Random(1), batch(game.id, SIDE_BY_SIDE, seed=1)

    def play(repeats: int) -> float:
        for _ in range(repeats):
            games.step(np.array([_chosen(mask, generator) for mask in games.mask]))
            for _ in range(games.seats - 1):
                games.step(games.sample())
            games.observe()
        return repeats * SIDE_BY_SIDE

    return play


def rows(games: list[Game], seconds: float) -> Iterator[Row]:
    """Three figures a game."""
    if not find_spec("gymnasium") or not find_spec("pettingzoo"):
        return
    import gymnasium

    from snakeden.adapters.pettingzoo import env

    peer = connect_four_name()
    for game in games:
        name = f"{game.id} PettingZoo"
        tasks = {name: _turns(env(game.id))}
        if peer:
            tasks[peer] = _turns(connect_four())
        rates = measure_in_turns(tasks, seconds, time.process_time)
        ratio = rates[name] / rates[peer] if peer else None
        yield Row(name, rates[name], "turns/s", ratio, f"{peer}, {rates[peer]:,.0f} turns/s" if peer else "")
    for game in games:
        name, other = f"{game.id} make_vec, {SIDE_BY_SIDE} games", "make_vec(vectorization_mode='sync')"
        bare = "snakeden.batch"
        spec = f"snakeden.adapters.gymnasium:snakeden/{game.id}-v0"
        ours, theirs = (
            _steps(gymnasium.make_vec(spec, SIDE_BY_SIDE, vectorization_mode=mode))
            for mode in ("vector_entry_point", "sync")
        )
        tasks = {name: ours, other: theirs, bare: _batch_steps(game)}
        rates = measure_in_turns(tasks, seconds, time.process_time)
        for peer in (other, bare):
            peer_text = f"{peer}, {rates[peer]:,.0f} steps/s"
            yield Row(name, rates[name], "steps/s", rates[name] / rates[peer], peer_text)
