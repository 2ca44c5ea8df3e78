"""Positions as numbers: planes over the board, for any game; `docs/research.md` lists them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden import programs
from snakeden.core.game import CHANCE, Variant
from snakeden.core.learning import Symmetry, observation
from snakeden.core.learning import symmetries as _symmetries
from snakeden.core.state import State, new_game
from snakeden.programs.observer import Observer, observe_plainly


def planes(game: str, **options: Any) -> tuple[str, ...]:
    """What each plane of the game's observations means."""
    variant = new_game(game, **options).variant
    found: tuple[str, ...] = observation(variant.game).planes(variant.tables)
    return found


def shape(variant: Variant) -> tuple[int, int, int]:
    """(planes, rows, columns)."""
    study = observation(variant.game)
    rows, columns = study.grid(variant.tables)
    return len(study.planes(variant.tables)), rows, columns


def observe(state: State, seat: int | None = None) -> NDArray[np.float32]:
    """[planes, rows, columns] the position as a seat sees it, from 0 to 1; by default the seat to move, and
    seat 0 where no seat is."""
    if seat is None:
        seat = 0 if state.player in (None, CHANCE) else state.player
    elif not 0 <= seat < state.seats:
        raise ValueError(f"there is no seat {seat}; the seats are 0 to {state.seats - 1}")
    variant = state.variant
    if programs.is_compiled(variant, "batch"):
        out = np.empty((1, *shape(variant)), np.float32)
        observer = Observer(variant, programs.compiled(variant, "batch"), 1)
        observer.write(state.array()[None], np.array([seat], np.int8), out, 0, 1)
        seen: NDArray[np.float32] = out[0]
        return seen
    # The same kernel as plain Python, so that nobody waits for the compiler.
    programs.compile_in_background(variant, "batch")
    return observe_plainly(variant, state.array(), seat)


def symmetries(game: str, **options: Any) -> tuple[Symmetry, ...]:
    """Every turn and mirror image of the board under which the game is the same, the identity first."""
    return tuple(_symmetries(new_game(game, **options).variant))
