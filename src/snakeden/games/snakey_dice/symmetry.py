"""The symmetries of Snakey Dice: turns by 90° and mirror images that leave the map as it is.

A mirror image exchanges left and right, so threes and fours: they are as likely, and a flip makes one of the
other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snakeden.core.learning import Symmetry
from snakeden.games.snakey_dice.kernels.layout import (
    CHOOSE,
    CLEAR,
    DICE,
    FEW_SETS,
    FIVE_LEFT,
    FIVE_RIGHT,
    FLIP,
    IGNORE,
    LEFT_FACE,
    NUMBER,
    PLACE,
    REROLL,
    REROLL_X,
    RIGHT_FACE,
    SET,
    SETS,
    START_PLACE,
    USE_DIE,
    Tables,
)
from snakeden.games.snakey_dice.kernels.observation import HEADINGS_AT, faces_at, grid, planes


def _mirrored_sets(t: Tables) -> NDArray[np.int64]:
    """[SETS] the number of each set of dice with its threes and fours exchanged."""
    dice = t.sets[:, SET].astype(np.int64)
    threes, fours = dice >> 4 * LEFT_FACE & 15, dice >> 4 * RIGHT_FACE & 15
    images = dice + ((fours - threes) << 4 * LEFT_FACE) + ((threes - fours) << 4 * RIGHT_FACE)
    number = {packed: number for number, packed in enumerate(dice.tolist())}
    return np.array([number[packed] for packed in images.tolist()])


def _mirror_dice(t: Tables, actions: NDArray[np.int64]) -> None:
    """Let every action [actions] that names dice become the one with left and right exchanged."""
    sets = _mirrored_sets(t)
    for first in (REROLL, REROLL_X, DICE):
        actions[first : first + SETS - 1] = first + sets[1:] - 1
    actions[IGNORE : IGNORE + FEW_SETS] = IGNORE + sets[:FEW_SETS]
    for first, one, other in (
        (FLIP, LEFT_FACE, RIGHT_FACE),
        (USE_DIE, LEFT_FACE, RIGHT_FACE),
        (USE_DIE, FIVE_LEFT, FIVE_RIGHT),
    ):
        actions[[first + one, first + other]] = first + other, first + one


def _name(turns: int, mirrored: bool) -> str:
    words = [*(["mirrored"] if mirrored else []), *([f"turned by {90 * turns}°"] if turns else [])]
    return " and ".join(words) or "as it is"


def symmetries(t: Tables) -> tuple[Symmetry, ...]:
    """Those of the board under which the first position is the same."""
    rows, columns = grid(t)
    board, clear = t.first[t.board : t.key_words], t.squares[:, CLEAR]
    starts = t.squares[: t.starts, START_PLACE].tolist()
    places = t.squares[: t.side * t.side, PLACE]
    found = []
    for mirrored in (False, True):
        for turns in range(4):
            y, x = np.divmod(np.arange(rows * columns), columns)
            x = columns - 1 - x if mirrored else x
            for _ in range(turns):  # clockwise; y points down
                x, y = columns - 1 - y, x
            cells = y * columns + x
            if not ((board[cells] == board).all() and (clear[cells] == clear).all()):
                continue
            if {int(cells[start]) for start in starts} != set(starts):
                continue
            ways = (turns - np.arange(4) if mirrored else turns + np.arange(4)) % 4
            shown = np.arange(len(planes(t)))
            for first in range(HEADINGS_AT, HEADINGS_AT + 4 * t.seats, 4):
                shown[first : first + 4] = first + ways
            actions = np.arange(t.actions)
            for number, start in enumerate(starts):
                image = CHOOSE + 4 * starts.index(int(cells[start]))
                actions[CHOOSE + 4 * number : CHOOSE + 4 * number + 4] = image + ways
            actions[t.square_moves :] = t.square_moves + t.squares[cells[places], NUMBER]
            if mirrored:
                faces = faces_at(t)
                shown[[faces + LEFT_FACE, faces + RIGHT_FACE]] = faces + RIGHT_FACE, faces + LEFT_FACE
                _mirror_dice(t, actions)
            found.append(Symmetry(_name(turns, mirrored), cells, shown, actions))
    return tuple(found)
