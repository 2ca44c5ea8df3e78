"""Actions as numbers. An action's number is its `Move.code`: fixed by the game and its options, never by the
position; chance outcomes are numbered among them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snakeden.core.errors import IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.state import State


def count(state: State) -> int:
    """How many action numbers the game has under its options."""
    return int(state.variant.tables.actions)


def text(state: State, action: int) -> str:
    """The action's notation."""
    if not 0 <= action < count(state):
        raise IllegalMove(f"there is no action {action}; actions are numbered 0 to {count(state) - 1}")
    text: str = state.variant.game.notation.text(state.variant.tables, int(action))
    return text


def number(state: State, text: str) -> int:
    """The number of the action that a text names, legal in this position or not; raises IllegalMove if it
    names none."""
    code: int = state.variant.game.notation.parse(state.variant.tables, state.array(), text)
    return code


def move(state: State, action: int) -> Move:
    """The legal move of this number; raises IllegalMove with the rule that forbids it."""
    return state.move(Move(int(action), text(state, action)))


def legal(state: State) -> list[int]:
    """The numbers of the legal actions of the seat to move, ascending; empty where there is none."""
    return [] if state.player == CHANCE else state.codes().tolist()


def mask(state: State) -> NDArray[np.int8]:
    """[actions] 1 for each legal action of the seat to move."""
    found = np.zeros(count(state), np.int8)
    found[legal(state)] = 1
    return found
