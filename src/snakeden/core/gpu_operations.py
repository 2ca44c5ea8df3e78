"""Operations that a GPU has instructions of its own for, as plain kernels; `programs/gpu_bits.py` has the others."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline


@inline
def store_pair(out, k, low, high):
    """Write the k-th pair of words of an array that begins at a multiple of sixteen bytes."""
    out[2 * k] = low
    out[2 * k + 1] = high


@inline
def store_bytes(out, k, low, high):
    """Write a pair of words as the k-th sixteen bytes of an array of uint8 that begins at a multiple of sixteen."""
    for byte in range(8):
        out[16 * k + byte] = (low >> np.uint64(8 * byte)) & np.uint64(255)
        out[16 * k + 8 + byte] = (high >> np.uint64(8 * byte)) & np.uint64(255)


@inline
def load_pair(array, k):
    """The k-th pair of words of an array that begins at a multiple of sixteen bytes."""
    return array[2 * k], array[2 * k + 1]


@inline
def row_of(array, k):
    """Row k of an array of int32, to be written to by `put`."""
    return array[k]


@inline
def put(row, at, number):
    """Write a number to a row."""
    row[at] = number


@inline
def take_number(taken):
    """The number in taken[0], which grows by one: no two threads get the same."""
    number = taken[0]
    taken[0] = number + 1
    return number
