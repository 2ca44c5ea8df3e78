"""A move: its number, which never depends on the position, and its text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Move:
    """One decision or chance outcome of a game under given options.

    `code` is the move's action number: fixed by the game and its options, the same in every position,
    and the order of `legal_moves()`. `text` is the notation.
    """

    code: int
    text: str

    def __str__(self) -> str:
        return self.text
