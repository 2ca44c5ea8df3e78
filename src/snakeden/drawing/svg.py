"""Scenes as SVG: one file without scripts, styles or references, the same to the byte for the same scene.

Colours are presentation attributes and every thing has its role as class, so that a page's own style sheet
wins over them; `data-id` holds the ids of the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import atan2, cos, hypot, pi, radians, sin, sqrt
from xml.sax.saxutils import escape, quoteattr

from snakeden.drawing.scene import Area, Cell, Item, Label, Mark, Panel, Path, Piece, Point, Scene
from snakeden.drawing.themes import Theme, patterns, theme

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
TRACES = ("last", "highlight", "candidate")
"""Roles of moves, which are drawn around or over what lies there."""
PIXELS = 40
"""How wide a cell is where nobody says otherwise."""


def number(value: float) -> str:
    """A coordinate: three decimals, no more than needed."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _xy(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _tag(name: str, attributes: dict[str, str | float], inside: str = "") -> str:
    told = "".join(
        f" {key}={quoteattr(number(value) if isinstance(value, float | int) else value)}"
        for key, value in attributes.items()
        if value != ""
    )
    return f"<{name}{told}>{inside}</{name}>" if inside else f"<{name}{told}/>"


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


def _between(a: Point, b: Point, share: float) -> Point:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


# ---- bodies


def _line(path: Path) -> str:
    """The middle line of a body: through the middles of its steps, bending at its points."""
    points = path.points
    if path.closed:
        middles = [_between(a, b, 0.5) for a, b in pairwise([*points, points[0]])]
        curves = [
            f"Q{_xy(points[(i + 1) % len(points)])} {_xy(middles[(i + 1) % len(points)])}"
            for i in range(len(points))
        ]
        return f"M{_xy(middles[0])}" + "".join(curves) + "Z"
    if len(points) == 1:
        return f"M{_xy(points[0])}l0 0"
    middles = [_between(a, b, 0.5) for a, b in pairwise(points)]
    told = [f"M{_xy(middles[0])}" if path.start == "tail" else f"M{_xy(points[0])}L{_xy(middles[0])}"]
    told += [f"Q{_xy(point)} {_xy(middle)}" for point, middle in zip(points[1:-1], middles[1:], strict=True)]
    if path.end != "tail":
        told.append(f"L{_xy(points[-1])}")
    return "".join(told)


def _place(path: Path, at: float) -> tuple[Point, float]:
    """The point of a body's middle line at a seam, and the direction of the body there."""
    points = path.points
    n = int(at)
    a, b = points[n], points[(n + 1) % len(points)] if path.closed else points[min(n + 1, len(points) - 1)]
    if a == b:
        a = points[n - 1]
        return b, atan2(b[1] - a[1], b[0] - a[0])
    return _between(a, b, at - n), atan2(b[1] - a[1], b[0] - a[0])


def _ahead(point: Point, angle: float, along: float, across: float) -> Point:
    """A point so far ahead of, and to the right of, another."""
    return (
        point[0] + along * cos(angle) - across * sin(angle),
        point[1] + along * sin(angle) + across * cos(angle),
    )


def _tail(tip: Point, root: Point, width: float, colours: tuple[str, str], line: float) -> str:
    """A tail that tapers from the body's width at `root` to a point a little beyond `tip`."""
    angle = atan2(tip[1] - root[1], tip[0] - root[0])
    length = hypot(tip[0] - root[0], tip[1] - root[1]) * 1.45
    half = width / 2
    a, b = _ahead(root, angle, -0.004, -half), _ahead(root, angle, -0.004, half)
    end = _ahead(root, angle, length, 0)
    c1, c2 = _ahead(root, angle, length * 0.4, -half), _ahead(root, angle, length * 0.75, -half * 0.3)
    c3, c4 = _ahead(root, angle, length * 0.75, half * 0.3), _ahead(root, angle, length * 0.4, half)
    d = f"M{_xy(a)}C{_xy(c1)} {_xy(c2)} {_xy(end)}C{_xy(c3)} {_xy(c4)} {_xy(b)}"
    return _tag(
        "path",
        {"d": d, "fill": colours[0], "stroke": colours[1], "stroke-width": line, "stroke-linejoin": "round"},
    )


def _head(at: Point, angle: float, width: float, t: Theme, role: str) -> str:
    """A head with eyes and a tongue, looking along `angle`."""
    own, eye, tongue = t[role], t["eyeball"], t["tongue"]
    w = width
    fork = [(0.62, 0.0), (0.86, 0.0), (1.0, -0.09), (0.86, 0.0), (1.0, 0.09)]
    told = "".join(
        f"{'M' if i == 0 else 'L'}{_xy(_ahead(at, angle, x * w, y * w))}" for i, (x, y) in enumerate(fork)
    )
    parts = [_tag("path", {"d": told, "fill": "none", "stroke": tongue.line, "stroke-width": w * 0.07})]
    back, front = -0.42, 0.68
    shape = (
        f"M{_xy(_ahead(at, angle, back * w, -0.47 * w))}"
        f"C{_xy(_ahead(at, angle, -0.1 * w, -0.72 * w))} {_xy(_ahead(at, angle, front * w, -0.6 * w))} "
        f"{_xy(_ahead(at, angle, front * w, 0))}"
        f"C{_xy(_ahead(at, angle, front * w, 0.6 * w))} {_xy(_ahead(at, angle, -0.1 * w, 0.72 * w))} "
        f"{_xy(_ahead(at, angle, back * w, 0.47 * w))}"
    )
    parts.append(
        _tag(
            "path",
            {
                "d": shape,
                "fill": own.fill,
                "stroke": own.line,
                "stroke-width": w * 0.08,
                "stroke-linejoin": "round",
            },
        )
    )
    for side in (-1, 1):
        x, y = _ahead(at, angle, 0.18 * w, side * 0.3 * w)
        parts.append(
            _tag(
                "circle",
                {
                    "cx": x,
                    "cy": y,
                    "r": w * 0.15,
                    "fill": eye.fill,
                    "stroke": own.line,
                    "stroke-width": w * 0.04,
                },
            )
        )
        x, y = _ahead(at, angle, 0.23 * w, side * 0.31 * w)
        parts.append(_tag("circle", {"cx": x, "cy": y, "r": w * 0.075, "fill": eye.line}))
    return "".join(parts)


def _coil(at: Point, width: float, t: Theme, role: str) -> str:
    """A snake of one piece, rolled up."""
    own = t[role]
    turns = [_ahead(at, pi * (0.5 + step / 8), width * (0.68 - 0.026 * step), 0) for step in range(19)]
    d = f"M{_xy(turns[0])}" + "".join(f"L{_xy(point)}" for point in turns[1:])
    strokes = [(own.line, 0.42), (own.fill, 0.34)]
    body = "".join(
        _tag(
            "path",
            {
                "d": d,
                "fill": "none",
                "stroke": colour,
                "stroke-width": width * broad,
                "stroke-linecap": "round",
                "stroke-linejoin": "round",
            },
        )
        for colour, broad in strokes
    )
    return body + _head(_ahead(at, 0, width * 0.02, -width * 0.02), 0.6, width * 0.62, t, role)


def _pattern(name: str, d: str, width: float, colour: str) -> str:
    """The pattern on a body's back, along its middle line."""
    kinds: dict[str, dict[str, str | float]] = {
        "bands": {
            "stroke-width": width * 0.62,
            "stroke-dasharray": f"{number(width * 0.16)} {number(width * 0.4)}",
        },
        "dots": {
            "stroke-width": width * 0.34,
            "stroke-dasharray": f"0 {number(width * 0.62)}",
            "stroke-linecap": "round",
        },
        "stripe": {"stroke-width": width * 0.2},
        "dashes": {
            "stroke-width": width * 0.22,
            "stroke-dasharray": f"{number(width * 0.55)} {number(width * 0.45)}",
        },
    }
    told: dict[str, str | float] = {"d": d, "fill": "none", "stroke": colour}
    if "stroke-dasharray" in kinds[name]:
        told["stroke-dashoffset"] = -0.3 * width  # clear of the tail
    return _tag("path", {**told, **kinds[name]})


def _snake(path: Path, t: Theme) -> str:
    own, width = t[path.role], path.width
    line = min(0.05, width * 0.1)
    d = _line(path)
    lone = len(path.points) == 1
    if lone and path.start == "tail" and path.end == "head":
        return _coil(path.points[0], width, t, path.role)
    base: dict[str, str | float] = {"d": d, "fill": "none", "stroke-linejoin": "round"}
    ends = ((path.start, path.points[0]), (path.end, path.points[-1]))
    caps = "".join(f"M{_xy(point)}l0 0" for cap, point in ends if cap in ("round", "hole"))
    rounded: dict[str, str | float] = {"d": caps, "stroke-linecap": "round"}
    pattern = patterns().get(path.role)
    parts = []
    for colour, broad in ((own.line, width), (own.fill, width - 2 * line)):
        stroke: dict[str, str | float] = {"stroke": colour, "stroke-width": broad}
        parts += [_tag("path", {**rounded, **stroke})] if caps else []
        parts.append(_tag("path", {**base, **stroke}))
    if pattern == "rails":
        inside = width - 2 * line
        parts.append(_tag("path", {**base, "stroke": own.mark, "stroke-width": inside * 0.55}))
        parts.append(_tag("path", {**base, "stroke": own.fill, "stroke-width": inside * 0.3}))
    elif pattern and not lone:
        parts.append(_pattern(pattern, d, width - 2 * line, own.mark))
    for seam in path.seams:
        at, angle = _place(path, seam)
        a, b = _ahead(at, angle, 0, -width * 0.46), _ahead(at, angle, 0, width * 0.46)
        d = f"M{_xy(a)}L{_xy(b)}"
        parts.append(_tag("path", {"d": d, "stroke": own.line, "stroke-width": line * 0.9}))
    if not lone and not path.closed:
        for cap, tip, other in (
            (path.start, path.points[0], path.points[1]),
            (path.end, path.points[-1], path.points[-2]),
        ):
            if cap == "tail":
                parts.append(_tail(tip, _between(tip, other, 0.5), width - line, (own.fill, own.line), line))
    for cap, tip, other in (
        (path.start, path.points[0], path.points[min(1, len(path.points) - 1)]),
        (path.end, path.points[-1], path.points[max(-2, -len(path.points))]),
    ):
        if cap == "head":
            angle = 0.0 if lone else atan2(tip[1] - other[1], tip[0] - other[0])
            parts.append(_head(tip, angle, width, t, path.role))
    return "".join(parts)


def _trace(path: Path, t: Theme) -> str:
    """A body that is none: the last move, one pointed at, one considered."""
    own = t[path.role]
    base: dict[str, str | float] = {
        "d": _line(path),
        "fill": "none",
        "stroke": own.fill,
        "stroke-width": path.width,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
    }
    if path.role == "last":
        return _tag("path", {**base, "opacity": 0.6})
    strength = 0.15 + 0.6 * path.weight if path.role == "candidate" else 0.75
    return _tag("path", {**base, "opacity": strength})


def _path(path: Path, t: Theme) -> str:
    own = path.role.startswith("seat") or path.role in ("neutral", "fence")
    return (_snake if own else _trace)(path, t)


# ---- the other items


def _corners(x: float, y: float, shape: str, size: float) -> list[Point]:
    if shape == "hex":
        r = size / sqrt(3)
        return [(x + r * cos(radians(60 * i - 90)), y + r * sin(radians(60 * i - 90))) for i in range(6)]
    h = size / 2
    return [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]


def _polygon(points: Iterable[Point], closed: bool = True) -> str:
    told = list(points)
    parts = [f"M{_xy(told[0])}"]
    at = (round(told[0][0], 3), round(told[0][1], 3))
    for point in told[1:]:
        # Relative steps are shorter; each starts from where rounding has brought the one before.
        step = (round(point[0] - at[0], 3), round(point[1] - at[1], 3))
        at = (at[0] + step[0], at[1] + step[1])
        parts.append(f"l{_xy(step)}")
    return "".join(parts) + ("z" if closed else "")


def _cell(cell: Cell, t: Theme) -> str:
    own = t[cell.role]
    shape = _tag(
        "path",
        {
            "d": _polygon(_corners(cell.x, cell.y, cell.shape, cell.size)),
            "fill": own.tint,
            "stroke": t["cell"].line if cell.role.startswith("seat") else own.line,
            "stroke-width": 0.03 * cell.size,
            "opacity": cell.weight if cell.weight < 1 else "",
        },
    )
    if not cell.label:
        return shape
    low = cell.y + (0.36 if cell.shape == "hex" else 0.38) * cell.size
    return shape + _text(cell.x, low, cell.label, t["quiet"].fill, 0.17 * cell.size, "middle")


def _text(x: float, y: float, text: str, colour: str, size: float, anchor: str, bold: bool = False) -> str:
    attributes: dict[str, str | float] = {
        "x": x,
        "y": y + 0.35 * size,
        "font-size": size,
        "text-anchor": "" if anchor == "start" else anchor,
        "font-weight": "bold" if bold else "",
        "fill": colour,
    }
    return _tag("text", attributes, escape(text))


def _label(label: Label, t: Theme) -> str:
    colours = t[label.role]
    colour = (
        colours.fill
        if label.role in ("ink", "quiet")
        else colours.line
        if t.name == "light"
        else colours.fill
    )
    return _text(label.x, label.y, label.text, colour, label.size, label.anchor, label.bold)


def _area(area: Area, t: Theme) -> str:
    own = t[area.role]
    attributes: dict[str, str | float] = {}
    if area.role in ("wall", *TRACES) or not area.closed:
        broad = 0.1 if area.role in TRACES else 0.08 if area.role == "wall" else 0.04
        attributes = {"fill": "none", "stroke": own.line, "stroke-width": broad, "stroke-linecap": "round"}
        if area.role in ("room", "cut"):
            attributes |= {"stroke": t["quiet"].fill, "stroke-dasharray": "0.1 0.12"}
    else:
        attributes = {"fill": own.tint, "stroke": own.line, "stroke-width": 0.04}
    if area.weight < 1:
        attributes["opacity"] = area.weight
    xs, ys = [x for x, _ in area.points], [y for _, y in area.points]
    if area.round and area.closed and len(area.points) == 4:
        box: dict[str, str | float] = {
            "x": min(xs),
            "y": min(ys),
            "width": max(xs) - min(xs),
            "height": max(ys) - min(ys),
            "rx": area.round,
        }
        return _tag("rect", {**box, **attributes})
    return _tag("path", {"d": _polygon(area.points, area.closed), **attributes})


def _turned(mark: Mark, points: Iterable[Point]) -> list[Point]:
    """Points of a sign of size 1 that looks to the right, where the sign stands."""
    angle, size = radians(mark.angle), mark.size
    return [_ahead((mark.x, mark.y), angle, x * size, y * size) for x, y in points]


def _arrow(mark: Mark, colour: str, line: list[Point]) -> str:
    """A line with a point at its end."""
    end, before = line[-1], line[-2]
    angle = atan2(end[1] - before[1], end[0] - before[0])
    tip = [_ahead(end, angle, -0.24, side * 0.2) for side in (-1, 1)]
    a, b = (_xy(point) for point in _turned(mark, tip))
    points = _turned(mark, line)
    middle = f"Q{_xy(points[1])} {_xy(points[2])}" if len(points) == 3 else f"L{_xy(points[1])}"
    d = f"M{_xy(points[0])}{middle}M{a}L{_xy(points[-1])}L{b}"
    return _tag(
        "path",
        {
            "d": d,
            "fill": "none",
            "stroke": colour,
            "stroke-width": 0.11 * mark.size,
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )


def _mark(mark: Mark, t: Theme) -> str:
    own, size = t[mark.role], mark.size
    circle: dict[str, str | float] = {"cx": mark.x, "cy": mark.y, "r": size / 2}
    fade: str | float = mark.weight if mark.weight < 1 else ""
    inside = ""
    if mark.text:
        colour = own.mark if mark.shape in ("hole", "dot") else own.line
        inside = _text(mark.x, mark.y, mark.text, colour, size * 0.62, "middle", bold=True)
    if mark.shape == "dot":
        told = _tag("circle", {**circle, "fill": own.fill, "opacity": fade}) + inside
    elif mark.shape == "ring":
        told = (
            _tag("circle", {**circle, "fill": "none", "stroke": own.line, "stroke-width": size * 0.12})
            + inside
        )
    elif mark.shape == "hole":
        told = (
            _tag("circle", {**circle, "fill": own.fill, "stroke": own.mark, "stroke-width": size * 0.08})
            + inside
        )
    elif mark.shape == "cross":
        a, b, c, d = map(_xy, _turned(mark, [(-0.4, -0.4), (0.4, 0.4), (-0.4, 0.4), (0.4, -0.4)]))
        told = _tag(
            "path",
            {
                "d": f"M{a}L{b}M{c}L{d}",
                "stroke": own.line,
                "stroke-width": size * 0.14,
                "stroke-linecap": "round",
            },
        )
    elif mark.shape == "star":
        points = [
            (0.5 * r * sin(pi * i / 5), -0.5 * r * cos(pi * i / 5)) for i, r in enumerate([1, 0.45] * 5)
        ]
        told = _tag(
            "path",
            {
                "d": _polygon(_turned(mark, points)),
                "fill": own.fill,
                "stroke": own.line,
                "stroke-width": size * 0.05,
                "stroke-linejoin": "round",
            },
        )
    elif mark.shape == "block":
        points = [(-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45)]
        told = _tag(
            "path",
            {
                "d": _polygon(_turned(mark, points)),
                "fill": own.fill,
                "stroke": own.line,
                "stroke-width": size * 0.06,
            },
        )
        bricks = [(-0.45, -0.15), (0.45, -0.15), (-0.45, 0.15), (0.45, 0.15), (0, -0.45), (0, -0.15)]
        bricks += [(-0.2, -0.15), (-0.2, 0.15), (0.25, -0.15), (0.25, 0.15), (0, 0.15), (0, 0.45)]
        ends = list(map(_xy, _turned(mark, bricks)))
        d = "".join(f"M{a}L{b}" for a, b in zip(ends[::2], ends[1::2], strict=True))
        told += _tag("path", {"d": d, "stroke": own.mark, "stroke-width": size * 0.05})
    elif mark.shape == "arrow":
        colour = own.fill if mark.role.startswith("seat") else own.line
        told = _arrow(mark, colour, [(-0.42, 0), (0.42, 0)])
    elif mark.shape == "turn-left":
        told = _arrow(mark, own.line, [(-0.35, 0.15), (0.2, 0.15), (0.2, -0.42)])
    elif mark.shape == "turn-right":
        told = _arrow(mark, own.line, [(-0.35, -0.15), (0.2, -0.15), (0.2, 0.42)])
    elif mark.shape == "turn-both":
        told = _arrow(mark, own.line, [(-0.4, 0), (0.15, 0), (0.15, -0.42)])
        told += _arrow(mark, own.line, [(-0.4, 0), (0.15, 0), (0.15, 0.42)])
    else:
        told = _lock(mark, own.line)
    return told


def _lock(mark: Mark, colour: str) -> str:
    s, x, y = mark.size, mark.x, mark.y
    body: dict[str, str | float] = {
        "x": x - 0.3 * s,
        "y": y - 0.05 * s,
        "width": 0.6 * s,
        "height": 0.45 * s,
        "rx": 0.06 * s,
        "fill": colour,
    }
    a, b, c, d = map(
        _xy,
        [(x - 0.18 * s, y), (x - 0.18 * s, y - 0.45 * s), (x + 0.18 * s, y - 0.45 * s), (x + 0.18 * s, y)],
    )
    shackle = f"M{a}C{b} {c} {d}"
    return _tag("path", {"d": shackle, "fill": "none", "stroke": colour, "stroke-width": 0.1 * s}) + _tag(
        "rect", body
    )


def _piece(piece: Piece, t: Theme) -> str:
    inside = "".join(_drawn(item, t) for item in piece.items)
    attributes: dict[str, str | float] = {"opacity": 0.8 if piece.status == "used" else ""}
    return _tag("g", attributes, inside) if attributes["opacity"] else inside


_DRAW: dict[type, Callable[..., str]] = {
    Cell: _cell,
    Path: _path,
    Mark: _mark,
    Label: _label,
    Area: _area,
    Piece: _piece,
}


def _drawn(item: Item, t: Theme) -> str:
    """An item; in a group of its own if it can be pointed at or has something to say."""
    drawing = _DRAW[type(item)](item, t)
    title = "" if isinstance(item, Label) else item.title
    if not item.id and not title:
        return drawing
    kind = type(item).__name__.lower()
    status = f" {item.status}" if isinstance(item, Piece) else ""
    return _tag("g", {"class": f"{kind} {item.role}{status}", "data-id": item.id}, _title(title) + drawing)


def panel_svg(panel: Panel, t: Theme) -> str:
    """One panel as a group."""
    layers = [
        _tag("g", {"class": layer.name}, "\n".join(_drawn(item, t) for item in layer.items))
        for layer in panel.layers
        if layer.items
    ]
    return _tag("g", {"class": f"panel {panel.kind}", "data-id": panel.id}, "\n".join(layers))


def svg(scene: Scene, theme_name: str = "light", cell: float = PIXELS) -> str:
    """The scene as a whole SVG file; a cell is `cell` pixels wide."""
    t = theme(theme_name)
    left, top, width, height = scene.box
    attributes: dict[str, str | float] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": " ".join(map(number, scene.box)),
        "width": round(width * cell, 1),
        "height": round(height * cell, 1),
        "role": "img",
        "font-family": FONT,
    }
    ground: dict[str, str | float] = {"x": left, "y": top, "width": width, "height": height, "fill": t.ground}
    parts = [_title(scene.title), _tag("rect", ground), *(panel_svg(panel, t) for panel in scene.panels)]
    return _tag("svg", attributes, "\n" + "\n".join(parts) + "\n") + "\n"
