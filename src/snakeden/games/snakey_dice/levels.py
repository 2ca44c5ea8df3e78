"""What the levels stand for in Snakey Dice, equally far apart as measured: in the duel by Elo, alone by points. See
docs/strength.md."""

from __future__ import annotations

from snakeden.core.game import Variant

_ALONE = (
    "greedy:sees=2",
    "mcts:sims=3",
    "mcts:sims=6",
    "mcts:sims=20",
    "mcts:sims=50",
    "net:sims=2000,time=5s,wait=no",
)
_TOGETHER = (
    "greedy:sees=3,solver=yes",
    "mcts:sims=8",
    "mcts:sims=40",
    "mcts:sims=180",
    "mcts:sims=900",
    "mcts:sims=60000,time=5s",
)
_DUEL = (*_TOGETHER[:-1], "net:sims=2000,time=5s,wait=no")
"""With more than two players the network is not stronger than the search."""


def levels(variant: Variant) -> tuple[str, ...]:
    seats = int(variant.tables.seats)
    return {1: _ALONE, 2: _DUEL}.get(seats, _TOGETHER)
