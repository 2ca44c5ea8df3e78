"""A study: which games are to be played, as a TOML file says it.

    title = "Who should begin"
    question = "Does it help to move first, and on which board?"
    seed = 1

    [[settings]]
    game = "snekagon"
    options = { side = [4, 5, 6], second_single = [false, true] }
    agents = ["mcts:sims=100", "mcts:sims=600"]
    games = 400

Every combination of the alternatives is a setting, here 3 x 2 x 2 of them, and each gets its games. docs/lab.md says
what else a file can say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from typing import Any

from snakeden.agents import make, resolve
from snakeden.arena.engines import PREFIX
from snakeden.core.game import Game, variant
from snakeden.core.learning import distinct_first_moves
from snakeden.core.registry import game as find_game
from snakeden.core.state import State, new_game
from snakeden.records import check_seed

STEP = 50
"""Games that are played between two looks at the width of an interval. Fixed, so that the number of games never
depends on the number of workers."""
MOST = 100_000
"""Games a setting may have."""

_KEYS = {
    "game": "the id of a game",
    "options": "a table of the game's options; a list holds alternatives",
    "agents": "a list of agents",
    "seating": "'same' (every agent against itself, the default) or 'all' (every order of different agents)",
    "opening": "how many random moves the game begins with, or a list of such numbers",
    "first_moves": "a list of openings, each a text of moves; or 'every': every first move, up to symmetry",
    "games": "how many games each setting gets",
    "width": "how wide the interval of the seats' points may be, such as 0.1; games are played until it is",
    "most": "with width: how many games at most",
}


class BadStudy(ValueError):
    """A study that cannot be played; the text says what is wrong and what to do."""


@dataclass(frozen=True)
class Setting:
    """One thing that is measured: a game with its options, who sits where, and how it begins."""

    game: str
    given: tuple[tuple[str, str], ...]
    """The options that differ from the default, as texts."""
    seating: tuple[str, ...]
    opening: int
    first_moves: tuple[str, ...]
    games: int
    """How many are played; with `width` at most."""
    width: float | None = None

    @property
    def options(self) -> dict[str, Any]:
        game = find_game(self.game)
        return {name: game.option(name).read(text) for name, text in self.given}

    @property
    def options_text(self) -> str:
        return " ".join(f"{name}={text}" for name, text in self.given)

    @property
    def key(self) -> str:
        """What the setting's games are kept under: all that decides how they go, but for the study's seed."""
        parts = [self.game, self.options_text, " ".join(self.seating), f"opening={self.opening}"]
        return " | ".join([*parts, *([" ".join(self.first_moves)] if self.first_moves else [])])

    @property
    def repeatable(self) -> bool:
        """Whether the same seeds give the same games: agents that watch the clock do not promise it."""
        played = variant(find_game(self.game), self.options)
        return not any("time=" in resolve(name, played) for name in self.seating)


@dataclass(frozen=True)
class Study:
    """A title, a question, and the settings that answer it."""

    title: str
    question: str
    seed: int
    settings: tuple[Setting, ...]
    text: str
    """The file it was read from."""
    balance: Mapping[str, Any] | None = None
    """Its table [balance], which `snakeden.lab.balance` reads."""

    @property
    def most_games(self) -> int:
        return sum(setting.games for setting in self.settings)


def read_study(path: Path) -> Study:
    """The study in this file; raises BadStudy or OSError."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise BadStudy(f"{path} is not a text") from None
    except BadStudy as error:
        raise BadStudy(f"{path}: {error}") from None


def parse(text: str) -> Study:
    """The study that a text describes; raises BadStudy."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadStudy(f"this is not TOML: {error}") from None
    _check_keys("a study", found, ("title", "question", "seed", "settings", "balance"))
    title, question, seed = found.get("title"), found.get("question", ""), found.get("seed", 0)
    if not isinstance(title, str) or not title or not isinstance(question, str):
        raise BadStudy("give a title, a text; and a question, if you like")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise BadStudy(f"seed = {seed!r} is not possible: give a whole number")
    check_seed(seed)
    groups = found.get("settings")
    if not isinstance(groups, list) or not groups or not all(isinstance(group, dict) for group in groups):
        raise BadStudy("nothing is to be played: write [[settings]], and under it a game and agents")
    settings = []
    for number, group in enumerate(groups, 1):
        try:
            settings += list(_expanded(group))
        except ValueError as error:
            raise BadStudy(f"settings {number}: {error}") from None
    keys = [setting.key for setting in settings]
    for key in keys:
        if keys.count(key) > 1:
            raise BadStudy(f"this setting occurs more than once: {key}")
    return Study(title, question, seed, tuple(settings), text, found.get("balance"))


def _check_keys(what: str, found: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    for key in found:
        if key not in allowed:
            raise BadStudy(f"{what} has no {key!r}: it can have {', '.join(allowed)}")


def _expanded(group: Mapping[str, Any]) -> Iterator[Setting]:
    """The settings of one group, every combination of its alternatives; raises ValueError."""
    _check_keys("a group of settings", group, tuple(_KEYS))
    if not isinstance(group.get("game"), str):
        raise BadStudy("name a game, as in game = 'snekagon'")
    game = find_game(group["game"])
    games, width = _numbers_of_games(group)
    openings = group.get("opening", 0)
    for opening in openings if isinstance(openings, list) else [openings]:
        if not isinstance(opening, int) or isinstance(opening, bool) or not 0 <= opening <= 100:
            raise BadStudy(f"opening = {opening!r} is not possible: give a number of random moves, 0 to 100")
        for options in _combinations(game, group.get("options", {})):
            start = new_game(game.id, **options)
            given = tuple(
                (name, game.option(name).write(value)) for name, value in start.variant.given.items()
            )
            if width is not None and start.seats == 1:
                raise BadStudy(
                    "width is about who wins, which nobody does alone: give a number of games instead"
                )
            for seating in _seatings(group, start.seats):
                for first in _first_moves(group, start):
                    yield Setting(game.id, given, seating, opening, first, games, width)


def _numbers_of_games(group: Mapping[str, Any]) -> tuple[int, float | None]:
    games, width, most = group.get("games"), group.get("width"), group.get("most")
    if (games is None) == (width is None):
        raise BadStudy(
            "say how many games: games = 400; or how exact: width = 0.1 and, if you like, most = 5000"
        )
    if width is None and most is not None:
        raise BadStudy("most goes with width: it says when to give up")
    if width is not None and (not isinstance(width, int | float) or not 0 < width < 1):
        raise BadStudy(f"width = {width!r} is not possible: give a number between 0 and 1, such as 0.1")
    count = games if width is None else 10_000 if most is None else most
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST:
        raise BadStudy(f"{count!r} games are not possible: give a whole number from 1 to {MOST:,}")
    return count, width


def _combinations(game: Game, options: Any) -> Iterator[dict[str, Any]]:
    """Every choice of alternatives. An option that is a list itself has alternatives if it holds lists."""
    if not isinstance(options, dict):
        raise BadStudy(f"options = {options!r} is not possible: give {_KEYS['options']}")
    known = {option.name: option for option in game.options}
    alternatives = []
    for name, value in options.items():
        many = isinstance(value, list)
        if many and name in known and known[name].kind == "list":
            many = any(isinstance(part, list) for part in value)
        if many and not value:
            raise BadStudy(f"options.{name} is an empty list: give a value, or several")
        alternatives.append([(name, part) for part in value] if many else [(name, value)])
    for chosen in product(*alternatives):
        yield dict(chosen)


def _seatings(group: Mapping[str, Any], seats: int) -> Iterator[tuple[str, ...]]:
    names, seating = group.get("agents"), group.get("seating", "same")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise BadStudy("name the agents, as in agents = ['mcts:sims=100']")
    for name in names:
        if name.startswith(PREFIX):
            raise BadStudy(f"agent {name!r}: a study starts no programs; let it play at the arena")
        make(name)
    if len(set(names)) < len(names):
        raise BadStudy("an agent is named twice")
    if seating == "same":
        yield from ((name,) * seats for name in names)
    elif seating == "all":
        if len(names) < seats:
            raise BadStudy(f"seating = 'all' needs {seats} agents or more, one for each seat")
        yield from permutations(names, seats)
    else:
        raise BadStudy(f"seating = {seating!r} is not possible: give {_KEYS['seating']}")


def _first_moves(group: Mapping[str, Any], start: State) -> list[tuple[str, ...]]:
    given = group.get("first_moves", [""])
    if given == "every":
        return [(text,) for text in different_moves(start)]
    if not isinstance(given, list) or not given or not all(isinstance(text, str) for text in given):
        raise BadStudy(f"first_moves = {given!r} is not possible: give {_KEYS['first_moves']}")
    found = [tuple(text.split()) for text in given]
    for moves in found:
        state = start
        for move in moves:
            state = state.play(move)
        if state.is_over:
            raise BadStudy(f"first_moves {' '.join(moves)!r}: the game is over after these")
    return found


def different_moves(start: State) -> dict[str, list[str]]:
    """The moves of a first position up to the board's symmetries: of those that are images of each other the first,
    with all of them."""
    if start.player is None or start.player < 0:
        raise BadStudy("first_moves = 'every' is for games that begin with a player's move")
    text, codes = start.variant.text, start.codes().tolist()
    alike = distinct_first_moves(start.variant, codes)
    return {text(first): [text(code) for code in images] for first, images in alike.items()}
