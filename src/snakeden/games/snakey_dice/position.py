"""A position of Snakey Dice for the eye: what a picture, a page or a terminal shows of it, as plain data.

Squares are (column, row), as they are rolled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.state import State
from snakeden.games.snakey_dice.kernels import layout
from snakeden.games.snakey_dice.kernels.layout import Tables
from snakeden.games.snakey_dice.notation import KINDS, TRACKS, WAYS, faces

Square = tuple[int, int]

_HELD = ("empty", "power-up", "blockade", "wall", "trail", "trail", "trail", "trail")


@dataclass(frozen=True)
class Cell:
    """A square and what it holds: `empty`, `power-up`, `blockade` or `trail`, then with its owner."""

    square: Square
    held: str
    seat: int | None
    start: bool
    """Whether a player may begin here, or might have."""


@dataclass(frozen=True)
class Step:
    """A square of a trail: the snake came in looking in one direction and went on looking in another."""

    square: Square
    way_in: str
    way_out: str
    escaped: bool
    """Whether an escape lies between the square before and this one."""


@dataclass(frozen=True)
class Head:
    """Where a snake goes on: the last square of its trail, where it looks, and the square it faces."""

    square: Square
    way: str
    front: Square | None
    """None if it faces the wall."""
    blocked: bool


@dataclass(frozen=True)
class Die:
    face: int
    locked: bool


@dataclass(frozen=True)
class Track:
    """A track of a seat's sheet, and what its levels 0 to 4 allow in a turn."""

    name: str
    level: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Action:
    """A kind of one-time action: how many are left, and how many the special bonus has given."""

    name: str
    left: int
    given: int


def _square(t: Tables, place: int) -> Square:
    width = t.side + 2
    return place % width - 1 + t.low, place // width - 1 + t.low


def _own(state: State, seat: int) -> NDArray[Any]:
    """[SEAT_WORDS] the words of a seat."""
    at = layout.SEAT_WORDS_AT + seat * layout.SEAT_WORDS
    return state.array()[at : at + layout.SEAT_WORDS]


def cells(state: State) -> tuple[Cell, ...]:
    """Every square of the board, row by row."""
    t, s = state.variant.tables, state.array()
    starts = set(t.squares[: t.starts, layout.START_PLACE].tolist())
    found = []
    for place in t.squares[: t.side * t.side, layout.PLACE].tolist():
        held = int(s[t.board + place])
        seat = held - layout.SNAKE if held >= layout.SNAKE else None
        found.append(Cell(_square(t, place), _HELD[held], seat, place in starts))
    return tuple(found)


def trail(state: State, seat: int) -> tuple[Step, ...]:
    """The squares a seat's snake has visited, in order, from its start."""
    t, s = state.variant.tables, state.array()
    own = np.flatnonzero(s[t.board : t.key_words] == layout.SNAKE + seat)
    drawn = s[t.key_words + own]
    steps: list[Step] = []
    for place, how in sorted(zip(own.tolist(), drawn.tolist(), strict=True), key=lambda pair: pair[1]):
        way_in, way_out = WAYS[how >> 2 & 3], WAYS[how & 3]
        column, row = _square(t, place)
        escaped = False
        if steps:
            behind = {"up": (0, 1), "right": (-1, 0), "down": (0, -1), "left": (1, 0)}[way_in]
            escaped = steps[-1].square != (column + behind[0], row + behind[1])
        steps.append(Step((column, row), way_in, way_out, escaped))
    return tuple(steps)


def head(state: State, seat: int) -> Head | None:
    """The head of a seat's snake; None until it has a start."""
    walked = trail(state, seat)
    if not walked:
        return None
    t, own = state.variant.tables, _own(state, seat)
    place = int(own[layout.FRONT])
    on_board = t.squares[place, layout.NUMBER] >= 0
    return Head(
        square=walked[-1].square,
        way=WAYS[own[layout.WAY]],
        front=_square(t, place) if on_board else None,
        blocked=bool(state.array()[t.board + place] > layout.POWER_UP),
    )


def is_out(state: State, seat: int) -> bool:
    """Whether a seat has crashed in a duel."""
    return bool(_own(state, seat)[layout.OUT])


def whose_turn(state: State) -> int:
    """The seat whose turn it is, also while dice decide."""
    return int(state.array()[layout.SEAT])


def dice(state: State) -> tuple[Die, ...]:
    """The dice on the table, less those used, ignored or being thrown; by face, locked ones last."""
    s = state.array()
    locked_from = len(faces(int(s[layout.HAND]))) - (int(s[layout.HAND]) >> 20) + int(s[layout.UNLOCKED])
    return tuple(Die(int(face), i >= locked_from) for i, face in enumerate(faces(int(s[layout.HAND]))))


def dice_to_roll(state: State) -> int:
    """How many snake dice are being thrown."""
    return int(state.array()[layout.DICE_DUE])


def tracks(state: State, seat: int) -> tuple[Track, ...]:
    """The four tracks of a seat's sheet."""
    t, own = state.variant.tables, _own(state, seat)
    return tuple(
        Track(name, int(own[layout.LEVEL + i]), tuple(t.values[i, : layout.TOP + 1].tolist()))
        for i, name in enumerate(TRACKS)
    )


def actions(state: State, seat: int) -> tuple[Action, ...]:
    """The one-time actions of a seat's sheet."""
    t, own = state.variant.tables, _own(state, seat)
    return tuple(
        Action(name, int(own[layout.ACTIONS + i]), int(own[layout.GIVEN + i]))
        for i, name in enumerate(KINDS)
        if not (t.solo and i == layout.REROLL_ONCE)
    )
