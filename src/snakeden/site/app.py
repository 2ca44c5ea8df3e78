"""What answers the page where there is no server: the same requests, by the same code, without HTTP and database.

`web/js/local-worker.js` calls `App.answer` for each request and `App.watch` for each live connection.
"""

from __future__ import annotations

import asyncio
import json
import re
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Literal

from snakeden.core.errors import IllegalMove
from snakeden.server import actions
from snakeden.server.answers import answer_of, status_of
from snakeden.server.catalogue import about_beginning
from snakeden.server.errors import Failed, NotFound, NotPossible, Refused
from snakeden.server.live import Hub, held_seats
from snakeden.server.match import Match
from snakeden.server.recording import record_of
from snakeden.server.seats import Credentials
from snakeden.server.stored import NewGame
from snakeden.server.view import seen_after, stood, why_not
from snakeden.server.watching import Watcher
from snakeden.site import studying
from snakeden.site.engines import BrowserEngines
from snakeden.site.fields import Fields, Unreadable
from snakeden.site.store import BrowserStore, Kept, read_game
from snakeden.words import Message, to_data

OWNER = Credentials("A" * 43)
"""Whoever sits before the browser. All that is kept there is theirs: there is nobody to keep a secret from."""
HINT_AGENT, OUTLOOK_AGENT = "mcts:time=2s", "mcts:time=200ms,solver=no"
_CACHED_GAMES, _CACHED_BYTES = 32, 64 << 20
_THINKING_GAMES = 4

Answer = dict[str, Any] | str
"""A body: data, or text that is one already."""


class Drawing:
    """Draws at once: this worker has nothing else to do, and no threads."""

    async def work(self, work: Callable[..., Any], *about: Any, **_: Any) -> Any:
        return work(*about)


class App:
    """All games of a browser. `ask` sends a question to one of this many workers in which engines think."""

    def __init__(self, kept: Kept, workers: int, ask: Callable[[int, str], Awaitable[str]]) -> None:
        self.store = BrowserStore(kept)
        engines: Any = BrowserEngines(workers, ask)
        store: Any = self.store
        drawing: Any = Drawing()
        self.hub = Hub(store, engines, drawing, _CACHED_GAMES, _CACHED_BYTES, _THINKING_GAMES)
        self._watchers: dict[int, asyncio.Task[None]] = {}
        self._following = asyncio.ensure_future(self.hub.follow())

    async def answer(self, method: str, path: str, query: str, body: str) -> tuple[int, str]:
        """The status and the body of what the server would say to this request."""
        try:
            work, given = _found(method, path)
            answer = await work(self.hub, *given, Fields(query), Fields(body))
            return 200, answer if isinstance(answer, str) else json.dumps(answer, separators=(",", ":"))
        except Refused as refused:
            return _refusal(refused)
        except Unreadable as error:
            return _refusal(NotPossible("invalid", reason=str(error)))
        except Exception:
            # A mistake in one answer must not cost the games that are open.
            traceback.print_exc()
            return _refusal(Failed("failed"))

    def watch(self, number: int, game_id: str, send: Callable[[str], None]) -> None:
        """Pass what happens in a game to `send`, until `unwatch` is called with the same number."""
        self._watchers[number] = asyncio.ensure_future(self._follow(game_id, send))

    def unwatch(self, number: int) -> None:
        task = self._watchers.pop(number, None)
        if task is not None:
            task.cancel()

    async def _follow(self, game_id: str, send: Callable[[str], None]) -> None:
        try:
            live = await self.hub.get(game_id)
        except Refused:
            return  # the page asks for the game, too, and hears of it then
        watcher = Watcher(OWNER, True)
        self.hub.watch(live, watcher)
        try:
            watcher.show(await self.hub.describe(live, watcher.held(live.match)))
            while (message := await watcher.next()) is not None:
                send(message)
        finally:
            live.watchers.discard(watcher)


def _refusal(refused: Refused) -> tuple[int, str]:
    return status_of(refused), json.dumps(answer_of(refused))


# ---- what there is to ask; each takes the hub, the parts of the path, the query and the body


async def _options(hub: Hub, query: Fields, body: Fields) -> Answer:
    game, options = body.get("game", str, default=""), body.get("options", dict, default={})
    first, plies = await actions.beginning(hub, game, options, body.get("record", str, default=None))
    return about_beginning(first, len(plies), nets=False)


async def _create(hub: Hub, query: Fields, body: Fields) -> Answer:
    seats = []
    for each in (Fields(json.dumps(seat)) for seat in body.get("seats", list)):
        kind = each.get("kind", str)
        if kind not in ("me", "here", "engine"):
            raise Unreadable("kind: must be me, here or engine")
        name, agent = each.get("name", str, default=""), each.get("agent", str, default="")
        seats.append(actions.WantedSeat(kind, name[:40], agent))
    made = await actions.create(
        hub,
        OWNER,
        body.get("game", str, default=""),
        body.get("options", dict, default={}),
        seats,
        hints=body.get("hints", bool, default=False),
        record=body.get("record", str, default=None),
        begins=_begins(body),
    )
    return {**_seated(made.live.match), "invitations": []}


def _begins(body: Fields) -> int | Literal["lot"]:
    """The seat that begins, or that it is drawn by lot."""
    if body.get("begins", object, default=0) == "lot":
        return "lot"
    seat: int = body.get("begins", int, default=0)
    if seat < 0:
        raise Unreadable("begins: must be a seat or lot")
    return seat


def _seated(match: Match) -> dict[str, Any]:
    return {
        "id": match.id,
        "you": sorted(OWNER.held(match.id, match.seats)),
        "path": f"/#/game/{match.id}",
    }


async def _state(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    live = await hub.get(game_id)
    return await hub.describe(live, held_seats(live, OWNER))


async def _targets(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    return (await hub.targets(await hub.get(game_id))).decode()


async def _entries(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    seen = query.number("seen", 0)
    match = (await hub.get(game_id, seen)).match
    return {"entries": [entry._asdict() for entry in match.entries[seen:]], **match.facts()}


async def _position(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    match, ply = (await hub.get(game_id)).match, query.number("ply")
    if ply > match.line.count:
        raise NotPossible("plies-so-far", plies=match.line.count)
    return stood(match.line, ply, match.outcome)


async def _preview(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    try:
        return seen_after((await hub.get(game_id)).match.state, body.get("move", str))
    except IllegalMove as error:
        raise NotPossible("illegal-move", reason=error.message) from None


async def _why(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    match = (await hub.get(game_id)).match
    if match.player is None:
        return {"reason": ""}
    piece, turn = body.get("piece", str, default=""), body.get("turn", int, default=0)
    return {"reason": to_data(why_not(match.state, piece, turn, body.get("places", list)))}


async def _record(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    found = await hub.store.load(game_id)
    if found is None:
        raise NotFound("no-such-game")
    return record_of(*found).write()


async def _picture(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    match = (await hub.get(game_id)).match
    names = tuple(seat.name for seat in match.seats)
    last = match.line.ply.text if match.line.ply else None
    return match.state.svg(last_move=last, names=names if all(names) else (), outcome=match.outcome)


async def _play(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    move, seen, seat = body.get("move", str), body.get("seen", int), body.get("seat", int, default=None)
    return (await actions.play(hub, OWNER, game_id, move, seen, seat)).facts()


async def _resign(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    return (await actions.resign(hub, OWNER, game_id, body.get("seat", int, default=None))).facts()


async def _undo(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    seen, seat = body.get("seen", int), body.get("seat", int, default=None)
    return (await actions.ask_undo(hub, OWNER, game_id, seen, seat)).facts()


async def _hint(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    return await actions.hint(hub, OWNER, game_id, HINT_AGENT)


async def _outlook(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    return await actions.outlook(hub, OWNER, game_id, OUTLOOK_AGENT)


async def _curve(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    found, better = await actions.curve(hub, OWNER, game_id, OUTLOOK_AGENT)
    points = [{"ply": ply, "wins": wins} for ply, wins in sorted(found.wins.items())]
    return {"points": points, "better": better, "complete": found.complete}


async def _rematch(hub: Hub, game_id: str, query: Fields, body: Fields) -> Answer:
    live, _ = await actions.rematch(hub, OWNER, game_id, lambda: None)
    return _seated(live.match)


async def _take_in(hub: Hub, query: Fields, body: Fields) -> Answer:
    """Take in games that another browser kept; all of them or, if one is no game, none."""
    store: Any = hub.store
    try:
        games = body.get("games", list)
    except Unreadable:
        raise NotPossible("bad-games", reason=Message("server.no-games")) from None
    new = []
    for number, kept in enumerate(games, 1):
        try:
            stored, entries = read_game(kept)
            match = await hub.rebuild(stored, entries)
        except (Refused, ValueError, KeyError, TypeError, AttributeError):
            raise NotPossible("bad-games", reason=Message("server.damaged-game", n=number)) from None
        if await store.load(stored.id) is None:
            mine = {n: b"" for n, seat in enumerate(match.seats) if seat.secret is not None}
            new.append(NewGame(replace(stored, status=match.status), mine, entries))
    await store.take_in(new)
    return {"games": len(new)}


_GAME = r"api/games/([A-Za-z0-9_-]{1,40})"
_ROUTES: list[tuple[str, str, Callable[..., Awaitable[Answer]]]] = [
    ("POST", "api/options", _options),
    ("POST", "api/games", _create),
    ("POST", "api/kept", _take_in),
    ("GET", _GAME, _state),
    ("GET", f"{_GAME}/targets", _targets),
    ("GET", f"{_GAME}/entries", _entries),
    ("GET", f"{_GAME}/position", _position),
    ("POST", f"{_GAME}/preview", _preview),
    ("POST", f"{_GAME}/why", _why),
    ("GET", f"{_GAME}/record", _record),
    ("GET", f"{_GAME}/picture", _picture),
    ("POST", f"{_GAME}/play", _play),
    ("POST", f"{_GAME}/resign", _resign),
    ("POST", f"{_GAME}/undo", _undo),
    ("POST", f"{_GAME}/hint", _hint),
    ("GET", f"{_GAME}/outlook", _outlook),
    ("GET", f"{_GAME}/curve", _curve),
    ("POST", f"{_GAME}/rematch", _rematch),
    *studying.ROUTES,
]


def _found(method: str, path: str) -> tuple[Callable[..., Awaitable[Answer]], tuple[str, ...]]:
    for wanted, pattern, work in _ROUTES:
        match = re.fullmatch(pattern, path)
        if match is not None and method == wanted:
            return work, match.groups()
    raise NotFound("no-page")
