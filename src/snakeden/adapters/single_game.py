"""One game played by action numbers, for the adapters that play one at a time: no texts, a kernel call a turn."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.adapters.batch import streams
from snakeden.core.errors import BadOption, IllegalMove
from snakeden.core.game import OVER, Variant
from snakeden.core.learning import LIST, START, observation
from snakeden.core.state import State, new_game, restore
from snakeden.programs import compiled
from snakeden.programs.observer import Observer


class SingleGame:
    """A game in progress. Dice are rolled inside, by a stream of random numbers that `seed` sets. It can be copied and
    pickled."""

    player: int
    """The seat to move, or OVER."""

    _ARRAYS = ("_states", "_rngs", "_moves", "_flags", "_count", "_turn", "_scores")

    def __init__(self, variant: Variant) -> None:
        """There is no position before `begin`."""
        self.variant = variant
        tables, study = variant.tables, observation(variant.game)
        self.actions, self.seats = int(tables.actions), int(tables.seats)
        self.last_action = -1
        self._tables = tables
        self._program = compiled(variant, "batch")
        flags = hasattr(study, "mask")
        opening = variant.game.rules.opening(tables)
        # Arrays as of a batch with one game: see `batch_entries.make_step`.
        self._states = np.zeros((1, tables.words), opening.dtype)
        self._array = self._states[0]
        self._rngs = streams(secrets.randbits(63), 1)
        self._chosen = np.zeros(1, np.int32)
        self._moves = np.zeros((1, 0 if flags else tables.most_moves), np.int32)
        self._flags = np.zeros((1, self.actions), np.uint8)
        self._mask = self._flags[0].view(np.int8)
        self._count = np.zeros(1, np.int32)
        self._turn = np.zeros(1, np.int8)
        self._scores = np.zeros((1, self.seats), np.int64)
        over, last = np.zeros(1, np.bool_), np.zeros((1, 0), opening.dtype)
        step = self._program.step_masks if flags else self._program.step_lists
        arguments: tuple[Any, ...] = (
            opening,
            self._states,
            self._rngs,
            self._chosen,
            self._moves,
            self._flags,
        )
        arguments += (self._count, self._turn, over, self._scores, last, False, 0, 1)
        self._step = step.prepared(*arguments)
        observer = Observer(variant, self._program, 1)
        self.shape = observer.shape
        """(planes, rows, columns) of an observation."""
        self._seat, self._seen = np.zeros(1, np.int8), np.zeros((1, *self.shape), np.float32)
        self._look = observer.prepared(self._states, self._seat, self._seen)
        self._count_scores = self._program.score_games.prepared(self._states, self._scores, 0, 1)

    def seed(self, seed: int) -> None:
        """Set the streams of random numbers."""
        self._rngs[:] = streams(seed, 1)

    def begin(self, state: State | None = None) -> None:
        """Start from the first position, or from another of the same variant."""
        if state is not None:
            self._array[:] = state.array()
        self._go_on(START if state is None else LIST)
        self.last_action = -1

    def play(self, action: int) -> None:
        """Play a legal action; raises IllegalMove with the rule that forbids it, and plays nothing."""
        if self.player == OVER or not 0 <= action < self.actions or not self._mask[action]:
            self._refuse(action)
        self._go_on(action)
        self.last_action = action

    def _go_on(self, action: int) -> None:
        self._chosen[0] = action
        self._step()
        self.player = int(self._turn[0])

    def _refuse(self, action: int) -> None:
        if self.player == OVER:
            raise IllegalMove(f"action {action} cannot be played: the game is over")
        if not 0 <= action < self.actions:
            raise IllegalMove(f"there is no action {action}; actions are numbered 0 to {self.actions - 1}")
        fault = self.variant.program.fault(self._array, action)
        raise IllegalMove(self.variant.game.notation.explain(self._tables, self._array, action, fault))

    def sample(self) -> int:
        """A legal action, uniformly at random."""
        out = np.empty(1, np.int32)
        every = np.ones(1, np.bool_)
        self._program.draw_actions(self._rngs, self._moves, self._flags, self._count, every, out, 0, 1)
        return int(out[0])

    def mask(self) -> NDArray[np.int8]:
        """[actions] 1 for each legal action of the seat to move; all 1 when the game is over."""
        copied: NDArray[np.int8] = self._mask.copy()
        return copied

    def observe(self, seat: int) -> NDArray[np.float32]:
        """[planes, rows, columns] the position as a seat sees it."""
        self._seat[0] = seat
        self._look()
        seen: NDArray[np.float32] = self._seen[0].copy()
        return seen

    def scores(self) -> list[int]:
        """One number a seat, as if the game ended here."""
        self._count_scores()
        found: list[int] = self._scores[0].tolist()
        return found

    def __getstate__(self) -> dict[str, Any]:
        made = (self.variant.game.id, dict(self.variant.given))
        begun = {name: getattr(self, name) for name in ("player", "last_action") if hasattr(self, name)}
        return {"made": made, "begun": begun, "arrays": {name: getattr(self, name) for name in self._ARRAYS}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        game, options = kept["made"]
        self.__init__(new_game(game, **options).variant)  # type: ignore[misc]
        vars(self).update(kept["begun"])
        # The arrays stay where they are: the calls prepared above know their addresses.
        for name, array in kept["arrays"].items():
            getattr(self, name)[:] = array

    def state(self) -> State:
        """The position, as the rest of Snakeden knows it."""
        return State(self.variant, self._array.copy())

    def last_text(self) -> str | None:
        """The notation of the last action; None before the first."""
        if self.last_action < 0:
            return None
        text: str = self.variant.game.notation.text(self._tables, self.last_action)
        return text


def start_of(options: Mapping[str, Any] | None, variant: Variant) -> State | None:
    """The position that `reset(options={"state": …})` asks for, a State or its text; None for the first one."""
    given = (options or {}).get("state")
    if given is None:
        return None
    state = restore(given) if isinstance(given, str) else given
    if not isinstance(state, State) or state.variant is not variant:
        raise BadOption(
            f"options['state'] is a state of {variant.game.id} under the same options, or its text"
        )
    if state.is_over:
        raise BadOption("options['state'] is a game that is over: give one that can go on")
    return state
