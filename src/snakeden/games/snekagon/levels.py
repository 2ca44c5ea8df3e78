"""What the levels stand for in Snekagon and in 5G, equally far apart as measured; see docs/strength.md."""

from __future__ import annotations

from snakeden.core.game import Variant

_SNEKAGON = (
    "greedy:sees=80,solver=yes",
    "mcts:sims=12",
    "mcts:sims=100",
    "mcts:sims=600",
    "mcts:sims=7000",
    "net:sims=2000,time=5s,wait=no",
)
_FIVE_G = (
    "greedy:sees=5,solver=yes",
    "greedy:sees=12,solver=yes",
    "greedy:sees=40,solver=yes",
    "mcts:sims=3",
    "mcts:sims=25",
    "mcts:sims=60000,time=5s",
)
"""There is so much room in 5G that strong players often both lay all they have. Its network is no stronger than
the search, so the highest level does without."""


def levels(variant: Variant) -> tuple[str, ...]:
    return _FIVE_G if variant.game.id == "snekagon-5g" else _SNEKAGON
