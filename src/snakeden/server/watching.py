"""Connections that are sent what happens."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from snakeden.server.match import Match
from snakeden.server.seats import Credentials

if TYPE_CHECKING:
    from snakeden.server.page_engines import PageEngine

_MOST_MESSAGES = 256
_MOST_BYTES = 512 * 1024
"""What may wait for one slow watcher before the connection is given up; the newest picture comes on top of it."""
_ROOM = 32
"""Nothing more is read from a watcher who has left this many messages unread."""


class Watcher:
    """One connection. Messages wait in order; of pictures only the newest waits."""

    def __init__(self, credentials: Credentials, pictures: bool) -> None:
        self.credentials = credentials
        self.pictures = pictures
        self.engine: PageEngine | None = None
        """The engine of its page, once it has said that it has one."""
        self._messages: deque[str] = deque()
        self._bytes = 0
        self._picture: str | None = None
        self._lost = False
        self._changed = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()

    def held(self, match: Match) -> frozenset[int]:
        """The seats of whoever watches, as they are now."""
        return self.credentials.held(match.id, match.seats)

    def send(self, message: str) -> None:
        """Queue a message. If too much is waiting it is lost, and after what waits comes the end."""
        if self._lost:
            return
        if len(self._messages) >= _MOST_MESSAGES or self._bytes + len(message) > _MOST_BYTES:
            self._lost = True
        else:
            self._messages.append(message)
            self._bytes += len(message)
            if len(self._messages) >= _ROOM:
                self._has_room.clear()
        self._changed.set()

    def begin(self, message: str) -> None:
        """Queue what happened before, ahead of what has happened meanwhile."""
        self._messages.appendleft(message)
        self._bytes += len(message)
        self._changed.set()

    def show(self, picture: str) -> None:
        """Send this picture, instead of an older one that has not been sent yet."""
        self._picture = picture
        self._changed.set()

    async def room(self) -> None:
        """Wait until the watcher has read most of what was sent."""
        await self._has_room.wait()

    async def next(self) -> str | None:
        """What to send next; None when some messages were lost and it is over."""
        while not self._messages and self._picture is None and not self._lost:
            self._changed.clear()
            await self._changed.wait()
        if self._messages:
            message = self._messages.popleft()
            self._bytes -= len(message)
            if len(self._messages) < _ROOM:
                self._has_room.set()
            return message
        if self._lost:
            return None
        picture, self._picture = self._picture, None
        return picture
