"""A chosen move and why: plain data, and the same in words."""

from __future__ import annotations

from dataclasses import dataclass

from snakeden.core.moves import Move
from snakeden.search.thinking import Line


@dataclass(frozen=True)
class Reasons:
    """What an agent knows about its choice."""

    lines: tuple[Line, ...] = ()
    """The chosen move and the runners-up, best first; empty for agents that do not look ahead."""
    simulations: int = 0
    seconds: float = 0.0
    proven: bool = False
    """Whether the outcome of the chosen move is certain under best play."""
    note: str = ""
    """Anything else there is to say, as a sentence."""


@dataclass(frozen=True)
class Choice:
    """A legal move and the reasons for it."""

    move: Move
    reasons: Reasons

    def words(self, seat: int, runners_up: int = 2) -> list[str]:
        """The reasons as sentences for the player in this seat."""
        told = [self.reasons.note] if self.reasons.note else []
        best = self.reasons.lines[: 1 + runners_up]
        told += [_words(line, seat, first=line is best[0]) for line in best]
        if self.reasons.simulations:
            told.append(
                f"Thought over {self.reasons.simulations:,} simulations in {self.reasons.seconds:.1f} s."
            )
        return told


def _words(line: Line, seat: int, *, first: bool) -> str:
    start = f"{line.move}: " if first else f"Or {line.move}: "
    points = " : ".join(f"{score:.0f}" if line.proven else f"{score:.1f}" for score in line.scores)
    if len(line.scores) == 1:
        text = f"{points} points" + (" for certain" if line.proven else " expected")
    else:
        won = line.wins[seat]
        if line.proven:
            outcome = {1.0: "win", 0.0: "loss"}.get(won, "shared victory")
            # Simulations prove who wins; by how much, only the solver does.
            text = f"a certain {outcome}{', perhaps' if line.simulations else ''} with {points}"
        else:
            text = f"{won:.0%} to win, {points} expected"
    on = f"; then {' '.join(move.text for move in line.main[1:6])}" if first and len(line.main) > 1 else ""
    return start + text + on + "."
