"""Positions that are set up: pieces of any seat in any order, and who is to move then.

Every piece is a move that the rules allow its seat, whoever's turn it would be. So the rules can go on from whatever is
set up, and nothing but the rules decides what may lie where. A game takes part if its folder has a `setup.py` with

    give_turn(tables, array, seat)   hands the turn to a seat, in place; the position may be unsettled after it
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from snakeden.core.errors import IllegalMove
from snakeden.core.game import Game
from snakeden.core.state import State
from snakeden.words import Message, Player

_TEXT = re.compile(r"((?:\d=\S+ )*(?:\d=\S+)?); (\d)")
_MOST_PIECES = 200


class Piece(NamedTuple):
    """What was laid, and by whom."""

    seat: int
    move: str


@dataclass(frozen=True)
class Setup:
    """Pieces in an order in which they can be laid, and the seat to move then."""

    pieces: tuple[Piece, ...] = ()
    turn: int = 0

    def __str__(self) -> str:
        return f"{' '.join(f'{seat}={move}' for seat, move in self.pieces)}; {self.turn}"


def read_setup(text: str) -> Setup:
    """What `str` makes of a setup, as in `0=d4 1=a1-b1-c1; 1`; raises IllegalMove."""
    found = _TEXT.fullmatch(text)
    pieces = found[1].split() if found else []
    if found is None or len(pieces) > _MOST_PIECES:
        raise IllegalMove(Message("setup.unreadable", text=repr(text[:40]), most=_MOST_PIECES))
    return Setup(tuple(Piece(int(one[0]), one[2:]) for one in pieces), int(found[2]))


def can_set_up(game: Game) -> bool:
    """Whether positions of this game can be set up."""
    return game.part("setup") is not None


def give_turn(state: State, seat: int) -> State:
    """The same position with this seat to move, or the next that can, as the rules say; raises IllegalMove."""
    part = state.variant.game.part("setup")
    if part is None:
        raise IllegalMove(Message("setup.not_here", game=state.variant.game.name))
    if not 0 <= seat < state.seats:
        raise IllegalMove(Message("setup.no_seat", seat=seat, last=state.seats - 1))
    array = state.array()
    part.give_turn(state.variant.tables, array, seat)
    state.variant.program.settle(array)
    return State(state.variant, array)


def set_up(start: State, setup: Setup) -> State:
    """The position with these pieces on it; raises IllegalMove with the rule that forbids one of them."""
    state = start
    for piece in setup.pieces:
        state = _lay(state, piece)
    return give_turn(state, setup.turn)


def _lay(state: State, piece: Piece) -> State:
    """Lay a piece for its seat."""
    ready = give_turn(state, piece.seat)
    if ready.player != piece.seat:
        raise IllegalMove(Message("setup.cannot_move", who=Player(piece.seat), move=piece.move))
    return ready.play(piece.move)


def setup_of(states: Sequence[State], moves: Sequence[str]) -> Setup:
    """A played position as one that is set up. `states` are the positions before each move, and the last one."""
    pieces = tuple(Piece(state.player or 0, move) for state, move in zip(states, moves, strict=False))
    return Setup(pieces, states[-1].player or 0)


def fitting(start: State, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Those of the pieces that can lie together, in an order in which they can be laid: one that needs another beside
    it waits until that lies."""
    state, waiting = start, list(pieces)
    laid: list[Piece] = []
    while waiting:
        refused = []
        for piece in waiting:
            try:
                state = _lay(state, piece)
                laid.append(piece)
            except IllegalMove:
                refused.append(piece)
        if len(refused) == len(waiting):
            break
        waiting = refused
    return tuple(laid)
