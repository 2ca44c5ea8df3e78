"""The seats of a game, and who may act for them.

A player has one key: 32 random bytes that a browser is given as an HttpOnly cookie and a program draws for itself
and shows as a bearer token. Each seat has a secret of its own, derived from the key of whoever sits there, the game
and the seat; only its hash is stored. So one cookie serves any number of games, no secret is in reach of a script,
and a seat's secret is worth nothing in another game.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

COOKIE = "snakeden"
KEY_PATTERN = r"[A-Za-z0-9_-]{43}"
_KEY = re.compile(KEY_PATTERN)


@dataclass(frozen=True)
class Seat:
    """A place at the table."""

    kind: str
    """me, here, link, open or engine"""
    name: str
    agent: str = ""
    secret: bytes | None = field(default=None, repr=False)
    invite: bytes | None = field(default=None, repr=False)

    @property
    def taken(self) -> bool:
        return self.kind == "engine" or self.secret is not None


def new_id() -> str:
    """The id of a game: 120 random bits, so that only who was given it can look at it."""
    return secrets.token_urlsafe(15)


def new_key() -> str:
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """What stands in a join link."""
    return secrets.token_urlsafe(18)


def hashed(secret: str) -> bytes:
    """Secrets are long and random, so a plain hash cannot be searched through."""
    return hashlib.sha256(secret.encode()).digest()


@lru_cache(maxsize=8192)  # asked for with every message
def _seat_secret(key: str, game_id: str, seat: int) -> bytes:
    digest = hmac.new(key.encode(), f"{game_id} {seat}".encode(), hashlib.sha256).digest()
    return hashed(base64.urlsafe_b64encode(digest).decode())


@dataclass(frozen=True)
class Credentials:
    """Whom a request shows itself to be, if anybody."""

    key: str | None = None

    def secret(self, game_id: str, seat: int) -> bytes:
        """The hash of the secret that this player has, or would have, on a seat."""
        assert self.key is not None
        return _seat_secret(self.key, game_id, seat)

    def held(self, game_id: str, seats: Sequence[Seat]) -> frozenset[int]:
        """The seats on which this player sits."""
        if self.key is None:
            return frozenset()
        return frozenset(
            number
            for number, seat in enumerate(seats)
            if seat.secret is not None and hmac.compare_digest(seat.secret, self.secret(game_id, number))
        )

    @property
    def client(self) -> bytes | None:
        """Under which a player's games are found again."""
        return hashed("games of " + self.key) if self.key is not None else None


def named_cookie(name: str, header: str) -> str | None:
    """The key in a cookie of this name, if there is one. Cookies of other names are passed over unread: there may be
    thousands of them."""
    found = re.search(rf"(?:^|;) *{re.escape(name)}=({KEY_PATTERN}) *(?:;|$)", header)
    return found[1] if found is not None else None


def read_credentials(cookie: str | None, authorization: str | None) -> Credentials:
    """From a request's cookie or Authorization header; what does not look like a key counts as not there."""
    shown = cookie
    if authorization is not None:
        scheme, _, value = authorization.partition(" ")
        shown = value.strip() if scheme.lower() == "bearer" else None
    return Credentials(shown if shown is not None and _KEY.fullmatch(shown) else None)
