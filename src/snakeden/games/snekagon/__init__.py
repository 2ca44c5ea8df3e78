"""Snekagon and Snekagon 5G: tiles of hexes grow into snakes; 5G is played on several floors."""

from __future__ import annotations

from typing import Any

from snakeden.core.game import Game
from snakeden.core.options import Option

SNAKE_TILES = {
    "mamba": ("5SSS", "5SSL"),
    "python": ("5LLL", "5SLL"),
    "sidewinder": ("5LRL", "5SLR"),
    "cobra": ("5SLS", "5LSL"),
    "rattler": ("5LSR", "5LLR"),
}
"""The two five-hex tiles of each snake; seat 0 leads the first, and so on, unless told otherwise."""


def _floors(options: dict[str, Any], given: frozenset[str]) -> dict[str, Any]:
    players, snakes = options["players"], options["snakes"]
    if snakes is None:
        snakes = tuple(SNAKE_TILES)[:players]
    elif len(snakes) != players:
        raise _SNAKES.refusal(list(snakes), f"{players} players need {players} names, one a seat")
    return {**options, "snakes": snakes}


_SNAKES = Option("snakes", "list", None, "who leads which snake, one name a seat", choices=tuple(SNAKE_TILES))

SNEKAGON = Game(
    id="snekagon",
    name="Snekagon",
    blurb="Two players lay tiles of one to four hexes; whoever builds the longest snake wins.",
    credits="By the makers of Snekagon 5G; also played on BoardGameArena.",
    rules_version=1,
    package=__name__,
    options=(
        Option("side", "int", 6, "cells along a side of the board", low=3, high=8),
        Option("second_single", "bool", False, "the second player keeps the one-hex tile"),
    ),
)

SNEKAGON_5G = Game(
    id="snekagon-5g",
    name="Snekagon 5G",
    blurb="Snekagon for two to five on as many floors, where snakes drill through from board to board.",
    credits=(
        "Designers Adam Španěl and Matyáš Veselý; graphics Matyáš Veselý; rulebook editing and translation "
        "Vladimír Dražil; published by MATY MOVES."
    ),
    rules_version=1,
    package=__name__,
    options=(
        Option("players", "int", 2, "how many play; there are as many floors", low=2, high=5),
        Option("advanced", "bool", False, "a snake keeps its heading when it goes through a floor"),
        Option("side", "int", 6, "cells along a side of a board", low=4, high=8),
        Option("eyes", "bool", True, "every board has two holes that no tile covers"),
        _SNAKES,
    ),
    resolve=_floors,
    bench_options={"players": 5, "advanced": True},
)
