"""Drawing positions and building variants: work for threads, shared fairly among clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from starlette.responses import Response

from snakeden.server.describing import in_pieces
from snakeden.server.fair import CLIENT, FairPool

T = TypeVar("T")

_THREADS = 2
_MOST_WAITING = 24
_MOST_WAITING_OF_ALL = 2000


def _written(work: Callable[..., Any], about: tuple[Any, ...]) -> bytes:
    return in_pieces(work(*about)).encode()


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
        """What `work` makes of these things, for the client of the running task unless another is named. A turn ends
        with the work: a thread cannot be called off."""
        whose = CLIENT.get() if client is None else client
        async with self._pool.turn(whose, bounded=bounded):
            self.drawn += 1
            working = asyncio.get_running_loop().run_in_executor(self._threads, partial(work, *about))
            try:
                return await asyncio.shield(working)
            except asyncio.CancelledError:
                await asyncio.wait([working])
                raise

    async def json(self, work: Callable[..., Any], *about: Any) -> Response:
        """An answer with what `work` makes of these things. It is written in the thread, too: the pictures of large
        boards are hundreds of kilobytes."""
        return Response(await self.work(_written, work, about), media_type="application/json")

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
