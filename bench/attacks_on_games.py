"""Attacks on games and those who play them: by moves, engines, live connections, the lobby, several processes."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import websockets

from attacking import (
    ALONE,
    AT_TABLE_OF_FIVE,
    BROAD,
    OTHERS,
    Field,
    again,
    attack,
    client_from,
    frame,
    make,
    upgrade,
)
from server_process import bearing, new_key
from snakeden import restore

# -- moves and engines


@attack
async def stale_moves(field: Field) -> None:
    """Make a game's log as long as it gets, and send messages about its beginning."""
    key = field.kept.setdefault("key", new_key())
    async with field.client() as client:
        game = await field.once("game", lambda: make(client, key, ALONE))
    sockets = [await field.socket(game, key) for _ in range(8)]

    async def lengthen(socket: Any) -> None:
        async for text in socket:
            message = json.loads(text)
            if field.over:
                return
            if message["type"] == "refused":
                field.count(f"refused {message['status']}")
            if message["type"] != "entries":
                continue
            field.found["entries"] = max(field.found.get("entries", 0), message["seen"])
            act = {"type": "play", "move": "d4"} if message["ply"] == 0 else {"type": "undo"}
            await socket.send(json.dumps({**act, "seen": message["seen"]}))
            await socket.send(json.dumps({"type": "play", "move": "a1-b1", "seen": 0}))

    with suppress(TimeoutError):
        async with asyncio.timeout(field.seconds + 2):
            await asyncio.gather(*(lengthen(socket) for socket in sockets))
    for socket in sockets:
        await socket.close()


@attack
async def endless_engines(field: Field) -> None:
    """Games of engines that would think for an hour, watched and not."""
    key = field.kept.setdefault("key", new_key())
    endless = {"kind": "engine", "agent": "mcts:time=60m"}
    games = await field.games(60, key, [endless, endless], options={"side": 8})
    field.begin()
    field.found["games"] = len(games)
    sockets = [await field.socket(game, key) for game in games[::4]]
    await field.rest()
    for socket in sockets:
        await socket.close()


def _lie(number: int, question: dict[str, Any]) -> dict[str, Any] | None:
    """What an engine never answers: no legal move, chances of no seats, chances of thousands, nothing."""
    legal = restore(question["state"]).legal_moves()[0].text
    move, chances = [("z99", 2), (legal, 0), (legal, 1500), ("", 0)][number % 4]
    wins = [0.5] * chances
    line = {"move": move, "does": [], "wins": wins, "scores": wins, "proven": False, "main": []}
    return {"move": move, "words": [], "does": [], "lines": [line]} if move else None


@attack
async def page_engines(field: Field) -> None:
    """Pages that offer an engine in 16 games of their own and in a bystander's, lie about moves and chances, or say
    nothing, and ask for hints meanwhile."""
    key = field.kept.setdefault("key", new_key())
    seats = [{"kind": "me"}, {"kind": "engine", "agent": "level:2"}]
    games = await field.games(16, key, seats, hints=True)
    field.begin()
    async with field.client() as client:
        sockets = [await field.socket(game, key) for game in (*games, field.target)]

        async def lie(number: int, socket: Any) -> None:
            await socket.send(json.dumps({"type": "engine", "workers": 16}))
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "refused":
                    field.count(f"offers and answers refused {message['status']}")
                if message["type"] == "think" and number % 5:
                    field.count("lies")
                    answer = _lie(number, message["question"])
                    lie = {"type": "thought", "number": message["number"], "answer": answer}
                    await socket.send(json.dumps(lie))
                    await socket.send(json.dumps({"type": "engine", "workers": 16}))

        async def play(number: int) -> int:
            path = f"/api/games/{games[number]}"
            if number % 2:
                return (await client.post(f"{path}/hint", json={}, headers=bearing(key))).status_code
            state = (await client.get(path, headers=bearing(key))).json()
            if state.get("player") != 0:
                return (await client.get(f"{path}/outlook", headers=bearing(key))).status_code
            act = {"move": state["targets"]["moves"][0][0], "seen": state["seen"]}
            return (await client.post(f"{path}/play", json=act, headers=bearing(key))).status_code

        lying = [asyncio.ensure_future(lie(*one)) for one in enumerate(sockets)]
        await again(field, play, len(games))
    for task, socket in zip(lying, sockets, strict=True):
        task.cancel()
        await socket.close()


# -- live connections


@attack
async def deaf_sockets(field: Field) -> None:
    """30 live connections that never read, to a game of large pictures that goes on."""
    key = field.kept.setdefault("key", new_key())
    async with field.client() as client, field.connections(30) as opened:
        game = await field.once("game", lambda: make(client, key, AT_TABLE_OF_FIVE, **BROAD))
        field.begin()
        for reader, writer in opened:
            writer.write(upgrade(game, "?pictures=1"))
            await reader.readline()
            writer.transport.pause_reading()

        async def play(_: int) -> int | None:
            state = (await client.get(f"/api/games/{game}/targets")).json()
            if not state.get("targets", {}).get("moves"):
                await asyncio.sleep(0.1)
                return None
            body = {"move": state["targets"]["moves"][0][0], "seen": state["seen"]}
            played = await client.post(f"/api/games/{game}/play", json=body, headers=bearing(key))
            return played.status_code

        await again(field, play, 1)


@attack
async def ping_flood(field: Field) -> None:
    """Thousands of pings and empty messages in one write over live connections, with nothing read."""
    key = field.kept.setdefault("key", new_key())
    async with field.client() as client:
        game = await field.once("game", lambda: make(client, key, ALONE))
    field.begin()
    flood = frame(9, b"x" * 100) * 3000 + frame(1, b"{}") * 3000
    while not field.over:
        async with field.connections(8) as opened:
            for reader, writer in opened:
                with suppress(OSError):
                    writer.write(upgrade(game))
                    await reader.readuntil(b"\r\n\r\n")
                    writer.transport.pause_reading()
                    writer.write(flood)
                    field.count("frames", 6000)
            await asyncio.sleep(0.5)


@attack
async def message_flood(field: Field) -> None:
    """Moves and taking them back over 32 live connections at once, as quickly as they are answered."""
    key = field.kept.setdefault("key", new_key())
    games = await field.games(32, key, ALONE)
    field.begin()
    sockets = []
    for game in games:
        try:
            sockets.append(await field.socket(game, key))
        except websockets.InvalidStatus as refused:
            field.count(f"refused {refused.response.status_code}")

    async def play(socket: Any) -> None:
        async for text in socket:
            message = json.loads(text)
            if field.over:
                return
            if message["type"] in ("done", "refused"):
                field.count("done" if message["type"] == "done" else f"refused {message['status']}")
            if message["type"] == "entries":
                seen, act = message["seen"], "undo" if message["ply"] else "play"
            body = {"type": act, "seen": seen, **({"move": "d4"} if act == "play" else {})}
            await socket.send(json.dumps(body))

    with suppress(TimeoutError, websockets.WebSocketException):
        async with asyncio.timeout(field.seconds + 2):
            await asyncio.gather(*(play(socket) for socket in sockets))
    for socket in sockets:
        await socket.close()


@attack
async def message_burst(field: Field) -> None:
    """200 messages in one write over one live connection: all are answered, and the connection stays."""
    [game] = await field.games(1, field.kept.setdefault("key", new_key()), ALONE)
    field.begin()
    if field.over:
        return  # it was only to make the game
    async with field.connections(1) as [(reader, writer)]:
        writer.write(upgrade(game))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(1, b'{"type":"ping"}') * 200)
        with suppress(TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(max(1.0, field.seconds)):
                for _ in range(200):
                    await reader.readuntil(b'"pong"')
                    field.count("answered")
    await field.rest()


# -- the lobby, addresses, several processes, logs and disks


@attack
async def lobby_flood(field: Field) -> None:
    """100 open games at once."""
    key = field.kept.setdefault("key", new_key())
    body = {"game": "snekagon", "options": {"side": 4}, "seats": [{"kind": "me"}, {"kind": "open"}]}
    async with field.client() as client:

        async def ask() -> None:
            answer = await client.post("/api/games", json=body, headers=bearing(key))
            field.answered(answer.status_code)

        await asyncio.gather(*(ask() for _ in range(50)))
        await asyncio.gather(*(ask() for _ in range(50)))
        field.found["in the lobby"] = len((await client.get("/api/lobby")).json()["games"])
    await field.rest()


@attack
async def lobby_sweep(field: Field) -> None:
    """Take every seat in the lobby, so that nobody finds an opponent. The games are those of four other addresses."""
    body = {"game": "snekagon", "options": {"side": 4}, "seats": [{"kind": "me"}, {"kind": "open"}]}
    for address in OTHERS if field.seconds == 0 else ():
        async with client_from(field.address, address) as client:
            for _ in range(6):
                (await client.post("/api/games", json=body, headers=bearing(new_key()))).raise_for_status()
    field.begin()
    async with field.client() as client:

        async def join(_: int) -> int | None:
            games = (await client.get("/api/lobby")).json().get("games")
            if not games:
                return None
            path = f"/api/games/{games[0]['id']}/join"
            return (await client.post(path, json={}, headers=bearing(new_key()))).status_code

        await again(field, join, 2)
        field.found["in the lobby"] = len((await client.get("/api/lobby")).json().get("games", ()))


@attack
async def forwarded_addresses(field: Field) -> None:
    """Claim another address with every request, in a line before the one that the proxy writes."""
    turn = iter(range(10**9))
    async with field.client() as client:

        async def ask(_: int) -> int:
            claimed = f"192.0.2.{next(turn) % 250}"
            lines = [("x-forwarded-for", claimed), ("x-forwarded-for", "203.0.113.7")]
            return (await client.get("/api/lobby", headers=lines)).status_code

        await again(field, ask, 8)


@attack
async def strangers(field: Field) -> None:
    """Ask to act in the game in which a bystander plays, with new keys and used links, through another process."""
    async with field.client() as client:

        async def ask(number: int) -> int:
            path, key = f"/api/games/{field.target}", bearing(new_key())
            if number % 3 == 0:
                act = {"move": "d4", "seen": 2**31 - 1}
                return (await client.post(f"{path}/play", json=act, headers=key)).status_code
            if number % 3 == 1:
                return (await client.post(f"{path}/join", json={"code": "A" * 24}, headers=key)).status_code
            return (await client.get(path, headers=key)).status_code

        await again(field, ask, 30)


@attack
async def ids_in_logs(field: Field) -> None:
    """Watch, play and look at a private game; `attack.py` looks for its id in the server's log."""
    key = field.kept.setdefault("key", new_key())
    async with field.client() as client:
        game = await field.once("game", lambda: make(client, key, ALONE))
        field.found["id"] = game
        async with await field.socket(game, key):
            while not field.over:
                for path in ("", "/entries", "/record", "/nothing", "/live"):
                    field.answered((await client.get(f"/api/games/{game}{path}")).status_code)
                await asyncio.sleep(0.1)


@attack
async def filling_the_disk(field: Field) -> None:
    """Games and moves until the database's file cannot grow any more."""
    key = field.kept.setdefault("key", new_key())
    body = {"game": "snekagon", "options": {"side": 4}, "seats": ALONE}
    async with field.client() as client:

        async def ask(_: int) -> int:
            return (await client.post("/api/games", json=body, headers=bearing(key))).status_code

        await again(field, ask, 4)
        field.found["/healthz"] = (await client.get("/healthz")).status_code


@attack
async def nothing(field: Field) -> None:
    """Do nothing: what is measured then is the measuring."""
    await field.rest()
