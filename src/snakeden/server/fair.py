"""Sharing what is scarce among clients: nobody waits for more than their own."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from snakeden.server.errors import TooBusy, TooOften

T = TypeVar("T")

NOBODY = ""
"""The client of work that nobody asked for just now, such as games taken up again after a restart."""

CLIENT: ContextVar[str] = ContextVar("client", default=NOBODY)
"""For whom the running task works."""


@dataclass(eq=False)
class _Waiting(Generic[T]):
    client: str
    prefer: Callable[[T], bool] | None
    future: asyncio.Future[T]


class Once(Generic[T]):
    """Something that several clients want and that is made once. Each waits for it in a turn of its own, so that nobody
    waits for another's turn; whose turn comes first makes it for all. `spawn` starts a task."""

    def __init__(
        self,
        make: Callable[[], Coroutine[Any, Any, T]],
        spawn: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]] = asyncio.create_task,
    ) -> None:
        self._make = make
        self._spawn = spawn
        self._making: dict[str, asyncio.Task[None]] = {}
        self._made: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    async def get(self) -> T:
        client = CLIENT.get()
        if not self._made.done() and client not in self._making:
            self._making[client] = self._spawn(self._try())
        return await asyncio.shield(self._made)

    async def _try(self) -> None:
        try:
            made = await self._make()
        except asyncio.CancelledError:
            if not self._made.done():
                self._made.cancel()
            raise
        except Exception as error:
            if not self._made.done():
                self._made.set_exception(error)
                self._made.exception()  # whoever waits is told; it is no surprise if nobody does any more
        else:
            if not self._made.done():
                self._made.set_result(made)
        this = asyncio.current_task()
        for task in self._making.values():
            if task is not this:
                task.cancel()
        self._making.clear()

    @property
    def failed(self) -> bool:
        return self._made.done() and (self._made.cancelled() or self._made.exception() is not None)

    @property
    def made(self) -> T | None:
        """The thing, once it is there."""
        return self._made.result() if self._made.done() and not self.failed else None

    def when_done(self, call: Callable[[], Any]) -> None:
        self._made.add_done_callback(lambda _: call())


class FairPool(Generic[T]):
    """Things that clients take in turns, such as processes or threads. Of those who wait, whoever has used them for the
    shortest time goes first; a client who comes anew is as far as those who are there, not ahead. No client holds more
    than `most_held` at once or has more than `most_waiting` requests waiting."""

    def __init__(
        self,
        things: Sequence[T],
        *,
        most_held: int,
        most_waiting: int,
        most_waiting_of_all: int,
        remembered: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._idle = list(things)
        self._most_held = most_held
        self._most_waiting = most_waiting
        self._most_waiting_of_all = most_waiting_of_all
        self._remembered = remembered
        self._clock = clock
        self._waiting: dict[str, deque[_Waiting[T]]] = {}
        self._held: Counter[str] = Counter()
        self._used: OrderedDict[str, float] = OrderedDict()  # client -> seconds, as if all had come at once
        self._now = 0.0  # how much those who are served have used

    @property
    def idle(self) -> int:
        return len(self._idle)

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(
        self, client: str, *, prefer: Callable[[T], bool] | None = None, bounded: bool = True
    ) -> AsyncIterator[T]:
        """One of the things, for as long as the block runs. `prefer` says which would be best, if it is idle. Refuses a
        client who has too much waiting; not if it is not `bounded`, because the caller bounds it."""
        own = self._waiting.get(client)
        if bounded and own is not None and len(own) >= self._most_waiting:
            raise TooOften("too-much-waiting")
        if bounded and self.waiting >= self._most_waiting_of_all:
            raise TooBusy("engines-busy")
        thing = await self._wait(client, prefer)
        begun = self._clock()
        try:
            yield thing
        finally:
            self._use(client, self._clock() - begun)
            self._give_back(client, thing)

    async def _wait(self, client: str, prefer: Callable[[T], bool] | None) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(client, prefer, future)
        if client not in self._waiting and not self._held[client]:
            self._use(client, 0.0)
        self._waiting.setdefault(client, deque()).append(waiting)
        self._hand_out()
        try:
            return await future
        except asyncio.CancelledError:
            if waiting.future.done() and not waiting.future.cancelled():
                self._give_back(client, waiting.future.result())
            else:
                self._forget(waiting)
            raise

    def _forget(self, waiting: _Waiting[T]) -> None:
        own = self._waiting.get(waiting.client)
        if own is not None and waiting in own:
            own.remove(waiting)
            if not own:
                del self._waiting[waiting.client]

    def _use(self, client: str, seconds: float) -> None:
        used = max(self._used.pop(client, self._now), self._now)
        self._used[client] = used + seconds
        while len(self._used) > self._remembered:
            self._used.popitem(last=False)

    def _give_back(self, client: str, thing: T) -> None:
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        self._idle.append(thing)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._idle:
            able = [client for client in self._waiting if self._held[client] < self._most_held]
            if not able:
                return
            client = min(able, key=lambda one: self._used.get(one, self._now))
            waiting = self._waiting[client][0]
            self._forget(waiting)
            if waiting.future.done():
                continue  # its caller is gone
            self._now = max(self._now, self._used.get(client, self._now))
            self._held[client] += 1
            best = next((one for one in self._idle if waiting.prefer and waiting.prefer(one)), self._idle[-1])
            self._idle.remove(best)
            waiting.future.set_result(best)
