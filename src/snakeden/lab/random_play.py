"""Games in which everybody moves at random: how long they are, how many moves there are to choose from, how they end.

Games are played in blocks, each to its end, so that long games count as much as short ones. The sums of a block follow
from its seed alone, and are whole numbers: in any order, on any device, the same blocks give the same figures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import lcm, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.adapters.batch import Device, batch
from snakeden.core.errors import BadOption
from snakeden.core.game import OVER, Variant
from snakeden.core.learning import KEEP
from snakeden.core.outcome import victory_shares
from snakeden.lab.measures import Estimate
from snakeden.lab.statistics import Z

_PARTS = lcm(*range(1, 10))
"""Victories are counted in such parts of one, so that shared ones are whole numbers too."""


@dataclass
class Sums:
    """What was counted in some games."""

    games: int = 0
    moves: int = 0
    """Of players; dice are not counted."""
    moves_squared: int = 0
    choices: int = 0
    """The numbers of legal moves of all positions in which somebody moved."""
    choices_squared: int = 0
    """Of each game's sum."""
    choices_by_moves: int = 0
    shortest: int = 0
    longest: int = 0
    scores: tuple[int, ...] = ()
    scores_squared: tuple[int, ...] = ()
    victory_parts: tuple[int, ...] = ()
    shared: int = 0

    def __add__(self, other: Sums) -> Sums:
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
        return Sums(**kept)


@dataclass(frozen=True)
class Kept:
    """What was asked for, and what was counted so far."""

    game: str
    rules: int
    """The version of the game's rules."""
    options: Mapping[str, str]
    block: int
    """Games of a block."""
    seed: int
    blocks: int = 0
    sums: Sums = field(default_factory=Sums)


@dataclass(frozen=True)
class Figures:
    """What the sums say, with intervals of 95 %."""

    games: int
    moves: int
    length: Estimate
    """Moves of a game."""
    shortest: int
    longest: int
    choices: Estimate
    """Legal moves of a position in which somebody moves."""
    scores: tuple[Estimate, ...]
    """By seat."""
    points: tuple[Estimate, ...]
    """Shares of the victories, by seat; empty for one player."""
    shared: float
    """The share of games with several winners."""


def play_block(variant: Variant, n: int, seed: int, device: Device = "cpu") -> Sums:
    """Play n games to their ends."""
    games = batch(
        variant.game.id, n, seed, legal="list", autoreset=False, device=device, **dict(variant.given)
    )
    lengths, choices = games.player.astype(np.int64) * 0, games.counts.astype(np.int64) * 0
    while (playing := games.player != OVER).any():
        lengths += playing
        choices += games.counts  # 0 where a game is over
        games.step_unchecked(np.where(playing, games.sample(), np.int32(KEEP)))
    return _summed(*(games.to_numpy(array) for array in (lengths, choices, games.scores)))


def _summed(lengths: NDArray[np.int64], choices: NDArray[np.int64], scores: NDArray[np.int64]) -> Sums:
    """lengths and choices are [n], scores [n, seats]."""
    shares = victory_shares(scores)
    parts = np.rint(shares * _PARTS).astype(np.int64)
    return Sums(
        games=len(lengths),
        moves=int(lengths.sum()),
        moves_squared=int((lengths**2).sum()),
        choices=int(choices.sum()),
        choices_squared=int((choices**2).sum()),
        choices_by_moves=int((choices * lengths).sum()),
        shortest=int(lengths.min()),
        longest=int(lengths.max()),
        scores=tuple(scores.sum(0).tolist()),
        scores_squared=tuple((scores**2).sum(0).tolist()),
        victory_parts=tuple(parts.sum(0).tolist()),
        shared=int((shares.max(1) < 1).sum()),
    )


def figures(sums: Sums) -> Figures:
    """The means with their intervals."""
    n = sums.games
    points = [parts / _PARTS / n for parts in sums.victory_parts]
    return Figures(
        games=n,
        moves=sums.moves,
        length=_mean(sums.moves, sums.moves_squared, n),
        shortest=sums.shortest,
        longest=sums.longest,
        choices=_choices(sums),
        scores=tuple(
            _mean(total, squared, n) for total, squared in zip(sums.scores, sums.scores_squared, strict=True)
        ),
        # Shared victories vary less than whole ones, so that the interval is wider than it would have to be.
        points=tuple(_around(share, sqrt(share * (1 - share) / n)) for share in points)
        if len(points) > 1
        else (),
        shared=sums.shared / n,
    )


def _around(value: float, error: float) -> Estimate:
    return Estimate(value, value - Z * error, value + Z * error)


def _mean(total: int, squared: int, n: int) -> Estimate:
    spread = max(0, squared * n - total * total) / (n * max(1, n - 1))
    return _around(total / n, sqrt(spread / n))


def _choices(sums: Sums) -> Estimate:
    """Choices per move. Positions of a game are alike, so that the error follows from whole games (delta method)."""
    ratio = sums.choices / sums.moves
    left = sums.choices_squared - 2 * ratio * sums.choices_by_moves + ratio**2 * sums.moves_squared
    return _around(ratio, sqrt(max(0.0, left)) / sums.moves)


def play(
    variant: Variant,
    moves: int,
    *,
    block: int = 65_536,
    seed: int = 0,
    device: Device = "cpu",
    keep: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Sums:
    """Play blocks of games until there are so many moves. With `keep`, sums are kept in that file after every block,
    and a run that was interrupted goes on from there; raises BadOption if the file is of something else."""
    options = {k: variant.game.option(k).write(v) for k, v in variant.given.items()}
    so_far = Kept(variant.game.id, variant.game.rules_version, options, block, seed)
    if keep is not None and keep.exists():
        before = read_kept(keep)
        if replace(before, blocks=0, sums=Sums()) != so_far:
            raise BadOption(
                f"{keep} holds games with other options, another block or seed: name another file, or ask for the same"
            )
        so_far = before
    while so_far.sums.moves < moves:
        sums = so_far.sums + play_block(variant, block, seed + so_far.blocks, device)
        so_far = replace(so_far, blocks=so_far.blocks + 1, sums=sums)
        if keep is not None:
            _write(keep, asdict(so_far))
        progress(min(sums.moves, moves), moves)
    return so_far.sums


def read_kept(file: Path) -> Kept:
    """What a run kept; raises BadOption for any other file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        lists: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in found["sums"].items()}
        return Kept(**{**found, "sums": Sums(**lists)})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadOption(f"{file} does not hold sums of random games: name another file") from error


def _write(keep: Path, what: dict[str, Any]) -> None:
    # Whoever interrupts this leaves the old file or the new one.
    unfinished = keep.with_name(f"{keep.name}.unfinished")
    unfinished.write_text(json.dumps(what) + "\n", encoding="utf-8")
    unfinished.replace(keep)
