"""What attacks have in common: where they take place, how they ask, and the list of them."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2
import websockets

from server_process import bearing

ATTACKER = "127.0.0.2"
OTHERS = tuple(f"127.0.0.{n}" for n in range(10, 14))
"""Addresses of those who have put games into the lobby."""
BROAD = {"game": "snekagon-5g", "options": {"players": 5, "side": 8}}
ALONE = [{"kind": "me"}, {"kind": "here"}]
AT_TABLE_OF_FIVE = [{"kind": "me"}, *[{"kind": "here"}] * 4]
JSON = {"content-type": "application/json"}
Found = dict[str, Any]
_LAST_ANSWERS_S = 2.0


@dataclass
class Field:
    """Where an attack takes place."""

    address: str
    seconds: float = 1.0
    target: str = ""
    """The game in which a bystander plays, where that is no secret."""
    found: Found = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    end: float = 0.0

    def begin(self) -> None:
        self.end = time.perf_counter() + self.seconds

    @property
    def over(self) -> bool:
        return time.perf_counter() > self.end

    async def rest(self) -> None:
        """Wait for the end."""
        await asyncio.sleep(max(0.0, self.end - time.perf_counter()))

    def count(self, what: str, by: int = 1) -> None:
        self.found[what] = self.found.get(what, 0) + by

    def answered(self, status: int) -> None:
        self.count("answered 2xx" if status < 300 else f"refused {status}")

    async def once(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """What was made the first time."""
        if name not in self.kept:
            self.kept[name] = await make()
        return self.kept[name]

    async def games(self, count: int, key: str, kinds: list[dict[str, str]], **wanted: Any) -> list[str]:
        """So many games, made the first time."""

        async def make_all() -> list[str]:
            async with self.client() as client:
                return [await make(client, key, kinds, **wanted) for _ in range(count)]

        found: list[str] = await self.once("games", make_all)
        return found

    def client(self) -> httpx2.AsyncClient:
        return client_from(self.address, ATTACKER)

    async def socket(self, game: str, key: str, query: str = "?seen=0") -> Any:
        return await websockets.connect(
            f"{self.address.replace('http', 'ws')}/api/games/{game}/live{query}",
            additional_headers=bearing(key),
            compression=None,
            local_addr=(ATTACKER, 0),
            ping_interval=None,
            max_size=None,
        )

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, _, port = self.address.removeprefix("http://").partition(":")
        return await asyncio.open_connection(host, int(port), local_addr=(ATTACKER, 0))

    @asynccontextmanager
    async def connections(self, count: int) -> AsyncIterator[list[tuple[Any, Any]]]:
        """As many as the server lets one have."""
        opened: list[tuple[Any, Any]] = []
        for _ in range(count):
            with suppress(OSError):
                opened.append(await self.open())
        try:
            yield opened
        finally:
            for _, writer in opened:
                writer.transport.abort()


def client_from(address: str, own: str) -> httpx2.AsyncClient:
    transport = httpx2.AsyncHTTPTransport(local_address=own, limits=httpx2.Limits(max_connections=64))
    return httpx2.AsyncClient(base_url=address, transport=transport, timeout=60)


async def make(client: httpx2.AsyncClient, key: str, kinds: list[dict[str, str]], **wanted: Any) -> str:
    body = {"game": "snekagon", "options": {"side": 4}, **wanted, "seats": kinds}
    made = await client.post("/api/games", json=body, headers=bearing(key))
    return str(made.raise_for_status().json()["id"])


def upgrade(game: str, query: str = "?seen=0") -> bytes:
    return (
        f"GET /api/games/{game}/live{query} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


def frame(opcode: int, payload: bytes = b"") -> bytes:
    """A frame of a client, masked with zeros."""
    return struct.pack("!BB", 0x80 | opcode, 0x80 | len(payload)) + bytes(4) + payload


async def write_again(field: Field, count: int, sent: bytes, pause: float, what: str, by: int = 1) -> None:
    """Open connections, write this over each in one go and read nothing, until the end. It is counted as so many of
    what it is."""
    while not field.over:
        async with field.connections(count) as opened:
            for _, writer in opened:
                with suppress(OSError):
                    writer.write(sent)
                    field.count(what, by)
            await asyncio.sleep(pause)


Attack = Callable[[Field], Coroutine[Any, Any, None]]
ATTACKS: dict[str, Attack] = {}


def attack(work: Attack) -> Attack:
    """Note an attack under the name of its function."""
    ATTACKS[work.__name__.replace("_", "-")] = work
    return work


async def again(field: Field, ask: Callable[[int], Awaitable[int | None]], at_once: int = 8) -> None:
    """Ask until the end, several at once, each as soon as the answer before has come."""

    async def one(number: int) -> None:
        while not field.over:
            try:
                status = await ask(number)
            except (httpx2.TransportError, OSError, asyncio.IncompleteReadError):
                field.count("closed")
                await asyncio.sleep(0.02)
                continue
            if status is not None:
                field.answered(status)

    with suppress(TimeoutError):  # what is asked last may take long to be answered
        async with asyncio.timeout(max(0.0, field.end - time.perf_counter()) + _LAST_ANSWERS_S):
            await asyncio.gather(*(one(number) for number in range(at_once)))
