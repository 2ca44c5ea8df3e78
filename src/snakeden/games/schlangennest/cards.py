"""The cards as data: their faces, how their parts join their sides, and what lies on the table at the
start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIDES = "NESW"
"""Sides are numbered 0 to 3 in this order: `side ^ 2` is the opposite one."""
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""(x, y) from a square to its neighbour on each side."""

STRAIGHT, CURVE, TAIL, HEAD = 0, 1, 2, 3
KINDS = "SCTH"
SUPPLY = (7, 9, 1, 1)
"""How many cards of each kind a colour has."""
CARDS = sum(SUPPLY)
ALL_PARTS = sum(count * (2 if kind in "SC" else 3) for kind, count in zip(KINDS, SUPPLY, strict=True))
"""How many parts all cards of a colour have together."""

FACES = (
    *(("S", way) for way in ("EW", "NS")),
    *(("C", way) for way in ("NE", "SE", "SW", "NW")),
    *(("T", way) for way in SIDES),
    *(("H", way) for way in SIDES),
)
"""Every way a card can lie: its kind and the sides its coloured part touches."""
FIRST_CURVE = FACES.index(("C", "NE"))
FIRST_TAIL = FACES.index(("T", "N"))

FREE = 0
"""What stands for no card on a square. Cards stand as 1 + colour * len(FACES) + face."""
FRAME = 1 + 4 * len(FACES)
"""The first of the four frame cards: one for each way of a curve. Their parts are gray."""

# What a part does that is entered from a side: the side it leaves by (0 to 3), or one of these.
ENDS, BLANK = 4, 5
COLOURED = 8
"""Set in addition where the part is coloured."""

# Columns of `card_table`; before them stand the four sides.
KIND, OWN, GRAY, GRAY_2 = 4, 5, 6, 7


def card(colour: int, face: int) -> int:
    """How a colour's card with this face stands on a square."""
    return 1 + colour * len(FACES) + face


def _others(sides: str) -> str:
    return "".join(side for side in SIDES if side not in sides)


def face_parts(face: int) -> tuple[str, ...]:
    """The sides that each part touches, the coloured part first."""
    kind, way = FACES[face]
    if kind in "SC":
        return way, _others(way)
    opposite = SIDES[SIDES.index(way) ^ 2]
    return way, opposite, _others(way + opposite)


def card_table() -> NDArray[np.int8]:
    """[FRAME + 4, 8] per card: what the part on each of the four sides does when it is entered; the KIND of
    card; a side that its coloured part touches (OWN), that its gray part touches (GRAY), and of a head or
    tail one that its second gray part touches (GRAY_2). -1 where there is no such thing."""
    table = np.full((FRAME + 4, 8), -1, np.int8)
    table[:, :4] = BLANK

    def put(code: int, sides: str, flag: int) -> None:
        a, b = SIDES.index(sides[0]), SIDES.index(sides[-1])
        table[code, a], table[code, b] = (b | flag, a | flag) if a != b else (ENDS | flag, ENDS | flag)

    for face, (kind, _) in enumerate(FACES):
        for colour in range(4):
            code = card(colour, face)
            table[code, KIND] = KINDS.index(kind)
            for part, sides in enumerate(face_parts(face)):
                put(code, sides, COLOURED if part == 0 else 0)
                table[code, OWN + part] = SIDES.index(sides[0])
    for way in range(4):
        put(FRAME + way, FACES[FIRST_CURVE + way][1], 0)
    return table


# ---- what lies on the table before the first move

Square = tuple[int, int]


def fence_path(width: int, height: int) -> list[Square]:
    """The fence's squares from its tail to its head: right along the bottom row, and up in one or two
    columns."""
    climbs = (width + height - 10) // 2
    top = {j * width // (climbs + 1): j * (height - 1) // climbs for j in range(1, climbs + 1)}
    x = y = 0
    path = [(0, 0)]
    while (x, y) != (width - 1, height - 1):
        if y < top.get(x, 0):
            y += 1
        else:
            x += 1
        path.append((x, y))
    return path


def _side_to(a: Square, b: Square) -> str:
    return SIDES[STEPS.index((b[0] - a[0], b[1] - a[1]))]


def _face(sides: str) -> int:
    return next(i for i, (kind, way) in enumerate(FACES) if kind in "SC" and set(way) == set(sides))


def fence(width: int, height: int, colour: int) -> dict[Square, int]:
    """The fence's cards by square."""
    path = fence_path(width, height)
    laid = {
        path[0]: card(colour, FACES.index(("T", _side_to(path[0], path[1])))),
        path[-1]: card(colour, FACES.index(("H", _side_to(path[-1], path[-2])))),
    }
    for before, square, after in zip(path, path[1:], path[2:], strict=False):
        laid[square] = card(colour, _face(_side_to(square, before) + _side_to(square, after)))
    return laid


FRAME_PAIRS = 9
"""Two colours have eighteen curves."""


def frame(width: int, height: int) -> dict[Square, int]:
    """The frame's cards by square."""
    clockwise = (
        ("E", [(-1, y) for y in range(height)]),
        ("S", [(x, height) for x in range(width)]),
        ("W", [(width, y) for y in reversed(range(height))]),
        ("N", [(x, -1) for x in reversed(range(width))]),
    )
    pairs = [
        (inwards, pair)
        for inwards, squares in clockwise
        for pair in zip(squares[::2], squares[1::2], strict=False)
    ]
    laid = {}
    for inwards, (one, other) in pairs[:FRAME_PAIRS]:
        for square, partner in ((one, other), (other, one)):
            laid[square] = FRAME + _face(inwards + _side_to(square, partner)) - FIRST_CURVE
    return laid
