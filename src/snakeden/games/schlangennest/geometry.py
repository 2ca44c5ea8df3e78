"""Where the actions of Schlangennest lie: what is done, on a square."""

from __future__ import annotations

import numpy as np

from snakeden.core.learning import Geometry
from snakeden.games.schlangennest.kernels.layout import DEEDS, Tables


def geometry(t: Tables) -> Geometry:
    """A plane for each deed, for each colour that an action can name."""
    colours = t.actions // (t.squares * DEEDS)
    colour, square, deed = np.indices((colours, t.squares, DEEDS))
    terms = (colour * DEEDS + deed) * t.squares + square
    everywhere = np.ones(t.squares, np.bool_)
    return Geometry(colours * DEEDS, 0, terms.reshape(-1, 1), everywhere, boardless=True)
