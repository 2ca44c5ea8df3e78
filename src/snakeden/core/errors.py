"""The errors of the house. Each is a ValueError whose text is meant for the person who caused it."""

from __future__ import annotations


class BadOption(ValueError):
    """An option (or a game id) that does not exist, or a value that is not allowed."""


class IllegalMove(ValueError):
    """A move that breaks a rule in this position; the text says which."""


class UnreadableMove(IllegalMove):
    """A text that names no move of this game in any position."""


class BadText(ValueError):
    """A state's text form that cannot be restored."""


class BadRecord(ValueError):
    """A record that cannot be read or replayed; the text starts with the line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason

    def __reduce__(self) -> tuple[type[BadRecord], tuple[int, str]]:
        return BadRecord, (self.line, self.reason)
