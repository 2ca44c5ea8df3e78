"""The score sheet as data: the page, the terminal and the print all show these lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from snakeden.games.snakey_dice.kernels.layout import MULTIPLIERS, Tables
from snakeden.games.snakey_dice.kernels.score import counts

if TYPE_CHECKING:
    from snakeden.core.state import State

_SOLO_LABELS = (
    "power-ups eaten",
    "one-time actions unused",
    "tracks at level 4",
    "blockades on the board",
    "squares left free",
    "squares jumped over",
)
_DUEL_LABELS = (
    "levels gained",
    "one-time actions unused",
    "tracks at level 4",
    "squares visited",
    "last one standing",
    "first to reach level 4",
)
_RATINGS = (
    (100, "Supreme Master of Slithering"),
    (75, "Pretty Super Serpent"),
    (50, "Average Snake-in-the-grass"),
)
_LOWEST_RATING = "Pathetic Worm"


@dataclass(frozen=True)
class Line:
    """One line of the sheet."""

    label: str
    count: int
    multiplier: int

    @property
    def total(self) -> int:
        return self.count * self.multiplier


def labels(t: Tables) -> tuple[str, ...]:
    """What each line of the sheet counts."""
    return _SOLO_LABELS if t.solo else _DUEL_LABELS


def lines(t: Tables, array: NDArray[np.int32], seat: int) -> tuple[Line, ...]:
    """The lines of a seat's sheet in the position of this array."""
    counted, worth = counts(t, array, seat), t.values[MULTIPLIERS].tolist()
    return tuple(
        Line(label, int(count), by) for label, count, by in zip(labels(t), counted, worth, strict=True)
    )


def sheet(state: State, seat: int) -> tuple[Line, ...]:
    """The lines of a seat's sheet; their totals sum up to its score."""
    return lines(state.variant.tables, state.array(), seat)


def rating(score: int) -> str:
    """What the solo sheet calls somebody with this score."""
    return next((name for least, name in _RATINGS if score >= least), _LOWEST_RATING)
