"""What the levels stand for in Schlangennest, equally far apart as measured; see docs/strength.md."""

from __future__ import annotations

from snakeden.core.game import Variant

_LEVELS = (
    "greedy:sees=3,solver=yes",
    "mcts:sims=3",
    "mcts:sims=16",
    "mcts:sims=100",
    "mcts:sims=1500",
    "net:sims=2000,time=5s,wait=no",
)


def levels(variant: Variant) -> tuple[str, ...]:
    return _LEVELS
