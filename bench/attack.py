"""Attack a server on this machine in the ways that could stop it, and see what a bystander notices.

Every attack runs for a few seconds against a server of its own with its ordinary limits. The attacker comes from
127.0.0.2, the bystander from 127.0.0.1 and goes on playing meanwhile. Printed are the bystander's p50 and p99 beside
those right before the attack, what the server let through, and how much its memory grew. What is not a matter of time
is attacked by the tests (tests/server). Run: python bench/attack.py [NAME …] --seconds 5
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import websockets
from rich.console import Console
from rich.progress import track
from rich.table import Table

from server_process import ServerProcess, bearing, new_key

ATTACKER = "127.0.0.2"
BROAD = {"game": "snekagon-5g", "options": {"players": 5, "side": 8}}
Found = dict[str, Any]


@dataclass
class Field:
    """Where an attack takes place."""

    server: ServerProcess
    seconds: float
    found: Found = field(default_factory=dict)

    @property
    def address(self) -> str:
        return self.server.address.replace("localhost", "127.0.0.1")

    def count(self, what: str, by: int = 1) -> None:
        self.found[what] = self.found.get(what, 0) + by

    def client(self, address: str = ATTACKER) -> httpx2.AsyncClient:
        transport = httpx2.AsyncHTTPTransport(local_address=address, limits=httpx2.Limits(max_connections=64))
        return httpx2.AsyncClient(base_url=self.address, transport=transport, timeout=60)

    async def socket(self, game: str, key: str, query: str = "?seen=0") -> Any:
        url = f"{self.address.replace('http', 'ws')}/api/games/{game}/live{query}"
        return await websockets.connect(
            url,
            additional_headers=bearing(key),
            compression=None,
            local_addr=(ATTACKER, 0),
            ping_interval=None,
            max_size=None,
        )

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, _, port = self.server.address.removeprefix("http://").partition(":")
        return await asyncio.open_connection(
            "127.0.0.1" if host == "localhost" else host, int(port), local_addr=(ATTACKER, 0)
        )


def answered(field: Field, status: int) -> None:
    field.count("answered 2xx" if status < 300 else f"refused {status}")


async def make(client: httpx2.AsyncClient, key: str, kinds: list[dict[str, str]], **wanted: Any) -> str:
    body = {"game": "snekagon", "options": {"side": 4}, **wanted, "seats": kinds}
    made = await client.post("/api/games", json=body, headers=bearing(key))
    return str(made.raise_for_status().json()["id"])


# -- the bystander


async def playing(field: Field, client: httpx2.AsyncClient, key: str) -> Callable[[], Awaitable[None]]:
    """Move, look at the picture, take the move back, look again: one request after the other."""
    game = await make(client, key, [{"kind": "me"}, {"kind": "here"}])
    path = f"/api/games/{game}"
    done = 0

    async def once() -> None:
        nonlocal done
        step, done = done % 4, done + 1
        seen = 2 * ((done - 1) // 4) + (step > 0)
        if step % 2:
            (await client.get(path)).raise_for_status()
        else:
            verb, body = ("undo", {}) if step else ("play", {"move": "d4"})
            acted = await client.post(f"{path}/{verb}", json={**body, "seen": seen}, headers=bearing(key))
            acted.raise_for_status()

    return once


async def against_engine(field: Field, client: httpx2.AsyncClient, key: str) -> Callable[[], Awaitable[None]]:
    """Begin a game against a beginner's engine, and wait for its first move."""

    async def once() -> None:
        game = await make(client, key, [{"kind": "me"}, {"kind": "engine", "agent": "level:1"}])
        await client.post(f"/api/games/{game}/play", json={"move": "d4", "seen": 0}, headers=bearing(key))
        while (await client.get(f"/api/games/{game}/entries")).json()["seen"] < 2:
            await asyncio.sleep(0.02)

    return once


async def connecting(field: Field, client: httpx2.AsyncClient, key: str) -> Callable[[], Awaitable[None]]:
    """Open a connection of one's own and ask for the games there are."""

    async def once() -> None:
        async with httpx2.AsyncClient(base_url=field.address, timeout=60) as fresh:
            (await fresh.get("/api/catalogue")).raise_for_status()

    return once


async def measured(once: Callable[[], Awaitable[None]], seconds: float, most: int = 10_000) -> list[float]:
    """How long it takes, every 0.1 seconds."""
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and len(taken) < most:
        begun = time.perf_counter()
        await once()
        taken.append(time.perf_counter() - begun)
        await asyncio.sleep(max(0.0, 0.1 - taken[-1]))
    return sorted(taken)


# -- attacks that cost a bystander time

Attack = Callable[[Field], Coroutine[Any, Any, None]]
Bystander = Callable[[Field, httpx2.AsyncClient, str], Awaitable[Callable[[], Awaitable[None]]]]
TIMED: dict[str, tuple[Attack, Bystander]] = {}


def timed(name: str, bystander: Bystander = playing) -> Callable[[Attack], Attack]:
    def note(attack: Attack) -> Attack:
        TIMED[name] = (attack, bystander)
        return attack

    return note


@timed("stale-moves")
async def stale_moves(field: Field) -> None:
    """Make a game's log as long as it gets, and send messages about its beginning."""
    key = new_key()
    async with field.client() as client:
        game = await make(client, key, [{"kind": "me"}, {"kind": "here"}])
    sockets = [await field.socket(game, key) for _ in range(8)]
    end = time.perf_counter() + field.seconds

    async def lengthen(socket: Any) -> None:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "refused":
                field.count(f"refused {message['status']}")
            if message["type"] != "entries":
                continue
            if time.perf_counter() > end:
                return
            seen = message["seen"]
            field.found["entries"] = max(field.found.get("entries", 0), seen)
            act = {"type": "play", "move": "d4"} if message["ply"] == 0 else {"type": "undo"}
            await socket.send(json.dumps({**act, "seen": seen}))
            await socket.send(json.dumps({"type": "play", "move": "a1-b1", "seen": 0}))

    await asyncio.gather(*(lengthen(socket) for socket in sockets))
    for socket in sockets:
        await socket.close()


@timed("endless-engines", against_engine)
async def endless_engines(field: Field) -> None:
    """Games of engines that would think for an hour, watched and not; and the same against oneself."""
    key = new_key()
    endless = {"kind": "engine", "agent": "mcts:time=60m"}
    sockets = []
    async with field.client() as client:
        for number in range(60):
            game = await make(client, key, [endless, endless], options={"side": 8})
            field.count("games made")
            if number % 4 == 0:
                sockets.append(await field.socket(game, key))
        await asyncio.sleep(field.seconds)
    for socket in sockets:
        await socket.close()


@timed("endless-headers", connecting)
async def endless_headers(field: Field) -> None:
    """60 MB of headers on one connection."""
    reader, writer = await field.open()
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
    with suppress(OSError):
        for number in range(6000):
            writer.write(b"X-%d: %s\r\n" % (number, b"x" * 10_000))
            await writer.drain()
            field.count("sent kB", 10)
            if reader.at_eof():
                break
    with suppress(OSError, asyncio.TimeoutError):
        line = await asyncio.wait_for(reader.readline(), 5)
        field.found["answered"] = line.decode().strip() or "closed"
    writer.close()
    await asyncio.sleep(field.seconds)


@timed("half-open-requests", connecting)
async def half_open_requests(field: Field) -> None:
    """400 requests that never end."""
    writers = []
    for number in range(400):
        with suppress(OSError):
            _, writer = await field.open()
            body = number % 2
            writer.write(
                b"POST /api/games HTTP/1.1\r\nHost: localhost\r\n"
                + (
                    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
                    if body
                    else b"X-Slow: "
                )
            )
            writers.append(writer)
    field.found["opened"] = len(writers)
    await asyncio.sleep(field.seconds)
    for writer in writers:
        writer.close()


@timed("many-keys")
async def many_keys(field: Field) -> None:
    """JSON of 20,000 unknown keys, as often as one may ask."""
    body = json.dumps({"game": "snekagon", "seats": [], **{f"k{n}": n for n in range(20_000)}})
    headers = {"content-type": "application/json"}
    end = time.perf_counter() + field.seconds
    async with field.client() as client:

        async def send() -> None:
            while time.perf_counter() < end:
                try:
                    answered(
                        field, (await client.post("/api/games", content=body, headers=headers)).status_code
                    )
                except httpx2.TransportError:
                    field.count("closed")

        await asyncio.gather(*(send() for _ in range(8)))


@timed("large-boards")
async def large_boards(field: Field) -> None:
    """Large boards drawn again and again, and options that nobody has asked for yet."""
    key = new_key()
    end = time.perf_counter() + field.seconds
    async with field.client() as client:
        kinds = [{"kind": "me"}, *[{"kind": "here"}] * 4]
        games = [await make(client, key, kinds, **BROAD) for _ in range(3)]

        async def look(number: int) -> None:
            snakes = ["adder", "cobra", "python", "viper", "mamba"]
            while time.perf_counter() < end:
                game = games[number % 3]
                state = (await client.get(f"/api/games/{game}/targets")).json()
                if "targets" in state and state["targets"]["moves"]:
                    move = state["targets"]["moves"][-1][0]
                    played = await client.post(
                        f"/api/games/{game}/play",
                        json={"move": move, "seen": state["seen"]},
                        headers=bearing(key),
                    )
                    answered(field, played.status_code)
                answered(field, (await client.get(f"/api/games/{game}")).status_code)
                order = {"players": 2 + number % 4, "side": 5 + number % 4, "snakes": snakes[number % 5 :]}
                asked = await client.post("/api/options", json={"game": "snekagon-5g", "options": order})
                answered(field, asked.status_code)

        await asyncio.gather(*(look(number) for number in range(12)))


@timed("deaf-sockets")
async def deaf_sockets(field: Field) -> None:
    """30 live connections that never read, to a game of large pictures that goes on."""
    key = new_key()
    end = time.perf_counter() + field.seconds
    async with field.client() as client:
        game = await make(client, key, [{"kind": "me"}, *[{"kind": "here"}] * 4], **BROAD)
        deaf = []
        for _ in range(30):
            reader, writer = await field.open()
            writer.write(
                f"GET /api/games/{game}/live?pictures=1 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )
            await reader.readline()
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            deaf.append(writer)
        while time.perf_counter() < end:
            state = (await client.get(f"/api/games/{game}/targets")).json()
            if not state["targets"]["moves"]:
                break
            body = {"move": state["targets"]["moves"][0][0], "seen": state["seen"]}
            answered(
                field,
                (await client.post(f"/api/games/{game}/play", json=body, headers=bearing(key))).status_code,
            )
        for writer in deaf:
            writer.close()


@timed("lobby-flood")
async def lobby_flood(field: Field) -> None:
    """100 open games, as quickly as one may."""
    key = new_key()
    async with field.client() as client:
        for _ in range(100):
            body = {"game": "snekagon", "options": {"side": 4}, "seats": [{"kind": "me"}, {"kind": "open"}]}
            answered(field, (await client.post("/api/games", json=body, headers=bearing(key))).status_code)
        field.found["in the lobby"] = len((await client.get("/api/lobby")).json()["games"])


@timed("message-burst")
async def message_burst(field: Field) -> None:
    """200 messages at once over one live connection: all are answered, as is promised."""
    key = new_key()
    async with field.client() as client:
        game = await make(client, key, [{"kind": "me"}, {"kind": "here"}])
    async with await field.socket(game, key) as socket:
        await socket.recv()
        for number in range(200):
            await socket.send(json.dumps({"type": "ping", "re": number}))
        for _ in range(200):
            field.count(json.loads(await socket.recv())["type"])
    await asyncio.sleep(field.seconds)


def quantile(ordered: list[float], share: float) -> float:
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


async def run(name: str, seconds: float, server: ServerProcess) -> Found:
    attack, bystander = TIMED[name]
    field = Field(server, seconds)
    async with field.client("127.0.0.1") as client:
        once = await bystander(field, client, new_key())
        await measured(once, 60, most=2)  # whatever has to be loaded is
        quiet = await measured(once, seconds)
        before = server.resident_megabytes()
        attacking = asyncio.create_task(attack(field))
        during = await measured(once, seconds)
        while not attacking.done():
            during += await measured(once, 1)
        await attacking
    during.sort()
    when = {"quiet": quiet, "attacked": during}
    figures = {
        f"p{n}_ms_{which}": quantile(taken, n / 100) for n in (50, 99) for which, taken in when.items()
    }
    return {
        "attack": name,
        **figures,
        "p50_ratio": round(figures["p50_ms_attacked"] / figures["p50_ms_quiet"], 2),
        "p99_more_ms": round(figures["p99_ms_attacked"] - figures["p99_ms_quiet"], 1),
        "samples": len(during),
        "memory_mb_more": round(server.resident_megabytes() - before),
        "found": field.found,
    }


def shown(results: list[Found]) -> Table:
    table = Table("attack", "p50 before", "during", "p99 before", "during", "memory", "what came of it")
    for one in results:
        table.add_row(
            one["attack"],
            *(
                f"{one[name]} ms"
                for name in ("p50_ms_quiet", "p50_ms_attacked", "p99_ms_quiet", "p99_ms_attacked")
            ),
            f"{one['memory_mb_more']:+} MB",
            ", ".join(f"{what}: {count}" for what, count in one["found"].items()),
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("attacks", nargs="*", metavar="NAME", help=f"of {', '.join(TIMED)}; default: all")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each attack goes on")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    unknown = [name for name in args.attacks if name not in TIMED]
    if unknown:
        parser.error(f"there is no attack {unknown[0]}; attacks are {', '.join(TIMED)}")
    results = []
    chosen = args.attacks or list(TIMED)
    for name in track(chosen, "attacking", console=Console(file=sys.stderr), disable=args.json):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as left:
            server = ServerProcess(f"sqlite:///{Path(folder) / 'games.sqlite'}", limited=True)
            left.callback(server.stop)
            results.append(asyncio.run(run(name, args.seconds, server)))
    if args.json:
        print(json.dumps(results))
    else:
        Console(width=160).print(shown(results))


if __name__ == "__main__":
    main()
