"""A puzzle as data, and the files that hold them.

A file has a line of JSON for each puzzle. The first line says which command and which seed made them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from snakeden.core.registry import game as find_game
from snakeden.core.state import State, new_game
from snakeden.words import Message

SEARCHES = (12, 100, 600, 7000)
"""Simulations of those who are asked for solutions to rate them. They are the same in every game and stay what they
are, so that a file is what its command makes."""
_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Puzzle:
    """A position of one of the engine's games in which one move is best, and what is proven about it."""

    game: str
    number: int
    """The number of the game it was found in."""
    moves: tuple[str, ...]
    """What was played before."""
    solutions: tuple[str, ...]
    """The move to find. Several, if they lead to the same position."""
    difficulty: int
    """1 if a greedy player that slips now and then finds it, 2 to 5 for the first of `SEARCHES` that does, 6 if none
    does."""
    found: tuple[float, ...]
    """How often each of these found it, as far as they were asked."""
    themes: tuple[str, ...] = ()
    """What the solution does, by the game's words."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those that are not the default."""
    value: int | None = None
    """By how much the solution wins under best play; None where dice decide."""
    line: tuple[str, ...] = ()
    """Best play, the solution first; empty where dice decide."""
    values: Mapping[str, tuple[float, float]] | None = None
    """Where dice decide: for every legal move its exact chance to be still in after the turn, and the points that
    are expected then."""

    @property
    def id(self) -> str:
        """The game it was found in and how many moves had been played: what the puzzle is named by."""
        return f"{self.number}-{len(self.moves)}"

    def states(self) -> tuple[State, ...]:
        """The positions up to the puzzle's, which is the last."""
        states = [new_game(self.game, **self.options)]
        for move in self.moves:
            states.append(states[-1].play(move))
        return tuple(states)

    def state(self) -> State:
        """The puzzle's position."""
        return self.states()[-1]

    def write(self) -> str:
        """The puzzle as a line of JSON."""
        held = {name: value for name, value in asdict(self).items() if value not in (None, (), {})}
        held["moves"] = " ".join(self.moves)
        del held["game"]
        return json.dumps(held, ensure_ascii=False)


@dataclass(frozen=True)
class Collection:
    """The puzzles of one file."""

    game: str
    seed: int
    command: str
    """What made them."""
    puzzles: tuple[Puzzle, ...] = ()

    def head(self) -> str:
        """The first line of the file."""
        return json.dumps({"game": self.game, "seed": self.seed, "command": self.command})


def read(lines: Iterable[str]) -> Collection:
    """The puzzles in the lines of a file; raises ValueError."""
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number} is not JSON: {error}") from None
    if not rows or not {"game", "seed", "command"} <= rows[0].keys():
        raise ValueError("the first line does not say which game, seed and command made the puzzles")
    head = rows[0]
    find_game(head["game"])
    return Collection(
        head["game"], head["seed"], head["command"], tuple(_puzzle(head["game"], row) for row in rows[1:])
    )


def _puzzle(game: str, row: dict[str, Any]) -> Puzzle:
    tuples: dict[str, Any] = {
        name: tuple(row[name]) for name in ("solutions", "found", "themes", "line") if name in row
    }
    if "values" in row:
        tuples["values"] = {move: tuple(pair) for move, pair in row["values"].items()}
    try:
        return Puzzle(game=game, **{**row, **tuples, "moves": tuple(row["moves"].split())})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no puzzle: {error}") from None


@cache
def collection(game: str) -> Collection:
    """The puzzles of a game that come with Snakeden; raises BadOption for a game that is not known."""
    find_game(game)
    path = _FOLDER / f"{game}.jsonl"
    if not path.is_file():
        return Collection(game, 0, "")
    return read(path.read_text(encoding="utf-8").splitlines())


def shipped(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game that come with Snakeden."""
    return collection(game).puzzles


def find(game: str, id: str) -> Puzzle | None:
    """The shipped puzzle of this id, if there is one."""
    return next((puzzle for puzzle in shipped(game) if puzzle.id == id), None)


def daily(game: str, day: date) -> Puzzle | None:
    """The puzzle of a day: each once in an order that looks random, then all again."""
    puzzles = list(shipped(game))
    if not puzzles:
        return None
    turn, place = divmod(day.toordinal(), len(puzzles))
    random.Random(f"{game} {turn}").shuffle(puzzles)
    return puzzles[place]


def goal(puzzle: Puzzle) -> Message:
    """What is to be found."""
    return Message("puzzle.goal.roll" if puzzle.values is not None else "puzzle.goal.win")


def finder(puzzle: Puzzle) -> Message:
    """Who finds the solution, as a sentence."""
    if puzzle.difficulty == 1:
        return Message("puzzle.found.greedy")
    if puzzle.difficulty > 1 + len(SEARCHES):
        return Message("puzzle.found.nobody", n=SEARCHES[-1])
    return Message("puzzle.found.search", n=SEARCHES[puzzle.difficulty - 2])
