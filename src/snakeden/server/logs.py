"""Logs: a line of JSON each. Nothing secret is ever handed to them: keys and codes travel in cookies, headers and
bodies, and of a request only its method, its route's pattern and its outcome are logged."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from datetime import UTC, datetime

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


def masked(game_id: str) -> str:
    """A game in a log: the same game is distinguished from others, but who reads the log cannot look at it."""
    return hashlib.sha256(game_id.encode()).hexdigest()[:12]


class _Nameless(logging.Filter):
    """Leaves out uvicorn's lines about WebSockets: they have a game's id, which lets anybody watch it."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "WebSocket" not in str(record.msg)


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
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
