"""Writing sixteen bytes at once."""

from __future__ import annotations

from snakeden.core.kernel import inline


@inline
def store_pair(out, k, low, high):
    """Write the k-th pair of words of an array that begins at a multiple of sixteen bytes. A GPU's program has one
    instruction for it."""
    out[2 * k] = low
    out[2 * k + 1] = high
