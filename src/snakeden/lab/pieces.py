"""How often each tile, card, face or bonus is used, and whether by those who win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from snakeden import records
from snakeden.core.state import new_game
from snakeden.lab.measures import Estimate
from snakeden.lab.results import Row
from snakeden.lab.statistics import p_of_difference, wilson


@dataclass(frozen=True)
class Use:
    """How one piece was used in a set of games."""

    piece: str
    users: Estimate
    """The share of players who used it in a game."""
    times: float
    """How often a player did, on average."""
    won: float | None
    lost: float | None
    """The same of those who won alone, and of those who did not win; None where nobody did."""
    p: float
    """How probable a difference like that between these is if the piece makes no difference."""


def uses(rows: Sequence[Row]) -> list[Use]:
    """Every piece that was used in games of one variant or several, the most used first."""
    players = [player for row in rows for player in _players(row)]
    pieces = {piece for used, _ in players for piece in used}
    found = []
    for piece in pieces:
        times = [float(used[piece]) for used, _ in players]
        share = fmean(count > 0 for count in times)
        won, lost = ([used[piece] for used, points in players if points == wanted] for wanted in (1.0, 0.0))
        found.append(
            Use(
                piece,
                Estimate(share, *wilson(share, len(times))),
                fmean(times),
                fmean(won) if won else None,
                fmean(lost) if lost else None,
                p_of_difference(won, lost) if won and lost else 1.0,
            )
        )
    return sorted(found, key=lambda use: (-use.times, use.piece))


def _players(row: Row) -> Iterator[tuple[Counter[str], float]]:
    """For every seat of a game the pieces it used by choice, and its points."""
    played = records.read(row["record"])
    variant = new_game(row["game"], **played.options).variant
    pieces = [variant.game.notation.piece(variant.tables, move) for move in played.moves]
    # Rolls use nothing. Moves that were given come before the choices of the agents.
    used = [piece for piece in pieces if piece is not None]
    chosen = used[len(used) - len(row["movers"]) :]
    for seat, points in enumerate(row["points"]):
        movers = zip(chosen, row["movers"], strict=True)
        yield Counter(piece for piece, mover in movers if mover == seat), points
