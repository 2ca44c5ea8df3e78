"""What every game's rules offer, as entries of a program. `snakeden.core.game` says what each promises."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.game import Game
from snakeden.core.kernel import kernel
from snakeden.programs import abi

SIGNATURES = """
turn(t, s: state[words]) -> int64
legal(t, s: state[words], out: int32[most_moves]) -> int64
fault(t, s: state[words], move: int64) -> int64, int64, int64
apply(t, s: state[words], move: int64)
settle(t, s: state[words])
sample(t, s: state[words], rng: uint64) -> uint64, int64
weight(t, s: state[words], move: int64) -> float64
scores(t, s: state[words], out: int64[seats])
advance(t, s: state[words], move: int64) -> int64
weights(t, s: state[words], codes: int32[?count], out: float64[count])
"""


def _advance(rules: ModuleType) -> Any:
    """advance(t, s, move) -> whose turn it is: plays a legal move in place and settles the position."""

    @kernel
    def advance(t, s, move):
        rules.apply(t, s, move)
        rules.settle(t, s)
        return rules.turn(t, s)

    return advance


def _weights(rules: ModuleType) -> Any:
    """weights(t, s, codes, out): the probability of each of these chance outcomes."""

    @kernel
    def weights(t, s, codes, out):
        for k in range(len(codes)):
            out[k] = rules.weight(t, s, np.int64(codes[k]))

    return weights


def entries(game: Game) -> dict[str, abi.Entry]:
    """The rules of a game."""
    rules = game.rules
    return abi.entries(
        SIGNATURES, {**vars(game.rules), "advance": _advance(rules), "weights": _weights(rules)}
    )
