"""What is not done, and why. A refusal carries a message, which is worded in the language of whoever asked.

The classes say what kind of refusal it is. They know nothing of HTTP: `answers.py` gives each its status.
"""

from __future__ import annotations

from typing import Any

from snakeden.words import Message

LONGEST = 300
"""Characters of a sentence: what somebody sent is never repeated at length."""


class Refused(Exception):
    """What was asked is not done. The key is that of a message of the server."""

    def __init__(self, key: str, **arguments: Any) -> None:
        super().__init__(key)
        self.key = key
        self.message = _short(Message(f"server.{key}", **arguments))

    @property
    def reason(self) -> str:
        """The message in English."""
        return str(self.message)

    def __str__(self) -> str:
        return self.reason


class NotNow(Refused):
    """The game, or something else, does not stand so that it could be done."""


class NotAllowed(Refused):
    """Whoever asks may not do it."""


class NobodyKnown(Refused):
    """Only a player may do it, and whoever asks has shown no key."""


class NotFound(Refused):
    """What it is about is not there."""


class NotPossible(Refused):
    """It cannot be understood, or breaks a rule."""


class TooLong(Refused):
    """It has more bytes or parts than it may have."""


class NotJson(Refused):
    """It is not of the type that is read here."""


class WrongName(Refused):
    """The server was called by a name it does not answer to."""


class TooOften(Refused):
    """One client asks for more than its share."""


class TooSlow(Refused):
    """It did not come in time."""


class Failed(Refused):
    """A mistake of the server's own."""


class TooBusy(Refused):
    """The server cannot do it now; later it may."""


def _short(value: Any) -> Any:
    if isinstance(value, Message):
        return Message(value.key, **{name: _short(held) for name, held in value.args.items()})
    if isinstance(value, str) and len(value) > LONGEST:
        return value[: LONGEST - 1] + "…"
    return value
