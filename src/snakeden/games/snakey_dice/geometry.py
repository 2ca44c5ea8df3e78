"""Where the actions of Snakey Dice lie: starts and squares on the board, what is done with dice nowhere."""

from __future__ import annotations

import numpy as np

from snakeden.core.learning import Geometry
from snakeden.games.snakey_dice.kernels.layout import CHOOSE, DICE, PLACE, START_PLACE, Tables
from snakeden.games.snakey_dice.kernels.observation import HEADINGS_AT, grid

_WAYS = 4


def geometry(t: Tables) -> Geometry:
    """A plane for each direction a start can be chosen with, one for squares, and an output for each use of the dice.
    What dice show is no player's action. How dice are best used depends on what lies around the viewer's head."""
    rows, columns = grid(t)
    cells = rows * columns
    planes = _WAYS + 1
    terms = np.full(t.actions, -1, np.int64)
    terms[:DICE] = planes * cells + np.arange(DICE)
    for start in range(t.starts):
        for way in range(_WAYS):
            terms[CHOOSE + _WAYS * start + way] = way * cells + t.squares[start, START_PLACE]
    squares = t.side * t.side
    terms[t.square_moves : t.square_moves + squares] = _WAYS * cells + t.squares[:squares, PLACE]
    faced = tuple(range(HEADINGS_AT, HEADINGS_AT + _WAYS))
    return Geometry(planes, DICE, terms[:, None], np.ones(cells, np.bool_), focus=faced)
