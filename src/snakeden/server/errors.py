"""What is not done, and why. A refusal names its reason by a key and arguments; the sentence is made of them.

The classes say what kind of refusal it is. They know nothing of HTTP: `answers.py` gives each its status.
"""

from __future__ import annotations

from typing import Any

LONGEST = 300
"""Characters of a sentence: what somebody sent is never told back at length."""


class Refused(Exception):
    """What was asked is not done. `reason` is for the person who asked, `key` and `arguments` are for programs."""

    def __init__(self, key: str, **arguments: Any) -> None:
        super().__init__(key)
        self.key = key
        self.arguments = {name: _short(value) for name, value in arguments.items()}

    @property
    def reason(self) -> str:
        return SENTENCES[self.key].format(**self.arguments)

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


class TooBusy(Refused):
    """The server cannot do it now; later it may."""


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST:
        return value[: LONGEST - 1] + "…"
    return value


SENTENCES = {
    # a game
    "waiting-for-players": "the game has not begun: it waits for players",
    "game-over": "the game is over",
    "game-not-over": "the game is not over yet",
    "too-few-entries": "there are only {entries} entries, not {seen}",
    "something-happened": "something happened since entry {seen}: look again",
    "not-your-turn": "it is not your turn: seat {seat} is to move",
    "illegal-move": "{reason}",
    "undo-asked-already": "seat {seat} has already asked to take a move back; answer that first",
    "nothing-to-undo": "this seat has no move to take back",
    "dice-since": "dice were rolled since that move: it stands",
    "undone-too-often": "moves were taken back so often in this game that no more can be",
    "no-undo-asked": "nobody asks to take a move back",
    "others-answer": "the others have to answer this",
    "no-seat": "you have no seat in this game; you can only watch",
    "not-your-seat": "seat {seat} is not yours",
    "no-free-seat": "there is no free seat for anyone in this game",
    "link-used": "this link has been used, or replaced by a newer one",
    "somebody-faster": "somebody else was faster; look again",
    "only-maker-invites": "only who made the game can invite",
    "seat-not-waiting": "seat {seat} is not waiting for somebody with a link",
    "seat-just-taken": "somebody has just taken this seat",
    "no-hints": "this game is played without hints",
    "nobody-to-move": "nobody is to move in this game now",
    "plies-so-far": "the game has {plies} plies so far",
    "no-such-game": "there is no such game",
    "other-rules": "this game is played by rules version {stored}, and this server plays {current}; "
    "its record can still be read",
    # making a game
    "bad-option": "{reason}",
    "wrong-number-of-seats": "this game has {seats} seats, and {given} are given",
    "one-seat-is-yours": "only one seat can be yours; others at the same screen are 'here'",
    "engine-needs-agent": "an engine's seat needs an agent, and no other seat can have one",
    "bad-agent": "{reason}",
    "agent-resources": "agent '{agent}': how many threads and how much memory is the server's to say",
    "record-alone": "a record says itself which game it is: leave game and options out",
    "record-without-game": 'the record cannot be used: it must begin with its game, such as [Game "snekagon"]',
    "bad-record": "the record cannot be used: {reason}",
    # engines
    "engines-busy": "too many engines are thinking; try again in a while",
    "engine-failed": "the engine failed on this position",
    "engine-failed-often": "the engine failed several times on this position",
    "engine-memory": "the engine needs more memory than it may have",
    "engine-refused": "{reason}",
    # requests
    "invalid": "{reason}",
    "no-page": "there is nothing at this address",
    "wrong-name": "this server does not answer to that name; start it with --origin for a name of your own",
    "foreign-page": "a page of another site may not act here",
    "not-json": "send JSON, as content-type application/json",
    "body-too-long": "a request here may have {bytes} bytes",
    "too-many": "too many {what} from your address; wait {seconds} seconds",
    "message-not-text": "a message is text, not bytes",
    "message-not-json": "a message is JSON",
    "message-not-object": "a message is an object",
    "message-type": "a message's type is play, resign, undo, undo-answer or ping",
}
"""Key -> the sentence in English. A sentence that is one gap passes on what another part of the house says."""
