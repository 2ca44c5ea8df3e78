"""The games being played right now: kept in memory, and sent to everybody who watches.

Nothing here decides: a game is what its stored entries say. What is kept in memory can be thrown away at any
moment, and two processes that both think it is their turn to write are kept apart by the database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from snakeden.core.game import Variant
from snakeden.core.registry import game as find_game
from snakeden.server.curve import Curve, lengthen, new_curve
from snakeden.server.describing import all_targets, described, news
from snakeden.server.errors import NotAllowed, NotFound, NotNow, Refused
from snakeden.server.events import Entry
from snakeden.server.fair import CLIENT, NOBODY, Once
from snakeden.server.logs import masked
from snakeden.server.match import Draft, Match
from snakeden.server.openings import opening
from snakeden.server.page_engines import (
    PageEngine,
    PageFirst,
    Policy,
    Thinker,
    engine_in_page,
    plays_alone,
)
from snakeden.server.seats import Credentials
from snakeden.server.stored import Conflict, StoredGame
from snakeden.server.thinking import Turns
from snakeden.server.watching import Watcher

if TYPE_CHECKING:
    from snakeden.server.engines import Engines
    from snakeden.server.limits import Allowance
    from snakeden.server.pictures import Pictures
    from snakeden.server.store import Store

log = logging.getLogger("snakeden.live")

_RESUMED_AT_ONCE = 16
_NO_ROOM_S = 0.5
"""How long no games are looked for to be forgotten after there were too few of them."""
_VARIANT_SHARE = 3
"""How much memory a variant takes, as a multiple of its tables: its program has copies of them."""
_FEW_ENTRIES = 50
"""Written at once, in less time than it takes to hand them to a thread."""


class Live:
    """A game in memory."""

    def __init__(self, stored: StoredGame, match: Match) -> None:
        self.stored = stored
        self.match = match
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.client = NOBODY
        """Who did something here last, or came to their seat: for them engines think."""
        self.thinking: asyncio.Task[None] | None = None
        self.drawing: asyncio.Task[None] | None = None
        self.catching_up: asyncio.Task[None] | None = None
        self.picture: tuple[Match, Once[str]] | None = None
        self.targets: tuple[int, Once[bytes]] | None = None
        self.outlook: tuple[int, asyncio.Task[dict[str, Any]]] | None = None
        self.curve: tuple[Curve, asyncio.Task[None]] | None = None
        self.bytes = match.bytes
        self.heard: int | None = None
        """By which connection we would have heard of what other processes wrote since the game was read."""

    @property
    def busy(self) -> bool:
        return (
            bool(self.watchers) or self.lock.locked() or self.thinking is not None or self.drawing is not None
        )

    @property
    def wants_thought(self) -> bool:
        """Whether an engine has to move. Engines that play among themselves do so only while somebody watches."""
        return self.match.to_think is not None and (self.match.people or bool(self.watchers))

    def measured(self) -> int:
        """About how much memory it takes, pictures included."""
        held = self.match.bytes
        for kept in (self.picture, self.targets):
            held += len((kept[1].made if kept is not None else None) or "")
        return held


class Hub:
    """All of them. At most `cached` games and about `cached_bytes` are kept that nobody needs just now. `stored` bounds
    how much one client may have written down."""

    def __init__(
        self,
        store: Store,
        engines: Engines,
        pictures: Pictures,
        cached: int,
        cached_bytes: int,
        thinking_games: int,
        engines_in_page: Policy = "forbid",
        stored: Allowance | None = None,
    ) -> None:
        self.store = store
        self.engines = engines
        self.pictures = pictures
        self._cached = cached
        self._cached_bytes = cached_bytes
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._bytes = 0
        self._no_room_until = 0.0
        self._variants: Counter[Variant] = Counter()  # how many of these games are of each
        self._loads: dict[str, Once[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._turns = Turns(thinking_games)
        self._engines_in_page = engines_in_page
        self._stored = stored
        self.moves_stored = 0

    # -- finding games

    async def get(self, game_id: str, seen: int = 0) -> Live:
        """A game, at least as far as `seen` entries if there are that many; refuses what does not exist."""
        live = self._lives.get(game_id)
        if live is None:
            live = await self._loading(game_id).get()
        else:
            self._lives.move_to_end(game_id)
        if self.store.shared and (seen > len(live.match.entries) or not self._hears_of(live)):
            await self.catch_up(live)
        # While it was waited for, another game may have taken its place; two copies of one would not hear of each
        # other.
        if game_id not in self._lives:
            self._keep(live)
        found = self._lives[game_id]
        self._think(found)
        return found

    def _hears_of(self, live: Live) -> bool:
        """Whether nothing can have been missed that other processes wrote: not if the connection that brings their news
        was lost since the game was read."""
        return live.heard is not None and live.heard == self.store.hearing

    def _loading(self, game_id: str) -> Once[Live]:
        loading = self._loads.get(game_id)
        if loading is None:
            loading = self._loads[game_id] = Once(partial(self._load, game_id), self._spawn)
            loading.when_done(lambda: self._loads.pop(game_id, None))
        return loading

    async def _load(self, game_id: str) -> Live:
        heard = self.store.hearing
        found = await self.store.load(game_id)
        if found is None:
            raise NotFound("no-such-game")
        stored, entries = found
        live = Live(stored, await self.rebuild(stored, entries))
        live.heard = heard
        return live

    async def rebuild(self, stored: StoredGame, entries: list[Entry]) -> Match:
        """Read a stored game."""
        version = find_game(stored.game).rules_version
        if stored.rules_version != version:
            raise NotNow("other-rules", stored=stored.rules_version, current=version)
        await self.engines.warm(stored.game)
        return await self.pictures.work(replayed, stored, entries, bounded=False)

    def keep(self, stored: StoredGame, match: Match) -> Live:
        """Take in a game that was just made."""
        live = Live(stored, match)
        live.client = CLIENT.get()
        live.heard = self.store.hearing
        self._keep(live)
        self._think(live)
        return live

    def _keep(self, live: Live) -> None:
        self._lives[live.match.id] = live
        self._bytes += live.bytes
        variant = live.match.opening.variant
        self._variants[variant] += 1
        if self._variants[variant] == 1:
            self._bytes += _VARIANT_SHARE * variant.bytes
        self._make_room(live)

    def _forget(self, live: Live) -> None:
        del self._lives[live.match.id]
        self._bytes -= live.bytes
        variant = live.match.opening.variant
        self._variants[variant] -= 1
        if not self._variants[variant]:
            del self._variants[variant]
            self._bytes -= _VARIANT_SHARE * variant.bytes

    def _make_room(self, newest: Live) -> None:
        """Forget games that nobody needs just now, those first that were not asked for longest."""
        if len(self._lives) <= self._cached and self._bytes <= self._cached_bytes:
            return
        now = time.monotonic()
        if now < self._no_room_until:
            return
        for live in list(self._lives.values()):
            if len(self._lives) <= self._cached and self._bytes <= self._cached_bytes:
                return
            if not live.busy and live is not newest:
                self._forget(live)
        # Most games are needed just now: looking through all of them for every move would take longer than the moves.
        self._no_room_until = now + _NO_ROOM_S

    def _measure(self, live: Live) -> None:
        if live.match.id in self._lives:
            before, live.bytes = live.bytes, live.measured()
            self._bytes += live.bytes - before
            self._make_room(live)

    @property
    def cached(self) -> int:
        return len(self._lives)

    @property
    def cached_bytes(self) -> int:
        return self._bytes

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
                self.may_store(len(entries))
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

    def may_store(self, entries: int) -> None:
        """Refuses a client that fills the disk."""
        if self._stored is not None and CLIENT.get() != NOBODY:
            self._stored.take(CLIENT.get(), "moves", entries)

    async def held(self, live: Live, credentials: Credentials) -> frozenset[int]:
        """The seats of a player. Before somebody is taken for a stranger it is looked up whether they joined through
        another process."""
        found = held_seats(live, credentials)
        if not found and credentials.key is not None:
            await self.catch_up(live)
            found = held_seats(live, credentials)
        if found:
            live.client = CLIENT.get() or live.client
            self._think(live)
        return found

    async def catch_up(self, live: Live) -> None:
        """See what other processes wrote until now. However many strangers ask, the game is looked up once for all of
        them, so that its players do not wait behind them."""
        if not self.store.shared:
            return
        if live.catching_up is None or live.catching_up.done():
            live.catching_up = self._spawn(self._catch_up(live))
        await asyncio.shield(live.catching_up)

    async def _catch_up(self, live: Live) -> None:
        CLIENT.set(NOBODY)  # in nobody's turn, since several may wait for it
        async with live.lock:
            live.catching_up = None  # whoever asks from now on needs a later look
            await self.refresh_locked(live)

    async def seats_now(self, live: Live) -> None:
        """See that the seats are those stored; another process may have changed them. The caller holds the lock."""
        if self.store.shared:
            await self.refresh_locked(live)

    async def refresh(self, game_id: str) -> None:
        """Another process may have written to this game: look, if anybody here cares."""
        live = self._lives.get(game_id)
        if live is not None:
            await self.catch_up(live)

    async def refresh_locked(self, live: Live) -> bool:
        """Take in what others wrote; whether there was anything. The caller holds the lock."""
        heard = self.store.hearing
        seats, entries = await self.store.news(live.match.id, len(live.match.entries))
        live.heard = heard
        if entries:
            after = await self.pictures.work(live.match.after, entries, bounded=False)
            self.show(live, after.with_seats(seats), entries)
        elif seats != live.match.seats:
            self.reseat(live, live.match.with_seats(seats))
        return bool(entries)

    async def follow(self) -> None:
        """Hear what other processes write, for ever."""
        async for game_id in self.store.changes():
            for changed in list(self._lives) if game_id is None else [game_id]:
                self._spawn(self.refresh(changed))

    def show(self, live: Live, after: Match, entries: list[Entry]) -> None:
        """Entries are stored: make them the game and notify everybody. The caller holds the lock."""
        live.match = after
        live.client = CLIENT.get() or live.client
        self.moves_stored += sum(entry.kind == "move" for entry in entries)
        if live.watchers:
            message = news(after, len(after.entries) - len(entries))
            for watcher in live.watchers:
                watcher.send(message)
            if live.drawing is None and any(watcher.pictures for watcher in live.watchers):
                live.drawing = self._spawn(self._show(live))
        self._measure(live)
        self._think(live)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if (
            not task.cancelled()
            and task.exception() is not None
            and not isinstance(task.exception(), Refused)
        ):
            log.error("a task failed", exc_info=task.exception())

    def reseat(self, live: Live, after: Match) -> None:
        """Other devices hold the seats now: whoever watches is shown which are theirs. The caller holds the lock."""
        live.match = after
        if live.drawing is None and any(watcher.pictures for watcher in live.watchers):
            live.drawing = self._spawn(self._show(live))

    # -- showing games

    def watch(self, live: Live, watcher: Watcher) -> None:
        """Tell this connection what happens from now on."""
        live.watchers.add(watcher)
        # Who watches a game that people play lends its engines no turn.
        if watcher.held(live.match) or not live.match.people:
            live.client = CLIENT.get()
        self._think(live)

    async def news(self, match: Match, seen: int) -> str:
        """What happened after the first `seen` entries, as a message; much of it is written in a thread."""
        if len(match.entries) - seen <= _FEW_ENTRIES:
            return news(match, seen)
        return await self.pictures.work(news, match, seen, bounded=False)

    async def describe(self, live: Live, held: frozenset[int]) -> str:
        """Everything about a game, as JSON, for somebody on these seats. Whoever asks meanwhile gets the same."""
        match = live.match
        if live.picture is None or live.picture[0] is not match or live.picture[1].failed:
            drawing = partial(self.pictures.work, described, live.stored, match, bounded=False)
            live.picture = (match, Once(drawing, self._spawn))
        about = await live.picture[1].get()
        self._measure(live)
        mine = {"type": "state", "you": sorted(held), "page_thinks": self._page_may_think(live, held)}
        return f"{json.dumps(mine, separators=(',', ':'))[:-1]},{about[1:]}"

    async def targets(self, live: Live) -> bytes:
        """The legal moves, as JSON, where there are so many that a state comes without them."""
        seen = len(live.match.entries)
        if live.targets is None or live.targets[0] != seen or live.targets[1].failed:
            listing = partial(self.pictures.work, all_targets, live.match, bounded=False)
            live.targets = (seen, Once(listing, self._spawn))
        found = await live.targets[1].get()
        self._measure(live)
        return found

    async def _show(self, live: Live) -> None:
        """Send the newest picture to those who want it; what happens meanwhile is in the next one."""
        try:
            shown = None
            while shown is not live.match:
                shown = live.match
                for watcher in list(live.watchers):
                    if watcher.pictures:
                        watcher.show(await self.describe(live, watcher.held(live.match)))
        finally:
            live.drawing = None

    # -- engines

    def _page_may_think(self, live: Live, held: frozenset[int]) -> bool:
        """Whether the page of whoever holds these seats is asked to think, once it says that it can. Not in a game that
        everybody is shown, in whichever process they watch it."""
        match = live.match
        has_work = match.hints or any(seat.agent for seat in match.seats)
        allowed = self._engines_in_page != "forbid" and not live.stored.listed
        return allowed and has_work and plays_alone(match, held)

    def take_engine(self, live: Live, watcher: Watcher, workers: int) -> None:
        """A page has an engine from now on. One that failed is not tried again over the same connection."""
        if watcher.engine is not None or not self._page_may_think(live, watcher.held(live.match)):
            raise NotAllowed("no-engine-wanted")
        watcher.engine = PageEngine(watcher.send, workers)

    def engines_of(self, live: Live) -> Thinker:
        """Who thinks in this game now."""
        page = engine_in_page(live.match, live.watchers)
        wanted = self._engines_in_page == "prefer" or not self.engines.idle
        if page is None or not wanted:
            return self.engines
        return PageFirst(page, self.engines, self.engines.seconds)

    def _think(self, live: Live) -> None:
        if live.thinking is None and live.wants_thought and self._turns.enter(live.client, live.match.id):
            live.thinking = self._spawn(self._play_engines(live, live.client))

    async def _play_engines(self, live: Live, client: str) -> None:
        try:
            pause = 1.0
            while live.wants_thought:
                match = live.match
                seat, seen, agent = match.player, len(match.entries), match.to_think
                assert seat is not None
                assert agent is not None
                try:
                    chosen = await self.engines_of(live).choose(
                        match.state, agent, client=live.client, keep=f"{match.id}/{seat}"
                    )
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
                        extra={"game": masked(match.id), "why": str(error)},
                        exc_info=None if expected else error,
                    )
                    await asyncio.sleep(pause)
                    pause = min(60.0, 2 * pause)
        finally:
            live.thinking = None
            for waiting in self._turns.leave(client):
                self._spawn(self._wake(waiting))

    async def _wake(self, game_id: str) -> None:
        """Let an engine go on that had to wait for others of the same client."""
        live = self._lives.get(game_id)
        self._think(live if live is not None else await self.get(game_id))

    async def outlook(self, live: Live, agent: str) -> dict[str, Any]:
        """How the game stands, by a short look of an engine: each seat's chance to win and expected score. Every
        position is looked at once; empty lists if it is not, because the engines have other things to do."""
        match, seen, engines = live.match, len(live.match.entries), self.engines_of(live)
        if live.outlook is None or live.outlook[0] != seen:
            if match.player is None or not agent or not engines.idle:
                return {"seen": seen, "wins": [], "scores": []}
            thinking = engines.choose(match.state, agent, client=CLIENT.get(), keep=f"{match.id}/outlook")
            live.outlook = (seen, self._spawn(thinking))
        try:
            best = (await asyncio.shield(live.outlook[1]))["lines"][0]
        except Refused:
            return {"seen": seen, "wins": [], "scores": []}
        return {"seen": seen, "wins": best["wins"], "scores": best["scores"]}

    async def curve(self, live: Live, agent: str) -> Curve:
        """How the chances went in a game that is over, as far as it is known; every question makes it known further
        while the engines have nothing else to do."""
        if live.curve is None or (live.curve[1].done() and not live.curve[0].complete):
            known = live.curve[0] if live.curve is not None else new_curve(live.match)
            live.curve = (known, self._spawn(lengthen(known, live.match, self.engines_of(live), agent)))
        curve, working = live.curve
        await asyncio.shield(working)
        return curve

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
                log.warning("a game cannot go on", extra={"game": masked(game_id), "why": refused.reason})
                continue
            except Exception:
                # A game that is damaged must not hold up those after it.
                log.exception("a game cannot go on", extra={"game": masked(game_id)})
                continue
            if live.thinking is not None:
                await asyncio.wait([live.thinking])

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.pictures.stop()


def _played(match: Match, now: float, seat: int, move: str, seen: int) -> Draft:
    return match.play(seat, move, seen, now)


def held_seats(live: Live, credentials: Credentials) -> frozenset[int]:
    return credentials.held(live.match.id, live.match.seats)


def replayed(stored: StoredGame, entries: list[Entry]) -> Match:
    """The game that these rows are."""
    first = opening(stored.game, stored.options)
    return Match(stored.id, first, stored.seats, stored.seed, hints=stored.hints).after(entries)
