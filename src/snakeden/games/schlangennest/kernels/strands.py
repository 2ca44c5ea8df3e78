"""Strands: what meets a square, and what becomes of it when a card is laid there or turned.

A snake's ends and its number of parts are kept in the state. A neutral strand is nowhere written down: it is
short, and is walked along where it matters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snakeden.core.kernel import inline, noinline
from snakeden.games.schlangennest.cards import BLANK, COLOURED, ENDS, FACES, FREE, GRAY, GRAY_2, OWN
from snakeden.games.schlangennest.kernels.layout import (
    BOARD,
    CLOSED,
    ENDS_AT,
    PARTS,
    SNAKE_WORDS,
    SNAKES_AT,
    STATUS,
)

NEUTRAL, CLASH = -1, -2
"""Colours of a strand without and with more than one colour."""
LOOP = -2
"""An end that is none: the strand comes back to where it began."""

_FACES = len(FACES)
_EXIT = COLOURED - 1


class Around(NamedTuple):
    """The strands that meet the four sides of a free square; beside a free square stands an empty strand,
    whose far end is there."""

    colours: tuple[int, int, int, int]
    far: tuple[int, int, int, int]
    """Their other ends; one on this very square where a strand meets it twice."""
    parts: tuple[int, int, int, int]


class Change(NamedTuple):
    """Up to three strands as they are after a move. The first is the mover's."""

    colours: tuple[int, int, int]
    """NEUTRAL also for strands there are not."""
    one: tuple[int, int, int]
    other: tuple[int, int, int]
    """Their ends; LOOP for a ring's first one."""
    parts: tuple[int, int, int]


# ---- reading the state


@inline
def snake(colour):
    return np.int64(SNAKES_AT + SNAKE_WORDS * colour)


@inline
def supply(s, colour, kind):
    return np.int64(s[snake(colour) + kind])


@inline
def status(s, colour):
    return np.int64(s[snake(colour) + STATUS])


@inline
def parts_of(s, colour):
    return np.int64(s[snake(colour) + PARTS])


@inline
def end_of(s, colour, which):
    """The snake's first (0) or second (1) end as a number, or CLOSED."""
    at = snake(colour) + ENDS_AT + 2 * which
    return np.int64(s[at]) * 4 + np.int64(s[at + 1])


@inline
def on_board(s, square):
    return np.int64(s[BOARD + square])


@inline
def colour_of(card):
    """The colour of a card that is no frame card."""
    return (card - 1) // _FACES


@inline
def beside(t, square, side):
    """The square on this side."""
    along = t.stride if side & 1 == 0 else 1
    return square + along if side < 2 else square - along


# ---- walking


@inline
def mix(a, b):
    """The colour of two strands that are joined."""
    if a == b or b == NEUTRAL:
        return a
    if a == NEUTRAL:
        return b
    return np.int64(CLASH)


@inline
def follow(t, s, square, side):
    """Leave a square by a side and go along the strand to its end: (colour met, end, parts passed).
    The end is LOOP if the way leads back to a card on this square."""
    start = square
    colour, parts = np.int64(NEUTRAL), np.int64(0)
    while True:
        square = beside(t, square, side)
        card = on_board(s, square)
        if card == FREE:
            return colour, square * 4 + (side ^ 2), parts
        if square == start:
            return colour, np.int64(LOOP), parts
        part = np.int64(t.cards[card, side ^ 2])
        side = part & _EXIT
        if side == BLANK:
            return colour, np.int64(CLOSED), parts
        parts += 1
        if part & COLOURED:
            colour = mix(colour, colour_of(card))
        if side == ENDS:
            return colour, np.int64(CLOSED), parts


@noinline
def meeting(t, s, square, side):
    """The strand that meets a free square on this side: (colour, its other end, parts)."""
    if on_board(s, beside(t, square, side)) != FREE:
        end = square * 4 + side
        for colour in range(t.colours):
            if end_of(s, colour, 0) == end:
                return np.int64(colour), end_of(s, colour, 1), parts_of(s, colour)
            if end_of(s, colour, 1) == end:
                return np.int64(colour), end_of(s, colour, 0), parts_of(s, colour)
    return follow(t, s, square, side)


@inline
def look(t, s, square):
    """What meets a free square."""
    c0, f0, p0 = meeting(t, s, square, np.int64(0))
    c1, f1, p1 = meeting(t, s, square, np.int64(1))
    c2, f2, p2 = meeting(t, s, square, np.int64(2))
    c3, f3, p3 = meeting(t, s, square, np.int64(3))
    return Around((c0, c1, c2, c3), (f0, f1, f2, f3), (p0, p1, p2, p3))


# ---- laying and turning


@inline
def outward(t, around, square, card, side, home):
    """Go out of a card by a side, through strands and the card's own parts, until the strand ends: (colour,
    end, parts, the card's sides on the way as bits). The end is LOOP if the way comes in again by the side
    `home`."""
    colour, parts, sides = np.int64(NEUTRAL), np.int64(0), np.int64(0)
    while True:
        colour = mix(colour, around.colours[side])
        parts += around.parts[side]
        end = around.far[side]
        if end >> 2 != square:
            return colour, end, parts, sides
        side = end & 3
        sides |= 1 << side
        if side == home:
            return colour, np.int64(LOOP), parts, sides
        part = np.int64(t.cards[card, side])
        parts += 1
        if part & COLOURED:
            colour = mix(colour, colour_of(card))
        side = part & _EXIT
        if side == ENDS:
            return colour, np.int64(CLOSED), parts, sides
        sides |= 1 << side


@inline
def through(t, around, square, card, side):
    """The strand that holds the card's part on this side, once the card lies: (colour, one end, other end,
    parts, the card's sides it touches as bits)."""
    part = np.int64(t.cards[card, side])
    back = part & _EXIT
    colour, one, parts, sides = outward(t, around, square, card, side, back)
    if part & COLOURED:
        colour = mix(colour, colour_of(card))
    sides |= 1 << side
    if back == ENDS or one == LOOP:
        return colour, one, np.int64(CLOSED), parts + 1, sides
    more, other, parts_behind, sides_behind = outward(t, around, square, card, back, side)
    return mix(colour, more), one, other, parts + 1 + parts_behind, sides | sides_behind | (1 << back)


@inline
def laid(t, around, square, colour, face):
    """The strands through a card of this colour, once it lies on the square."""
    card = np.int64(1 + colour * _FACES + face)
    none = np.int64(NEUTRAL)
    c0, a0, b0, p0, seen = through(t, around, square, card, np.int64(t.cards[card, OWN]))
    c1, a1, b1, p1 = none, none, none, none
    c2, a2, b2, p2 = none, none, none, none
    gray = np.int64(t.cards[card, GRAY])
    if (seen >> gray) & 1 == 0:
        c1, a1, b1, p1, more = through(t, around, square, card, gray)
        seen |= more
    gray = np.int64(t.cards[card, GRAY_2])
    if gray >= 0 and (seen >> gray) & 1 == 0:
        c2, a2, b2, p2, more = through(t, around, square, card, gray)
    return Change((c0, c1, c2), (a0, a1, a2), (b0, b1, b2), (p0, p1, p2))


@noinline
def turned(t, s, square, colour):
    """The mover's ring after one of its curves, on this square, was turned by 90°, whichever way: both ends
    of the ring then go on into the strand of the card's gray part. Its first end is LOOP if that strand is a
    ring or the mover's own."""
    card = on_board(s, square)
    gray = np.int64(t.cards[card, GRAY])
    none = np.int64(NEUTRAL)
    met, one, parts = follow(t, s, square, gray)
    also, other, more = follow(t, s, square, np.int64(t.cards[card, gray]) & _EXIT)
    met = mix(colour, mix(met, also))
    parts += more + 1 + parts_of(s, colour)
    return Change((met, none, none), (one, none, none), (other, none, none), (parts, none, none))
