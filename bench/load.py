"""How much the server bears: M games at once, R moves a second, every move durable before it is acknowledged.

Open loop: move k is due at k / R seconds, whether or not the server keeps up; a move that could not be sent when
it was due is late, and its latency counts from when it was due to when the other player has it. Server and client
share the machine. Run: python bench/load.py --games 1000 --rate 500 --seconds 30

With --processes 2,3,4, so many servers with one PostgreSQL share a port, and the system spreads connections: the two
players of a game may be connected to different ones. Each number is measured for itself, on a database of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import platform
import random
import sys
import tempfile
import time
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx2
import uvloop
import websockets
from rich.console import Console
from rich.progress import track

import snakeden
from postgres import Postgres, postgres
from server_process import ServerProcess, bearing, new_key, serving


def some_games(game: str, count: int, seed: int) -> list[list[tuple[int, str]]]:
    """Whole random games as (seat, move); without dice, which only the server rolls."""
    rng = random.Random(seed)
    played = []
    for _ in range(count):
        state = snakeden.new_game(game)
        line: list[tuple[int, str]] = []
        while state.player is not None:
            move = rng.choice(state.legal_moves())
            line.append((state.player, move.text))
            state = state.play(move)
        played.append(line)
    return played


@dataclass
class Table:
    """One game with its two connections."""

    game: str
    line: list[tuple[int, str]]
    sockets: list[Any]
    seen: int
    next: int = 0
    flying: bool = False
    due: deque[float] = field(default_factory=deque)
    sent_due: float = 0.0


@dataclass
class Figures:
    latencies: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    sent_late: int = 0
    last_receipt: float = 0.0


async def set_table(
    client: httpx2.AsyncClient, server: ServerProcess, game: str, line: list[tuple[int, str]]
) -> Table:
    """Make a game, join it, and connect both players."""
    keys = [new_key(), new_key()]
    wanted = {"game": game, "seats": [{"kind": "me"}, {"kind": "link"}]}
    made = (await client.post("/api/games", json=wanted, headers=bearing(keys[0]))).raise_for_status().json()
    code = made["invitations"][0]["code"]
    joined = await client.post(f"/api/games/{made['id']}/join", json={"code": code}, headers=bearing(keys[1]))
    joined.raise_for_status()
    url = server.address.replace("http", "ws") + f"/api/games/{made['id']}/live?seen=1"
    sockets = [
        await websockets.connect(url, additional_headers=bearing(key), compression=None, ping_interval=None)
        for key in keys
    ]
    for socket in sockets:
        await socket.recv()
    return Table(made["id"], line, sockets, seen=1)


async def send_next(table: Table, figures: Figures) -> None:
    """Send the move that is due, unless the one before is still on its way."""
    if table.flying or not table.due or table.next >= len(table.line):
        return
    table.flying = True
    table.sent_due = table.due.popleft()
    seat, move = table.line[table.next]
    if time.perf_counter() - table.sent_due > 0.01:
        figures.sent_late += 1
    await table.sockets[seat].send(json.dumps({"type": "play", "seen": table.seen, "move": move}))


async def listen(table: Table, seat: int, figures: Figures) -> None:
    async for text in table.sockets[seat]:
        message = json.loads(text)
        if message["type"] == "refused":
            figures.refused.append(message["error"])
        elif message["type"] == "entries" and message["entries"][0]["seat"] != seat:
            figures.last_receipt = time.perf_counter()
            figures.latencies.append(figures.last_receipt - table.sent_due)
            table.seen = message["seen"]
            table.next += 1
            table.flying = False
            await send_next(table, figures)


async def measure(
    args: argparse.Namespace, servers: list[ServerProcess], cluster: Postgres | None
) -> dict[str, Any]:
    server = servers[0]
    lines = some_games(args.game, 50, args.seed)
    figures = Figures()
    tables: list[Table] = []
    async with httpx2.AsyncClient(base_url=server.address, timeout=120) as client:
        for number in track(
            range(0, args.games, 10), "setting tables", console=Console(file=sys.stderr), disable=args.json
        ):
            wanted = [lines[n % len(lines)] for n in range(number, min(number + 10, args.games))]
            tables += await asyncio.gather(*(set_table(client, server, args.game, line) for line in wanted))
    listeners = [
        asyncio.create_task(listen(table, seat, figures))
        for table in tables
        for seat in range(len(table.sockets))
    ]
    moves = min(int(args.rate * args.seconds), sum(len(table.line) for table in tables))
    order = [n % len(tables) for n in range(moves)]
    gc.freeze()  # the client's own pauses are not what is measured
    gc.disable()
    cpu = [one.cpu_seconds() for one in servers]
    database_cpu = cluster.cpu_seconds() if cluster is not None else 0.0
    own_cpu = time.process_time()
    start = time.perf_counter() + 0.5
    for number, chosen in enumerate(order):
        due = start + number / args.rate
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        tables[chosen].due.append(due)
        await send_next(tables[chosen], figures)
    patience = time.perf_counter() + 30
    playable = sum(min(len(table.line), table.next + len(table.due) + table.flying) for table in tables)
    while len(figures.latencies) < playable and time.perf_counter() < patience:
        await asyncio.sleep(0.05)
    cpu = [one.cpu_seconds() - before for one, before in zip(servers, cpu, strict=True)]
    own_cpu = time.process_time() - own_cpu
    if cluster is not None:
        database_cpu = cluster.cpu_seconds() - database_cpu
    memory = [round(one.resident_megabytes()) for one in servers]
    for task in listeners:
        task.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    for table in tables:
        for socket in table.sockets:
            await socket.close()
    told = report(args, figures, figures.last_receipt - start, cpu, own_cpu)
    told["database_cpu_ms_per_move"] = round(1000 * database_cpu / told["moves"], 3)
    told["memory_mb_of_each"] = memory
    return told


def report(
    args: argparse.Namespace, figures: Figures, seconds: float, cpu: list[float], own_cpu: float
) -> dict[str, Any]:
    ordered = sorted(figures.latencies)
    count = len(ordered)

    def quantile(share: float) -> float:
        return round(1000 * ordered[min(count - 1, int(share * count))], 2)

    return {
        "game": args.game,
        "database": "sqlite" if len(cpu) == 1 and not args.database else "postgresql",
        "processes": len(cpu),
        "games": args.games,
        "asked_rate": args.rate,
        "moves": count,
        "sustained_rate": round(count / seconds, 1),
        "p50_ms": quantile(0.5),
        "p99_ms": quantile(0.99),
        "max_ms": quantile(1.0),
        "late_100_ms": sum(latency > 0.1 for latency in ordered),
        "sent_late": figures.sent_late,
        "refused": len(figures.refused),
        "server_cpu_ms_per_move": round(1000 * sum(cpu) / count, 3),
        "cpu_seconds_of_each": [round(one, 2) for one in cpu],
        "client_cpu_ms_per_move": round(1000 * own_cpu / count, 3),
        "python": platform.python_version(),
    }


_LONGEST_S = 300
"""For one measurement, tables set included."""


def measured(args: argparse.Namespace, processes: int) -> dict[str, Any]:
    """So many servers under load, on a database that is gone afterwards unless one is given."""
    with ExitStack() as left:
        cluster = left.enter_context(postgres()) if processes > 1 and not args.database else None
        folder = left.enter_context(tempfile.TemporaryDirectory())
        database = args.database or (
            cluster.url if cluster is not None else f"sqlite:///{folder}/load.sqlite"
        )
        servers = left.enter_context(serving(database, processes))
        return uvloop.run(asyncio.wait_for(measure(args, servers, cluster), _LONGEST_S))


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=500.0, help="moves a second, all games together")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--game", default="snekagon-5g", help="a game without dice")
    parser.add_argument(
        "--processes",
        type=numbers,
        default=[1],
        metavar="N[,N…]",
        help="servers on one PostgreSQL, on one port",
    )
    parser.add_argument(
        "--database",
        default=None,
        help="default: a SQLite file or, for several processes, a PostgreSQL of our own",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    results = [measured(args, processes) for processes in args.processes]
    if args.json:
        print(json.dumps(results if len(results) > 1 else results[0]))
        return
    width = max(map(len, results[0]))
    for name in results[0]:
        print(f"{name:<{width}}", *(f"{result[name]!s:>24}" for result in results))


if __name__ == "__main__":
    main()
