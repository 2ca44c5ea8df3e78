"""Kernels that a GPU's program has in place of others, with the same results: threads go through the bits of a set
instead of all places where a bit may be, so that they wait less for each other."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ZERO, nth, word_lowest, word_size
from snakeden.core.game import OVER
from snakeden.core.kernel import inline, kernel
from snakeden.core.rng import below
from snakeden.games.schlangennest.cards import CURVE, FACES, FIRST_TAIL, KIND
from snakeden.games.schlangennest.kernels import crowding, moves, rules
from snakeden.games.schlangennest.kernels.layout import (
    BOARD,
    COMPLETE,
    NOT_LAID,
    OPEN,
    SEAT,
    STUCK,
    SUPPLY_AT,
    Tables,
)
from snakeden.games.schlangennest.kernels.moves import (
    cards_laid,
    choice,
    end_faces,
    first_area,
    first_place,
    fits,
    next_square,
    room_fault,
)
from snakeden.games.schlangennest.kernels.rules import (
    TRIES,
    apply,
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


# ---- random games try by try
#
# Threads whose tries fail would keep the others waiting. So each thread makes one try at a time, whatever its game's
# ply, and a try is the same code for all: look at a square, and see whether a card fits there. `held` is what a thread
# keeps between tries: in its lower half the faces at open ends that are left to be tried, with BEGUN, or how many first
# cards were tried; in its upper half how many seats were passed over.

_FACES = len(FACES)
BEGUN = 1 << 30
_LOWER, _SHIFT = (1 << 32) - 1, 32


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
    return 64 if name == "play_games" else None


REPLACED = {
    crowding.count_bits: count_bits,
    rules.lowest_bit: lowest_bit,
    rules.nth_bit: nth_bit,
    moves.faces_on: faces_on,
    rules.legal: legal,
}
