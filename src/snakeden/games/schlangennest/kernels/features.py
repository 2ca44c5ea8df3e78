"""What a network sees of Schlangennest beyond the observation: the strands of nobody that snakes may go on through.

A strand winds through cards of all colours, so a few layers of a network see neither how long it is nor where it ends.
"""

from __future__ import annotations

from snakeden.core.kernel import kernel
from snakeden.core.planes import mark
from snakeden.games.schlangennest.cards import FREE, SIDES
from snakeden.games.schlangennest.kernels.layout import CLOSED, Tables
from snakeden.games.schlangennest.kernels.strands import NEUTRAL, beside, meeting, on_board

_SIDES = len(SIDES)
_LENGTHS = (2, 3, 5)
"""Strands of at least so many parts have planes of their own."""
_SIDE_NAMES = ("upper", "right", "lower", "left")
_KINDS = (
    "a strand of nobody",
    "that is closed behind",
    *(f"of {length} parts or more" for length in _LENGTHS),
)


def planes(t: Tables) -> tuple[str, ...]:
    """What each plane means. They come in fours, one a side."""
    first = _KINDS[0]
    return tuple(
        f"{kind if kind == first else f'{first} {kind}'} comes to this free square by its {side} side"
        for kind in _KINDS
        for side in _SIDE_NAMES
    )


def side_planes(t: Tables) -> range:
    """Where planes begin that come in fours, one a side."""
    return range(0, _SIDES * len(_KINDS), _SIDES)


@kernel
def observe(t, s, seat, bits, values):
    """Write the planes, which all seats see alike."""
    for square in range(t.squares):
        if on_board(s, square) == FREE:
            continue
        for way in range(_SIDES):
            # Nothing lies on the grid's rim, so there is a square on every side.
            free, side = beside(t, square, way), way ^ 2
            if on_board(s, free) != FREE:
                continue
            colour, end, parts = meeting(t, s, free, side)
            if colour == NEUTRAL and parts > 0:
                mark(bits, side, free)
                if end == CLOSED:
                    mark(bits, _SIDES + side, free)
                for k in range(len(_LENGTHS)):
                    if parts >= _LENGTHS[k]:
                        mark(bits, (2 + k) * _SIDES + side, free)
