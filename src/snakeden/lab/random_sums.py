"""What is counted in random games, and what the sums say.

Sums are whole numbers: in any order, on any device, the same games give the same figures.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import gcd, lcm, sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from snakeden.core.outcome import victory_shares
from snakeden.lab.measures import Estimate
from snakeden.lab.statistics import Z

_PARTS = lcm(*range(1, 10))
"""Victories are counted in such parts of one, so that shared ones are whole numbers too."""


@dataclass
class _Ends:
    """How some games ended."""

    games: int = 0
    shortest: int = 0
    longest: int = 0
    scores: tuple[int, ...] = ()
    scores_squared: tuple[int, ...] = ()
    victory_parts: tuple[int, ...] = ()
    shared: int = 0

    def __add__(self, other: Self) -> Self:
        if not self.games:
            return other
        kept: dict[str, Any] = {
            name: tuple(map(sum, zip(one, two, strict=True))) if isinstance(one, tuple) else one + two
            for (name, one), two in zip(asdict(self).items(), asdict(other).values(), strict=True)
        }
        kept |= {
            "shortest": min(self.shortest, other.shortest),
            "longest": max(self.longest, other.longest),
        }
        return type(self)(**kept)


@dataclass
class Sums(_Ends):
    """What was counted in games that were stepped move by move."""

    moves: int = 0
    """Of players; dice are not counted."""
    moves_squared: int = 0
    choices: int = 0
    """The numbers of legal moves of all positions in which somebody moved."""
    choices_squared: int = 0
    """Of each game's sum."""
    choices_by_moves: int = 0


@dataclass
class PlayoutSums(_Ends):
    """What was counted in playouts: games that a kernel played from beginning to end."""

    plies: int = 0
    """Moves of players and rolls of dice."""
    plies_squared: int = 0


# ---- counting

LENGTHS = 2
"""The column of `block_rows` that has the sums of lengths."""


def block_rows(lengths: Any, scores: Any, block: int) -> Any:
    """int64[blocks, 5 + 3 * seats] the sums of blocks of games, of which lengths are [games] and scores [games, seats].
    Arrays of a GPU are added up there."""
    length, parts = lengths.astype(np.int64), np.rint(victory_shares(scores) * _PARTS).astype(np.int64)
    by_seat, score = parts.T, scores.T.astype(np.int64)
    is_shared = (by_seat.max(0) < _PARTS).astype(np.int64)
    summed = np.stack([length, length * length, is_shared, *score, *score * score, *by_seat])
    wanted = (("min", length[None]), ("max", length[None]), ("sum", summed))
    return np.concatenate([_by_block(how, values, block) for how, values in wanted]).T


def _by_block(how: str, values: Any, block: int) -> Any:
    """[columns, blocks] the least, the greatest or the sum of values [columns, games]. A few games at first: a GPU that
    makes only few numbers of many uses few of its threads. Numbers that are added up lie next to each other, which is
    how it reads fast."""
    few = gcd(block, 256)
    made = getattr(values.reshape(len(values), -1, few), how)(2)
    return getattr(made.reshape(len(values), -1, block // few), how)(2)


def _ends(rows: NDArray[np.int64], block: int) -> tuple[int, int, dict[str, Any]]:
    """Of rows of `block_rows`: the sum of lengths, that of their squares, and all that `_Ends` has."""
    total: list[int] = rows.sum(0).tolist()
    length, squared, shared = total[LENGTHS : LENGTHS + 3]
    scores, scores_squared, parts = zip(*[iter(total[5:])] * ((len(total) - 5) // 3), strict=True)
    return (
        length,
        squared,
        {
            "games": len(rows) * block,
            "shortest": int(rows[:, 0].min()),
            "longest": int(rows[:, 1].max()),
            "scores": scores,
            "scores_squared": scores_squared,
            "victory_parts": parts,
            "shared": shared,
        },
    )


def stepped_sums(lengths: NDArray[np.int64], choices: NDArray[np.int64], scores: NDArray[np.int64]) -> Sums:
    """lengths and choices are [n], scores [n, seats]."""
    moves, squared, ends = _ends(block_rows(lengths, scores, len(lengths)), len(lengths))
    return Sums(
        **ends,
        moves=moves,
        moves_squared=squared,
        choices=int(choices.sum()),
        choices_squared=int((choices**2).sum()),
        choices_by_moves=int((choices * lengths).sum()),
    )


def playout_sums(rows: NDArray[np.int64], block: int) -> PlayoutSums:
    """Of rows of `block_rows`."""
    plies, squared, ends = _ends(rows, block)
    return PlayoutSums(**ends, plies=plies, plies_squared=squared)


# ---- what the sums say, with intervals of 95 %


@dataclass(frozen=True)
class PlayoutFigures:
    """Of playouts."""

    games: int
    plies: int
    length: Estimate
    """Plies of a game."""
    shortest: int
    longest: int
    scores: tuple[Estimate, ...]
    """By seat."""
    points: tuple[Estimate, ...]
    """Shares of the victories, by seat; empty for one player."""
    shared: Estimate
    """The share of games with several winners."""


@dataclass(frozen=True)
class Figures:
    """Of games that were stepped."""

    games: int
    moves: int
    length: Estimate
    """Moves of a game."""
    shortest: int
    longest: int
    choices: Estimate
    """Legal moves of a position in which somebody moves."""
    scores: tuple[Estimate, ...]
    points: tuple[Estimate, ...]
    shared: Estimate


def figures(sums: Sums) -> Figures:
    """The means with their intervals."""
    return Figures(
        moves=sums.moves,
        length=_mean(sums.moves, sums.moves_squared, sums.games),
        choices=_choices(sums),
        **_end_figures(sums),
    )


def playout_figures(sums: PlayoutSums) -> PlayoutFigures:
    """The means with their intervals."""
    length = _mean(sums.plies, sums.plies_squared, sums.games)
    return PlayoutFigures(plies=sums.plies, length=length, **_end_figures(sums))


def _end_figures(sums: _Ends) -> dict[str, Any]:
    """What the figures of both kinds have."""
    n = sums.games
    points = tuple(_share(parts / _PARTS / n, n) for parts in sums.victory_parts)
    return {
        "games": n,
        "shortest": sums.shortest,
        "longest": sums.longest,
        "scores": tuple(
            _mean(total, squared, n) for total, squared in zip(sums.scores, sums.scores_squared, strict=True)
        ),
        "points": points if len(points) > 1 else (),
        "shared": _share(sums.shared / n, n),
    }


def _around(value: float, error: float) -> Estimate:
    return Estimate(value, value - Z * error, value + Z * error)


def _share(share: float, n: int) -> Estimate:
    """Of n games. Shared victories vary less than whole ones, so that the interval is wider than it has to be."""
    return _around(share, sqrt(share * (1 - share) / n))


def _mean(total: int, squared: int, n: int) -> Estimate:
    spread = max(0, squared * n - total * total) / (n * max(1, n - 1))
    return _around(total / n, sqrt(spread / n))


def _choices(sums: Sums) -> Estimate:
    """Choices per move. Positions of a game are alike, so that the error follows from whole games (delta method)."""
    ratio = sums.choices / sums.moves
    left = sums.choices_squared - 2 * ratio * sums.choices_by_moves + ratio**2 * sums.moves_squared
    return _around(ratio, sqrt(max(0.0, left)) / sums.moves)
