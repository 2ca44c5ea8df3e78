"""Plays games in Numba's CUDA simulator: `python cuda_simulation.py GAMES_AS_JSON`, run by test_cuda.py.

Each thread plays one game from a seed with the kernels of the rules, which are plain Python here; the simulator checks
what a GPU would refuse. The first few random games of each job are also played by the program for GPUs itself, and a
batch is stepped.
"""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import asdict
from types import ModuleType
from typing import Any

import numpy as np
from numba import cuda

import snakeden
from snakeden.adapters.batch import Legal
from snakeden.core.state import new_game
from snakeden.lab.random_play import play
from snakeden.programs.cuda import CudaProgram

FIRST_GAME = 5
"""The number of the first game that the program plays."""
STEPS = 3
PLAYED_OUT, PLIES = 0, 15
"""The job whose playouts are added up, and how many plies there are at least."""
FEW_ACTIONS = 1000
"""Masks of games with fewer actions are compared flag by flag."""
LEGAL: tuple[Legal, ...] = ("mask", "list")
"""How batches keep legal actions, in turn."""


def device_playout(rules: ModuleType) -> Any:
    @cuda.jit  # type: ignore[untyped-decorator]
    def play(t: Any, states: Any, rngs: Any, moves: Any, counts: Any, scores: Any) -> None:
        game = cuda.grid(1)
        if game < states.shape[0]:
            s = states[game]
            rng, move = rules.sample(t, s, rngs[game])
            while move >= 0 and counts[game] < moves.shape[1]:
                moves[game, counts[game]] = move
                counts[game] += 1
                rules.apply(t, s, move)
                rng, move = rules.sample(t, s, rng)
            rules.scores(t, s, scores[game])

    return play


def stepped(games: Any, steps: int) -> list[Any]:
    """What a batch holds after each of some random steps."""
    history = []
    for _ in range(steps):
        actions = games.sample()
        games.step(actions)
        history.append(
            [actions.tolist(), *(array.tolist() for array in (games.counts, games.player, games.over))]
        )
        lists = [row[:count].tolist() for row, count in zip(games.moves, games.counts, strict=True)]
        history.append([games.mask.sum(1).tolist(), lists, games.standings().tolist()])
        history.append([games.rewards.tolist()])
    if games.actions < FEW_ACTIONS:
        # A copy of which not all games are played on.
        copy = games.clone([1, 0, 1])
        copy.step(copy.sample(), [0, 2])
        history.append([copy.mask.tolist(), copy.counts.tolist()])
    bits, values = games.observe_packed(seat=0)
    history.append(
        [games.observe().tolist(), games.observe(dtype=np.uint8).tolist(), bits.tolist(), values.tolist()]
    )
    return history


def main() -> None:
    # Unsigned words wrap around on purpose; NumPy's plain numbers remark on it.
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
    played: list[dict[str, Any]] = []
    for game, options, seeds, most in json.loads(sys.argv[1]):
        start = new_game(game, **options)
        t = start.variant.tables
        states = np.stack([start.array() for _ in seeds])
        rngs = np.array(seeds, np.uint64)
        moves = np.full((len(seeds), most), -1, np.int64)
        counts = np.zeros(len(seeds), np.int64)
        scores = np.zeros((len(seeds), t.seats), np.int64)
        device_playout(start.variant.game.rules)[1, len(seeds)](t, states, rngs, moves, counts, scores)
        random_games = CudaProgram(start.variant).play_games(seeds[0], FIRST_GAME, len(seeds))
        batch = snakeden.batch(game, 2, seeds[0], legal=LEGAL[len(played) % 2], device="cuda", **options)
        played.append(
            {
                "stepped": stepped(batch, STEPS),
                "moves": moves.tolist(),
                "scores": scores.tolist(),
                "playouts": asdict(
                    play(start.variant, plies=1, block=2, seed=seeds[0], device="cuda").playouts
                ),
                "random_games": [array.tolist() for array in random_games],
            }
        )
        if len(played) - 1 == PLAYED_OUT:
            played[-1]["playouts"] = asdict(play(start.variant, plies=PLIES, block=2, device="cuda").playouts)
    print(json.dumps(played))


if __name__ == "__main__":
    main()
