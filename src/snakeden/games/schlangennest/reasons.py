"""What a move of Schlangennest does, in a player's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from snakeden.games.schlangennest.kernels.layout import (
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
from snakeden.words import Message, Player

if TYPE_CHECKING:
    from snakeden.core.game import Variant
    from snakeden.core.moves import Move
    from snakeden.core.state import State

THEMES = {
    "completes": "finish",
    "closes": "finish",
    "opens": "open",
    "begins": "begin",
    "lengthens": "grow",
    "others": "others",
    "your_other": "others",
    "no_card": "block",
    "only_ends": "block",
    "border": "border",
}
"""What puzzles are sorted by: the theme of each reason, by how its key begins."""

_GROWTH = {"S", "C", "turn", "swap"}
"""What does not end a snake."""


def theme_name(theme: str) -> Message:
    """What a theme is called."""
    return Message(f"schlangennest.theme.{theme}")


def reasons(state: State, move: Move) -> tuple[Message, ...]:
    """What a legal move does: to the player's own snake first, then to the others'."""
    t: Tables = state.variant.tables
    seat = state.player
    assert seat is not None
    old, new = state.array(), state.play(move).array()
    moved = move.code // DEEDS // t.squares if t.snakes == 2 else seat
    reasons = _own(old, new, moved)
    for ahead in range(1, t.colours):
        colour = (moved + ahead) % t.colours
        reasons += _other(old, new, colour, None if colour % t.seats == seat else Player(colour % t.seats))
    for ahead in range(1, t.seats):
        other = (seat + ahead) % t.seats
        reasons += _against(state.variant, old, new, other)
    if not border_is_fixed(t, old) and border_is_fixed(t, new):
        reasons.append(Message("schlangennest.reason.border", long=t.long, short=t.short))
    return tuple(reasons)


def _snake(array: NDArray[Any], colour: int) -> tuple[int, int]:
    """(parts, status) of a snake."""
    at = snake_at(colour)
    return int(array[at + PARTS]), int(array[at + STATUS])


def _own(old: NDArray[Any], new: NDArray[Any], colour: int) -> list[Message]:
    (before, was), (parts, status) = _snake(old, colour), _snake(new, colour)
    if status == COMPLETE:
        return [Message("schlangennest.reason.completes", n=parts)]
    if status in (RING, STUCK):
        return [Message("schlangennest.reason.closes", n=parts)]
    if was == RING:
        return [Message("schlangennest.reason.opens", n=parts)]
    if was == NOT_LAID:
        return [Message("schlangennest.reason.begins", n=parts)]
    return [Message("schlangennest.reason.lengthens", by=parts - before, n=parts)]


def _other(old: NDArray[Any], new: NDArray[Any], colour: int, who: Player | None) -> list[Message]:
    """What becomes of a snake that the card does not belong to; `who` leads it, if it is not the player to move."""
    (before, was), (parts, status) = _snake(old, colour), _snake(new, colour)
    if status != was and status == COMPLETE:
        deed = "ends"
    elif status != was and status == RING:
        deed = "closes"
    elif parts > before:
        deed = "lengthens"
    else:
        return []
    if who is None:
        return [Message(f"schlangennest.reason.your_other.{deed}", n=parts)]
    return [Message(f"schlangennest.reason.others.{deed}", who=who, n=parts)]


def _against(variant: Variant, old: NDArray[Any], new: NDArray[Any], seat: int) -> list[Message]:
    """What another player, whose snakes are not all finished, can do no longer."""
    t: Tables = variant.tables
    if all(_snake(new, colour)[1] in (COMPLETE, STUCK) for colour in range(seat, t.colours, t.seats)):
        return []
    could, can = _deeds(variant, old, seat), _deeds(variant, new, seat)
    if could and not can:
        return [Message("schlangennest.reason.no_card", who=Player(seat))]
    if could & _GROWTH and not can & _GROWTH:
        return [Message("schlangennest.reason.only_ends", who=Player(seat))]
    return []


def _deeds(variant: Variant, array: NDArray[Any], seat: int) -> set[str]:
    """The kinds of cards that a seat could lay if it were its turn, and "turn" and "swap"."""
    t, array = variant.tables, array.copy()
    array[SEAT] = seat
    array[PENDING] = sum(1 << colour for colour in range(seat, t.colours, t.seats))
    out = np.empty(t.most_moves, np.int32)
    moves = out[: variant.program.legal(array, out)].tolist()
    return {DEED_NAMES[move % DEEDS][0] for move in moves} if int(array[SEAT]) == seat else set()
