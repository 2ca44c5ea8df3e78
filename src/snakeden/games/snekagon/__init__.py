"""Snekagon and Snekagon 5G: tiles of hexes grow into snakes; 5G is played on several floors."""

from __future__ import annotations

from typing import Any

from snakeden.core.game import Game
from snakeden.core.options import Option
from snakeden.words import Message

SNAKE_TILES = {
    "mamba": ("5SSS", "5SSL"),
    "python": ("5LLL", "5SLL"),
    "sidewinder": ("5LRL", "5SLR"),
    "cobra": ("5SLS", "5LSL"),
    "rattler": ("5LSR", "5LLR"),
}
"""The two five-hex tiles of each snake; seat 0 leads the first, and so on, by default."""


def _floors(options: dict[str, Any], given: frozenset[str]) -> dict[str, Any]:
    players, snakes = options["players"], options["snakes"]
    if snakes is None:
        snakes = tuple(SNAKE_TILES)[:players]
    elif len(snakes) != players:
        raise _SNAKES.refusal(list(snakes), Message("snekagon-5g.snakes_needed", players=players))
    return {**options, "snakes": snakes}


_SNAKES = Option("snakes", "list", None, Message("snekagon-5g.option.snakes"), choices=tuple(SNAKE_TILES))

SNEKAGON = Game(
    id="snekagon",
    name="Snekagon",
    rules_version=1,
    package=__name__,
    options=(
        Option("side", "int", 6, Message("snekagon.option.side"), low=2, high=8),
        Option("second_single", "bool", False, Message("snekagon.option.second_single")),
    ),
    program_options=({}, {"side": 8}),
)

SNEKAGON_5G = Game(
    id="snekagon-5g",
    name="Snekagon 5G",
    rules_version=1,
    package=__name__,
    options=(
        Option("players", "int", 2, Message("snekagon-5g.option.players"), low=2, high=5),
        Option("advanced", "bool", False, Message("snekagon-5g.option.advanced")),
        Option("side", "int", 6, Message("snekagon-5g.option.side"), low=4, high=8),
        Option("eyes", "bool", True, Message("snekagon-5g.option.eyes")),
        _SNAKES,
    ),
    program_options=({}, {"side": 8}),
    resolve=_floors,
    bench_options={"players": 5, "advanced": True},
)
