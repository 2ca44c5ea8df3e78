"""Games in which everybody moves at random: how long they are, how many moves there are to choose from, how they end.

Games are played in blocks, each to its end, so that long games count as much as short ones. They are stepped move by
move, which also counts legal moves, or played out by a kernel, which is several times as fast. What a block holds
follows from seed and number alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from snakeden.adapters.batch import Device, batch
from snakeden.core.errors import BadOption
from snakeden.core.game import OVER, Variant
from snakeden.core.learning import KEEP
from snakeden.lab.playouts import AT_ONCE, play_blocks, player
from snakeden.lab.random_sums import LENGTHS, PlayoutSums, Sums, playout_sums, stepped_sums

Progress = Callable[[int, int], None]
"""progress(done, total)."""


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
    """That were stepped."""
    sums: Sums = field(default_factory=Sums)
    playouts: PlayoutSums = field(default_factory=PlayoutSums)


def play_block(variant: Variant, n: int, seed: int, device: Device = "cpu") -> Sums:
    """Step n games to their ends."""
    games = batch(
        variant.game.id, n, seed, legal="list", autoreset=False, device=device, **dict(variant.given)
    )
    lengths, choices = games.player.astype(np.int64) * 0, games.counts.astype(np.int64) * 0
    while (playing := games.player != OVER).any():
        lengths += playing
        choices += games.counts  # 0 where a game is over
        games.step_unchecked(np.where(playing, games.sample(), np.int32(KEEP)))
    return stepped_sums(*(games.to_numpy(array) for array in (lengths, choices, games.scores)))


def play(
    variant: Variant,
    moves: int = 0,
    plies: int = 0,
    *,
    block: int = 65_536,
    seed: int = 0,
    device: Device = "cpu",
    keep: Path | None = None,
    progress: Progress = lambda done, total: None,
) -> Kept:
    """Step blocks of games until there are so many moves, and play out blocks of games until there are so many plies.
    With `keep`, sums are kept in that file as they grow, and a run that was interrupted goes on from there; raises
    BadOption if the file is of something else."""
    so_far = _begun(variant, block, seed, keep)
    while so_far.sums.moves < moves:
        sums = so_far.sums + play_block(variant, block, seed + so_far.blocks, device)
        so_far = replace(so_far, blocks=so_far.blocks + 1, sums=sums)
        _write(keep, so_far)
        progress(min(sums.moves, moves), moves)
    return _played_out(variant, plies, so_far, device, keep, progress)


def _begun(variant: Variant, block: int, seed: int, keep: Path | None) -> Kept:
    """What the file holds, or nothing counted yet."""
    options = {k: variant.game.option(k).write(v) for k, v in variant.given.items()}
    asked = Kept(variant.game.id, variant.game.rules_version, options, block, seed)
    if keep is None or not keep.exists():
        return asked
    before = read_kept(keep)
    if replace(before, blocks=0, sums=Sums(), playouts=PlayoutSums()) != asked:
        raise BadOption(
            f"{keep} holds games with other options, another block or seed: name another file, or ask for the same"
        )
    return before


def _played_out(
    variant: Variant, plies: int, so_far: Kept, device: Device, keep: Path | None, progress: Progress
) -> Kept:
    """With more playouts, until there are so many plies. As many blocks are played at once as it should take; what they
    are more than that is not counted, so that figures are the same whatever a device plays at once."""
    if so_far.playouts.plies >= plies:
        return so_far
    play, block = player(variant, device), so_far.block
    most = max(1, AT_ONCE[device] // block)
    while (left := plies - so_far.playouts.plies) > 0:
        done = so_far.playouts
        wanted = -(-left * done.games // (done.plies * block)) if done.games else 1
        rows = play_blocks(play, so_far.seed, done.games, min(wanted, most), block)
        count = int(np.searchsorted(np.cumsum(rows[:, LENGTHS]), left)) + 1
        so_far = replace(so_far, playouts=done + playout_sums(rows[:count], block))
        _write(keep, so_far)
        progress(min(so_far.playouts.plies, plies), plies)
    return so_far


def read_kept(file: Path) -> Kept:
    """What a run kept; raises BadOption for any other file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        stepped, played_out = (
            Sums(**_tuples(found["sums"])),
            PlayoutSums(**_tuples(found.get("playouts", {}))),
        )
        return Kept(**{**found, "sums": stepped, "playouts": played_out})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadOption(f"{file} does not hold sums of random games: name another file") from error


def _tuples(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


def _write(keep: Path | None, what: Kept) -> None:
    if keep is None:
        return
    # Whoever interrupts this leaves the old file or the new one.
    unfinished = keep.with_name(f"{keep.name}.unfinished")
    unfinished.write_text(json.dumps(asdict(what)) + "\n", encoding="utf-8")
    unfinished.replace(keep)
