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
def unpack_flags(flags, actions, counts, out, rest, per_game, begin, end):
    """Write masks of `per_game` bytes, which lie in one piece: `out` are their bytes by eights, `rest` those behind the
    last eight. All is flagged where nothing is legal: there the game is over. Masks of games that were kept as they are
    stay what they are."""
    words = flags.shape[1]
    for k in range(begin, end):
        i = 8 * k // per_game
        at = 8 * k - i * per_game
        if k < len(out) and at + 8 <= per_game:
            if actions[i] != KEEP:
                word = at >> 5
                held = np.uint64(flags[i, word])
                if word + 1 < words:
                    held |= np.uint64(flags[i, word + 1]) << np.uint64(32)
                eight = (held >> np.uint64(at & 31)) & np.uint64(255)
                if counts[i] == 0:
                    eight = np.uint64(255)
                out[k] = ((((eight * _EIGHT) & _EACH) + _CARRY) >> np.uint64(7)) & _EIGHT
            continue
        eight = out[k] if k < len(out) else np.uint64(0)
        for byte in range(8 if k < len(out) else len(rest)):
            if actions[i] != KEEP:
                flag = np.uint64(flags[i, at >> 5] >> np.uint32(at & 31)) & np.uint64(1)
                if counts[i] == 0:
                    flag = np.uint64(1)
                eight = (eight & ~(np.uint64(255) << np.uint64(8 * byte))) | (flag << np.uint64(8 * byte))
                if k >= len(out):
                    rest[byte] = flag
            at += 1
            if at == per_game:
                at = 0
                i += 1
        if k < len(out):
            out[k] = eight


_SIGNATURES = """
unpack_flags(flags: uint32[?n, ?words], actions: int32[n], counts: int32[n], out: uint64[?eights], rest: uint8[?bytes], per_game: int64, begin: int64, end: int64)
"""


def entries(game: Game) -> dict[str, abi.Entry]:
    """The loops for games that write all flags of a mask."""
    if not hasattr(observation(game), "mask"):
        return {}
    return abi.entries(_SIGNATURES, {"unpack_flags": unpack_flags})
