"""Loops of batches that only a GPU runs: they write masks and observations, sixteen bytes a thread, side by side, and
lists by many threads each.

What is written is packed before, a bit a number: masks by one thread a game, observations as `core.planes` says. Here
the packed bits are rows: a game's mask, or a plane of an observation. The bytes of all rows lie in one piece in memory, so
sixteen of them may belong to two rows; rows have at least as many. Such sixteen bytes of observations are written as all
others, and those of masks, of which there are fewer, one by one.
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
from snakeden.core.gpu_operations import load_pair, put, row_of, store_bytes, store_pair, take_number
from snakeden.core.kernel import inline, kernel, unrolled
from snakeden.core.learning import KEEP, observation
from snakeden.programs import abi
from snakeden.programs.contents import contents
from snakeden.programs.gpu_kernels import gpu_module

_ALL, _HALF = np.uint32(0xFFFFFFFF), np.uint64(0xFFFFFFFF)
_FOUR, _LOWEST = np.uint32(0x00204081), np.uint32(0x01010101)
_BYTE, _ROUNDING = np.float32(255), np.float32(0.5)
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
def as_float(value):
    """A number of 32 bits that was read as its bits."""
    return np.uint32(value)


@inline
def as_byte(value):
    """As `unpack_bytes` does it: a product of 32 bits makes the same byte of every number from 0 to 1."""
    return np.uint32(value * _BYTE + _ROUNDING)


@inline
def float_group(flags, here, first, second):
    """Four floats: `first` or, from place `here` on, `second` where a flag is set, and 0 elsewhere."""
    a = first if flags & np.uint32(1) else np.uint32(0)
    b = (first if here > np.uint32(1) else second) if flags & np.uint32(2) else np.uint32(0)
    c = (first if here > np.uint32(2) else second) if flags & np.uint32(4) else np.uint32(0)
    d = (first if here > np.uint32(3) else second) if flags & np.uint32(8) else np.uint32(0)
    return pair(a, b), pair(c, d)


@inline
def byte_group(flags, here, first, second):
    """Sixteen bytes, as in `float_group`."""
    a = np.uint32(first * _LOWEST)
    b, c, d = a, a, a
    if flags & np.uint32(0xFFFF) != np.uint32(0xFFFF):
        a = np.uint32(four_bytes(flags) * first)
        b = np.uint32(four_bytes(np.uint32(flags >> np.uint32(4))) * first)
        c = np.uint32(four_bytes(np.uint32(flags >> np.uint32(8))) * first)
        d = np.uint32(four_bytes(np.uint32(flags >> np.uint32(12))) * first)
    if first != second:
        late, more = np.uint32(flags & np.uint32(_ALL << here)), np.uint32(second - first)
        a = np.uint32(a + np.uint32(four_bytes(late) * more))
        b = np.uint32(b + np.uint32(four_bytes(np.uint32(late >> np.uint32(4))) * more))
        c = np.uint32(c + np.uint32(four_bytes(np.uint32(late >> np.uint32(8))) * more))
        d = np.uint32(d + np.uint32(four_bytes(np.uint32(late >> np.uint32(12))) * more))
    return pair(a, b), pair(c, d)


@cache
def make_write_planes(each: int, one: int, number_of: Any, group: Any) -> Any:
    """Writes packed observations out, as `unpack_floats` or `unpack_bytes`: sixteen bytes, `each` numbers, at a time,
    with `one` for a bit. `bits` and `values` lie in one piece; `words` is the number of words of a plane's bits. The last
    `constant` planes of a game are the same everywhere: they have all bits, and a number that stands for a bit. All others
    have bits; there is at least one. `rest` are bytes behind the last whole sixteen, no more of them than threads."""

    @inline
    def found(bits, values, game, plane, field, marked, constant, words, fields):
        """Sixteen bytes from this field on, which do not go on behind the last plane of all."""
        row = np.uint32(game * marked)
        at = np.uint32(np.uint32(np.uint32(game * constant) + plane) - marked)
        if plane < marked:
            flags = flags_at(bits, np.uint32(np.uint32(row + plane) * np.uint32(words)), field)
            first = np.uint32(one)
        else:
            flags, first = _ALL, number_of(values[np.uint64(at)])
        here, second = np.uint32(np.uint32(fields) - field), first
        if here < np.uint32(each):
            # Behind the last plane comes the first one of the next game.
            plane = np.uint32(plane + np.uint32(1))
            if plane < marked or plane == np.uint32(marked + constant):
                word = np.uint32(np.uint32(row + min(plane, marked)) * np.uint32(words))
                more, second = bits[np.uint64(word)], np.uint32(one)
            else:
                more, second = _ALL, number_of(values[np.uint64(np.uint32(at + np.uint32(1)))])
            flags = joined(flags, more, here)
        return group(flags, here, first, second)

    @kernel
    def run(bits, values, out, rest, planes, marked, words, fields, lanes, begin, end):
        rows_on, fields_on = np.uint32(lanes * each // fields), np.uint32(lanes * each % fields)
        groups, planes, marked = np.uint32(len(out) // 2), np.uint32(planes), np.uint32(marked)
        constant = np.uint32(planes - marked)
        games_on, planes_on = next_plane(np.uint32(0), rows_on, planes)
        for thread in range(begin, end):
            lane = np.uint32(np.uint32(thread) & np.uint32(lanes - 1))
            k = np.uint32(np.uint32(np.uint32(np.uint32(thread) - lane) * np.uint32(GROUPS)) + lane)
            row, field = place_of(k, each, fields)
            game = np.uint32(row // planes)
            plane = np.uint32(row - np.uint32(game * planes))
            for _ in unrolled(range(GROUPS)):
                if k < groups:
                    low, high = found(bits, values, game, plane, field, marked, constant, words, fields)
                    store_pair(out, k, low, high)
                k = np.uint32(k + np.uint32(lanes))
                field = np.uint32(field + fields_on)
                is_over = field >= np.uint32(fields)
                field = np.uint32(field - np.uint32(fields)) if is_over else field
                plane = np.uint32(plane + planes_on)
                plane = np.uint32(plane + np.uint32(1)) if is_over else plane
                is_next = plane >= planes
                plane = np.uint32(plane - planes) if is_next else plane
                game = np.uint32(game + games_on)
                game = np.uint32(game + np.uint32(1)) if is_next else game
            if thread < len(rest):
                # They belong to the last plane of all.
                field = np.uint32(fields - len(rest) + thread)
                flags, value = _ALL, np.uint32(one)
                if marked < planes:
                    value = number_of(values[len(values) - 1])
                else:
                    flags = flags_at(bits, np.uint32(len(bits) - words), field)
                rest[thread] = value if flags & np.uint32(1) else np.uint32(0)

    return run


@inline
def next_plane(game, plane, planes):
    """The game and its plane, where `plane` is counted on beyond the game's last."""
    while plane >= planes:
        plane = np.uint32(plane - planes)
        game = np.uint32(game + np.uint32(1))
    return game, plane


@kernel
def unpack_flags(flags, actions, counts, out, per_game, lanes, begin, end):
    """Write masks of `per_game` bytes; `flags` and masks lie in one piece each. All is flagged where nothing is legal:
    there the game is over. Masks of games that were kept as they are stay what they are. `lanes` threads, two at least,
    write a game's mask side by side."""
    # As `gpu_kernels.flag_words`.
    words = (per_game + 511) // 512 * 16
    for thread in range(begin, end):
        game = np.uint64(np.uint32(thread) // np.uint32(lanes))
        lane = np.int64(np.uint32(np.uint32(thread) & np.uint32(lanes - 1)))
        if actions[game] != KEEP:
            always = np.uint32(0) if counts[game] != 0 else _ALL
            start, word = np.int64(game * np.uint64(per_game)), np.int64(game * np.uint64(words))
            before = np.int64(np.uint32(-start & 15))
            write_whole(flags, out, always, start, word, before, lane, per_game, lanes)
            for first in unrolled(range(0, 32, lanes)):
                write_edge(flags, out, always, start, word, before, first + lane, per_game)


@inline
def write_whole(flags, out, always, start, word, before, lane, per_game, lanes):
    """Write the groups that lie in a mask as a whole, of which this thread writes one of `lanes`. The mask begins with byte
    `start`, `before` bytes before the first group, and its flags with this word; `always` are set in any case."""
    group = (start + before) >> 4
    # What the threads write at the same time begins where a line of the memory does: the first may have nothing to do.
    at = lane - (group & (min(lanes, 8) - 1))
    k, field = group + at, before + 16 * at
    # The next group of this thread begins with the same bit of a later word.
    first, second, bit = word + (field >> 5), word + ((field + 15) >> 5), np.uint64(field & 31)
    # Counted from eight on, so that no number is negative.
    number, count = np.uint32(at + 8), np.uint32((per_game - before) >> 4)
    while number < np.uint32(count + np.uint32(8)):
        near, far = np.uint32(number + np.uint32(lanes)), np.uint32(number + np.uint32(2 * lanes))
        last = np.uint32(number + np.uint32(3 * lanes))
        # All are read before the first is written: so the thread waits for the memory once.
        a = flags_between(flags, first, second, bit, number, count)
        b = flags_between(flags, first + lanes // 2, second + lanes // 2, bit, near, count)
        c = flags_between(flags, first + lanes, second + lanes, bit, far, count)
        d = flags_between(flags, first + 3 * lanes // 2, second + 3 * lanes // 2, bit, last, count)
        write_flags(out, k, np.uint32(a | always), number, count)
        write_flags(out, k + lanes, np.uint32(b | always), near, count)
        write_flags(out, k + 2 * lanes, np.uint32(c | always), far, count)
        write_flags(out, k + 3 * lanes, np.uint32(d | always), last, count)
        first, second, k = first + 2 * lanes, second + 2 * lanes, k + 4 * lanes
        number = np.uint32(last + np.uint32(lanes))


@inline
def is_group(number, count):
    """Whether there is a group with this number, where the first of `count` is number 8."""
    return np.uint32(number - np.uint32(8)) < count


@inline
def flags_between(flags, first, second, bit, number, count):
    """Sixteen flags from this bit of the first of two words on; 0 if there is no group with this number."""
    if is_group(number, count):
        return np.uint32((pair(flags[first], flags[second]) >> bit) & _HALF)
    return np.uint32(0)


@inline
def write_flags(out, k, found, number, count):
    """Write sixteen flags as the k-th group, if there is one with this number."""
    if is_group(number, count):
        store_bytes(out, k, eight_bytes(found), eight_bytes(np.uint32(found >> np.uint32(8))))


@inline
def write_edge(flags, out, always, start, word, before, at, per_game):
    """Write one of the up to fifteen bytes before the groups that lie in a mask as a whole, number `at`, or of as many
    behind them, counted from sixteen on. The rest is as in `write_whole`."""
    behind = (per_game - before) & 15
    if at < before or 16 <= at < 16 + behind:
        field = at if at < 16 else per_game - behind + at - 16
        found = np.uint32(flags[word + (field >> 5)] | always)
        out[start + field] = (found >> np.uint32(field & 31)) & np.uint32(1)


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
_LISTS = """
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
        found |= abi.entries(_LISTS, {"list_flags": list_flags})
        found["step_flags"] = _renamed(contents(game, "batch")["step_masks"], "step_flags")
    gpu = gpu_module(game)
    if hasattr(gpu, "lists_by_places"):
        functions = {
            "queue_games": make_queue(gpu),
            "flag_places": make_flag_places(gpu),
            "list_places": make_list_places(gpu),
        }
        found |= abi.entries(_PLACES, functions)
        found["step_unlisted"] = _renamed(contents(game, "batch")["step_lists"], "step_unlisted")
    return found


def _renamed(entry: abi.Entry, name: str) -> abi.Entry:
    return replace(entry, signature=replace(entry.signature, name=name))
