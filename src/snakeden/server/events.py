"""What can happen in a game: typed events, each of which says how the game stands after it.

An event is kept as an `Entry`: a row of the database and a message to those who watch.

| event            | kind          | seat         | data                                                        |
| ---------------- | ------------- | ------------ | ----------------------------------------------------------- |
| `Joined`         | `join`        | who sat down | their name                                                  |
| `Given`          | `given`       | whose it was | a ply taken over from a record; of dice if there is no seat |
| `Moved`          | `move`        | who played   | the move's notation                                         |
| `Rolled`         | `roll`        | none         | the outcome's notation                                      |
| `Resigned`       | `resign`      | who gave up  |                                                             |
| `UndoAsked`      | `ask-undo`    | who asks     | how many plies would remain                                 |
| `UndoAllowed`    | `allow-undo`  | who agrees   |                                                             |
| `UndoRefused`    | `refuse-undo` | who does not |                                                             |
| `Undone`         | `undo`        | who asked    | how many plies remain                                       |
| `RematchOffered` | `rematch`     | who wants it | the id of the next game                                     |

A new kind of event is a new class here, or in a module of its own that calls `register`; `Match` need not know it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, TypeVar

from snakeden.core.outcome import Withdrawal
from snakeden.server.line import Line, Ply
from snakeden.server.seats import Seat


class Entry(NamedTuple):
    """An event as it is kept and sent."""

    number: int
    kind: str
    seat: int | None
    data: str
    at: float


@dataclass(frozen=True)
class Ask:
    """A wish to take plies back that others have still to answer."""

    seat: int
    remain: int
    missing: frozenset[int]


@dataclass(frozen=True)
class Standing:
    """How a game stands: what events change."""

    seats: tuple[Seat, ...]
    line: Line
    withdrawn: tuple[Withdrawal, ...] = ()
    """Who left, in the order in which they left."""
    agreed: bool = False
    """Whether those who are left have agreed to share the victory."""
    ask: Ask | None = None
    rematch: str | None = None

    @property
    def gone(self) -> frozenset[int]:
        """The seats that left."""
        return frozenset(seat for seat, _ in self.withdrawn)

    def people_besides(self, seats: frozenset[int]) -> frozenset[int]:
        """The seats of people still playing that are not among these."""
        people = frozenset(n for n, seat in enumerate(self.seats) if seat.kind != "engine")
        return people - self.gone - seats


class Event(ABC):
    """Something that happened; a value."""

    kind: ClassVar[str]
    goes_on: ClassVar[bool] = False
    """Whether a move thought out before it may mean something else after it. Open questions lapse."""
    seat: int | None

    @property
    def data(self) -> str:
        """What there is to say beyond kind and seat."""
        return ""

    @classmethod
    @abstractmethod
    def read(cls, seat: int | None, data: str) -> Event:
        """The event of which an entry says this; raises ValueError."""

    @abstractmethod
    def apply(self, before: Standing) -> Standing:
        """How the game stands after it."""


_E = TypeVar("_E", bound=type[Event])
_KINDS: dict[str, type[Event]] = {}


def register(event: _E) -> _E:
    """Have entries of this kind read as this class of event."""
    if event.kind in _KINDS:
        raise ValueError(f"there is an event of kind {event.kind} already")
    _KINDS[event.kind] = event
    return event


def read_event(entry: Entry) -> Event:
    """The event that an entry keeps; raises ValueError for one that this version does not know."""
    known = _KINDS.get(entry.kind)
    if known is None:
        raise ValueError(f"entry {entry.number} is of an unknown kind {entry.kind!r}")
    return known.read(entry.seat, entry.data)


def goes_on(entry: Entry) -> bool:
    """Whether a move thought out before this entry may mean something else after it."""
    return entry.kind in _KINDS and _KINDS[entry.kind].goes_on


def _seat(seat: int | None) -> int:
    if seat is None:
        raise ValueError("this kind of entry has a seat")
    return seat


@register
@dataclass(frozen=True)
class Joined(Event):
    kind = "join"
    seat: int
    name: str

    @property
    def data(self) -> str:
        return self.name

    @classmethod
    def read(cls, seat: int | None, data: str) -> Joined:
        return cls(_seat(seat), data)

    def apply(self, before: Standing) -> Standing:
        sitting = replace(before.seats[self.seat], name=self.name)
        return replace(before, seats=replaced(before.seats, self.seat, sitting))


@dataclass(frozen=True)
class _Played(Event):
    """A ply more."""

    goes_on = True
    seat: int | None
    text: str

    @property
    def data(self) -> str:
        return self.text

    @classmethod
    def read(cls, seat: int | None, data: str) -> Event:
        return cls(seat, data)

    def apply(self, before: Standing) -> Standing:
        return replace(before, line=before.line.then(Ply(self.seat, self.text)), ask=None)


@register
class Given(_Played):
    kind = "given"


@register
class Moved(_Played):
    kind = "move"


@register
class Rolled(_Played):
    kind = "roll"


@register
@dataclass(frozen=True)
class Resigned(Event):
    kind = "resign"
    goes_on = True
    seat: int

    @classmethod
    def read(cls, seat: int | None, data: str) -> Resigned:
        return cls(_seat(seat))

    def apply(self, before: Standing) -> Standing:
        left = (*before.withdrawn, Withdrawal(self.seat, "resignation"))
        return replace(before, withdrawn=left, ask=None)


@register
@dataclass(frozen=True)
class UndoAsked(Event):
    kind = "ask-undo"
    seat: int
    remain: int

    @property
    def data(self) -> str:
        return str(self.remain)

    @classmethod
    def read(cls, seat: int | None, data: str) -> UndoAsked:
        return cls(_seat(seat), int(data))

    def apply(self, before: Standing) -> Standing:
        missing = before.people_besides(frozenset({self.seat}))
        return replace(before, ask=Ask(self.seat, self.remain, missing))


@register
@dataclass(frozen=True)
class UndoAllowed(Event):
    kind = "allow-undo"
    seat: int

    @classmethod
    def read(cls, seat: int | None, data: str) -> UndoAllowed:
        return cls(_seat(seat))

    def apply(self, before: Standing) -> Standing:
        if before.ask is None:
            return before
        return replace(before, ask=replace(before.ask, missing=before.ask.missing - {self.seat}))


@register
@dataclass(frozen=True)
class UndoRefused(Event):
    kind = "refuse-undo"
    seat: int

    @classmethod
    def read(cls, seat: int | None, data: str) -> UndoRefused:
        return cls(_seat(seat))

    def apply(self, before: Standing) -> Standing:
        return replace(before, ask=None)


@register
@dataclass(frozen=True)
class Undone(Event):
    kind = "undo"
    goes_on = True
    seat: int
    remain: int

    @property
    def data(self) -> str:
        return str(self.remain)

    @classmethod
    def read(cls, seat: int | None, data: str) -> Undone:
        return cls(_seat(seat), int(data))

    def apply(self, before: Standing) -> Standing:
        return replace(before, line=before.line.back_to(self.remain), ask=None)


@register
@dataclass(frozen=True)
class RematchOffered(Event):
    kind = "rematch"
    seat: int
    game: str

    @property
    def data(self) -> str:
        return self.game

    @classmethod
    def read(cls, seat: int | None, data: str) -> RematchOffered:
        return cls(_seat(seat), data)

    def apply(self, before: Standing) -> Standing:
        return replace(before, rematch=self.game)


def replaced(seats: tuple[Seat, ...], number: int, seat: Seat) -> tuple[Seat, ...]:
    """The seats with one of them changed."""
    return (*seats[:number], seat, *seats[number + 1 :])


_PLIES = frozenset({Given.kind, Moved.kind, Rolled.kind})


def line_of(entries: Iterable[Entry]) -> list[Ply]:
    """The plies that stand after these entries, without a rule being asked."""
    plies: list[Ply] = []
    for entry in entries:
        if entry.kind in _PLIES:
            plies.append(Ply(entry.seat, entry.data))
        elif entry.kind == Undone.kind:
            del plies[int(entry.data) :]
    return plies


def withdrawn_of(entries: Iterable[Entry]) -> tuple[Withdrawal, ...]:
    """The seats that left, in order."""
    return tuple(
        Withdrawal(entry.seat, "resignation")
        for entry in entries
        if entry.kind == Resigned.kind and entry.seat is not None
    )
