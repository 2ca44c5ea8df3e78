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
"""In small nests, with four players and with other borders no network is stronger than the search, and for three it
was not measured where a nest is narrow or tails come first."""
_LEAST_FIELDS, _SMALLEST_SIDE = 25, 5


def levels(variant: Variant) -> tuple[str, ...]:
    options, size = variant.options, nest_size(variant.options)
    strong_for = {
        2: size[0] * size[1] >= _LEAST_FIELDS,
        3: min(size) >= _SMALLEST_SIDE and not options["tail_first"],
    }
    floats = options["border"] == "floating"
    return _LEVELS if floats and strong_for.get(options["players"], False) else _WITHOUT_NET
