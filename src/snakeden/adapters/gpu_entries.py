"""Loops of batches that only a GPU runs: they write masks and observations, sixteen bytes a thread, side by side, and
lists by many threads each.

What is written is packed before, a bit a number: masks by one thread a game, observations as `core.planes` says. Here
the packed bits are rows: a game's mask, or a plane of an observation. The bytes of all rows lie in one piece in memory, so
sixteen of them may belong to two rows; rows have at least as many.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.adapters.batch_entries import copy_words
from snakeden.adapters.rewards import rewards
from snakeden.core.bitset import word_size
from snakeden.core.game import Game
from snakeden.core.gpu_operations import load_pair, put, row_of, store_pair, take_number
from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.core.learning import KEEP, observation
from snakeden.programs import abi
from snakeden.programs.contents import contents
from snakeden.programs.gpu_kernels import gpu_module

_ALL, _HALF = np.uint32(0xFFFFFFFF), np.uint64(0xFFFFFFFF)
_FOUR, _LOWEST = np.uint32(0x00204081), np.uint32(0x01010101)
GROUPS = 4
"""Groups of sixteen bytes that a thread writes to observations: where the first one lies takes longest to find out."""

# Numbers have 32 bits wherever they can: longer ones take several instructions each.


@inline
def place_of(k, each, fields):
    """The row and the field where the k-th group of `each` numbers begins."""
    rows = np.uint32(np.uint32(k) // np.uint32(fields))
    rest = np.uint32(np.uint32(np.uint32(k) - np.uint32(rows * np.uint32(fields))) * np.uint32(each))
    more = np.uint32(rest // np.uint32(fields))
    row = np.uint32(np.uint32(rows * np.uint32(each)) + more)
    return row, np.uint32(rest - np.uint32(more * np.uint32(fields)))


@inline
def flags_at(bits, word, field):
    """The bits of a row from this field on, the first as the lowest; the row begins with this word. At least sixteen
    are right where the row has as many."""
    first = np.uint32(word + np.uint32(field >> np.uint32(5)))
    second = min(np.uint32(first + np.uint32(1)), np.uint32(len(bits) - 1))
    both = np.uint64(bits[np.uint64(first)]) | (np.uint64(bits[np.uint64(second)]) << np.uint64(32))
    return np.uint32(both >> np.uint64(field & np.uint32(31)))


@inline
def joined(flags, more, here):
    """The first `here` flags, fewer than 32, and then the others."""
    kept = np.uint32(flags & np.uint32((np.uint32(1) << here) - np.uint32(1)))
    return np.uint32(kept | np.uint32(more << here))


@inline
def four_bytes(flags):
    """The lowest four bits as bytes."""
    return np.uint32(np.uint32(np.uint32(flags & np.uint32(15)) * _FOUR) & _LOWEST)


@inline
def pair(low, high):
    """Two words of 32 bits as one."""
    return np.uint64(low) | (np.uint64(high) << np.uint64(32))


@inline
def eight_bytes(flags):
    """The lowest eight bits as bytes."""
    return pair(four_bytes(flags), four_bytes(np.uint32(flags >> np.uint32(4))))


@inline
def write_group(out, rest, k, low, high):
    """Write sixteen bytes as the k-th of their kind; behind the last whole sixteen, to `rest`."""
    if np.uint64(2) * np.uint64(k) < np.uint64(len(out)):
        store_pair(out, k, low, high)
    else:
        for byte in range(len(rest)):
            word = low if byte < 8 else high
            rest[byte] = (word >> np.uint64(8 * (byte & 7))) & np.uint64(255)


@inline
def as_float(value):
    """A number of 32 bits that was read as its bits."""
    return np.uint32(value)


@inline
def as_byte(value):
    return np.uint32(np.float32(value * 255.0 + 0.5))


@inline
def float_group(flags, here, first, second):
    """Four floats: `first` or, from place `here` on, `second` where a flag is set, and 0 elsewhere."""
    a = first if flags & np.uint32(1) else np.uint32(0)
    b = (first if here > np.uint32(1) else second) if flags & np.uint32(2) else np.uint32(0)
    c = (first if here > np.uint32(2) else second) if flags & np.uint32(4) else np.uint32(0)
    d = (first if here > np.uint32(3) else second) if flags & np.uint32(8) else np.uint32(0)
    return pair(a, b), pair(c, d)


@inline
def byte_mask(flags):
    """255 in each of four bytes whose flag, of the lowest four, is set."""
    return np.uint32(four_bytes(flags) * np.uint32(255))


@inline
def byte_group(flags, here, first, second):
    """Sixteen bytes, as in `float_group`."""
    a = np.uint32(first * _LOWEST)
    b, c, d = a, a, a
    if first != second:
        other, early = np.uint32(second * _LOWEST), np.uint32((np.uint32(1) << here) - np.uint32(1))
        change = np.uint32(a ^ other)
        a = np.uint32(other ^ np.uint32(change & byte_mask(early)))
        b = np.uint32(other ^ np.uint32(change & byte_mask(np.uint32(early >> np.uint32(4)))))
        c = np.uint32(other ^ np.uint32(change & byte_mask(np.uint32(early >> np.uint32(8)))))
        d = np.uint32(other ^ np.uint32(change & byte_mask(np.uint32(early >> np.uint32(12)))))
    a = np.uint32(a & byte_mask(flags))
    b = np.uint32(b & byte_mask(np.uint32(flags >> np.uint32(4))))
    c = np.uint32(c & byte_mask(np.uint32(flags >> np.uint32(8))))
    d = np.uint32(d & byte_mask(np.uint32(flags >> np.uint32(12))))
    return pair(a, b), pair(c, d)


@cache
def make_write_planes(each: int, one: int, number_of: Any, group: Any) -> Any:
    """Writes packed observations out, as `unpack_floats` or `unpack_bytes`: sixteen bytes, `each` numbers, at a time,
    with `one` for a bit. `bits` and `values` lie in one piece; `words` is the number of words of a plane's bits."""

    @inline
    def plane_at(bits, values, game, plane, field, planes, marked, words):
        """What a plane is from this field on: bits, and what stands for a bit. Planes that are the same everywhere have
        all bits."""
        if plane < np.uint32(marked):
            row = np.uint32(np.uint32(game * np.uint32(marked)) + plane)
            return flags_at(bits, np.uint32(row * np.uint32(words)), field), np.uint32(one)
        row = np.uint32(game * np.uint32(planes - marked))
        value = values[np.uint64(np.uint32(row + np.uint32(plane - np.uint32(marked))))]
        return _ALL, number_of(value)

    @inline
    def write(bits, values, out, rest, k, game, plane, field, planes, marked, words, fields):
        flags, first = plane_at(bits, values, game, plane, field, planes, marked, words)
        here, second = np.uint32(np.uint32(fields) - field), first
        if here < np.uint32(each):
            # The last group may end with the last row of all.
            game, plane = next_plane(game, np.uint32(plane + np.uint32(1)), planes)
            more = np.uint32(0)
            if np.uint64(game) * np.uint64(marked * words) < np.uint64(len(bits)):
                more, second = plane_at(bits, values, game, plane, np.uint32(0), planes, marked, words)
            flags = joined(flags, more, here)
        low, high = group(flags, here, first, second)
        write_group(out, rest, k, low, high)

    @kernel
    def run(bits, values, out, rest, planes, marked, words, fields, lanes, begin, end):
        rows_on = lanes * each // fields
        fields_on = lanes * each % fields
        groups = len(out) // 2 + (1 if len(rest) > 0 else 0)
        for thread in range(begin, end):
            k = thread // lanes * (GROUPS * lanes) + thread % lanes
            row, field = place_of(k, each, fields)
            game = np.uint32(row // np.uint32(planes))
            plane = np.uint32(row - np.uint32(game * np.uint32(planes)))
            for _ in unrolled(range(GROUPS)):
                if k < groups:
                    write(bits, values, out, rest, k, game, plane, field, planes, marked, words, fields)
                k += lanes
                field = np.uint32(field + np.uint32(fields_on))
                is_next = field >= np.uint32(fields)
                field = np.uint32(field - np.uint32(fields)) if is_next else field
                plane = np.uint32(plane + np.uint32(rows_on + 1 if is_next else rows_on))
                game, plane = next_plane(game, plane, planes)

    return run


@inline
def next_plane(game, plane, planes):
    """The game and its plane, where `plane` is counted on beyond the game's last."""
    while plane >= np.uint32(planes):
        plane = np.uint32(plane - np.uint32(planes))
        game = np.uint32(game + np.uint32(1))
    return game, plane


@kernel
def unpack_flags(flags, actions, counts, out, rest, per_game, begin, end):
    """Write masks of `per_game` bytes; `flags` lie in one piece. All is flagged where nothing is legal: there the game is
    over. Masks of games that were kept as they are stay what they are."""
    # As `gpu_kernels.flag_words`.
    words = np.uint32((per_game + 511) // 512 * 16)
    for k in range(begin, end):
        game, field = place_of(k, 16, per_game)
        found = flags_at(flags, np.uint32(game * words), field)
        found = found if counts[np.uint64(game)] != 0 else _ALL
        written = _ALL if actions[np.uint64(game)] != KEEP else np.uint32(0)
        here = np.uint32(np.uint32(per_game) - field)
        after = np.uint32(game + np.uint32(1))
        if here < np.uint32(16) and np.uint64(after) < np.uint64(len(actions)):
            more = flags_at(flags, np.uint32(after * words), np.uint32(0))
            found = joined(found, more if counts[np.uint64(after)] != 0 else _ALL, here)
            written = joined(written, _ALL if actions[np.uint64(after)] != KEEP else np.uint32(0), here)
        if written & np.uint32(0xFFFF) == np.uint32(0xFFFF):
            high = np.uint32(found >> np.uint32(8))
            write_group(out, rest, k, eight_bytes(found), eight_bytes(high))
        else:
            write_some(out, rest, k, found, written)


@inline
def write_some(out, rest, k, found, written):
    """Write only those of sixteen flags that `written` has a bit for."""
    if 2 * k < len(out):
        for word in range(2):
            new = eight_bytes(np.uint32(found >> np.uint32(8 * word)))
            kept = ~(eight_bytes(np.uint32(written >> np.uint32(8 * word))) * np.uint64(255))
            out[2 * k + word] = (out[2 * k + word] & kept) | (new & ~kept)
    else:
        for byte in range(len(rest)):
            if (written >> np.uint32(byte)) & np.uint32(1):
                rest[byte] = (found >> np.uint32(byte)) & np.uint32(1)


@inline
def write_number(moves, game, at, held, bit, first):
    """Write first + bit to a list if the word has the bit; its lowest bit would be written to `at`."""
    if (held >> np.uint32(bit)) & np.uint32(1):
        before = np.uint64(held) & ((np.uint64(1) << np.uint64(bit)) - np.uint64(1))
        moves[game, at + word_size(before)] = first + bit


@inline
def list_bit(row, at, held, here, number):
    """Write a number to a list if the word has the bit `here`; its lowest bit would be written to row[at]."""
    if held & here:
        before = word_size(np.uint64(held & np.uint32(here - np.uint32(1))))
        put(row, np.uint32(at + np.uint32(before)), number)


@kernel
def list_flags(flags, actions, moves, words, lanes, begin, end):
    """Write the numbers of flags to the lists of all games but those that were kept as they are. `lanes` threads write
    a game's list side by side, each for its own bits of a word. Many words have no flags: sixteen are looked at at once,
    and then four."""
    for thread in range(begin, end):
        game, lane = np.uint64(thread // lanes), np.uint32(thread % lanes)
        if actions[game] != KEEP:
            row, at, first = row_of(moves, game), np.uint32(0), lane
            here = np.uint32(np.uint32(1) << lane)
            group = game * np.uint64(words // 4)
            for _ in range(words // 16):
                a, b = load_pair(flags, group), load_pair(flags, group + np.uint64(1))
                c, d = load_pair(flags, group + np.uint64(2)), load_pair(flags, group + np.uint64(3))
                if a[0] | a[1] | b[0] | b[1] | c[0] | c[1] | d[0] | d[1]:
                    for k in unrolled(range(4)):
                        low, high = (a if k == 0 else b) if k < 2 else (c if k == 2 else d)
                        if low | high:
                            for word in unrolled(range(4)):
                                pair = low if word < 2 else high
                                held = np.uint32((pair >> np.uint64(32 * (word & 1))) & _HALF)
                                for bit in unrolled(range(0, 32, lanes)):
                                    number = np.uint32(first + np.uint32(128 * k + 32 * word + bit))
                                    list_bit(row, at, held, np.uint32(here << np.uint32(bit)), number)
                                at = np.uint32(at + np.uint32(word_size(np.uint64(held))))
                group += np.uint64(4)
                first = np.uint32(first + np.uint32(512))


@kernel
def pay_rewards(over, scores, worth, paid, begin, end):
    """Write what the last step was worth: 0 where no game ended; alone, the score; else, by what `worths` says, worth[0]
    for who does not win and worth[k] for each of k winners, who have the highest score."""
    seats = scores.shape[1]
    for i in range(begin, end):
        best, winners = scores[i, 0], 0
        for seat in range(1, seats):
            best = max(best, scores[i, seat])
        for seat in range(seats):
            winners += 1 if scores[i, seat] == best else 0
        for seat in range(seats):
            value = np.float32(scores[i, seat])
            if seats > 1:
                value = worth[winners if scores[i, seat] == best else 0]
            paid[i, seat] = value if over[i] else np.float32(0)


def worths(seats: int) -> NDArray[np.float32]:
    """[seats + 1] what a seat gets if it does not win, and as one of so many winners, as `core.outcome` says. Numbers
    that a GPU computes by itself can differ in their last bit."""
    scores = np.tri(seats, dtype=np.int64)
    paid = rewards(scores)
    return np.array([paid[0, -1], *paid[:, 0]], np.float32)


@cache
def make_play_and_list(rules: ModuleType) -> Any:
    """Plays played[i] in a copy of position parents[chosen[i]] and lists what is legal then; dice are not rolled."""

    @kernel
    def run(t, parents, chosen, played, states, moves, counts, begin, end):
        for i in range(begin, end):
            copy_words(states[i], parents[chosen[i]])
            rules.apply(t, states[i], np.int64(played[i]))
            counts[i] = rules.legal(t, states[i], moves[i])

    return run


@cache
def make_pack_parts(seen: ModuleType) -> Any:
    """Packs observations, as `pack_games`, by many threads each. `seen` is a game's module for that: `bit_parts` threads
    write bits, each word once, and `value_parts` others numbers. `games` positions from number `first` on are packed."""

    @kernel
    def run(t, states, seats, bits, values, first, games, bit_parts, value_parts, begin, end):
        for thread in range(begin, end):
            if thread < games * bit_parts:
                i, part = first + thread // bit_parts, thread % bit_parts
                seen.pack_bits(t, states[i], np.int64(max(seats[i], 0)), np.int64(part), bits[i])
            else:
                rest = thread - games * bit_parts
                i, part = first + rest // value_parts, rest % value_parts
                seen.pack_values(t, states[i], np.int64(max(seats[i], 0)), np.int64(part), values[i])

    return run


# ---- lists by places
#
# Where a game's module for GPUs says so, some lists are made by many threads each: its `is_spread` tells which. Their
# games are queued, so that the threads at work are neighbours. `taken` is int32[1]: how many are in the queue.


@cache
def make_queue(gpu: ModuleType) -> Any:
    """Queues the games that were not kept as they are and whose lists are made by places, in any order."""

    @kernel
    def run(t, states, actions, queue, taken, begin, end):
        for game in range(begin, end):
            if actions[game] != KEEP and gpu.is_spread(t, states[game]):
                queue[take_number(taken)] = game

    return run


@cache
def make_flag_places(gpu: ModuleType) -> Any:
    """Flags what is legal at each of the `places` of the games in the queue, a thread a place."""

    @kernel
    def run(t, states, queue, taken, flags, places, begin, end):
        for thread in range(begin, end):
            if thread // places < taken[0]:
                flags[thread] = gpu.place_flags(t, states[queue[thread // places]], thread % places)

    return run


@cache
def make_list_places(gpu: ModuleType) -> Any:
    """Writes the lists of the games in the queue, and how long they are: as `list_flags`."""

    @kernel
    def run(t, states, queue, taken, flags, moves, counts, places, lanes, begin, end):
        for thread in range(begin, end):
            item, lane = thread // lanes, thread % lanes
            if item < taken[0]:
                game, at = queue[item], 0
                for place in range(places):
                    held = flags[item * places + place]
                    if held != 0:
                        first = gpu.place_number(t, states[game], place)
                        for bit in unrolled(range(0, 32, lanes)):
                            write_number(moves, game, at, held, bit + lane, first)
                        at += word_size(np.uint64(held))
                if lane == 0:
                    counts[game] = at

    return run


_PLANES = (
    "(bits: uint32[?bit_words], values: {values}[?numbers], out: uint64[?pairs], rest: uint8[?bytes], "
    "planes: int64, marked: int64, words: int64, fields: int64, lanes: int64, begin: int64, end: int64)"
)
_OBSERVATIONS = f"""
write_float_planes{_PLANES.format(values="uint32")}
write_byte_planes{_PLANES.format(values="float32")}
"""
_REWARDS = """
pay_rewards(over: uint8[?n], scores: int64[n, seats], worth: float32[?known], paid: float32[n, seats], begin: int64, end: int64)
"""
_PERFT = """
play_and_list(t, parents: state[?known, words], chosen: int32[?n], played: int32[n], states: state[?held, words], moves: int32[held, ?listed], counts: int32[held], begin: int64, end: int64)
"""
_PARTS = """
pack_parts(t, states: state[?n, words], seats: int8[n], bits: uint32[?held, ?marked, ?bit_words], values: float32[held, ?constant], first: int64, games: int64, bit_parts: int64, value_parts: int64, begin: int64, end: int64)
"""
_MASKS = """
unpack_flags(flags: uint32[?words], actions: int32[?n], counts: int32[n], out: uint64[?pairs], rest: uint8[?bytes], per_game: int64, begin: int64, end: int64)
list_flags(flags: uint64[?flag_pairs], actions: int32[?n], moves: int32[n, ?listed], words: int64, lanes: int64, begin: int64, end: int64)
"""
_QUEUE = "states: state[?n, words], {more}queue: int32[n], taken: int32[?one]"
_PLACES = f"""
queue_games(t, {_QUEUE.format(more="actions: int32[n], ")}, begin: int64, end: int64)
flag_places(t, {_QUEUE.format(more="")}, flags: uint32[?flag_words], places: int64, begin: int64, end: int64)
list_places(t, {_QUEUE.format(more="")}, flags: uint32[?flag_words], moves: int32[n, ?listed], counts: int32[n], places: int64, lanes: int64, begin: int64, end: int64)
"""


def entries(game: Game) -> dict[str, abi.Entry]:
    """The loops of a game; those for packing by parts, for masks and for lists by places where it has what they need."""
    functions = {
        # The bits of 1.0.
        "write_float_planes": make_write_planes(4, 0x3F800000, as_float, float_group),
        "write_byte_planes": make_write_planes(16, 255, as_byte, byte_group),
    }
    found = abi.entries(_OBSERVATIONS, functions)
    found |= abi.entries(_REWARDS, {"pay_rewards": pay_rewards})
    found |= abi.entries(_PERFT, {"play_and_list": make_play_and_list(game.rules)})
    seen = gpu_module(game, "gpu_observation")
    if seen is not None:
        found |= abi.entries(_PARTS, {"pack_parts": make_pack_parts(seen)})
    if hasattr(observation(game), "mask"):
        found |= abi.entries(_MASKS, {"unpack_flags": unpack_flags, "list_flags": list_flags})
    gpu = gpu_module(game)
    if hasattr(gpu, "lists_by_places"):
        functions = {
            "queue_games": make_queue(gpu),
            "flag_places": make_flag_places(gpu),
            "list_places": make_list_places(gpu),
        }
        found |= abi.entries(_PLACES, functions)
        step = contents(game, "batch")["step_lists"]
        found["step_unlisted"] = replace(step, signature=replace(step.signature, name="step_unlisted"))
    return found
