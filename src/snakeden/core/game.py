"""What a game's folder offers to the rest of Snakeden.

A game is a `Game` value: plain data, so that listing the games loads nothing heavy. Its package holds
modules that are loaded when they are first needed:

`rules`: the rules, once, as kernels over a state of fixed width.

    DTYPE                        the dtype of a state's array
    tables(options) -> Tables    a NamedTuple of constants and lookup tables for these options; generic code
                                 reads its fields `seats` (how many), `words` (length of a state array),
                                 `key_words` (a state's first words, which alone decide how the game goes on;
                                 words behind them serve the eye), `actions` (how many action numbers there
                                 are) and `most_moves` (the length of the array that `legal` asks for)
    opening(tables) -> array     the first position

    turn(t, s) -> int            seat to move, CHANCE or OVER; of a settled state
    legal(t, s, out) -> int      settles; writes the legal moves' (or chance outcomes') numbers in ascending
                                 order to out (int32[most_moves]) and returns how many; 0 if over
    fault(t, s, move) -> 3 ints  (0, 0, 0) if the move (0 <= move < actions) is legal in this settled state,
                                 else a reason and two details for `notation.explain`
    apply(t, s, move)            plays a legal move in place, unchecked; the state may be unsettled after it
    settle(t, s)                 passes over seats that cannot move and finds the end of the game
    sample(t, s, rng) -> rng, m  settles; a legal move, uniformly at random, or a chance outcome by its
                                 probability; m = -1 if over
    weight(t, s, move) -> float  the probability of a chance outcome
    scores(t, s, out)            writes one score a seat to out (int64[seats])

`notation`: text(tables, move) -> str, parse(tables, state_array, text) -> int (raises UnreadableMove or
IllegalMove), explain(tables, state_array, move, fault) -> Message, piece(tables, text) -> str | None: the tile, card or
power that a move uses, for statistics; None for a roll. Where notation is no name that people would use:
spoken(text) -> Message, the move in words.

`view`, which speaks in the words of `snakeden.drawing.scene`:

    scene(state, last_move=None, highlight=None, candidates=(), names=()) -> Scene
                                 the position; with the move that led to it, one pointed at, moves considered
                                 as (move, weight up to 1), and the players' names by seat
    move_targets(state) -> tuple of Target, one a legal move: what to point at to make it
    prompt(state) -> Prompt      what the player to move is asked, and the actions that targets are made by
    pointed(state, piece, turn, places) -> str
                                 the notation of a piece held over places, legal or not; empty if it is none

`printed`: pages(variant, paper, language) -> tuple of Page of `snakeden.drawing.pages`, all there is to print and play.

`reasons`, which a game need not have:

    reasons(state, move) -> tuple of Message
                                 what a legal move (a Move) does, in short phrases for who makes it and without a
                                 full stop: "joins your two snakes: 14 cells", "keeps Blue from f6"

What a game says is a message (`snakeden.words`): a key, which begins with the name of the game's folder or its id, and
arguments. The templates are in the catalogue of each language.

`levels`, which a game need not have: levels(variant) -> the names of the agents that its levels stand for, from
beginner to best; see `snakeden.agents.levels`.

`observation` and `symmetry`: the position as numbers, for those who learn; see `core.learning`.

A kernel keeps to what Numba compiles for a CPU and for CUDA alike: numbers and tuples in and out, no
allocation, no exceptions, tables and randomness passed in, unsigned values kept unsigned.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import MappingProxyType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

from snakeden.core.errors import BadOption
from snakeden.core.options import Option, checked
from snakeden.words import Message, Text

CHANCE = -1
"""`State.player` where dice decide."""
OVER = -2
"""What `rules.turn` says of a finished game; `State.player` is None there."""


_TEXTS_KEPT = 1 << 14
"""How many moves' texts a variant remembers: more than most positions have moves, some megabytes at most."""


def keep_options(options: dict[str, Any], given: frozenset[str]) -> dict[str, Any]:
    """The `resolve` of a game whose options do not depend on each other."""
    return options


@dataclass(frozen=True)
class Game:
    """A game, as data."""

    id: str
    name: str
    rules_version: int
    """Raised whenever the same moves could mean another game."""
    package: str
    options: tuple[Option, ...]
    resolve: Callable[[dict[str, Any], frozenset[str]], dict[str, Any]] = field(
        default=keep_options, repr=False
    )
    """(all options with defaults filled in, names of those given) -> the options played; raises BadOption
    where options do not go together."""
    bench_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The options that benchmarks play."""
    program_options: tuple[Mapping[str, Any], ...] = field(default=({},), hash=False)
    """Options of which each needs a program of its own; together these programs play every variant."""
    chance: bool = False
    """Whether dice decide anything in it."""
    equivalent_moves: str = ""
    """Which different moves may lead to the same position, if any do."""

    @property
    def blurb(self) -> Message:
        """One sentence for somebody who has never heard of it."""
        return Message(f"{self.id}.blurb")

    @property
    def credits(self) -> Message:
        """Who made it."""
        return Message(f"{self.id}.credits")

    @cached_property
    def rules(self) -> ModuleType:
        return import_module(f"{self.package}.kernels.rules")

    @cached_property
    def notation(self) -> ModuleType:
        return import_module(f"{self.package}.notation")

    @property
    def view(self) -> ModuleType:
        return import_module(f"{self.package}.view")

    @property
    def printed(self) -> ModuleType:
        return import_module(f"{self.package}.printed")

    def part(self, name: str) -> ModuleType | None:
        """A module of the game's folder that it need not have; None where it has none."""
        return _part(f"{self.package}.{name}")

    def option(self, name: str) -> Option:
        return next(option for option in self.options if option.name == name)

    def spoken(self, move: str) -> Text:
        """A move, given in notation, as people say it."""
        said: Text = self.notation.spoken(move) if hasattr(self.notation, "spoken") else move
        return said

    def possible(self, given: Mapping[str, Any]) -> dict[str, list[Any]]:
        """For each option the values, of those that can be listed, that go together with the other given options;
        raises BadOption."""
        known = checked(self.id, self.options, given)
        return {
            option.name: [value for value in option.values() if self._goes(known, option, value)]
            for option in self.options
        }

    def _goes(self, known: Mapping[str, Any], option: Option, value: Any) -> bool:
        named = {name: held for name, held in known.items() if name != option.name}
        if value != option.default:
            named[option.name] = value
        try:
            self.resolve({o.name: named.get(o.name, o.default) for o in self.options}, frozenset(named))
        except BadOption:
            return False
        return True


@cache
def _part(module: str) -> ModuleType | None:
    return import_module(module) if find_spec(module) is not None else None


@dataclass(frozen=True, eq=False)
class Variant:
    """A game under one choice of options, with the tables its kernels need. One object per choice."""

    game: Game
    given: Mapping[str, Any]
    """The options that differ from the default, in the game's order: enough to make this variant again."""
    options: Mapping[str, Any]
    """Every option as it is played."""
    tables: Any

    @cached_property
    def bytes(self) -> int:
        """The size of the tables."""
        return sum(getattr(table, "nbytes", 0) for table in self.tables)

    @cached_property
    def text(self) -> Callable[[int], str]:
        """The function that gives the notation of the move of a number."""
        return lru_cache(_TEXTS_KEPT)(partial(self.game.notation.text, self.tables))

    @property
    def program(self) -> Any:
        """The variant's rules and search, compiled: a `snakeden.programs.Program`."""
        return self._shared()

    @cached_property
    def _shared(self) -> Any:
        # Programs stand above the core and are found only when something is played.
        return import_module("snakeden.programs").Shared(self)


def variant(game: Game, given: Mapping[str, Any]) -> Variant:
    """The game under these options; raises BadOption."""
    values = checked(game.id, game.options, given)
    return _kept(game, tuple(values.items()))


_KEPT_VARIANTS, _KEPT_BYTES = 64, 32 << 20
"""How many variants are remembered at most, and how many bytes of tables. Those of the largest boards have megabytes,
and what is made of them takes twice as much again."""
_Asked = tuple[Game, tuple[tuple[str, Any], ...]]
_variants: OrderedDict[_Asked, Variant] = OrderedDict()
_alive: WeakValueDictionary[_Asked, Variant] = WeakValueDictionary()
"""All that somebody has: the same options are the same variant as long as it is there."""
_keeping = Lock()


def _kept(game: Game, values: tuple[tuple[str, Any], ...]) -> Variant:
    """The variant of these options; the last ones asked for are remembered."""
    asked = (game, values)
    with _keeping:
        if asked in _variants:
            _variants.move_to_end(asked)
            return _variants[asked]
    made = _alive.get(asked) or _variant(game, values)
    with _keeping:
        kept = _variants[asked] = _alive.setdefault(asked, made)
        while len(_variants) > _KEPT_VARIANTS or (
            len(_variants) > 1 and sum(one.bytes for one in _variants.values()) > _KEPT_BYTES
        ):
            _variants.popitem(last=False)
    return kept


def _variant(game: Game, values: tuple[tuple[str, Any], ...]) -> Variant:
    named = dict(values)
    options = game.resolve({o.name: named.get(o.name, o.default) for o in game.options}, frozenset(named))
    differing = tuple(
        (o.name, named[o.name]) for o in game.options if o.name in named and named[o.name] != o.default
    )
    if differing != values:
        return _kept(game, differing)
    return Variant(game, MappingProxyType(named), MappingProxyType(options), game.rules.tables(options))
