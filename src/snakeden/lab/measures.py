"""What the games of a setting say about a game: who wins, how long it takes, and what playing it is like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from snakeden.lab.results import Row
from snakeden.lab.statistics import bootstrap, p_of_mean, wilson
from snakeden.lab.study import Setting

_SURE, _LOST = 0.75, 0.25
"""A seat is seen to win from this chance on, and to lose up to that."""


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """What was measured in one setting. What cannot be measured is None."""

    setting: Setting
    games: int
    points: tuple[Estimate, ...]
    """Per seat its share of the victories; shared ones count in parts."""
    unfair: float
    """How probable shares so far from equal are in a game that is fair."""
    shared: float
    """The share of games that several seats won together."""
    scores: tuple[Estimate, ...]
    """Per seat its mean score."""
    plies: Estimate
    branching: Estimate
    """Legal moves at a choice, the mean of the games' means."""
    settled: Estimate | None
    """After which part of a game its winner is seen to win, to the end."""
    comebacks: Estimate | None
    """The share of games whose winner was seen to lose once."""
    behind: Estimate | None
    """The share of games whose winner had the lower score in the middle."""
    matters: Estimate | None
    """The share of choices whose best move was clearly better than the second best."""


def summarised(setting: Setting, rows: Sequence[Row]) -> Summary:
    """The summary of a setting's games, of which there is at least one."""
    seats = len(setting.seating)
    points = [[row["points"][seat] for row in rows] for seat in range(seats)]
    won = [row for row in rows if seats == 2 and max(row["points"]) == 1]
    paths = [path for path in map(_winners_chances, won) if path]
    middles = [lead for lead in map(_lead_in_the_middle, won) if lead is not None]
    matters = [
        fmean(known)
        for known in ([float(m) for m in row["matters"] if m is not None] for row in rows)
        if known and seats > 1
    ]
    return Summary(
        setting,
        len(rows),
        tuple(_share(seat) for seat in points),
        min(1.0, seats * min(p_of_mean(seat, 1 / seats) for seat in points)) if seats > 1 else 1.0,
        fmean(max(row["points"]) < 1 for row in rows),
        tuple(_mean([row["scores"][seat] for row in rows]) for seat in range(seats)),
        _mean([row["plies"] for row in rows]),
        _mean([fmean(row["legal"]) for row in rows if row["legal"]] or [0.0]),
        _mean([_settled(path) for path in paths]) if paths else None,
        _share([float(min(path) <= _LOST) for path in paths]) if paths else None,
        _share([float(lead < 0) for lead in middles]) if middles else None,
        _mean(matters) if matters else None,
    )


def _share(values: Sequence[float]) -> Estimate:
    mean = fmean(values)
    return Estimate(mean, *wilson(mean, len(values)))


def _mean(values: Sequence[float]) -> Estimate:
    return Estimate(fmean(values), *bootstrap(values))


def _winners_chances(row: Row) -> list[float]:
    """The winner's chance as whoever moved saw it, at every choice where somebody looked ahead. For two seats."""
    winner = row["points"].index(1)
    return [
        chance if mover == winner else 1 - chance
        for mover, chance in zip(row["movers"], row["chances"], strict=True)
        if chance is not None
    ]


def _settled(path: Sequence[float]) -> float:
    last_doubt = max((k for k, chance in enumerate(path, 1) if chance < _SURE), default=0)
    return last_doubt / len(path)


def _lead_in_the_middle(row: Row) -> int | None:
    """The winner's lead in score at the middle of the game's choices, for two seats."""
    if not row["movers"]:
        return None
    middle = len(row["movers"]) // 2
    lead: int = row["leads"][middle]
    return lead if row["movers"][middle] == row["points"].index(1) else -lead


def grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each setting, by its key, in order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["setting"], []).append(row)
    return found
