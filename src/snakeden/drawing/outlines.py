"""Lines and outlines as path data: the middle line of a body, the body around it, polygons with round corners.

Path data is relative and has three decimals, so that a picture stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import acos, cos, hypot, sin, tan

Point = tuple[float, float]

CURVE_STEPS = 6
"""Into how many straight parts a bend of the middle line is divided."""


def number(value: float) -> str:
    """A coordinate: three decimals, no more than needed."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _pair(x: float, y: float) -> str:
    first, second = number(x), number(y)
    return first + second if second.startswith("-") else f"{first} {second}"


class _Pen:
    """Writes relative steps; each starts from where rounding has brought the one before."""

    def __init__(self, start: Point) -> None:
        self.at = (round(start[0], 3), round(start[1], 3))
        self.parts = [f"M{_pair(*self.at)}"]

    def step(self, letter: str, *points: Point) -> None:
        steps = [(round(x - self.at[0], 3), round(y - self.at[1], 3)) for x, y in points]
        self.parts.append(letter + " ".join(_pair(*step) for step in steps))
        self.at = (round(self.at[0] + steps[-1][0], 3), round(self.at[1] + steps[-1][1], 3))


def between(a: Point, b: Point, share: float) -> Point:
    """The point at this share of the way from a to b."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def ahead(point: Point, angle: float, along: float, across: float) -> Point:
    """A point so far ahead of, and to the right of, another."""
    return (
        point[0] + along * cos(angle) - across * sin(angle),
        point[1] + along * sin(angle) + across * cos(angle),
    )


def polygon(points: Sequence[Point], closed: bool = True) -> str:
    """Straight lines from point to point."""
    pen = _Pen(points[0])
    for point in points[1:]:
        pen.step("l", point)
    return "".join(pen.parts) + ("z" if closed else "")


def rounded(points: Sequence[Point], radius: float) -> str:
    """A convex polygon with round corners."""
    corners = []
    count = len(points)
    for i, corner in enumerate(points):
        before, after = points[i - 1], points[(i + 1) % count]
        u, v = (before[0] - corner[0], before[1] - corner[1]), (after[0] - corner[0], after[1] - corner[1])
        cosine = (u[0] * v[0] + u[1] * v[1]) / (hypot(*u) * hypot(*v))
        cut = min(radius / tan(acos(max(-1.0, min(1.0, cosine))) / 2), hypot(*u) / 2, hypot(*v) / 2)
        start, end = between(corner, before, cut / hypot(*u)), between(corner, after, cut / hypot(*v))
        corners.append((start, corner, end))
    pen = _Pen(corners[0][2])
    for start, corner, end in [*corners[1:], corners[0]]:
        pen.step("l", start)
        pen.step("q", corner, end)
    return "".join(pen.parts) + "z"


def smooth(points: Sequence[Point], closed: bool = False) -> str:
    """A curve past these points, through the middles between them."""
    if len(points) < 3:
        return polygon(points, closed=False) if len(points) == 2 else f"M{_pair(*points[0])}l0 0"
    if closed:
        pen = _Pen(between(points[-1], points[0], 0.5))
        for point, after in pairwise([*points, points[0]]):
            pen.step("q", point, between(point, after, 0.5))
        return "".join(pen.parts) + "z"
    pen = _Pen(points[0])
    for point, after in pairwise(points[1:-1]):
        pen.step("q", point, between(point, after, 0.5))
    pen.step("q", points[-2], points[-1])
    return "".join(pen.parts)


def circle(x: float, y: float, r: float) -> str:
    """A circle as a path."""
    half = f"{number(r)} {number(r)} 0 1 0"
    return f"M{_pair(x - r, y)}a{half} {number(2 * r)} 0 {half} {number(-2 * r)} 0z"


def bent(points: Sequence[Point], closed: bool = False) -> list[Point]:
    """The middle line of a body through these points: through the middles of its steps, bending at its points."""
    count = len(points)
    if count < 3 and not closed:
        return list(points)
    line: list[Point] = [] if closed else [points[0]]
    for i in range(count) if closed else range(1, count - 1):
        before, corner, after = points[i - 1], points[i], points[(i + 1) % count]
        a, b = between(before, corner, 0.5), between(corner, after, 0.5)
        line.append(a)
        crosses = (corner[0] - a[0]) * (b[1] - a[1]) - (corner[1] - a[1]) * (b[0] - a[0])
        if abs(crosses) > 1e-6:
            for n in range(1, CURVE_STEPS):
                t = n / CURVE_STEPS
                line.append(between(between(a, corner, t), between(corner, b, t), t))
    if not closed:
        line += [between(points[-2], points[-1], 0.5), points[-1]]
    return line


def lengths(line: Sequence[Point]) -> list[float]:
    """How far along the line each of its points is."""
    return [0.0, *accumulate(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))]


def divided(line: Sequence[Point], step: float, until: float) -> list[Point]:
    """The line with further points, no farther apart than `step`, over its first part of this length."""
    found, gone = [line[0]], 0.0
    for a, b in pairwise(line):
        length = hypot(b[0] - a[0], b[1] - a[1])
        parts = max(1, round(length / step)) if gone < until else 1
        found += [between(a, b, n / parts) for n in range(1, parts + 1)]
        gone += length
    return found


def sides(
    line: Sequence[Point], half: Callable[[float], float], closed: bool = False
) -> tuple[list[Point], list[Point]]:
    """The points to the left and to the right of a line; `half` says how far away, by the length gone."""
    left, right = [], []
    gone = lengths(line)
    last = len(line) - 1
    for i, point in enumerate(line):
        a = line[i - 1] if i or closed else point
        b = line[(i + 1) % len(line)] if i < last or closed else point
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
        nx, ny = (b[1] - a[1]) / length, -(b[0] - a[0]) / length
        r = half(gone[i])
        left.append((point[0] + nx * r, point[1] + ny * r))
        right.append((point[0] - nx * r, point[1] - ny * r))
    return left, right


def arc(centre: Point, start: float, end: float, r: float) -> list[Point]:
    """Points of an arc between two angles, without its ends."""
    parts = 8
    return [
        (
            centre[0] + r * cos(start + (end - start) * n / parts),
            centre[1] + r * sin(start + (end - start) * n / parts),
        )
        for n in range(1, parts)
    ]
