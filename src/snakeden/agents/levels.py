"""What the levels stand for, from beginner to best."""

from __future__ import annotations

import re

from snakeden.core.game import Variant

LEVELS = (
    "greedy:sees=6,solver=yes",
    "mcts:sims=12",
    "mcts:sims=100",
    "mcts:sims=600",
    "mcts:sims=7000",
    "net:sims=2000,time=5s,wait=no",
)
"""What `level:1` to `level:6` stand for in a game whose folder has no `levels.py`. The time is for slow machines and
wide games. Where there is no network for a game, or no ONNX Runtime, the highest level is `mcts:sims=60000,time=5s`."""


def resolve(name: str, variant: Variant) -> str:
    """The name of the agent that a level stands for in this game; any other name as it is."""
    found = re.fullmatch(f"level:([1-{len(LEVELS)}])", name)
    if found is None:
        return name
    own = variant.game.part("levels")
    levels = own.levels(variant) if own is not None else LEVELS
    return str(levels[int(found[1]) - 1])
