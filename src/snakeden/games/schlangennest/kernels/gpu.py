"""Kernels that a GPU's program has in place of others, with the same results: threads go through the bits of a set
instead of all places where a bit may be, so that they wait less for each other."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ZERO, nth, word_lowest, word_size
from snakeden.core.game import OVER
from snakeden.core.kernel import inline, kernel
from snakeden.games.schlangennest.cards import KIND
from snakeden.games.schlangennest.kernels import crowding, moves, rules
from snakeden.games.schlangennest.kernels.layout import SEAT, Tables
from snakeden.games.schlangennest.kernels.moves import choice, fits, next_square
from snakeden.games.schlangennest.kernels.rules import number, pass_over
from snakeden.games.schlangennest.kernels.strands import look, supply


@inline
def lowest_bit(mask):
    return word_lowest(np.uint64(mask))


@inline
def nth_bit(mask, n):
    return nth((np.uint64(mask), ZERO), n)


@inline
def count_bits(mask):
    return word_size(np.uint64(mask))


@inline
def faces_on(t, s, colour, square, faces):
    around = look(t, s, square)
    fitting = np.int64(0)
    while faces:
        face = lowest_bit(faces)
        faces &= faces - 1
        if supply(s, colour, t.cards[1 + face, KIND]) > 0 and fits(t, s, colour, square, face, around):
            fitting |= np.int64(1) << face
    return fitting


@kernel
def legal(t, s, out):
    passed, found = 0, 0
    while s[SEAT] != OVER:
        colours = choice(t, s)
        for colour in range(t.colours):
            if (colours >> colour) & 1:
                square, deeds = next_square(t, s, np.int64(colour), np.int64(-1))
                while deeds:
                    first = number(t, colour, square, 0)
                    while deeds:
                        out[found] = first + lowest_bit(deeds)
                        deeds &= deeds - 1
                        found += 1
                    square, deeds = next_square(t, s, np.int64(colour), square)
        if found:
            break
        pass_over(t, s, passed)
        passed += 1
    return found


def registers(t: Tables, name: str) -> int | None:
    """Registers a thread, at most: what was quickest on an H200."""
    return 64 if name == "play_games" else None


REPLACED = {
    crowding.count_bits: count_bits,
    rules.lowest_bit: lowest_bit,
    rules.nth_bit: nth_bit,
    moves.faces_on: faces_on,
    rules.legal: legal,
}
