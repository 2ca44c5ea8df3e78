"""Engines think in processes of their own: bounded in number, in time and in memory.

A worker is `python -m snakeden.server.worker`; a question is a line of JSON on its input, the answer a line on its
output. A worker that dies, hangs or babbles is killed and replaced, and its question is asked again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from snakeden import agents
from snakeden.core.state import State
from snakeden.programs.folder import cache_folder
from snakeden.server.errors import NotPossible, Refused, TooBusy
from snakeden.server.openings import first_choice, play_through
from snakeden.words import from_data

log = logging.getLogger("snakeden.engines")

_TRIES = 3
_GRACE_S = 20.0
"""Beyond the time for thinking; on a busy machine a worker also has to be scheduled."""
_START_S = 300.0
"""For a worker's first answer about a game: the rules may have to be compiled."""


class WorkerDied(Exception):
    """It ended, or had to be ended, before it answered."""


def check_agent(name: str) -> None:
    """Refuses what is no agent, or wants more of the machine than a guest may ask for."""
    if "threads=" in name or "memory=" in name:
        raise NotPossible("agent-resources", agent=name)
    try:
        agents.make(name)
    except agents.BadAgent as error:
        raise NotPossible("bad-agent", reason=error.message) from None


def _refusal(error: Mapping[str, Any]) -> Refused:
    """What a worker says went wrong."""
    if "reason" in error:
        return NotPossible(error["key"], reason=from_data(error["reason"]))
    return TooBusy(error["key"])


class Worker:
    """One process, one question at a time."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._process: asyncio.subprocess.Process | None = None
        self._known: set[tuple[str, str]] = set()  # what its kernels have been loaded for

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def ask(self, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        if self._process is None:
            try:
                await self._start()
            except OSError:  # no memory or no room for another process; later there may be
                raise WorkerDied from None
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        about = (question["game"], question.get("agent", ""))
        limit = seconds + _GRACE_S + (0 if about in self._known else _START_S)
        try:
            async with asyncio.timeout(limit):
                process.stdin.write(json.dumps(question).encode() + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
            answer = json.loads(line)
        except (TimeoutError, OSError, ValueError):
            await self.kill()
            raise WorkerDied from None
        except asyncio.CancelledError:
            # Its answer would be taken for the next question's.
            await self.kill()
            raise
        self._known.add(about)
        assert isinstance(answer, dict)
        return answer

    async def _start(self) -> None:
        self._known = set()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "snakeden.server.worker",
            str(self._megabytes),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1 << 20,
            env={**os.environ, "NUMBA_NUM_THREADS": "1"},
            # A Ctrl-C in the terminal is the server's to handle.
            start_new_session=True,
        )

    async def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Engines:
    def __init__(self, workers: int, seconds: float, megabytes: int, queue: int) -> None:
        self.seconds = seconds
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self._workers = [Worker(megabytes) for _ in range(workers)]
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._most_waiting = queue
        self.waiting = 0
        self.replaced = 0
        self._warm: dict[str, asyncio.Task[None]] = {}
        self._unprepared: set[str] = set()
        self._to_compile: frozenset[str] = frozenset()
        """Agents that are being prepared."""
        self._compiler = Worker(megabytes)
        """Compiles, so that no player's engine waits for another game's rules."""
        self._compiling = asyncio.Lock()

    @property
    def idle(self) -> int:
        """Workers without a question."""
        return self._idle.qsize()

    def pids(self) -> list[int]:
        """The processes now running."""
        return [worker.pid for worker in (*self._workers, self._compiler) if worker.pid is not None]

    async def warm(self, game: str) -> None:
        """Load a game's rules. If no cache has them yet, a process compiles them first: this one has no time."""
        if game not in self._warm:
            self._warm[game] = asyncio.create_task(self._warm_up(game))
        await asyncio.shield(self._warm[game])

    async def _warm_up(self, game: str) -> None:
        try:
            await self._compile(f"{game}.warm", {"do": "warm", "game": game})
            await asyncio.to_thread(play_through, game)
        except Exception:
            # Whoever asks next tries again: what was wrong may be over by then.
            del self._warm[game]
            raise

    async def _compile(self, mark: str, question: Mapping[str, Any]) -> None:
        """Have a question answered for the sake of what is compiled for it, unless that has been done before."""
        # The cache's folder is another one whenever any rule has changed.
        done = cache_folder() / mark
        if done.exists():
            return
        async with self._compiling:
            if not done.exists():
                await self._answer(self._compiler, question, 1.0)
                with contextlib.suppress(OSError):
                    done.touch()

    async def prepare(self, games: Collection[str], agents: Sequence[str]) -> None:
        """Compile and load beforehand what players will ask for: the rules of all games and the first agent, then the
        other agents. One thing at a time, so that whoever asks meanwhile comes next."""
        self._unprepared.update(games)
        self._to_compile = frozenset(agents)
        try:
            for game in games:
                await self.warm(game)
                await self._practise(game, agents[:1])
            for game in games:
                await self._practise(game, agents[1:])
                self._unprepared.discard(game)
        except Refused as refused:
            log.warning("not prepared", extra={"why": refused.reason})
        finally:
            self._unprepared.clear()
            self._to_compile = frozenset()
            async with self._compiling:
                await self._compiler.kill()

    async def _practise(self, game: str, agents: Sequence[str]) -> None:
        first = await asyncio.to_thread(first_choice, game)
        for agent in agents:
            await self.choose(first, agent)

    def at_leisure(self, game: str) -> bool:
        """Whether a worker has nothing to do, and would not have to compile anything to think about this game."""
        return self.idle > 0 and game not in self._unprepared

    async def choose(self, state: State, agent: str, names: Sequence[str] = ()) -> dict[str, Any]:
        """What the agent plays: its "move", why in "words", and the "lines" it thought of; if the players' names
        are given, also what its move "does"."""
        if agent in self._to_compile:
            # Compiled once, and by who does that anyway: not here as well.
            mark = f"{state.game}.{agent.replace(':', '.')}.warm"
            await self._compile(mark, self._question(state, agent, 1.0))
        return await self._ask(self._question(state, agent, self.seconds, names), self.seconds)

    @staticmethod
    def _question(state: State, agent: str, seconds: float, names: Sequence[str] = ()) -> dict[str, Any]:
        return {
            "do": "choose",
            "game": state.game,
            "state": state.text,
            "agent": agent,
            "seconds": seconds,
            "names": list(names),
        }

    async def _ask(self, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        if self.waiting >= self._most_waiting:
            raise TooBusy("engines-busy")
        self.waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self.waiting -= 1
        try:
            return await self._answer(worker, question, seconds)
        finally:
            self._idle.put_nowait(worker)

    async def _answer(self, worker: Worker, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        for attempt in range(_TRIES):
            try:
                answer = await worker.ask(question, seconds)
            except WorkerDied:
                self.replaced += 1
                log.warning("worker replaced", extra={"attempt": attempt + 1, "game": question["game"]})
                continue
            if "error" in answer:
                raise _refusal(answer["error"])
            return answer
        raise TooBusy("engine-failed-often")

    async def stop(self) -> None:
        for task in self._warm.values():
            task.cancel()
        await asyncio.gather(*self._warm.values(), return_exceptions=True)
        for worker in (*self._workers, self._compiler):
            await worker.kill()
