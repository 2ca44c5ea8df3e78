"""Schlangennest: square cards grow into snakes in a nest whose border comes into being in play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snakeden.core.game import Game
from snakeden.core.options import Option
from snakeden.words import Message

NESTS = {
    "easy": {2: (6, 6), 3: (7, 7), 4: (8, 8)},
    "recommended": {2: (5, 7), 3: (6, 8), 4: (7, 9)},
    "hard": {2: (4, 8), 3: (4, 10), 4: (5, 11)},
}
"""The sizes that have a name, by the number of colours on the table."""

NAMED_SIZES = ("5x9", "6x10")
"""Further sizes of the rulebook."""

FENCE_SUMS = (12, 14)
"""What the two sizes of a nest that can be fenced add up to: a fence has seven straights and two or four
curves."""


def nest_size(options: Mapping[str, Any]) -> tuple[int, int]:
    """The longer and the shorter size of the nest."""
    nest = options["nest"]
    sizes = (
        NESTS[nest][options["players"] * options["snakes"]] if nest in NESTS else map(int, nest.split("x"))
    )
    short, long = sorted(sizes)
    return long, short


def _together(options: dict[str, Any], given: frozenset[str]) -> dict[str, Any]:
    players, border, snakes = options["players"], options["border"], options["snakes"]
    if snakes == 2 and players != 2:
        raise _SNAKES.refusal(snakes, Message("schlangennest.two_players_only", players=players))
    if "cards_per_turn" in given and snakes == 1:
        raise _CARDS.refusal(options["cards_per_turn"], Message("schlangennest.two_snakes_only"))
    if "nest" in given and border == "none":
        raise _NEST.refusal(options["nest"], Message("schlangennest.no_nest"))
    colours = players * snakes
    if border == "fence" and colours == 4:
        raise _BORDER.refusal(border, Message("schlangennest.fence_colour"))
    if border == "frame" and colours != 2:
        raise _BORDER.refusal(border, Message("schlangennest.frame_colours"))
    if border == "fence" and sum(nest_size(options)) not in FENCE_SUMS:
        raise _NEST.refusal(options["nest"], Message("schlangennest.fence_size"))
    return options


_NEST = Option(
    "nest",
    "text",
    "recommended",
    Message("schlangennest.option.nest"),
    choices=(*NESTS, *NAMED_SIZES),
    pattern=r"2x2|([3-9]|1[0-2])x([3-9]|1[0-2])",
    pattern_help=Message("schlangennest.nest_size"),
)
_BORDER = Option(
    "border",
    "choice",
    "floating",
    Message("schlangennest.option.border"),
    choices=("floating", "none", "fence", "frame"),
)
_SNAKES = Option("snakes", "int", 1, Message("schlangennest.option.snakes"), low=1, high=2)
_CARDS = Option("cards_per_turn", "int", 2, Message("schlangennest.option.cards_per_turn"), low=1, high=2)

SCHLANGENNEST = Game(
    id="schlangennest",
    name="Schlangennest",
    rules_version=1,
    package=__name__,
    options=(
        Option("players", "int", 2, Message("schlangennest.option.players"), low=2, high=4),
        _NEST,
        _BORDER,
        Option("tail_first", "bool", False, Message("schlangennest.option.tail_first")),
        _SNAKES,
        _CARDS,
    ),
    resolve=_together,
)
