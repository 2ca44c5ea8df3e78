"""Snakey Dice as numbers: planes over the board and the wall around it.

A plane's rows and columns are those of places in `layout`: (0, 0) is the wall's upper left corner.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import Limits, viewed
from snakeden.core.planes import mark
from snakeden.games.snakey_dice.kernels.hand import faces_up
from snakeden.games.snakey_dice.kernels.layout import (
    ACTIONS,
    BLOCKADE,
    BLOCKADES_DUE,
    DICE_DUE,
    EATEN,
    FINISHED,
    FIRST,
    FLIPS,
    FRONT,
    GIVEN,
    HAND,
    JUMP,
    LAST,
    LEVEL,
    LEVEL_DUE,
    MOST_DICE,
    MOST_GIVEN,
    MULTIPLIERS,
    OUT,
    PHASE,
    POWER_UP,
    POWER_UPS_DUE,
    REROLLS,
    SEAT_WORDS_AT,
    SNAKE,
    START_PLACE,
    TOP,
    TRAIL,
    UNLOCKED,
    UNLOCKS,
    WALL,
    WAY,
    Tables,
    seat_at,
)

MOST_ACTIONS = 6
"""One-time actions of a kind that a seat can have: four at the start, two from the bonus."""
MOST_DUE = 12
"""Blockades or power-ups that are to be rolled at once: more are shown as that many."""
_USES = 4
"""What a level can allow in a turn."""

_WAYS = ("up", "right", "down", "left")
_TRACKS = ("reroll", "flip", "unlock", "ignore")
_KINDS = ("portal", "jump", "reroll", "unlock")
_PHASES = (
    "squares of the set-up are rolled",
    "a start is chosen",
    "dice are rolled",
    "dice are manipulated",
    "the bonus is taken",
    "dice are used",
    "squares are rolled",
    "a level is raised",
    "the turn ends before an obstacle",
    "the game is over",
)

HEADINGS_AT = 5
"""The plane after those of the board; four a seat, one a direction, which `symmetry` turns."""


def planes(t: Tables) -> tuple[str, ...]:
    """What each plane means."""
    who = viewed(t.seats)
    return (
        "the wall",
        "power-ups",
        "blockades",
        "starts",
        "squares that can be entered",
        *(f"the square that {seat} faces, looking {way}" for seat in who for way in _WAYS),
        *(f"the trail of {seat}" for seat in who),
        *(f"everywhere 1: {phase}" for phase in _PHASES),
        *(f"everywhere: dice in hand that show {face}, in sixths" for face in range(1, 7)),
        "everywhere: unlocked sixes in hand, in sixths",
        *(
            f"everywhere: {use} by level used in this turn, in quarters"
            for use in ("rerolls", "flips", "unlocks")
        ),
        "everywhere: dice to be rolled, in sixths",
        "everywhere: blockades to be rolled, in twelfths",
        "everywhere: power-ups to be rolled, in twelfths",
        "everywhere 1: a level is due",
        "everywhere 1: it is the last turn",
        *(
            f"everywhere: {what}: {seat}"
            for seat in who
            for what in (
                "1 if out",
                *(f"level of {track}, in quarters" for track in _TRACKS),
                *(f"one-time {kind} actions left, in sixths" for kind in _KINDS),
                *(f"{kind} actions got from the bonus, in halves" for kind in _KINDS),
                *(f"1 if first at the top of {track}" for track in _TRACKS),
                "share of all squares visited",
                "power-ups eaten, as a share of all squares",
            )
        ),
    )


def constant_planes(t: Tables) -> int:
    """How many planes have one number everywhere."""
    return len(planes(t)) - HEADINGS_AT - 5 * t.seats


def faces_at(t: Tables) -> int:
    """The first of the planes of the dice in hand, one a face, of which `symmetry` exchanges two."""
    return HEADINGS_AT + 5 * t.seats + len(_PHASES)


def grid(t: Tables) -> tuple[int, int]:
    """Rows and columns of a plane."""
    return t.side + 2, t.side + 2


def limits(t: Tables) -> Limits:
    """Scores follow from the sheet. Turns that change nothing can follow each other by chance for ever, so the
    longest game is a number far beyond any game played: 40 moves a square, where random games take 2 at most."""
    squares = t.side * t.side
    worth = t.values[MULTIPLIERS].tolist()
    given = t.first[SEAT_WORDS_AT + ACTIONS : SEAT_WORDS_AT + ACTIONS + 4].tolist()
    actions = sum(given) + 4 * MOST_GIVEN
    if t.solo:
        most = (int((t.first[t.board : t.key_words] == POWER_UP).sum()), actions, 4, squares, 0, 0)
        jumps = given[JUMP] + MOST_GIVEN
        least = (0, 0, 0, 0, squares, jumps * t.side)
    else:
        most, least = (4 * TOP, actions, 4, squares, 1, 4), (0,) * 6
    return Limits(
        decisions=40 * squares,
        chances=40 * squares,
        low=sum(count * by for count, by in zip(least, worth, strict=True)),
        high=sum(count * by for count, by in zip(most, worth, strict=True)),
    )


@kernel
def observe(t, s, seat, bits, values):
    """Write the position as the seat sees it."""
    width = t.side + 2
    trails = HEADINGS_AT + 4 * t.seats
    for place in range(width * width):
        held = np.int64(s[t.board + place])
        if held == WALL:
            mark(bits, 0, place)
        if held == POWER_UP:
            mark(bits, 1, place)
        if held == BLOCKADE:
            mark(bits, 2, place)
        if held <= POWER_UP:
            mark(bits, 4, place)
        if held >= SNAKE:
            mark(bits, trails + (held - SNAKE - seat) % t.seats, place)
    for start in range(t.starts):
        mark(bits, 3, np.int64(t.squares[start, START_PLACE]))
    for ahead in range(t.seats):
        at = seat_at((seat + ahead) % t.seats)
        if s[at + TRAIL] > 0:
            mark(bits, HEADINGS_AT + 4 * ahead + np.int64(s[at + WAY]), np.int64(s[at + FRONT]))
    write_values(t, s, seat, values)


@inline
def write_values(t, s, seat, values):
    """Write the numbers of the planes that have one everywhere."""
    squares, value = t.side * t.side, 0
    for phase in range(FINISHED + 1):
        values[value] = np.float32(s[PHASE] == phase)
        value += 1
    for face in range(1, 7):
        values[value] = np.float32(faces_up(s[HAND], face) / MOST_DICE)
        value += 1
    values[value] = np.float32(s[UNLOCKED] / MOST_DICE)
    values[value + 1] = np.float32(s[REROLLS] / _USES)
    values[value + 2] = np.float32(s[FLIPS] / _USES)
    values[value + 3] = np.float32(s[UNLOCKS] / _USES)
    values[value + 4] = np.float32(s[DICE_DUE] / MOST_DICE)
    values[value + 5] = np.float32(min(s[BLOCKADES_DUE], MOST_DUE) / MOST_DUE)
    values[value + 6] = np.float32(min(s[POWER_UPS_DUE], MOST_DUE) / MOST_DUE)
    values[value + 7] = np.float32(s[LEVEL_DUE])
    values[value + 8] = np.float32(s[LAST])
    value += 9
    for ahead in range(t.seats):
        other = (seat + ahead) % t.seats
        at = seat_at(other)
        values[value] = np.float32(s[at + OUT])
        value += 1
        for track in range(4):
            values[value + track] = np.float32(s[at + LEVEL + track] / TOP)
            values[value + 4 + track] = np.float32(s[at + ACTIONS + track] / MOST_ACTIONS)
            values[value + 8 + track] = np.float32(s[at + GIVEN + track] / MOST_GIVEN)
            values[value + 12 + track] = np.float32(s[FIRST + track] == other + 1)
        values[value + 16] = np.float32(s[at + TRAIL] / squares)
        values[value + 17] = np.float32(s[at + EATEN] / squares)
        value += 18
