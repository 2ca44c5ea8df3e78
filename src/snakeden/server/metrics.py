"""Figures for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


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

    def show(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """A figure that is read when it is asked for."""
        Gauge(name, help_text, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self.registry)
