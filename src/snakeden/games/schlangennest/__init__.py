"""Schlangennest: square cards grow into snakes in a nest whose border comes into being in play."""

from __future__ import annotations

from typing import Any

from snakeden.core.game import Game
from snakeden.core.options import Option

NESTS = {
    "easy": {2: (6, 6), 3: (7, 7), 4: (8, 8)},
    "recommended": {2: (5, 7), 3: (6, 8), 4: (7, 9)},
    "hard": {2: (4, 8), 3: (4, 10), 4: (5, 11)},
}
"""The sizes that have a name, by the number of colours on the table."""

FENCE_SUMS = (12, 14)
"""What the two sizes of a nest that can be fenced add up to: a fence has seven straights and two or four
curves."""


def nest_size(options: dict[str, Any]) -> tuple[int, int]:
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
        raise _SNAKES.refusal(snakes, f"only two players can lead two snakes each, and players is {players}")
    if "cards_per_turn" in given and snakes == 1:
        raise _CARDS.refusal(options["cards_per_turn"], "it means something with snakes=2 only; leave it out")
    if "nest" in given and border == "none":
        raise _NEST.refusal(options["nest"], "with border='none' there is no nest; leave it out")
    colours = players * snakes
    if border == "fence" and colours == 4:
        raise _BORDER.refusal(
            border, "a fence is laid of a colour nobody plays, and all four colours are played"
        )
    if border == "frame" and colours != 2:
        raise _BORDER.refusal(
            border, "a frame needs the two other colours, so two players with one snake each"
        )
    if border == "fence" and sum(nest_size(options)) not in FENCE_SUMS:
        raise _NEST.refusal(options["nest"], "a fence fits a nest whose two sizes add up to 12 or 14 only")
    return options


_NEST = Option(
    "nest",
    "text",
    "recommended",
    "the size of the nest",
    choices=tuple(NESTS),
    pattern=r"([3-9]|1[0-2])x([3-9]|1[0-2])",
    pattern_help="a size such as '5x9', each number from 3 to 12",
)
_BORDER = Option(
    "border",
    "choice",
    "floating",
    "how the border of the nest comes about: in play, not at all, by a fence across it or a frame around it",
    choices=("floating", "none", "fence", "frame"),
)
_SNAKES = Option(
    "snakes", "int", 1, "how many snakes each player leads; two only with two players", low=1, high=2
)
_CARDS = Option(
    "cards_per_turn", "int", 2, "with two snakes: a card for each in a turn, or one card", low=1, high=2
)

SCHLANGENNEST = Game(
    id="schlangennest",
    name="Schlangennest",
    blurb="Two to four players lay cards that lengthen their own snakes, and others' too, in a tight nest.",
    credits="Günter Cornett, 1995.",
    rules_version=1,
    package=__name__,
    options=(
        Option("players", "int", 2, "how many play", low=2, high=4),
        _NEST,
        _BORDER,
        Option("tail_first", "bool", False, "every player's first card must be the tail"),
        _SNAKES,
        _CARDS,
    ),
    resolve=_together,
)
