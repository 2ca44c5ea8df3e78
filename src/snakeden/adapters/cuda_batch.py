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
from snakeden.programs.cuda import CudaProgram, array_namespace, packs_masks


class CudaBatch(Batch):
    """A batch whose games are played by a GPU, one thread a game."""

    _ARRAYS = (*Batch._ARRAYS, "_flags")
    _flags: Any
    """[n, words] masks as bits, 32 actions a word; [n, 0] where they are written as bytes at once."""

    def _machine(self, variant: Variant) -> tuple[Any, Any]:
        program = CudaProgram(variant)
        self._threads, self._pool = 1, None
        return array_namespace(), program

    @staticmethod
    def to_numpy(array: Any) -> NDArray[Any]:
        return array.get() if hasattr(array, "get") else np.array(array)

    def _prepared_parts(self) -> list[Callable[[], Any]]:
        given = (self._opening, self._states, self._rngs, self._actions, self.moves)
        outputs = (self.counts, self.player, self.over, self.scores, self._last, self._autoreset, 0, self.n)
        packed = not self.moves.shape[1] and packs_masks(self._variant.game)
        self._flags = self._xp.zeros((self.n, -(-self.actions // 32) if packed else 0), np.uint32)
        if not packed:
            return [partial(self._step, *given, self._mask, *outputs)]
        # Masks are written eight bytes at a time.
        self._eights = self._xp.zeros(-(-self.n * self.actions // 8), np.uint64)
        flat = self._eights.view(np.uint8)[: self.n * self.actions]
        self._mask = flat.reshape(self.n, self.actions)
        self.mask = self._mask.view(np.bool_)
        return [partial(self._step_packed, given, outputs)]

    def _step_packed(self, given: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
        flags, eights = self._flags, self._eights
        self._program.clear_flags(self._actions, flags, 0, flags.size)
        self._step(*given, flags, *outputs)
        self._program.unpack_flags(flags, self.counts, eights, self.actions, 0, eights.size)

    def _pay(self) -> None:
        # For all games, as asking whether any has ended would wait for the card.
        self.rewards[:] = self._xp.where(self.over[:, None], rewards(self.scores), 0)
