"""Observations by a GPU: a thread packs a word, 32 squares, of every plane, and another each of the numbers
that are the same everywhere."""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import ONE, ZERO, word_lowest
from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.core.planes import FIELDS, words
from snakeden.games.schlangennest.cards import BLANK, COLOURED, FRAME, FREE, HEAD, KIND, SUPPLY, TAIL
from snakeden.games.schlangennest.kernels.layout import (
    BOTTOM,
    FENCE,
    FLOATING,
    FRAMED,
    LEFT,
    PENDING,
    RIGHT,
    RING,
    TOP,
    Tables,
)
from snakeden.games.schlangennest.kernels.moves import has_room
from snakeden.games.schlangennest.kernels.observation import CARD_PLANES, END_PLANES, STANDING_PLANES, seen_as
from snakeden.games.schlangennest.kernels.strands import colour_of, end_of, on_board, status, supply

_NONE, _HALF = np.uint32(0), np.uint64(0xFFFFFFFF)


def bit_parts(t: Tables) -> int:
    """How many threads pack the bits of a position: one a word of a plane."""
    return words(t.squares)


def value_parts(t: Tables) -> int:
    """How many threads write its numbers: one each."""
    return STANDING_PLANES * t.colours


@inline
def chosen(flag, bit):
    return np.uint32(1) << np.uint32(bit) if flag else _NONE


@inline
def pack_cards(t, s, colour, word, laid, bits, plane):
    """The planes of a colour's cards."""
    upper, right, lower, left, tails, heads = _NONE, _NONE, _NONE, _NONE, _NONE, _NONE
    while laid:
        bit = word_lowest(np.uint64(laid))
        laid = np.uint32(laid & np.uint32(laid - np.uint32(1)))
        card = on_board(s, FIELDS * word + bit)
        if card < FRAME and colour_of(card) == colour:
            upper |= chosen(t.cards[card, 0] & COLOURED != 0, bit)
            right |= chosen(t.cards[card, 1] & COLOURED != 0, bit)
            lower |= chosen(t.cards[card, 2] & COLOURED != 0, bit)
            left |= chosen(t.cards[card, 3] & COLOURED != 0, bit)
            tails |= chosen(t.cards[card, KIND] == TAIL, bit)
            heads |= chosen(t.cards[card, KIND] == HEAD, bit)
    bits[plane, word] = upper
    bits[plane + 1, word] = right
    bits[plane + 2, word] = lower
    bits[plane + 3, word] = left
    bits[plane + 4, word] = tails
    bits[plane + 5, word] = heads


@inline
def pack_frame(t, s, word, laid, bits, plane):
    """The planes of frame cards."""
    for side in range(4):
        rest, found = laid, _NONE
        while rest:
            bit = word_lowest(np.uint64(rest))
            rest = np.uint32(rest & np.uint32(rest - np.uint32(1)))
            card = on_board(s, FIELDS * word + bit)
            found |= chosen(card >= FRAME and t.cards[card, side] != BLANK, bit)
        bits[plane + side, word] = found


@inline
def pack_ends(s, colour, word, bits, plane):
    """The planes of a snake's open ends."""
    one, other = end_of(s, colour, 0), end_of(s, colour, 1)
    for side in range(4):
        found = chosen(one >= 0 and one & 3 == side and one >> 7 == word, (one >> 2) & 31)
        found |= chosen(other >= 0 and other & 3 == side and other >> 7 == word, (other >> 2) & 31)
        bits[plane + side, word] = found


@inline
def reach(low, high, most, count):
    """The rows or columns, a bit each of `count`, that an extent from `low` to `high` may reach, if it may have `most`
    of them; none if it has more."""
    first, last = max(high - most + 1, 0), min(low + most - 1, count - 1)
    if high - low + 1 > most or last < first:
        return ZERO
    return ((ONE << np.uint64(last - first + 1)) - ONE) << np.uint64(first)


@inline
def floating_room(t, s, word):
    """As `moves.has_room` for 32 squares where the nest floats: what fits in one direction fits in all of a row."""
    left, right, bottom, top = (
        np.int64(s[LEFT]),
        np.int64(s[RIGHT]),
        np.int64(s[BOTTOM]),
        np.int64(s[TOP]),
    )
    rows = t.squares // t.stride
    flat, steep = reach(left, right, t.long, t.stride), reach(left, right, t.short, t.stride)
    flat_rows, steep_rows = reach(bottom, top, t.short, rows), reach(bottom, top, t.long, rows)
    row, found = FIELDS * word // t.stride, ZERO
    before = np.uint64(FIELDS * word - row * t.stride)
    for k in unrolled(range(FIELDS // t.stride + 2)):
        y = np.uint64(row + k)
        columns = flat if (flat_rows >> y) & ONE else ZERO
        columns |= steep if (steep_rows >> y) & ONE else ZERO
        found |= columns >> before if k == 0 else columns << (np.uint64(k * t.stride) - before)
    return np.uint32(found & _HALF)


@kernel
def pack_bits(t, s, seat, word, bits):
    """Write a word of every plane."""
    room, laid = _NONE, _NONE
    for bit in range(FIELDS):
        square = FIELDS * word + bit
        if square < t.squares:
            laid |= chosen(on_board(s, square) != FREE, bit)
            if t.border != FLOATING:
                room |= chosen(has_room(t, s, square), bit)
    if t.border == FLOATING:
        room = floating_room(t, s, word)
    bits[0, word] = room
    cards = t.colours + (1 if t.border == FENCE else 0)
    ends = 1 + CARD_PLANES * cards + (4 if t.border == FRAMED else 0)
    for colour in range(cards):
        rank = seen_as(t, np.int64(colour), seat)
        pack_cards(t, s, colour, word, laid, bits, 1 + CARD_PLANES * rank)
        if colour < t.colours:
            pack_ends(s, colour, word, bits, ends + END_PLANES * rank)
    if t.border == FRAMED:
        pack_frame(t, s, word, laid, bits, 1 + CARD_PLANES * cards)


@kernel
def pack_values(t, s, seat, k, values):
    """Write one of the numbers, as `observation.write_values`. They are small, so that their shares are the same in
    32 bits."""
    colour, which = k // STANDING_PLANES, k % STANDING_PLANES
    value = STANDING_PLANES * seen_as(t, colour, seat) + which
    if which < 4:
        most = (
            SUPPLY[0] if which == 0 else SUPPLY[1] if which == 1 else SUPPLY[2] if which == 2 else SUPPLY[3]
        )
        values[value] = np.float32(supply(s, colour, which)) / np.float32(most)
    else:
        is_ring = np.float32(status(s, colour) == RING)
        values[value] = is_ring if which == 4 else np.float32((s[PENDING] >> colour) & 1)
