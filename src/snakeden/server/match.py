"""One game being played, as the list of what happened in it. No storage, no network.

A `Match` is rebuilt by adding its entries in order. What somebody wants to do is first turned into the entries
it would add (`play`, `resign`, `undo`, …: raises `Refused` and changes nothing); they are stored, and only then
added.

| kind          | seat             | data                                                           |
| ------------- | ---------------- | -------------------------------------------------------------- |
| `join`        | who sat down     | their name                                                     |
| `given`       | whose it was     | a ply taken over from a record; of dice if there is no seat    |
| `move`        | who played       | the move's notation                                            |
| `roll`        | none             | the outcome's notation                                         |
| `resign`      | who gave up      |                                                                |
| `ask-undo`    | who asks         | how many plies would remain                                    |
| `allow-undo`  | who agrees       |                                                                |
| `refuse-undo` | who does not     |                                                                |
| `undo`        | who asked        | how many plies remain                                          |
| `rematch`     | who wanted it    | the id of the next game                                        |
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from snakeden.core.errors import IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.outcome import Outcome, Withdrawal
from snakeden.core.state import State
from snakeden.server.dice import Die

PLY_KINDS = frozenset({"given", "move", "roll"})
LINE_KINDS = frozenset({"given", "move", "roll", "undo", "resign"})
"""Entries after which a move thought out before them may mean something else."""


class Refused(Exception):
    """What was asked is not done; the text is for the person who asked. `status` is HTTP's."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Entry(NamedTuple):
    number: int
    kind: str
    seat: int | None
    data: str
    at: float


class Ply(NamedTuple):
    seat: int | None
    """None where dice fell."""
    text: str


@dataclass(frozen=True)
class Seat:
    kind: str
    """me, here, link, open or engine"""
    name: str
    agent: str = ""
    secret: bytes | None = field(default=None, repr=False)
    invite: bytes | None = field(default=None, repr=False)

    @property
    def taken(self) -> bool:
        return self.kind == "engine" or self.secret is not None


@dataclass(frozen=True)
class Ask:
    """A wish to take plies back that others have still to answer."""

    seat: int
    remain: int
    missing: frozenset[int]


class Match:
    def __init__(
        self, match_id: str, opening: State, seats: tuple[Seat, ...], seed: bytes, *, hints: bool = False
    ) -> None:
        self.id = match_id
        self.opening = opening
        self.state = opening
        self.seats = seats
        self.seed = seed
        self.hints = hints
        self.entries: list[Entry] = []
        self.line: list[Ply] = []
        self.resigned: frozenset[int] = frozenset()
        self.ask: Ask | None = None
        self.rematch: str | None = None
        self._turn = opening.player
        self._foreseen: tuple[str, State] | None = None  # the position after a move drafted from this one
        self._line_changed = 0  # how many entries there were right after the line last changed

    def after(self, entries: Iterable[Entry]) -> Match:
        """The same game with these entries added; this one stays as it is."""
        match = copy(self)
        match.entries, match.line = self.entries.copy(), self.line.copy()
        match.add(entries)
        return match

    # -- how it stands

    @property
    def full(self) -> bool:
        return all(seat.taken for seat in self.seats)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None before that."""
        return self.state.outcome(withdrawn_of(self.entries)) if self.resigned or self._turn is None else None

    @property
    def status(self) -> str:
        if self.outcome is not None:
            return "over"
        return "running" if self.full else "waiting"

    @property
    def player(self) -> int | None:
        """The seat to move; None while the game waits for players and when it is over."""
        return self._turn if self.status == "running" else None

    @property
    def to_think(self) -> str | None:
        """The agent that has to move now, if it is one's turn. A seat given up is played on at random."""
        seat = self.player
        if seat is None or seat == CHANCE:
            return None
        if seat in self.resigned:
            return "random"
        return self.seats[seat].agent or None

    # -- what happened

    def add(self, entries: Iterable[Entry]) -> None:
        """Take in what is stored. Raises ValueError where it does not fit, which means a damaged log."""
        for entry in entries:
            if entry.number != len(self.entries):
                raise ValueError(f"entry {entry.number} comes where {len(self.entries)} is next")
            self._take(entry)
            self.entries.append(entry)
            if entry.kind in LINE_KINDS:
                self._line_changed = len(self.entries)
                self.ask = None

    def _take(self, entry: Entry) -> None:
        seat = entry.seat
        if entry.kind in PLY_KINDS:
            foreseen, self._foreseen = self._foreseen, None
            known = foreseen is not None and foreseen[0] == entry.data
            self._set(foreseen[1] if foreseen and known else self.state.play(entry.data))
            self.line.append(Ply(seat, entry.data))
        elif entry.kind == "undo":
            self.line = self.line[: int(entry.data)]
            self._set(self._position(self.line))
        elif entry.kind == "resign" and seat is not None:
            self.resigned |= {seat}
        elif entry.kind == "join" and seat is not None:
            self.seats = _replaced(self.seats, seat, replace(self.seats[seat], name=entry.data))
        elif entry.kind == "ask-undo" and seat is not None:
            self.ask = Ask(seat, int(entry.data), self._others({seat}))
        elif entry.kind == "allow-undo" and self.ask and seat is not None:
            self.ask = replace(self.ask, missing=self.ask.missing - {seat})
        elif entry.kind == "refuse-undo":
            self.ask = None
        elif entry.kind == "rematch":
            self.rematch = entry.data
        else:
            raise ValueError(f"entry {entry.number} is of an unknown kind {entry.kind!r}")

    def _set(self, state: State) -> None:
        self.state = state
        self._turn = state.player
        self._foreseen = None

    def _position(self, line: list[Ply]) -> State:
        state = self.opening
        for ply in line:
            state = state.play(ply.text)
        return state

    def _others(self, held: Iterable[int]) -> frozenset[int]:
        """The seats of people still playing that are not among `held`."""
        people = {n for n, seat in enumerate(self.seats) if seat.kind != "engine"}
        return frozenset(people - self.resigned - set(held))

    # -- what somebody wants to do: the entries that would do it

    def _draft(self, *wanted: tuple[str, int | None, str]) -> list[Entry]:
        now = time.time()
        start = len(self.entries)
        return [Entry(start + n, kind, seat, data, now) for n, (kind, seat, data) in enumerate(wanted)]

    def _rolls(self, state: State, line: list[Ply]) -> list[tuple[str, int | None, str]]:
        """The dice that fall before a person or an engine has to decide again."""
        rolled: list[tuple[str, int | None, str]] = []
        texts = [ply.text for ply in line]
        while state.player == CHANCE:
            outcome = state.roll(Die(self.seed, self.id, texts))
            rolled.append(("roll", None, outcome.text))
            texts.append(outcome.text)
            state = state.play(outcome)
        return rolled

    def take_over(self, plies: Iterable[Ply]) -> list[Entry]:
        """Begin where a record ends."""
        return self._draft(*(("given", ply.seat, ply.text) for ply in plies))

    def begin(self, seat: int | None = None, name: str = "") -> list[Entry]:
        """Somebody sits down on `seat` (None: nobody does); if that was the last one, the game begins."""
        wanted: list[tuple[str, int | None, str]] = [] if seat is None else [("join", seat, name)]
        if all(other.taken or n == seat for n, other in enumerate(self.seats)):
            wanted += self._rolls(self.state, self.line)
        return self._draft(*wanted)

    def _check_running(self) -> None:
        if self.status == "waiting":
            raise Refused(409, "the game has not begun: it waits for players")
        if self.status == "over":
            raise Refused(409, "the game is over")

    def _check_seen(self, seen: int) -> None:
        if seen > len(self.entries):
            raise Refused(409, f"there are only {len(self.entries)} entries, not {seen}")
        if seen < self._line_changed:
            raise Refused(409, f"something happened since entry {seen}: look again")

    def repeated(self, kind: str, held: frozenset[int], seen: int, text: str = "") -> bool:
        """Whether this very message came before and was done: the first thing that happened after the `seen`
        entries was this act by one of the seats held."""
        first = next((entry for entry in self.entries[seen:] if entry.kind in LINE_KINDS), None)
        if first is None or first.kind != kind or first.seat not in held:
            return False
        if kind != "move":
            return True
        before = Match(self.id, self.opening, self.seats, self.seed).after(self.entries[: first.number])
        try:
            return before.state.move(text).text == first.data
        except IllegalMove:
            return False

    def answered(self, held: frozenset[int], allow: bool, seen: int) -> bool:
        """Whether this very answer to a question came before and was taken: after the `seen` entries one of the seats
        held said so, before the question was settled."""
        said = "allow-undo" if allow else "refuse-undo"
        for entry in self.entries[seen:]:
            if entry.kind == said and entry.seat in held:
                return True
            if entry.kind == "refuse-undo" or entry.kind in LINE_KINDS:
                return False
        return False

    def play(self, seat: int, text: str, seen: int) -> list[Entry]:
        """Play a move, by somebody who knew the first `seen` entries."""
        self._check_running()
        self._check_seen(seen)
        if self.player != seat:
            raise Refused(409, f"it is not your turn: seat {self.player} is to move")
        try:
            move = self.state.move(text)
        except IllegalMove as error:
            raise Refused(422, str(error)) from None
        after = self.state.play(move)
        self._foreseen = (move.text, after)
        rolled = self._rolls(after, [*self.line, Ply(seat, move.text)])
        return self._draft(("move", seat, move.text), *rolled)

    def resign(self, seat: int) -> list[Entry]:
        self._check_running()
        return self._draft(("resign", seat, ""))

    def ask_undo(self, seat: int, held: frozenset[int], seen: int) -> list[Entry]:
        """Ask to go back to before the last move of this seat. Who holds every other person's seat too needs no
        answer from anybody."""
        self._check_running()
        self._check_seen(seen)
        if self.ask is not None and self.ask.seat == seat:
            return []
        if self.ask is not None:
            raise Refused(
                409, f"seat {self.ask.seat} has already asked to take a move back; answer that first"
            )
        remain = next((n for n in reversed(range(len(self.line))) if self.line[n].seat == seat), None)
        if remain is None:
            raise Refused(409, "this seat has no move to take back")
        if any(ply.seat is None for ply in self.line[remain:]):
            raise Refused(409, "dice were rolled since that move: it stands")
        asked = self._draft(("ask-undo", seat, str(remain)))
        return asked if self._others({seat} | held) else self._draft(("undo", seat, str(remain)))

    def answer_undo(self, held: frozenset[int], allow: bool, seen: int) -> list[Entry]:
        """Say yes or no, for every seat held that has still to answer."""
        self._check_running()
        self._check_seen(seen)
        if self.ask is None:
            raise Refused(409, "nobody asks to take a move back")
        answering = sorted(self.ask.missing & held)
        if not answering:
            raise Refused(409, "the others have to answer this")
        if not allow:
            return self._draft(("refuse-undo", answering[0], ""))
        agreed = [("allow-undo", seat, "") for seat in answering]
        if self.ask.missing <= held:
            return self._draft(*agreed, ("undo", self.ask.seat, str(self.ask.remain)))
        return self._draft(*agreed)

    def offer_rematch(self, seat: int, next_id: str) -> list[Entry]:
        if self.status != "over":
            raise Refused(409, "the game is not over yet")
        return self._draft(("rematch", seat, next_id))

    # -- for others

    def facts(self) -> dict[str, Any]:
        """What changes with every entry, without a picture."""
        outcome = self.outcome
        return {
            "seen": len(self.entries),
            "ply": len(self.line),
            "status": self.status,
            "player": self.player,
            "scores": list(self.state.scores()),
            "winners": list(outcome.winners) if outcome else [],
            "reason": outcome.describe([seat.name for seat in self.seats]) if outcome else "",
            "resigned": sorted(self.resigned),
            "undo": None
            if self.ask is None or outcome
            else {"seat": self.ask.seat, "remain": self.ask.remain, "missing": sorted(self.ask.missing)},
            "rematch": self.rematch,
        }


def line_of(entries: Iterable[Entry]) -> list[Ply]:
    """The plies that stand after these entries."""
    line: list[Ply] = []
    for entry in entries:
        if entry.kind in PLY_KINDS:
            line.append(Ply(entry.seat, entry.data))
        elif entry.kind == "undo":
            del line[int(entry.data) :]
    return line


def withdrawn_of(entries: Iterable[Entry]) -> tuple[Withdrawal, ...]:
    """The seats that resigned, in order."""
    return tuple(
        Withdrawal(entry.seat, "resignation")
        for entry in entries
        if entry.kind == "resign" and entry.seat is not None
    )


def _replaced(seats: tuple[Seat, ...], number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:number], seat, *seats[number + 1 :])
