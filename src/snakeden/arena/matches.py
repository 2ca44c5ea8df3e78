"""Playing many games between agents: seats rotated, openings varied, on all cores, resumable."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from snakeden import workers
from snakeden.arena.engines import make
from snakeden.arena.playing import GameSetup, play_game
from snakeden.core.state import new_game
from snakeden.records import check_seed


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
    balanced: bool = False
    """Whether openings are drawn again as long as a short search thinks that they favour a seat: one that decides the
    game says nothing about who plays better."""
    visits: bool = False
    """Whether records say how often searches tried each move."""

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
        kept = {name: True for name in ("balanced", "visits") if getattr(self, name)}
        return {
            "agents": list(self.agents),
            "game": self.game,
            "options": {name: _plain(value) for name, value in self.options.items()},
            "seed": self.seed,
            "opening": self.opening,
            **kept,
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
    match: Match, *, on: str = "local", jobs: int | None = None, out: Path | None = None
) -> Generator[Played, None, None]:
    """Play a match, yielding each game as it ends; close the iterator to stop. `on` says where, see `snakeden.workers`.

    With `out` every game is appended to that file as a line of JSON, and games that stand there already (of
    the same match) are not played again but yielded first.
    """
    done: dict[int, Played] = {}
    if out is not None:
        done = _stored(match, out)
        yield from done.values()
    left = [plan for plan in match.plan() if plan.index not in done]
    for task in workers.run(partial(play_one, match), left, on=on, jobs=jobs):
        plan = task.task
        played = task.result or Played(plan.index, plan.round, plan.seating, error=workers.DIED)
        if out is not None:
            with out.open("a") as file:
                file.write(json.dumps(asdict(played), ensure_ascii=False) + "\n")
        yield played


def play_one(match: Match, plan: Plan) -> Played:
    """Play one game; an error in it is part of the result."""
    try:
        kept, forfeits = play_game(
            GameSetup(
                match.game,
                match.options,
                plan.seating,
                seed=match.seed,
                dice_seed=f"{match.seed} {plan.round}",
                agent_seed=f"{match.seed} {plan.index}",
                opening=match.opening,
                balanced=match.balanced,
                visits=match.visits,
            )
        )
        assert kept.outcome is not None
        return Played(
            plan.index,
            plan.round,
            plan.seating,
            kept.outcome.scores,
            kept.outcome.winners,
            kept.write(),
            forfeits=forfeits,
        )
    except Exception as error:
        return Played(plan.index, plan.round, plan.seating, error=f"{type(error).__name__}: {error}")


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
