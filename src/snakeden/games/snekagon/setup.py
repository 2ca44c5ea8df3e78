"""Handing the turn to any seat, for positions that are set up."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from snakeden.games.snekagon.kernels.layout import DONE, Tables


def give_turn(t: Tables, s: NDArray[Any], seat: int) -> None:
    """Let a seat move. Who could place nothing may have room again, so all are asked anew."""
    s[0] = seat
    for each in range(1, 1 + t.seats):
        s[each] &= ~DONE
