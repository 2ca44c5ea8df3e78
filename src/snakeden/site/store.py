"""Games kept in the browser: what the server's store is to a database, this is to IndexedDB.

Several pages of one browser share what is kept there. An entry's number is taken by whoever writes it first; who comes
later gets a `Conflict`, as with a database that several servers share. `web/js/kept.js` has the other half.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Protocol

from snakeden.core.registry import game as find_game
from snakeden.server.events import Entry
from snakeden.server.seats import Seat
from snakeden.server.stored import Conflict, NewGame, StoredGame


class Kept(Protocol):
    """The browser's games, in JavaScript."""

    async def read(self, game_id: str) -> str | None: ...
    async def write(self, changes: str) -> bool: ...


class BrowserStore:
    """What `snakeden.server.live` asks of a store."""

    shared = True
    hearing = 1
    """Other pages of this browser are always heard."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._changed: asyncio.Queue[str] = asyncio.Queue()

    async def create(self, new: NewGame) -> None:
        await self._write(_creation(new))

    async def take_in(self, games: Sequence[NewGame]) -> None:
        """Keep games that were played elsewhere."""
        if games:
            await self._write(*map(_creation, games))

    async def append(
        self, game_id: str, entries: Sequence[Entry], status: str, *, successor: NewGame | None = None
    ) -> None:
        """Keep what happened; raises Conflict if another page has written one of the entries' numbers."""
        change = {"id": game_id, "from": entries[0].number, "entries": _rows(entries), "status": status}
        await self._write(change, *([] if successor is None else [_creation(successor)]))

    async def _write(self, *changes: Mapping[str, Any]) -> None:
        if not await self._kept.write(json.dumps(changes)):
            raise Conflict

    async def load(self, game_id: str) -> tuple[StoredGame, list[Entry]] | None:
        text = await self._kept.read(game_id)
        return read_game(json.loads(text)) if text is not None else None

    async def news(self, game_id: str, start: int) -> tuple[tuple[Seat, ...], list[Entry]]:
        """The seats, and the entries from this number on."""
        found = await self.load(game_id)
        return (found[0].seats, found[1][start:]) if found is not None else ((), [])

    def changed(self, game_id: str) -> None:
        """Another page has written to this game."""
        self._changed.put_nowait(game_id)

    async def changes(self) -> AsyncIterator[str]:
        """The games that other pages write to."""
        while True:
            yield await self._changed.get()


def _rows(entries: Sequence[Entry]) -> list[list[Any]]:
    return [[entry.kind, entry.seat, entry.data, entry.at] for entry in entries]


def _creation(new: NewGame) -> dict[str, Any]:
    """A new game as it is kept: what lists show of it, and what it is made of again."""
    game = new.game
    return {
        "id": game.id,
        "from": 0,
        "entries": _rows(new.entries),
        "status": game.status,
        "game": {
            "id": game.id,
            "game": game.game,
            "name": find_game(game.game).name,
            "options": dict(game.options),
            "rules_version": game.rules_version,
            "created": game.created,
            "hints": game.hints,
            "seed": game.seed.hex(),
            "status": game.status,
            "rematch_of": game.rematch_of,
            "you": sorted(new.clients),
            "seats": [
                {
                    "kind": seat.kind,
                    "name": seat.name,
                    "agent": seat.agent or None,
                    "taken": seat.taken,
                    "secret": seat.secret.hex() if seat.secret is not None else None,
                }
                for seat in game.seats
            ],
        },
    }


def read_game(kept: Mapping[str, Any]) -> tuple[StoredGame, list[Entry]]:
    """A game that was kept, with its entries; raises ValueError, KeyError or TypeError if it is none."""
    stored = StoredGame(
        id=kept["id"],
        game=find_game(kept["game"]).id,
        options=dict(kept["options"]),
        rules_version=kept["rules_version"],
        created=kept["created"],
        hints=kept["hints"],
        seed=bytes.fromhex(kept["seed"]),
        status=kept["status"],
        listed=False,
        seats=tuple(
            Seat(
                seat["kind"],
                seat["name"],
                seat["agent"] or "",
                bytes.fromhex(seat["secret"]) if seat["secret"] is not None else None,
            )
            for seat in kept["seats"]
        ),
        rematch_of=kept["rematch_of"],
    )
    return stored, [Entry(number, *row) for number, row in enumerate(kept["entries"])]
