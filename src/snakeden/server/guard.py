"""What every request passes before it is looked at: whose name it calls, where it comes from, how long it is, how
often. And what every answer carries."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import re
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from snakeden.server.answers import answer_of, status_of
from snakeden.server.errors import (
    Failed,
    NotAllowed,
    NotJson,
    Refused,
    TooBusy,
    TooLong,
    TooOften,
    TooSlow,
    WrongName,
)
from snakeden.server.fair import CLIENT
from snakeden.server.limits import Allowance, AtOnce, client_of, forwarded_for
from snakeden.server.metrics import Metrics
from snakeden.server.settings import Settings
from snakeden.server.store import DATABASE_ERRORS

log = logging.getLogger("snakeden.requests")

CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the engine in the page is WebAssembly
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
}
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_COUNTED = _READING | {"POST"}
"""Methods that figures tell apart; a client can make up dozens."""
_LONGEST_HOST = 300
_PIECE = 64 * 1024
"""Bytes of an answer that are written at once."""
_REFUSED_S = 1.0
"""How long a client waits for each further refusal that has had more than its share of them: answering them would
keep the server as busy as doing what was asked."""


def host_allowed(host: str, origins: tuple[str, ...]) -> bool:
    """Whether a Host header is one we answer to. A foreign name that was made to point here is none: its page would
    count as ours in the visitor's browser."""
    if len(host) > _LONGEST_HOST:
        return False
    try:
        split = urlsplit(f"//{host}")
        name, _ = split.hostname, split.port
    except ValueError:
        return False
    if not name or "@" in host or "/" in host:
        return False
    if name == "localhost" or any(urlsplit(origin).netloc == host for origin in origins):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def origin_allowed(origin: str | None, host: str, origins: tuple[str, ...]) -> bool:
    """Whether a page of this origin may act: only our own. Programs that are no browsers send none."""
    if origin is None or origin in origins:
        return True
    try:
        split = urlsplit(origin)
    except ValueError:
        return False
    return split.scheme in ("http", "https") and split.netloc == host


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._proxies = tuple(ipaddress.ip_network(given, strict=False) for given in settings.proxies)
        self._at_once = AtOnce(settings.requests_at_once)
        self._requests, self._refusals = (
            Allowance(settings.requests_per_second, settings.requests_burst, settings.clients_remembered)
            for _ in range(2)
        )
        self._sockets = Allowance(
            settings.sockets_per_client / 60, 2 * settings.sockets_per_client, settings.clients_remembered
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: Headers) -> None:
        """Refuses what must not get further; notes who the client is."""
        scope["snakeden.client"] = self._client(scope, headers)
        CLIENT.set(scope["snakeden.client"])
        host = headers.get("host", "")
        if not host_allowed(host, self._settings.origins):
            raise WrongName("wrong-name")
        reading = scope["type"] == "http" and scope["method"] in _READING
        foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if not reading and (
            foreign or not origin_allowed(headers.get("origin"), host, self._settings.origins)
        ):
            raise NotAllowed("foreign-page")
        self._requests.take(scope["snakeden.client"], "requests")
        if scope["type"] == "websocket":
            self._sockets.take(scope["snakeden.client"], "requests")

    async def _slow_down(self, refused: Refused, client: str) -> None:
        """Let a client wait that goes on asking although it is refused."""
        if isinstance(refused, TooOften):
            try:
                self._refusals.take(client, "requests")
            except TooOften:
                await asyncio.sleep(_REFUSED_S)

    def _client(self, scope: Scope, headers: Headers) -> str:
        peer = scope["client"][0] if scope.get("client") else ""
        if self._settings.behind_proxy:
            peer = forwarded_for(headers.getlist("x-forwarded-for"), peer, self._proxies)
        return client_of(peer)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(scope, Headers(scope=scope))
        except Refused as refused:
            # Before it is accepted, closing a WebSocket answers its request with 403.
            log.info("socket refused", extra={"why": refused.reason})
            await self._slow_down(refused, scope["snakeden.client"])
            await send({"type": "websocket.close", "code": 1008, "reason": refused.reason})
            return
        await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        status = 0

        _ignore_ranges(scope)

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                if scope["path"].startswith("/api"):
                    answer.setdefault("cache-control", "no-store")
            if len(message.get("body", b"")) > _PIECE:
                await _in_pieces(message, send)
            else:
                await send(message)

        try:
            self._check(scope, Headers(scope=scope))
            with self._at_once.one(scope["snakeden.client"]):
                body = await self._read(scope, receive)
                await self._app(scope, _replayed(body, receive), dressed)
        except Refused as refused:
            await self._slow_down(refused, scope["snakeden.client"])
            await _answer(refused, dressed)
        except DATABASE_ERRORS as error:
            log.error("the database failed", extra={"why": str(error)[:300]})
            await self._fail(TooBusy("database-away"), status, dressed)
        except Exception:
            log.exception("a request failed", extra={"method": scope["method"], "route": _route(scope)})
            await self._fail(Failed("failed"), status, dressed)
        finally:
            self._note(scope, status or 499, time.perf_counter() - begun)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        """The body of a request that may change something."""
        if scope["method"] in _READING:
            return b""
        body_type = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and body_type != "application/json":
            raise NotJson("not-json")
        brings_record = scope["path"] in ("/api/games", "/api/options")
        most = self._settings.record_bytes if brings_record else self._settings.body_bytes
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                body = await _body(receive, most)
        except TimeoutError:
            raise TooSlow("request-too-slow") from None
        check_parts(body)
        return body

    async def _fail(self, refused: Refused, status: int, send: Send) -> None:
        """Answer in place of an application that failed, unless it had begun to answer."""
        if status == 0:
            await _answer(refused, send)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        path = _route(scope)
        method = scope["method"] if scope["method"] in _COUNTED else "other"
        self._metrics.requests.labels(method, path, str(status)).inc()
        self._metrics.seconds.labels(path).observe(seconds)
        log.info(
            "request",
            extra={
                "method": scope["method"],
                "route": path,
                "status": status,
                "ms": round(seconds * 1000, 1),
            },
        )


def _ignore_ranges(scope: Scope) -> None:
    """Answer who asks for several ranges of a file with all of it, as a server may. Each range is read by itself, so
    that thousands of them would keep all threads busy."""
    headers = scope["headers"]
    if any(name == b"range" and b"," in value for name, value in headers):
        scope["headers"] = [(name, value) for name, value in headers if name != b"range"]


async def _in_pieces(message: Message, send: Send) -> None:
    """Send a long answer in pieces, and let others have their turn after each: megabytes written at once to dozens of
    connections would keep everybody waiting, and wait in memory for those who do not read them."""
    body, last = message["body"], not message.get("more_body", False)
    for start in range(0, len(body), _PIECE):
        more = start + _PIECE < len(body) or not last
        await send({**message, "body": body[start : start + _PIECE], "more_body": more})
        await asyncio.sleep(0)


def _route(scope: Scope) -> str:
    """The pattern of a request's route: it names no game."""
    return getattr(scope.get("route"), "path", None) or "other"


_MOST_QUOTES = 2000
_MOST_STRUCTURE = 8 * 1024
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""A string, or what would be one if it ended. Nothing of it is tried twice: else a text of many quotes without an end
would take minutes."""


def check_parts(body: bytes) -> None:
    """Refuses JSON of very many parts before it is read: only strings may be long here. Reading 100,000 keys would keep
    everybody waiting."""
    if (
        body.count(b'"') > _MOST_QUOTES
        or len(_STRING.sub(b"", body).translate(None, b" \t\r\n")) > _MOST_STRUCTURE
    ):
        raise TooLong("too-many-parts")


async def _body(receive: Receive, most: int) -> bytes:
    """The whole body, bounded."""
    parts: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > most:
            raise TooLong("body-too-long", bytes=most)
        if not message.get("more_body", False):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body in one piece."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _answer(refused: Refused, send: Send) -> None:
    status = status_of(refused)
    body = json.dumps(answer_of(refused)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
