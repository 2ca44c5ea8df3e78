"""What helps a search to play Schlangennest well. Nothing here decides what is legal."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import below
from snakeden.games.schlangennest.cards import FIRST_TAIL
from snakeden.games.schlangennest.kernels import rules
from snakeden.games.schlangennest.kernels.certain import lead_bounds
from snakeden.games.schlangennest.kernels.crowding import count_bits
from snakeden.games.schlangennest.kernels.layout import OPEN, TURN
from snakeden.games.schlangennest.kernels.moves import choice
from snakeden.games.schlangennest.kernels.strands import laid, look, parts_of, status

__all__ = ["lead_bounds", "playout_move", "priors"]

_BODY = (1 << FIRST_TAIL) - 1
"""Straights and curves, a bit each face."""
_PLAIN, _A_PART = 0.4, 0.08
"""The rating of a straight or curve that gains nothing, and what each part gained adds."""
_ENDING = 0.15
"""The rating of a head or tail: it leaves the snake one end less to grow at."""
_OTHER = 0.5
"""The rating of turns and swaps."""


@kernel
def playout_move(t, s, rng):
    """Draw a move: heads and tails, which end a snake, only where no other card fits."""
    colours = choice(t, s)
    if colours:
        rng, n = below(rng, count_bits(colours))
        colour = rules.nth_bit(colours, n)
        if status(s, colour) == OPEN:
            rng, move = rules.draw_growth(t, s, colour, _BODY, rng)
            if move >= 0:
                return rng, move
    return rules.sample(t, s, rng)


@inline
def gain(t, s, colour, square, face):
    """How many more parts this card gives to the snakes of its owner than to those of others."""
    change = laid(t, look(t, s, square), square, colour, face)
    found = np.int64(0)
    for i in range(3):
        if change.colours[i] >= 0:
            more = change.parts[i] - parts_of(s, change.colours[i])
            found += more if change.colours[i] % t.seats == colour % t.seats else -more
    return found


@kernel
def priors(t, s, moves, count, out):
    """How promising each move looks, from 0 to 1."""
    for k in range(count):
        colour, square, deed = rules.split(t, s, np.int64(moves[k]))
        rating = _OTHER
        if deed < FIRST_TAIL:
            rating = _PLAIN + _A_PART * gain(t, s, colour, square, deed)
        elif deed < TURN:
            rating = _ENDING
        out[k] = np.float32(min(1.0, max(0.0, rating)))
