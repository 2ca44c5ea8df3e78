"""Figures for Prometheus."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_LAGS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_LOOKED_S = 0.02
"""How often the loop is looked at."""
_WRITTEN_S = 1.0


class Metrics:
    """The figures of one application; a registry of its own, so that several can live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "snakeden_requests",
            "HTTP requests answered",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "snakeden_request_seconds", "How long an HTTP request took", ["route"], registry=self.registry
        )
        self.messages = Counter("snakeden_messages", "WebSocket messages received", registry=self.registry)
        self.loop_lag = Histogram(
            "snakeden_loop_lag_seconds",
            "How much later than it should the event loop came to a task",
            buckets=_LAGS,
            registry=self.registry,
        )
        self._text: tuple[float, bytes] | None = None

    def show(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """A figure that is read when it is asked for."""
        Gauge(name, help_text, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """All of them; written anew after a second, however many ask."""
        now = time.monotonic()
        if self._text is None or now - self._text[0] > _WRITTEN_S:
            self._text = (now, generate_latest(self.registry))
        return self._text[1]

    async def watch_loop(self) -> None:
        """Notice how late the loop is, for ever."""
        while True:
            due = time.perf_counter() + _LOOKED_S
            await asyncio.sleep(_LOOKED_S)
            self.loop_lag.observe(max(0.0, time.perf_counter() - due))
