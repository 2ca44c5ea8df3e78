"""Simulations a second of processor time of the tree search, against OpenSpiel's search on Havannah."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from snakeden.bench.measuring import Row, Task, measure_in_turns
from snakeden.bench.peers import havannah_search, open_spiel_missing, open_spiel_name
from snakeden.core.game import Game
from snakeden.core.state import State, new_game
from snakeden.search.thinking import Budget, Search

PLIES = (0, 3, 6, 9)

missing_peer = open_spiel_missing


def _position(game: Game, ply: int) -> State | None:
    """A position of a random game after this many decisions, a player to move; None if the game ends before."""
    generator = random.Random(1)
    state = new_game(game.id, **game.bench_options)
    decisions = 0
    while state.player is not None:
        if state.player < 0:
            state = state.play(state.roll(generator))
        elif decisions == ply:
            return state
        else:
            decisions += 1
            state = state.play(generator.choice(state.legal_moves()))
    return None


def _task(state: State) -> Task:
    def think(repeats: int) -> float:
        wanted, done, seed = 1000 * repeats, 0, 0
        while done < wanted:
            # A fresh search each time: a tree from before would make later turns another task. It may end before
            # its budget, when its move is certain; then the next begins.
            search, seed = Search(state.variant, seed=seed), seed + 1
            done += max(1, search.think(state, Budget(simulations=wanted - done)).simulations)
        return done

    return think


def rows(games: list[Game], seconds: float) -> Iterator[Row]:
    peer = open_spiel_name()
    for game in games:
        for ply in PLIES:
            state = _position(game, ply)
            if state is None:
                continue
            name = f"{game.id} search, ply {ply}"
            tasks = {name: _task(state)}
            if peer:
                tasks[peer] = havannah_search()
            rates = measure_in_turns(tasks, seconds, time.process_time)
            ratio = rates[name] / rates[peer] if peer else None
            yield Row(
                name, rates[name], "sims/s", ratio, f"{peer}, {rates[peer]:,.0f} sims/s" if peer else ""
            )
