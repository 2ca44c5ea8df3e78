"""The natural logarithm for kernels, the same to the last bit on every machine.

The mathematical libraries of CPUs, GPUs and browsers differ in their last bits, and a search that uses them would
choose different moves. Sums and products do not differ.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.bitset import word_size
from snakeden.core.kernel import noinline

_LN2, _SQRT2 = 0.6931471805599453, 1.4142135623730951
_S1, _S2, _S4, _S8, _S16, _S32 = (np.uint64(1 << k) for k in range(6))


@noinline
def log(n):
    """The natural logarithm of a whole number from 1 to 2**53, to about 15 digits.

    It is never inlined: where a loop uses it, V8 would move it from before the loop into it."""
    x = np.uint64(n)
    x |= x >> _S1
    x |= x >> _S2
    x |= x >> _S4
    x |= x >> _S8
    x |= x >> _S16
    x |= x >> _S32
    twos = word_size(x) - 1
    m = np.float64(n) / np.float64(np.int64(1) << twos)
    if m > _SQRT2:
        m *= 0.5
        twos += 1
    # The series of 2 artanh((m - 1) / (m + 1)); its argument is at most 0.172.
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    p = 1.0 / 19.0
    p = p * z + 1.0 / 17.0
    p = p * z + 1.0 / 15.0
    p = p * z + 1.0 / 13.0
    p = p * z + 1.0 / 11.0
    p = p * z + 1.0 / 9.0
    p = p * z + 1.0 / 7.0
    p = p * z + 1.0 / 5.0
    p = p * z + 1.0 / 3.0
    return np.float64(twos) * _LN2 + 2.0 * s * (1.0 + z * p)
