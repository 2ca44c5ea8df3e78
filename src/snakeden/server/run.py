"""Running the application under uvicorn."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import uvicorn
from filelock import FileLock, Timeout

from snakeden.server.app import create_app
from snakeden.server.database import upgrade
from snakeden.server.http import BoundedWebSocket, Connections, bounded_protocol, raise_file_limit
from snakeden.server.limits import Allowance
from snakeden.server.settings import Settings
from snakeden.server.store import database_file, database_url

log = logging.getLogger("snakeden.server")

_GRACE_S = 5
_LAST_RESORT_S = 10


def bind(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A listening socket; port 0 is any free one. If it is `shared`, several processes can listen on one port, and the
    system spreads connections among them. Raises ValueError in words."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        if not hasattr(socket, "SO_REUSEPORT"):
            raise ValueError("this system cannot share a port among processes; give each a --port of its own")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise ValueError(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another --port"
        ) from None
    return sock


def address_of(sock: socket.socket) -> str:
    """What to type into a browser on this machine."""
    host, port = sock.getsockname()[:2]
    if host in ("0.0.0.0", "127.0.0.1"):
        host = "localhost"
    elif ":" in host:
        host = f"[{host}]"
    return f"http://{host}:{port}"


def lock_database(given: str) -> FileLock | None:
    """A SQLite file belongs to one server; another refuses to start. PostgreSQL can serve several."""
    file = database_file(database_url(given))
    if file is None:
        return None
    lock = FileLock(f"{file}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ValueError(f"another server is using {file}; end it, or give another --database") from None
    return lock


def serve(settings: Settings, sock: socket.socket, ready: Callable[[str], None], *, browser: bool) -> None:
    """Serve until the process is asked to end; open connections are closed in order first."""
    lock = lock_database(settings.database)
    try:
        upgrade(settings.database)
        # Threads that draw let go of the interpreter often, so that answering is never held up for long.
        sys.setswitchinterval(0.001)
        proxied = settings.behind_proxy
        opening = Allowance(
            settings.requests_per_second, 2 * settings.requests_burst, settings.clients_remembered
        )
        connections = Connections(
            raise_file_limit(),
            None if proxied else settings.connections_per_client,
            None if proxied else opening,
        )
        config = uvicorn.Config(
            create_app(settings),
            http=bounded_protocol(connections),
            ws=BoundedWebSocket,
            log_config=None,
            access_log=False,
            ws_max_size=settings.message_bytes,
            ws_ping_interval=30,
            server_header=False,
            # Compressing a large picture for each of many watchers would hold up everybody.
            ws_per_message_deflate=False,
            # Whose addresses are believed is for `guard` to say.
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_S,
        )
        _Announcing(config, lambda: _ready(address_of(sock), ready, browser)).run(sockets=[sock])
    finally:
        if lock is not None:
            lock.release()


def _calm_collector() -> None:
    """Full collections of garbage stop everything for as long as there are objects, 0.1 s and more for each 100,000.
    What is there at the start stays; the rest is looked through after two million new objects, which is some
    10,000 connections, not whenever there are a quarter more than before."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 20)


def _ready(address: str, ready: Callable[[str], None], browser: bool) -> None:
    _calm_collector()
    ready(address)
    if browser and _has_screen():
        webbrowser.open(address)


def _has_screen() -> bool:
    """Whether a browser would have a window: in a terminal a text browser must not take it over."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _end_now() -> None:
    log.critical("something hangs; ended without waiting for it. What was acknowledged is stored")
    os._exit(1)


class _Announcing(uvicorn.Server):
    """Calls back once connections are answered."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = started

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Whatever hangs, a database or a thread that waits for it, the process ends.
        last_resort = threading.Timer(_GRACE_S + _LAST_RESORT_S, _end_now)
        last_resort.daemon = True
        last_resort.start()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started()
