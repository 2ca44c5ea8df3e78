"""A played game as text: headers in brackets, then the moves, in the spirit of chess's PGN.

    [Game "snekagon"]
    [Options "side=4"]
    [Rules "1"]
    [Seed "7"]
    [Seat0 "Ada"]
    [Seat1 "greedy"]
    [Scores "9 7"]
    [Winners "0"]

    1. d4 b1-b2-b3 e5-f5
    4. ...

A header's value is a JSON string. A line of moves may begin with the number of its first move; chance outcomes
are moves too. `Scores` and `Winners` stand in finished games only. Other headers are kept as they are. Reading
runs no code and believes nothing: `Record.check` replays every move.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from snakeden.core.errors import BadOption, BadRecord, IllegalMove
from snakeden.core.game import Game
from snakeden.core.moves import Move
from snakeden.core.registry import game as find_game
from snakeden.core.state import State, new_game

_HEADER = re.compile(r"\[([A-Z][A-Za-z0-9]{0,40}) (\"(?:[^\"\\]|\\.)*\")\]")
_OWN_HEADERS = ("Game", "Options", "Rules", "Seed", "Scores", "Winners")
_SEAT = re.compile(r"Seat(\d)")
_LINE_WIDTH = 100
_DIGITS = 9
"""The longest number of a move."""
_LONGEST = 18
"""Digits of the longest number in a header."""


@dataclass(frozen=True)
class Record:
    """One game: what was played, by whom, every move, and how it ended if it did."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those that are not the default."""
    moves: tuple[str, ...] = ()
    rules_version: int = 1
    seed: int | None = None
    """What the dice were rolled with, where that is known."""
    seats: tuple[str, ...] = ()
    """The players' names; may be empty."""
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
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
                f"the game was played by rules version {self.rules_version} of {game.id}; "
                f"this program plays version {game.rules_version}",
            )
        state = new_game(self.game, **self.options)
        if self.seats and len(self.seats) != state.seats:
            raise BadRecord(self._line(0), f"{len(self.seats)} seats are named, and {state.seats} play")
        yield state
        for ply, move in enumerate(self.moves):
            try:
                state = state.play(move)
            except IllegalMove as error:
                raise BadRecord(self._line(ply), f"move {ply + 1}: {error}") from None
            yield state

    def state(self, ply: int | None = None) -> State:
        """The position after so many moves, or after all; replays and checks what comes before it."""
        if ply is not None and not 0 <= ply <= len(self.moves):
            raise ValueError(
                f"there is no ply {ply}: the record has {len(self.moves)} moves, so 0 to {len(self.moves)}"
            )
        wanted = len(self.moves) if ply is None else ply
        return next(state for at, state in enumerate(self.states()) if at == wanted)

    def check(self) -> State:
        """Replay it all and compare the outcome; the last position, or BadRecord."""
        last = self.state()
        told = (self.scores, self.winners)
        found = (last.scores(), last.winners()) if last.is_over else (None, None)
        if told != (None, None) and told != found:
            end = f"{found[0]}, won by {found[1]}" if last.is_over else "a game that is not over"
            raise BadRecord(
                self._line(len(self.moves)),
                f"the outcome told is {told[0]}, won by {told[1]}; replayed it is {end}",
            )
        return last

    def _line(self, ply: int) -> int:
        return self.lines[min(ply, len(self.lines) - 1)] if self.lines else 1

    def write(self) -> str:
        """The record as text."""
        game = find_game(self.game)
        headers = {"Game": self.game}
        if self.options:
            headers["Options"] = " ".join(f"{k}={game.option(k).write(v)}" for k, v in self.options.items())
        headers["Rules"] = str(self.rules_version)
        if self.seed is not None:
            headers["Seed"] = str(self.seed)
        headers |= {f"Seat{seat}": name for seat, name in enumerate(self.seats)}
        headers |= self.extra
        if self.scores is not None and self.winners is not None:
            headers["Scores"] = " ".join(map(str, self.scores))
            headers["Winners"] = " ".join(map(str, self.winners))
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in headers.items()]
        lines.append("")
        line = ""
        for ply, move in enumerate(self.moves, 1):
            if line and len(line) + 1 + len(move) > _LINE_WIDTH:
                lines.append(line)
                line = ""
            line = f"{line} {move}" if line else f"{ply}. {move}"
        return "\n".join([*lines, line]).rstrip("\n") + "\n"


def check_seed(seed: int) -> None:
    """Raises ValueError for a seed that a record could not hold."""
    if abs(seed) >= 10**_LONGEST:
        raise ValueError(f"seed {seed} is not possible: a seed has at most {_LONGEST} digits")


def record(
    start: State,
    moves: Iterable[Move | str],
    *,
    seed: int | None = None,
    seats: tuple[str, ...] = (),
    extra: Mapping[str, str] | None = None,
) -> Record:
    """The record of a game from its first position; every move is checked, and the outcome filled in."""
    plain = Record(
        game=start.game,
        options=dict(start.variant.given),
        moves=tuple(map(str, moves)),
        rules_version=start.variant.game.rules_version,
        seed=seed,
        seats=seats,
        extra=dict(extra or {}),
    )
    last = plain.state()
    if not last.is_over:
        return plain
    return replace(plain, scores=last.scores(), winners=last.winners())


def read(text: str) -> Record:
    """The one record in this text; raises BadRecord with the line and the reason."""
    # Counted before any is looked into: a stranger's text may hold thousands, and each costs its board's tables.
    blocks = _blocks(text)
    if len(blocks) != 1:
        raise BadRecord(1, f"one game was expected, and there are {len(blocks)}")
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
                raise BadRecord(number, 'a record begins with its game, such as [Game "snekagon"]')
            blocks[-1].append((number, line))
    return blocks


def _read_block(block: list[tuple[int, str]]) -> Record:
    headers: dict[str, tuple[int, str]] = {}
    moves: list[str] = []
    lines: list[int] = []
    for number, line in block:
        if line.startswith("["):
            if moves:
                raise BadRecord(number, "a header stands behind the first move; headers come first")
            name, value = _header(number, line)
            if name in headers:
                raise BadRecord(number, f"there are two headers {name}")
            headers[name] = number, value
            continue
        words = line.split()
        if re.fullmatch(r"\d+\.", words[0]):
            told = words[0][:-1]
            # No game has so many moves, and Python refuses to read a number of thousands of digits.
            if len(told) > _DIGITS or int(told) != len(moves) + 1:
                shown = told if len(told) <= _DIGITS else f"{told[:_DIGITS]}…"
                raise BadRecord(
                    number, f"the line says that it begins with move {shown}, and it is move {len(moves) + 1}"
                )
            words = words[1:]
        moves += words
        lines += [number] * len(words)
    return _from_headers(headers, tuple(moves), (*lines, block[-1][0]))


def _header(number: int, line: str) -> tuple[str, str]:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise BadRecord(number, f'{line!r} is not a header; headers look like [Game "snekagon"]')
    try:
        value: str = json.loads(match[2])
        value.encode()  # half a character, which JSON can write, is not text that could be written again
    except (json.JSONDecodeError, UnicodeEncodeError):
        raise BadRecord(number, f"the value of {match[1]} is not readable: {match[2]}") from None
    return match[1], value


def _from_headers(
    headers: dict[str, tuple[int, str]], moves: tuple[str, ...], lines: tuple[int, ...]
) -> Record:
    first = headers["Game"][0]
    try:
        game = find_game(headers["Game"][1])
    except BadOption as error:
        raise BadRecord(first, str(error)) from None
    if "Rules" not in headers:
        raise BadRecord(first, 'the rules version is missing, such as [Rules "1"]')
    seats = sorted(name for name in headers if _SEAT.fullmatch(name))
    if seats != [f"Seat{seat}" for seat in range(len(seats))]:
        raise BadRecord(
            headers[seats[0]][0],
            f"seats are numbered from 0 on without a gap, and here are {', '.join(seats)}",
        )
    if ("Scores" in headers) != ("Winners" in headers):
        raise BadRecord(first, "Scores and Winners stand together or not at all")

    def numbers(name: str) -> tuple[int, ...]:
        line, value = headers[name]
        if not re.fullmatch(rf"-?\d{{1,{_LONGEST}}}( -?\d{{1,{_LONGEST}}})*", value):
            raise BadRecord(line, f"{name} holds whole numbers with a space between, not {value!r}")
        return tuple(map(int, value.split()))

    def number(name: str) -> int:
        found = numbers(name)
        if len(found) != 1:
            raise BadRecord(headers[name][0], f"{name} is one number, not {headers[name][1]!r}")
        return found[0]

    own = {*_OWN_HEADERS, *seats}
    return Record(
        game=game.id,
        options=_options(game, *headers.get("Options", (first, ""))),
        moves=moves,
        rules_version=number("Rules"),
        seed=number("Seed") if "Seed" in headers else None,
        seats=tuple(headers[name][1] for name in seats),
        scores=numbers("Scores") if "Scores" in headers else None,
        winners=numbers("Winners") if "Winners" in headers else None,
        extra={name: value for name, (_, value) in headers.items() if name not in own},
        lines=lines,
    )


def _options(game: Game, line: int, text: str) -> dict[str, Any]:
    known = {option.name: option for option in game.options}
    found = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or name not in known:
            raise BadRecord(
                line,
                f"{part!r} is no option of {game.id}; its options are {', '.join(known)}, as in name=value",
            )
        try:
            found[name] = known[name].read(value)
        except BadOption as error:
            raise BadRecord(line, str(error)) from None
    try:
        new_game(game.id, **found)
    except BadOption as error:
        raise BadRecord(line, str(error)) from None
    return found
