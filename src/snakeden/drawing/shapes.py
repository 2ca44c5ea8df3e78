"""What scenes are drawn with: paths in the colours of roles, as plain data.

Whatever draws a scene needs no coordinates of its own. Cells, signs, dice and heads are *symbols*: paths around
(0, 0) that are moved, turned and enlarged. Bodies and areas get paths of their own (`shapes`). A colour is
`fill`, `line`, `tint`, `mark` or `lit` of the item's role, or one of another role, such as `eyeball.fill`.

`svg.py` draws them in files. The page gets the symbols once (`symbols_to_data`), and scenes whose paths and areas hold
their shapes (`drawn`); `web/js/shapes.js` draws them with the colours of its style sheet.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, replace
from functools import cache, lru_cache
from math import atan2, degrees, pi, sin, sqrt
from typing import Any

from snakeden.drawing import scene as scenes
from snakeden.drawing.outlines import (
    Point,
    ahead,
    arc,
    bent,
    between,
    circle,
    divided,
    lengths,
    polygon,
    rounded,
    sides,
    smooth,
)
from snakeden.drawing.scene import Area, Cell, Mark, Path, Scene
from snakeden.drawing.themes import patterns


@dataclass(frozen=True)
class Shape:
    """A path, or with `use` a symbol; drawn in the order they stand."""

    d: str = ""
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    round: bool = False
    """Whether the ends and corners of the stroke are round."""
    dash: tuple[float, ...] = ()
    offset: float = 0.0
    """Where on its line the dashes begin."""
    opacity: float = 1.0
    part: str = ""
    """What it is, for a page that moves it: `tongue`, `shadow`, `line`."""
    clip: str = ""
    """The outline inside which it is seen; empty for all of it."""
    shift: Point = (0.0, 0.0)
    use: str = ""
    """The symbol's name."""
    angle: float = 0.0
    """Of a symbol: how far it is turned about its middle, which is at `shift`; degrees clockwise."""
    scale: float = 1.0
    """Of a symbol: its size."""


# ---- symbols

_HEAD = "M-.62-.44C-.42-.6-.2-.68 .05-.63C.4-.55 .72-.34 .72 0C.72 .34 .4 .55 .05 .63C-.2 .68-.42 .6-.62 .44Z"
_GLEAM = "M-.6-.3C-.3-.5 .3-.5 .58-.1C.3-.2-.3-.24-.6-.1Z"


def _eyes(mood: str) -> list[Shape]:
    if mood == "happy":
        return [
            Shape("M.24-.53Q-.12-.33 .24-.13M.24 .13Q-.12 .33 .24 .53", stroke="line", width=0.12, round=True)
        ]
    if mood == "shut":
        return [Shape("M.1-.51Q.32-.33 .1-.15M.1 .15Q.32 .33 .1 .51", stroke="line", width=0.1, round=True)]
    found = []
    for y in (-0.33, 0.33):
        found.append(Shape(circle(0.14, y, 0.235), "eyeball.fill", "line", 0.07, part="eye"))
        found.append(Shape(circle(0.21, y, 0.13), "eyeball.line", part="eye"))
        found.append(Shape(circle(0.25, y - 0.05, 0.045), "eyeball.fill", part="eye"))
    return found


def _heads() -> dict[str, tuple[Shape, ...]]:
    found: dict[str, tuple[Shape, ...]] = {"head": (Shape(_HEAD, "line", "line", 0.15, round=True),)}
    nostrils = Shape(circle(0.57, -0.11, 0.035) + circle(0.57, 0.11, 0.035), "line")
    for mood in ("open", "shut", "happy"):
        skin = (Shape(_HEAD, "fill"), Shape(_GLEAM, "lit", opacity=0.75))
        found[f"face-{mood}"] = (*skin, *_eyes(mood), nostrils)
    found["tongue"] = (
        Shape(
            "M.66 0H.92Q1 0 1.08-.12M.92 0Q1 0 1.08 .12",
            stroke="tongue.line",
            width=0.08,
            round=True,
            part="tongue",
        ),
    )
    found["crown-bands"] = (Shape("M-.52-.16L-.3 0L-.52 .16", stroke="mark", width=0.12, round=True),)
    found["crown-dots"] = (Shape(circle(-0.38, 0, 0.11), "mark"),)
    found["crown-stripe"] = (Shape("M-.6 0H-.2", stroke="mark", width=0.18, round=True),)
    found["crown-dashes"] = (Shape("M-.5 0H-.22", stroke="mark", width=0.2),)
    found["crown-rails"] = (Shape("M-.6-.17H-.25M-.6 .17H-.25", stroke="mark", width=0.1),)
    return found


def _hexagon(size: float) -> list[Point]:
    r = size / sqrt(3)
    return [ahead((0, 0), pi * (i / 3 - 0.5), r, 0) for i in range(6)]


def _square(size: float) -> list[Point]:
    h = size / 2
    return [(-h, -h), (h, -h), (h, h), (-h, h)]


def _cells() -> dict[str, tuple[Shape, ...]]:
    """Wells with a dark upper lip and light at the lower end; cards; places that may become part of a board."""
    deep, flat = polygon(_hexagon(0.95)), polygon(_hexagon(0.91))
    pit, floor = rounded(_square(0.93), 0.15), rounded(_square(0.9), 0.14)
    card = rounded(_square(0.98), 0.06)
    return {
        "hex": (
            Shape(deep, "cell.lit", opacity=0.22, shift=(0, 0.022)),
            Shape(deep, "cell.line", opacity=0.5),
            Shape(flat, "tint", shift=(0, 0.018), part="floor"),
        ),
        "square": (
            Shape(pit, "cell.lit", opacity=0.3, shift=(0, 0.025)),
            Shape(pit, "cell.line", opacity=0.5),
            Shape(floor, "tint", shift=(0, 0.02), part="floor"),
        ),
        "card": (
            Shape(card, "cell.line", opacity=0.35, shift=(0, 0.03)),
            Shape(card, "tint", "line", 0.02, part="floor"),
        ),
        "place": (Shape(rounded(_square(0.92), 0.08), "tint", "line", 0.02, part="floor"),),
        "blank": (Shape(polygon(_hexagon(1.0)), "tint", part="floor"),),
    }


_FORWARD = "M-.42 0H.42M.16-.28L.44 0L.16 .28"


def _arrow(*lines: str) -> tuple[Shape, ...]:
    return (Shape("".join(lines), stroke="line", width=0.13, round=True),)


def _signs() -> dict[str, tuple[Shape, ...]]:
    """Signs of size 1 that look to the right."""
    star = [ahead((0, 0), pi * (i / 5 - 0.5), 0.5 * r, 0) for i, r in enumerate([1, 0.47] * 5)]
    stone, top = (
        rounded([(-0.43, -0.38), (0.43, -0.38), (0.43, 0.45), (-0.43, 0.45)], 0.14),
        rounded([(-0.43, -0.45), (0.43, -0.45), (0.43, 0.29), (-0.43, 0.29)], 0.14),
    )
    return {
        "dot": (Shape(circle(0, 0, 0.5), "fill"),),
        "ring": (Shape(circle(0, 0, 0.5), stroke="line", width=0.12),),
        "hole": (Shape(circle(0, 0, 0.5), "fill", "mark", 0.08),),
        "cross": (Shape("M-.4-.4L.4 .4M-.4 .4L.4-.4", stroke="line", width=0.14, round=True),),
        "star": (
            Shape(polygon(star), "fill", "line", 0.09, round=True),
            Shape(polygon([star[9], star[0], (0, 0), star[8]]), "lit"),
        ),
        "block": (
            Shape(stone, "line"),
            Shape(top, "fill"),
            Shape("M-.43-.1H.43M-.06-.45V-.1M.17-.1V.29", stroke="mark", width=0.07),
            Shape("M-.31-.39H-.17M.03-.39H.31", stroke="lit", width=0.05, round=True),
        ),
        "arrow": _arrow(_FORWARD),
        # On a board it is seen on light and dark cells, and on a star.
        "heading": (
            Shape(_FORWARD, stroke="line", width=0.3, round=True),
            Shape(_FORWARD, stroke="lit", width=0.15, round=True),
        ),
        "turn-left": _arrow("M-.42 .2H-.1Q.16 .2 .16-.06V-.4M-.1-.16L.16-.42L.42-.16"),
        "turn-right": _arrow("M-.42-.2H-.1Q.16-.2 .16 .06V.4M-.1 .16L.16 .42L.42 .16"),
        "turn-both": _arrow(
            "M-.44 0H-.14Q.14 0 .2-.28V-.38M-.14 0Q.14 0 .2 .28V.38", "M0-.2L.2-.42L.4-.2M0 .2L.2 .42L.4 .2"
        ),
        "lock": (
            Shape(rounded([(-0.3, -0.05), (0.3, -0.05), (0.3, 0.4), (-0.3, 0.4)], 0.05), "line"),
            Shape("M-.18 0V-.18A.18 .18 0 0 1 .18-.18V0", stroke="line", width=0.11),
        ),
        "die": (
            Shape(rounded(_square(0.94), 0.22), "tint", shift=(0, 0.09)),
            Shape(rounded(_square(0.94), 0.22), "fill"),
            Shape(rounded(_square(0.84), 0.19), "lit", shift=(0, -0.02)),
        ),
    }


@cache
def symbols() -> dict[str, tuple[Shape, ...]]:
    """The symbols by name."""
    return {**_heads(), **_cells(), **_signs()}


def cell_symbol(cell: Cell) -> str:
    """The symbol that a cell is drawn with."""
    if cell.shape == "square" and cell.role in ("room", "outside"):
        return "place"
    return cell.shape


# ---- bodies

_TAPER, _NECK = 2.7, 0.86
"""Over how many widths a tail tapers; how thick the neck is."""
FINE = 0.22
"""Bodies narrower than this have no shadow, belly and shine."""
SNAKES = ("neutral", "fence")


def _is_snake(path: Path) -> bool:
    return path.role.startswith("seat") or path.role in SNAKES


def _middle(path: Path) -> list[Point]:
    """The middle line of a body, a tail a little beyond its cell's middle."""
    points = list(path.points)
    for at, other, cap in ((0, 1, path.start), (-1, -2, path.end)):
        if cap == "tail" and not path.closed and len(points) > 1:
            (x, y), (a, b) = points[at], points[other]
            far = 0.5 * path.width / (sqrt((x - a) ** 2 + (y - b) ** 2) or 1)
            points[at] = (x + (x - a) * far, y + (y - b) * far)
    line = bent(points, path.closed)
    if path.closed:
        return line
    taper = _TAPER * path.width
    if path.start == "tail":
        line = divided(line, 0.4 * path.width, taper)
    if path.end == "tail":
        line = divided(line[::-1], 0.4 * path.width, taper)[::-1]
    if path.end == "head":
        line = divided(line[::-1], 0.4 * path.width, path.width)[::-1]
    if path.start == "head":
        line = divided(line, 0.4 * path.width, path.width)
    return line


def _outline(path: Path, line: list[Point]) -> str:
    """The body around its middle line."""
    whole, w = lengths(line)[-1], path.width
    taper = min(_TAPER * w, 0.7 * whole)

    def half(gone: float) -> float:
        r = w / 2
        for cap, far in ((path.start, gone), (path.end, whole - gone)):
            if cap == "tail" and not path.closed:
                r = min(r, w / 2 * (0.08 + 0.92 * sin(pi / 2 * min(1.0, far / taper))))
            if cap == "head" and far < w and not path.closed:
                r = min(r, w / 2 * (_NECK + (1 - _NECK) * far / w))
        return r

    left, right = sides(line, half, path.closed)
    if path.closed:
        return smooth(left, True) + smooth(right[::-1], True)
    begin = atan2(line[1][1] - line[0][1], line[1][0] - line[0][0])
    end = atan2(line[-1][1] - line[-2][1], line[-1][0] - line[-2][0])
    tip = arc(line[-1], end - pi / 2, end + pi / 2, w / 2) if path.end in ("round", "hole") else []
    back = arc(line[0], begin + pi / 2, begin + 1.5 * pi, w / 2) if path.start in ("round", "hole") else []
    around = smooth([*left, *tip, *right[::-1], *back, left[0]])
    flat = "flat" in (path.start, path.end) or "head" in (path.start, path.end)
    if not flat:
        return around + "z"
    # Ends that are cut straight keep their corners.
    return smooth([*back, *left, *tip]) + _joined(smooth([*tip[-1:], *right[::-1], *back[:1]])) + "z"


def _joined(d: str) -> str:
    """A further part of a path that goes on where the one before ended."""
    at = min((i for i in (d.find("l", 1), d.find("q", 1)) if i > 0), default=len(d))
    return "L" + d[1:at] + d[at:]


def _pattern(name: str, d: str, w: float) -> list[Shape]:
    """The pattern on a body's back, along its middle line; it begins clear of the tail."""
    clear = -0.9 * w
    if name == "bands":
        return [Shape(d, stroke="mark", width=0.74 * w, dash=(0.13 * w, 0.42 * w), offset=clear)]
    if name == "dots":
        dash = (0.0, 0.7 * w)
        return [
            Shape(d, stroke="line", width=0.46 * w, dash=dash, offset=clear, round=True, opacity=0.45),
            Shape(d, stroke="mark", width=0.34 * w, dash=dash, offset=clear, round=True),
        ]
    if name == "stripe":
        return [
            Shape(d, stroke="line", width=0.34 * w, opacity=0.35, round=True),
            Shape(d, stroke="mark", width=0.2 * w, round=True),
        ]
    if name == "dashes":
        return [Shape(d, stroke="mark", width=0.26 * w, dash=(0.55 * w, 0.42 * w), offset=clear)]
    return [
        Shape(d, stroke="mark", width=0.56 * w, round=True),
        Shape(d, stroke="fill", width=0.34 * w, round=True),
    ]


def _body(path: Path, line: list[Point]) -> list[Shape]:
    w, d, outline = path.width, smooth(line, path.closed), _outline(path, line)
    edge = 0.15 * w
    found = []
    fine = w < FINE
    if not fine:
        found.append(Shape(outline, "eyeball.line", opacity=0.22, shift=(0.06 * w, 0.2 * w), part="shadow"))
    found.append(Shape(outline, "line", "line", edge, round=True, part="edge"))
    inside = [Shape(outline, "fill")]
    if not fine:
        inside.append(
            Shape(
                d,
                stroke="lit",
                width=0.5 * w,
                opacity=0.8,
                shift=(-0.05 * w, -0.17 * w),
                round=True,
                part="line",
            )
        )
    name = patterns().get(path.role)
    inside += _pattern(name, d, w) if name else []
    if not fine:
        inside.append(Shape(outline, stroke="line", width=0.26 * w, opacity=0.38, shift=(0, -0.06 * w)))
        shine = Shape(
            d, stroke="eyeball.fill", width=0.07 * w, opacity=0.45, shift=(-0.06 * w, -0.3 * w), round=True
        )
        inside.append(shine)
    inside += [Shape(_seam(path, at), stroke="line", width=0.05 * w, opacity=0.55) for at in path.seams]
    return found + [_clipped(shape, outline) for shape in inside]


def _clipped(shape: Shape, outline: str) -> Shape:
    held = {field.name: getattr(shape, field.name) for field in fields(shape)}
    return Shape(**{**held, "clip": outline})


def _seam(path: Path, at: float) -> str:
    points, n = path.points, int(at)
    a, b = points[n], points[(n + 1) % len(points)] if path.closed else points[min(n + 1, len(points) - 1)]
    if a == b:
        a = points[n - 1]
        middle = b
    else:
        middle = between(a, b, at - n)
    angle = atan2(b[1] - a[1], b[0] - a[0])
    return polygon([ahead(middle, angle, 0, side * path.width * 0.5) for side in (-1, 1)], closed=False)


def head_shapes(
    role: str, mood: str, at: Point, angle: float, size: float
) -> tuple[list[Shape], list[Shape]]:
    """A head that looks along `angle`, in degrees: what lies under the body, and what over it."""
    crown = patterns().get(role)
    names = [f"face-{mood}", *([f"crown-{crown}"] if crown else [])]
    under, over = ["tongue", "head"] if mood != "shut" else ["head"], names

    def placed(name: str) -> Shape:
        return Shape(use=name, shift=at, angle=angle, scale=size)

    return [placed(name) for name in under], [placed(name) for name in over]


def _coil(path: Path) -> tuple[Shape, ...]:
    """A snake of one piece, rolled up."""
    at, w = path.points[0], path.width
    turns = tuple(ahead(at, pi * (0.35 + step / 6), w * (0.74 - 0.036 * step), 0) for step in range(15))
    rolled = Path("", turns, path.role, 0.44 * w, "tail", "flat", mood=path.mood)
    under, over = head_shapes(path.role, path.mood, at, 35.0, 0.6 * w)
    line = list(turns)
    return (*_body(rolled, line), *under, *over)


def _snake(path: Path) -> tuple[Shape, ...]:
    lone = len(path.points) == 1
    if lone and path.start == "tail" and path.end == "head":
        return _coil(path)
    if lone:
        x, y = path.points[0]
        path = Path("", ((x - 0.001, y), (x + 0.001, y)), path.role, path.width, "round", "round")
    line = _middle(path)
    under: list[Shape] = []
    over: list[Shape] = []
    for cap, tip, other in (
        (path.start, path.points[0], path.points[1]),
        (path.end, path.points[-1], path.points[-2]),
    ):
        if cap == "head":
            angle = degrees(atan2(tip[1] - other[1], tip[0] - other[0]))
            low, high = head_shapes(path.role, path.mood, tip, angle, path.width)
            under += low
            over += high
    body = _body(path, line)
    first = 1 if body[0].part == "shadow" else 0
    return (*body[:first], *under, *body[first:], *over)


def _trace(path: Path) -> tuple[Shape, ...]:
    """A body that is none: the last move, one pointed at, one considered."""
    d, w = smooth(bent(path.points, path.closed), path.closed), path.width
    if path.role == "last":
        return tuple(
            Shape(d, stroke=colour, width=broad, round=True)
            for colour, broad in (("line", w), ("fill", w - 0.04), ("lit", w - 0.13))
        )
    strength = 0.15 + 0.6 * path.weight if path.role == "candidate" else 0.75
    return (Shape(d, stroke="fill", width=w, round=True, opacity=strength),)


# ---- areas

_TRACES = ("last", "highlight", "candidate")
_BROAD = {**dict.fromkeys(_TRACES, 0.09), "wall": 0.1}


def _area(area: Area) -> tuple[Shape, ...]:
    d = rounded(area.points, area.round) if area.round and area.closed else polygon(area.points, area.closed)
    if area.role.startswith("tray-"):
        # A thick board: its lower side, its lit upper edge, its face.
        return (
            Shape(d, "line", shift=(0, 0.12), part="thick"),
            Shape(d, "lit"),
            Shape(d, "fill", "lit", 0.025, shift=(0, 0.015)),
        )
    if area.role in ("wall", *_TRACES) or not area.closed:
        broad = _BROAD.get(area.role, 0.04)
        if area.role in ("room", "cut"):
            return (Shape(d, stroke="quiet.fill", width=broad, dash=(0.1, 0.12), opacity=area.weight),)
        line = Shape(d, stroke="line", width=broad, round=True, opacity=area.weight)
        if area.role != "last":
            return (line,)
        return (line, Shape(d, stroke="fill", width=broad * 0.6, round=True, opacity=area.weight))
    return (Shape(d, "tint", "line", 0.03, opacity=area.weight),)


@lru_cache(maxsize=4096)
def shapes(item: Path | Area) -> tuple[Shape, ...]:
    """What a body or an area is drawn with."""
    if isinstance(item, Area):
        return _area(item)
    # Items that differ only in the sign of a zero are equal, and kept as one; their angles would not be.
    item = replace(item, points=tuple((x + 0.0, y + 0.0) for x, y in item.points))
    return _snake(item) if _is_snake(item) else _trace(item)


def mark_shapes(mark: Mark) -> tuple[Shape, ...]:
    """The symbol that a sign is, where it stands."""
    return (
        Shape(use=mark.shape, shift=(mark.x, mark.y), angle=mark.angle, scale=mark.size, opacity=mark.weight),
    )


# ---- for a page


def _to_data(shape: Shape, known: dict[str, int]) -> dict[str, Any]:
    """A shape as what JSON can hold; defaults are left out, and path data that stood before is a number: that of its
    first place among all path data of this item."""
    data: dict[str, Any] = {}
    for field in fields(shape):
        held = getattr(shape, field.name)
        default = field.default
        if held == default and default is not MISSING:
            continue
        if field.name in ("d", "clip"):
            at = known.get(held)
            data[field.name] = held if at is None else at
            known.setdefault(held, len(known))
        elif isinstance(held, float):
            data[field.name] = round(held, 3)
        elif isinstance(held, tuple):
            data[field.name] = [round(part, 3) for part in held]
        else:
            data[field.name] = held
    return data


def shapes_to_data(drawn: tuple[Shape, ...]) -> list[dict[str, Any]]:
    """Shapes as what JSON can hold."""
    known: dict[str, int] = {}
    return [_to_data(shape, known) for shape in drawn]


def symbols_to_data() -> dict[str, Any]:
    """The symbols for a page, the symbol of each kind of cell, and the patterns of the seats."""
    return {
        "symbols": {name: shapes_to_data(parts) for name, parts in symbols().items()},
        "faces": {
            role: {
                mood: shapes_to_data((*under, *over))
                for mood in ("open", "shut", "happy")
                for under, over in [head_shapes(role, mood, (0, 0), 90.0, 1.0)]
            }
            for role in patterns()
        },
    }


def drawn(scene: Scene) -> dict[str, Any]:
    """The scene as data (`scene.to_data`), where every path and area holds its shapes and every cell its symbol."""
    data = scenes.to_data(scene)
    for panel, drawn in zip(scene.panels, data["panels"], strict=True):
        for layer, written in zip(panel.layers, drawn["layers"], strict=True):
            for item, entry in zip(layer.items, written["items"], strict=True):
                _draw(item, entry)
    return data


def _draw(item: Any, entry: dict[str, Any]) -> None:
    if isinstance(item, Path | Area):
        entry["shapes"] = shapes_to_data(shapes(item))
    elif isinstance(item, Cell):
        entry["symbol"] = cell_symbol(item)
    elif isinstance(item, scenes.Piece):
        for part, inner in zip(item.items, entry["items"], strict=True):
            _draw(part, inner)
