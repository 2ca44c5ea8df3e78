"""How much one client may ask for."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

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

    def take(self, client: str, what: str, count: int = 1) -> None:
        """Use so many up, or be refused."""
        now = self._clock()
        left, then = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        if left < count:
            self._left[client] = (left, now)
            raise TooOften(
                "too-many", what=Message(f"server.what.{what}"), seconds=round((count - left) / self._rate)
            )
        self._left[client] = (left - count, now)
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


class OpenGames:
    """The games that each client has put into the lobby, or joined from there, as far as this process knows; and those
    being made or joined. `refusal` makes the answer to a client that has as many as it may have."""

    def __init__(self, most: int, remembered: int, refusal: Callable[[int], TooOften]) -> None:
        self.most = most
        self._refusal = refusal
        self._remembered = remembered
        self._games: OrderedDict[str, list[str]] = OrderedDict()
        self._coming: Counter[str] = Counter()

    def of(self, client: str) -> list[str]:
        return self._games.get(client, [])

    def full(self, client: str) -> bool:
        return len(self.of(client)) + self._coming[client] >= self.most

    def add(self, client: str, game_id: str) -> None:
        self.keep(client, [*self.of(client), game_id])

    def keep(self, client: str, counted: list[str]) -> None:
        """These still count; others need not be asked about again."""
        self._games.pop(client, None)
        if counted:
            self._games[client] = counted
        while len(self._games) > self._remembered:
            self._games.popitem(last=False)

    @contextmanager
    def one_more(self, client: str) -> Iterator[None]:
        """One more is being made or joined; several at once must not pass each other unseen."""
        if self.full(client):
            raise self._refusal(self.most)
        self._coming[client] += 1
        try:
            yield
        finally:
            self._coming[client] -= 1
            if not self._coming[client]:
                del self._coming[client]


class AtOnce:
    """How many requests of each client are being answered."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: Counter[str] = Counter()

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        if self._running[client] >= self._most:
            raise TooOften("too-much-waiting")
        self._running[client] += 1
        try:
            yield
        finally:
            self._running[client] -= 1
            if not self._running[client]:
                del self._running[client]


Networks = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]


def forwarded_for(lines: Sequence[str], peer: str, proxies: Networks) -> str:
    """The address of a request that came through proxies: the last one listed that is no known proxy. Each proxy adds
    whom it heard from at the end, on the same line or on one more; what stands before that anybody may have written."""
    listed = [_bare(part) for line in lines for part in line.split(",") if part.strip()]
    if proxies and not _known(peer, proxies):
        return peer  # it did not come through a proxy of ours
    for address in reversed(listed):
        if not _known(address, proxies):
            return address
    return listed[0] if listed else peer


def _bare(address: str) -> str:
    """An address without a port."""
    address = address.strip().strip('"')
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def _known(address: str, proxies: Networks) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in proxies)


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
