"""Many games at once as torch tensors: the batch programs of a variant on a CPU or a GPU, and nothing else.

All of training plays through here. Positions are tensors [n, words] of the game's own type, those of unsigned words
with the signed type of the same size, because torch can do little with the others.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from snakeden.core.game import Variant
from snakeden.core.learning import LIST, features, observation
from snakeden.core.rng import stream
from snakeden.programs import compiled
from snakeden.programs.observer import Observer

_SIGNED = {np.dtype(np.uint64): torch.int64, np.dtype(np.int32): torch.int32, np.dtype(np.int16): torch.int16}


class Games:
    """Room for `n` games of a variant side by side. Methods take positions and write to the tensors here."""

    def __init__(self, variant: Variant, n: int, device: torch.device, seed: int = 0) -> None:
        tables, study = variant.tables, observation(variant.game)
        self.variant, self.n, self.device = variant, n, device
        self.actions, self.seats, self.words = int(tables.actions), int(tables.seats), int(tables.words)
        opening = variant.game.rules.opening(tables)
        self._unsigned = opening.dtype == np.uint64
        self.dtype = _SIGNED[np.dtype(opening.dtype)]
        signed = opening.view(np.int64) if self._unsigned else opening
        self.opening = torch.from_numpy(signed.copy()).to(device)
        self._program: Any = _program(variant, device)
        self._lists = not hasattr(study, "mask")
        self._step = self._program.step_lists if self._lists else self._program.step_masks
        # Kernels are plain functions: this one takes a whole array as well.
        with np.errstate(over="ignore"):
            streams = stream(np.uint64(seed), np.arange(2 * n, dtype=np.uint64)).reshape(n, 2)
        self.rngs = torch.from_numpy(streams.view(np.int64)).to(device)
        """[n, 2] the games' streams of random numbers; the first changes whenever dice are rolled."""
        new = torch.zeros
        listed = int(tables.most_moves) if self._lists else 0
        self._moves = new(n, listed, dtype=torch.int32, device=device)
        self._slots = torch.arange(listed, device=device)
        self.mask = new(n, self.actions, dtype=torch.uint8, device=device)
        """[n, actions] 1 for legal actions; where a game is over or was left alone it means nothing."""
        self._written = self.mask[:, :0].contiguous() if self._lists else self.mask
        self.counts = new(n, dtype=torch.int32, device=device)
        self.player = new(n, dtype=torch.int8, device=device)
        """[n] the seat to move, or OVER."""
        self.over = new(n, dtype=torch.uint8, device=device)
        """[n] 1 where the last step ended the game."""
        self.scores = new(n, self.seats, dtype=torch.int64, device=device)
        """[n, seats] where `over`: the final scores."""
        self._last = new(n, 0, dtype=self.dtype, device=device)
        self._standings = new(n, self.seats, dtype=torch.int64, device=device)
        seen = features(variant.game)
        looks = [None] if seen is None else [None, seen]
        self._observers = [Observer(variant, self._program, n, look) for look in looks]
        self._observed = [new(n, *each.shape, device=device) for each in self._observers]

    def step(self, states: Tensor, actions: Tensor, *, again: bool = False) -> None:
        """Play int32 actions [n], or what `core.learning` has in their place, in the positions [n, words], which become
        those after them with all dice rolled. With `again` a game that ends begins anew."""
        self._call(
            self._step,
            self._words(self.opening),
            self._words(states),
            self.rngs.view(torch.uint64),
            actions,
            self._moves,
            self._written,
            self.counts,
            self.player,
            self.over,
            self.scores,
            self._words(self._last),
            int(again),
        )
        if self._lists:
            # Programs could do that, but one thread a game would write all of its mask.
            there = self._slots < self.counts[:, None]
            moves = torch.where(there, self._moves, self._moves[:, :1])
            self.mask.zero_().scatter_(1, moves.long(), 1)

    def list_legal(self, states: Tensor) -> None:
        """Find what is legal in the positions [n, words], and who is to move."""
        self.step(states, torch.full((self.n,), LIST, dtype=torch.int32, device=self.device))

    def observe(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """The settled positions as `player` sees them: planes [n, planes, rows, columns], the observation's and then
        the features', and the scores as they stand, [n, seats] from the viewer on. Written over by the next call."""
        for observer, out in zip(self._observers, self._observed, strict=True):
            self._call(observer.write, self._words(states), self.player, out)
        planes = torch.cat(self._observed, 1) if len(self._observed) > 1 else self._observed[0]
        return planes, from_viewer(self.standings(states), self.player.long().clamp(min=0))

    def standings(self, states: Tensor) -> Tensor:
        """[n, seats] the scores as they stand. Written over by the next call."""
        self._call(self._program.score_games, self._words(states), self._standings)
        return self._standings

    def _words(self, states: Tensor) -> Tensor:
        return states.view(torch.uint64) if self._unsigned else states

    def _call(self, entry: Any, *arguments: Any) -> None:
        handed = Tensor.numpy if self.device.type == "cpu" else _on_gpu
        entry(*(handed(each) if isinstance(each, Tensor) else each for each in arguments), 0, self.n)


@lru_cache(maxsize=16)
def _program(variant: Variant, device: torch.device) -> Any:
    if device.type == "cpu":
        return compiled(variant, "batch")
    from snakeden.programs.cuda import CudaProgram

    return CudaProgram(variant)


def _on_gpu(tensor: Tensor) -> Any:
    """A tensor of the GPU as a program takes it. Torch and CuPy both work on the default stream, in order."""
    assert tensor.is_contiguous()
    return _array_at(tensor.data_ptr(), tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."))


@lru_cache(maxsize=4096)
def _array_at(address: int, shape: tuple[int, ...], dtype: str) -> Any:
    """An array of CuPy at an address; it owns nothing, so it may outlive what lies there. Making one takes longer than
    starting a kernel, and torch hands out the same addresses again and again."""
    import cupy

    size = math.prod(shape) * np.dtype(dtype).itemsize
    if not size:
        return cupy.empty(shape, dtype)
    memory = cupy.cuda.UnownedMemory(address, size, None)
    return cupy.ndarray(shape, dtype, memptr=cupy.cuda.MemoryPointer(memory, 0))


def from_viewer(by_seat: Tensor, viewer: Tensor) -> Tensor:
    """[n, seats] values by seat, in the order of play from each row's viewer int64[n] on."""
    seats = by_seat.shape[1]
    order = (viewer[:, None] + torch.arange(seats, device=by_seat.device)) % seats
    return by_seat.gather(1, order)


def by_seat(from_view: Tensor, viewer: Tensor) -> Tensor:
    """The opposite of `from_viewer`."""
    seats = from_view.shape[1]
    order = (torch.arange(seats, device=from_view.device) - viewer[:, None]) % seats
    return from_view.gather(1, order)
