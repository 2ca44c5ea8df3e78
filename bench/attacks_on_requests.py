"""Attacks by requests: those that do not end, are too many or too large, or cost more than they seem to."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from attacking import ALONE, AT_TABLE_OF_FIVE, BROAD, JSON, Field, again, attack, make, upgrade, write_again
from server_process import bearing, new_key

# -- requests that do not end, or are no requests


@attack
async def endless_headers(field: Field) -> None:
    """60 MB of headers, or of trailers behind a body in pieces, on one connection after the other."""
    heads = [
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /api/options HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    ]
    while not field.over:
        for head in heads:
            with suppress(OSError):
                reader, writer = await field.open()
                writer.write(head)
                for number in range(6000):
                    writer.write(b"X-%d: %s\r\n" % (number, b"x" * 10_000))
                    await writer.drain()
                    field.count("sent kB", 10)
                    if reader.at_eof() or field.over:
                        break
                writer.transport.abort()
        await asyncio.sleep(0.1)


@attack
async def half_open_requests(field: Field) -> None:
    """400 requests that never end."""
    begun = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\n"
    async with field.connections(400) as opened:
        for number, (_, writer) in enumerate(opened):
            body = b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
            writer.write(begun + (body if number % 2 else b"X-Slow: "))
        await field.rest()
        field.found["still open"] = sum(not reader.at_eof() for reader, _ in opened)


@attack
async def pipelined_requests(field: Field) -> None:
    """Thousands of requests in one write, on many connections."""
    many = b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5000
    await write_again(field, 32, many, 0.5, "sent requests", 5000)


@attack
async def tiny_pieces(field: Field) -> None:
    """Bodies that come in pieces of one byte."""
    head = b"POST /api/options HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    body = b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 60_000
    await write_again(field, 8, head + body, 0.2, "bodies")


@attack
async def not_http(field: Field) -> None:
    """Connections one after the other, 200 a second, that say what is no HTTP."""
    await write_again(field, 20, b"\x16\x03\x01 hello\r\n\r\n", 0.1, "connections")


@attack
async def connection_flood(field: Field) -> None:
    """Connections one after the other, as quickly as they can be opened; every second one wants to be a live one."""
    game = "A" * 20
    while not field.over:
        async with field.connections(40) as opened:
            for number, (_, writer) in enumerate(opened):
                with suppress(OSError):
                    writer.write(upgrade(game) if number % 2 else b"GET /api/lobby HTTP/1.1\r\n")
            field.count("connections", len(opened))
            await asyncio.sleep(0.01)


@attack
async def long_heads(field: Field) -> None:
    """Thousands of tiny parameters or cookies in a request."""
    async with field.client() as client:

        async def ask(number: int) -> int:
            if number % 2:
                return (await client.get("/api/lobby", headers={"cookie": "a=b;" * 3500})).status_code
            return (await client.get("/api/lobby?" + "a&" * 7000)).status_code

        await again(field, ask, 32)


@attack
async def unread_answers(field: Field) -> None:
    """Large answers that nobody reads, on every connection one may have."""
    key = field.kept.setdefault("key", new_key())
    async with field.client() as client:
        game = await field.once("game", lambda: make(client, key, AT_TABLE_OF_FIVE, **BROAD))
        field.begin()
        ask = f"GET /api/games/{game}/targets HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        async with field.connections(128) as opened:
            for _, writer in opened:
                writer.transport.pause_reading()
                with suppress(OSError):
                    writer.write(ask * 4)
                    field.count("asked", 4)
            await field.rest()


@attack
async def request_flood(field: Field) -> None:
    """2,000 requests a second, most of which have to be refused."""
    ask = b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n" * 4
    async with field.connections(100) as opened:
        while not field.over:
            for _, writer in opened:
                with suppress(OSError):
                    writer.write(ask)
                    field.count("sent requests", 4)
            await asyncio.sleep(0.2)


# -- JSON


async def post_again(field: Field, path: str, bodies: list[Any], at_once: int = 8, key: str = "") -> None:
    """Send these to an endpoint, over and over."""
    headers = {**JSON, **(bearing(key) if key else {})}
    written = [body if isinstance(body, bytes) else json.dumps(body).encode() for body in bodies]
    turn = iter(range(10**9))

    async with field.client() as client:

        async def ask(_: int) -> int:
            answer = await client.post(path, content=written[next(turn) % len(written)], headers=headers)
            return answer.status_code

        await again(field, ask, at_once)


@attack
async def many_keys(field: Field) -> None:
    """JSON of 20,000 unknown keys."""
    keys = {f"k{n}": n for n in range(20_000)}
    await post_again(field, "/api/games", [{"game": "snekagon", "seats": [], **keys}])


@attack
async def endless_strings(field: Field) -> None:
    """Texts of many quotes that never end; strings, lists and numbers as long as a body may be."""
    await post_again(
        field,
        "/api/options",
        [
            b'{"a":"' + b'\\"' * 1990 + b"x" * 50_000,
            b'{"game":"snekagon","options":{"side":' + b"[" * 4000 + b"]" * 4000 + b"}}",
            b'{"game":"snekagon","options":{"side":' + b"9" * 4000 + b"}}",
            b'{"game":"snakey-dice","options":{"map":"' + b"S/" * 30_000 + b'"}}',
        ],
    )


@attack
async def long_inputs(field: Field) -> None:
    """Names, agents, moves and options at the edge of what is allowed and beyond, on PostgreSQL. A refusal is right;
    an error of the server (5xx) is not."""
    texts = [
        "x" * 39,
        "x" * 60,
        "x" * 61,
        "\u0000",
        "\ud800".encode("utf-16", "surrogatepass").hex(),
        "😀" * 40,
    ]
    bodies = []
    for text in texts:
        engine = {"kind": "engine", "agent": f"mcts:sims=1,time={'0' * 30}1s"}
        bodies += [
            {"game": "snekagon", "seats": [{"kind": "me", "name": text}, {"kind": "here"}]},
            {"game": "snekagon", "seats": [{"kind": "me"}, {"kind": "engine", "agent": text}]},
            {"game": "snekagon", "seats": [{"kind": "me"}, engine]},
            {"game": text, "options": {text: text}, "seats": [{"kind": "me"}]},
        ]
    await post_again(field, "/api/games", bodies, at_once=4, key=field.kept.setdefault("key", new_key()))


# -- drawing and studying


@attack
async def large_boards(field: Field) -> None:
    """Large boards drawn again and again, and options that nobody has asked for yet."""
    key = field.kept.setdefault("key", new_key())
    snakes = ["mamba", "python", "sidewinder", "cobra", "rattler"]
    games = await field.games(3, key, AT_TABLE_OF_FIVE, **BROAD)
    field.begin()
    async with field.client() as client:

        async def look(number: int) -> int:
            game = games[number % 3]
            if number % 2:
                turn = field.kept["turn"] = field.kept.get("turn", 0) + 1
                order = {
                    "players": 5,
                    "side": 5 + turn % 4,
                    "snakes": snakes[turn % 5 :] + snakes[: turn % 5],
                }
                wanted = {"game": "snekagon-5g", "options": order}
                return (await client.post("/api/options", json=wanted)).status_code
            state = (await client.get(f"/api/games/{game}/targets")).json()
            if not state.get("targets", {}).get("moves"):
                return (await client.get(f"/api/games/{game}")).status_code
            act = {"move": state["targets"]["moves"][-1][0], "seen": state["seen"]}
            played = await client.post(f"/api/games/{game}/play", json=act, headers=bearing(key))
            return played.status_code

        await again(field, look, 12)


@attack
async def borrowed_turns(field: Field) -> None:
    """Look at the game in which a bystander plays, again and again, while large boards of one's own are drawn: who
    plays there must not wait in the attacker's turn."""

    async def stare() -> None:
        async with field.client() as client:

            async def look(number: int) -> int:
                path = f"/api/games/{field.target}"
                return (await client.get(path + ("/picture" if number % 2 else ""))).status_code

            await again(field, look, 8)

    await asyncio.gather(large_boards(field), stare())


@attack
async def studying(field: Field) -> None:
    """Positions, records and looks of an engine, as many as one gets; and files of the server as maps."""
    broad = {**BROAD, "moves": []}
    record = (
        '[Game "snekagon"]\n[Options "side=4"]\n[Rules "1"]\n[X "' + '\\"' * 900 + "\n" + "1. d4\n" * 3000
    )
    asked = [
        ("/api/study/position", broad),
        ("/api/study/look", {**broad, "ply": 0}),
        ("/api/study/open", {"record": record}),
        ("/api/study/position", {"game": "snakey-dice", "options": {"map": "/dev/zero"}, "moves": []}),
        ("/api/study/position", {"game": "snakey-dice", "options": {"map": "/etc/passwd"}, "moves": []}),
    ]
    async with field.client() as client:

        async def ask(number: int) -> int:
            path, body = asked[number % len(asked)]
            return (await client.post(path, json=body)).status_code

        await again(field, ask, 20)


@attack
async def puzzles_and_films(field: Field) -> None:
    """Wrong answers to puzzles, which have to be solved, and films, as many as one gets."""
    key = field.kept.setdefault("key", new_key())
    async with field.client() as client:
        game = await field.once("game", lambda: make(client, key, AT_TABLE_OF_FIVE, **BROAD))

        async def first_puzzle() -> tuple[str, str]:
            puzzles = (await client.get("/api/puzzles")).json()["games"][0]
            return puzzles["game"], puzzles["puzzles"][0]["id"]

        name, puzzle = await field.once("puzzle", first_puzzle)

        async def moves_there() -> list[str]:
            about = (await client.get(f"/api/puzzles/{name}/{puzzle}")).json()
            body = {"game": name, "options": about["options"], "moves": about["moves"]}
            found = (await client.post("/api/study/position", json=body)).json()
            return [row[0] for row in found["targets"]["moves"]]

        moves = await field.once("moves", moves_there)
        field.begin()
        turn = iter(range(10**9))

        async def ask(number: int) -> int:
            if number % 4 == 0:
                return (await client.get(f"/api/games/{game}/film")).status_code
            body = {"move": moves[next(turn) % len(moves)]}
            return (await client.post(f"/api/puzzles/{name}/{puzzle}/answer", json=body)).status_code

        await again(field, ask, 16)


@attack
async def qr_codes(field: Field) -> None:
    """Links to another device, each with a QR code, and whatever else the page asks for once."""
    key = field.kept.setdefault("key", new_key())
    async with field.client() as client:
        game = await field.once("game", lambda: make(client, key, ALONE))
        paths = [
            "/metrics",
            "/api/openapi.json",
            "/api/docs",
            "/api/lessons",
            "/api/puzzles",
            "/words/de.json",
        ]
        paths += ["/api/catalogue", "/api/running", "/js/../index.html", "/%00", "/" + "a/" * 2000]

        async def ask(number: int) -> int:
            if number % 2:
                return (await client.get(paths[number // 2 % len(paths)])).status_code
            offered = await client.post(f"/api/games/{game}/handover", json={}, headers=bearing(key))
            return offered.status_code

        await again(field, ask, 32)


@attack
async def byte_ranges(field: Field) -> None:
    """Files of the page in a thousand overlapping pieces."""
    ranges = "bytes=" + ",".join(f"{n}-{n + 5}" for n in range(0, 8000, 5))
    async with field.client() as client:

        async def ask(_: int) -> int:
            return (await client.get("/js/main.js", headers={"range": ranges})).status_code

        await again(field, ask, 16)
