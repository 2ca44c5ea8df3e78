"""HTTP connections within bounds: how many there are, how long a request's head may be, and how long it may take.

uvicorn's own protocol has none of these bounds, so that one visitor could fill the memory with headers or use up all
file descriptors with requests that never end.
"""

from __future__ import annotations

import asyncio
import json
import logging
import resource
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from snakeden.server.answers import answer_of
from snakeden.server.errors import TooLong
from snakeden.server.limits import client_of

log = logging.getLogger("snakeden.requests")

HEAD_BYTES = 16 * 1024
MOST_HEADERS = 100
HEAD_SECONDS = 10.0
"""From when a connection is opened, or a request begins, until its headers are complete."""
_KEPT_BACK = 128
"""File descriptors for everything that is no connection: the database, engines, files of the page."""


def raise_file_limit() -> int:
    """Allow as many file descriptors as the system lets us have; how many connections that is room for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return max(16, min(soft - _KEPT_BACK, 1_000_000))


class Connections:
    """How many there are, in all and of each client. Behind a proxy they are all the proxy's, and only their sum is
    bounded."""

    def __init__(self, most: int, most_of_client: int | None) -> None:
        self._most = most
        self._most_of_client = most_of_client
        self._open: Counter[str] = Counter()
        self.refused = 0

    def enter(self, client: str, open_in_all: int) -> bool:
        full = self._most_of_client is not None and self._open[client] >= self._most_of_client
        if full or open_in_all > self._most:
            self.refused += 1
            return False
        self._open[client] += 1
        return True

    def leave(self, client: str) -> None:
        self._open[client] -= 1
        if self._open[client] <= 0:
            del self._open[client]


def bounded_protocol(counted: Connections) -> type[HttpToolsProtocol]:
    """A protocol for uvicorn that counts its connections here."""

    class BoundedHttp(_BoundedHttp):
        connections_of = counted

    return BoundedHttp


class _BoundedHttp(HttpToolsProtocol):
    connections_of: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._refused = self._counted = False
        self._head: int | None = 0  # bytes of the head so far; None while there is none to read
        self._deadline: asyncio.TimerHandle | None = None
        self._address = client_of(self.client[0]) if self.client else "unknown"
        if not self.connections_of.enter(self._address, len(self.connections)):
            self._refused = True
            transport.abort()
            return
        self._counted = True
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        self._stop_clock()
        if self._counted:
            self._counted = False
            self.connections_of.leave(self._address)

    def _start_clock(self) -> None:
        self._stop_clock()
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._refused = True
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > HEAD_BYTES:
            self._refuse_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head is None:  # a further request of this connection
            self._head = 0
            self._start_clock()

    def on_headers_complete(self) -> None:
        self._head = None
        self._stop_clock()
        length = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if length > HEAD_BYTES or len(self.headers) > MOST_HEADERS:
            self._refuse_head()
        if not self._refused:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self._refused:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        if not self._refused:
            self._leave()  # from here on the live connections count
            super().handle_websocket_upgrade()

    def _refuse_head(self) -> None:
        if self._refused:
            return
        self._refused = True
        self._stop_clock()
        body = json.dumps(answer_of(TooLong("headers-too-long", bytes=HEAD_BYTES))).encode()
        head = [(b"content-type", b"application/json"), (b"connection", b"close")]
        lines: list[Any] = [STATUS_LINE[431]]
        for name, value in (*head, (b"content-length", str(len(body)).encode())):
            lines += [name, b": ", value, b"\r\n"]
        self.transport.write(b"".join([*lines, b"\r\n", body]))
        self.transport.close()
