"""Sets of cells as tuples of 64-bit words, for kernels. Two widths: 128 and 256 bits.

A kernel is written once for both. Which one it is compiled for follows from the tuples that it gets: Numba knows how
long a tuple is, and leaves out the branch of the other width.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline

ZERO = np.uint64(0)
ONE = np.uint64(1)
_WORD = np.uint64(64)
_WORD_SHIFT, _WORD_MASK = np.uint64(6), np.uint64(63)
_M1, _M2, _M4 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM, _TOP = np.uint64(0x0101010101010101), np.uint64(56)
_S1, _S2, _S4 = np.uint64(1), np.uint64(2), np.uint64(4)

BLOCK = 32
"""Flags written at once by `write_flags`."""


@inline
def word_size(x):
    """How many bits are set in a word."""
    x = x - ((x >> _S1) & _M1)
    x = (x & _M2) + ((x >> _S2) & _M2)
    return np.int64((((x + (x >> _S4)) & _M4) * _SUM) >> _TOP)


@inline
def word_lowest(x):
    """The place of the lowest bit of a word that is not zero."""
    return word_size((x & (~x + ONE)) - ONE)


@inline
def union(a, b):
    """All elements of either set."""
    if len(a) == 2:
        return a[0] | b[0], a[1] | b[1]
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]


@inline
def meet(a, b):
    """The elements of both sets."""
    if len(a) == 2:
        return a[0] & b[0], a[1] & b[1]
    return a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]


@inline
def without(a, b):
    """The elements of the first set that the second has not."""
    if len(a) == 2:
        return a[0] & ~b[0], a[1] & ~b[1]
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]


@inline
def common(a, b):
    """A word that is zero just if the sets have nothing in common."""
    if len(a) == 2:
        return (a[0] & b[0]) | (a[1] & b[1])
    return (a[0] & b[0]) | (a[1] & b[1]) | (a[2] & b[2]) | (a[3] & b[3])


@inline
def up(a, n):
    """Every element larger by n; 0 < n < 64, unsigned. What leaves the top is lost."""
    m = _WORD - n
    if len(a) == 2:
        return a[0] << n, (a[1] << n) | (a[0] >> m)
    return a[0] << n, (a[1] << n) | (a[0] >> m), (a[2] << n) | (a[1] >> m), (a[3] << n) | (a[2] >> m)


@inline
def down(a, n):
    """Every element smaller by n; 0 < n < 64, unsigned. What leaves the bottom is lost."""
    m = _WORD - n
    if len(a) == 2:
        return (a[0] >> n) | (a[1] << m), a[1] >> n
    return (a[0] >> n) | (a[1] << m), (a[1] >> n) | (a[2] << m), (a[2] >> n) | (a[3] << m), a[3] >> n


@inline
def lowered(a, n):
    """Every element smaller by n, unsigned; 0 <= n < 64, and up to 126 in 256 bits. What leaves the bottom is
    lost."""
    # A shift by a whole word is undefined, so what crosses words is shifted in two steps.
    if len(a) == 2:
        return (a[0] >> n) | ((a[1] << ONE) << (_WORD_MASK - n)), a[1] >> n
    half = n >> ONE
    return _lower_wide(_lower_wide(a, half), n - half)


@inline
def _lower_wide(a, n):
    over = _WORD_MASK - n
    return (
        (a[0] >> n) | ((a[1] << ONE) << over),
        (a[1] >> n) | ((a[2] << ONE) << over),
        (a[2] >> n) | ((a[3] << ONE) << over),
        a[3] >> n,
    )


@inline
def column(like, table, row, i):
    """The set whose words stand in column i of a table, from this row on; as wide as `like`.

    One row a word lets the compiler read many sets at once."""
    if len(like) == 2:
        return table[row, i], table[row + 1, i]
    return table[row, i], table[row + 1, i], table[row + 2, i], table[row + 3, i]


@inline
def row_set(like, table, i, column):
    """The set whose words stand in row i of a table, from this column on; as wide as `like`."""
    if len(like) == 2:
        return table[i, column], table[i, column + 1]
    return table[i, column], table[i, column + 1], table[i, column + 2], table[i, column + 3]


@inline
def load(like, array, i):
    """The set whose words start at array[i]; as wide as `like`."""
    if len(like) == 2:
        return array[i], array[i + 1]
    return array[i], array[i + 1], array[i + 2], array[i + 3]


@inline
def _word_with(bit, k):
    n = np.uint64(bit)
    return ONE << (n & _WORD_MASK) if n >> _WORD_SHIFT == np.uint64(k) else ZERO


@inline
def single(like, bit):
    """The set of just this element; as wide as `like`."""
    if len(like) == 2:
        return _word_with(bit, 0), _word_with(bit, 1)
    return _word_with(bit, 0), _word_with(bit, 1), _word_with(bit, 2), _word_with(bit, 3)


@inline
def has(a, bit):
    """Whether the element is in the set; no element below 0 or beyond the width is."""
    return common(a, single(a, bit)) != ZERO


@inline
def size(a):
    """How many elements the set has."""
    if len(a) == 2:
        return word_size(a[0]) + word_size(a[1])
    return word_size(a[0]) + word_size(a[1]) + word_size(a[2]) + word_size(a[3])


@inline
def lowest(a):
    """The smallest element of a set that is not empty."""
    if a[0] != ZERO:
        return word_lowest(a[0])
    if len(a) == 2:
        return 64 + word_lowest(a[1])
    if a[1] != ZERO:
        return 64 + word_lowest(a[1])
    return 128 + word_lowest(a[2]) if a[2] != ZERO else 192 + word_lowest(a[3])


@inline
def _write_word(word, first, table, row, base, out, at):
    while word != ZERO:
        out[at] = base + table[row, first + word_lowest(word)]
        word &= word - ONE
        at += 1
    return at


@inline
def write_through(a, table, row, base, out, at):
    """Write base + table[row, element] to out[at:] for every element, the smallest first; where it ended."""
    at = _write_word(a[0], 0, table, row, base, out, at)
    at = _write_word(a[1], 64, table, row, base, out, at)
    if len(a) == 4:
        at = _write_word(a[2], 128, table, row, base, out, at)
        at = _write_word(a[3], 192, table, row, base, out, at)
    return at


@inline
def _write_word_flags(word, count, elements, first, out, at):
    read, write = np.uint64(first), np.uint64(at)
    # Whole blocks are vector instructions only; what is left of one would be many single ones.
    written = (count + BLOCK - 1) // BLOCK * BLOCK
    for k in range(np.uint64(written if at + written <= len(out) else count)):
        out[write + np.uint64(k)] = (word >> np.uint64(elements[read + np.uint64(k)])) & ONE
    return at + count


@inline
def write_flags(a, room, elements, first, out, at):
    """For each element of the set `room` write to out[at:] whether it is in the set; where it ended.

    elements[first:] are those of `room`, the smallest first, but for multiples of 64; BLOCK numbers more must be
    there to read. Up to BLOCK flags behind the end may be overwritten: write what comes after it later.
    """
    low, high = word_size(room[0]), word_size(room[1])
    at = _write_word_flags(a[0], low, elements, first, out, at)
    at = _write_word_flags(a[1], high, elements, first + low, out, at)
    if len(a) == 4:
        first += low + high
        low, high = word_size(room[2]), word_size(room[3])
        at = _write_word_flags(a[2], low, elements, first, out, at)
        at = _write_word_flags(a[3], high, elements, first + low, out, at)
    return at


@inline
def _nth_of_word(word, n):
    for _ in range(n):
        word &= word - ONE
    return word_lowest(word)


@inline
def nth(a, n):
    """The n-th smallest element, counted from 0; there must be that many."""
    count = word_size(a[0])
    if n < count:
        return _nth_of_word(a[0], n)
    n -= count
    if len(a) == 2:
        return 64 + _nth_of_word(a[1], n)
    count = word_size(a[1])
    if n < count:
        return 64 + _nth_of_word(a[1], n)
    n -= count
    count = word_size(a[2])
    return 128 + _nth_of_word(a[2], n) if n < count else 192 + _nth_of_word(a[3], n - count)


@inline
def add_at(array, i, a):
    """Add the set's elements to the set whose words start at array[i]."""
    array[i] |= a[0]
    array[i + 1] |= a[1]
    if len(a) == 4:
        array[i + 2] |= a[2]
        array[i + 3] |= a[3]
