"""One game being played: the fold of its events. No storage, no network, no clock.

A `Match` is a value. `after` adds entries that are stored. Whatever somebody wants to do is first drafted (`play`,
`resign`, `ask_undo`, …): a `Draft` has the entries that would do it and the match as it would be then; a draft that
cannot be raises `Refused`. Who drafts says what time it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from snakeden.core.errors import IllegalMove
from snakeden.core.game import CHANCE
from snakeden.core.outcome import Outcome
from snakeden.core.state import State
from snakeden.server.dice import Die
from snakeden.server.errors import NotNow, NotPossible
from snakeden.server.events import (
    Ask,
    Entry,
    Event,
    Given,
    Joined,
    Moved,
    RematchOffered,
    Resigned,
    Rolled,
    Standing,
    UndoAllowed,
    UndoAsked,
    Undone,
    UndoRefused,
    goes_on,
    line_of,
    read_event,
    replaced,
)
from snakeden.server.line import Line, Ply
from snakeden.server.seats import Seat
from snakeden.words import Player, to_data

MOST_ENTRIES = 2000
"""From this many entries on nothing more is taken back. Plies that stand are bounded by the rules, so every game's log
is bounded, too."""

_ENTRY_BYTES, _PLY_BYTES = 300, 500
"""About what an entry takes in memory, and a ply beside its position."""


class Draft(NamedTuple):
    """What would be done: entries to store, and the match once they are."""

    entries: list[Entry]
    after: Match


class Match:
    def __init__(
        self, match_id: str, opening: State, seats: tuple[Seat, ...], seed: bytes, *, hints: bool = False
    ) -> None:
        self.id = match_id
        self.opening = opening
        self.seed = seed
        self.hints = hints
        self.entries: list[Entry] = []
        self._standing = Standing(seats, Line.start(opening))
        self._went_on = 0  # how many entries there were right after one that `goes_on`
        self._look()

    # -- the fold

    def after(self, entries: Iterable[Entry]) -> Match:
        """The game with these entries added. Raises ValueError where they do not fit, which means a damaged log."""
        events = []
        for number, entry in enumerate(entries, len(self.entries)):
            if entry.number != number:
                raise ValueError(f"entry {entry.number} comes where {number} is next")
            events.append((entry, read_event(entry)))
        return self._with(events)

    def _with(self, events: Iterable[tuple[Entry, Event]]) -> Match:
        match = copy(self)
        match.entries = self.entries.copy()
        for entry, event in events:
            match._standing = event.apply(match._standing)
            match.entries.append(entry)
            if event.goes_on:
                match._went_on = len(match.entries)
        match._look()
        return match

    def _look(self) -> None:
        """Ask the position what is asked of a match again and again."""
        standing = self._standing
        self._turn = self.state.player
        self._outcome = self.state.outcome(standing.withdrawn, agreed=standing.agreed)

    def with_seats(self, seats: tuple[Seat, ...]) -> Match:
        """The game with these seats: who may act for them is no event, since it is secret."""
        match = copy(self)
        match._standing = replace(self._standing, seats=seats)
        return match

    def with_seat(self, number: int, seat: Seat) -> Match:
        return self.with_seats(replaced(self.seats, number, seat))

    # -- how it stands

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self._standing.seats

    @property
    def line(self) -> Line:
        return self._standing.line

    @property
    def state(self) -> State:
        return self._standing.line.state

    @property
    def ask(self) -> Ask | None:
        return self._standing.ask

    @property
    def rematch(self) -> str | None:
        return self._standing.rematch

    @property
    def resigned(self) -> frozenset[int]:
        return self._standing.gone

    @property
    def full(self) -> bool:
        return all(seat.taken for seat in self.seats)

    @property
    def people(self) -> bool:
        """Whether anybody but engines still plays."""
        return bool(self._standing.people_besides(frozenset()))

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        position = self.state.array().nbytes
        return len(self.entries) * _ENTRY_BYTES + self.line.count * (_PLY_BYTES + position)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None before that."""
        return self._outcome

    @property
    def status(self) -> str:
        if self._outcome is not None:
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

    def facts(self) -> dict[str, Any]:
        """What changes with every entry, without a picture."""
        outcome = self.outcome
        return {
            "seen": len(self.entries),
            "ply": self.line.count,
            "status": self.status,
            "player": self.player,
            "scores": list(self.state.scores()),
            "winners": list(outcome.winners) if outcome else [],
            "reason": to_data(outcome.reason) if outcome else "",
            "resigned": sorted(self.resigned),
            "undo": None
            if self.ask is None or outcome
            else {"seat": self.ask.seat, "remain": self.ask.remain, "missing": sorted(self.ask.missing)},
            "rematch": self.rematch,
        }

    # -- messages that came before

    def repeated(self, kind: str, held: frozenset[int], seen: int, text: str = "") -> bool:
        """Whether this very message came before and was done: the first thing that happened after the `seen`
        entries was this act by one of the seats held."""
        first = next((entry for entry in islice(self.entries, seen, None) if goes_on(entry)), None)
        if first is None or first.kind != kind or first.seat not in held:
            return False
        if kind != "move" or text == first.data:
            return True
        before = self._before(first)
        try:
            return before is not None and before.move(text).text == first.data
        except IllegalMove:
            return False

    def _before(self, played: Entry) -> State | None:
        """The position in which a ply was played; None if it was taken back."""
        count = len(line_of(self.entries[: played.number]))
        later = islice(self.entries, played.number + 1, None)
        if any(entry.kind == Undone.kind and int(entry.data) <= count for entry in later):
            return None
        return self.line.back_to(count).state

    def answered(self, held: frozenset[int], allow: bool, seen: int) -> bool:
        """Whether this very answer to a question came before and was taken: after the `seen` entries one of the seats
        held said so, before the question was settled."""
        said = UndoAllowed.kind if allow else UndoRefused.kind
        for entry in islice(self.entries, seen, None):
            if entry.kind == said and entry.seat in held:
                return True
            if entry.kind == UndoRefused.kind or goes_on(entry):
                return False
        return False

    # -- what somebody wants to do

    def _draft(self, now: float, *events: Event, line: Line | None = None) -> Draft:
        """What these events would do; `line` if it is known already what they lead to."""
        start = len(self.entries)
        entries = [
            Entry(start + n, event.kind, event.seat, event.data, now) for n, event in enumerate(events)
        ]
        after = self._with(zip(entries, events, strict=True)) if line is None else self._led(entries, line)
        return Draft(entries, after)

    def _led(self, entries: list[Entry], line: Line) -> Match:
        """The match after plies whose positions are known."""
        match = copy(self)
        match.entries = [*self.entries, *entries]
        match._standing = replace(self._standing, line=line, ask=None)
        match._went_on = len(match.entries)
        match._look()
        return match

    def _rolled(self, line: Line) -> tuple[list[Event], Line]:
        """The dice that fall before a person or an engine has to decide again, and where they lead."""
        events: list[Event] = []
        while line.state.player == CHANCE:
            outcome = line.state.roll(Die(self.seed, self.id, [ply.text for ply in line.plies()]))
            events.append(Rolled(None, outcome.text))
            line = line.then(Ply(None, outcome.text), line.state.play(outcome))
        return events, line

    def take_over(self, plies: Iterable[Ply], now: float) -> Draft:
        """Begin where a record ends."""
        return self._draft(now, *(Given(ply.seat, ply.text) for ply in plies))

    def begin(self, now: float) -> Draft:
        """The first dice, if nobody is missing."""
        return self._draft(now, *(self._rolled(self.line)[0] if self.full else []))

    def sit(self, number: int, seat: Seat, now: float) -> Draft:
        """Somebody takes a free seat, which is `seat` from now on; if that was the last one, the game begins."""
        match = self.with_seat(number, seat)
        rolled = match._rolled(match.line)[0] if match.full else []
        return match._draft(now, Joined(number, seat.name), *rolled)

    def _check_running(self) -> None:
        if self.status == "waiting":
            raise NotNow("waiting-for-players")
        if self.status == "over":
            raise NotNow("game-over")

    def _check_seen(self, seen: int) -> None:
        if seen > len(self.entries):
            raise NotNow("too-few-entries", entries=len(self.entries), seen=seen)
        if seen < self._went_on:
            raise NotNow("something-happened", seen=seen)

    def play(self, seat: int, text: str, seen: int, now: float) -> Draft:
        """Play a move, by somebody who knew the first `seen` entries."""
        self._check_running()
        self._check_seen(seen)
        if self.player != seat:
            assert self.player is not None
            raise NotNow("not-your-turn", who=Player(self.player))
        try:
            move = self.state.move(text)
        except IllegalMove as error:
            raise NotPossible("illegal-move", reason=error.message) from None
        played = self.line.then(Ply(seat, move.text), self.state.play(move))
        rolled, line = self._rolled(played)
        return self._draft(now, Moved(seat, move.text), *rolled, line=line)

    def resign(self, seat: int, now: float) -> Draft:
        self._check_running()
        return self._draft(now, Resigned(seat))

    def ask_undo(self, seat: int, held: frozenset[int], seen: int, now: float) -> Draft:
        """Ask to go back to before the last move of this seat. Who holds every other person's seat too needs no
        answer from anybody."""
        self._check_running()
        self._check_seen(seen)
        if self.ask is not None and self.ask.seat == seat:
            return Draft([], self)
        if self.ask is not None:
            raise NotNow("undo-asked-already", who=Player(self.ask.seat))
        if len(self.entries) >= MOST_ENTRIES:
            raise NotNow("undone-too-often")
        back = self.line.plies()
        remain = next((n for n in reversed(range(len(back))) if back[n].seat == seat), None)
        if remain is None:
            raise NotNow("nothing-to-undo")
        if any(ply.seat is None for ply in back[remain:]):
            raise NotNow("dice-since")
        agreed = not self._standing.people_besides(held | {seat})
        return self._draft(now, Undone(seat, remain) if agreed else UndoAsked(seat, remain))

    def answer_undo(self, held: frozenset[int], allow: bool, seen: int, now: float) -> Draft:
        """Say yes or no, for every seat held that has still to answer."""
        self._check_running()
        self._check_seen(seen)
        if self.ask is None:
            raise NotNow("no-undo-asked")
        answering = sorted(self.ask.missing & held)
        if not answering:
            raise NotNow("others-answer")
        if not allow:
            return self._draft(now, UndoRefused(answering[0]))
        agreed: list[Event] = [UndoAllowed(seat) for seat in answering]
        if self.ask.missing <= held:
            agreed.append(Undone(self.ask.seat, self.ask.remain))
        return self._draft(now, *agreed)

    def offer_rematch(self, seat: int, next_id: str, now: float) -> Draft:
        if self.status != "over":
            raise NotNow("game-not-over")
        return self._draft(now, RematchOffered(seat, next_id))
