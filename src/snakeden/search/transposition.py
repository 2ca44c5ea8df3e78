"""The solver's transposition table: what is known of positions it has seen, found by their hash.

table: uint64[rows, 2], a power of two of rows. A row holds a hash to compare, combined with the word beside it, and a
word with two bounds of the value, the best move and how much work it took. Rows stand in buckets of four. Processes can
share a table: a row of which two wrote one half each matches no position.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.kernel import inline

FAR = 30_000
"""More than any margin."""
_BUCKET = 4
_BYTES_A_ROW = 16

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_S32, _S29 = np.uint64(32), np.uint64(29)
_LOW16, _LOW24, _LOW8 = np.uint64(0xFFFF), np.uint64(0xFFFFFF), np.uint64(0xFF)
_MOVE_AT, _EFFORT_AT = np.uint64(32), np.uint64(56)
_HIGH_AT = np.uint64(16)
_EMPTY = np.uint64(0)


def _rows(memory: int) -> int:
    """How many rows take no more than this many bytes, but for a least number."""
    return 1 << max(10, (memory // _BYTES_A_ROW).bit_length() - 1)


def new_table(memory: int, empty: Callable[[Any, Any], NDArray[Any]]) -> NDArray[np.uint64]:
    """An empty table of about this many bytes; `empty(shape, dtype)` makes it."""
    return empty((_rows(memory), 2), np.uint64)


def shared_table(file: Path, memory: int) -> NDArray[np.uint64]:
    """The table in a file, which other processes of this machine use at the same time; made if it is not there. What is
    there must have been written with the same memory and the same kernels: the caller names the file by these."""
    size = _rows(memory) * _BYTES_A_ROW
    with file.open("ab") as opened:
        # A file that is only made longer takes no room on the disk until it is written to.
        if opened.tell() < size:
            opened.truncate(size)
    return np.memmap(file, np.uint64, "r+", shape=(_rows(memory), 2))


@inline
def hashed(s, words):
    """Two hashes of a position's first words: where it stands in the table, and what is compared there."""
    a, b = np.uint64(0), np.uint64(0)
    for k in range(words):
        word = np.uint64(s[k])
        a = (a ^ word) * _A
        a ^= a >> _S32
        b = (b + word) * _B
        b ^= b >> _S29
    return a, b


@inline
def find_row(table, a, b):
    """The row of the table with this position, or -1."""
    first = np.int64(a & np.uint64(len(table) - 1)) & ~(_BUCKET - 1)
    for row in range(first, first + _BUCKET):
        word = table[row, 1]
        if table[row, 0] ^ word == b and word != _EMPTY:
            return np.int64(row)
    return np.int64(-1)


@inline
def packed(low, high, move, effort):
    """One word: two bounds (16 bits each, shifted to be positive), the best move (24 bits, one up), effort."""
    word = np.uint64(low + FAR) | (np.uint64(high + FAR) << _HIGH_AT)
    return word | (np.uint64(move + 1) << _MOVE_AT) | (np.uint64(effort) << _EFFORT_AT)


@inline
def low_of(word):
    return np.int64(word & _LOW16) - FAR


@inline
def high_of(word):
    return np.int64((word >> _HIGH_AT) & _LOW16) - FAR


@inline
def move_of(word):
    return np.int64((word >> _MOVE_AT) & _LOW24) - 1


@inline
def effort_of(word):
    return np.int64((word >> _EFFORT_AT) & _LOW8)


@inline
def store(table, a, b, low, high, move, seen):
    """Remember bounds of a position; of a full bucket the one that took the least work makes room."""
    effort = 1
    while seen > 1 and effort < 255:
        seen >>= 1
        effort += 1
    row = find_row(table, a, b)
    if row >= 0:
        low, high = max(low, low_of(table[row, 1])), min(high, high_of(table[row, 1]))
        if move < 0:
            move = move_of(table[row, 1])
    else:
        first = np.int64(a & np.uint64(len(table) - 1)) & ~(_BUCKET - 1)
        row = first
        for other in range(first, first + _BUCKET):
            if effort_of(table[other, 1]) < effort_of(table[row, 1]):
                row = other
    word = packed(low, high, move, effort)
    table[row, 0] = b ^ word
    table[row, 1] = word
