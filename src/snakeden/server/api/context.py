"""What an endpoint works with, and how it knows who asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, cast
from urllib.parse import urlsplit

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response

from snakeden.server.describing import compact
from snakeden.server.engines import Engines
from snakeden.server.limits import Allowance, OpenGames, Sockets
from snakeden.server.live import Hub
from snakeden.server.metrics import Metrics
from snakeden.server.schema import Problem
from snakeden.server.seats import COOKIE, Credentials, named_cookie, new_key, read_credentials
from snakeden.server.settings import Settings
from snakeden.server.store import Store

COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie; it is renewed whenever its owner takes a seat."""

TEXT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}
"""What a route that answers with plain text says of itself; its problems are JSON."""
PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "unreadable"},
    401: {"model": Problem, "description": "no key was shown"},
    403: {"model": Problem, "description": "not yours to do"},
    404: {"model": Problem, "description": "no such game"},
    408: {"model": Problem, "description": "too slow"},
    409: {"model": Problem, "description": "not possible now"},
    413: {"model": Problem, "description": "too long"},
    415: {"model": Problem, "description": "not JSON"},
    421: {"model": Problem, "description": "not our name"},
    422: {"model": Problem, "description": "unreadable, or against the rules"},
    429: {"model": Problem, "description": "too often"},
    500: {"model": Problem, "description": "a mistake of the server's own"},
    503: {"model": Problem, "description": "too busy, or the database is away"},
}


class Fixed:
    """An answer that is the same for everybody. It is written once, in a thread."""

    def __init__(self, make: Callable[[], Any], media_type: str = "application/json") -> None:
        """`make` gives the text, or data for JSON."""
        self._make = make
        self._media_type = media_type
        self._body: bytes | None = None
        self._writing = asyncio.Lock()

    async def answer(self) -> Response:
        async with self._writing:  # who asks meanwhile waits, instead of writing it as well
            if self._body is None:
                self._body = await asyncio.to_thread(self._written)
        return Response(self._body, media_type=self._media_type)

    def _written(self) -> bytes:
        made = self._make()
        return (made if isinstance(made, str) else compact(made)).encode()


@dataclass
class Context:
    """Everything the application holds."""

    settings: Settings
    store: Store
    engines: Engines
    hub: Hub
    metrics: Metrics
    games_allowed: Allowance
    hints_allowed: Allowance
    sockets: Sockets
    open_games: OpenGames
    """Those that wait in the lobby."""
    joined_games: OpenGames
    """Those that were joined from the lobby and are not over."""
    messages_allowed: Allowance
    """Over all live connections of a client."""
    catalogue: Fixed
    openapi: Fixed
    docs: Fixed


def context_of(connection: HTTPConnection) -> Context:
    return cast(Context, connection.app.state.context)


def cookie_name(settings: Settings) -> str:
    """Where there is TLS, a name under which browsers take the cookie from this very host only."""
    return f"__Host-{COOKIE}" if settings.behind_proxy else COOKIE


def credentials_of(connection: HTTPConnection) -> Credentials:
    name = cookie_name(context_of(connection).settings)
    cookie = named_cookie(name, connection.headers.get("cookie", ""))
    return read_credentials(cookie, connection.headers.get("authorization"))


def public_address(context: Context, connection: HTTPConnection) -> str:
    """Where visitors find the server: a public address that was set for this name, or what was asked for."""
    host = connection.headers.get("host", "")
    for origin in context.settings.origins:
        if urlsplit(origin).netloc == host:
            return origin.rstrip("/")
    return f"{connection.url.scheme}://{host}"


def client_of(connection: HTTPConnection) -> str:
    return cast(str, connection.scope["snakeden.client"])


# What endpoints depend on is asynchronous, though none of it waits: FastAPI runs plain functions in threads, and each
# request would wait for several of them, behind everybody else's.


async def _context(connection: HTTPConnection) -> Context:
    return context_of(connection)


async def _credentials(connection: HTTPConnection) -> Credentials:
    return credentials_of(connection)


async def _client(connection: HTTPConnection) -> str:
    return client_of(connection)


async def _seated_credentials(connection: HTTPConnection, response: Response) -> Credentials:
    """Whom a request shows itself to be; a browser that has no key yet is given one, another's is renewed."""
    shown = credentials_of(connection)
    if connection.headers.get("authorization") is not None and shown.key is not None:
        return shown
    key = shown.key or new_key()
    settings = context_of(connection).settings
    response.set_cookie(
        cookie_name(settings),
        key,
        max_age=COOKIE_SECONDS,
        path="/" if settings.behind_proxy else "/api",
        httponly=True,
        samesite="strict",
        secure=settings.behind_proxy,
    )
    return Credentials(key)


ContextDep = Annotated[Context, Depends(_context)]
Who = Annotated[Credentials, Depends(_credentials)]
Client = Annotated[str, Depends(_client)]
Sitter = Annotated[Credentials, Depends(_seated_credentials)]
