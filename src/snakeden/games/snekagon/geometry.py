"""Where the actions of Snekagon and 5G lie: a turned shape at its anchor, and for a link the end that is linked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snakeden.core.hexgrid import hex_board
from snakeden.core.learning import Geometry
from snakeden.games.snekagon.kernels.layout import ANCHOR, END, LINKS, SHAPE, Tables
from snakeden.games.snekagon.kernels.observation import grid

_WAYS = 2
"""Floors a snake can be linked to: the one before and the one after."""


def geometry(t: Tables) -> Geometry:
    """Per floor a plane for each shape and, in 5G, one for each way to link."""
    rows, columns = grid(t)
    cells, shapes = rows * columns, t.shapes.shape[1]

    def field(bits: NDArray[np.int64]) -> NDArray[np.int64]:
        """The field of the grid that a bit of a set means."""
        row = (bits + t.side - 1) // int(t.stride)
        found: NDArray[np.int64] = row * columns + bits - row * int(t.stride) + t.side - 1
        return found

    places = t.places.astype(np.int64)
    inside = np.zeros(cells, np.bool_)
    inside[[(y + t.side - 1) * columns + x + t.side - 1 for x, y in hex_board(t.side).cells]] = True
    anchored = places[:, SHAPE] * cells + field(places[:, ANCHOR])
    if t.floors == 1:
        return Geometry(shapes, 0, anchored[:, None], inside)
    terms = np.full((t.floors, LINKS, t.placements, 2), -1, np.int64)
    for floor in range(t.floors):
        first = floor * (shapes + _WAYS)
        terms[floor, :, :, 0] = first * cells + anchored
        for link in range(1, LINKS):
            end, way = divmod(link - 1, 2)
            terms[floor, link, :, 1] = (first + shapes + way) * cells + field(places[:, END + end])
    return Geometry(t.floors * (shapes + _WAYS), 0, terms.reshape(-1, 2), inside)
