"""A played game as text: headers in brackets, then the moves, in the spirit of chess's PGN.

    [Game "snekagon"]
    [Options "side=4"]
    [Rules "1"]
    [Seed "7"]
    [Seat0 "Ada"]
    [Seat1 "greedy"]
    [Scores "9 7"]
    [Winners "0"]
    [Termination "score"]

    1. d4 b1-b2-b3 e5-f5
    4. ...

A header's value is a JSON string. A line of moves may begin with the number of its first move; chance outcomes
are moves too. `Scores`, `Winners` and `Termination` are the outcome of a finished game. `Withdrawn` lists the seats
that left before the end, as in `0=resignation`. `Visits` says how often a search tried each move (`visits_text`),
`Variations` what was tried beside the game (`variations_text`). `Setup` is there if the game does not begin with the
first position: pieces with their seats, and who is to move, as in `0=d4 1=a1-b1-c1; 1` (`snakeden.core.setup`). Other
headers are kept as they are. Reading runs no code and believes nothing: `Record.check` replays every move and decides
the outcome again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import index
from typing import Any, NamedTuple, cast

from snakeden.core.errors import BadOption, BadRecord, IllegalMove, MessageError
from snakeden.core.game import Game
from snakeden.core.moves import Move, MoveLike
from snakeden.core.outcome import CAUSES, TERMINATIONS, Cause, Outcome, Withdrawal, decide
from snakeden.core.registry import game as find_game
from snakeden.core.setup import Setup, read_setup, set_up
from snakeden.core.state import State, new_game
from snakeden.words import Message, Player

_HEADER = re.compile(r"\[([A-Z][A-Za-z0-9]{0,40}) (\"(?:[^\"\\]|\\.)*\")\]")
_OWN_HEADERS = ("Game", "Options", "Rules", "Setup", "Seed", "Withdrawn", "Scores", "Winners", "Termination")
_SEAT = re.compile(r"Seat(\d)")
_LINE_WIDTH = 100
_DIGITS = 9
"""The longest number of a move."""
_LONGEST = 18
"""Digits of the longest number in a header."""

_VISITS = re.compile(r"[ ;]*(?:\d{1,9}:\d{1,9}(?:[ ;]+|$))*")
_LONGEST_VISITS = 50_000_000
"""Characters of the longest header of visits that is read."""
_VARIATION = re.compile(r"(\d{1,6}): (\S+(?: \S+)*)")
_MOST_TRIED = 2000
"""Moves of all variations of a record together."""

_Headers = dict[str, tuple[int, str]]
"""The line and the value of each header."""


class Variation(NamedTuple):
    """A line that was tried beside the game."""

    ply: int
    """The number of the game's moves before it."""
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One game: what was played, by whom, every move, and how it ended if it did."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those that are not the default."""
    moves: tuple[str, ...] = ()
    rules_version: int = 1
    setup: Setup | None = None
    """The position that the game began with, if it was not the first one."""
    seed: int | None = None
    """What the dice were rolled with, where that is known."""
    seats: tuple[str, ...] = ()
    """The players' names; may be empty."""
    withdrawn: tuple[Withdrawal, ...] = ()
    """The seats that left before the end, in order."""
    outcome: Outcome | None = None
    """How the game ended; None if it did not, or if the record does not say."""
    extra: Mapping[str, str] = field(default_factory=dict)
    """Headers that mean nothing to the rules, such as a date or a place."""
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The line of each move in the text it was read from, for errors."""

    def states(self) -> Iterator[State]:
        """The position before every move, and the last one; raises BadRecord at the first that cannot be."""
        game = find_game(self.game)
        if self.rules_version != game.rules_version:
            raise BadRecord(
                self._line(0),
                Message("record.other_rules", game=game.id, old=self.rules_version, new=game.rules_version),
            )
        state = new_game(self.game, **self.options)
        if self.seats and len(self.seats) != state.seats:
            raise BadRecord(
                self._line(0), Message("record.seats_named", named=len(self.seats), seats=state.seats)
            )
        if self.setup is not None:
            try:
                state = set_up(state, self.setup)
            except IllegalMove as error:
                raise BadRecord(self._line(0), Message("record.bad_setup", why=error.message)) from None
        yield state
        for ply, move in enumerate(self.moves):
            try:
                state = state.play(move)
            except IllegalMove as error:
                raise BadRecord(
                    self._line(ply), Message("record.bad_move", n=ply + 1, why=error.message)
                ) from None
            yield state

    def state(self, ply: int | None = None) -> State:
        """The position after this many moves, or after all; replays and checks what comes before it."""
        if ply is not None and not 0 <= ply <= len(self.moves):
            raise ValueError(
                f"there is no ply {ply}: the record has {len(self.moves)} moves, so 0 to {len(self.moves)}"
            )
        wanted = len(self.moves) if ply is None else ply
        return next(state for at, state in enumerate(self.states()) if at == wanted)

    def check(self) -> State:
        """Replay it all and compare the outcome; the last position, or BadRecord."""
        last = self.state()
        agreed = self.outcome is not None and self.outcome.termination == "agreement"
        try:
            found = last.outcome(self.withdrawn, agreed=agreed)
        except MessageError as error:
            raise BadRecord(self._line(len(self.moves)), error.message) from None
        if self.outcome is not None and self.outcome != found:
            replayed = _summary(found) if found else Message("record.not_over")
            raise BadRecord(
                self._line(len(self.moves)),
                Message("record.other_outcome", stated=_summary(self.outcome), found=replayed),
            )
        return last

    def visits(self) -> list[dict[int, int]]:
        """For every move, how often a search tried each action before it; empty where the record does not say. Raises
        BadRecord."""
        text = self.extra.get("Visits")
        if text is None:
            return [{} for _ in self.moves]
        if len(text) > _LONGEST_VISITS or not _VISITS.fullmatch(text):
            raise BadRecord(1, "Visits has a part for each move, divided by ;, of pairs such as 831:12")
        found = [
            {int(action): int(times) for action, times in (pair.split(":") for pair in part.split())}
            for part in text.split(";")
        ]
        if len(found) != len(self.moves):
            raise BadRecord(1, f"Visits has {len(found)} parts for {len(self.moves)} moves")
        return found

    def variations(self) -> list[Variation]:
        """What was tried beside the game, as the header `Variations` tells it; raises BadRecord for moves that cannot
        be."""
        text = self.extra.get("Variations", "")
        found = []
        states = list(self.states()) if text else []
        tried = 0
        for part in filter(None, text.split("; ")):
            read = _VARIATION.fullmatch(part)
            if read is None or int(read[1]) >= len(states):
                raise BadRecord(self._line(0), Message("record.no_variation", text=repr(part[:40])))
            variation = Variation(int(read[1]), tuple(read[2].split()))
            tried += len(variation.moves)
            if tried > _MOST_TRIED:
                raise BadRecord(self._line(0), Message("record.many_variations", n=_MOST_TRIED))
            state = states[variation.ply]
            for move in variation.moves:
                try:
                    state = state.play(move)
                except IllegalMove as error:
                    raise BadRecord(
                        self._line(0), Message("record.bad_variation", text=part, why=error.message)
                    ) from None
            found.append(variation)
        return found

    def _line(self, ply: int) -> int:
        return self.lines[min(ply, len(self.lines) - 1)] if self.lines else 1

    def write(self) -> str:
        """The record as text."""
        game = find_game(self.game)
        headers = {"Game": self.game}
        if self.options:
            headers["Options"] = " ".join(f"{k}={game.option(k).write(v)}" for k, v in self.options.items())
        headers["Rules"] = str(self.rules_version)
        if self.setup is not None:
            headers["Setup"] = str(self.setup)
        if self.seed is not None:
            headers["Seed"] = str(self.seed)
        headers |= {f"Seat{seat}": name for seat, name in enumerate(self.seats)}
        headers |= self.extra
        if self.withdrawn:
            headers["Withdrawn"] = " ".join(f"{seat}={cause}" for seat, cause in self.withdrawn)
        if self.outcome is not None:
            headers["Scores"] = " ".join(map(str, self.outcome.scores))
            headers["Winners"] = " ".join(map(str, self.outcome.winners))
            headers["Termination"] = self.outcome.termination
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in headers.items()]
        lines.append("")
        line = ""
        for ply, move in enumerate(self.moves, 1):
            if line and len(line) + 1 + len(move) > _LINE_WIDTH:
                lines.append(line)
                line = ""
            line = f"{line} {move}" if line else f"{ply}. {move}"
        return "\n".join([*lines, line]).rstrip("\n") + "\n"


def variations_text(variations: Iterable[Variation]) -> str:
    """The header `Variations`, as in `3: c3 d4-d5; 3: c3 a1`. Lines that begin alike are branches of one tree."""
    return "; ".join(f"{each.ply}: {' '.join(each.moves)}" for each in variations)


def visits_text(visits: Iterable[Mapping[int, int]]) -> str:
    """The header `Visits`: for every move the actions that were tried and how often, as in `831:12 832:3; ; 5:40`."""
    return "; ".join(
        " ".join(f"{action}:{times}" for action, times in sorted(each.items())) for each in visits
    )


def check_seed(seed: int) -> None:
    """Raises ValueError for a seed that a record could not hold."""
    if abs(seed) >= 10**_LONGEST:
        raise ValueError(f"seed {seed} is not possible: a seed has at most {_LONGEST} digits")


def record(
    start: State,
    moves: Iterable[MoveLike],
    *,
    setup: Setup | None = None,
    seed: int | None = None,
    seats: tuple[str, ...] = (),
    extra: Mapping[str, str] | None = None,
    withdrawn: Iterable[Withdrawal] = (),
    agreed: bool = False,
) -> Record:
    """The record of a game from its first position; every move is checked, and the outcome filled in. The moves are
    played from what `setup` says, if it is given. `withdrawn` and `agreed` are what happened off the board, see
    `State.outcome`."""
    last, texts = _played(set_up(start, setup) if setup is not None else start, moves)
    if seats and len(seats) != start.seats:
        raise BadRecord(1, Message("record.seats_named", named=len(seats), seats=start.seats))
    withdrawn = tuple(withdrawn)
    return Record(
        game=start.game,
        options=dict(start.variant.given),
        moves=texts,
        rules_version=start.variant.game.rules_version,
        setup=setup,
        seed=seed,
        seats=seats,
        withdrawn=withdrawn,
        outcome=last.outcome(withdrawn, agreed=agreed),
        extra=dict(extra or {}),
    )


def _played(state: State, moves: Iterable[MoveLike]) -> tuple[State, tuple[str, ...]]:
    """The position after these moves, and their texts."""
    texts = []
    for ply, move in enumerate(moves):
        try:
            following = state.play(move)
        except IllegalMove as error:
            raise BadRecord(1, Message("record.bad_move", n=ply + 1, why=error.message)) from None
        texts.append(str(move) if isinstance(move, Move | str) else state.variant.text(index(move)))
        state = following
    return state, tuple(texts)


def read(text: str) -> Record:
    """The one record in this text; raises BadRecord with the line and the reason."""
    # Counted before any is looked into: a stranger's text may hold thousands, and each costs its board's tables.
    blocks = _blocks(text)
    if len(blocks) != 1:
        raise BadRecord(1, Message("record.not_one", n=len(blocks)))
    return _read_block(blocks[0])


def read_all(text: str) -> list[Record]:
    """Every record in a text that holds one after the other."""
    return [_read_block(block) for block in _blocks(text)]


def _blocks(text: str) -> list[list[tuple[int, str]]]:
    """The lines of each game with their numbers, without the empty ones."""
    blocks: list[list[tuple[int, str]]] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.strip()
        if line.startswith("[Game "):
            blocks.append([])
        if line:
            if not blocks:
                raise BadRecord(number, Message("record.no_game"))
            blocks[-1].append((number, line))
    return blocks


def _read_block(block: list[tuple[int, str]]) -> Record:
    headers: _Headers = {}
    moves: list[str] = []
    lines: list[int] = []
    for number, line in block:
        if line.startswith("["):
            if moves:
                raise BadRecord(number, Message("record.late_header"))
            name, value = _header(number, line)
            if name in headers:
                raise BadRecord(number, Message("record.two_headers", name=name))
            headers[name] = number, value
            continue
        words = line.split()
        if re.fullmatch(r"\d+\.", words[0]):
            numbered = words[0][:-1]
            # No game has that many moves, and Python refuses to read a number of thousands of digits.
            if len(numbered) > _DIGITS or int(numbered) != len(moves) + 1:
                shown = numbered if len(numbered) <= _DIGITS else f"{numbered[:_DIGITS]}…"
                raise BadRecord(number, Message("record.wrong_number", shown=shown, n=len(moves) + 1))
            words = words[1:]
        moves += words
        lines += [number] * len(words)
    return _from_headers(headers, tuple(moves), (*lines, block[-1][0]))


def _header(number: int, line: str) -> tuple[str, str]:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise BadRecord(number, Message("record.no_header", line=repr(line)))
    try:
        value: str = json.loads(match[2])
        value.encode()  # half a character, which JSON can write, is not text that could be written again
    except (json.JSONDecodeError, UnicodeEncodeError):
        raise BadRecord(number, Message("record.unreadable_value", name=match[1], value=match[2])) from None
    return match[1], value


def _from_headers(headers: _Headers, moves: tuple[str, ...], lines: tuple[int, ...]) -> Record:
    first = headers["Game"][0]
    try:
        game = find_game(headers["Game"][1])
    except BadOption as error:
        raise BadRecord(first, error.message) from None
    if "Rules" not in headers:
        raise BadRecord(first, Message("record.no_rules"))
    seats = sorted(name for name in headers if _SEAT.fullmatch(name))
    if seats != [f"Seat{seat}" for seat in range(len(seats))]:
        raise BadRecord(headers[seats[0]][0], Message("record.seat_numbers", seats=", ".join(seats)))
    own = {*_OWN_HEADERS, *seats}
    withdrawn = _withdrawn(headers)
    if withdrawn and "Withdrawn" not in headers:
        own.add("Resigned")
    return Record(
        game=game.id,
        options=_options(game, *headers.get("Options", (first, ""))),
        moves=moves,
        rules_version=_number(headers, "Rules"),
        setup=_setup(*headers["Setup"]) if "Setup" in headers else None,
        seed=_number(headers, "Seed") if "Seed" in headers else None,
        seats=tuple(headers[name][1] for name in seats),
        withdrawn=withdrawn,
        outcome=_outcome(headers, withdrawn),
        extra={name: value for name, (_, value) in headers.items() if name not in own},
        lines=lines,
    )


def _setup(line: int, text: str) -> Setup:
    try:
        return read_setup(text)
    except IllegalMove as error:
        raise BadRecord(line, error.message) from None


def _numbers(headers: _Headers, name: str) -> tuple[int, ...]:
    line, value = headers[name]
    if not re.fullmatch(rf"-?\d{{1,{_LONGEST}}}( -?\d{{1,{_LONGEST}}})*", value):
        raise BadRecord(line, Message("record.no_numbers", name=name, value=repr(value)))
    return tuple(map(int, value.split()))


def _number(headers: _Headers, name: str) -> int:
    found = _numbers(headers, name)
    if len(found) != 1:
        line, value = headers[name]
        raise BadRecord(line, Message("record.no_number", name=name, value=repr(value)))
    return found[0]


def _withdrawn(headers: _Headers) -> tuple[Withdrawal, ...]:
    """The seats that left. Records once listed those that resigned in a header of their own."""
    if "Withdrawn" in headers:
        line, value = headers["Withdrawn"]
        found = [re.fullmatch(r"(\d)=(\w+)", word) for word in value.split()]
        if not found or not all(match and match[2] in CAUSES for match in found):
            raise BadRecord(line, Message("record.withdrawn", causes=", ".join(CAUSES), value=repr(value)))
        return tuple(Withdrawal(int(match[1]), cast(Cause, match[2])) for match in found if match)
    old = headers["Resigned"][1] if "Resigned" in headers else ""
    seats = old.split() if re.fullmatch(r"\d( \d)*", old) else []
    return tuple(Withdrawal(int(seat), "resignation") for seat in seats)


def _outcome(headers: _Headers, withdrawn: tuple[Withdrawal, ...]) -> Outcome | None:
    """The outcome that the headers state, true or not. Records without `Termination` are older: they name who has
    the highest score of all, also where that seat had resigned, and are read as if they named the right winners."""
    first = headers["Game"][0]
    if ("Scores" in headers) != ("Winners" in headers):
        raise BadRecord(first, Message("record.scores_and_winners"))
    if "Scores" not in headers:
        if "Termination" in headers:
            raise BadRecord(headers["Termination"][0], Message("record.termination_alone"))
        return None
    scores = _numbers(headers, "Scores")
    winners = _numbers(headers, "Winners") if headers["Winners"][1] else ()
    line, termination = headers.get("Termination", (first, "score"))
    if termination not in TERMINATIONS:
        raise BadRecord(
            line, Message("record.no_termination", known=", ".join(TERMINATIONS), value=repr(termination))
        )
    if "Termination" not in headers and withdrawn:
        by_all = decide(scores, finished=True)
        try:
            by_those_left = decide(scores, finished=True, withdrawn=withdrawn)
        except MessageError as error:
            raise BadRecord(headers["Resigned"][0], error.message) from None
        if by_all and by_those_left and by_all.winners == winners:
            return by_those_left
    return Outcome(scores, winners, termination, withdrawn)


def _summary(outcome: Outcome) -> Message:
    won = tuple(map(Player, outcome.winners)) or Message("record.nobody")
    return Message("record.outcome", points=outcome.scores, winners=won, termination=outcome.termination)


def _options(game: Game, line: int, text: str) -> dict[str, Any]:
    known = {option.name: option for option in game.options}
    found = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or name not in known:
            names = ", ".join(known)
            raise BadRecord(line, Message("record.no_option", part=repr(part), game=game.id, options=names))
        try:
            found[name] = known[name].read(value)
        except BadOption as error:
            raise BadRecord(line, error.message) from None
    try:
        new_game(game.id, **found)
    except BadOption as error:
        raise BadRecord(line, error.message) from None
    return found
