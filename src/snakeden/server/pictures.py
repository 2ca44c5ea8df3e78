"""Drawing positions and building variants: work for threads, shared fairly among clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from snakeden.core.registry import game as find_game
from snakeden.core.state import State
from snakeden.server.dice import commitment
from snakeden.server.fair import CLIENT, FairPool
from snakeden.server.match import Match
from snakeden.server.store import StoredGame
from snakeden.server.view import picture, spoken, targets
from snakeden.words import to_data

T = TypeVar("T")

_THREADS = 2
_MOST_WAITING = 24
_MOST_WAITING_OF_ALL = 2000
_PIECE = 1000
MOST_TARGETS = 6000
"""Legal moves that a state tells of by itself; where there are more they are asked for."""


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


def described(stored: StoredGame, match: Match) -> str:
    """Everything about a game that is the same for all, as JSON; the moves if they are not too many."""
    over = match.status == "over"
    plies = match.line.plies()
    state = _unused(match.state)
    playable = match.status == "running"
    told = playable and len(state.codes()) <= MOST_TARGETS
    about = {
        "id": match.id,
        "game": stored.game,
        "name": find_game(stored.game).name,
        "options": dict(state.options),
        "rules_version": stored.rules_version,
        "hints": match.hints,
        "seats": seat_facts(match),
        "dice": {"commitment": commitment(match.seed), "seed": match.seed.hex() if over else None},
        "plies": [[ply.seat, ply.text, to_data(spoken(stored.game, ply.text))] for ply in plies],
        **match.facts(),
        **picture(state, plies[-1].text if plies else None, playable=told),
    }
    if playable and not told:
        about["targets"] = None
    return _compact(about)


def all_targets(match: Match) -> str:
    """The legal moves with what they touch, however many there are, as JSON."""
    state = _unused(match.state)
    playable = match.status == "running"
    found = targets(state, playable=playable)
    moves = found.pop("moves")
    # Writing JSON lets no other thread run until it is done: in pieces nobody waits for long.
    pieces = [_compact(moves[n : n + _PIECE])[1:-1] for n in range(0, len(moves), _PIECE)]
    rest = _compact(found)
    return f'{{"seen":{len(match.entries)},"targets":{rest[:-1]},"moves":[{",".join(pieces)}]}}}}'


def _compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def _unused(state: State) -> State:
    """The same position, so that the list of its legal moves is forgotten with it, not kept in the game's line."""
    return State(state.variant, state.array())


def seat_facts(match: Match) -> list[dict[str, Any]]:
    """The seats, without anything secret."""
    return [
        {"kind": seat.kind, "name": seat.name, "agent": seat.agent or None, "taken": seat.taken}
        for seat in match.seats
    ]
