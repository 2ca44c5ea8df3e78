"""The symmetries of Snekagon's boards: turns by 60° and mirror images, as far as the eyes of a 5G board let
them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snakeden.core.hexgrid import hex_board, hex_symmetries
from snakeden.core.learning import Symmetry
from snakeden.games.snekagon.kernels.layout import LINKS, Tables
from snakeden.games.snekagon.kernels.observation import grid, planes
from snakeden.games.snekagon.notation import path_of


def _actions(t: Tables, cells: tuple[int, ...]) -> NDArray[np.int64] | None:
    """Where each action goes if cells are permuted as given; None if a placement would go nowhere."""
    paths = [path_of(t, place) for place in range(t.placements)]
    places = {path: place for place, path in enumerate(paths)}
    images = [tuple(cells[cell] for cell in path) for path in paths]
    turned = [image[0] > image[-1] for image in images]
    found = [places.get(image[::-1] if back else image) for image, back in zip(images, turned, strict=True)]
    if None in found:
        return None
    place, back = np.array(found, np.int64), np.array(turned)
    if t.floors == 1:
        return place
    actions = np.empty((t.floors, LINKS, t.placements), np.int64)
    for floor in range(t.floors):
        for link in range(LINKS):
            # A path that is read from its other end has its link there.
            other = link if link == 0 else 1 + (link - 1) % 2 + 2 * (1 - (link - 1) // 2)
            actions[floor, link] = (floor * LINKS + np.where(back, other, link)) * t.placements + place
    return actions.ravel()


def symmetries(t: Tables) -> tuple[Symmetry, ...]:
    """Those of the board that map placements to placements."""
    rows, columns = grid(t)
    board = hex_board(t.side)
    fields = np.array([(y + t.side - 1) * columns + x + t.side - 1 for x, y in board.cells])
    found = []
    for name, cells in hex_symmetries(t.side):
        actions = _actions(t, cells)
        if actions is not None:
            grid_cells = np.arange(rows * columns)
            grid_cells[fields] = fields[list(cells)]
            found.append(Symmetry(name, grid_cells, np.arange(len(planes(t))), actions))
    return tuple(found)
