"""How a position of Schlangennest lies in an array, and the tables its kernels read.

A state is an array of 16-bit words:

| where                        | what                                                                       |
| ---------------------------- | -------------------------------------------------------------------------- |
| SEAT                         | the seat to move, or OVER                                                  |
| PENDING                      | the colours that seat may still move in this turn, a bit each              |
| LEFT, RIGHT, BOTTOM, TOP     | the extent: the columns and rows of the players' straights and curves      |
| snake_at(colour) + SUPPLY_AT | four words: how many cards of each kind the colour has left                |
| ... + ENDS_AT                | four words: square and side of both open ends, -1 and 3 for what is closed |
| ... + PARTS                  | how many parts the snake has                                               |
| ... + STATUS                 | NOT_LAID, OPEN, RING, COMPLETE or STUCK                                    |
| BOARD + square               | FREE, or the card on the square                                            |

Squares are numbered by rows of `stride`, from the lower left. An open end is written as the free square it
reaches and the side of that square it comes in by; as one number, square * 4 + side, or CLOSED. The smaller
of a snake's two ends stands first, so that equal positions are equal arrays.

How far cards can lie. Every card touches another by an edge or a corner, so of the columns between two cards
none is empty, and the same goes for rows. Straights and curves lie in at most as many columns as the nest is
long, and all other cards are heads and tails, two a colour. So with a floating border no card is more than
long + 2 * colours - 1 columns or rows from (0, 0); without a border it is all of the cards, 18 a colour, less
one; and around a fixed nest there is at most the frame and two cards a colour more on each side. The grid
reaches that far, and one square further for the free squares that snakes reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.games.schlangennest import nest_size
from snakeden.games.schlangennest.cards import (
    CARDS,
    FACES,
    SUPPLY,
    card_table,
    fence,
    frame,
)

DTYPE = np.int16

SEAT, PENDING, LEFT, RIGHT, BOTTOM, TOP = 0, 1, 2, 3, 4, 5
SNAKES_AT, SNAKE_WORDS = 6, 10
SUPPLY_AT, ENDS_AT, PARTS, STATUS = 0, 4, 8, 9
BOARD = SNAKES_AT + 4 * SNAKE_WORDS

CLOSED = -1
NOT_LAID, OPEN, RING, COMPLETE, STUCK = 0, 1, 2, 3, 4

FLOATING, NO_BORDER, FENCE, FRAMED = 0, 1, 2, 3
BORDERS = ("floating", "none", "fence", "frame")

# What can be done on a square: lay a card with one of the faces, turn a curve, swap a straight for the tail.
TURN = len(FACES)
SWAP = TURN + 4
DEEDS = SWAP + 4

MOST_TURNS = 2 * SUPPLY[1]
"""More moves than growth (five cards at either end) or swaps (two a straight) can offer a snake."""


class Tables(NamedTuple):
    seats: int
    words: int
    key_words: int
    actions: int
    most_moves: int
    colours: int
    """How many colours are led by players."""
    snakes: int
    """How many of them a player leads; colour c belongs to seat c % seats."""
    per_turn: int
    """Cards a turn."""
    tail_first: bool
    border: int
    long: int
    short: int
    """The sizes of the nest."""
    stride: int
    squares: int
    origin: int
    """The number of square (0, 0)."""
    cards: NDArray[np.int8]
    """[cards, 8] see `cards.card_table`. The only array, because each one makes every call dearer."""


def snake_at(colour: int) -> int:
    """Where a snake's words begin."""
    return SNAKES_AT + SNAKE_WORDS * colour


def tables(options: Mapping[str, Any]) -> Tables:
    """The tables for these options."""
    seats, snakes = options["players"], options["snakes"]
    border = BORDERS.index(options["border"])
    colours = seats * snakes
    long, short = nest_size(dict(options))
    if border in (FENCE, FRAMED):
        around = 1 + 2 * colours
        stride, rows = long + 2 * around + 2, short + 2 * around + 2
        origin = (around + 1) * (stride + 1)
        most_first = long * short
    else:
        far = CARDS * colours - 1 if border == NO_BORDER else long + 2 * colours - 1
        stride = rows = 2 * far + 3
        origin = (far + 1) * (stride + 1)
        # A seat always finds room for its first card, beyond a corner of what lies there: so first cards
        # are laid while there are fewer cards than colours, each with eight neighbours.
        most_first = 8 * (colours - 1)
    squares = stride * rows
    return Tables(
        seats=seats,
        words=BOARD + squares,
        key_words=BOARD + squares,
        actions=(colours if snakes == 2 else 1) * squares * DEEDS,
        most_moves=max(most_first * len(FACES), 2 * MOST_TURNS),
        colours=colours,
        snakes=snakes,
        per_turn=options["cards_per_turn"] if snakes == 2 else 1,
        tail_first=bool(options["tail_first"] or snakes == 2),
        border=border,
        long=long,
        short=short,
        stride=stride,
        squares=squares,
        origin=origin,
        cards=card_table(),
    )


def border_is_fixed(t: Tables, s: NDArray[np.int16]) -> bool:
    """Whether the nest can lie nowhere else any more: from the start, or as straights and curves extend over all
    of it."""
    if t.border == FLOATING:
        size = int(s[RIGHT]) - int(s[LEFT]) + 1, int(s[TOP]) - int(s[BOTTOM]) + 1
        return sorted(size) == [t.short, t.long]
    return t.border in (FENCE, FRAMED)


def opening(t: Tables) -> NDArray[np.int16]:
    """The first position."""
    s = np.zeros(t.words, np.int16)
    s[PENDING] = 1 if t.snakes == 1 else 1 + (1 << t.seats)
    s[[LEFT, RIGHT, BOTTOM, TOP]] = t.stride, -1, t.squares // t.stride, -1
    for colour in range(4):
        at = snake_at(colour)
        s[at + SUPPLY_AT : at + SUPPLY_AT + 4] = SUPPLY if colour < t.colours else 0
        s[at + ENDS_AT : at + ENDS_AT + 4] = -1, 3, -1, 3
    laid = {}
    if t.border == FENCE:
        laid = fence(t.long, t.short, t.colours)
    elif t.border == FRAMED:
        laid = frame(t.long, t.short)
    for (x, y), code in laid.items():
        s[BOARD + t.origin + y * t.stride + x] = code
    return s


def constants(t: Tables) -> tuple[str, ...]:
    """The numbers of the tables that a program is compiled for: none, one program plays all variants."""
    return ()


def capacity(t: Tables) -> dict[str, tuple[int, ...]]:
    """The largest shapes of arrays among the variants that share a program; the only array is always the same."""
    return {}
