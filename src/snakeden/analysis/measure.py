"""How much a move gave away, and what that is called.

With several players the measure is the chance to win: what the best move keeps, less what the move played keeps, from 0
to 1. The thresholds are those of Lichess, which marks a chess move from 5, 10 and 15 percentage points on. Alone the
measure is the expected final score, in points.
"""

from __future__ import annotations

from typing import Literal, get_args

Mark = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[Mark, ...] = get_args(Mark)
"""From what gives nothing away to what gives most away."""

CHANCES = {"blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05}
"""With several players: from which loss of the chance to win on a move is called so."""
POINTS = {"blunder": 10.0, "mistake": 5.0, "inaccuracy": 2.5}
"""Alone: from which loss of expected points on."""


def mark_of(given_away: float, *, is_best: bool, alone: bool) -> Mark:
    """The mark of a move that gave this much away; `is_best` is whether nothing better is known."""
    for mark, least in (POINTS if alone else CHANCES).items():
        if given_away >= least:
            return mark  # type: ignore[return-value]
    return "best" if is_best else "good"
