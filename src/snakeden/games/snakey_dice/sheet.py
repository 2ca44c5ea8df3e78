"""The score sheet as data: the page, the terminal and the print all show these lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from snakeden.games.snakey_dice.kernels.layout import MULTIPLIERS, Tables
from snakeden.games.snakey_dice.kernels.score import counts
from snakeden.words import Message

if TYPE_CHECKING:
    from snakeden.core.state import State

_SOLO_LABELS = ("eaten", "unused", "tops", "blockades", "free", "jumped")
_DUEL_LABELS = ("levels", "unused", "tops", "visited", "last_standing", "first_to_top")
_RATINGS = ((100, "master"), (75, "super"), (50, "average"))
_LOWEST_RATING = "worm"


@dataclass(frozen=True)
class Line:
    """One line of the sheet."""

    label: Message
    count: int
    multiplier: int

    @property
    def total(self) -> int:
        return self.count * self.multiplier


def labels(t: Tables) -> tuple[Message, ...]:
    """What each line of the sheet counts."""
    names = _SOLO_LABELS if t.solo else _DUEL_LABELS
    return tuple(Message(f"snakey-dice.sheet.{name}") for name in names)


def lines(t: Tables, array: NDArray[np.int32], seat: int) -> tuple[Line, ...]:
    """The lines of a seat's sheet in the position of this array."""
    counted, worth = counts(t, array, seat), t.values[MULTIPLIERS].tolist()
    return tuple(
        Line(label, int(count), by) for label, count, by in zip(labels(t), counted, worth, strict=True)
    )


def sheet(state: State, seat: int) -> tuple[Line, ...]:
    """The lines of a seat's sheet; their totals sum up to its score."""
    return lines(state.variant.tables, state.array(), seat)


def rating(score: int) -> Message:
    """What the solo sheet calls somebody with this score."""
    name = next((name for least, name in _RATINGS if score >= least), _LOWEST_RATING)
    return Message(f"snakey-dice.rating.{name}")
