"""Drawing positions and building variants: work for threads, shared fairly among clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from snakeden.server.fair import CLIENT, FairPool

T = TypeVar("T")

_THREADS = 2
_MOST_WAITING = 24
_MOST_WAITING_OF_ALL = 2000


class Pictures:
    """Threads that draw. No client has both at once, so nobody waits for another's large board."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, "snakeden-draw")
        self._pool = FairPool(
            range(_THREADS), most_held=1, most_waiting=_MOST_WAITING, most_waiting_of_all=_MOST_WAITING_OF_ALL
        )
        self.drawn = 0

    @property
    def waiting(self) -> int:
        return self._pool.waiting

    async def work(
        self, work: Callable[..., T], *about: Any, client: str | None = None, bounded: bool = True
    ) -> T:
        """What `work` makes of these things, for the client of the running task unless another is named."""
        whose = CLIENT.get() if client is None else client
        async with self._pool.turn(whose, bounded=bounded):
            self.drawn += 1
            return await asyncio.get_running_loop().run_in_executor(self._threads, partial(work, *about))

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
