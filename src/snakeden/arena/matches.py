"""Playing many games between agents: seats rotated, openings varied, one process a core, resumable."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from snakeden import agents
from snakeden.arena.engines import EngineAgent, EngineFailed, make
from snakeden.core.outcome import Withdrawal
from snakeden.core.state import State, new_game
from snakeden.records import check_seed, record


@dataclass(frozen=True)
class Match:
    """Who plays whom at what, how often."""

    agents: tuple[str, ...]
    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    games: int = 100
    """How many in all; rounded up so that everybody sits everywhere equally often."""
    seed: int = 0
    opening: int | None = None
    """Random moves at the start; None for one, or none alone and where a game begins with dice, as there no two games
    are alike. More would often decide a game before anybody has thought about it."""

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise ValueError("a match needs two agents or more")
        if len(set(self.agents)) < len(self.agents):
            raise ValueError("a match needs different agents; name each once")
        if self.games < 1:
            raise ValueError(f"a match of {self.games} games is none: give 1 or more")
        for name in self.agents:
            make(name)
        check_seed(self.seed)
        new_game(self.game, **self.options)

    def seatings(self) -> list[tuple[str, ...]]:
        """One round: who sits where in each of its games. In a game for one everybody plays it alone."""
        seats = new_game(self.game, **self.options).seats
        if seats == 1:
            return [(name,) for name in self.agents]
        if seats <= len(self.agents):
            groups = list(combinations(self.agents, seats))
        else:
            # Too few agents: each fills several chairs, in turn.
            groups = [
                tuple(self.agents[(seat + k) % len(self.agents)] for seat in range(seats))
                for k in range(len(self.agents))
            ]
        return [group[k:] + group[:k] for group in groups for k in range(seats)]

    def plan(self) -> list[Plan]:
        """Every game. A round shares its opening and dice, so that all have the same chances."""
        seatings = self.seatings()
        rounds = -(-self.games // len(seatings))
        return [
            Plan(number * len(seatings) + k, number, seating)
            for number in range(rounds)
            for k, seating in enumerate(seatings)
        ]

    def described(self) -> dict[str, Any]:
        """What must be the same for a stored run to be continued."""
        return {
            "agents": list(self.agents),
            "game": self.game,
            "options": {name: _plain(value) for name, value in self.options.items()},
            "seed": self.seed,
            "opening": self.opening,
        }


@dataclass(frozen=True)
class Plan:
    """One game to be played."""

    index: int
    round: int
    seating: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """One game that was played, or broke."""

    index: int
    round: int
    seating: tuple[str, ...]
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    record: str = ""
    error: str = ""
    """What broke it; then it counts for nobody."""
    forfeits: tuple[str, ...] = ()
    """How engines lost it: by a crash, an illegal move or too much time, in words."""


def play_all(
    match: Match, *, jobs: int | None = None, out: Path | None = None
) -> Generator[Played, None, None]:
    """Play a match, yielding each game as it ends; close the iterator to stop.

    With `out` every game is appended to that file as a line of JSON, and games that stand there already (of
    the same match) are not played again but yielded first.
    """
    done: dict[int, Played] = {}
    if out is not None:
        done = _stored(match, out)
        yield from done.values()
    left = [plan for plan in match.plan() if plan.index not in done]
    for played in _in_processes(match, left, jobs or os.cpu_count() or 1):
        if out is not None:
            with out.open("a") as file:
                file.write(json.dumps(asdict(played), ensure_ascii=False) + "\n")
        yield played


def play_one(match: Match, plan: Plan) -> Played:
    """Play one game; whatever goes wrong in it is told in the result."""
    try:
        start = new_game(match.game, **match.options)
        game = _Game(match, plan)
        try:
            game.play(start)
        finally:
            game.close()
        kept = record(start, game.moves, seats=plan.seating, seed=match.seed, withdrawn=game.withdrawn)
        if kept.outcome is None:
            raise RuntimeError("the game did not end")
        ended = kept.outcome
        return Played(
            plan.index,
            plan.round,
            plan.seating,
            ended.scores,
            ended.winners,
            kept.write(),
            forfeits=tuple(game.forfeits),
        )
    except Exception as error:
        return Played(plan.index, plan.round, plan.seating, error=f"{type(error).__name__}: {error}")


class _Game:
    """A game between the agents of a plan. An engine that fails has lost; where others go on, its seat plays at
    random."""

    def __init__(self, match: Match, plan: Plan) -> None:
        self._dice = random.Random(f"{match.seed} {plan.round}")
        self._opening = match.opening
        self.moves: list[str] = []
        self.withdrawn: list[Withdrawal] = []
        self.forfeits: list[str] = []
        self._players = [
            make(name, seed=random.Random(f"{match.seed} {plan.index} {seat}").getrandbits(32))
            for seat, name in enumerate(plan.seating)
        ]
        for player in self._players:
            if isinstance(player, EngineAgent):
                player.history = self.moves

    def play(self, state: State) -> None:
        """Play to the end."""
        opening = self._opening
        if opening is None:
            opening = 1 if state.seats > 1 and state.player is not None and state.player >= 0 else 0
        while state.player is not None:
            if state.player < 0:
                move = state.roll(self._dice)
            elif opening > 0:
                move = self._dice.choice(state.legal_moves())
                opening -= 1
            else:
                try:
                    move = self._players[state.player].choose(state).move
                except EngineFailed as failure:
                    self._withdraw(state.player, failure)
                    if state.outcome(self.withdrawn) is not None:
                        return
                    continue
            self.moves.append(move.text)
            state = state.play(move)

    def _withdraw(self, seat: int, failure: EngineFailed) -> None:
        self.forfeits.append(f"seat {seat}: {failure}")
        self.withdrawn.append(Withdrawal(seat, failure.cause))
        self._close(self._players[seat])
        self._players[seat] = make("random", seed=seat)

    def close(self) -> None:
        """End the engines."""
        for player in self._players:
            self._close(player)

    def _close(self, player: agents.Agent) -> None:
        if isinstance(player, EngineAgent):
            player.close()


def _in_processes(match: Match, plans: list[Plan], jobs: int) -> Iterator[Played]:
    """Each game in a process of a pool; a process that dies costs its games, not the run."""
    context = multiprocessing.get_context("spawn")
    waiting = list(reversed(plans))
    while waiting:
        running: dict[Future[Played], Plan] = {}
        with ProcessPoolExecutor(min(jobs, len(waiting)), mp_context=context) as pool:
            try:
                while waiting or running:
                    while waiting and len(running) < jobs:
                        # Taken off the list only when it is on its way: with a broken pool `submit` fails.
                        running[pool.submit(play_one, match, waiting[-1])] = waiting[-1]
                        waiting.pop()
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        played = future.result()
                        del running[future]
                        yield played
            except BrokenProcessPool:
                for future, plan in running.items():
                    if future.done() and future.exception() is None:
                        yield future.result()
                    else:
                        told = "the process that played it died"
                        yield Played(plan.index, plan.round, plan.seating, error=told)
            except BaseException:
                for process in list((pool._processes or {}).values()):
                    process.terminate()
                raise


def _stored(match: Match, out: Path) -> dict[int, Played]:
    """The games of this match that a file holds; a new file gets its first line."""
    if not out.exists() or not out.stat().st_size:
        out.write_text(json.dumps({"match": match.described()}) + "\n")
        return {}
    lines = out.read_text().splitlines()
    try:
        described = json.loads(lines[0])["match"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{out} is not a file of an arena: its first line names no match") from None
    if described != match.described():
        raise ValueError(f"{out} holds another match, {described}; continue that one or name another file")
    done = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            found = json.loads(line)
            sequences = {
                key: tuple(found.get(key, ())) for key in ("seating", "scores", "winners", "forfeits")
            }
            played = Played(**{**found, **sequences})
        except (ValueError, KeyError, TypeError):
            if number == len(lines):
                # The last line was cut short when the run was stopped.
                out.write_text("\n".join(lines[:-1]) + "\n")
                break
            raise ValueError(f"{out}, line {number}: this is not a game of an arena") from None
        if not played.error:
            done[played.index] = played
    return done


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
