"""The symmetries of Snakey Dice: turns by 90° that leave the map as it is.

A mirror image is another game: it would exchange turning left (a 2) and right (a 3), and a flip makes a 5 of
a 2 but a 4 of a 3."""

from __future__ import annotations

import numpy as np

from snakeden.core.learning import Symmetry
from snakeden.games.snakey_dice.layout import CHOOSE, CLEAR, NUMBER, PLACE, START_PLACE, Tables
from snakeden.games.snakey_dice.observation import HEADINGS_AT, grid, planes


def symmetries(t: Tables) -> tuple[Symmetry, ...]:
    """Those of the board under which the first position is the same."""
    rows, columns = grid(t)
    board, clear = t.first[t.board : t.key_words], t.squares[:, CLEAR]
    starts = t.squares[: t.starts, START_PLACE].tolist()
    places = t.squares[: t.side * t.side, PLACE]
    found = []
    for turns in range(4):
        y, x = np.divmod(np.arange(rows * columns), columns)
        for _ in range(turns):  # clockwise; y points down
            x, y = columns - 1 - y, x
        cells = y * columns + x
        if not ((board[cells] == board).all() and (clear[cells] == clear).all()):
            continue
        if {int(cells[start]) for start in starts} != set(starts):
            continue
        shown = np.arange(len(planes(t)))
        for first in range(HEADINGS_AT, HEADINGS_AT + 4 * t.seats, 4):
            shown[first : first + 4] = first + (np.arange(4) + turns) % 4
        actions = np.arange(t.actions)
        for number, start in enumerate(starts):
            image = CHOOSE + 4 * starts.index(int(cells[start]))
            actions[CHOOSE + 4 * number : CHOOSE + 4 * number + 4] = image + (np.arange(4) + turns) % 4
        actions[t.square_moves :] = t.square_moves + t.squares[cells[places], NUMBER]
        name = f"turned by {90 * turns}°" if turns else "as it is"
        found.append(Symmetry(name, cells, shown, actions))
    return tuple(found)
