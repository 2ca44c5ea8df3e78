"""Engines in the page: a browser thinks for the engines that its owner plays against.

A page that has an engine says so over its live connection. From then on it is asked as a worker of the server would
be, and answers the same; if it does not, the server's engines do. A browser cannot be believed, so it is asked only
where it could deceive nobody but its owner: in a game that is not listed for everybody, where one player holds all
seats of people, and nobody else watches.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from snakeden import agents
from snakeden.core.errors import IllegalMove
from snakeden.core.state import State
from snakeden.server.errors import NotNow, TooOften
from snakeden.server.fair import NOBODY
from snakeden.server.match import Match
from snakeden.server.questions import to_choose
from snakeden.server.watching import Watcher

Policy = Literal["prefer", "allow", "forbid"]
"""Whether pages think: wherever they can, only while the server's engines are busy, or never."""

_GRACE_S = 5.0
"""Beyond the time for thinking: for the way there and back, and for a device that is slow."""
_MOST_WAITING = 16
"""Questions that may wait for one page, as for the server's engines: whoever asks more waits only longer."""


class Silent(Exception):
    """A page did not answer, or not as an engine does."""


class PageEngine:
    """The engine of one connection. `tell` sends a message, `workers` is how many questions it thinks about at once."""

    def __init__(self, tell: Callable[[str], None], workers: int) -> None:
        self._tell = tell
        self._workers = workers
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._questions = 0
        self.silent = False
        """Whether it failed once; then it is not asked again."""

    @property
    def idle(self) -> int:
        return max(0, self._workers - len(self._asked))

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question; raises Silent, and refuses if too many wait."""
        if len(self._asked) >= _MOST_WAITING:
            raise TooOften("too-much-waiting")
        self._questions += 1
        number = self._questions
        self._asked[number] = asyncio.get_running_loop().create_future()
        waiting = question["seconds"] * (1 + len(self._asked)) + _GRACE_S
        self._tell(json.dumps({"type": "think", "number": number, "question": question}))
        try:
            async with asyncio.timeout(waiting):
                return await self._asked[number]
        except TimeoutError:
            raise Silent from None
        finally:
            del self._asked[number]

    def answer(self, number: int, found: dict[str, Any] | None) -> None:
        """Take in what the page says to a question; None if it cannot answer."""
        waiting = self._asked.get(number)
        if waiting is None or waiting.done():
            raise NotNow("nothing-asked")
        if found is None:
            waiting.set_exception(Silent())
        else:
            waiting.set_result(found)

    def close(self) -> None:
        """The page is gone: whoever waits for it need not."""
        for waiting in self._asked.values():
            if not waiting.done():
                waiting.set_exception(Silent())


class Thinker(Protocol):
    """What a game asks of engines."""

    @property
    def idle(self) -> int: ...

    async def choose(
        self, state: State, agent: str, names: Sequence[str] = (), *, client: str = NOBODY, keep: str = ""
    ) -> dict[str, Any]: ...


def engine_in_page(match: Match, watchers: Iterable[Watcher]) -> PageEngine | None:
    """The engine of a page that may think in this game, if there is one."""
    everybody = list(watchers)
    if not all(plays_alone(match, watcher.held(match)) for watcher in everybody):
        return None
    engines = (watcher.engine for watcher in everybody)
    return next((engine for engine in engines if engine is not None and not engine.silent), None)


def plays_alone(match: Match, held: frozenset[int]) -> bool:
    """Whether whoever holds these seats plays with no other person."""
    people = {number for number, seat in enumerate(match.seats) if seat.kind != "engine"}
    return bool(people) and people <= held


@dataclass(frozen=True)
class PageFirst:
    """The engines for one game: that of a page, and the server's where it is silent."""

    page: PageEngine
    server: Thinker
    seconds: float

    @property
    def idle(self) -> int:
        return self.server.idle if self.page.silent else self.page.idle

    async def choose(
        self, state: State, agent: str, names: Sequence[str] = (), *, client: str = NOBODY, keep: str = ""
    ) -> dict[str, Any]:
        # A page has no network: without one it would play worse than the level that was chosen.
        if not self.page.silent and not agents.uses_net(agent, state.variant):
            try:
                return _checked(
                    state, await self.page.ask(to_choose(state, agent, self.seconds, names, keep))
                )
            except Silent:
                self.page.silent = True
        return await self.server.choose(state, agent, names, client=client, keep=keep)


def _checked(state: State, found: dict[str, Any]) -> dict[str, Any]:
    """An answer as an engine gives it, whatever the page wrote: a legal move in its usual notation, and for each line a
    number a seat. Raises Silent for any other."""
    if any(len(line[what]) != state.seats for line in found["lines"] for what in ("wins", "scores")):
        raise Silent
    try:
        return {**found, "move": state.move(found["move"]).text}
    except IllegalMove:
        raise Silent from None
