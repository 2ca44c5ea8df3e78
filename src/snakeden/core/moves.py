"""A move: its number, which never depends on the position, and its text, which is made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import total_ordering
from typing import TYPE_CHECKING, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from snakeden.core.game import Variant


@total_ordering
class Move:
    """One decision or chance outcome of a game under given options. Never changes.

    `code` is the move's action number: fixed by the game and its options, the same in every position,
    and the order of `legal_moves()`. `text` is the notation.
    """

    __slots__ = ("_code", "_text", "_variant")

    _code: int
    _text: str | None  # None until somebody asks
    _variant: Variant | None  # what makes the text; None where the text was given

    def __init__(self, code: int, text: str) -> None:
        self._code = code
        self._text = text
        self._variant = None

    @classmethod
    def of(cls, variant: Variant, code: int) -> Move:
        """The move of this number, 0 <= code < actions; unchecked."""
        move = cls.__new__(cls)
        move._code = code
        move._text = None
        move._variant = variant
        return move

    @property
    def code(self) -> int:
        return self._code

    @property
    def text(self) -> str:
        if self._text is None:
            assert self._variant is not None
            self._text = self._variant.text(self._code)
        return self._text

    @property
    def variant(self) -> Variant | None:
        """The variant that this move was made by; None if it was made of code and text."""
        return self._variant

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        if self._code != other._code:
            return False
        return (self._variant is not None and self._variant is other._variant) or self.text == other.text

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        if self._code != other._code:
            return self._code < other._code
        return self.text < other.text

    def __hash__(self) -> int:
        return hash(self._code)

    def __reduce__(self) -> tuple[type[Move], tuple[int, str]]:
        return Move, (self._code, self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move(code={self._code}, text={self.text!r})"


MoveLike = Move | str | SupportsIndex
"""How a move may be given: as itself, as its text, or as its number."""


class Moves(Sequence[Move]):
    """The moves of a position, by ascending code. A sequence that makes each `Move` when it is looked at, as a
    position can have tens of thousands."""

    __slots__ = ("_codes", "_variant")

    def __init__(self, variant: Variant, codes: NDArray[np.int32]) -> None:
        """`codes` [moves] are ascending and not written to."""
        self._variant = variant
        self._codes = codes

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return [Move.of(self._variant, code) for code in self._codes[index].tolist()]
        return Move.of(self._variant, int(self._codes[index]))

    def __iter__(self) -> Iterator[Move]:
        return (Move.of(self._variant, code) for code in self._codes.tolist())

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move):
            return False
        place = int(np.searchsorted(self._codes, move.code))
        return place < len(self._codes) and self[place] == move

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Moves) and other._variant is self._variant:
            return np.array_equal(self._codes, other._codes)
        if isinstance(other, Moves | list):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))
