"""One game between agents, from its first position to its record."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from snakeden.agents import Agent, Choice
from snakeden.arena.engines import EngineAgent, EngineFailed, make
from snakeden.core.outcome import Withdrawal
from snakeden.core.state import State, new_game
from snakeden.records import Record, record, visits_text
from snakeden.search.thinking import Budget, Search

_OPENINGS = 64
"""How many openings are drawn at most for one that favours nobody; if none is found the one that favours least."""
_FAVOUR = 1.3
"""An opening favours a seat that is expected to win more than this many times its share of the games."""
_JUDGEMENT = Budget(simulations=4000)
_JUDGEMENT_MEMORY = 16 << 20
"""How long the search thinks about an opening, and in how much memory."""

Watch = Callable[[State, Choice], None]
"""Called with every choice of an agent, and the position in which it was made."""


@dataclass(frozen=True)
class GameSetup:
    """A game to be played: what, by whom, and with which random numbers."""

    game: str
    options: Mapping[str, Any]
    seating: tuple[str, ...]
    """Names of agents, one a seat."""
    seed: int = 0
    """What the record names as the seed."""
    dice_seed: str = "0"
    """Decides dice and random moves at the start: games with the same text have the same."""
    agent_seed: str = "0"
    """Decides what agents leave to chance."""
    opening: int | None = None
    """Random moves at the start; None for one, or none alone and where a game begins with dice."""
    balanced: bool = False
    """Whether random moves at the start are drawn again as long as they favour a seat."""
    first_moves: tuple[str, ...] = field(default=())
    """Moves played before anything else, as texts."""
    visits: bool = False
    """Whether the record says how often searches tried each move."""


def play_game(setup: GameSetup, watch: Watch | None = None) -> tuple[Record, tuple[str, ...]]:
    """Play a game to its end: its record, and how engines lost it, in words."""
    start = new_game(setup.game, **setup.options)
    game = _Game(setup, watch)
    try:
        game.play(start)
    finally:
        game.close()
    extra = {"Visits": game.visits_text()} if setup.visits and game.searched else {}
    kept = record(
        start, game.moves, seats=setup.seating, seed=setup.seed, withdrawn=game.withdrawn, extra=extra
    )
    if kept.outcome is None:
        raise RuntimeError("the game did not end")
    return kept, tuple(game.forfeits)


class _Game:
    """A game that is being played. An engine that fails has lost; where others go on, its seat plays at random."""

    def __init__(self, setup: GameSetup, watch: Watch | None) -> None:
        self._dice = random.Random(setup.dice_seed)
        self._opening, self._balanced = setup.opening, setup.balanced
        self._given, self._watch = setup.first_moves, watch
        self.moves: list[str] = []
        self._visits: dict[int, Mapping[int, int]] = {}  # by ply
        self.withdrawn: list[Withdrawal] = []
        self.forfeits: list[str] = []
        self._players = [
            make(name, seed=random.Random(f"{setup.agent_seed} {seat}").getrandbits(32))
            for seat, name in enumerate(setup.seating)
        ]
        for player in self._players:
            if isinstance(player, EngineAgent):
                player.history = self.moves

    def play(self, state: State) -> None:
        """Play to the end."""
        for text in self._given:
            self.moves.append(text)
            state = state.play(text)
        state = self._opened(state)
        while state.player is not None:
            if state.player < 0:
                move = state.roll(self._dice)
            else:
                try:
                    choice = self._players[state.player].choose(state)
                except EngineFailed as failure:
                    self._withdraw(state.player, failure)
                    if state.outcome(self.withdrawn) is not None:
                        return
                    continue
                if self._watch is not None:
                    self._watch(state, choice)
                move = choice.move
                self._visits[len(self.moves)] = choice.reasons.visits
            self.moves.append(move.text)
            state = state.play(move)

    def _opened(self, state: State) -> State:
        """The position after the random moves at the start."""
        opening = self._opening
        if opening is None:
            opening = 1 if state.seats > 1 and state.player is not None and state.player >= 0 else 0
        if opening == 0 or not self._balanced:
            return self._draw(state, opening)
        before = list(self.moves)
        found: list[tuple[float, list[str], State]] = []
        while len(found) < _OPENINGS and not (found and found[-1][0] <= _FAVOUR):
            self.moves[:] = before
            after = self._draw(state, opening)
            found.append((_favour(after), list(self.moves), after))
        _, self.moves[:], state = min(found, key=lambda each: each[0])
        return state

    def _draw(self, state: State, opening: int) -> State:
        """Play this many random moves, and roll the dice that come before and between them."""
        while opening > 0 and state.player is not None:
            if state.player < 0:
                move = state.roll(self._dice)
            else:
                move = self._dice.choice(state.legal_moves())
                opening -= 1
            self.moves.append(move.text)
            state = state.play(move)
        return state

    @property
    def searched(self) -> bool:
        """Whether anybody searched for a move."""
        return any(self._visits.values())

    def visits_text(self) -> str:
        """How often searches tried each move, as the record's header."""
        return visits_text(self._visits.get(ply, {}) for ply in range(len(self.moves)))

    def _withdraw(self, seat: int, failure: EngineFailed) -> None:
        self.forfeits.append(f"seat {seat}: {failure}")
        self.withdrawn.append(Withdrawal(seat, failure.cause))
        self._close(self._players[seat])
        self._players[seat] = make("random", seed=seat)

    def close(self) -> None:
        """End the engines."""
        for player in self._players:
            self._close(player)

    def _close(self, player: Agent) -> None:
        if isinstance(player, EngineAgent):
            player.close()


def _favour(state: State) -> float:
    """How many times its share of the games the seat wins that a position favours most, as the search sees it."""
    if state.player is None:
        return float(state.seats)
    if state.player < 0:
        return 1.0
    best = Search(state.variant, memory=_JUDGEMENT_MEMORY).think(state, _JUDGEMENT).lines[0]
    return state.seats * max(best.wins)
