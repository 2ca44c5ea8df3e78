"""The games being played right now: kept replayed in memory, told to everybody who watches.

Nothing here decides: a game is what its stored entries say. What is kept in memory can be thrown away at any
moment, and two processes that both think it is their turn to write are told apart by the database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from snakeden.core.registry import game as find_game
from snakeden.server.dice import commitment
from snakeden.server.engines import Engines
from snakeden.server.errors import NotFound, NotNow, Refused
from snakeden.server.events import Entry
from snakeden.server.match import Draft, Match
from snakeden.server.openings import opening
from snakeden.server.seats import Credentials, Seat
from snakeden.server.store import Conflict, Store, StoredGame
from snakeden.server.view import picture, spoken
from snakeden.words import to_data

log = logging.getLogger("snakeden.live")

_UNSENT = 64
"""Messages that may wait for one slow watcher before the connection is given up."""

_RESUMED_AT_ONCE = 16


class Watcher:
    """One connection that is told what happens."""

    def __init__(self, held: frozenset[int], pictures: bool) -> None:
        self.held = held
        self.pictures = pictures
        self.messages: asyncio.Queue[str | None] = asyncio.Queue(_UNSENT)

    def tell(self, message: str) -> None:
        """Queue a message; None at the end of the queue tells that some were lost and it is over."""
        if self.messages.qsize() < _UNSENT - 1:
            self.messages.put_nowait(message)
        elif not self.messages.full():
            self.messages.put_nowait(None)


class Live:
    """A game in memory."""

    def __init__(self, stored: StoredGame, match: Match) -> None:
        self.stored = stored
        self.match = match
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.thinking: asyncio.Task[None] | None = None
        self.drawing: asyncio.Task[None] | None = None
        self.picture: tuple[int, str] | None = None
        self.outlook: tuple[int, asyncio.Task[dict[str, Any]]] | None = None

    @property
    def busy(self) -> bool:
        return (
            bool(self.watchers) or self.lock.locked() or self.thinking is not None or self.drawing is not None
        )


class Hub:
    def __init__(self, store: Store, engines: Engines, cached: int) -> None:
        self.store = store
        self.engines = engines
        self._cached = cached
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._loads: dict[str, asyncio.Task[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._draw = ThreadPoolExecutor(1, "snakeden-draw")
        self.moves_stored = 0

    # -- finding games

    async def get(self, game_id: str, seen: int = 0) -> Live:
        """A game, at least as far as `seen` entries if there are so many; refuses what does not exist."""
        live = self._lives.get(game_id)
        if live is None:
            if game_id not in self._loads:
                self._loads[game_id] = asyncio.create_task(self._load(game_id))
            live = await asyncio.shield(self._loads[game_id])
        else:
            self._lives.move_to_end(game_id)
        if seen > len(live.match.entries) and self.store.shared:
            async with live.lock:
                await self.refresh_locked(live)
        # While it was waited for, another game may have taken its place; two copies of one would not hear of each
        # other.
        return self._lives.setdefault(game_id, live)

    async def _load(self, game_id: str) -> Live:
        try:
            found = await self.store.load(game_id)
            if found is None:
                raise NotFound("no-such-game")
            stored, entries = found
            match = await self.rebuild(stored, entries)
            live = Live(stored, match)
            self._keep(live)
            return live
        finally:
            del self._loads[game_id]

    async def rebuild(self, stored: StoredGame, entries: list[Entry]) -> Match:
        """Replay a stored game."""
        version = find_game(stored.game).rules_version
        if stored.rules_version != version:
            raise NotNow("other-rules", stored=stored.rules_version, current=version)
        await self.engines.warm(stored.game)
        return await asyncio.to_thread(replayed, stored, entries)

    def keep(self, stored: StoredGame, match: Match) -> Live:
        """Take in a game that was just made."""
        live = Live(stored, match)
        self._keep(live)
        return live

    def _keep(self, live: Live) -> None:
        self._lives[live.match.id] = live
        for game_id in list(self._lives):
            if len(self._lives) <= self._cached:
                break
            if not self._lives[game_id].busy and game_id != live.match.id:
                del self._lives[game_id]
        self._think(live)

    @property
    def cached(self) -> int:
        return len(self._lives)

    @property
    def watchers(self) -> int:
        return sum(len(live.watchers) for live in self._lives.values())

    # -- changing games

    async def act(self, live: Live, draft: Callable[[Match, float], Draft | None]) -> Match:
        """Store the entries that `draft` makes of the game and the time, then show them to everybody. It may be called
        again if another process was faster."""
        async with live.lock:
            while True:
                drafted = draft(live.match, time.time())
                if drafted is None or not drafted.entries:
                    return live.match
                entries, after = drafted
                try:
                    await self.store.append(live.match.id, entries, after.status)
                except Conflict:
                    if not await self.refresh_locked(live):
                        raise RuntimeError(
                            "the store refuses an entry that nobody else has written"
                        ) from None
                    continue
                self.show(live, after, entries)
                return after

    async def seats_now(self, live: Live) -> tuple[Seat, ...]:
        """The seats as they are stored; another process may have changed them. The caller holds the lock."""
        if self.store.shared:
            await self.refresh_locked(live)
        return live.match.seats

    async def refresh(self, game_id: str) -> None:
        """Another process may have written to this game: look, if anybody here cares."""
        live = self._lives.get(game_id)
        if live is not None:
            async with live.lock:
                await self.refresh_locked(live)

    async def refresh_locked(self, live: Live) -> bool:
        """Take in what others wrote; whether there was anything. The caller holds the lock."""
        seats, entries = await self.store.news(live.match.id, len(live.match.entries))
        if entries:
            after = await asyncio.to_thread(live.match.after, entries)
            self.show(live, after.with_seats(seats), entries)
        else:
            live.match = live.match.with_seats(seats)
        return bool(entries)

    async def follow(self) -> None:
        """Hear what other processes write, for ever."""
        async for game_id in self.store.changes():
            for changed in list(self._lives) if game_id is None else [game_id]:
                self._spawn(self.refresh(changed))

    def show(self, live: Live, after: Match, entries: list[Entry]) -> None:
        """Entries are stored: make them the game and tell everybody. The caller holds the lock."""
        live.match = after
        self.moves_stored += sum(entry.kind == "move" for entry in entries)
        if live.watchers:
            message = json.dumps(
                {"type": "entries", "entries": [e._asdict() for e in entries], **after.facts()}
            )
            for watcher in live.watchers:
                watcher.tell(message)
            if live.drawing is None and any(watcher.pictures for watcher in live.watchers):
                live.drawing = self._spawn(self._show(live))
        self._think(live)

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # -- showing games

    async def describe(self, live: Live, held: frozenset[int]) -> str:
        """Everything about a game, as JSON, for somebody on these seats."""
        match = live.match
        seen = len(match.entries)
        if live.picture is None or live.picture[0] != seen:
            loop = asyncio.get_running_loop()
            drawn = await loop.run_in_executor(self._draw, _described, live.stored, match)
            live.picture = (seen, drawn)
        return f'{{"type":"state","you":{json.dumps(sorted(held))},{live.picture[1][1:]}'

    async def draw(self, work: Callable[..., dict[str, Any]], *about: Any) -> dict[str, Any]:
        """What `work` makes of these things, made where pictures are made."""
        return await asyncio.get_running_loop().run_in_executor(self._draw, partial(work, *about))

    async def _show(self, live: Live) -> None:
        """Send the newest picture to those who want it; what happens meanwhile is in the next one."""
        try:
            shown = -1
            while shown != len(live.match.entries):
                shown = len(live.match.entries)
                for watcher in list(live.watchers):
                    if watcher.pictures:
                        watcher.tell(await self.describe(live, watcher.held))
        finally:
            live.drawing = None

    # -- engines

    def _think(self, live: Live) -> None:
        if live.thinking is None and live.match.to_think is not None:
            live.thinking = self._spawn(self._play_engines(live))

    async def _play_engines(self, live: Live) -> None:
        try:
            pause = 1.0
            while (agent := live.match.to_think) is not None:
                match = live.match
                seat, seen = match.player, len(match.entries)
                assert seat is not None
                try:
                    chosen = await self.engines.choose(match.state, agent)
                    await self.act(live, partial(_played, seat=seat, move=chosen["move"], seen=seen))
                    pause = 1.0
                except Exception as error:
                    expected = isinstance(error, Refused)
                    if expected and len(live.match.entries) != seen:
                        continue  # the game went on while it thought
                    # Whatever is wrong, the database away or no room for a process, may be over in a while. The
                    # engine is not given up, only let rest: nobody else would move for it.
                    log.error(
                        "an engine could not move",
                        extra={"game": match.id, "why": str(error)},
                        exc_info=None if expected else error,
                    )
                    await asyncio.sleep(pause)
                    pause = min(60.0, 2 * pause)
        finally:
            live.thinking = None

    async def outlook(self, live: Live, agent: str) -> dict[str, Any]:
        """How the game stands, by a short look of an engine: each seat's chance to win and expected score. Every
        position is looked at once; empty lists if it is not, because the engines have other things to do."""
        match, seen = live.match, len(live.match.entries)
        if live.outlook is None or live.outlook[0] != seen:
            if match.player is None or not agent or not self.engines.at_leisure(live.stored.game):
                return {"seen": seen, "wins": [], "scores": []}
            live.outlook = (seen, self._spawn(self.engines.choose(match.state, agent)))
        try:
            best = (await asyncio.shield(live.outlook[1]))["lines"][0]
        except Refused:
            return {"seen": seen, "wins": [], "scores": []}
        return {"seen": seen, "wins": best["wins"], "scores": best["scores"]}

    async def resume(self) -> None:
        """Let engines go on where they were when the server ended; a few games at a time, since each that has an
        engine thinking is in memory."""
        waiting = await self.store.with_engines()
        await asyncio.gather(*(self._resume_some(waiting) for _ in range(_RESUMED_AT_ONCE)))

    async def _resume_some(self, waiting: list[str]) -> None:
        while waiting:
            game_id = waiting.pop()
            try:
                live = await self.get(game_id)
            except Refused as refused:
                log.warning("a game cannot go on", extra={"game": game_id, "why": refused.reason})
                continue
            except Exception:
                # A game that is damaged must not hold up those after it.
                log.exception("a game cannot go on", extra={"game": game_id})
                continue
            if live.thinking is not None:
                await asyncio.wait([live.thinking])

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._draw.shutdown(wait=True)


def _played(match: Match, now: float, seat: int, move: str, seen: int) -> Draft:
    return match.play(seat, move, seen, now)


def held_seats(live: Live, credentials: Credentials) -> frozenset[int]:
    return credentials.held(live.match.id, live.match.seats)


def replayed(stored: StoredGame, entries: list[Entry]) -> Match:
    """The game that these rows are."""
    first = opening(stored.game, stored.options)
    return Match(stored.id, first, stored.seats, stored.seed, hints=stored.hints).after(entries)


def seat_facts(match: Match) -> list[dict[str, Any]]:
    """The seats, without anything secret."""
    return [
        {"kind": seat.kind, "name": seat.name, "agent": seat.agent or None, "taken": seat.taken}
        for seat in match.seats
    ]


def _described(stored: StoredGame, match: Match) -> str:
    over = match.status == "over"
    plies = match.line.plies()
    described = {
        "id": match.id,
        "game": stored.game,
        "name": find_game(stored.game).name,
        "options": dict(match.state.options),
        "rules_version": stored.rules_version,
        "hints": match.hints,
        "seats": seat_facts(match),
        "dice": {"commitment": commitment(match.seed), "seed": match.seed.hex() if over else None},
        "plies": [[ply.seat, ply.text, to_data(spoken(stored.game, ply.text))] for ply in plies],
        **match.facts(),
        **picture(
            match.state,
            plies[-1].text if plies else None,
            playable=match.status == "running",
        ),
    }
    return json.dumps(described, separators=(",", ":"))
