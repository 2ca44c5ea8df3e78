"""Randomness for kernels: a 64-bit state passed in and returned (SplitMix64), no generator anywhere else."""

from __future__ import annotations

import numpy as np

from snakeden.core.kernel import inline

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@inline
def bits(rng):
    """(next state, 64 random bits)."""
    rng = rng + _STEP
    z = (rng ^ (rng >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return rng, z ^ (z >> _S31)


@inline
def below(rng, n):
    """(next state, a number from 0 to n - 1), exactly uniform; 0 < n < 2**32."""
    span = np.uint64(n)
    while True:
        rng, z = bits(rng)
        product = (z >> _S32) * span
        low = product & _LOW
        # Lemire's method: only a low part below 2**32 mod n is over-represented.
        if low >= span or low >= (_LOW - span + np.uint64(1)) % span:
            return rng, np.int64(product >> _S32)


@inline
def stream(seed, index):
    """The state that starts stream `index` of this seed; streams of one seed do not depend on each other."""
    _, a = bits(np.uint64(seed))
    _, b = bits(a ^ (np.uint64(index) * _STEP))
    return b
