"""The rules of Schlangennest: what may be laid, turned and swapped, whose turn it is, and the end.

A move's number is (colour * squares + square) * DEEDS + deed, where the colour is 0 unless players lead two
snakes. The deed is the face of the card laid (0 to 13), TURN + the way the curve lies then, or SWAP + the
side that the coloured tail touches."""

from __future__ import annotations

import numpy as np

from snakeden.core.game import OVER
from snakeden.core.kernel import inner, kernel, routine
from snakeden.core.rng import below
from snakeden.games.schlangennest.cards import (
    COLOURED,
    CURVE,
    FACES,
    FIRST_CURVE,
    FIRST_TAIL,
    FREE,
    KIND,
    STRAIGHT,
    TAIL,
)
from snakeden.games.schlangennest.crowding import crowding
from snakeden.games.schlangennest.layout import BOARD as BOARD
from snakeden.games.schlangennest.layout import (
    BOTTOM,
    COMPLETE,
    DEEDS,
    ENDS_AT,
    FENCE,
    FLOATING,
    FRAMED,
    LEFT,
    NO_BORDER,
    NOT_LAID,
    OPEN,
    PARTS,
    PENDING,
    RIGHT,
    RING,
    SEAT,
    STATUS,
    STUCK,
    SUPPLY_AT,
    SWAP,
    TOP,
    TURN,
)
from snakeden.games.schlangennest.layout import DTYPE as DTYPE
from snakeden.games.schlangennest.layout import Tables as Tables
from snakeden.games.schlangennest.layout import opening as opening
from snakeden.games.schlangennest.layout import tables as tables
from snakeden.games.schlangennest.strands import (
    LOOP,
    colour_of,
    end_of,
    laid,
    look,
    on_board,
    parts_of,
    snake,
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

# Random first cards tried before all are counted.
TRIES = 16


@inner
def number(t, colour, square, deed):
    return ((colour if t.snakes == 2 else 0) * t.squares + square) * DEEDS + deed


@inner
def split(t, s, move):
    """A move's colour, square and deed."""
    place = move // DEEDS
    colour = np.int64(s[SEAT])
    if t.snakes == 2:
        colour = place // t.squares
        place -= colour * t.squares
    return colour, place, move % DEEDS


# ---- laying a card


@inner
def in_grid(t, square):
    """Whether a card could come to lie on this square; the grid's outermost squares are never more than
    reached."""
    x, y = square % t.stride, square // t.stride
    return x > 0 and x < t.stride - 1 and y > 0 and y < t.squares // t.stride - 1


@inner
def inside(t, square):
    """Whether a square is inside the fixed nest."""
    x = square % t.stride - t.origin % t.stride
    y = square // t.stride - t.origin // t.stride
    return x >= 0 and x < t.long and y >= 0 and y < t.short


@inner
def extent_with(t, s, square):
    """How wide and high the extent is with a straight or curve on this square."""
    x, y = square % t.stride, square // t.stride
    wide = max(np.int64(s[RIGHT]), x) - min(np.int64(s[LEFT]), x) + 1
    high = max(np.int64(s[TOP]), y) - min(np.int64(s[BOTTOM]), y) + 1
    return wide, high


@inner
def touches(t, s, square):
    """Whether a card lies next to this square, by an edge or a corner."""
    for row in (square - t.stride, square, square + t.stride):
        for near in (row - 1, row, row + 1):
            if on_board(s, near) != FREE:
                return True
    return False


@inner
def cards_laid(t, s):
    """How many cards the players have laid; one too many for a swap."""
    left = np.int64(0)
    for colour in range(t.colours):
        for kind in range(4):
            left += supply(s, colour, kind)
    return 18 * t.colours - left


@inner
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


@inner
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


@routine
def fits(t, s, colour, square, face, around):
    """Whether a card may lie on this free square, if it has business there."""
    if room_fault(t, s, square, np.int64(t.cards[1 + face, KIND]))[0]:
        return False
    return strand_fault(t, s, colour, square, face, around)[0] == 0


@inner
def first_faces(t):
    """The first and last face that a first card may show."""
    return (FIRST_TAIL, FIRST_TAIL + 3) if t.tail_first else (0, _FACES - 1)


@inner
def first_place(t, s, square, count):
    """Whether a first card may lie on this square, as far as place goes; `count` cards were laid before."""
    if on_board(s, square) != FREE:
        return False
    if t.border == FENCE or t.border == FRAMED:
        return inside(t, square) and ((count == 0 and t.border == FRAMED) or touches(t, s, square))
    return square == t.origin if count == 0 else touches(t, s, square)


@inner
def first_area(t, count):
    """The square at the lower left of all places for first cards, and how many columns and rows they are.
    Where there is no fixed nest no card lies further from the origin than there are cards."""
    if t.border == FENCE or t.border == FRAMED:
        return np.int64(t.origin), np.int64(t.long), np.int64(t.short)
    return t.origin - count * (t.stride + 1), 2 * count + 1, 2 * count + 1


# ---- the moves of one snake, in ascending order


@inner
def next_first(t, s, colour, after):
    """The snake's first card that comes next after this move, or -1."""
    count = cards_laid(t, s)
    low, columns, rows = first_area(t, count)
    first, last = first_faces(t)
    _, begin, deed = split(t, s, after) if after >= 0 else (np.int64(0), np.int64(0), np.int64(-1))
    for y in range(rows):
        for square in range(low + y * t.stride, low + y * t.stride + columns):
            if square >= begin and first_place(t, s, square, count):
                around = look(t, s, square)
                for face in range(max(first, deed + 1) if square == begin else first, last + 1):
                    if fits(t, s, colour, square, np.int64(face), around):
                        return number(t, colour, square, face)
    return np.int64(-1)


@inner
def next_growth(t, s, colour, after):
    """The card at an open end that comes next after this move, or -1."""
    _, begin, deed = split(t, s, after) if after >= 0 else (np.int64(0), np.int64(-1), np.int64(-1))
    one, other = end_of(s, colour, 0), end_of(s, colour, 1)
    for which in range(2):
        end = one if which == 0 else other
        square = end >> 2
        if end < 0 or square < begin or (which == 1 and one >> 2 == square):
            continue
        around = look(t, s, square)
        for face in range(deed + 1 if square == begin else 0, _FACES):
            card = 1 + face
            meets = t.cards[card, end & 3] & COLOURED
            if other >> 2 == square:
                meets |= t.cards[card, other & 3] & COLOURED
            if meets and supply(s, colour, t.cards[1 + face, KIND]) > 0:
                if fits(t, s, colour, square, np.int64(face), around):
                    return number(t, colour, square, face)
    return np.int64(-1)


@inner
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


@inner
def next_own_card(t, s, colour, kind, begin):
    """The first square from `begin` on with a card of this colour and kind, or -1."""
    for y in range(s[BOTTOM], s[TOP] + 1):
        for square in range(y * t.stride + s[LEFT], y * t.stride + s[RIGHT] + 1):
            if square >= begin:
                card = on_board(s, square)
                if card != FREE and colour_of(card) == colour and t.cards[card, KIND] == kind:
                    return np.int64(square)
    return np.int64(-1)


@inner
def next_turn(t, s, colour, begin, deed):
    """The way to open the ring by a turn that comes next after `deed` on square `begin`, or -1."""
    square = next_own_card(t, s, colour, np.int64(CURVE), begin)
    while square >= 0:
        if turn_fault(t, s, colour, square)[0] == 0:
            way = (on_board(s, square) - 1) % _FACES - FIRST_CURVE
            one, other = TURN + min((way + 1) & 3, (way + 3) & 3), TURN + max((way + 1) & 3, (way + 3) & 3)
            if square > begin or deed < one:
                return number(t, colour, square, one)
            if deed < other:
                return number(t, colour, square, other)
        square = next_own_card(t, s, colour, np.int64(CURVE), square + 1)
    return np.int64(-1)


@inner
def next_swap(t, s, colour, begin, deed):
    """The way to open the ring by a swap that comes next after `deed` on square `begin`, or -1. A swap joins
    nothing and crowds nothing: it only closes."""
    if supply(s, colour, TAIL) == 0:
        return np.int64(-1)
    square = next_own_card(t, s, colour, np.int64(STRAIGHT), begin)
    while square >= 0:
        one = SWAP + 1 - (on_board(s, square) - 1) % _FACES  # face 0 lies EW, face 1 NS
        if square > begin or deed < one:
            return number(t, colour, square, one)
        if deed < one + 2:
            return number(t, colour, square, one + 2)
        square = next_own_card(t, s, colour, np.int64(STRAIGHT), square + 1)
    return np.int64(-1)


@routine
def next_opening(t, s, colour, after):
    """The way to open the ring that comes next after this move, or -1: turns, or swaps if there is no
    turn."""
    _, begin, deed = split(t, s, after) if after >= 0 else (np.int64(0), np.int64(-1), np.int64(-1))
    move = np.int64(-1)
    if deed < SWAP:
        move = next_turn(t, s, colour, begin, deed)
    if move < 0 and (deed < 0 or deed >= SWAP):
        move = next_swap(t, s, colour, begin, deed)
    return move


@routine
def next_move(t, s, colour, after):
    """The snake's legal move that comes next after this one (-1: its first), or -1."""
    how = status(s, colour)
    if how == OPEN:
        return next_growth(t, s, colour, after)
    if how == NOT_LAID:
        return next_first(t, s, colour, after)
    if how == RING:
        return next_opening(t, s, colour, after)
    return np.int64(-1)


# ---- turns


@inner
def seat_colours(t, seat):
    """The colours a seat leads, a bit each."""
    return np.int64(1) << seat if t.snakes == 1 else np.int64(5) << seat


@inner
def choice(t, s):
    """The colours that may move now, a bit each: those that have nothing on the table go first."""
    pending, bare = np.int64(s[PENDING]), np.int64(0)
    for colour in range(t.colours):
        if status(s, colour) == NOT_LAID:
            bare |= pending & (np.int64(1) << colour)
    return bare if bare else pending


@inner
def can_move(t, s):
    """Whether the seat to move has any legal move."""
    colours = choice(t, s)
    for colour in range(t.colours):
        if (colours >> colour) & 1 and next_move(t, s, np.int64(colour), np.int64(-1)) >= 0:
            return True
    return False


@inner
def give_turn(t, s, seat):
    s[SEAT] = seat
    s[PENDING] = seat_colours(t, seat)


@inner
def finish_rings(t, s):
    """The seat to move has found no way to open its ring: it is finished for good. There are no rings where
    players lead two snakes: all begin with a tail."""
    for colour in range(t.colours):
        if (s[PENDING] >> colour) & 1 and status(s, colour) == RING:
            s[snake(colour) + STATUS] = STUCK


@inner
def pass_over(t, s, passed):
    """The seat to move cannot; `passed` seats before it could not either. The turn goes on, or the game is
    over. A seat whose turn had begun with another card must be asked once more."""
    finish_rings(t, s)
    if passed == t.seats - (1 if t.per_turn == 1 else 0):
        s[SEAT] = OVER
        s[PENDING] = 0
    else:
        give_turn(t, s, (np.int64(s[SEAT]) + 1) % t.seats)


@kernel
def settle(t, s):
    """Pass over seats that cannot move; the game is over if none can."""
    passed = 0
    while s[SEAT] != OVER:
        if can_move(t, s):
            return
        pass_over(t, s, passed)
        passed += 1


# ---- the protocol


@kernel
def turn(t, s):
    """The seat to move, or OVER."""
    return np.int64(s[SEAT])


@kernel
def legal(t, s, out):
    """Settle, write the legal moves in ascending order, return how many."""
    settle(t, s)
    found = 0
    if s[SEAT] != OVER:
        colours = choice(t, s)
        for colour in range(t.colours):
            if (colours >> colour) & 1:
                move = next_move(t, s, np.int64(colour), np.int64(-1))
                while move >= 0:
                    out[found] = move
                    found += 1
                    move = next_move(t, s, np.int64(colour), move)
    return found


@inner
def put_snake(s, colour, one, other, parts):
    """Write down a snake; a ring's first end is LOOP."""
    at = snake(colour)
    s[at + PARTS] = parts
    if one == LOOP:
        s[at + STATUS] = RING
        one = other = np.int64(-1)
    else:
        s[at + STATUS] = OPEN if one >= 0 or other >= 0 else COMPLETE
    low, high = min(one, other), max(one, other)
    s[at + ENDS_AT] = low >> 2
    s[at + ENDS_AT + 1] = low & 3
    s[at + ENDS_AT + 2] = high >> 2
    s[at + ENDS_AT + 3] = high & 3


@inner
def put_change(s, change):
    for i in range(3):
        if change.colours[i] >= 0:
            put_snake(s, change.colours[i], change.one[i], change.other[i], change.parts[i])


@inner
def stretch_extent(s, x, y):
    s[LEFT], s[RIGHT] = min(np.int64(s[LEFT]), x), max(np.int64(s[RIGHT]), x)
    s[BOTTOM], s[TOP] = min(np.int64(s[BOTTOM]), y), max(np.int64(s[TOP]), y)


@inner
def lay(t, s, colour, square, face):
    """Lay a card, unchecked."""
    put_change(s, laid(t, look(t, s, square), square, colour, face))
    kind = np.int64(t.cards[1 + face, KIND])
    s[BOARD + square] = 1 + colour * _FACES + face
    s[snake(colour) + SUPPLY_AT + kind] -= 1
    if kind <= CURVE:
        stretch_extent(s, square % t.stride, square // t.stride)


@inner
def swap(t, s, colour, square, side):
    """Replace a straight by the tail, unchecked: the ring loses a part and gains two. The extent stays what
    it is, because a ring has curves in its outermost columns and rows."""
    s[BOARD + square] = 1 + colour * _FACES + FIRST_TAIL + side
    s[snake(colour) + SUPPLY_AT + TAIL] -= 1
    put_snake(s, colour, np.int64(-1), np.int64(-1), parts_of(s, colour) + 1)


@kernel
def apply(t, s, move):
    """Play a legal move, unchecked, and hand the turn on where it ends."""
    colour, square, deed = split(t, s, np.int64(move))
    seat = np.int64(s[SEAT])
    ends_turn = t.per_turn == 1 or cards_laid(t, s) == 0
    if deed < TURN:
        lay(t, s, colour, square, deed)
    elif deed < SWAP:
        put_change(s, turned(t, s, square, colour))
        s[BOARD + square] = 1 + colour * _FACES + FIRST_CURVE + deed - TURN
    else:
        swap(t, s, colour, square, deed - SWAP)
    s[PENDING] = np.int64(s[PENDING]) & ~(np.int64(1) << colour)
    if ends_turn or s[PENDING] == 0:
        give_turn(t, s, (seat + 1) % t.seats)


@inner
def draw_first(t, s, colour, rng):
    """A first card by trying places and faces at random: (rng, move), -1 if all tries failed."""
    count = cards_laid(t, s)
    low, columns, rows = first_area(t, count)
    first, last = first_faces(t)
    for _ in range(TRIES):
        rng, n = below(rng, columns * rows * (last + 1 - first))
        face, place = np.int64(first + n % (last + 1 - first)), n // (last + 1 - first)
        square = low + place // columns * t.stride + place % columns
        if first_place(t, s, square, count) and fits(t, s, colour, square, face, look(t, s, square)):
            return rng, number(t, colour, square, face)
    return rng, np.int64(-1)


@inner
def draw_any(t, s, rng):
    """Count the legal moves of the seat to move and draw one: (rng, move), -1 if there is none."""
    colours = choice(t, s)
    count, chosen = np.int64(0), np.int64(-1)
    for again in range(2):
        for colour in range(t.colours):
            if (colours >> colour) & 1:
                move = next_move(t, s, np.int64(colour), np.int64(-1))
                while move >= 0:
                    if again and chosen == 0:
                        return rng, move
                    if again:
                        chosen -= 1
                    else:
                        count += 1
                    move = next_move(t, s, np.int64(colour), move)
        if count == 0:
            return rng, np.int64(-1)
        if not again:
            rng, chosen = below(rng, count)
    return rng, np.int64(-1)


@inner
def growing(side, slot):
    """The five faces whose coloured part touches this side: a straight, two curves, the tail and the head."""
    if slot == 0:
        return 1 - (side & 1)
    if slot < 3:
        return FIRST_CURVE + ((side + 3 * (slot - 1)) & 3)
    return FIRST_TAIL + 4 * (slot - 3) + side


@inner
def draw_growth(t, s, colour, rng):
    """Try the cards at the open ends in random order: (rng, move), -1 if none is legal."""
    one, other = end_of(s, colour, 0), end_of(s, colour, 1)
    untried, tries = np.int64(0), np.int64(0)
    for slot in range(10):
        end = one if slot < 5 else other
        if end >= 0:
            face = growing(end & 3, slot % 5)
            if supply(s, colour, t.cards[1 + face, KIND]) > 0:
                # A card that meets both ends on one square is tried for the first of them only.
                twice = slot >= 5 and one >> 2 == end >> 2 and t.cards[1 + face, one & 3] & COLOURED
                if not twice:
                    untried |= 1 << slot
                    tries += 1
    while tries > 0:
        rng, n = below(rng, tries)
        slot = np.int64(0)
        while n > 0 or (untried >> slot) & 1 == 0:
            n -= (untried >> slot) & 1
            slot += 1
        end = one if slot < 5 else other
        face, square = np.int64(growing(end & 3, slot % 5)), end >> 2
        if fits(t, s, colour, square, face, look(t, s, square)):
            return rng, number(t, colour, square, face)
        untried &= ~(1 << slot)
        tries -= 1
    return rng, np.int64(-1)


@inner
def draw(t, s, rng):
    """A legal move of the seat to move, uniformly: (rng, move), -1 if there is none."""
    if t.snakes == 1:
        colour = np.int64(s[SEAT])
        how = status(s, colour)
        if how == OPEN:
            return draw_growth(t, s, colour, rng)
        if how == COMPLETE or how == STUCK:
            return rng, np.int64(-1)
        if how == NOT_LAID:
            rng, move = draw_first(t, s, colour, rng)
            if move >= 0:
                return rng, move
    return draw_any(t, s, rng)


@kernel
def sample(t, s, rng):
    """Settle and draw a legal move, each with the same probability."""
    passed = 0
    while s[SEAT] != OVER:
        rng, move = draw(t, s, rng)
        if move >= 0:
            return rng, move
        pass_over(t, s, passed)
        passed += 1
    return rng, np.int64(-1)


@kernel
def weight(t, s, move):
    """There is no chance in this game."""
    return 1.0


@kernel
def scores(t, s, out):
    """The parts of each seat's snakes."""
    for seat in range(t.seats):
        out[seat] = 0
    for colour in range(t.colours):
        out[colour % t.seats] += parts_of(s, colour)


# ---- why not


@inner
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


@inner
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
        meets = 0
        for which in range(2):
            end = end_of(s, colour, which)
            if end >= 0 and end >> 2 == square:
                meets |= t.cards[1 + face, end & 3] & COLOURED
        if not meets:
            return np.int64(NOT_JOINED), square, none
    why, a, b = room_fault(t, s, square, kind)
    if why:
        return why, a, b
    return strand_fault(t, s, colour, square, face, look(t, s, square))


@inner
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
    if next_turn(t, s, colour, np.int64(-1), np.int64(-1)) >= 0:
        return np.int64(TURN_INSTEAD), square, none
    if supply(s, colour, TAIL) == 0:
        return np.int64(NO_CARD_LEFT), np.int64(TAIL), none
    if (deed - SWAP + face) & 1 == 0:
        return np.int64(WRONG_SIDE), square, none
    return none, none, none


@kernel
def fault(t, s, move):
    """(0, 0, 0) if the move is legal, else the first rule it breaks and what it is about."""
    colour, square, deed = split(t, s, np.int64(move))
    why, a, b = snake_fault(t, s, colour, deed)
    if why:
        return why, a, b
    if not in_grid(t, square):
        return np.int64(TOO_FAR), square, np.int64(0)
    if deed < TURN:
        return card_fault(t, s, colour, square, deed)
    return opening_fault(t, s, colour, square, deed)
