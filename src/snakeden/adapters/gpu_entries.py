"""Loops of batches that only a GPU runs. Masks are packed there first, a bit an action, by one thread a game, and then
written out side by side by all threads."""

from __future__ import annotations

import numpy as np

from snakeden.core.game import Game
from snakeden.core.kernel import kernel
from snakeden.core.learning import KEEP, observation
from snakeden.programs import abi

_EIGHT = np.uint64(0x0101010101010101)
_EACH = np.uint64(0x8040201008040201)
_CARRY = np.uint64(0x7F7F7F7F7F7F7F7F)


@kernel
def clear_flags(actions, flags, begin, end):
    """Clear the flags of games that are not kept as they are; work is counted in words."""
    words = flags.shape[1]
    for k in range(begin, end):
        i = k // words
        if actions[i] != KEEP:
            flags[i, k - i * words] = 0


@kernel
def unpack_flags(flags, counts, out, per_game, begin, end):
    """Write masks of `per_game` bytes, eight at a time; they lie in one piece. All is flagged where nothing is legal:
    there the game is over."""
    words = flags.shape[1]
    for k in range(begin, end):
        i = 8 * k // per_game
        at = 8 * k - i * per_game
        if at + 8 <= per_game:
            word = at >> 5
            held = np.uint64(flags[i, word])
            if word + 1 < words:
                held |= np.uint64(flags[i, word + 1]) << np.uint64(32)
            eight = (held >> np.uint64(at & 31)) & np.uint64(255)
            if counts[i] == 0:
                eight = np.uint64(255)
            out[k] = (((eight * _EIGHT) & _EACH) + _CARRY) >> np.uint64(7) & _EIGHT
        else:
            eight = np.uint64(0)
            for byte in range(8):
                if i < len(counts):
                    flag = np.uint64(flags[i, at >> 5] >> np.uint32(at & 31)) & np.uint64(1)
                    if counts[i] == 0:
                        flag = np.uint64(1)
                    eight |= flag << np.uint64(8 * byte)
                at += 1
                if at == per_game:
                    at = 0
                    i += 1
            out[k] = eight


_UNPACK = (
    "(flags: uint32[?n, ?words], counts: int32[n], out: uint64[?eights], per_game: int64, "
    "begin: int64, end: int64)"
)
_SIGNATURES = f"""
clear_flags(actions: int32[?n], flags: uint32[n, ?words], begin: int64, end: int64)
unpack_flags{_UNPACK}
"""


def entries(game: Game) -> dict[str, abi.Entry]:
    """The loops for games that write all flags of a mask."""
    if not hasattr(observation(game), "mask"):
        return {}
    return abi.entries(_SIGNATURES, {"clear_flags": clear_flags, "unpack_flags": unpack_flags})
