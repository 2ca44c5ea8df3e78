"""A game being played: who sits where, what has been played, what the dice and the engines do in between."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from snakeden.agents import Agent, Choice, make
from snakeden.cli.output_files import write
from snakeden.core.game import CHANCE
from snakeden.core.moves import Move
from snakeden.core.outcome import Outcome, Withdrawal
from snakeden.core.setup import Setup
from snakeden.core.state import State
from snakeden.records import Record, record

HINTS = "best:time=1s"
"""Who is asked for a hint."""


@dataclass(frozen=True)
class Played:
    """A move that nobody at the keyboard made."""

    move: Move
    seat: int | None
    """None for dice."""
    words: tuple[str, ...] = ()
    """Why an engine played it."""


class Session:
    """A game in progress. Positions are kept, so that moves can be taken back."""

    def __init__(self, start: State, engines: dict[int, str], names: tuple[str, ...], seed: int) -> None:
        self.seed = seed
        self.names = names
        self.withdrawn: tuple[Withdrawal, ...] = ()
        self._first = start
        self._setup: Setup | None = None
        self._states = [start]
        self.moves: list[Move] = []
        self._engines: dict[int, Agent] = {
            seat: make(name, seed=seed + seat) for seat, name in engines.items()
        }
        self._by_hand: list[int] = []
        """How many moves there were before each move made at the keyboard."""

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome(self.withdrawn)

    @property
    def last(self) -> Move | None:
        return self.moves[-1] if self.moves else None

    @property
    def engines(self) -> dict[int, str]:
        """The engines' names by seat."""
        return {seat: agent.name for seat, agent in self._engines.items()}

    def name(self, seat: int) -> str:
        return self.names[seat]

    def _push(self, move: Move) -> None:
        self._states.append(self.state.play(move))
        self.moves.append(move)

    def replay(self, old: Record) -> None:
        """Play the moves of a record, as if they had all been made at the keyboard."""
        self.withdrawn = old.withdrawn
        self._setup = old.setup
        self._states = [old.state(0)]
        for text in old.moves:
            state = self.state
            if state.player != CHANCE and state.player not in self._engines:
                self._by_hand.append(len(self.moves))
            self._push(state.move(text))

    def go_on(self, thinking: Callable[[int], None] = lambda seat: None) -> Iterator[Played]:
        """Roll dice and let engines move until somebody at the keyboard is to move or the game is over.
        `thinking` is called before an engine begins."""
        while (player := self.state.player) is not None:
            if player == CHANCE:
                # The same roll comes again after a move has been taken back and made again.
                move = self.state.roll(random.Random(f"{self.seed} {len(self.moves)}"))
                self._push(move)
                yield Played(move, None)
            elif player in self._engines:
                thinking(player)
                choice = self._engines[player].choose(self.state)
                self._push(choice.move)
                yield Played(choice.move, player, tuple(map(str, choice.words(player))))
            else:
                return

    def play(self, text: str) -> Move:
        """Make a move at the keyboard; raises IllegalMove and changes nothing."""
        move = self.state.move(text)
        self._by_hand.append(len(self.moves))
        self._push(move)
        return move

    def undo(self) -> bool:
        """Take back the last move made at the keyboard and all that followed; False if there is none."""
        if not self._by_hand:
            return False
        kept = self._by_hand.pop()
        del self.moves[kept:], self._states[kept + 1 :]
        return True

    def hint(self) -> Choice:
        """What an engine would play for whoever is to move."""
        return make(HINTS, seed=self.seed).choose(self.state)

    def record(self) -> Record:
        return record(
            self._first,
            self.moves,
            setup=self._setup,
            seed=self.seed,
            seats=self.names,
            withdrawn=self.withdrawn,
        )

    def save(self, path: Path) -> None:
        """Write the record."""
        write(path, self.record().write().encode())
