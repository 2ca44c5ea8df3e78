"""A chosen move and why: plain data, and the same in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from snakeden.core.moves import Move
from snakeden.search.thinking import Line
from snakeden.words import Message, Text


@dataclass(frozen=True)
class Reasons:
    """What an agent knows about its choice."""

    lines: tuple[Line, ...] = ()
    """The chosen move and the runners-up, best first; empty for agents that do not look ahead."""
    simulations: int = 0
    seconds: float = 0.0
    proven: bool = False
    """Whether the outcome of the chosen move is certain under best play."""
    note: Message | None = None
    """Anything else there is to say, as a sentence."""
    overlooked: Move | None = None
    """A move that is better by the agent's own measure, which it did not see."""
    visits: Mapping[int, int] = field(default_factory=dict)
    """How often a search tried each move, by its code; empty for agents that do not search."""


@dataclass(frozen=True)
class Choice:
    """A legal move and the reasons for it."""

    move: Move
    reasons: Reasons

    def words(self, seat: int, runners_up: int = 2, say: Callable[[Move], Text] = str) -> list[Message]:
        """The reasons as sentences for the player in this seat. `say` names a move, in notation or in words."""
        sentences = [self._noted(self.reasons.note, say)] if self.reasons.note else []
        if self.reasons.overlooked is not None:
            sentences.append(Message("choice.overlooked", move=say(self.reasons.overlooked)))
        best = self.reasons.lines[: 1 + runners_up]
        sentences += [_words(line, seat, say, first=line is best[0]) for line in best]
        if self.reasons.simulations:
            seconds = round(self.reasons.seconds, 1)
            sentences.append(Message("choice.thought", n=self.reasons.simulations, s=seconds))
        return sentences

    def _noted(self, note: Message, say: Callable[[Move], Text]) -> Message:
        """A note that speaks of the chosen move names it as `say` does."""
        return Message(note.key, **(note.args | {"move": say(self.move)})) if "move" in note.args else note


def _words(line: Line, seat: int, say: Callable[[Move], Text], *, first: bool) -> Message:
    then = tuple(say(move) for move in line.main[1:6])
    if first and then:
        return Message("choice.line_then", move=say(line.move), verdict=_verdict(line, seat), line=then)
    key = "choice.line" if first else "choice.runner_up"
    return Message(key, move=say(line.move), verdict=_verdict(line, seat))


def _verdict(line: Line, seat: int) -> Message:
    points = tuple(round(score) if line.proven else round(score, 1) for score in line.scores)
    if len(points) == 1:
        return Message("choice.certain_points" if line.proven else "choice.expected_points", points=points[0])
    won = line.wins[seat]
    if not line.proven:
        return Message("choice.chance", n=round(100 * won), points=points)
    outcome = {1.0: "win", 0.0: "loss"}.get(won, "shared")
    # Simulations prove who wins; by how much, only the solver does.
    sure = "perhaps" if line.simulations else "certain"
    return Message(f"choice.{sure}.{outcome}", points=points)
