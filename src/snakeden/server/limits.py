"""How much one client may ask for."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable

from snakeden.server.errors import TooOften
from snakeden.words import Message


class Allowance:
    """A bucket for each client that refills steadily. Clients not seen for long are forgotten: they are full."""

    def __init__(
        self, per_second: float, burst: int, remembered: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = per_second
        self._burst = float(burst)
        self._remembered = remembered
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # client -> (left, when)

    def take(self, client: str, what: str) -> None:
        """Use one up, or be refused."""
        now = self._clock()
        left, then = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        if left < 1.0:
            self._left[client] = (left, now)
            raise TooOften(
                "too-many", what=Message(f"server.what.{what}"), seconds=round((1.0 - left) / self._rate)
            )
        self._left[client] = (left - 1.0, now)
        while len(self._left) > self._remembered:
            self._left.popitem(last=False)


class Sockets:
    """How many connections each client holds open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, client: str) -> bool:
        if self._open[client] >= self._most:
            return False
        self._open[client] += 1
        return True

    def leave(self, client: str) -> None:
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]


def client_of(address: str) -> str:
    """Who counts as one client: an IPv4 address, or an IPv6 network of 64 bits, which one household has."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
