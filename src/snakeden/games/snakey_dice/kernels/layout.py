"""How a state of Snakey Dice is written down: its words, the numbers of its moves, and the tables that the
rules look things up in.

A state is an array of 32-bit words, one number each:

| where                        | what                                                                       |
| ---------------------------- | -------------------------------------------------------------------------- |
| PHASE … FIRST + 3            | the turn: whose it is, what happens next, the dice                         |
| seat_at(seat) + OUT … GIVEN  | the player's head, levels, one-time actions and counts                     |
| t.board + place              | what a place of the board holds                                            |
| t.key_words + place          | how the trail goes through a place; only pictures ask for it               |

A place is a square of the board or of the wall around it: row * (side + 2) + column, both from 0 in the
wall's upper left corner. A square's number, which moves are written with, counts the board's squares row by
row.

A set of dice is a number with one hexadecimal digit a face, the lowest for face 1: how many show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement, product
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.kernel import inline, kernel
from snakeden.games.snakey_dice import maps

DTYPE = np.int32

# ---- the words of a state

PHASE, SEAT = 0, 1
LAST = 2  # 1 in the last turn of a duel
DICE_DUE, BLOCKADES_DUE, POWER_UPS_DUE = 3, 4, 5  # what has to be rolled yet
LEVEL_DUE = 6  # 1 while a power-up has been eaten and its level is not raised
HAND = 7  # the dice not used yet
UNLOCKED = 8  # how many of the hand's sixes are unlocked
REROLLS, FLIPS, UNLOCKS = 9, 10, 11  # uses of the levels so far in this turn
FREE, BLOCKADES = 12, 13  # squares that can be entered; blockades on the board
FIRST = 14  # + track: 1 + the seat that was first to reach the highest level, or 0
SEAT_WORDS_AT = 18

# The words of a seat.
OUT = 0
FRONT, WAY = 1, 2  # the place the head faces, and the direction it looks in
TRAIL, EATEN, JUMPED = 3, 4, 5  # how many squares visited, power-ups eaten, squares jumped over
LEVEL, ACTIONS, GIVEN = 6, 10, 14  # + track; + kind: one-time actions left; + kind: how many the bonus gave
SEAT_WORDS = 18

# ---- what the words hold

SET_UP, START, ROLL, MANIPULATE, BONUS, USE, MAKE, RAISE, LEAVE, FINISHED = range(10)
"""Phases. MAKE rolls squares for blockades and power-ups; LEAVE ends a turn in front of an obstacle."""
EMPTY, POWER_UP, BLOCKADE, WALL, SNAKE = range(5)
"""What a place holds; SNAKE + seat is a seat's trail. EMPTY and POWER_UP can be entered."""
UP, RIGHT, DOWN, LEFT = range(4)
REROLL_TRACK, FLIP_TRACK, UNLOCK_TRACK, IGNORE_TRACK = range(4)
"""Tracks."""
TOP = 4
"""The highest level."""
PORTAL, JUMP, REROLL_ONCE, UNLOCK_ONCE = range(4)
"""Kinds of one-time actions."""
MOST_GIVEN = 2
"""How many actions of one kind the special bonus gives."""
LOCKED_FOR_BONUS = 3

# ---- moves: the first number of each sort

MOST_DICE, MOST_IGNORED = 6, 3
SET_FROM = (0, 1, 7, 28, 84, 210, 462, 924)
"""The number of the first set of this many dice: sets are numbered by size, then by their faces as a text."""
SETS, FEW_SETS = SET_FROM[MOST_DICE + 1], SET_FROM[MOST_IGNORED + 1]
"""How many sets of up to six dice there are, and of up to three."""
REROLL = 0  # + number of the set - 1
REROLL_X = REROLL + SETS - 1
FLIP = REROLL_X + SETS - 1  # + face - 1
UNLOCK = FLIP + 6
UNLOCK_X = UNLOCK + 1
IGNORE = UNLOCK_X + 1  # + number of the set
TAKE = IGNORE + FEW_SETS  # + kind
USE_DIE = TAKE + 4  # + face - 1; a 5 turned right is 5, and so a 6 is 6
ESCAPE = USE_DIE + 7
CRASH = ESCAPE + 1
END = CRASH + 1
LEVEL_UP = END + 1  # + track
DICE = LEVEL_UP + 4  # + number of the set - 1
CHOOSE = DICE + SETS - 1  # + 4 * start + direction; the squares follow, from t.square_moves on

LEFT_FACE, RIGHT_FACE, FIVE_LEFT, FIVE_RIGHT, LOCKED = 2, 3, 4, 5, 6
"""The uses of a 3 and a 4, the ways to use a 5, and a locked die, after USE_DIE."""

# ---- why a move is not legal: the first number that `fault` returns

NOT_NOW, START_TAKEN, LOOKS_OUT = 1, 2, 3
NO_SUCH_DIE, DIE_LOCKED, LEVEL_SPENT, LEVEL_FIRST, ACTION_SPENT = 4, 5, 6, 7, 8
NOTHING_LOCKED, TOO_MANY, GIVEN_TWICE, NO_SUCH_ACTION = 9, 10, 11, 12
OBSTACLE, NO_OBSTACLE, TOO_DEAR, NO_WAY_OUT, CAN_ESCAPE, NO_MOVEMENT = 13, 14, 15, 16, 17, 18
TOP_REACHED, WRONG_NUMBER, ROLLED_AGAIN = 19, 20, 21

# ---- columns of the tables

SET, WAYS = 0, 1
UPPER = MOST_DICE + 1
DICE_ROW, MULTIPLIERS = 4, 5
NUMBER, CLEAR, PLACE, CHANCES, START_PLACE = 0, 1, 2, 3, 4


class Tables(NamedTuple):
    seats: int
    words: int
    key_words: int
    actions: int
    most_moves: int
    solo: bool
    side: int
    low: int
    """The number of the first column and row: as many dice are rolled for one."""
    starts: int
    square_moves: int
    """The number of the first square's move."""
    board: int
    """Where the board begins in a state."""
    throws: int
    """In how many ways the dice for a column and a row can fall."""
    first: NDArray[np.int32]
    """[words] the first position."""
    values: NDArray[np.int32]
    """[6, 6] by track and level: how often a turn allows it; DICE_ROW: how many dice the highest level rolls;
    MULTIPLIERS: what each count of the score sheet is worth."""
    squares: NDArray[np.int32]
    """[places, 5] by place: NUMBER of the square, -1 for the wall; CLEAR: 1 if nothing may be rolled onto it
    at the set-up. By number of a square: its PLACE; CHANCES: in how many ways it can be rolled. By number
    of a start: START_PLACE."""
    rolls: NDArray[np.int32]
    """[6 ** (2 * low)] the number of the square for each throw of the dice for column and row."""
    sets: NDArray[np.int32]
    """[SETS, 2] by number: the SET of dice, and in how many WAYS dice can show it."""
    halves: NDArray[np.int32]
    """[4096, 8] by half of a set, faces 1 to 3 or 4 to 6. The number of a set is the sum of two
    entries: of its lower half by the size of the whole set, and of its upper half in the column UPPER."""


_IGNORE, _DICE = (1, 1, 2, 2, 3, 0), (2, 3, 4, 5, 6, 0)
_SOLO_VALUES = (
    (1, 1, 2, 2, 3, 0),
    (0, 1, 1, 2, 2, 0),
    (0, 0, 1, 1, 2, 0),
    _IGNORE,
    _DICE,
    (5, 3, 5, 1, -2, -1),
)
_DUEL_VALUES = (
    (1, 2, 3, 4, 4, 0),
    (0, 1, 2, 3, 3, 0),
    (0, 0, 1, 2, 2, 0),
    _IGNORE,
    _DICE,
    (1, 2, 5, 1, 10, 5),
)
_SOLO_ACTIONS, _DUEL_ACTIONS = (3, 3, 0, 3), (4, 4, 4, 4)


def _dice_tables() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The tables `sets` and `halves`."""
    by_number = np.zeros((SETS, 2), np.int32)
    by_half = np.full((4096, UPPER + 1), -1, np.int32)
    number = 0
    for size in range(MOST_DICE + 1):
        for faces in combinations_with_replacement(range(6), size):
            dice = sum(1 << 4 * face for face in faces)
            ways = factorial(size)
            for face in set(faces):
                ways //= factorial(faces.count(face))
            by_number[number] = dice, ways
            lower, upper = dice & 4095, dice >> 12
            if by_half[lower, size] < 0:
                by_half[lower, size] = number
            by_half[upper, UPPER] = number - by_half[lower, size]
            number += 1
    return by_number, by_half


def tables(options: Mapping[str, Any]) -> Tables:
    """The tables for these options."""
    seats: int = options["players"]
    solo = seats == 1
    board = maps.find_map(maps.SOLO if solo else options["map"])
    side, low = board.side, board.dice
    width = side + 2
    places = width * width

    def place(square: maps.Square) -> int:
        return (square[1] + 1) * width + square[0] + 1

    starts = board.squares(maps.START)
    every = [(x, y) for y in range(side) for x in range(side)]
    sums = np.array([sum(dice) - low for dice in product(range(1, 7), repeat=low)])
    squares = np.full((places, 5), -1, np.int32)
    squares[:, CLEAR] = 0
    for number, square in enumerate(every):
        squares[place(square), NUMBER] = number
        squares[number, PLACE] = place(square)
        squares[number, CHANCES] = np.count_nonzero(sums == square[0]) * np.count_nonzero(sums == square[1])
    for square in starts if solo else board.kept_clear():
        squares[place(square), CLEAR] = 1
    for number, square in enumerate(starts):
        squares[number, START_PLACE] = place(square)

    board_at = SEAT_WORDS_AT + seats * SEAT_WORDS
    first = np.zeros(board_at + 2 * places, np.int32)
    held = first[board_at : board_at + places]
    held[:] = WALL
    held[[place(square) for square in every]] = EMPTY
    held[[place(square) for square in board.squares(maps.POWER_UP)]] = POWER_UP
    held[[place(square) for square in board.squares(maps.BLOCKADE)]] = BLOCKADE
    first[BLOCKADES] = len(board.squares(maps.BLOCKADE))
    first[FREE] = side * side - first[BLOCKADES]
    first[BLOCKADES_DUE], first[POWER_UPS_DUE] = board.blockades, board.power_ups
    first[PHASE] = SET_UP if board.blockades + board.power_ups else START
    for seat in range(seats):
        at = SEAT_WORDS_AT + seat * SEAT_WORDS + ACTIONS
        first[at : at + 4] = _SOLO_ACTIONS if solo else _DUEL_ACTIONS

    sets, halves = _dice_tables()
    square_moves = CHOOSE + 4 * len(starts)
    return Tables(
        seats=seats,
        words=len(first),
        key_words=len(first) - places,
        actions=square_moves + len(every),
        # One more than there are, since `legal` may write a move before it looks whether it is one.
        most_moves=max(SETS - SET_FROM[MOST_DICE], len(every), 4 * len(starts)) + 1,
        solo=solo,
        side=side,
        low=low,
        starts=len(starts),
        square_moves=square_moves,
        board=board_at,
        throws=len(sums) ** 2,
        first=first,
        values=np.array(_SOLO_VALUES if solo else _DUEL_VALUES, np.int32),
        squares=squares,
        rolls=(sums[:, None] + side * sums[None, :]).astype(np.int32).ravel(),
        sets=sets,
        halves=halves,
    )


def opening(t: Tables) -> NDArray[np.int32]:
    """The board before the set-up rolls."""
    return t.first.copy()


@inline
def seat_at(seat):
    """Where the words of a seat begin."""
    return SEAT_WORDS_AT + seat * SEAT_WORDS


@inline
def mine(s):
    """Where the words of the seat whose turn it is begin."""
    return seat_at(s[SEAT])


@kernel
def way_after(way, used):
    """The direction after a movement die: a 3 turns left, a 4 right, a 5 as one likes."""
    if used == LEFT_FACE or used == FIVE_LEFT:
        return (way + 3) & 3
    if used == RIGHT_FACE or used == FIVE_RIGHT:
        return (way + 1) & 3
    return way


@inline
def step(t, way):
    """From a place to the next in a direction."""
    if way == UP:
        return -(t.side + 2)
    if way == DOWN:
        return t.side + 2
    return 1 if way == RIGHT else -1


def constants(t: Tables) -> tuple[str, ...]:
    """The numbers of the tables that a program is compiled for: none, one program plays solo and duel."""
    return ()


def capacity(t: Tables) -> dict[str, tuple[int, ...]]:
    """The largest shapes of arrays among the variants that share a program: four players on a board of 16 rows."""
    return {
        "first": (SEAT_WORDS_AT + 4 * SEAT_WORDS + 2 * 18 * 18,),
        "squares": (18 * 18, 5),
        "rolls": (6**6,),
    }
