"""Sets of cells as tuples of 64-bit words, for kernels. Two widths: 128 and 256 bits.

A kernel is written once for both; which one it is compiled for follows from the tuples it is handed. Called
from Python, each function here is its own plain meaning.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from snakeden.core.kernel import inner

ZERO = np.uint64(0)
ONE = np.uint64(1)
_WORD = np.uint64(64)
_WORD_SHIFT, _WORD_MASK = np.uint64(6), np.uint64(63)
_M1, _M2, _M4 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM, _TOP = np.uint64(0x0101010101010101), np.uint64(56)
_S1, _S2, _S4 = np.uint64(1), np.uint64(2), np.uint64(4)


@inner
def word_size(x):
    """How many bits are set in a word."""
    x = x - ((x >> _S1) & _M1)
    x = (x & _M2) + ((x >> _S2) & _M2)
    return np.int64((((x + (x >> _S4)) & _M4) * _SUM) >> _TOP)


@inner
def word_lowest(x):
    """The place of the lowest bit of a word that is not zero."""
    return word_size((x & (~x + ONE)) - ONE)


def union(a, b):
    return tuple(x | y for x, y in zip(a, b, strict=True))


@overload(union)
def _union(a, b):
    if a.count == 2:
        return lambda a, b: (a[0] | b[0], a[1] | b[1])
    return lambda a, b: (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3])


def meet(a, b):
    return tuple(x & y for x, y in zip(a, b, strict=True))


@overload(meet)
def _meet(a, b):
    if a.count == 2:
        return lambda a, b: (a[0] & b[0], a[1] & b[1])
    return lambda a, b: (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3])


def without(a, b):
    return tuple(x & ~y for x, y in zip(a, b, strict=True))


@overload(without)
def _without(a, b):
    if a.count == 2:
        return lambda a, b: (a[0] & ~b[0], a[1] & ~b[1])
    return lambda a, b: (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3])


def common(a, b):
    """A word that is zero just if the sets have nothing in common."""
    return np.bitwise_or.reduce([x & y for x, y in zip(a, b, strict=True)])


@overload(common)
def _common(a, b):
    if a.count == 2:
        return lambda a, b: (a[0] & b[0]) | (a[1] & b[1])
    return lambda a, b: (a[0] & b[0]) | (a[1] & b[1]) | (a[2] & b[2]) | (a[3] & b[3])


def up(a, n):
    """Every element larger by n; 0 < n < 64, unsigned. What leaves the top is lost."""
    lower = (ZERO, *a[:-1])
    return tuple((x << n) | (y >> (_WORD - n)) for x, y in zip(a, lower, strict=True))


@overload(up)
def _up(a, n):
    if a.count == 2:
        return lambda a, n: (a[0] << n, (a[1] << n) | (a[0] >> (_WORD - n)))
    return lambda a, n: (
        a[0] << n,
        (a[1] << n) | (a[0] >> (_WORD - n)),
        (a[2] << n) | (a[1] >> (_WORD - n)),
        (a[3] << n) | (a[2] >> (_WORD - n)),
    )


def down(a, n):
    """Every element smaller by n; 0 < n < 64, unsigned. What leaves the bottom is lost."""
    upper = (*a[1:], ZERO)
    return tuple((x >> n) | (y << (_WORD - n)) for x, y in zip(a, upper, strict=True))


@overload(down)
def _down(a, n):
    if a.count == 2:
        return lambda a, n: ((a[0] >> n) | (a[1] << (_WORD - n)), a[1] >> n)
    return lambda a, n: (
        (a[0] >> n) | (a[1] << (_WORD - n)),
        (a[1] >> n) | (a[2] << (_WORD - n)),
        (a[2] >> n) | (a[3] << (_WORD - n)),
        a[3] >> n,
    )


def lowered(a, n):
    """Every element smaller by n, unsigned; 0 <= n < 64, and up to 126 in 256 bits. What leaves the bottom is
    lost."""
    number = sum(int(word) << (64 * k) for k, word in enumerate(a)) >> int(n)
    return tuple(np.uint64((number >> (64 * k)) & 0xFFFFFFFFFFFFFFFF) for k in range(len(a)))


@overload(lowered)
def _lowered(a, n):
    # A shift by a whole word is undefined, so what crosses words is shifted in two steps.
    if a.count == 2:
        return lambda a, n: ((a[0] >> n) | ((a[1] << ONE) << (_WORD_MASK - n)), a[1] >> n)

    def wide(a, n):
        half = n >> ONE
        rest = n - half
        return _lower_wide(_lower_wide(a, half), rest)

    return wide


@inner
def _lower_wide(a, n):
    over = _WORD_MASK - n
    return (
        (a[0] >> n) | ((a[1] << ONE) << over),
        (a[1] >> n) | ((a[2] << ONE) << over),
        (a[2] >> n) | ((a[3] << ONE) << over),
        a[3] >> n,
    )


def column(like, table, row, i):
    """The set whose words stand in column i of a table, from this row on; as wide as `like`.

    One row a word lets the compiler read many sets at once."""
    return tuple(table[row + k, i] for k in range(len(like)))


@overload(column)
def _column(like, table, row, i):
    if like.count == 2:
        return lambda like, table, row, i: (table[row, i], table[row + 1, i])
    return lambda like, table, row, i: (
        table[row, i],
        table[row + 1, i],
        table[row + 2, i],
        table[row + 3, i],
    )


def row_set(like, table, i, column):
    """The set whose words stand in row i of a table, from this column on; as wide as `like`."""
    return tuple(table[i, column + k] for k in range(len(like)))


@overload(row_set)
def _row_set(like, table, i, column):
    if like.count == 2:
        return lambda like, table, i, column: (table[i, column], table[i, column + 1])
    return lambda like, table, i, column: (
        table[i, column],
        table[i, column + 1],
        table[i, column + 2],
        table[i, column + 3],
    )


def load(like, array, i):
    """The set whose words start at array[i]; as wide as `like`."""
    return tuple(array[i + k] for k in range(len(like)))


@overload(load)
def _load(like, array, i):
    if like.count == 2:
        return lambda like, array, i: (array[i], array[i + 1])
    return lambda like, array, i: (array[i], array[i + 1], array[i + 2], array[i + 3])


def single(like, bit):
    """The set of just this element; as wide as `like`."""
    return tuple(ONE << np.uint64(bit - 64 * k) if 0 <= bit - 64 * k < 64 else ZERO for k in range(len(like)))


@inner
def _word_with(bit, k):
    n = np.uint64(bit)
    return ONE << (n & _WORD_MASK) if n >> _WORD_SHIFT == np.uint64(k) else ZERO


@overload(single)
def _single(like, bit):
    if like.count == 2:
        return lambda like, bit: (_word_with(bit, 0), _word_with(bit, 1))
    return lambda like, bit: (_word_with(bit, 0), _word_with(bit, 1), _word_with(bit, 2), _word_with(bit, 3))


@inner
def has(a, bit):
    """Whether the element is in the set; no element below 0 or beyond the width is."""
    return common(a, single(a, bit)) != ZERO


def size(a):
    """How many elements the set has."""
    return sum(int(word).bit_count() for word in a)


@overload(size)
def _size(a):
    if a.count == 2:
        return lambda a: word_size(a[0]) + word_size(a[1])
    return lambda a: word_size(a[0]) + word_size(a[1]) + word_size(a[2]) + word_size(a[3])


def lowest(a):
    """The smallest element of a set that is not empty."""
    return next(64 * k + word_lowest(word) for k, word in enumerate(a) if word != ZERO)


@overload(lowest)
def _lowest(a):
    if a.count == 2:
        return lambda a: word_lowest(a[0]) if a[0] != ZERO else 64 + word_lowest(a[1])

    def wide(a):
        low, high = (a[0], a[1]), (a[2], a[3])
        return lowest(low) if a[0] | a[1] != ZERO else 128 + lowest(high)

    return wide


def write_through(a, table, row, base, out, at):
    """Write base + table[row, element] to out[at:] for every element, the smallest first; where it ended."""
    for element in range(64 * len(a)):
        if has(a, element):
            out[at] = base + table[row, element]
            at += 1
    return at


@inner
def _write_word(word, first, table, row, base, out, at):
    while word != ZERO:
        out[at] = base + table[row, first + word_lowest(word)]
        word &= word - ONE
        at += 1
    return at


@overload(write_through)
def _write_through(a, table, row, base, out, at):
    if a.count == 2:

        def narrow(a, table, row, base, out, at):
            at = _write_word(a[0], 0, table, row, base, out, at)
            return _write_word(a[1], 64, table, row, base, out, at)

        return narrow

    def wide(a, table, row, base, out, at):
        at = _write_word(a[0], 0, table, row, base, out, at)
        at = _write_word(a[1], 64, table, row, base, out, at)
        at = _write_word(a[2], 128, table, row, base, out, at)
        return _write_word(a[3], 192, table, row, base, out, at)

    return wide


BLOCK = 32
"""Flags written at once by `write_flags`."""


def write_flags(a, room, elements, first, out, at):
    """For each element of the set `room` write to out[at:] whether it is in the set; where it ended.

    elements[first:] are those of `room`, the smallest first, but for multiples of 64; BLOCK numbers more must be
    there to read. Up to BLOCK flags behind the end may be overwritten: write what comes after it later.
    """
    for element in range(64 * len(a)):
        if has(room, element):
            out[at] = has(a, element)
            at += 1
    return at


@inner
def _write_word_flags(word, count, elements, first, out, at):
    read, write = np.uint64(first), np.uint64(at)
    # Whole blocks are vector instructions only; what is left of one would be many single ones.
    written = (count + BLOCK - 1) // BLOCK * BLOCK
    for k in range(np.uint64(written if at + written <= len(out) else count)):
        out[write + k] = (word >> np.uint64(elements[read + k])) & ONE
    return at + count


@overload(write_flags)
def _write_flags(a, room, elements, first, out, at):
    if a.count == 2:

        def narrow(a, room, elements, first, out, at):
            low, high = word_size(room[0]), word_size(room[1])
            at = _write_word_flags(a[0], low, elements, first, out, at)
            return _write_word_flags(a[1], high, elements, first + low, out, at)

        return narrow

    def wide(a, room, elements, first, out, at):
        low, high = (a[0], a[1]), (a[2], a[3])
        low_room, high_room = (room[0], room[1]), (room[2], room[3])
        at = write_flags(low, low_room, elements, first, out, at)
        return write_flags(high, high_room, elements, first + size(low_room), out, at)

    return wide


def nth(a, n):
    """The n-th smallest element, counted from 0; there must be so many."""
    return [element for element in range(64 * len(a)) if has(a, element)][n]


@inner
def _nth_of_word(word, n):
    for _ in range(n):
        word &= word - ONE
    return word_lowest(word)


@overload(nth)
def _nth(a, n):
    if a.count == 2:

        def narrow(a, n):
            low = word_size(a[0])
            return _nth_of_word(a[0], n) if n < low else 64 + _nth_of_word(a[1], n - low)

        return narrow

    def wide(a, n):
        low, high = (a[0], a[1]), (a[2], a[3])
        count = size(low)
        return nth(low, n) if n < count else 128 + nth(high, n - count)

    return wide


def add_at(array, i, a):
    """Add the set's elements to the set whose words start at array[i]."""
    for k, word in enumerate(a):
        array[i + k] |= word


@overload(add_at)
def _add_at(array, i, a):
    if a.count == 2:

        def narrow(array, i, a):
            array[i] |= a[0]
            array[i + 1] |= a[1]

        return narrow

    def wide(array, i, a):
        array[i] |= a[0]
        array[i + 1] |= a[1]
        array[i + 2] |= a[2]
        array[i + 3] |= a[3]

    return wide
