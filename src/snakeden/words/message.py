"""A message: what is to be said, as a key and its arguments. Plain data; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Player:
    """Whoever has this seat. Who words the message knows the name."""

    seat: int

    def __str__(self) -> str:
        """What to call a player of unknown name, in English."""
        from snakeden.words.catalogue import word

        return word(self)


class Message:
    """A key of the catalogue and what fills the gaps of its template.

    >>> from snakeden.words import Message, word
    >>> message = Message("snekagon.occupied", move="c3-d4", cell="d4")
    >>> str(message)
    'c3-d4: there is a tile on d4 already'
    >>> word(message, "de")
    'c3-d4: auf d4 liegt schon ein Teil'
    """

    __slots__ = ("_args", "key")

    key: str
    _args: tuple[tuple[str, Value], ...]

    def __init__(self, key: str, /, **args: Value) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "_args", tuple(args.items()))

    @property
    def args(self) -> dict[str, Value]:
        return dict(self._args)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a message never changes")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self.key == other.key and self.args == other.args

    def __hash__(self) -> int:
        return hash((self.key, frozenset(self._args)))

    def __repr__(self) -> str:
        return f"Message({', '.join([repr(self.key), *(f'{k}={v!r}' for k, v in self._args)])})"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return from_data, (to_data(self),)

    def __str__(self) -> str:
        """The message in English."""
        # The catalogue knows messages, so it cannot be imported before them.
        from snakeden.words.catalogue import word

        return word(self)


Value = str | int | float | Message | Player | tuple["Value", ...]
"""What a gap can be filled with. A text stays as it is in every language: a move, a name somebody chose."""
Text = str | Message | Player
"""Something to show: a message, a player's name, or a text that is the same in every language."""


def to_data(value: Any) -> Any:
    """A message, or anything that stands in one, as what JSON can hold: {"key": "snekagon.occupied", "move": "f6"},
    a player as {"player": 0}."""
    if isinstance(value, Message):
        return {"key": value.key, **{name: to_data(held) for name, held in value.args.items()}}
    if isinstance(value, Player):
        return {"player": value.seat}
    return [to_data(part) for part in value] if isinstance(value, tuple) else value


def from_data(data: Any) -> Any:
    """What `to_data` wrote."""
    if isinstance(data, dict):
        if "key" not in data:
            return Player(data["player"])
        return Message(data["key"], **{name: from_data(held) for name, held in data.items() if name != "key"})
    return tuple(from_data(part) for part in data) if isinstance(data, list) else data
