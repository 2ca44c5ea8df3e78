"""What a move of Schlangennest does, in a player's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from snakeden.games.schlangennest import rules
from snakeden.games.schlangennest.layout import (
    COMPLETE,
    DEEDS,
    NOT_LAID,
    PARTS,
    PENDING,
    RING,
    SEAT,
    STATUS,
    STUCK,
    Tables,
    border_is_fixed,
    snake_at,
)
from snakeden.games.schlangennest.notation import DEED_NAMES

if TYPE_CHECKING:
    from snakeden.core.moves import Move
    from snakeden.core.state import State

_GROWTH = {"S", "C", "turn", "swap"}
"""What does not end a snake."""


def reasons(state: State, move: Move, names: tuple[str, ...]) -> tuple[str, ...]:
    """What a legal move does: to the player's own snake first, then to the others'."""
    t: Tables = state.variant.tables
    seat = state.player
    assert seat is not None
    old, new = state.array(), state.play(move).array()
    moved = move.code // DEEDS // t.squares if t.snakes == 2 else seat
    told = _own(old, new, moved)
    for ahead in range(1, t.colours):
        colour = (moved + ahead) % t.colours
        whose = "your other" if colour % t.seats == seat else f"{names[colour % t.seats]}'s"
        told += _other(old, new, colour, whose)
    for ahead in range(1, t.seats):
        other = (seat + ahead) % t.seats
        told += _against(t, old, new, other, names[other])
    if not border_is_fixed(t, old) and border_is_fixed(t, new):
        told.append(f"fixes the border of the nest: {t.long} by {t.short}")
    return tuple(told)


def _snake(array: NDArray[Any], colour: int) -> tuple[int, int]:
    """(parts, status) of a snake."""
    at = snake_at(colour)
    return int(array[at + PARTS]), int(array[at + STATUS])


def _parts(count: int) -> str:
    return f"{count} part{'' if count == 1 else 's'}"


def _own(old: NDArray[Any], new: NDArray[Any], colour: int) -> list[str]:
    (before, was), (parts, status) = _snake(old, colour), _snake(new, colour)
    if status == COMPLETE:
        return [f"completes your snake: {_parts(parts)}"]
    if status in (RING, STUCK):
        return [f"closes your snake into a ring of {_parts(parts)}"]
    if was == RING:
        return [f"opens your ring: {_parts(parts)}"]
    if was == NOT_LAID:
        return [f"begins your snake with {_parts(parts)}"]
    return [f"lengthens your snake by {parts - before} to {_parts(parts)}"]


def _other(old: NDArray[Any], new: NDArray[Any], colour: int, whose: str) -> list[str]:
    """What becomes of a snake that the card does not belong to."""
    (before, was), (parts, status) = _snake(old, colour), _snake(new, colour)
    if status != was and status == COMPLETE:
        return [f"ends {whose} snake at {_parts(parts)}"]
    if status != was and status == RING:
        return [f"closes {whose} snake into a ring of {_parts(parts)}"]
    if parts > before:
        return [f"lengthens {whose} snake as well, to {_parts(parts)}"]
    return []


def _against(t: Tables, old: NDArray[Any], new: NDArray[Any], seat: int, name: str) -> list[str]:
    """What another player, whose snakes are not all finished, can do no longer."""
    if all(_snake(new, colour)[1] in (COMPLETE, STUCK) for colour in range(seat, t.colours, t.seats)):
        return []
    could, can = _deeds(t, old, seat), _deeds(t, new, seat)
    if could and not can:
        return [f"leaves {name} no card to lay"]
    if could & _GROWTH and not can & _GROWTH:
        return [f"leaves {name} nothing but head or tail to lay"]
    return []


def _deeds(t: Tables, array: NDArray[Any], seat: int) -> set[str]:
    """The kinds of cards that a seat could lay if it were its turn, and "turn" and "swap"."""
    array = array.copy()
    array[SEAT] = seat
    array[PENDING] = sum(1 << colour for colour in range(seat, t.colours, t.seats))
    out = np.empty(t.most_moves, np.int32)
    moves = out[: rules.legal(t, array, out)].tolist()
    return {DEED_NAMES[move % DEEDS][0] for move in moves} if int(array[SEAT]) == seat else set()
