"""Batches on an NVIDIA GPU: `snakeden.batch(game, n, device="cuda")`, with the extra `snakeden[cuda]`.

Everything above the kernels is the CPU batch's. The arrays are CuPy's and stay on the card; PyTorch and JAX read them
without a copy, by DLPack. Work is queued on CuPy's current stream, which is the default stream unless another is
chosen:

    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        games.step_unchecked(actions)

`step` waits for the card, since it has to know whether all actions are legal; `step_unchecked` does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snakeden.adapters.batch import Batch
from snakeden.adapters.gpu_entries import worths
from snakeden.core.game import Variant
from snakeden.programs.cuda import CudaProgram, array_namespace
from snakeden.programs.gpu_launch import address, unowned

_LOOKS = 8
"""Arrays for observations that writing to them is kept ready for."""


class CudaBatch(Batch):
    """A batch whose games are played by a GPU, one thread a game."""

    def _machine(self, variant: Variant) -> tuple[Any, Any]:
        program = CudaProgram(variant)
        self._threads, self._pool = 1, None
        return array_namespace(), program

    @staticmethod
    def to_numpy(array: Any) -> NDArray[Any]:
        return array.get() if hasattr(array, "get") else np.array(array)

    def _prepared_parts(self) -> list[Callable[..., Any]]:
        whole, program = (0, self.n), self._program
        lists = (self.moves, self._mask, self.counts)
        worth = self._xp.asarray(worths(self.seats))
        self._draw = program.draw_actions.prepared(self._rngs, *lists, self._everyone, self._actions, *whole)
        self._reward = program.pay_rewards.prepared(self.over, self.scores, worth, self.rewards, *whole)
        self._looks: dict[tuple[int, np.dtype[Any]], Callable[[], None]] = {}
        given = (self._opening, self._states, self._rngs, self._actions, *lists)
        outputs = (self.player, self.over, self.scores, self._last)
        return [self._step.prepared(*given, *outputs, self._autoreset, *whole)]

    def step_unchecked(self, actions: NDArray[Any]) -> None:
        if not self._can_be_read(actions):
            self._actions[:] = actions
            actions = self._actions
        self._parts[0](actions=actions)
        self._reward()

    def _can_be_read(self, actions: Any) -> bool:
        """Whether a step can read these actions where they are: in an array like its own that it does not write to."""
        if not isinstance(actions, self._xp.ndarray):
            return False
        if actions.dtype != np.int32 or actions.shape != (self.n,) or not actions.flags.c_contiguous:
            return False
        place = address(actions)
        return not any(0 <= place - address(own) < own.nbytes for own in (self.counts, self.moves))

    def sample(self, games: ArrayLike | None = None) -> NDArray[np.int32]:
        if games is not None:
            return super().sample(games)
        out: NDArray[np.int32] = self._xp.empty(self.n, np.int32)
        self._draw(out=out)
        return out

    def _look(self, seats: NDArray[np.int8], place: Any) -> None:
        if seats is not self.player:
            super()._look(seats, place)
            return
        key = address(place), place.dtype
        if key not in self._looks:
            if len(self._looks) >= _LOOKS:
                self._looks.clear()
            # What is kept ready must not keep the array itself.
            self._looks[key] = self._observer.prepared(self._states, seats, unowned(place))
        self._looks[key]()
