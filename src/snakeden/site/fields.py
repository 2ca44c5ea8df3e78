"""What a request to the site says, read with care."""

from __future__ import annotations

import json
import re
from typing import Any


class Unreadable(Exception):
    """A field is missing or is not what it must be."""


class Fields:
    """What a request says, read with care: what is no JSON object says nothing."""

    def __init__(self, text: str) -> None:
        try:
            found = json.loads(text or "{}")
        except (ValueError, RecursionError):
            found = {}
        self._given: dict[str, Any] = found if isinstance(found, dict) else {}

    def get(self, name: str, kind: type, *, default: Any = ...) -> Any:
        value = self._given.get(name, default)
        if value is default and value is not ...:
            return value
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise Unreadable(f"{name}: must be of type {kind.__name__}")
        return value

    def texts(self, name: str) -> list[str]:
        """A list of texts; empty if it is not there."""
        found = self.get(name, list, default=[])
        if not all(isinstance(one, str) for one in found):
            raise Unreadable(f"{name}: must be a list of texts")
        return list(found)

    def number(self, name: str, default: Any = ...) -> int:
        """A whole number of a query, from 0 on."""
        text = self._given.get(name, default)
        if not isinstance(text, int) and not (isinstance(text, str) and re.fullmatch(r"\d{1,9}", text)):
            raise Unreadable(f"{name}: must be a whole number")
        return int(text)
