"""Kill the server at random moments, as a power cut would, and count what is lost.

Players play many games at once over WebSockets, and note every move that was acknowledged. The server is killed with
`kill -9` and started again on the same database. Then everything noted is looked for in the database itself, and each
game is read and replayed: those being played after every kill, all of them after the last. Lost moves and unreadable
games must be 0. Run: python bench/kill.py --kills 50

With --processes N, N servers share a PostgreSQL of our own and one port, and one of them is killed each time; with
--kill-database every second kill hits PostgreSQL instead. Each time the servers are asked, too: `late` counts the games
of which a server showed less than the database had, and `late_ms` how long it did so at most.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2
import websockets
from rich.console import Console
from rich.progress import track
from sqlalchemy.engine import Engine
from sqlalchemy.exc import NoResultFound

from postgres import Postgres, postgres
from server_process import Fleet, LoadedServer, bearing, new_key
from snakeden.records import read
from snakeden.server.recording import record_of
from snakeden.server.store import load_now, open_engine

_LATE_S, _LOOKED_S = 30.0, 0.02
"""How long a server is asked again that shows too few moves, and how often."""
_DOWN = (OSError, httpx2.TransportError, websockets.WebSocketException)


@dataclass
class Played:
    """A game, and what the server has acknowledged in it: entry number -> move."""

    id: str
    key: str
    acknowledged: dict[int, str] = field(default_factory=dict)
    over: bool = False


async def new_game(client: httpx2.AsyncClient, game: str) -> Played:
    key = new_key()
    options = (await client.post("/api/options", json={"game": game})).raise_for_status().json()
    seats = [{"kind": "me"}, *[{"kind": "here"}] * (options["seats"] - 1)]
    made = await client.post("/api/games", json={"game": game, "seats": seats}, headers=bearing(key))
    return Played(made.raise_for_status().json()["id"], key)


async def play(address: str, played: Played, rng: random.Random, begun: asyncio.Event) -> None:
    """Play random moves until the game is over or the server is gone; say when the first is acknowledged."""
    url = f"{address.replace('http', 'ws').rstrip('/')}/api/games/{played.id}/live?pictures=1"
    async with websockets.connect(url, additional_headers=bearing(played.key), max_size=None) as socket:
        sent: dict[int, str] = {}
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "done":
                played.acknowledged[message["re"]] = sent[message["re"]]
                begun.set()
            elif message["type"] == "refused" and message["status"] == 503:
                return  # the database is away
            elif message["type"] == "refused":
                raise AssertionError(f"a legal move was refused: {message}")
            elif message["type"] == "state" and message["seen"] not in sent:
                if message["status"] == "over":
                    played.over = True
                    return
                move = rng.choice(message["targets"]["moves"])[0]
                sent[message["seen"]] = move
                await socket.send(
                    json.dumps({"type": "play", "re": message["seen"], "seen": message["seen"], "move": move})
                )


async def keep_playing(
    client: httpx2.AsyncClient, table: list[Played], game: str, rng: random.Random, begun: asyncio.Event
) -> None:
    """One player's chair: finish the last game, then begin another, for as long as the server lives."""
    with suppress(*_DOWN, httpx2.HTTPStatusError):
        while True:
            if not table or table[-1].over:
                table.append(await new_game(client, game))
            await play(str(client.base_url), table[-1], rng, begun)


@dataclass
class Findings:
    """What was looked for, and what was not found."""

    lost: set[tuple[str, int]] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    late: int = 0
    late_ms: float = 0.0
    checks: int = 0

    async def check(self, engine: Engine, client: httpx2.AsyncClient, played: Played) -> None:
        self.checks += 1
        try:
            stored, entries = await asyncio.to_thread(load_now, engine, played.id)
            read(record_of(stored, entries).write()).check()
        except (ValueError, NoResultFound):
            self.unreadable.add(played.id)
            return
        kept = {entry.number: entry.data for entry in entries if entry.kind == "move"}
        wanted = played.acknowledged.items()
        self.lost |= {(played.id, number) for number, move in wanted if kept.get(number) != move}
        await self._ask(client, played, max(kept, default=-1))

    async def _ask(self, client: httpx2.AsyncClient, played: Played, last: int) -> None:
        """Ask a server for the game until it shows what the database has."""
        begun = time.perf_counter()
        attempts = 0
        while time.perf_counter() - begun < _LATE_S:
            # A connection of its own each time, so that any of the servers may answer.
            async with httpx2.AsyncClient(base_url=client.base_url, timeout=120) as fresh:
                shown = (await fresh.get(f"/api/games/{played.id}/entries")).raise_for_status().json()
            if shown["seen"] > last:
                break
            attempts += 1
            await asyncio.sleep(_LOOKED_S)
        if attempts:
            self.late += 1
            self.late_ms = max(self.late_ms, round(1000 * (time.perf_counter() - begun)))


async def run(args: argparse.Namespace, database: str, cluster: Postgres | None) -> dict[str, Any]:
    rng = random.Random(args.seed)
    tables: list[list[Played]] = [[] for _ in range(args.games)]
    findings, engine = Findings(), open_engine(database)
    console = Console(file=sys.stderr)
    server: LoadedServer | Fleet = LoadedServer(args.game) if args.processes == 1 else Fleet(args.processes)
    for kill in track(range(args.kills + 1), "killing", console=console, disable=args.json):
        address = server.start(database)
        async with httpx2.AsyncClient(base_url=address, timeout=120) as client:
            try:
                for table in tables:
                    for played in table[-1:] if kill < args.kills else table:
                        await findings.check(engine, client, played)
                if kill == args.kills:
                    break
                begun = asyncio.Event()
                chairs = [
                    asyncio.create_task(
                        keep_playing(client, table, args.game, random.Random(rng.random()), begun)
                    )
                    for table in tables
                ]
                await asyncio.wait_for(begun.wait(), 120)
                await asyncio.sleep(rng.uniform(*args.after))
            finally:
                if kill == args.kills:
                    server.stop()
                elif cluster is not None and args.kill_database and kill % 2:
                    cluster.stop()
                    cluster.start()
                else:
                    server.kill()
            for chair in chairs:  # those who are connected to another process would play on
                chair.cancel()
            await asyncio.gather(*chairs, return_exceptions=True)
    engine.dispose()
    return {
        "database": database.partition(":")[0],
        "game": args.game,
        "processes": args.processes,
        "kills": args.kills,
        "of_them_the_database": args.kills // 2 if args.kill_database else 0,
        "games": sum(map(len, tables)),
        "acknowledged": sum(len(played.acknowledged) for table in tables for played in table),
        "lost": len(findings.lost),
        "unreadable": len(findings.unreadable),
        "late": findings.late,
        "late_ms": findings.late_ms,
        "checks": findings.checks,
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--games", type=int, default=8, help="played at once")
    parser.add_argument("--game", default="snekagon")
    parser.add_argument(
        "--after",
        type=float,
        nargs=2,
        default=(0.2, 1.5),
        metavar=("FROM", "TO"),
        help="seconds of play before a kill",
    )
    parser.add_argument("--database", default=None, help="default: a SQLite file in a temporary folder")
    parser.add_argument(
        "--processes", type=int, default=1, help="servers on a PostgreSQL of our own, on one port"
    )
    parser.add_argument("--kill-database", action="store_true", help="kill PostgreSQL, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.kill_database and args.processes == 1:
        parser.error("--kill-database goes with --processes 2 or more")
    with ExitStack() as left:
        folder = left.enter_context(tempfile.TemporaryDirectory())
        cluster = left.enter_context(postgres()) if args.processes > 1 else None
        database = cluster.url if cluster is not None else args.database or f"sqlite:///{folder}/kill.sqlite"
        figures = asyncio.run(run(args, database, cluster))
    if args.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<20}  {value}")
    return 1 if figures["lost"] or figures["unreadable"] else 0


if __name__ == "__main__":
    sys.exit(main())
