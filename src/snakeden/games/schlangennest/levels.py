"""What the levels stand for in Schlangennest, equally far apart as measured; see docs/strength.md."""

from __future__ import annotations

from snakeden.core.game import Variant
from snakeden.games.schlangennest import nest_size

_LEVELS = (
    "greedy:sees=3,solver=yes",
    "mcts:sims=3",
    "mcts:sims=16",
    "mcts:sims=100",
    "mcts:sims=1500",
    "net:sims=2000,time=5s,wait=no",
)


_WITHOUT_NET = (*_LEVELS[:-1], "mcts:sims=60000,time=5s")
"""In small nests, with four players, with other borders, and where tails come first no network is stronger than the
search."""
_SMALLEST_SIDE, _MOST_PLAYERS = 5, 3


def levels(variant: Variant) -> tuple[str, ...]:
    options = variant.options
    is_usual = options["border"] == "floating" and not options["tail_first"]
    has_room = min(nest_size(options)) >= _SMALLEST_SIDE
    few = options["players"] <= _MOST_PLAYERS
    return _LEVELS if is_usual and has_room and few else _WITHOUT_NET
