"""How the chances went in a game that is over, and what the engines that played would have played at their best: an
engine's short look at its positions, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from snakeden.server.errors import Refused
from snakeden.server.fair import CLIENT
from snakeden.server.match import Match
from snakeden.server.page_engines import Thinker

MOST_POSITIONS = 40
"""Of a longer game this many positions are looked at, spread over it."""
AT_ONCE = 6
"""This many are looked at for one question; who wants the rest asks again."""
_WORTH_TELLING = 0.1
"""A better move is told if the chance to win fell by this much."""
_MOST_TOLD = 3


@dataclass
class Curve:
    """What is known so far of one game."""

    plies: list[int]
    """The plies after which it is, or will be, looked at; the last is the end."""
    wins: dict[int, list[float]] = field(default_factory=dict)
    best: dict[int, str] = field(default_factory=dict)
    """The best move of each position but the last."""

    @property
    def complete(self) -> bool:
        return len(self.wins) == len(self.plies)


def new_curve(match: Match) -> Curve:
    """The positions in which somebody had a choice, at most this many, and the end."""
    assert match.outcome is not None
    count, winners = match.line.count, match.outcome.winners
    decided = [ply for ply, made in enumerate(match.line.plies()) if made.seat is not None]
    step = max(1.0, len(decided) / (MOST_POSITIONS - 1))
    chosen = [decided[int(n * step)] for n in range(min(len(decided), MOST_POSITIONS - 1))]
    last = [1.0 / len(winners) if seat in winners else 0.0 for seat in range(len(match.seats))]
    return Curve([*chosen, count], {count: last})


async def lengthen(curve: Curve, match: Match, engines: Thinker, agent: str) -> None:
    """Look at the next few positions, as long as no engine has anything else to do."""
    missing = [ply for ply in curve.plies if ply not in curve.wins][:AT_ONCE]
    for ply in missing:
        if not agent or not engines.idle:
            return
        try:
            found = await engines.choose(match.line.back_to(ply).state, agent, client=CLIENT.get())
        except Refused:
            return
        curve.wins[ply] = found["lines"][0]["wins"]
        curve.best[ply] = found["move"]


class Better(NamedTuple):
    """A move of an engine, and what it would have played at its best."""

    ply: int
    seat: int
    move: str
    better: str


def better_moves(curve: Curve, match: Match) -> list[Better]:
    """Where engines let their chances fall most, in the order of the game; nothing until all is looked at."""
    if not curve.complete:
        return []
    plies = match.line.plies()
    found: list[tuple[float, Better]] = []
    for ply, after in pairwise(curve.plies):
        seat, move = plies[ply]
        if seat is None or match.seats[seat].kind != "engine" or curve.best[ply] == move:
            continue
        if after > ply + 1:  # others moved or dice fell in between
            continue
        fell = curve.wins[ply][seat] - curve.wins[after][seat]
        if fell >= _WORTH_TELLING:
            found.append((fell, Better(ply, seat, move, curve.best[ply])))
    worst = sorted(found, reverse=True)[:_MOST_TOLD]
    return sorted(better for _, better in worst)
