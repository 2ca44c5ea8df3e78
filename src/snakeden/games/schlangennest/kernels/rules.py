"""The rules of Schlangennest: what may be laid, turned and swapped, whose turn it is, and the end.

A move's number is (colour * squares + square) * DEEDS + deed, where the colour is 0 unless players lead two
snakes. The deed is the face of the card laid (0 to 13), TURN + the way the curve lies then, or SWAP + the
side that the coloured tail touches."""

from __future__ import annotations

import numpy as np

from snakeden.core.game import OVER
from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import below
from snakeden.games.schlangennest.cards import (
    CURVE,
    FACES,
    FIRST_CURVE,
    FIRST_TAIL,
    KIND,
    TAIL,
)
from snakeden.games.schlangennest.kernels.crowding import count_bits
from snakeden.games.schlangennest.kernels.layout import BOARD as BOARD
from snakeden.games.schlangennest.kernels.layout import (
    BOTTOM,
    COMPLETE,
    DEEDS,
    ENDS_AT,
    LEFT,
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
from snakeden.games.schlangennest.kernels.layout import DTYPE as DTYPE
from snakeden.games.schlangennest.kernels.layout import Tables as Tables
from snakeden.games.schlangennest.kernels.layout import opening as opening
from snakeden.games.schlangennest.kernels.layout import tables as tables
from snakeden.games.schlangennest.kernels.moves import (
    ALL_FACES,
    TOO_FAR,
    card_fault,
    cards_laid,
    choice,
    end_faces,
    first_area,
    first_place,
    fits,
    in_grid,
    next_square,
    opening_fault,
    snake_fault,
)
from snakeden.games.schlangennest.kernels.strands import (
    LOOP,
    end_of,
    laid,
    look,
    parts_of,
    snake,
    status,
    supply,
    turned,
)

_FACES = len(FACES)
_SLOTS = 2 * _FACES

# Random first cards tried before all are counted.
TRIES = 16


@inline
def number(t, colour, square, deed):
    return ((colour if t.snakes == 2 else 0) * t.squares + square) * DEEDS + deed


@inline
def split(t, s, move):
    """A move's colour, square and deed."""
    place = move // DEEDS
    colour = np.int64(s[SEAT])
    if t.snakes == 2:
        colour = place // t.squares
        place -= colour * t.squares
    return colour, place, move % DEEDS


# ---- turns


@inline
def seat_colours(t, seat):
    """The colours a seat leads, a bit each."""
    return np.int64(1) << seat if t.snakes == 1 else np.int64(5) << seat


@inline
def can_move(t, s):
    """Whether the seat to move has any legal move."""
    colours = choice(t, s)
    for colour in range(t.colours):
        if (colours >> colour) & 1 and next_square(t, s, np.int64(colour), np.int64(-1))[1] != 0:
            return True
    return False


@inline
def give_turn(t, s, seat):
    s[SEAT] = seat
    s[PENDING] = seat_colours(t, seat)


@inline
def finish_rings(t, s):
    """The seat to move has found no way to open its ring: it is finished for good. There are no rings where
    players lead two snakes: all begin with a tail."""
    for colour in range(t.colours):
        if (s[PENDING] >> colour) & 1 and status(s, colour) == RING:
            s[snake(colour) + STATUS] = STUCK


@inline
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
    passed, found = 0, 0
    while s[SEAT] != OVER:
        colours = choice(t, s)
        for colour in range(t.colours):
            if (colours >> colour) & 1:
                square, deeds = next_square(t, s, np.int64(colour), np.int64(-1))
                while deeds:
                    for deed in range(DEEDS):
                        if (deeds >> deed) & 1:
                            out[found] = number(t, colour, square, deed)
                            found += 1
                    square, deeds = next_square(t, s, np.int64(colour), square)
        if found:
            break
        pass_over(t, s, passed)
        passed += 1
    return found


@inline
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


@inline
def put_change(s, change):
    for i in range(3):
        if change.colours[i] >= 0:
            put_snake(s, change.colours[i], change.one[i], change.other[i], change.parts[i])


@inline
def stretch_extent(s, x, y):
    s[LEFT], s[RIGHT] = min(np.int64(s[LEFT]), x), max(np.int64(s[RIGHT]), x)
    s[BOTTOM], s[TOP] = min(np.int64(s[BOTTOM]), y), max(np.int64(s[TOP]), y)


@inline
def lay(t, s, colour, square, face):
    """Lay a card, unchecked."""
    put_change(s, laid(t, look(t, s, square), square, colour, face))
    kind = np.int64(t.cards[1 + face, KIND])
    s[BOARD + square] = 1 + colour * _FACES + face
    s[snake(colour) + SUPPLY_AT + kind] -= 1
    if kind <= CURVE:
        stretch_extent(s, square % t.stride, square // t.stride)


@inline
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


@inline
def lowest_bit(mask):
    """The number of the lowest bit."""
    n = np.int64(0)
    while (mask >> n) & 1 == 0:
        n += 1
    return n


@inline
def nth_bit(mask, n):
    """The number of the n-th bit from below."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


@inline
def snake_of(t, s, which):
    """The colour of the first or second snake of the seat to move; each has one unless players lead two."""
    return np.int64(s[SEAT]) + which * t.seats


@inline
def draw_first(t, s, colours, rng):
    """A first card of one of these snakes (a bit each) by trying snakes, places and faces at random: (rng, move), -1
    if all tries failed."""
    count = cards_laid(t, s)
    low, columns, rows = first_area(t, count)
    face, faces = (FIRST_TAIL, 4) if t.tail_first else (0, _FACES)
    for _ in range(TRIES):
        rng, n = below(rng, t.snakes * columns * rows * faces)
        place, colour = n // faces, np.int64(s[SEAT])
        if t.snakes == 2:
            colour = snake_of(t, s, place // (columns * rows))
            place %= columns * rows
        square = low + place // columns * t.stride + place % columns
        if (colours >> colour) & 1 and first_place(t, s, square, count):
            if fits(t, s, colour, square, face + n % faces, look(t, s, square)):
                return rng, number(t, colour, square, face + n % faces)
    return rng, np.int64(-1)


@inline
def growth_slots(s, colour, faces):
    """The cards at a snake's open ends, only with these faces (a bit each). The faces at its two ends stand side by
    side as bits; where both are on one square, all are at the first."""
    one, other = end_of(s, colour, 0), end_of(s, colour, 1)
    slots = end_faces(s, colour, one >> 2) & faces if one >= 0 else 0
    if other >= 0 and other >> 2 != one >> 2:
        slots |= (end_faces(s, colour, other >> 2) & faces) << _FACES
    return np.int64(slots)


@inline
def grows(t, s, colour, square, face):
    """Whether this card may be laid at an open end on this square."""
    return supply(s, colour, t.cards[1 + face, KIND]) > 0 and fits(
        t, s, colour, square, face, look(t, s, square)
    )


@inline
def draw_growth(t, s, colour, faces, rng):
    """Try the cards at a snake's open ends in random order, only with these faces (a bit each): (rng, move), -1 if none
    is legal."""
    one, other = end_of(s, colour, 0), end_of(s, colour, 1)
    untried = growth_slots(s, colour, faces)
    tries = count_bits(untried)
    while tries > 0:
        rng, n = below(rng, tries)
        slot = nth_bit(untried, n)
        square = one >> 2 if slot < _FACES else other >> 2
        if grows(t, s, colour, square, slot % _FACES):
            return rng, number(t, colour, square, slot % _FACES)
        untried &= ~(np.int64(1) << slot)
        tries -= 1
    return rng, np.int64(-1)


@inline
def draw_growth_of_two(t, s, colours, rng):
    """As `draw_growth`, of those of a seat's two snakes that are among these (a bit each). The slots of the second
    stand behind those of the first. To look up snake and end for each slot takes a tenth more time, so that one
    snake has a function of its own."""
    untried = np.int64(0)
    for which in range(2):
        colour = snake_of(t, s, which)
        if (colours >> colour) & 1 and status(s, colour) == OPEN:
            untried |= growth_slots(s, colour, ALL_FACES) << (which * _SLOTS)
    tries = count_bits(untried)
    while tries > 0:
        rng, n = below(rng, tries)
        slot = nth_bit(untried, n)
        colour, face = snake_of(t, s, slot // _SLOTS), slot % _FACES
        square = end_of(s, colour, slot % _SLOTS // _FACES) >> 2
        if grows(t, s, colour, square, face):
            return rng, number(t, colour, square, face)
        untried &= ~(np.int64(1) << slot)
        tries -= 1
    return rng, np.int64(-1)


@inline
def draw_any(t, s, rng):
    """Count the legal moves of the seat to move and draw one: (rng, move), -1 if there is none."""
    colours = choice(t, s)
    count, left = np.int64(0), np.int64(0)
    for again in range(2):
        for colour in range(t.colours):
            if (colours >> colour) & 1:
                square, deeds = next_square(t, s, np.int64(colour), np.int64(-1))
                while deeds:
                    here = count_bits(deeds)
                    if again and left < here:
                        return rng, number(t, colour, square, nth_bit(deeds, left))
                    if again:
                        left -= here
                    else:
                        count += here
                    square, deeds = next_square(t, s, np.int64(colour), square)
        if count == 0:
            break
        if not again:
            rng, left = below(rng, count)
    return rng, np.int64(-1)


@inline
def draw(t, s, rng):
    """A legal move of the seat to move, uniformly: (rng, move), -1 if there is none. Of two snakes those that may move
    have all nothing on the table yet, or all something; and two snakes form no rings."""
    colour = np.int64(s[SEAT])
    colours = np.int64(1) << colour
    if t.snakes == 2:
        colours = choice(t, s)
        if (colours >> colour) & 1 == 0:
            colour = snake_of(t, s, 1)
    how = status(s, colour)
    if how == NOT_LAID:
        rng, move = draw_first(t, s, colours, rng)
        if move >= 0:
            return rng, move
    elif t.snakes == 2:
        return draw_growth_of_two(t, s, colours, rng)
    elif how == OPEN:
        return draw_growth(t, s, colour, ALL_FACES, rng)
    elif how == COMPLETE or how == STUCK:
        return rng, np.int64(-1)
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
