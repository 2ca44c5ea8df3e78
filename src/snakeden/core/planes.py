"""Packed observations: a bit for every field of a plane, and one number for a plane that is the same everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snakeden.core.kernel import inline

FIELDS = 32
"""Fields of a word."""


def words(fields: int) -> int:
    """How many words have the bits of a plane."""
    return -(-fields // FIELDS)


@inline
def mark(bits, plane, field):
    """Set a field of a plane; `bits` is uint32[planes, words]."""
    bits[plane, field >> 5] |= np.uint32(1) << np.uint32(field & 31)


@inline
def mark_row(bits, plane, first, flags):
    """Set fields of a plane from `first` on, as the lowest 32 bits of an unsigned word of 64 say."""
    moved = flags << np.uint64(first & 31)
    word = first >> 5
    bits[plane, word] |= np.uint32(moved & np.uint64(0xFFFFFFFF))
    if moved >> np.uint64(32) != 0:
        bits[plane, word + 1] |= np.uint32(moved >> np.uint64(32))


def unpack(
    bits: NDArray[np.uint32], values: NDArray[np.float32], grid: tuple[int, int]
) -> NDArray[np.float32]:
    """[..., planes, rows, columns] the observation with these bits [..., marked planes, words] and these numbers
    [..., constant planes], on a grid of (rows, columns)."""
    rows, columns = grid
    flags = np.unpackbits(bits.astype("<u4").view(np.uint8), axis=-1, count=rows * columns, bitorder="little")
    marked = flags.reshape(*flags.shape[:-1], rows, columns).astype(np.float32)
    constant = np.broadcast_to(values[..., None, None], (*values.shape, rows, columns))
    return np.concatenate([marked, constant], axis=-3)
