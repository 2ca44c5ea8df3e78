"""A position of any game: immutable, checks every move, and speaks the game's notation."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Mapping
from importlib import import_module
from operator import index
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from snakeden.core.errors import BadOption, BadText, IllegalMove
from snakeden.core.game import CHANCE, OVER, Variant, variant
from snakeden.core.moves import Move, MoveLike, Moves
from snakeden.core.outcome import Outcome, Withdrawal, decide
from snakeden.core.registry import game as find_game
from snakeden.words import Message


class Generator(Protocol):
    """What can roll dice: `random.Random` and whatever else has its `random()`."""

    def random(self) -> float: ...


class State:
    """One position of a game under given options.

    Made by `snakeden.new_game`, by `play`, or by `restore` from its text. Never changes.
    """

    __slots__ = ("_array", "_hash", "_legal", "_turn", "_variant")

    _variant: Variant
    _array: NDArray[Any]  # [tables.words], the game's dtype, settled; nobody writes to it
    _legal: NDArray[np.int32] | None  # the legal moves' numbers, ascending
    _turn: int | None  # what `rules.turn` says
    _hash: int | None

    def __init__(self, variant: Variant, array: NDArray[Any]) -> None:
        """Internal: `array` must be a settled position of the variant that nobody else writes to."""
        self._variant = variant
        self._array = array
        self._legal = None
        self._turn = None
        self._hash = None

    # -- what is being played

    @property
    def variant(self) -> Variant:
        """The game, its options and its tables."""
        return self._variant

    @property
    def game(self) -> str:
        """The game's id."""
        return self._variant.game.id

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option as it is played."""
        return self._variant.options

    @property
    def seats(self) -> int:
        """How many players there are."""
        return int(self._variant.tables.seats)

    def array(self) -> NDArray[Any]:
        """A copy of the position as the kernels see it."""
        return self._array.copy()

    # -- whose turn, and what can be done

    @property
    def player(self) -> int | None:
        """The seat to move, `CHANCE` at a roll of dice, None when the game is over."""
        if self._turn is None:
            self._turn = self._variant.program.turn(self._array)
        return None if self._turn == OVER else self._turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.player is None

    def codes(self) -> NDArray[np.int32]:
        """The numbers of the legal moves, or of the chance outcomes, ascending."""
        if self._legal is None:
            out = np.empty(self._variant.tables.most_moves, np.int32)
            count = self._variant.program.legal(self._array, out)
            self._legal = out[:count].copy()
            self._legal.flags.writeable = False
        return self._legal

    def legal_moves(self) -> Moves:
        """Every move of the player to move, by ascending code; empty at CHANCE and when over."""
        return Moves(self._variant, self.codes()[:0] if self.player == CHANCE else self.codes())

    def chance_moves(self) -> list[tuple[Move, float]]:
        """At CHANCE: every outcome and its probability; elsewhere nothing."""
        if self.player != CHANCE:
            return []
        return list(zip(Moves(self._variant, self.codes()), self._probabilities(), strict=True))

    def _probabilities(self) -> list[float]:
        codes = self.codes()
        out = np.empty(len(codes), np.float64)
        self._variant.program.weights(self._array, codes, out)
        return out.tolist()

    def move(self, move: MoveLike) -> Move:
        """The legal move that is meant; raises IllegalMove with the rule that forbids it."""
        return Move.of(self._variant, self._legal_code(move))

    def play(self, move: MoveLike) -> State:
        """The position after this move, given as a Move, its text or its number; raises IllegalMove and changes
        nothing if it is not allowed."""
        code = self._legal_code(move)
        array = self._array.copy()
        turn = self._variant.program.advance(array, code)
        after = State(self._variant, array)
        after._turn = turn
        return after

    def _legal_code(self, move: MoveLike) -> int:
        """The number of the move that is meant, if it is legal here; else raises IllegalMove."""
        if self.is_over:
            raise IllegalMove(Message("move.game_over", move=str(move)))
        tables, game = self._variant.tables, self._variant.game
        code = self._code(move)
        fault = self._variant.program.fault(self._array, code)
        if fault[0]:
            raise IllegalMove(game.notation.explain(tables, self._array, code, fault))
        return code

    def _code(self, move: MoveLike) -> int:
        """The number of the move that is meant, legal here or not; raises IllegalMove if it is none."""
        if isinstance(move, Move):
            if move.variant is self._variant:
                return move.code
            known = 0 <= move.code < self._variant.tables.actions
            if known and self._variant.text(move.code) == move.text:
                return move.code
            move = move.text
        if isinstance(move, str):
            code: int = self._variant.game.notation.parse(self._variant.tables, self._array, move)
            return code
        if isinstance(move, bool) or not hasattr(move, "__index__"):
            raise IllegalMove(Message("move.no_move", kind=type(move).__name__))
        number, actions = index(move), int(self._variant.tables.actions)
        if not 0 <= number < actions:
            raise IllegalMove(Message("move.no_number", n=number, last=actions - 1))
        return number

    def roll(self, generator: Generator) -> Move:
        """At CHANCE: an outcome drawn with this generator, by its probability. Play it to go on."""
        if self.player != CHANCE:
            raise IllegalMove(Message("move.nothing_to_roll"))
        left = generator.random()
        outcomes = self.codes().tolist()
        for code, probability in zip(outcomes, self._probabilities(), strict=True):
            left -= probability
            if left < 0:
                return Move.of(self._variant, code)
        return Move.of(self._variant, outcomes[-1])

    # -- how it stands

    def scores(self) -> tuple[int, ...]:
        """One number a seat, as if the game ended here."""
        out = np.zeros(self.seats, np.int64)
        self._variant.program.scores(self._array, out)
        return tuple(out.tolist())

    def winners(self) -> tuple[int, ...]:
        """The seats that won, all who share the victory; empty while the game runs."""
        outcome = self.outcome()
        return outcome.winners if outcome else ()

    def outcome(self, withdrawn: Iterable[Withdrawal] = (), *, agreed: bool = False) -> Outcome | None:
        """How the game ended, None while it runs.

        What happened off the board is passed in: the seats that resigned or ran out of time, in order, and whether
        those who are left agreed to share the victory.
        """
        withdrawn = tuple(withdrawn)
        finished = self.is_over
        if not (finished or withdrawn or agreed):
            return None
        return decide(self.scores(), finished=finished, withdrawn=withdrawn, agreed=agreed)

    # -- pictures

    def svg(
        self,
        last_move: Move | str | None = None,
        highlight: Move | str | None = None,
        candidates: Iterable[tuple[Move | str, float]] = (),
        names: tuple[str, ...] = (),
        theme: str = "light",
        outcome: Outcome | None = None,
    ) -> str:
        """The position as an SVG picture; with the move that led here, one pointed at, and moves considered,
        each with a weight of up to 1. `outcome` is for a game that did not end on the board alone."""
        # Drawing stands above the core and is found only when it is asked for.
        scene = self._variant.game.view.scene(self, last_move, highlight, candidates, names, outcome)
        picture: str = import_module("snakeden.drawing.svg").svg(scene, theme)
        return picture

    def _repr_svg_(self) -> str:
        return self.svg()

    # -- identity and text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (
            self.game == other.game
            and self.options == other.options
            and bool(np.array_equal(self._array, other._array))
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.game, self._array.tobytes()))
        return self._hash

    @property
    def text(self) -> str:
        """This position in one line: game, rules version, options that are not the default, position.

        `snakeden.restore` makes the state again.
        """
        game = self._variant.game
        options = [f"{name}={game.option(name).write(value)}" for name, value in self._variant.given.items()]
        head = " ".join([game.id, f"v{game.rules_version}", *options])
        little = self._array.astype(self._array.dtype.newbyteorder("<")).tobytes()
        sealed = _seal(head, little) + zlib.compress(little, 9)
        return f"{head} {base64.urlsafe_b64encode(sealed).decode()}"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return restore, (self.text,)

    def __repr__(self) -> str:
        return f"<State {self.text}>"


def _seal(head: str, position: bytes) -> bytes:
    """A check sum over all that a state's text says."""
    return zlib.crc32(position, zlib.crc32(head.encode())).to_bytes(4, "little")


def new_game(game: str, **options: Any) -> State:
    """The first position of a game; options are keyword arguments, and one that takes a file may be its path.
    Raises BadOption."""
    found = find_game(game)
    takes_file = {option.name: option for option in found.options if option.from_file is not None}
    opened = {
        name: takes_file[name].opened(value) if name in takes_file else value
        for name, value in options.items()
    }
    chosen = variant(found, opened)
    return State(chosen, chosen.game.rules.opening(chosen.tables))


def restore(text: str) -> State:
    """The state whose `text` this is; raises BadText."""
    parts = text.split()
    if len(parts) < 3:
        raise BadText(Message("state.too_short"))
    try:
        game = find_game(parts[0])
        if parts[1] != f"v{game.rules_version}":
            raise BadText(Message("state.other_rules", old=parts[1], new=f"v{game.rules_version}"))
        given = dict(part.partition("=")[::2] for part in parts[2:-1])
        for name in given:
            if name not in {option.name for option in game.options}:
                raise BadText(Message("state.no_option", game=game.id, name=repr(name)))
        chosen = variant(game, {name: game.option(name).read(value) for name, value in given.items()})
    except BadOption as error:
        raise BadText(error.message) from None
    dtype = np.dtype(game.rules.DTYPE)
    wanted = chosen.tables.words * dtype.itemsize
    try:
        sealed = base64.b64decode(parts[-1], altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        little = unpacker.decompress(sealed[4:], wanted + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise BadText(Message("state.not_unpacked")) from None
    if len(little) != wanted or _seal(" ".join(parts[:-1]), little) != sealed[:4]:
        raise BadText(Message("state.wrong_sum"))
    array = np.frombuffer(little, dtype.newbyteorder("<")).astype(dtype)
    return State(chosen, array)
