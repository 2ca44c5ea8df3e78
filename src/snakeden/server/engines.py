"""Engines think in processes of their own: bounded in number, in time and in memory, and shared fairly among clients.

Short questions have processes of their own, so that a beginner's engine answers at once while others think for long.
So have analyses, puzzles and films, which nobody's move waits for.

A worker is `python -m snakeden.server.worker`; a question is a line of JSON on its input, the answer a line on its
output. A worker that dies, hangs or babbles is killed and replaced, and its question is asked again; not one that took
too long.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from snakeden.core.game import Variant, variant
from snakeden.core.registry import game as find_game
from snakeden.core.state import State
from snakeden.programs import cpu
from snakeden.server.answers import refusal_from
from snakeden.server.errors import Refused, TooBusy
from snakeden.server.fair import NOBODY, FairPool
from snakeden.server.openings import play_through
from snakeden.server.questions import to_choose

log = logging.getLogger("snakeden.engines")

_TRIES = 3
_GRACE_S = 20.0
"""Beyond the time for thinking; on a busy machine a worker also has to be scheduled."""
_KEPT_NAMES = 64
_SHORT_S = 0.5
"""The longest that a question may take which is asked as a short one."""
_SHORT_SIMULATIONS = 100
_LONGEST_ANSWER = 16 << 20
"""Bytes of a worker's answer; films are the longest."""
_START_S = 60.0
"""For a worker's first answer about a game: it may have to load the rules, or to compile them where there is no
WebAssembly of them."""


_SHORT_AGENT = re.compile(
    r"random|greedy(:.*)?|level:[1-3]|mcts:(?:solver=no,)?sims=(\d{1,3})(?:,solver=no)?"
)


def is_short(agent: str) -> bool:
    """Whether an agent answers within a moment."""
    found = _SHORT_AGENT.fullmatch(agent)
    return found is not None and int(found[2] or 0) <= _SHORT_SIMULATIONS


class WorkerDied(Exception):
    """It ended, or had to be ended, before it answered."""


class WorkerSlow(WorkerDied):
    """It was ended because it took too long."""


class Worker:
    """One process, one question at a time."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._process: asyncio.subprocess.Process | None = None
        self._known: set[str] = set()  # the games whose rules it has loaded
        self._kept: OrderedDict[str, None] = OrderedDict()  # the games whose trees it has, as far as we know

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def keeps(self, game: str) -> bool:
        """Whether it has thought about this game lately, and so has a tree of it."""
        return game in self._kept

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
        limit = seconds + _GRACE_S + (0 if question["game"] in self._known else _START_S)
        try:
            async with asyncio.timeout(limit):
                process.stdin.write(json.dumps(question).encode() + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
            answer = json.loads(line)
        except TimeoutError:
            await self.kill()
            raise WorkerSlow from None
        except (OSError, ValueError):
            await self.kill()
            raise WorkerDied from None
        except asyncio.CancelledError:
            # Its answer would be taken for the next question's.
            await self.kill()
            raise
        self._known.add(question["game"])
        if question.get("keep"):
            self._kept[question["keep"]] = None
            self._kept.move_to_end(question["keep"])
            while len(self._kept) > _KEPT_NAMES:
                self._kept.popitem(last=False)
        assert isinstance(answer, dict)
        return answer

    async def _start(self) -> None:
        self._known = set()
        self._kept.clear()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "snakeden.server.worker",
            str(self._megabytes),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_ANSWER,
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
    """All workers. `queue` is how many questions may wait, `per_client` how many of one client."""

    def __init__(
        self, workers: int, seconds: float, megabytes: int, queue: int, per_client: int | None = None
    ) -> None:
        self.seconds = seconds
        self._workers = [Worker(megabytes) for _ in range(workers)]
        self._quick, self._study = (
            [Worker(megabytes) for _ in range(max(1, workers // 4))] for _ in range(2)
        )
        self._pool, self._quick_pool, self._study_pool = (
            # Where there are several, one client alone never has them all.
            FairPool(
                some,
                most_held=max(1, len(some) - 1),
                most_waiting=per_client or queue,
                most_waiting_of_all=queue,
            )
            for some in (self._workers, self._quick, self._study)
        )
        self.replaced = 0
        self._warm: dict[str, asyncio.Task[None]] = {}

    @property
    def idle(self) -> int:
        """Workers without a question, of those for long ones."""
        return self._pool.idle

    @property
    def waiting(self) -> int:
        """Questions that wait for a worker."""
        return self._pool.waiting + self._quick_pool.waiting + self._study_pool.waiting

    @property
    def _everybody(self) -> list[Worker]:
        return [*self._workers, *self._quick, *self._study]

    def pids(self) -> list[int]:
        """The processes now running."""
        return [worker.pid for worker in self._everybody if worker.pid is not None]

    async def warm(self, game: str) -> None:
        """Load a game's rules, in a thread: that takes a moment."""
        if game not in self._warm:
            self._warm[game] = asyncio.create_task(asyncio.to_thread(play_through, game))
        try:
            await asyncio.shield(self._warm[game])
        except Exception:
            # Whoever asks next tries again: what was wrong may be over by then.
            self._warm.pop(game, None)
            raise

    async def prepare(self, games: Sequence[str]) -> None:
        """Start a worker for the first question, then compile the programs of these games, one after the other, in
        processes that give way to everything else. Until then engines play by WebAssembly."""
        try:
            async with self._quick_pool.turn(NOBODY) as worker:
                await self._answer(worker, {"do": "warm", "game": games[0]}, 1.0)
        except (Refused, IndexError) as error:
            log.warning("no worker started yet", extra={"why": str(error)})
        for game in games:
            await self._compile(variant(find_game(game), {}))

    async def _compile(self, wanted: Variant) -> None:
        """Compile a variant's program in a process of its own, if it is not there."""
        if await asyncio.to_thread(cpu.is_compiled, wanted):
            return
        try:
            process = await asyncio.create_subprocess_exec(
                *cpu.compile_command(wanted, "play", gives_way=True),
                env=cpu.compile_environment(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            log.warning("not compiled", extra={"why": str(error), "game": wanted.game.id})
            return
        try:
            if await process.wait() != 0:
                log.warning("not compiled", extra={"game": wanted.game.id})
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def choose(
        self, state: State, agent: str, names: Sequence[str] = (), *, client: str = NOBODY, keep: str = ""
    ) -> dict[str, Any]:
        """What the agent plays: its "move", why in "words", and the "lines" it thought of; if the players' names
        are given, also what its move "does". `client` is for whom it thinks, and `keep` names what it goes on thinking
        about when it is asked by that name again, such as a game and a seat."""
        short = is_short(agent)
        seconds = min(self.seconds, _SHORT_S) if short else self.seconds
        question = to_choose(state, agent, seconds, names, keep)
        pool = self._quick_pool if short else self._pool
        prefer = (lambda worker: worker.keeps(keep)) if keep else None
        async with pool.turn(client, prefer=prefer) as worker:
            return await self._answer(worker, question, seconds)

    async def study(self, do: str, game: str, *about: Any, client: str = NOBODY) -> dict[str, Any]:
        """What a function of `worker.STUDY` makes of these things; it is asked once, and not again if it takes too
        long."""
        question = {"do": do, "game": game, "about": about}
        async with self._study_pool.turn(client) as worker:
            return await self._answer(worker, question, self.seconds, tries=1)

    async def _answer(
        self, worker: Worker, question: Mapping[str, Any], seconds: float, tries: int = _TRIES
    ) -> dict[str, Any]:
        for attempt in range(tries):
            try:
                answer = await worker.ask(question, seconds)
            except WorkerDied as died:
                self.replaced += 1
                log.warning("worker replaced", extra={"attempt": attempt + 1, "game": question["game"]})
                if isinstance(died, WorkerSlow):
                    break  # it would take as long again, and others wait
                continue
            if "error" in answer:
                raise refusal_from(answer["error"])
            return answer
        raise TooBusy("engine-failed-often")

    async def stop(self) -> None:
        for task in self._warm.values():
            task.cancel()
        await asyncio.gather(*self._warm.values(), return_exceptions=True)
        for worker in self._everybody:
            await worker.kill()
