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
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.adapters.batch import Batch
from snakeden.adapters.rewards import rewards
from snakeden.core.game import Variant
from snakeden.programs.cuda import CudaProgram, array_namespace


class CudaBatch(Batch):
    """A batch whose games are played by a GPU, one thread a game."""

    def _machine(self, variant: Variant) -> tuple[Any, Any]:
        program = CudaProgram(variant)
        self._threads, self._pool = 1, None
        return array_namespace(), program

    @staticmethod
    def to_numpy(array: Any) -> NDArray[Any]:
        return array.get() if hasattr(array, "get") else np.array(array)

    def _prepared_parts(self) -> list[Callable[[], Any]]:
        arrays = (self._opening, self._states, self._rngs, self._actions, self.moves, self._mask, self.counts)
        outputs = (self.player, self.over, self.scores, self._last)
        return [partial(self._step, *arrays, *outputs, self._autoreset, 0, self.n)]

    def _pay(self) -> None:
        # For all games, as asking whether any has ended would wait for the card.
        self.rewards[:] = self._xp.where(self.over[:, None], rewards(self.scores), 0)
