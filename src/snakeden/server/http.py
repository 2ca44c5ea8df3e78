"""Connections within bounds: how many there are, how long a request may be, how long it may take, and how long an
answer may lie unread.

uvicorn's own protocols have none of these bounds, so that one visitor could fill the memory with headers, use up all
file descriptors with requests that never end, or keep the loop busy with thousands of tiny parts.
"""

from __future__ import annotations

import asyncio
import json
import logging
import resource
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from snakeden.server.answers import answer_of
from snakeden.server.errors import TooLong, TooOften
from snakeden.server.limits import Allowance, client_of

log = logging.getLogger("snakeden.requests")

HEAD_BYTES = 16 * 1024
ADDRESS_BYTES = 2 * 1024
"""Of a request's path and query. Thousands of tiny parameters would take long to tell apart."""
MOST_HEADERS = 100
HEAD_SECONDS = 10.0
"""From when a connection is opened, or a request begins, until its headers are complete."""
REQUEST_BYTES = 1024 * 1024
"""A whole request, whatever its body is for; which bodies are read, and how much of them, is for `guard` to say."""
MOST_CHUNKS = 2000
"""Pieces in which a body may come: parsing tiny ones costs far more than sending them."""
MOST_PIPELINED = 8
"""Requests that may wait on a connection for the answer to the one before. Browsers send none ahead."""
UNREAD_SECONDS = 60.0
"""How long a client may leave an answer unread that does not fit into the buffers."""
FRAMES_PER_SECOND = 100.0
FRAMES_BURST = 400
"""Frames of a live connection, pings included, which no allowance for messages counts. Who sends more is cut off."""
_SLICE = 512
"""Bytes of a live connection that are looked at before its frames are counted."""
_UNREAD_PONGS = 64 * 1024
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
    """How many there are, in all and of each client, and how often a client opens one. Behind a proxy they are all the
    proxy's: there are no bounds for one client (None), only their sum is bounded."""

    def __init__(self, most: int, most_of_client: int | None, opening: Allowance | None) -> None:
        self._most = most
        self._most_of_client = most_of_client
        self._opening = opening
        self._open: Counter[str] = Counter()
        self.refused = 0

    def enter(self, client: str, open_in_all: int) -> bool:
        if not self._may_open(client) or open_in_all > self._most:
            self.refused += 1
            return False
        self._open[client] += 1
        return True

    def _may_open(self, client: str) -> bool:
        if self._most_of_client is not None and self._open[client] >= self._most_of_client:
            return False
        try:
            if self._opening is not None:
                self._opening.take(client, "requests")
        except TooOften:
            return False
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


class _Stop(Exception):
    """Ends the parsing of what was received."""


class _Impatient:
    """Aborts a connection whose client leaves unread what was sent to it."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._be_patient()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self._be_patient()
        super().connection_lost(exc)  # type: ignore[misc]

    def _be_patient(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class _BoundedHttp(_Impatient, HttpToolsProtocol):
    connections_of: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._refused = self._counted = False
        self._head: int | None = 0  # bytes of the head so far; None while there is none to read
        self._received = self._chunks = 0  # bytes of the request so far, and pieces of its body
        self._deadline: asyncio.TimerHandle | None = None
        self._address = client_of(self.client[0]) if self.client else "unknown"
        if not self.connections_of.enter(self._address, len(self.connections)):
            self._abort()
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
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._abort)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _abort(self) -> None:
        self._refused = True
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        self._received += len(data)
        if self._received > REQUEST_BYTES:
            self._abort()
            return
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > HEAD_BYTES:
            self._refuse_head()

    def send_400_response(self, msg: str) -> None:
        if not self._refused:  # else it was refused already, in other words or without any
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._received = self._chunks = 0
        if self._head is None:  # a further request of this connection
            self._head = 0
            self._start_clock()

    def on_header(self, name: bytes, value: bytes) -> None:
        # After the head there are only trailers, behind a body in pieces. Nobody asks for them.
        if self._head is not None:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head = None
        self._stop_clock()
        length = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if length > HEAD_BYTES or len(self.headers) > MOST_HEADERS or len(self.url) > ADDRESS_BYTES:
            self._refuse_head()
            raise _Stop
        if len(self.pipeline) >= MOST_PIPELINED:
            self._abort()
            raise _Stop
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._chunks += 1
        if self._chunks > MOST_CHUNKS:
            self._abort()
            raise _Stop
        super().on_body(body)

    def handle_websocket_upgrade(self) -> None:
        """It counts here until it is accepted: then the live connections are counted."""
        self._stop_clock()
        super().handle_websocket_upgrade()
        upgraded = self.transport.get_protocol()
        assert isinstance(upgraded, BoundedWebSocket)
        upgraded.leave = self._leave
        if self.transport.is_closing():
            self._leave()

    def _refuse_head(self) -> None:
        self._refused = True
        self._stop_clock()
        refused = TooLong("headers-too-long", bytes=HEAD_BYTES, address=ADDRESS_BYTES)
        body = json.dumps(answer_of(refused)).encode()
        head = [(b"content-type", b"application/json"), (b"connection", b"close")]
        lines: list[Any] = [STATUS_LINE[431]]
        for name, value in (*head, (b"content-length", str(len(body)).encode())):
            lines += [name, b": ", value, b"\r\n"]
        self.transport.write(b"".join([*lines, b"\r\n", body]))
        self.transport.close()


class BoundedWebSocket(_Impatient, WebSocketsSansIOProtocol):
    """A live connection whose frames are counted."""

    leave: Callable[[], None] | None = None
    """Says that it is not one of the HTTP connections any more."""

    def start_keepalive(self) -> None:
        self._leave()  # it is accepted
        super().start_keepalive()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        if self.leave is not None:
            self.leave()
            self.leave = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._frames = Allowance(FRAMES_PER_SECOND, FRAMES_BURST, 1)

    def data_received(self, data: bytes) -> None:
        """In slices, so that thousands of tiny frames are not parsed before the first is counted."""
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])

    def handle_events(self) -> None:
        try:
            for _ in self.conn.events:
                self._frames.take("", "messages")
        except TooOften:
            self.transport.abort()
            return
        super().handle_events()

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > _UNREAD_PONGS:
            self.transport.abort()  # pongs wait for no room, so who reads none of them would fill the memory

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # closing would wait until everything is read
