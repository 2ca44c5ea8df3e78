"""NumPy's SeedSequence: independent seeds from a few whole numbers.

The algorithm is Melissa O'Neill's `seed_seq_fe`, as NumPy documents and fixes it for all time (NEP 19).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_POOL = 4
_WORD = (1 << 32) - 1
_INIT_A, _MULTIPLIER_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _MULTIPLIER_B = 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = 0xCA01F9DD, 0x4973F715
_SHIFT = 16


class _Hash:
    """A hash whose constant moves on with every word."""

    def __init__(self, constant: int, multiplier: int) -> None:
        self._constant, self._multiplier = constant, multiplier

    def __call__(self, value: int) -> int:
        value ^= self._constant
        self._constant = self._constant * self._multiplier & _WORD
        value = value * self._constant & _WORD
        return value ^ value >> _SHIFT


def _mixed(x: int, y: int) -> int:
    found = (_MIX_LEFT * x - _MIX_RIGHT * y) & _WORD
    return found ^ found >> _SHIFT


def _words(number: int) -> list[int]:
    """A whole number as words of 32 bits, the lowest first."""
    found = [number & _WORD]
    while number := number >> 32:
        found.append(number & _WORD)
    return found


class SeedSequence:
    def __init__(self, entropy: Sequence[int]) -> None:
        words = [word for number in entropy for word in _words(number)]
        scrambled = _Hash(_INIT_A, _MULTIPLIER_A)
        self._pool = [scrambled(word) for word in (words + [0] * _POOL)[:_POOL]]
        for source in range(_POOL):
            for target in range(_POOL):
                if source != target:
                    self._pool[target] = _mixed(self._pool[target], scrambled(self._pool[source]))
        for word in words[_POOL:]:
            for target in range(_POOL):
                self._pool[target] = _mixed(self._pool[target], scrambled(word))

    def generate_state(self, count: int, _: Any) -> list[int]:
        """This many words of 64 bits."""
        scrambled = _Hash(_INIT_B, _MULTIPLIER_B)
        halves = [scrambled(self._pool[k % _POOL]) for k in range(2 * count)]
        return [halves[2 * k] | halves[2 * k + 1] << 32 for k in range(count)]
