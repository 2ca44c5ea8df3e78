"""Kernels that a GPU's program has in place of others, with the same results: threads go through the bits of a set
instead of all places where a bit may be, so that they wait less for each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snakeden.core.bitset import ZERO, nth, word_lowest, word_size
from snakeden.core.game import OVER
from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import below
from snakeden.games.schlangennest.cards import CURVE, FACES, FIRST_TAIL, KIND, TAIL
from snakeden.games.schlangennest.kernels import crowding, moves, rules
from snakeden.games.schlangennest.kernels.layout import (
    BOARD,
    BOTTOM,
    COMPLETE,
    LEFT,
    NO_BORDER,
    NOT_LAID,
    OPEN,
    PENDING,
    RIGHT,
    RING,
    SEAT,
    STUCK,
    SUPPLY_AT,
    TOP,
    Tables,
    opening,
)
from snakeden.games.schlangennest.kernels.moves import (
    _TAILS,
    ALL_FACES,
    cards_laid,
    choice,
    end_faces,
    first_area,
    first_place,
    fits,
    next_square,
    room_fault,
    swaps_on,
    turns_on,
)
from snakeden.games.schlangennest.kernels.rules import (
    TRIES,
    apply,
    can_move,
    draw_any,
    give_turn,
    number,
    pass_over,
    put_change,
    stretch_extent,
)
from snakeden.games.schlangennest.kernels.strands import (
    NEUTRAL,
    end_of,
    laid,
    look,
    snake,
    status,
    supply,
)


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


# ---- lists of legal moves
#
# A first card beside others has more places and faces than any other move, and few threads of a warp list them: the
# others would wait. So those lists are made by a thread a place, for all games that need them together. Places are the
# squares of `moves.first_area`, row by row, and those once more for a second snake.


def lists_by_places(t: Tables) -> bool:
    """Whether lists of first cards are made by a thread a place; else each list is written by one thread."""
    return True


def most_places(t: Tables) -> int:
    """How many places a list can have."""
    return _area(t) * t.snakes


def _area(t: Tables) -> int:
    # First cards are laid while there are fewer cards than colours.
    return t.long * t.short if t.border > NO_BORDER else (2 * t.colours - 1) ** 2


class First(NamedTuple):
    """What is known beside the tables when kernels are linked for a GPU."""

    area: int
    """Squares in the largest area for first cards."""
    opening_faces: int
    """The faces that the very first card can show where it lies at the origin, a bit each."""


def more_tables(t: Tables) -> First:
    faces = _TAILS if t.tail_first else ALL_FACES
    return First(_area(t), int(moves.faces_on(t, opening(t), 0, t.origin, faces)))


@inline
def is_spread(t, s):
    """Whether the list is made by a thread a place: of first cards, but for the one that has the origin alone."""
    is_first = False
    for colour in range(t.colours):
        if (s[PENDING] >> colour) & 1 and status(s, colour) == NOT_LAID:
            is_first = True
    return is_first and (t.border > NO_BORDER or cards_laid(t, s) > 0)


@inline
def colour_at(t, s, place):
    """The colour of a place's snake, and which of its squares the place is."""
    return np.int64(s[SEAT]) + place // t.area * t.seats, place % t.area


@inline
def square_at(t, count, place):
    """The square of a place; -1 if there are not so many."""
    low, columns, rows = first_area(t, count)
    return low + place // columns * t.stride + place % columns if place < columns * rows else np.int64(-1)


@kernel
def place_flags(t, s, place):
    """The deeds that are legal at a place, a bit each."""
    colour, place = colour_at(t, s, np.int64(place))
    count = cards_laid(t, s)
    square = square_at(t, count, place)
    if square < 0 or (choice(t, s) >> colour) & 1 == 0 or not first_place(t, s, square, count):
        return np.int64(0)
    return moves.faces_on(t, s, colour, square, _TAILS if t.tail_first else ALL_FACES)


@kernel
def place_number(t, s, place):
    """The number of the first deed at a place."""
    colour, place = colour_at(t, s, np.int64(place))
    return number(t, colour, square_at(t, cards_laid(t, s), place), 0)


@inline
def write_deeds(out, found, first, deeds):
    """Write the numbers of deeds, a bit each, to out[found:]; where they end."""
    while deeds:
        out[found] = first + lowest_bit(deeds)
        deeds &= deeds - 1
        found += 1
    return found


@inline
def write_growth(t, s, colour, out, found):
    """Write the cards that may be laid at open ends. The smaller end is the first."""
    before = np.int64(-1)
    for which in range(2):
        square = end_of(s, colour, which) >> 2
        if square > before:
            deeds = moves.faces_on(t, s, colour, square, end_faces(s, colour, square))
            found = write_deeds(out, found, number(t, colour, square, 0), deeds)
        before = square
    return found


@inline
def write_first(t, s, colour, out, found):
    """Write the first cards."""
    square, deeds = next_square(t, s, colour, np.int64(-1))
    while deeds:
        found = write_deeds(out, found, number(t, colour, square, 0), deeds)
        square, deeds = next_square(t, s, colour, square)
    return found


@inline
def write_openings(t, s, colour, out, found):
    """Write the ways to open a ring: turns, or swaps if there is no turn."""
    before = found
    for swapping in range(2):
        if found == before and (swapping == 0 or supply(s, colour, TAIL) > 0):
            for y in range(s[BOTTOM], s[TOP] + 1):
                for square in range(y * t.stride + s[LEFT], y * t.stride + s[RIGHT] + 1):
                    deeds = swaps_on(t, s, colour, square) if swapping else turns_on(t, s, colour, square)
                    found = write_deeds(out, found, number(t, colour, square, 0), deeds)
    return found


@inline
def write_moves(t, s, out, leaves_first):
    """As `rules.legal`. The colours of a seat are gone through, not all, so that threads whose games have different
    seats to move stay together. If `leaves_first`, which is a constant, first cards beside others are not written, and
    1 is returned for as many as there are."""
    passed, found = 0, 0
    while s[SEAT] != OVER:
        colours = choice(t, s)
        if leaves_first and is_spread(t, s):
            # Where there is no fixed nest, a first card always fits beyond a corner.
            if t.border <= NO_BORDER or can_move(t, s):
                return 1
        else:
            for which in range(t.snakes):
                colour = np.int64(s[SEAT]) + which * t.seats
                how = status(s, colour) if (colours >> colour) & 1 else np.int64(COMPLETE)
                if how == OPEN:
                    found = write_growth(t, s, colour, out, found)
                elif how == RING:
                    found = write_openings(t, s, colour, out, found)
                elif how == NOT_LAID:
                    if leaves_first:
                        found = write_deeds(out, found, number(t, colour, t.origin, 0), t.opening_faces)
                    else:
                        found = write_first(t, s, colour, out, found)
        if found:
            break
        pass_over(t, s, passed)
        passed += 1
    return found


@kernel
def legal(t, s, out):
    return write_moves(t, s, out, False)


@kernel
def legal_but_first(t, s, out):
    return write_moves(t, s, out, True)


UNLISTED = {rules.legal: legal_but_first}
"""What stands in place of other kernels in `step_unlisted` alone."""


# ---- random games try by try
#
# Threads whose tries fail would keep the others waiting. So each thread makes one try at a time, whatever its game's
# ply, and a try is the same code for all: look at a square, and see whether a card fits there. `held` is what a thread
# keeps between tries: in its lower half the faces at open ends that are left to be tried, with BEGUN, or how many first
# cards were tried; in its upper half how many seats were passed over.

_FACES = len(FACES)
BEGUN = 1 << 30
_LOWER, _SHIFT = (1 << 32) - 1, 32
TOGETHER, PATIENCE = 16, 32
"""Threads whose games are over, or that draw from all first cards: see `gpu_kernels.TOGETHER`."""


def plays_by_tries(t: Tables) -> bool:
    """Whether most moves are found by trying one card after another."""
    return t.snakes == 1


@inline
def is_over(s):
    return s[SEAT] == OVER


@inline
def prepared(t, s, held):
    """Pass over seats whose snakes are finished; what is held then."""
    while s[SEAT] != OVER and (
        status(s, np.int64(s[SEAT])) == COMPLETE or status(s, np.int64(s[SEAT])) == STUCK
    ):
        pass_over(t, s, held >> _SHIFT)
        held = ((held >> _SHIFT) + 1) << _SHIFT
    return held


@inline
def is_trying(t, s, held):
    """Whether a card is to be tried next."""
    if s[SEAT] == OVER:
        return False
    how = status(s, np.int64(s[SEAT]))
    return how == OPEN or (how == NOT_LAID and held & _LOWER < TRIES)


@inline
def growth_to_try(s, colour, low, rng):
    """A card to be tried at an open end, as in `rules.draw_growth`: (rng, square, face, what is left to be tried)."""
    one, other = end_of(s, colour, 0), end_of(s, colour, 1)
    untried = low & (BEGUN - 1)
    if low == 0:
        untried = end_faces(s, colour, one >> 2) if one >= 0 else 0
        if other >= 0 and other >> 2 != one >> 2:
            untried |= end_faces(s, colour, other >> 2) << _FACES
    rng, n = below(rng, count_bits(untried))
    slot = nth_bit(untried, n)
    square = one >> 2 if slot < _FACES else other >> 2
    return rng, square, slot % _FACES, BEGUN | (untried & ~(np.int64(1) << slot))


@inline
def first_to_try(t, s, rng):
    """A first card to be tried, as in `rules.draw_first`: (rng, square, face, whether a card may lie there)."""
    count = cards_laid(t, s)
    low, columns, rows = first_area(t, count)
    face, faces = (FIRST_TAIL, 4) if t.tail_first else (0, _FACES)
    rng, n = below(rng, columns * rows * faces)
    place = n // faces
    square = low + place // columns * t.stride + place % columns
    return rng, square, face + n % faces, first_place(t, s, square, count)


@inline
def lay_if_it_fits(t, s, colour, square, face):
    """Lay a card and hand the turn on, if the card may lie there; whether it does. As `moves.fits` and `rules.apply`,
    but what becomes of the strands is found out once."""
    kind = np.int64(t.cards[1 + face, KIND])
    if room_fault(t, s, square, kind)[0]:
        return False
    change = laid(t, look(t, s, square), square, colour, face)
    if min(change.colours[0], min(change.colours[1], change.colours[2])) < NEUTRAL:
        return False
    if crowding.crowding(t, s, change, np.int64(s[SEAT]), kind)[0]:
        return False
    put_change(s, change)
    s[BOARD + square] = 1 + colour * _FACES + face
    s[snake(colour) + SUPPLY_AT + kind] -= 1
    if kind <= CURVE:
        stretch_extent(s, square % t.stride, square // t.stride)
    give_turn(t, s, (np.int64(s[SEAT]) + 1) % t.seats)
    return True


@inline
def attempt(t, s, rng, held):
    """Try one card: (rng, the move that was played or -1, what is held)."""
    colour = np.int64(s[SEAT])
    is_growth = status(s, colour) == OPEN
    low = held & _LOWER
    if is_growth:
        rng, square, face, low = growth_to_try(s, colour, low, rng)
        is_tried = supply(s, colour, t.cards[1 + face, KIND]) > 0
    else:
        rng, square, face, is_tried = first_to_try(t, s, rng)
        low += 1
    if is_tried and lay_if_it_fits(t, s, colour, square, face):
        return rng, np.int64(number(t, colour, square, face)), np.int64(0)
    passed = held >> _SHIFT
    if is_growth and low == BEGUN:
        pass_over(t, s, passed)
        return rng, np.int64(-1), (passed + 1) << _SHIFT
    return rng, np.int64(-1), (passed << _SHIFT) | low


@inline
def draw_untried(t, s, rng, held):
    """Play a move that is not found by tries: as `attempt`."""
    rng, move = draw_any(t, s, rng)
    if move >= 0:
        apply(t, s, move)
        return rng, move, np.int64(0)
    passed = held >> _SHIFT
    pass_over(t, s, passed)
    return rng, np.int64(-1), (passed + 1) << _SHIFT


def registers(t: Tables, name: str) -> int | None:
    """Registers a thread, at most: what was quickest on an H200."""
    return 80 if name == "play_games" else None


REPLACED = {
    crowding.count_bits: count_bits,
    rules.lowest_bit: lowest_bit,
    rules.nth_bit: nth_bit,
    moves.faces_on: faces_on,
    rules.legal: legal,
}
