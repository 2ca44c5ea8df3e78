"""Many games side by side in NumPy arrays, played inside kernels on all cores.

Each game has two streams of random numbers of its own, made from the seed and its place in the batch: one
for its dice, one for `sample`. So the same seed and the same actions make the same games, however many are
played beside them and on however many threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakeden.adapters.rewards import rewards
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import CHANCE, Variant
from snakeden.core.kernel import driver
from snakeden.core.learning import observation
from snakeden.core.rng import below, stream
from snakeden.core.state import State, new_game

_FEW = 64
"""Games that one thread plays sooner than it can tell another to."""
_FEW_DRAWS = 4096
"""Games of which one thread draws actions sooner than that."""


@cache
def _seeder() -> Any:
    @driver
    def run(seed, rngs, begin, end):
        """Give each game its two streams."""
        for i in range(begin, end):
            rngs[i, 0] = stream(seed, 2 * i)
            rngs[i, 1] = stream(seed, 2 * i + 1)

    return run


@cache
def _stepper(rules: ModuleType, study: ModuleType, dice: bool, flags: bool) -> Any:
    """Plays actions[i] in game i (or starts it, if actions[i] < 0), rolls what is to be rolled, begins finished
    games again, and lists what is legal.

    `counts` is int32[n], `player` int8[n], `over` bool[n], `scores` int64[n, seats]: the final scores of games
    that have just ended. Legal moves are written to `mask` if `flags`, else to `moves` and, if there is one, to
    `mask`. `dice` and `flags` are constants: what they exclude is not compiled. (They are no functions chosen here,
    because Numba keeps nothing on disk that depends on such.)
    """

    @driver
    def run(t, opening, states, rngs, actions, moves, mask, counts, player, over, scores, begin, end):
        for i in range(begin, end):
            s = states[i]
            over[i] = False
            if actions[i] >= 0:
                rules.apply(t, s, np.int64(actions[i]))
            else:
                s[:] = opening
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
                        for k in range(counts[i]):
                            mask[i, moves[i, k]] = 0
                    counts[i] = rules.legal(t, s, moves[i])
                    if mask.shape[1] > 0:
                        for k in range(counts[i]):
                            mask[i, moves[i, k]] = 1
                if counts[i] > 0:
                    break
                over[i] = True
                rules.scores(t, s, scores[i])
                s[:] = opening
            player[i] = rules.turn(t, s)

    return run


@cache
def _sampler() -> Any:
    @driver
    def run(rngs, moves, mask, counts, out, begin, end):
        """Draw a legal action of each game, from its list if lists are kept, else from its mask."""
        for i in range(begin, end):
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

    return run


@cache
def _observer(rules: ModuleType, study: ModuleType) -> Any:
    @driver
    def run(t, states, player, out, begin, end):
        for i in range(begin, end):
            study.observe(t, states[i], np.int64(player[i]), out[i])

    return run


@cache
def _scorer(rules: ModuleType) -> Any:
    @driver
    def run(t, states, out, begin, end):
        for i in range(begin, end):
            rules.scores(t, states[i], out[i])

    return run


def cores() -> int:
    """The cores this process may use, as far as the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Batch:
    """`n` games of one variant. Made by `snakeden.batch`.

    The arrays are the batch's own: `step` writes to them, so copy what you want to keep.
    """

    n: int
    actions: int
    """How many action numbers there are."""
    seats: int
    player: NDArray[np.int8]
    """[n] the seat to move."""
    counts: NDArray[np.int32]
    """[n] how many actions are legal."""
    mask: NDArray[np.bool_]
    """[n, actions] whether an action is legal; [n, 0] if only lists are kept."""
    moves: NDArray[np.int32]
    """[n, most] the legal actions, ascending; the first counts[i] of row i count. [n, 0] if only masks are
    kept."""
    over: NDArray[np.bool_]
    """[n] whether the last step ended a game; its place holds a new one already."""
    scores: NDArray[np.int64]
    """[n, seats] where `over`: the final scores of the game that ended; elsewhere those of an earlier
    game."""
    rewards: NDArray[np.float64]
    """[n, seats] what the last step was worth: see `rewards.rewards` where `over`, and 0 elsewhere."""

    def __init__(
        self, variant: Variant, n: int, seed: int, *, legal: Literal["mask", "list"], threads: int | None
    ) -> None:
        self._variant = variant
        tables, rules = variant.tables, variant.game.rules
        study = observation(variant.game)
        self.n, self.actions, self.seats = n, int(tables.actions), int(tables.seats)
        self._threads = max(1, min(threads or cores(), n // _FEW))
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        flags = legal == "mask" and hasattr(study, "mask")
        self._step = _stepper(rules, study, variant.game.chance, flags)
        self._observe = _observer(rules, study)
        self._opening = rules.opening(tables)
        self._states = np.zeros((n, tables.words), self._opening.dtype)
        self._rngs = np.zeros((n, 2), np.uint64)
        self._mask = np.zeros((n, self.actions if legal == "mask" else 0), np.uint8)
        self.mask = self._mask.view(np.bool_)
        self.moves = np.zeros((n, 0 if flags else tables.most_moves), np.int32)
        self.counts = np.zeros(n, np.int32)
        self.player = np.zeros(n, np.int8)
        self.over = np.zeros(n, np.bool_)
        self.scores = np.zeros((n, self.seats), np.int64)
        self.rewards = np.zeros((n, self.seats))
        self.observation_shape = (len(study.planes(tables)), *study.grid(tables))
        """(planes, rows, columns) of one observation."""
        self.reset(seed)

    def _spread(self, work: Callable[..., Any], *arguments: Any, few: int = 0) -> None:
        """Call work(..., begin, end) for parts of the batch, one a thread; in a batch of fewer games than `few`,
        for all at once."""
        if self._pool is None or self.n < few:
            work(*arguments, 0, self.n)
            return
        cuts = [self.n * k // self._threads for k in range(self._threads + 1)]
        # This thread takes the first part itself.
        others = [self._pool.submit(work, *arguments, a, b) for a, b in pairwise(cuts[1:])]
        try:
            work(*arguments, cuts[0], cuts[1])
        finally:
            for other in others:
                other.result()

    def _play(self, actions: NDArray[np.int32]) -> None:
        self._spread(
            self._step,
            self._variant.tables,
            self._opening,
            self._states,
            self._rngs,
            actions,
            self.moves,
            self._mask,
            self.counts,
            self.player,
            self.over,
            self.scores,
        )
        self.rewards[:] = 0
        if self.over.any():
            self.rewards[self.over] = rewards(self.scores[self.over])

    def reset(self, seed: int) -> None:
        """Begin all games anew, with the streams of this seed."""
        if not 0 <= seed < 2**64:
            raise BadOption(f"seed={seed!r} is not possible: allowed is a whole number from 0 to 2**64 - 1")
        _seeder()(np.uint64(seed), self._rngs, 0, self.n)
        self._play(np.full(self.n, -1, np.int32))

    def step(self, actions: ArrayLike) -> None:
        """Play an action in every game. Raises IllegalMove, and plays nothing, if one of them is not
        legal."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise IllegalMove(
                f"a step takes {self.n} whole numbers, one a game, not {chosen.dtype} of shape {chosen.shape}"
            )
        inside = (chosen >= 0) & (chosen < self.actions)
        codes = np.where(inside, chosen, 0).astype(np.int32)
        fine = inside & self._is_legal(codes)
        if not fine.all():
            i = int(np.flatnonzero(~fine)[0])
            self._refuse(i, int(chosen[i]))
        self._play(codes)

    def _is_legal(self, codes: NDArray[np.int32]) -> NDArray[np.bool_]:
        if self.mask.shape[1]:
            return self.mask[np.arange(self.n), codes]
        beyond = np.arange(self.moves.shape[1]) >= self.counts[:, None]
        found: NDArray[np.bool_] = ((self.moves == codes[:, None]) & ~beyond).any(axis=1)
        return found

    def _refuse(self, i: int, action: int) -> None:
        if not 0 <= action < self.actions:
            raise IllegalMove(
                f"game {i}: there is no action {action}; actions are numbered 0 to {self.actions - 1}"
            )
        notation, tables, s = self._variant.game.notation, self._variant.tables, self._states[i]
        fault = self._variant.game.rules.fault(tables, s, action)
        raise IllegalMove(f"game {i}: action {action}, {notation.explain(tables, s, action, fault)}")

    def sample(self) -> NDArray[np.int32]:
        """[n] a legal action of every game, uniformly at random by the game's own stream."""
        out = np.empty(self.n, np.int32)
        self._spread(_sampler(), self._rngs, self.moves, self._mask, self.counts, out, few=_FEW_DRAWS)
        return out

    def observe(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """[n, planes, rows, columns] every position as the player to move sees it."""
        shape = (self.n, *self.observation_shape)
        if out is None:
            out = np.empty(shape, np.float32)
        # Kernels write without looking how large an array is.
        if out.shape != shape or out.dtype != np.float32:
            raise ValueError(f"out has shape {out.shape} of {out.dtype}; {shape} of float32 is needed")
        self._spread(self._observe, self._variant.tables, self._states, self.player, out)
        return out

    def standings(self) -> NDArray[np.int64]:
        """[n, seats] the scores of all games as they stand now."""
        out = np.empty((self.n, self.seats), np.int64)
        self._spread(_scorer(self._variant.game.rules), self._variant.tables, self._states, out)
        return out

    def state(self, i: int) -> State:
        """Game i as it stands now."""
        return State(self._variant, self._states[i].copy())


def batch(
    game: str,
    n: int,
    seed: int = 0,
    *,
    legal: Literal["mask", "list"] = "mask",
    threads: int | None = None,
    **options: Any,
) -> Batch:
    """`n` games side by side, begun and ready for their first actions; options are the game's.

    `legal` says how legal actions are kept: as masks, or as lists, which are smaller where there are many
    action numbers. `threads` is how many play; all cores if it is not given. Raises BadOption.
    """
    for name, value in (("n", n), ("threads", threads)):
        if value is not None and (not isinstance(value, int) or value < 1):
            raise BadOption(f"{name}={value!r} is not possible: allowed is a whole number from 1 on")
    if legal not in ("mask", "list"):
        raise BadOption(f"legal={legal!r} is not possible: allowed is 'mask' or 'list'")
    return Batch(new_game(game, **options).variant, n, seed, legal=legal, threads=threads)
