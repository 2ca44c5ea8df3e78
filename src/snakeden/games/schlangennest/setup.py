"""Handing the turn to any seat, for positions that are set up."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from snakeden.games.schlangennest.kernels import rules
from snakeden.games.schlangennest.kernels.layout import NOT_LAID, Tables
from snakeden.games.schlangennest.kernels.strands import status


def give_turn(t: Tables, s: NDArray[Any], seat: int) -> None:
    """Let a seat move; but while a snake has nothing on the table, a seat that leads such a one. First cards come first
    in every game, and `Tables.most_moves` counts on it: there are few places for them then."""
    bare = {colour % t.seats for colour in range(t.colours) if status(s, colour) == NOT_LAID}
    rules.give_turn(t, s, seat if not bare or seat in bare else min(bare))
