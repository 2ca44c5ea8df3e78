"""Rule options as data: forms, command lines, records and checks are all made from it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from snakeden.core.errors import BadOption, MessageError
from snakeden.words import Message, Text

Kind = Literal["bool", "int", "choice", "list", "text"]


@dataclass(frozen=True)
class Square:
    """What a square of a drawn map can hold."""

    text: str
    """Its character."""
    label: Text
    mark: str = ""
    """The symbol that shows it, and the role that the symbol has; empty for nothing."""
    role: str = ""


@dataclass(frozen=True)
class MapEditor:
    """How a map is drawn instead of written. Its text has a line for each of the `numbers`, as in `blockades 6`, and
    then a line for each row, with a character for each square."""

    squares: tuple[Square, ...]
    numbers: tuple[tuple[str, Text], ...]
    """The word of each number and what a form calls it."""
    text: Callable[[str], str]
    """One of the choices as such a text, to begin with."""


@dataclass(frozen=True)
class Option:
    """One option of a game.

    | kind     | value            | allowed                                                       |
    | -------- | ---------------- | ------------------------------------------------------------- |
    | `bool`   | True or False    |                                                               |
    | `int`    | a whole number   | `low` to `high`                                               |
    | `choice` | a text           | one of `choices`                                              |
    | `list`   | a tuple of texts | each one of `choices`, none twice; None where nothing is said |
    | `text`   | a text           | one of `choices`, or whatever `pattern` (a regular expression) matches |
    """

    name: str
    kind: Kind
    default: Any
    help: Text
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    pattern: str | None = None
    pattern_help: Text = ""
    canonical: Callable[[str], str] | None = field(default=None, repr=False)
    """Of a `text`: the form in which a text that matches `pattern` is kept; raises MessageError with the reason
    why it means nothing."""
    from_file: Callable[[str], str] | None = field(default=None, repr=False)
    """Of a `text`: the value that the file at this path stands for; raises MessageError or OSError. Only
    `opened` calls it: `check` and `read` open no files, so they are for texts that come from a stranger."""
    editor: MapEditor | None = field(default=None, repr=False)
    """Of a `text` that is a map: how it is drawn."""

    @property
    def label(self) -> Message:
        """What a form calls it."""
        return Message(f"option.name.{self.name}")

    def allowed(self) -> Message:
        """The allowed values."""
        if self.kind == "bool":
            return Message("option.allowed.bool")
        if self.kind == "int":
            assert self.low is not None
            assert self.high is not None
            return Message("option.allowed.int", low=self.low, high=self.high)
        names = ", ".join(repr(choice) for choice in self.choices)
        if self.kind == "list":
            return Message("option.allowed.list", names=names)
        if self.kind == "text" and self.pattern_help:
            return Message("option.allowed.text", names=names, help=self.pattern_help)
        return Message("option.allowed.choice", names=names)

    def values(self) -> tuple[Any, ...]:
        """The values that can be listed: not those of a `list`, nor what a `text` can be besides its choices."""
        if self.kind == "bool":
            return False, True
        if self.kind == "int":
            assert self.low is not None
            assert self.high is not None
            return tuple(range(self.low, self.high + 1))
        return self.choices if self.kind in ("choice", "text") else ()

    def check(self, value: Any) -> Any:
        """The value in its canonical form, or BadOption."""
        if value is None and self.default is None:
            return None
        if self.kind == "bool" and isinstance(value, bool):
            return value
        if self.kind == "int" and isinstance(value, int) and not isinstance(value, bool):
            assert self.low is not None
            assert self.high is not None
            if self.low <= value <= self.high:
                return value
        if self.kind in ("choice", "text") and isinstance(value, str):
            if value in self.choices:
                return value
            if self._matches(value):
                return self._kept(value)
        if self.kind == "list" and isinstance(value, list | tuple):
            names = tuple(value)
            if len(set(map(str, names))) == len(names) and all(name in self.choices for name in names):
                return names
        raise self.refusal(value)

    def _matches(self, text: str) -> bool:
        return self.pattern is not None and re.fullmatch(self.pattern, text) is not None

    def _kept(self, text: str) -> str:
        if self.canonical is None:
            return text
        try:
            return self.canonical(text)
        except MessageError as error:
            raise self.refusal(text, error.message) from None

    def opened(self, value: Any) -> Any:
        """The value; or, where it can only be a path and the option takes files, what the file says."""
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if (
            self.from_file is None
            or not isinstance(value, str)
            or value in self.choices
            or self._matches(value)
        ):
            return value
        try:
            return self.from_file(value)
        except OSError as error:
            names, why = ", ".join(self.choices), error.strerror or str(error)
            raise self.refusal(value, Message("option.no_file", names=names, why=why)) from None
        except MessageError as error:
            raise self.refusal(value, error.message) from None

    def refusal(self, value: Any, reason: Text | None = None) -> BadOption:
        """The error for a value of this option; `reason` replaces the list of what is allowed."""
        why = reason or Message("option.allowed_is", what=self.allowed())
        return BadOption(
            Message("option.refused", name=self.name, label=self.label, value=repr(value), reason=why)
        )

    def read(self, text: str) -> Any:
        """The value that a command line, a form or a record means by this text."""
        value: Any = text
        if self.kind == "bool" and text.lower() in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            value = text.lower() in ("true", "yes", "on", "1")
        elif self.kind == "int" and re.fullmatch(r"[+-]?\d{1,9}", text):
            value = int(text)
        elif self.kind == "list":
            value = tuple(part for part in text.split(",") if part)
        return self.check(value)

    def write(self, value: Any) -> str:
        """The text that `read` turns back into this value."""
        if self.kind == "bool":
            return "true" if value else "false"
        if self.kind == "list":
            return ",".join(value)
        return str(value)


def checked(game: str, options: tuple[Option, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values, each checked by itself, in the order of the game's options."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise BadOption(Message("option.unknown", game=game, name=repr(name), options=", ".join(known)))
    return {name: known[name].check(given[name]) for name in known if name in given}
