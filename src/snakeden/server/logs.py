"""Logs: a line of JSON each. Nothing secret is ever handed to them: keys and codes travel in cookies, headers and
bodies, and of a request only its method, its route's pattern and its outcome are logged."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from collections import Counter
from datetime import UTC, datetime

from snakeden.server.errors import TooOften
from snakeden.server.limits import Allowance

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}

_WARNINGS_PER_SECOND, _WARNINGS_BURST = 1.0, 20
"""Of one kind."""


def masked(game_id: str) -> str:
    """A game in a log: the same game is distinguished from others, but who reads the log cannot look at it."""
    return hashlib.sha256(game_id.encode()).hexdigest()[:12]


class _Nameless(logging.Filter):
    """Leaves out uvicorn's lines about WebSockets: they have a game's id, which lets anybody watch it."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "WebSocket" not in str(record.msg)


class _Few(logging.Filter):
    """Leaves out warnings that come again and again: a client that sends what is no HTTP could fill the disk with them.
    The next one says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._allowed = Allowance(_WARNINGS_PER_SECOND, _WARNINGS_BURST, 1000)
        self._left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = f"{record.name} {record.msg}"[:200]
        try:
            self._allowed.take(kind, "messages")
        except TooOften:
            if len(self._left_out) < 1000 or kind in self._left_out:
                self._left_out[kind] += 1
            return False
        if kind in self._left_out:
            record.left_out = self._left_out.pop(kind)
        return True


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "from": record.name, "what": record.getMessage()}
        line |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def set_up(level: str) -> None:
    """Everything to the error stream from `level` on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_Nameless())
    handler.addFilter(_Few())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
