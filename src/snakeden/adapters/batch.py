"""Many games side by side in NumPy arrays, played inside kernels on all cores.

Each game has two streams of random numbers of its own, made from the seed and its place in the batch: one
for its dice, one for `sample`. So the same seed and the same actions make the same games, however many are
played beside them and on however many threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from operator import index
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from snakeden.adapters.rewards import rewards
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import OVER, Variant
from snakeden.core.learning import KEEP, LIST, START, observation
from snakeden.core.rng import stream
from snakeden.core.state import State, new_game
from snakeden.programs import compiled
from snakeden.programs.observer import Observer

_FEW = 64
"""Below this many games a thread plays sooner than it can start another."""
_FEW_DRAWS = 4096
"""Games of which one thread draws actions sooner than that."""

Legal = Literal["mask", "list"]
Device = Literal["cpu", "cuda"]


_OBSERVED = (np.dtype(np.float32), np.dtype(np.uint8))
"""The types of an observation's numbers."""


def cores() -> int:
    """The cores this process may use, as far as the system says."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def streams(seed: SupportsIndex, n: int) -> NDArray[np.uint64]:
    """[n, 2] the states of the streams that a seed gives to n games, one for dice and one for `sample`."""
    try:
        number = index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 2**64:
        raise BadOption(f"seed={seed!r} is not possible: allowed is a whole number from 0 to 2**64 - 1")
    # Kernels are plain functions: this one takes a whole array as well. Unsigned numbers wrap around on purpose.
    with np.errstate(over="ignore"):
        found: NDArray[np.uint64] = stream(number, np.arange(2 * n, dtype=np.uint64)).reshape(n, 2)
    return found


class Batch:
    """`n` games of one variant. Made by `snakeden.batch`.

    The arrays are the batch's own: `step` writes to them, so copy what you want to keep. Batches can be pickled.
    Where a method takes `games`, these are the numbers of the games meant, or a bool for each game; all games if
    nothing is given.
    """

    n: int
    actions: int
    """How many action numbers there are."""
    seats: int
    observation_shape: tuple[int, int, int]
    """(planes, rows, columns) of one observation."""
    player: NDArray[np.int8]
    """[n] the seat to move; `snakeden.core.game.OVER` where a game is over, which is only without `autoreset`."""
    counts: NDArray[np.int32]
    """[n] how many actions are legal."""
    mask: NDArray[np.bool_]
    """[n, actions] whether an action is legal, all True where the game is over; [n, 0] if only lists are kept."""
    moves: NDArray[np.int32]
    """[n, most] the legal actions, ascending; the first counts[i] of row i count. [n, 0] if only masks are
    kept."""
    over: NDArray[np.bool_]
    """[n] whether the last step ended a game; with `autoreset` its place holds a new one already."""
    scores: NDArray[np.int64]
    """[n, seats] where `over`: the final scores of the game that ended; elsewhere those of an earlier
    game."""
    rewards: NDArray[np.float32]
    """[n, seats] what the last step was worth: see `rewards.rewards` where `over`, and 0 elsewhere."""

    _ARRAYS = ("_states", "_last", "_rngs", "_mask", "moves", "counts", "player", "over", "scores", "rewards")

    def __init__(
        self, variant: Variant, n: int, *, legal: Legal, threads: int | None, autoreset: bool
    ) -> None:
        """For `batch` and the batch itself, which fill the arrays."""
        self._variant, self._legal, self._asked_threads, self._autoreset = variant, legal, threads, autoreset
        tables = variant.tables
        study = observation(variant.game)
        self.n, self.actions, self.seats = n, int(tables.actions), int(tables.seats)
        self._threads = max(1, min(threads or cores(), n // _FEW))
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        flags = legal == "mask" and hasattr(study, "mask")
        self._xp, self._program = self._machine(variant)
        self._step = self._program.step_masks if flags else self._program.step_lists
        self._opening = self._xp.asarray(variant.game.rules.opening(tables))
        self._states = self._xp.zeros((n, tables.words), self._opening.dtype)
        self._last = self._xp.zeros_like(self._states)
        self._rngs = self._xp.zeros((n, 2), np.uint64)
        self._mask = self._xp.zeros((n, self.actions if legal == "mask" else 0), np.uint8)
        self.mask = self._mask.view(np.bool_)
        self.moves = self._xp.zeros((n, 0 if flags else tables.most_moves), np.int32)
        self.counts = self._xp.zeros(n, np.int32)
        self.player = self._xp.zeros(n, np.int8)
        self.over = self._xp.zeros(n, np.bool_)
        self.scores = self._xp.zeros((n, self.seats), np.int64)
        self.rewards = self._xp.zeros((n, self.seats), np.float32)
        self._actions = self._xp.zeros(n, np.int32)
        # Never written to.
        self._everyone = self._xp.ones(n, np.bool_)
        self._observer = Observer(variant, self._program, n)
        self.observation_shape = self._observer.shape
        self._parts = self._prepared_parts()

    # -- the machine at work: all cores, or what a subclass puts in their place

    def _machine(self, variant: Variant) -> tuple[Any, Any]:
        """The module with the functions of the batch's arrays, and the program."""
        return np, compiled(variant, "batch")

    @staticmethod
    def to_numpy(array: Any) -> NDArray[Any]:
        """A copy of one of the batch's arrays in NumPy."""
        return np.array(array)

    def _cuts(self) -> list[tuple[int, int]]:
        """Where the part of each thread begins and ends."""
        return list(pairwise(self.n * k // self._threads for k in range(self._threads + 1)))

    def _spread(self, work: Callable[..., Any], *arguments: Any, few: int = 0) -> None:
        """Call work(..., begin, end) for parts of the batch, one a thread; in a batch of fewer games than `few`,
        for all at once."""
        if self._pool is None or self.n < few:
            work(*arguments, 0, self.n)
        else:
            self._run([partial(work, *arguments, begin, end) for begin, end in self._cuts()])

    def _run(self, parts: list[Callable[..., Any]]) -> None:
        """Call each in a thread of its own; the first in this one."""
        others = [self._pool.submit(part) for part in parts[1:]] if self._pool else []
        try:
            parts[0]()
        finally:
            for other in others:
                other.result()

    def _prepared_parts(self) -> list[Callable[..., Any]]:
        """The calls of the step, one a thread. Its arrays stay where they are, so that their addresses are looked up
        only once, which would cost as much as a step of eight games."""
        arrays = (self._opening, self._states, self._rngs, self._actions, self.moves, self._mask, self.counts)
        outputs = (self.player, self.over, self.scores, self._last)
        return [
            self._step.prepared(*arrays, *outputs, self._autoreset, begin, end) for begin, end in self._cuts()
        ]

    def step_unchecked(self, actions: NDArray[Any]) -> None:
        """Play an action in every game: a legal one, or KEEP, START or LIST of `core.learning`."""
        self._actions[:] = actions
        self._run(self._parts)
        self._pay()

    def _pay(self) -> None:
        """Write the rewards of the last step."""
        self.rewards[:] = 0
        if np.count_nonzero(self.over):
            self.rewards[self.over] = rewards(self.scores[self.over])

    def _chosen(self, games: ArrayLike | None) -> NDArray[np.bool_]:
        """[n] which games are meant."""
        if games is None:
            return self._everyone
        found = self._xp.asarray(games)
        if found.dtype == np.bool_ and found.shape == (self.n,):
            return found
        chosen = self._xp.zeros(self.n, np.bool_)
        chosen[self._numbers(found)] = True
        return chosen

    def _numbers(self, games: ArrayLike) -> NDArray[np.int64]:
        """The numbers of the games meant, in the order given."""
        found = self._xp.asarray(games)
        if found.dtype == np.bool_ and found.shape == (self.n,):
            return self._xp.flatnonzero(found)
        whole = found.dtype.kind in "iu" or not found.size
        if not whole or found.ndim != 1 or not ((found >= 0) & (found < self.n)).all():
            raise IndexError(f"games are numbered 0 to {self.n - 1}; give their numbers, or {self.n} bools")
        return found.astype(np.int64)

    # -- playing

    def reset(self, seed: SupportsIndex | None = None, games: ArrayLike | None = None) -> None:
        """Begin games anew; with a seed, with the streams that it gives to their places."""
        chosen = self._chosen(games)
        if seed is not None:
            self._rngs[chosen] = self._xp.asarray(streams(seed, self.n))[chosen]
        self.step_unchecked(self._xp.where(chosen, START, KEEP))

    def step(self, actions: ArrayLike, games: ArrayLike | None = None) -> None:
        """Play an action in every game, or in the games given; `actions` has one for each of the `n` in any case, and
        those of other games and of games that are over are not looked at. Raises IllegalMove, and plays nothing, if one
        of them is not legal."""
        given = self._xp.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise IllegalMove(
                f"a step takes {self.n} whole numbers, one a game, not {given.dtype} of shape {given.shape}"
            )
        playing = self._chosen(games) & (self.player != OVER)
        inside = (given >= 0) & (given < self.actions)
        codes = self._xp.where(inside, given, 0).astype(np.int32)
        refused = playing & ~(inside & self._is_legal(codes))
        if refused.any():
            i = int(self._xp.flatnonzero(refused)[0])
            self._refuse(i, int(given[i]))
        self.step_unchecked(self._xp.where(playing, codes, np.int32(KEEP)))

    def _is_legal(self, codes: NDArray[np.int32]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self._xp.empty(self.n, np.bool_)
        self._spread(self._program.check_actions, self.moves, self._mask, self.counts, codes, found)
        return found

    def _refuse(self, i: int, action: int) -> None:
        if not 0 <= action < self.actions:
            raise IllegalMove(
                f"game {i}: there is no action {action}; actions are numbered 0 to {self.actions - 1}"
            )
        notation, tables, s = (
            self._variant.game.notation,
            self._variant.tables,
            self.to_numpy(self._states[i]),
        )
        fault = self._variant.program.fault(s, action)
        raise IllegalMove(f"game {i}: action {action}, {notation.explain(tables, s, action, fault)}")

    def sample(self, games: ArrayLike | None = None) -> NDArray[np.int32]:
        """[n] a legal action of every game, or of the games given, uniformly at random by the game's own stream; 0
        elsewhere and where a game is over."""
        out = self._xp.empty(self.n, np.int32)
        chosen = self._chosen(games)
        draw = self._program.draw_actions
        self._spread(draw, self._rngs, self.moves, self._mask, self.counts, chosen, out, few=_FEW_DRAWS)
        return out

    # -- looking

    def observe(
        self, out: Any = None, *, seat: ArrayLike | None = None, dtype: DTypeLike = np.float32
    ) -> Any:
        """[n, planes, rows, columns] every position as the player to move sees it, or a seat: one for all games, or
        one for each. Numbers are float32, or uint8 with 255 for 1. `out` is written to and returned: an array of either
        type, or whatever offers DLPack on this processor, such as a tensor of torch."""
        if out is None:
            out = self._xp.empty((self.n, *self.observation_shape), _observed(np.dtype(dtype)))
        place = out if isinstance(out, self._xp.ndarray) else self._xp.from_dlpack(out)
        self._check_room(place)
        self._look(self._seats(seat), place)
        return out

    def _look(self, seats: NDArray[np.int8], place: Any) -> None:
        """Write observations to an array that has the room."""
        self._spread(self._observer.write, self._states, seats, place)

    def _check_room(self, place: Any) -> None:
        """Kernels write without looking how large an array is and how it lies in memory."""
        shape = (self.n, *self.observation_shape)
        # Arrays of a GPU can always be written to.
        writeable = getattr(place.flags, "writeable", True)
        if place.shape == shape and place.dtype in _OBSERVED and writeable and place.flags.c_contiguous:
            return
        fault = "" if writeable else ", which cannot be written to"
        fault += "" if place.flags.c_contiguous else ", which does not lie in one piece in memory"
        raise ValueError(
            f"out has shape {place.shape} of {place.dtype}{fault}; {shape} of float32 or uint8 is needed"
        )

    def observe_packed(self, seat: ArrayLike | None = None) -> tuple[Any, Any]:
        """Observations in packed form: uint32[n, marked planes, words], a bit a field of the grid, row by row from the
        lowest bit of the first word on; and float32[n, constant planes], the numbers of planes that are the same
        everywhere, which come last. `core.planes.unpack` writes them out."""
        observer = Observer(self._variant, self._program, self.n)
        self._spread(observer.pack, self._states, self._seats(seat))
        return observer.bits, observer.values

    def observe_last(self, seat: ArrayLike | None = None) -> NDArray[np.float32]:
        """[k, planes, rows, columns] the last positions of the k games that the last step ended (`over`), as seat 0
        sees them, or another seat: one for all, or one for each of the `n` games."""
        ended = self._xp.flatnonzero(self.over)
        out = self._xp.empty((len(ended), *self.observation_shape), np.float32)
        seats = self._xp.zeros(self.n, np.int8) if seat is None else self._seats(seat)
        self._observer.write(self._last[ended], seats[ended], out, 0, len(ended))
        return out

    def _seats(self, seat: ArrayLike | None) -> NDArray[np.int8]:
        if seat is None:
            return self.player
        given = self._xp.asarray(seat)
        if given.dtype.kind not in "iu" or given.shape not in ((), (self.n,)):
            raise ValueError(f"a seat is a whole number, or {self.n} of them, not {seat!r}")
        if not ((given >= 0) & (given < self.seats)).all():
            raise ValueError(f"there is no such seat: the seats are 0 to {self.seats - 1}")
        return self._xp.full(self.n, given, np.int8)

    def standings(self) -> NDArray[np.int64]:
        """[n, seats] the scores of all games as they stand now."""
        out = self._xp.empty((self.n, self.seats), np.int64)
        self._spread(self._program.score_games, self._states, out)
        return out

    def state(self, i: int) -> State:
        """Game i as it stands now."""
        return State(self._variant, self.to_numpy(self._states[self._numbers([i])[0]]))

    # -- copies

    def set_states(self, states: Sequence[State], games: ArrayLike | None = None) -> None:
        """Go on from these positions, one for each game or for each of the games given, in their order. Where dice are
        due they are rolled. Raises ValueError, and changes nothing, if one is of another variant or over."""
        numbers = self._xp.arange(self.n) if games is None else self._numbers(games)
        if len(states) != len(numbers):
            raise ValueError(f"{len(states)} states were given for {len(numbers)} games")
        for state in states:
            if state.variant is not self._variant:
                raise ValueError(f"this batch plays {self._described()}, and a state is of another variant")
            if state.is_over and self._autoreset:
                raise ValueError("a state is over: with autoreset a game would begin anew at once")
        actions = self._xp.full(self.n, KEEP, np.int32)
        for i, state in zip(numbers.tolist(), states, strict=True):
            self._states[i] = self._xp.asarray(state.array())
            actions[i] = LIST
        self.step_unchecked(actions)

    def _described(self) -> str:
        given = self._variant.given
        return " ".join([self._variant.game.id, *(f"{name}={value!r}" for name, value in given.items())])

    def clone(self, games: ArrayLike | None = None, *, seed: SupportsIndex | None = None) -> Batch:
        """Another batch with the same games as they stand; or with the games given, in that order and as often as they
        are named. Copies have the same random numbers to come, unless a seed gives them new ones."""
        numbers = self._xp.arange(self.n) if games is None else self._numbers(games)
        if not len(numbers):
            raise BadOption("a batch without games is not possible: name at least one to be cloned")
        twin = type(self)(self._variant, len(numbers), **self._settings())
        for name in self._ARRAYS:
            getattr(twin, name)[:] = getattr(self, name)[numbers]
        if seed is not None:
            twin._rngs[:] = self._xp.asarray(streams(seed, twin.n))
        return twin

    def _settings(self) -> dict[str, Any]:
        return {"legal": self._legal, "threads": self._asked_threads, "autoreset": self._autoreset}

    def __getstate__(self) -> dict[str, Any]:
        arrays = {name: self.to_numpy(getattr(self, name)) for name in self._ARRAYS}
        made = {"game": self._variant.game.id, "options": dict(self._variant.given), "n": self.n}
        return {"made": made, "settings": self._settings(), "arrays": arrays}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        made = kept["made"]
        variant = new_game(made["game"], **made["options"]).variant
        self.__init__(variant, made["n"], **kept["settings"])  # type: ignore[misc]
        for name, array in kept["arrays"].items():
            getattr(self, name)[:] = self._xp.asarray(array)


def batch(
    game: str,
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    *,
    legal: Legal = "mask",
    threads: SupportsIndex | None = None,
    autoreset: bool = True,
    device: Device = "cpu",
    **options: Any,
) -> Batch:
    """`n` games side by side, begun and ready for their first actions; options are the game's.

    `legal` says how legal actions are kept: as masks, or as lists, which are smaller where there are many
    action numbers. `threads` is how many play; all cores if it is not given. With `autoreset` a game that ends begins
    again at once; without it stays as it is, all its actions are marked legal, and steps do nothing to it until
    `reset(games=…)`. With `device="cuda"` the games are played on an NVIDIA GPU, and all arrays are CuPy's. Raises
    BadOption, and CudaMissing where there is no GPU to be used.
    """
    if legal not in ("mask", "list"):
        raise BadOption(f"legal={legal!r} is not possible: allowed is 'mask' or 'list'")
    if device not in ("cpu", "cuda"):
        raise BadOption(f"device={device!r} is not possible: allowed is 'cpu' or 'cuda'")
    kind: type[Batch] = Batch
    if device == "cuda":
        from snakeden.adapters.cuda_batch import CudaBatch

        kind = CudaBatch
    made = kind(
        new_game(game, **options).variant,
        _whole("n", n),
        legal=legal,
        threads=None if threads is None else _whole("threads", threads),
        autoreset=bool(autoreset),
    )
    made.reset(seed)
    return made


def _observed(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A type that observations can have."""
    if dtype not in _OBSERVED:
        raise BadOption(f"dtype={dtype} is not possible: allowed is float32 or uint8")
    return dtype


def _whole(name: str, value: Any) -> int:
    """A count of any integer type."""
    try:
        count = index(value)
    except TypeError:
        count = 0
    if count < 1 or isinstance(value, bool):
        raise BadOption(f"{name}={value!r} is not possible: allowed is a whole number from 1 on")
    return count
