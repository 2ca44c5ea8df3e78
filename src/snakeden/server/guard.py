"""What every request passes before it is looked at: whose name it calls, where it comes from, how long it is, how
often. And what every answer carries."""

from __future__ import annotations

import ipaddress
import json
import logging
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from snakeden.server.answers import answer_of, status_of
from snakeden.server.errors import NotAllowed, NotJson, Refused, TooLong, WrongName
from snakeden.server.limits import Allowance, client_of
from snakeden.server.metrics import Metrics
from snakeden.server.settings import Settings

log = logging.getLogger("snakeden.requests")

CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
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


def host_allowed(host: str, origins: tuple[str, ...]) -> bool:
    """Whether a Host header is one we answer to. A foreign name that was made to point here is none: its page would
    count as ours in the visitor's browser."""
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
        self._requests = Allowance(
            settings.requests_per_second, settings.requests_burst, settings.clients_remembered
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

    def _client(self, scope: Scope, headers: Headers) -> str:
        forwarded = headers.get("x-forwarded-for") if self._settings.behind_proxy else None
        if forwarded is not None:
            return client_of(forwarded.rpartition(",")[2].strip())
        return client_of(scope["client"][0]) if scope.get("client") else "unknown"

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(scope, Headers(scope=scope))
        except Refused as refused:
            # Before it is accepted, closing a WebSocket answers its request with 403.
            log.info("socket refused", extra={"why": refused.reason})
            await send({"type": "websocket.close", "code": 1008, "reason": refused.reason})
            return
        await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        status = 500
        headers = Headers(scope=scope)

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                if scope["path"].startswith("/api"):
                    answer.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._check(scope, headers)
            body_type = headers.get("content-type", "").partition(";")[0].strip().lower()
            if scope["method"] == "POST" and body_type != "application/json":
                raise NotJson("not-json")
            brings_record = scope["path"] in ("/api/games", "/api/options")
            most = self._settings.record_bytes if brings_record else self._settings.body_bytes
            body = await _body(receive, most) if scope["method"] not in _READING else b""
        except Refused as refused:
            await _answer(refused, dressed)
        else:
            await self._app(scope, _replayed(body, receive), dressed)
        route = scope.get("route")
        path = getattr(route, "path", None) or "other"
        seconds = time.perf_counter() - begun
        self._metrics.requests.labels(scope["method"], path, str(status)).inc()
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
