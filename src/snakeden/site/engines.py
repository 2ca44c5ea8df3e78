"""Engines of the page: each thinks in a worker of the browser, as the server's do in processes."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from snakeden.core.state import State
from snakeden.server.answers import refusal_from
from snakeden.server.fair import NOBODY, FairPool
from snakeden.server.questions import to_choose

_SECONDS = 10.0
"""The longest that one move may take."""
_MOST_WAITING = 64


class BrowserEngines:
    """What `snakeden.server.live` asks of engines. `ask(worker, question)` sends a question to one of the workers."""

    def __init__(self, workers: int, ask: Callable[[int, str], Awaitable[str]]) -> None:
        self._ask = ask
        self._kept: dict[str, int] = {}  # which worker thought last about what is named so
        self._pool: FairPool[int] = FairPool(
            range(workers),
            most_held=workers,
            most_waiting=_MOST_WAITING,
            most_waiting_of_all=_MOST_WAITING,
        )

    @property
    def idle(self) -> int:
        return self._pool.idle

    async def warm(self, game: str) -> None:
        """Nothing: a program is there at once."""

    async def choose(
        self, state: State, agent: str, names: Sequence[str] = (), *, client: str = NOBODY, keep: str = ""
    ) -> dict[str, Any]:
        """What the agent plays, as `snakeden.server.worker` answers it."""
        question = to_choose(state, agent, _SECONDS, names, keep)
        async with self._pool.turn(client, prefer=lambda one: self._kept.get(keep) == one) as worker:
            self._kept[keep] = worker
            return await self._answer(worker, question)

    async def study(self, do: str, game: str, *about: Any, client: str = NOBODY) -> dict[str, Any]:
        """What a function of `snakeden.server.study` makes of these things."""
        async with self._pool.turn(client) as worker:
            return await self._answer(worker, {"do": do, "game": game, "about": about})

    async def _answer(self, worker: int, question: Mapping[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(await self._ask(worker, json.dumps(question)))
        if "error" not in answer:
            return answer
        raise refusal_from(answer["error"])
