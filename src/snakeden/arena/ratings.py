"""What results say about strength: Elo ratings with error bars, and when a test may stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from snakeden.arena.matches import Played

_ELO = 400 / log(10)
"""Elo points in one natural unit of strength."""
_CERTAINTY = 1.96
"""Standard deviations in an error bar: 95 %."""
_PRIOR = 0.5
"""Draws that each pair is given beforehand, so that a clean sweep has a finite rating."""


@dataclass(frozen=True)
class Standing:
    """How one agent did. In a game of several, against everybody at the table."""

    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    share: float
    """Points a game."""
    share_error: float
    """Half of its 95 % interval."""
    elo: float
    elo_error: float
    mean_score: float
    score_error: float
    """Half of the 95 % interval of the mean score."""


def pairings(games: Iterable[Played]) -> list[tuple[str, str, float]]:
    """(a, b, points of a) for each comparison of two agents: at one table, or alone with the same dice."""
    games = [game for game in games if not game.error]
    found = []
    alone: dict[int, list[Played]] = {}
    for game in games:
        if len(game.seating) == 1:
            alone.setdefault(game.round, []).append(game)
            continue
        for i in range(len(game.seating)):
            for j in range(i):
                a, b = game.seating[i], game.seating[j]
                if a != b:
                    found.append((a, b, 0.5 + 0.5 * ((i in game.winners) - (j in game.winners))))
    for together in alone.values():
        for i, one in enumerate(together):
            for other in together[:i]:
                better = (one.scores[0] > other.scores[0]) - (one.scores[0] < other.scores[0])
                found.append((one.seating[0], other.seating[0], 0.5 + 0.5 * better))
    return found


def points_of(agent: str, games: Iterable[Played]) -> list[float]:
    """An agent's points, one number for each game, or alone for each round: where more than two sit at a table, the
    mean over its comparisons, which are not independent of each other."""
    together: dict[int, list[Played]] = {}
    for game in games:
        together.setdefault(game.round if len(game.seating) == 1 else game.index, []).append(game)
    found = []
    for compared in together.values():
        own = [won if a == agent else 1 - won for a, b, won in pairings(compared) if agent in (a, b)]
        if own:
            found.append(sum(own) / len(own))
    return found


def elo(agents: Sequence[str], results: Iterable[tuple[str, str, float]]) -> dict[str, tuple[float, float]]:
    """Per agent (rating, half of its 95 % interval), their mean 0: the most likely strengths (Bradley, Terry),
    with draws as half wins; the error from the curvature of the likelihood."""
    place = {name: i for i, name in enumerate(agents)}
    count = len(agents)
    points = np.full((count, count), _PRIOR / 2)
    np.fill_diagonal(points, 0)
    for a, b, won in results:
        points[place[a], place[b]] += won
        points[place[b], place[a]] += 1 - won
    played = points + points.T
    strength = np.zeros(count)
    centre = np.full((count, count), 1 / count)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (points - played * expected).sum(axis=1)
        weight = played * expected * (1 - expected)
        curvature = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.solve(curvature + centre, slope)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    spread = np.sqrt(np.diag(np.linalg.inv(curvature + centre) - centre))
    return {
        name: (float(_ELO * (strength[i] - strength.mean())), float(_CERTAINTY * _ELO * spread[i]))
        for name, i in place.items()
    }


def standings(agents: Sequence[str], games: Iterable[Played]) -> list[Standing]:
    """The table, best first. A shared victory is a draw and half a point; so is the same score alone."""
    games = [game for game in games if not game.error]
    results = pairings(games)
    ratings = elo(agents, results)
    found = []
    for name in agents:
        scores = [game.scores[seat] for game in games for seat, who in enumerate(game.seating) if who == name]
        wins = draws = losses = 0
        if all(len(game.seating) == 1 for game in games):
            own = [won if a == name else 1 - won for a, b, won in results if name in (a, b)]
            wins, draws, losses = own.count(1.0), own.count(0.5), own.count(0.0)
        else:
            for game in games:
                for seat, who in enumerate(game.seating):
                    if who == name:
                        wins += game.winners == (seat,)
                        draws += seat in game.winners and len(game.winners) > 1
                        losses += seat not in game.winners
        mean = float(np.mean(scores)) if scores else 0.0
        error = _CERTAINTY * float(np.std(scores, ddof=1)) / sqrt(len(scores)) if len(scores) > 1 else 0.0
        share = _share(wins, draws, losses)
        points = wins + draws / 2
        total = wins + draws + losses
        found.append(Standing(name, total, wins, draws, losses, points, *share, *ratings[name], mean, error))
    return sorted(found, key=lambda standing: -standing.elo)


def _share(wins: int, draws: int, losses: int) -> tuple[float, float]:
    """Points a game, and half of the 95 % interval. One more win and one more loss are added to the spread, so that
    a sweep is not taken for certainty."""
    games = wins + draws + losses
    if not games:
        return 0.0, 0.0
    mean = (wins + draws / 2) / games
    squares = (wins + 1) * (1 - mean) ** 2 + draws * (0.5 - mean) ** 2 + (losses + 1) * mean**2
    return mean, _CERTAINTY * sqrt(squares) / (games + 2)


def sprt(
    points: Sequence[float], elo0: float, elo1: float, *, alpha: float = 0.05, beta: float = 0.05
) -> int:
    """A sequential test of two hypotheses on the first agent's advantage over these games: 1 if elo1 is
    accepted, -1 if elo0 is, 0 to go on. (The likelihood ratio of a normal mean with the variance seen.)"""
    count = len(points)
    if count < 2:
        return 0
    mean = sum(points) / count
    # A sweep has no variance; one more draw says that there is some.
    variance = (sum((p - mean) ** 2 for p in points) + (0.5 - mean) ** 2) / count
    if variance == 0:
        return 0
    at0, at1 = (1 / (1 + 10 ** (-value / 400)) for value in (elo0, elo1))
    ratio = count * (at1 - at0) * (2 * mean - at0 - at1) / (2 * variance)
    if ratio >= log((1 - beta) / alpha):
        return 1
    return -1 if ratio <= log(beta / (1 - alpha)) else 0
