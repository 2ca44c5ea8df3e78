"""The plies that stand in a game, and the position after each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from snakeden.core.state import State


class Ply(NamedTuple):
    seat: int | None
    """None where dice fell."""
    text: str


class Line:
    """A position with the plies that led to it. It never changes: `then` and `back_to` return other lines, which share
    what they have in common. So taking plies back replays nothing, and neither does looking at an earlier position.

    Positions are computed when they are first asked for: reading a long log plays only the plies that stand at its end.
    """

    __slots__ = ("_state", "before", "count", "ply")

    def __init__(self, before: Line | None, ply: Ply | None, state: State | None) -> None:
        self.before = before
        self.ply = ply
        self.count: int = 0 if before is None else before.count + 1
        self._state = state

    @staticmethod
    def start(opening: State) -> Line:
        return Line(None, None, opening)

    def then(self, ply: Ply, state: State | None = None) -> Line:
        """The line with one ply more; `state` if the position after it is known already."""
        return Line(self, ply, state)

    def back_to(self, count: int) -> Line:
        """The line of the first `count` plies."""
        if not 0 <= count <= self.count:
            raise ValueError(f"there are {self.count} plies, not {count}")
        line = self
        while line.count > count:
            assert line.before is not None
            line = line.before
        return line

    @property
    def state(self) -> State:
        """The position; raises IllegalMove if a ply cannot be played, which means a damaged log."""
        missing = []
        line = self
        while line._state is None:
            missing.append(line)
            assert line.before is not None
            line = line.before
        for later in reversed(missing):
            assert later.ply is not None
            assert line._state is not None
            later._state = line._state.play(later.ply.text)
            line = later
        assert self._state is not None
        return self._state

    def backwards(self) -> Iterator[Ply]:
        """The plies, the last one first."""
        line: Line | None = self
        while line is not None and line.ply is not None:
            yield line.ply
            line = line.before

    def plies(self) -> list[Ply]:
        found = list(self.backwards())
        found.reverse()
        return found
