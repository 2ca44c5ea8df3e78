"""Whole random games, many at once: played by a kernel from beginning to end, on all cores or on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.adapters.batch import Device, cores
from snakeden.core.errors import BadOption
from snakeden.core.game import Variant
from snakeden.lab.random_sums import block_rows
from snakeden.programs import compiled

AT_ONCE = {"cpu": 1 << 14, "cuda": 1 << 22}
"""Games of a call. On a GPU so many take ten times as long as all that Python does for them."""
_CHUNK = 1024
"""Games that a thread of the CPU plays at a time: whoever interrupts it waits for them."""

Play = Callable[[int, int, int], tuple[Any, Any]]
"""play(seed, first, n) -> the plies int32[n] and the scores int32[n, seats] of the games from number `first` on."""


def player(variant: Variant, device: Device) -> Play:
    """Who plays on this device. Game `i` of a seed is the same everywhere, see `programs.random_games`."""
    if device not in AT_ONCE:
        raise BadOption(f"device={device!r} is not possible: allowed is 'cpu' or 'cuda'")
    return _on_gpu(variant) if device == "cuda" else _on_cpu(variant)


def _on_gpu(variant: Variant) -> Play:
    from snakeden.programs.cuda import CudaProgram

    program = CudaProgram(variant)

    def play(seed: int, first: int, n: int) -> tuple[Any, Any]:
        fingerprints, plies, scores = program.room(n)
        program.launch(seed, first, fingerprints, plies, scores)
        return plies, scores

    return play


def _on_cpu(variant: Variant) -> Play:
    program, opening = compiled(variant, "batch"), variant.game.rules.opening(variant.tables)
    seats = int(variant.tables.seats)

    def play(seed: int, first: int, n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        fingerprints, plies = np.zeros(n, np.uint64), np.zeros(n, np.int32)
        scores = np.zeros((n, seats), np.int32)

        def play_chunk(begin: int) -> None:
            part = slice(begin, begin + _CHUNK)
            written = fingerprints[part], plies[part], scores[part]
            program.play_games(
                opening, opening.copy(), np.zeros(seats, np.int64), seed, first + begin, *written
            )

        with ThreadPoolExecutor(cores()) as pool:
            for _ in pool.map(play_chunk, range(0, n, _CHUNK)):
                pass
        return plies, scores

    return play


def play_blocks(play: Play, seed: int, first: int, blocks: int, block: int) -> NDArray[np.int64]:
    """The rows of `block_rows` of so many blocks of games; only these leave a GPU."""
    rows = block_rows(*play(seed, first, blocks * block), block)
    found: NDArray[np.int64] = rows.get() if hasattr(rows, "get") else rows
    return found
