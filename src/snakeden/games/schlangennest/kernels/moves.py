"""What a snake can do, square by square: where cards may lie, how rings are opened, and why not."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline, kernel, noinline
from snakeden.games.schlangennest.cards import (
    CARDS,
    CURVE,
    FACES,
    FIRST_CURVE,
    FIRST_TAIL,
    FREE,
    KIND,
    STRAIGHT,
    TAIL,
)
from snakeden.games.schlangennest.kernels.crowding import crowding
from snakeden.games.schlangennest.kernels.layout import (
    BOTTOM,
    COMPLETE,
    FENCE,
    FLOATING,
    FRAMED,
    LEFT,
    NO_BORDER,
    NOT_LAID,
    OPEN,
    PENDING,
    RIGHT,
    RING,
    SEAT,
    STUCK,
    SWAP,
    TOP,
    TURN,
)
from snakeden.games.schlangennest.kernels.strands import (
    colour_of,
    end_of,
    laid,
    look,
    on_board,
    status,
    supply,
    turned,
)

# Why a move is not legal: the first number that `fault` returns. The others are squares, colours or kinds
# of card.
NOT_YOURS, MOVED_ALREADY, OTHER_TAIL_FIRST, SNAKE_DONE, SNAKE_STUCK, RING_FIRST, NO_RING = range(1, 8)
NO_CARD_LEFT, TAIL_FIRST, OCCUPIED, NOT_AT_ORIGIN, TOUCHES_NOTHING, NOT_JOINED = range(8, 14)
OUTSIDE, TOO_WIDE, JOINS = range(14, 17)
NOT_YOUR_CARD, NOT_A_QUARTER, STAYS_CLOSED, TURN_INSTEAD, WRONG_SIDE, TOO_FAR = range(17, 23)
CROWDED = 22
"""CROWDED + which of the three rules, see `crowding.crowding`."""

_FACES = len(FACES)
ALL_FACES = (1 << _FACES) - 1
_TAILS = 15 << FIRST_TAIL


# ---- laying a card


@inline
def in_grid(t, square):
    """Whether a card could come to lie on this square; the grid's outermost squares are never more than
    reached."""
    x, y = square % t.stride, square // t.stride
    return x > 0 and x < t.stride - 1 and y > 0 and y < t.squares // t.stride - 1


@inline
def inside(t, square):
    """Whether a square is inside the fixed nest."""
    x = square % t.stride - t.origin % t.stride
    y = square // t.stride - t.origin // t.stride
    return x >= 0 and x < t.long and y >= 0 and y < t.short


@inline
def extent_with(t, s, square):
    """How wide and high the extent is with a straight or curve on this square."""
    x, y = square % t.stride, square // t.stride
    wide = max(np.int64(s[RIGHT]), x) - min(np.int64(s[LEFT]), x) + 1
    high = max(np.int64(s[TOP]), y) - min(np.int64(s[BOTTOM]), y) + 1
    return wide, high


@inline
def touches(t, s, square):
    """Whether a card lies next to this square, by an edge or a corner."""
    for row in (square - t.stride, square, square + t.stride):
        for near in (row - 1, row, row + 1):
            if on_board(s, near) != FREE:
                return True
    return False


@inline
def cards_laid(t, s):
    """How many cards the players have laid; one too many for a swap."""
    left = np.int64(0)
    for colour in range(t.colours):
        for kind in range(4):
            left += supply(s, colour, kind)
    return CARDS * t.colours - left


@inline
def room_fault(t, s, square, kind):
    """Whether the border leaves room for this kind of card."""
    if kind > CURVE or t.border == NO_BORDER:
        return np.int64(0), np.int64(0), np.int64(0)
    if t.border == FLOATING:
        wide, high = extent_with(t, s, square)
        if (wide > t.long or high > t.short) and (wide > t.short or high > t.long):
            return np.int64(TOO_WIDE), wide, high
    elif not inside(t, square):
        return np.int64(OUTSIDE), square, np.int64(0)
    return np.int64(0), np.int64(0), np.int64(0)


@kernel
def has_room(t, s, square):
    """Whether the border leaves room for a straight or curve on this square."""
    return room_fault(t, s, square, np.int64(CURVE))[0] == 0


@noinline
def strand_fault(t, s, colour, square, face, around):
    """Whether a card would join two colours or crowd a square."""
    change = laid(t, around, square, colour, face)
    for i in range(3):
        if change.colours[i] < -1:
            return np.int64(JOINS), square, np.int64(i)
    rule, a, b = crowding(t, s, change, np.int64(s[SEAT]), np.int64(t.cards[1 + face, KIND]))
    if rule:
        return CROWDED + rule, a, b
    return np.int64(0), np.int64(0), np.int64(0)


@inline
def fits(t, s, colour, square, face, around):
    """Whether a card may lie on this free square, if it has business there."""
    if room_fault(t, s, square, np.int64(t.cards[1 + face, KIND]))[0]:
        return False
    return strand_fault(t, s, colour, square, face, around)[0] == 0


@inline
def first_place(t, s, square, count):
    """Whether a first card may lie on this square, as far as place goes; `count` cards were laid before."""
    if on_board(s, square) != FREE:
        return False
    if t.border == FENCE or t.border == FRAMED:
        return inside(t, square) and ((count == 0 and t.border == FRAMED) or touches(t, s, square))
    return square == t.origin if count == 0 else touches(t, s, square)


@inline
def first_area(t, count):
    """The square at the lower left of all places for first cards, and how many columns and rows they are.
    Where there is no fixed nest no card lies further from the origin than there are cards."""
    if t.border == FENCE or t.border == FRAMED:
        return np.int64(t.origin), np.int64(t.long), np.int64(t.short)
    return t.origin - count * (t.stride + 1), 2 * count + 1, 2 * count + 1


@inline
def growing_faces(side):
    """The faces whose coloured part touches this side, a bit each: a straight, two curves, a tail and a
    head."""
    curves = (1 << side) | (1 << ((side + 3) & 3))
    return (2 >> (side & 1)) | (curves << FIRST_CURVE) | (17 << (FIRST_TAIL + side))


@inline
def end_faces(s, colour, square):
    """The faces that meet an open end of the snake on this square, a bit each."""
    faces = 0
    for which in range(2):
        end = end_of(s, colour, which)
        if end >= 0 and end >> 2 == square:
            faces |= growing_faces(end & 3)
    return faces


@inline
def faces_on(t, s, colour, square, faces):
    """Which of these faces, a bit each, the snake's cards may show on this free square."""
    around = look(t, s, square)
    fitting = np.int64(0)
    for face in range(_FACES):
        if (faces >> face) & 1 and supply(s, colour, t.cards[1 + face, KIND]) > 0:
            if fits(t, s, colour, square, np.int64(face), around):
                fitting |= 1 << face
    return fitting


# ---- opening a ring


@inline
def turn_fault(t, s, colour, square):
    """Whether turning the own curve on this square opens the ring lawfully; it is the same either way."""
    change = turned(t, s, square, colour)
    if change.colours[0] != colour:
        return np.int64(JOINS), square, np.int64(0)
    if change.one[0] < 0 and change.other[0] < 0:
        return np.int64(STAYS_CLOSED), square, np.int64(0)
    rule, a, b = crowding(t, s, change, np.int64(s[SEAT]), np.int64(-1))
    if rule:
        return CROWDED + rule, a, b
    return np.int64(0), np.int64(0), np.int64(0)


@inline
def turns_on(t, s, colour, square):
    """The ways to open the ring by turning the card on this square: deeds, a bit each."""
    card = on_board(s, square)
    if card == FREE or colour_of(card) != colour or t.cards[card, KIND] != CURVE:
        return np.int64(0)
    if turn_fault(t, s, colour, square)[0]:
        return np.int64(0)
    # A curve that lies NE or SW comes to lie SE or NW, and the other way round.
    odd = ((card - 1) % _FACES - FIRST_CURVE) & 1
    return np.int64((5 if odd else 10) << TURN)


@inline
def swaps_on(t, s, colour, square):
    """The ways to open the ring by a swap on this square. A swap joins and crowds nothing: it only closes."""
    card = on_board(s, square)
    if card == FREE or colour_of(card) != colour or t.cards[card, KIND] != STRAIGHT:
        return np.int64(0)
    return np.int64((5 if (card - 1) % _FACES else 10) << SWAP)  # face 0 lies EW, face 1 NS


@inline
def next_opening(t, s, colour, after, swapping):
    """The first square after this one where the ring can be opened by a turn, or by a swap, and the deeds."""
    for y in range(s[BOTTOM], s[TOP] + 1):
        for square in range(y * t.stride + s[LEFT], y * t.stride + s[RIGHT] + 1):
            if square > after:
                deeds = swaps_on(t, s, colour, square) if swapping else turns_on(t, s, colour, square)
                if deeds:
                    return np.int64(square), deeds
    return np.int64(-1), np.int64(0)


@noinline
def has_turn(t, s, colour):
    """Whether the ring can be opened by a turn."""
    return next_opening(t, s, colour, np.int64(-1), False)[1] != 0


# ---- all moves of a snake


@noinline
def next_square(t, s, colour, after):
    """The first square after this one (-1: of all) where the snake has legal moves, and the deeds that are
    legal there, a bit each; (-1, 0) if there is none."""
    how = status(s, colour)
    if how == OPEN:
        for which in range(2):
            square = end_of(s, colour, which) >> 2
            if square > after:
                deeds = faces_on(t, s, colour, square, end_faces(s, colour, square))
                if deeds:
                    return square, deeds
    elif how == NOT_LAID:
        count = cards_laid(t, s)
        low, columns, rows = first_area(t, count)
        for y in range(rows):
            for square in range(low + y * t.stride, low + y * t.stride + columns):
                if square > after and first_place(t, s, square, count):
                    deeds = faces_on(t, s, colour, square, _TAILS if t.tail_first else ALL_FACES)
                    if deeds:
                        return square, deeds
    elif how == RING:
        swapping = not has_turn(t, s, colour)
        if not swapping or supply(s, colour, TAIL) > 0:
            return next_opening(t, s, colour, after, swapping)
    return np.int64(-1), np.int64(0)


@inline
def choice(t, s):
    """The colours that may move now, a bit each: those that have nothing on the table go first."""
    pending, bare = np.int64(s[PENDING]), np.int64(0)
    for colour in range(t.colours):
        if status(s, colour) == NOT_LAID:
            bare |= pending & (np.int64(1) << colour)
    return bare if bare else pending


# ---- why not


@inline
def snake_fault(t, s, colour, deed):
    """Whether this snake may do such a thing now."""
    seat, none = np.int64(s[SEAT]), np.int64(0)
    how = status(s, colour)
    if colour % t.seats != seat:
        return np.int64(NOT_YOURS), colour, none
    if (s[PENDING] >> colour) & 1 == 0:
        return np.int64(MOVED_ALREADY), colour, none
    if (choice(t, s) >> colour) & 1 == 0:
        return np.int64(OTHER_TAIL_FIRST), colour, none
    if how == COMPLETE:
        return np.int64(SNAKE_DONE), colour, none
    if how == STUCK:
        return np.int64(SNAKE_STUCK), colour, none
    if how == RING and deed < TURN:
        return np.int64(RING_FIRST), colour, none
    if how != RING and deed >= TURN:
        return np.int64(NO_RING), colour, none
    return none, none, none


@inline
def card_fault(t, s, colour, square, face):
    """Why this card may not be laid."""
    none, kind = np.int64(0), np.int64(t.cards[1 + face, KIND])
    if supply(s, colour, kind) == 0:
        return np.int64(NO_CARD_LEFT), kind, none
    bare = status(s, colour) == NOT_LAID
    if bare and t.tail_first and kind != TAIL:
        return np.int64(TAIL_FIRST), colour, none
    if on_board(s, square) != FREE:
        return np.int64(OCCUPIED), square, none
    if bare:
        count = cards_laid(t, s)
        if not first_place(t, s, square, count):
            if (t.border == FENCE or t.border == FRAMED) and not inside(t, square):
                return np.int64(OUTSIDE), square, none
            return (
                np.int64(NOT_AT_ORIGIN if count == 0 and t.border != FENCE else TOUCHES_NOTHING),
                square,
                none,
            )
    else:
        if (end_faces(s, colour, square) >> face) & 1 == 0:
            return np.int64(NOT_JOINED), square, none
    why, a, b = room_fault(t, s, square, kind)
    if why:
        return why, a, b
    return strand_fault(t, s, colour, square, face, look(t, s, square))


@inline
def opening_fault(t, s, colour, square, deed):
    """Why the ring may not be opened so."""
    none, card = np.int64(0), on_board(s, square)
    kind = CURVE if deed < SWAP else STRAIGHT
    face = (card - 1) % _FACES
    if card == FREE or colour_of(card) != colour or t.cards[1 + face, KIND] != kind:
        return np.int64(NOT_YOUR_CARD), square, np.int64(kind)
    if deed < SWAP:
        if (deed - TURN - (face - FIRST_CURVE)) & 1 == 0:
            return np.int64(NOT_A_QUARTER), square, none
        return turn_fault(t, s, colour, square)
    if has_turn(t, s, colour):
        return np.int64(TURN_INSTEAD), square, none
    if supply(s, colour, TAIL) == 0:
        return np.int64(NO_CARD_LEFT), np.int64(TAIL), none
    if (deed - SWAP + face) & 1 == 0:
        return np.int64(WRONG_SIDE), square, none
    return none, none, none
