"""The symmetries of Schlangennest: turns by 90° and mirror images that leave what lies on the table at the
start where it is. A nest that floats fits either way, so all eight of a square do."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from snakeden.core.learning import Symmetry
from snakeden.games.schlangennest.cards import FACES, FIRST_CURVE, FRAME, FREE, SIDES
from snakeden.games.schlangennest.kernels import features
from snakeden.games.schlangennest.kernels.layout import BOARD, DEEDS, Tables, opening
from snakeden.games.schlangennest.kernels.observation import grid, planes, side_planes
from snakeden.games.schlangennest.notation import DEED_NAMES


def _sides(mirrored: bool, turns: int) -> list[int]:
    """Where each side goes: mirrored left to right first, then turned clockwise."""
    return [((-side if mirrored else side) + turns) % 4 for side in range(4)]


def _deeds(sides: list[int]) -> NDArray[np.int64]:
    """[DEEDS] where each deed goes."""
    names = {(what, frozenset(way)): deed for deed, (what, way) in enumerate(DEED_NAMES)}
    return np.array(
        [names[what, frozenset(SIDES[sides[SIDES.index(side)]] for side in way)] for what, way in DEED_NAMES]
    )


def _shown(count: int, first_of_four: Iterable[int], sides: list[int]) -> NDArray[np.int64]:
    """[count] which plane each plane becomes; from these on four are one a side."""
    found = np.arange(count)
    for first in first_of_four:
        found[first : first + 4] = first + np.array(sides)
    return found


def symmetries(t: Tables) -> tuple[Symmetry, ...]:
    """Those of the grid under which the first position is the same."""
    rows, columns = grid(t)
    board = opening(t)[BOARD:]
    found = []
    for mirrored in (False, True):
        for turns in range(4):
            if turns % 2 and rows != columns:
                continue
            sides = _sides(mirrored, turns)
            deeds = _deeds(sides)
            y, x = np.divmod(np.arange(t.squares), columns)
            if mirrored:
                x = columns - 1 - x
            height, width = rows, columns
            for _ in range(turns):
                x, y, height, width = y, width - 1 - x, width, height
            cells = y * columns + x
            # A card's face goes where laying it goes; a frame card lies like a curve.
            laid = board.astype(np.int64)
            faces = np.where(laid >= FRAME, laid - FRAME + FIRST_CURVE, (laid - 1) % len(FACES))
            turned = np.where(laid >= FRAME, FRAME + deeds[faces] - FIRST_CURVE, laid - faces + deeds[faces])
            image = np.empty_like(laid)
            image[cells] = np.where(laid == FREE, FREE, turned)
            if not (image == laid).all():
                continue
            shown = _shown(len(planes(t)), side_planes(t), sides)
            featured = _shown(len(features.planes(t)), features.side_planes(t), sides)
            snakes = t.actions // (t.squares * DEEDS)
            actions = (np.arange(snakes)[:, None, None] * t.squares + cells[None, :, None]) * DEEDS + deeds
            found.append(Symmetry(_name(mirrored, turns), cells, shown, actions.ravel(), featured))
    return tuple(found)


def _name(mirrored: bool, turns: int) -> str:
    words = [*["mirrored"][: int(mirrored)], *[f"turned by {90 * turns}°"][: int(turns > 0)]]
    return " and ".join(words) or "as it is"
