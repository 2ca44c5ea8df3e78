"""The errors of Snakeden. Each is a ValueError whose text is meant for the person who caused it."""

from __future__ import annotations

from snakeden.words import Message, Text


class MessageError(ValueError):
    """An error that carries a message, to be worded in the language of whoever caused it; its text is English."""

    def __init__(self, message: Text) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


class BadOption(MessageError):
    """An option (or a game id) that does not exist, or a value that is not allowed."""


class IllegalMove(MessageError):
    """A move that breaks a rule in this position; the message says which."""


class UnreadableMove(IllegalMove):
    """A text that names no move of this game in any position."""


class BadText(MessageError):
    """A state's text form that cannot be restored."""


class BadRecord(MessageError):
    """A record that cannot be read or replayed; the message starts with the line."""

    def __init__(self, line: int, reason: Text) -> None:
        super().__init__(Message("record.line", line=line, reason=reason))
        self.line = line
        self.reason = reason

    def __reduce__(self) -> tuple[type[BadRecord], tuple[int, Text]]:
        return BadRecord, (self.line, self.reason)
