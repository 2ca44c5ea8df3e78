"""Whether engines get in the way: how long a ping over a WebSocket takes while engines think, and while none does.

Run: python bench/ping.py --seconds 10
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from typing import Any

import httpx2
import uvloop
import websockets

from server_process import ServerProcess, bearing, new_key, serving


async def make(client: httpx2.AsyncClient, key: str, agent: str | None) -> str:
    """A game of two people, or of two engines."""
    kinds = [{"kind": "me"}, {"kind": "here"}] if agent is None else [{"kind": "engine", "agent": agent}] * 2
    made = await client.post("/api/games", json={"game": "snekagon", "seats": kinds}, headers=bearing(key))
    game: str = made.raise_for_status().json()["id"]
    return game


async def watched(server: ServerProcess, game: str) -> Any:
    return await websockets.connect(f"{server.address.replace('http', 'ws')}/api/games/{game}/live?seen=0")


async def pings(server: ServerProcess, game: str, seconds: float) -> list[float]:
    """Round trips, one every 10 ms whether or not the one before has come back."""
    url = f"{server.address.replace('http', 'ws')}/api/games/{game}/live?seen=0"
    taken: list[float] = []
    async with websockets.connect(url, compression=None) as socket:
        await socket.recv()

        async def listen() -> None:
            while True:
                due = json.loads(await socket.recv())["re"]
                taken.append(time.perf_counter() - due)

        listener = asyncio.create_task(listen())
        start = time.perf_counter()
        count = int(seconds * 100)
        for number in range(count):
            due = start + number / 100
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await socket.send(json.dumps({"type": "ping", "re": due}))
        while len(taken) < count:
            await asyncio.sleep(0.01)
        listener.cancel()
    return sorted(taken)


async def moves_in(client: httpx2.AsyncClient, games: list[str]) -> int:
    return sum([(await client.get(f"/api/games/{game}/entries")).json()["seen"] for game in games])


async def measure(args: argparse.Namespace, server: ServerProcess) -> dict[str, Any]:
    key = new_key()
    async with httpx2.AsyncClient(base_url=server.address, timeout=300) as client:
        game = await make(client, key, None)
        quiet = await pings(server, game, args.seconds)
        busy_games = [await make(client, key, args.agent) for _ in range(args.games)]
        watching = [await watched(server, one) for one in busy_games]  # else the engines would rest
        before = await moves_in(client, busy_games)
        while before == 0:  # the search may have to be compiled first
            await asyncio.sleep(0.5)
            before = await moves_in(client, busy_games)
        busy = await pings(server, game, args.seconds)
        after = await moves_in(client, busy_games)
        for socket in watching:
            await socket.close()

    def p99(taken: list[float]) -> float:
        return round(1000 * taken[int(0.99 * len(taken))], 2)

    return {
        "engine_games": args.games,
        "agent": args.agent,
        "engine_moves": after - before,
        "p50_ms_quiet": round(1000 * quiet[len(quiet) // 2], 2),
        "p99_ms_quiet": p99(quiet),
        "p50_ms_engines": round(1000 * busy[len(busy) // 2], 2),
        "p99_ms_engines": p99(busy),
        "p99_ratio": round(p99(busy) / p99(quiet), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--games", type=int, default=8, help="games of two engines")
    parser.add_argument("--agent", default="mcts:time=300ms")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/ping.sqlite") as [server]:
        figures = uvloop.run(measure(args, server))
    if args.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<16}  {value}")


if __name__ == "__main__":
    main()
