"""Schlangennest as numbers: planes over the whole grid that cards can ever lie on.

A plane's rows go up from the lowest y, its columns right from the lowest x; square (0,0) lies in the middle
of the grid, or at the lower left of a nest in its middle.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import Limits, viewed
from snakeden.core.planes import mark
from snakeden.games.schlangennest.cards import (
    BLANK,
    CARDS,
    COLOURED,
    FRAME,
    FREE,
    HEAD,
    KIND,
    SUPPLY,
    TAIL,
)
from snakeden.games.schlangennest.kernels.layout import FENCE, FRAMED, PENDING, RING, Tables
from snakeden.games.schlangennest.kernels.moves import has_room
from snakeden.games.schlangennest.kernels.strands import colour_of, end_of, on_board, status, supply

# How many planes a colour has for its cards, its open ends, and its supply and standing. The first four of
# cards and ends, and the four of the frame, are one a side: `symmetry` turns them.
CARD_PLANES, END_PLANES, STANDING_PLANES = 6, 4, 6

_SIDE_NAMES = ("upper", "right", "lower", "left")
_KIND_NAMES = ("straights", "curves", "tails", "heads")


def planes(t: Tables) -> tuple[str, ...]:
    """What each plane means."""
    snakes = [
        f"{who}{f', snake {n + 1}' if t.snakes > 1 else ''}"
        for n in range(t.snakes)
        for who in viewed(t.seats)
    ]
    cards = [*snakes, "the fence"] if t.border == FENCE else snakes
    sides = [f"{name} side" for name in _SIDE_NAMES]
    return (
        "squares where the border lets straights and curves lie",
        *(
            f"cards of {who}: {what}"
            for who in cards
            for what in (*(f"the coloured part touches the {side}" for side in sides), "a tail", "a head")
        ),
        *(f"frame cards: a part touches the {side}" for side in sides if t.border == FRAMED),
        *(f"the snake of {who} comes to this free square by its {side}" for who in snakes for side in sides),
        *(
            f"everywhere: {what}: {who}"
            for who in snakes
            for what in (
                *(f"share of {kind} left" for kind in _KIND_NAMES),
                "1 if the snake is a ring",
                "1 if it may still get a card in this turn",
            )
        ),
    )


def constant_planes(t: Tables) -> int:
    """How many planes have one number everywhere."""
    return STANDING_PLANES * t.colours


def grid(t: Tables) -> tuple[int, int]:
    """Rows and columns of a plane."""
    return t.squares // t.stride, t.stride


def limits(t: Tables) -> Limits:
    """Every card is laid once at most, and between two openings of rings a card is laid. A card has two
    parts, or three."""
    return Limits(2 * CARDS * t.colours, 0, 0, 3 * CARDS * t.colours)


def side_planes(t: Tables) -> list[int]:
    """Where planes begin that come in fours, one a side."""
    first = [1 + CARD_PLANES * colour for colour in range(t.colours + (t.border == FENCE))]
    after = 1 + CARD_PLANES * len(first)
    if t.border == FRAMED:
        first.append(after)
        after += 4
    return [*first, *(after + END_PLANES * colour for colour in range(t.colours))]


@inline
def seen_as(t, colour, seat):
    """The number of a colour's snake as a seat counts them, its own first; the fence comes last."""
    if colour >= t.colours:
        return np.int64(t.colours)
    return (colour - seat) % t.seats + colour // t.seats * t.seats


@kernel
def observe(t, s, seat, bits, values):
    """Write the position as the seat sees it."""
    frame = 1 + CARD_PLANES * (t.colours + (1 if t.border == FENCE else 0))
    ends = frame + (4 if t.border == FRAMED else 0)
    # Squares are numbered like the fields of the grid: row by row.
    for square in range(t.squares):
        card = on_board(s, square)
        if has_room(t, s, square):
            mark(bits, 0, square)
        if card >= FRAME:
            for side in range(4):
                if t.cards[card, side] != BLANK:
                    mark(bits, frame + side, square)
        elif card != FREE:
            plane = 1 + CARD_PLANES * seen_as(t, colour_of(card), seat)
            for side in range(4):
                if t.cards[card, side] & COLOURED != 0:
                    mark(bits, plane + side, square)
            kind = t.cards[card, KIND]
            if kind == TAIL:
                mark(bits, plane + 4, square)
            if kind == HEAD:
                mark(bits, plane + 5, square)
    for colour in range(t.colours):
        rank = seen_as(t, np.int64(colour), seat)
        for which in range(2):
            end = end_of(s, colour, which)
            if end >= 0:
                mark(bits, ends + END_PLANES * rank + (end & 3), end >> 2)
    write_values(t, s, seat, values)


@inline
def write_values(t, s, seat, values):
    """Write the numbers of the planes that have one everywhere."""
    for colour in range(t.colours):
        value = STANDING_PLANES * seen_as(t, np.int64(colour), seat)
        for kind in range(4):
            values[value + kind] = np.float32(supply(s, colour, kind) / SUPPLY[kind])
        values[value + 4] = np.float32(status(s, colour) == RING)
        values[value + 5] = np.float32((s[PENDING] >> colour) & 1)
