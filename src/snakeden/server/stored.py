"""A game as it is kept, wherever that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snakeden.server.events import Entry
from snakeden.server.seats import Seat


class Conflict(Exception):
    """Somebody else was faster: the entry's number, the seat or the invitation is gone."""


@dataclass(frozen=True)
class StoredGame:
    """A game's row and seats."""

    id: str
    game: str
    options: Mapping[str, Any]
    rules_version: int
    created: float
    hints: bool
    seed: bytes
    status: str
    listed: bool
    seats: tuple[Seat, ...]
    rematch_of: str | None = None


@dataclass(frozen=True)
class NewGame:
    """A game to be kept, with who sits there already."""

    game: StoredGame
    clients: Mapping[int, bytes]
    """Seat -> the player's `Credentials.client`."""
    entries: Sequence[Entry]
