"""The loops of batches as kernels: each does its work for the games `begin` to `end` of a batch."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from snakeden.core.game import CHANCE, OVER, Game
from snakeden.core.kernel import inline, kernel
from snakeden.core.learning import KEEP, START, features, observation
from snakeden.core.planes import FIELDS
from snakeden.core.rng import below
from snakeden.programs import abi


@cache
def make_step(rules: ModuleType, study: ModuleType, dice: bool, flags: bool) -> Any:
    """Plays actions[i] in game i, rolls what is to be rolled, and lists what is legal. A game that ends begins again
    if `again`; else its mask becomes all ones.

    `counts` is int32[n], `player` int8[n], `over` bool[n], `scores` int64[n, seats]: the final scores of games
    that have just ended, `last` [n, words] their last positions, or [n, 0] if nobody asks. Legal moves are written to
    `mask` if `flags`, else to `moves` and, if there is one, to `mask`. `dice` and `flags` are constants: what they
    exclude is not compiled.
    """

    @kernel
    def run(
        t, opening, states, rngs, actions, moves, mask, counts, player, over, scores, last, again, begin, end
    ):
        for i in range(begin, end):
            s = states[i]
            over[i] = False
            if actions[i] == KEEP:
                continue
            if actions[i] >= 0:
                rules.apply(t, s, np.int64(actions[i]))
            elif actions[i] == START:
                copy_words(s, opening)
            while True:
                if dice:
                    rules.settle(t, s)
                    if rules.turn(t, s) == CHANCE:
                        rngs[i, 0], move = rules.sample(t, s, rngs[i, 0])
                        rules.apply(t, s, move)
                        continue
                if flags:
                    counts[i] = study.mask(t, s, mask[i])
                else:
                    if mask.shape[1] > 0:
                        if counts[i] == 0:
                            fill(mask[i], 0)  # the game was over, and all were ones
                        for k in range(counts[i]):
                            mask[i, moves[i, k]] = 0
                    counts[i] = rules.legal(t, s, moves[i])
                    if mask.shape[1] > 0:
                        for k in range(counts[i]):
                            mask[i, moves[i, k]] = 1
                if counts[i] > 0:
                    player[i] = rules.turn(t, s)
                    break
                over[i] = True
                rules.scores(t, s, scores[i])
                if last.shape[1] > 0:
                    copy_words(last[i], s)
                if not again:
                    player[i] = OVER
                    fill(mask[i], 1)
                    break
                copy_words(s, opening)

    return run


@kernel
def draw_actions(rngs, moves, mask, counts, chosen, out, begin, end):
    """Draw a legal action of each chosen game, from its list if lists are kept, else from its mask; 0 where there
    is none."""
    for i in range(begin, end):
        if not chosen[i] or counts[i] == 0:
            out[i] = 0
            continue
        rngs[i, 1], n = below(rngs[i, 1], counts[i])
        if moves.shape[1] > 0:
            out[i] = moves[i, n]
            continue
        flags = mask[i]
        at = 0
        # Whole blocks first: their sums are vector instructions.
        while at + 64 <= len(flags):
            found = np.uint8(0)
            for k in range(np.uint64(at), np.uint64(at + 64)):
                found += flags[k]
            if n < found:
                break
            n -= np.int64(found)
            at += 64
        while True:
            n -= np.int64(flags[at])
            if n < 0:
                break
            at += 1
        out[i] = at


@kernel
def check_actions(moves, mask, counts, actions, out, begin, end):
    """Write 1 for each game in which the action is legal, else 0. Actions are from 0 to the highest there is."""
    for i in range(begin, end):
        if mask.shape[1] > 0:
            out[i] = mask[i, actions[i]]
            continue
        low, high = 0, np.int64(counts[i])
        while low < high:
            middle = (low + high) // 2
            if moves[i, middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        out[i] = low < counts[i] and moves[i, low] == actions[i]


@cache
def make_pack(study: ModuleType) -> Any:
    """Writes packed observations of `study`, an observation's or a features' module. `seats` is int8[n]: who looks on;
    seat 0 where it says that nobody is to move."""

    @kernel
    def run(t, states, seats, bits, values, begin, end):
        for i in range(begin, end):
            bits[i] = 0
            study.observe(t, states[i], np.int64(max(seats[i], 0)), bits[i], values[i])

    return run


@cache
def make_unpack(one: float, rounding: float) -> Any:
    """Writes packed observations out, with `one` for 1. Work is counted in lanes: `lanes` of them write a plane of a
    game, every `lanes`-th field each. So the 32 threads of a warp write fields side by side; on a CPU one lane writes
    them all, word by word, which becomes vector instructions."""

    @inline
    def number(bits, field):
        return np.float32(one) if (bits >> np.uint32(field)) & np.uint32(1) != 0 else np.float32(0)

    @kernel
    def run(bits, values, out, lanes, begin, end):
        marked, planes, fields = bits.shape[1], out.shape[1], out.shape[2]
        whole = fields // FIELDS
        for k in range(begin, end):
            # Dividing 32 bits is much cheaper; there are never so many planes.
            lane, at = k % lanes, np.uint32(k // lanes)
            i, plane = np.int64(at // np.uint32(planes)), np.int64(at % np.uint32(planes))
            if plane >= marked:
                everywhere = np.float32(values[i, plane - marked] * one + rounding)
                if lanes == 1:
                    out[i, plane] = everywhere
                else:
                    field = np.uint64(lane)
                    while field < np.uint64(fields):
                        out[np.uint64(i), np.uint64(plane), field] = everywhere
                        field += np.uint64(lanes)
            elif lanes == 1:
                # Unsigned numbers are no places counted from the end: nothing is left to be checked.
                for word in range(np.uint64(whole)):
                    held, first = bits[i, plane, word], word * np.uint64(FIELDS)
                    for field in range(np.uint64(FIELDS)):
                        out[i, plane, first + field] = number(held, field)
                for field in range(fields - FIELDS * whole):
                    out[i, plane, FIELDS * whole + field] = number(bits[i, plane, whole], field)
            else:
                row, column, field = np.uint64(i), np.uint64(plane), np.uint64(lane)
                while field < np.uint64(fields):
                    word, bit = field >> np.uint64(5), field & np.uint64(31)
                    out[row, column, field] = number(bits[row, column, word], bit)
                    field += np.uint64(lanes)

    return run


@cache
def make_score(rules: ModuleType) -> Any:
    @kernel
    def run(t, states, out, begin, end):
        for i in range(begin, end):
            rules.scores(t, states[i], out[i])

    return run


@inline
def fill(array, value):
    for k in range(len(array)):
        array[k] = value


@inline
def copy_words(to, source):
    for k in range(len(source)):
        to[k] = source[k]


_STEP = (
    "(t, opening: state[words], states: state[?n, words], rngs: uint64[n, 2], actions: int32[n], "
    "moves: int32[n, ?listed], mask: uint8[n, ?flagged], counts: int32[n], player: int8[n], over: uint8[n], "
    "scores: int64[n, seats], last: state[n, ?kept], again: int64, begin: int64, end: int64)"
)
_PACK = (
    "(t, states: state[?n, words], seats: int8[n], bits: uint32[n, ?marked, ?bit_words], values: float32[n, ?constant], "
    "begin: int64, end: int64)"
)
_SIGNATURES = f"""
step_lists{_STEP}
step_masks{_STEP}
draw_actions(rngs: uint64[?n, 2], moves: int32[n, ?listed], mask: uint8[n, ?flagged], counts: int32[n], chosen: uint8[n], out: int32[n], begin: int64, end: int64)
check_actions(moves: int32[?n, ?listed], mask: uint8[n, ?flagged], counts: int32[n], actions: int32[n], out: uint8[n], begin: int64, end: int64)
pack_games{_PACK}
unpack_floats(bits: uint32[?n, ?marked, ?bit_words], values: float32[n, ?constant], out: float32[n, ?planes, ?fields], lanes: int64, begin: int64, end: int64)
unpack_bytes(bits: uint32[?n, ?marked, ?bit_words], values: float32[n, ?constant], out: uint8[n, ?planes, ?fields], lanes: int64, begin: int64, end: int64)
score_games(t, states: state[?n, words], out: int64[n, seats], begin: int64, end: int64)
"""
_FEATURES = f"pack_features{_PACK}"


def entries(game: Game) -> dict[str, abi.Entry]:
    """The loops of batches for a game."""
    rules, study = game.rules, observation(game)
    functions = {
        "step_lists": make_step(rules, study, game.chance, False),
        "step_masks": make_step(rules, study, game.chance, hasattr(study, "mask")),
        "draw_actions": draw_actions,
        "check_actions": check_actions,
        "pack_games": make_pack(study),
        "unpack_floats": make_unpack(1.0, 0.0),
        "unpack_bytes": make_unpack(255.0, 0.5),
        "score_games": make_score(rules),
    }
    found = abi.entries(_SIGNATURES, functions)
    seen = features(game)
    if seen is not None:
        found |= abi.entries(_FEATURES, {"pack_features": make_pack(seen)})
    return found
