"""Loops of batches that only a GPU runs: they write masks and observations, sixteen bytes a thread, side by side.

What is written is packed before, a bit a number: masks by one thread a game, observations as `core.planes` says. Here
the packed bits are rows: a game's mask, or a plane of an observation. The bytes of all rows lie in one piece in memory, so
sixteen of them may belong to two rows; rows have at least as many.
"""

from __future__ import annotations

import numpy as np

from snakeden.core.game import Game
from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import KEEP, observation
from snakeden.programs import abi
from snakeden.programs.wide_stores import store_pair

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_FOUR, _LOWEST = np.uint32(0x00204081), np.uint32(0x01010101)
_ONE = np.float32(1.0)


@inline
def place_of(k, each, fields):
    """The row and the field where the k-th group of `each` numbers begins. All numbers have 32 bits: dividing longer
    ones takes several times as long."""
    rows = np.uint32(k) // np.uint32(fields)
    rest = (np.uint32(k) - rows * np.uint32(fields)) * np.uint32(each)
    more = rest // np.uint32(fields)
    return np.uint64(rows * np.uint32(each) + more), np.uint64(rest - more * np.uint32(fields))


@inline
def flags_from(rows, row, field):
    """The bits of a row from this field on, the first as the lowest; at least 32 where the row has as many."""
    word = field >> np.uint64(5)
    held = np.uint64(rows[row, word])
    if word + np.uint64(1) < np.uint64(rows.shape[1]):
        held |= np.uint64(rows[row, word + np.uint64(1)]) << np.uint64(32)
    return held >> (field & np.uint64(31))


@inline
def below(count):
    """A word with this many of its lowest bits set, fewer than 64."""
    return (np.uint64(1) << np.uint64(count)) - np.uint64(1)


@inline
def four_bytes(flags):
    """Four bits as bytes."""
    return np.uint64(np.uint32(np.uint32(flags & np.uint64(15)) * _FOUR) & _LOWEST)


@inline
def eight_bytes(flags):
    """Eight bits as bytes."""
    return four_bytes(flags) | (four_bytes(flags >> np.uint64(4)) << np.uint64(32))


@inline
def write_bytes(out, rest, k, low, high):
    """Write sixteen bytes as the k-th of their kind; behind the last whole sixteen, to `rest`."""
    if np.uint64(2) * np.uint64(k) < np.uint64(len(out)):
        store_pair(out, k, low, high)
    else:
        for byte in range(len(rest)):
            word = low if byte < 8 else high
            rest[byte] = (word >> np.uint64(8 * (byte & 7))) & np.uint64(255)


@inline
def plane_of(rows, values, row, field, planes, marked, one, rounding):
    """What a plane of an observation is from this field on: bits, and what stands for a bit. Planes that are the same
    everywhere have all bits."""
    game = np.uint64(np.uint32(row) // np.uint32(planes))
    plane = row - game * np.uint64(planes)
    if plane < np.uint64(marked):
        return flags_from(rows, game * np.uint64(marked) + plane, field), np.float32(one)
    value = values[game, plane - np.uint64(marked)]
    return _ALL, np.float32(value * one + rounding)


@kernel
def write_byte_planes(rows, values, out, rest, planes, marked, fields, begin, end):
    """As `unpack_bytes`; `rows` are the bits of all games' planes."""
    last = np.uint64(values.shape[0] * planes)
    for k in range(begin, end):
        row, field = place_of(k, 16, fields)
        flags, value = plane_of(rows, values, row, field, planes, marked, 255.0, 0.5)
        first = np.uint64(value)
        low, high = eight_bytes(flags) * first, eight_bytes(flags >> np.uint64(8)) * first
        here = np.uint64(fields) - field
        if here < np.uint64(16) and row + np.uint64(1) < last:
            flags &= below(here)
            more, value = plane_of(
                rows, values, row + np.uint64(1), np.uint64(0), planes, marked, 255.0, 0.5
            )
            more, second = more << here, np.uint64(value)
            low = eight_bytes(flags) * first + eight_bytes(more) * second
            high = eight_bytes(flags >> np.uint64(8)) * first + eight_bytes(more >> np.uint64(8)) * second
        write_bytes(out, rest, k, low, high)


@kernel
def write_float_planes(rows, values, out, rest, planes, marked, fields, begin, end):
    """As `unpack_floats`. Numbers are written as their bits, and `values` are read as theirs; `rest` is there for the
    same parameters as elsewhere, and empty."""
    ones = np.uint64(0x3F800000)
    last = np.uint64(values.shape[0] * planes)
    for k in range(begin, end):
        row, field = place_of(k, 4, fields)
        flags, first = bits_of_plane(rows, values, row, field, planes, marked, ones)
        more, second = np.uint64(0), np.uint64(0)
        here = np.uint64(fields) - field
        if here < np.uint64(4) and row + np.uint64(1) < last:
            flags &= below(here)
            more, second = bits_of_plane(
                rows, values, row + np.uint64(1), np.uint64(0), planes, marked, ones
            )
            more <<= here
        low = two_floats(flags, first) | two_floats(more, second)
        high = two_floats(flags >> np.uint64(2), first) | two_floats(more >> np.uint64(2), second)
        store_pair(out, k, low, high)


@inline
def bits_of_plane(rows, values, row, field, planes, marked, ones):
    """As `plane_of`, with the bits of a number for the number."""
    game = np.uint64(np.uint32(row) // np.uint32(planes))
    plane = row - game * np.uint64(planes)
    if plane < np.uint64(marked):
        return flags_from(rows, game * np.uint64(marked) + plane, field), ones
    return _ALL, np.uint64(values[game, plane - np.uint64(marked)])


@inline
def two_floats(flags, number):
    """The number where a flag is set and 0 elsewhere, for the two lowest flags."""
    first = number if flags & np.uint64(1) != np.uint64(0) else np.uint64(0)
    second = number if flags & np.uint64(2) != np.uint64(0) else np.uint64(0)
    return first | (second << np.uint64(32))


@kernel
def unpack_flags(flags, actions, counts, out, rest, per_game, begin, end):
    """Write masks of `per_game` bytes. All is flagged where nothing is legal: there the game is over. Masks of games
    that were kept as they are stay what they are."""
    games = np.uint64(len(actions))
    for k in range(begin, end):
        game, field = place_of(k, 16, per_game)
        found = flags_from(flags, game, field) if counts[game] != 0 else _ALL
        written = _ALL if actions[game] != KEEP else np.uint64(0)
        here = np.uint64(per_game) - field
        if here < np.uint64(16) and game + np.uint64(1) < games:
            after = game + np.uint64(1)
            more = flags_from(flags, after, np.uint64(0)) if counts[after] != 0 else _ALL
            found = (found & below(here)) | (more << here)
            more = _ALL if actions[after] != KEEP else np.uint64(0)
            written = (written & below(here)) | (more << here)
        low, high = eight_bytes(found), eight_bytes(found >> np.uint64(8))
        if written & np.uint64(0xFFFF) == np.uint64(0xFFFF):
            write_bytes(out, rest, k, low, high)
        else:
            write_some(out, rest, k, found, written)


@inline
def write_some(out, rest, k, found, written):
    """Write only those of sixteen flags that `written` has a bit for."""
    twice = np.uint64(2) * np.uint64(k)
    if twice < np.uint64(len(out)):
        for word in range(2):
            shift = np.uint64(8 * word)
            new, bytes_written = eight_bytes(found >> shift), eight_bytes(written >> shift) * np.uint64(255)
            at = twice + np.uint64(word)
            out[at] = (out[at] & ~bytes_written) | (new & bytes_written)
    else:
        for byte in range(len(rest)):
            if (written >> np.uint64(byte)) & np.uint64(1) != np.uint64(0):
                rest[byte] = (found >> np.uint64(byte)) & np.uint64(1)


_PLANES = (
    "(rows: uint32[?rows, ?words], values: {values}[?n, ?constant], out: uint64[?pairs], rest: uint8[?bytes], "
    "planes: int64, marked: int64, fields: int64, begin: int64, end: int64)"
)
_OBSERVATIONS = f"""
write_float_planes{_PLANES.format(values="uint32")}
write_byte_planes{_PLANES.format(values="float32")}
"""
_MASKS = """
unpack_flags(flags: uint32[?n, ?words], actions: int32[n], counts: int32[n], out: uint64[?pairs], rest: uint8[?bytes], per_game: int64, begin: int64, end: int64)
"""


def entries(game: Game) -> dict[str, abi.Entry]:
    """The loops of a game; those for masks where all flags of a mask are written."""
    functions = {"write_float_planes": write_float_planes, "write_byte_planes": write_byte_planes}
    found = abi.entries(_OBSERVATIONS, functions)
    if hasattr(observation(game), "mask"):
        found |= abi.entries(_MASKS, {"unpack_flags": unpack_flags})
    return found
