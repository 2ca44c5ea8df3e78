"""How the chances went in a game that is over: an engine's short look at its positions, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

from snakeden.server.errors import Refused
from snakeden.server.fair import CLIENT
from snakeden.server.match import Match
from snakeden.server.page_engines import Thinker

MOST_POSITIONS = 40
"""Of a longer game so many positions are looked at, spread over it."""
AT_ONCE = 6
"""So many are looked at for one question; who wants the rest asks again."""


@dataclass
class Curve:
    """What is known so far of one game."""

    plies: list[int]
    """The plies after which it is, or will be, looked at; the last is the end."""
    wins: dict[int, list[float]] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return len(self.wins) == len(self.plies)


def new_curve(match: Match) -> Curve:
    """The positions in which somebody had a choice, at most so many, and the end."""
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
