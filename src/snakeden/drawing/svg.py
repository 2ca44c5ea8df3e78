"""Scenes as SVG: one file without scripts, styles or references to elsewhere, the same to the byte for the same scene.

What is drawn comes from `shapes.py`; here it gets the colours of a theme. Colours are presentation attributes and every
thing has its role as class, so that a page's own style sheet wins over them; `data-id` holds the ids of the scene. Path
data that is needed more than once stands in `<defs>` under a name made of its hash, so that several pictures on one
page never mean each other's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2s
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from snakeden.drawing.outlines import number
from snakeden.drawing.scene import Area, Cell, Item, Label, Mark, Panel, Path, Piece, Scene
from snakeden.drawing.shapes import Shape, cell_symbol, mark_shapes, shapes, symbols
from snakeden.drawing.themes import Theme, theme
from snakeden.words import word

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
PIXELS = 40
"""How wide a cell is where nobody says otherwise."""

Attributes = dict[str, str | float]


def tag(name: str, attributes: Attributes, inside: str = "") -> str:
    """An element; attributes that are empty are left out."""
    written = "".join(
        f" {key}={quoteattr(number(value) if isinstance(value, float | int) else value)}"
        for key, value in attributes.items()
        if value != ""
    )
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


def _name(kind: str, d: str) -> str:
    return kind + blake2s(d.encode(), digest_size=6).hexdigest()


class _Pencil:
    """Draws in the colours of a theme, and remembers which path data and symbols are used."""

    def __init__(self, chosen: Theme) -> None:
        self.theme = chosen
        self.lines: Counter[str] = Counter()
        """How often path data is drawn."""
        self.clips: dict[str, None] = {}
        self.used: dict[tuple[str, str], None] = {}
        """Symbols in the colours of a role."""

    # ---- shapes

    def colour(self, role: str, name: str) -> str:
        other, _, own = name.rpartition(".")
        return str(getattr(self.theme[other or role], own)) if name else ""

    def shape(self, shape: Shape, role: str) -> str:
        if shape.use:
            return self._symbol(shape, role)
        self.lines[shape.d] += 1
        x, y = shape.shift
        return tag(
            "path",
            {
                "d": shape.d,
                "fill": self.colour(role, shape.fill) or "none",
                "stroke": self.colour(role, shape.stroke),
                "stroke-width": shape.width or "",
                "stroke-linecap": "round" if shape.round else "",
                "stroke-linejoin": "round" if shape.round else "",
                "stroke-dasharray": " ".join(map(number, shape.dash)),
                "stroke-dashoffset": shape.offset or "",
                "opacity": shape.opacity if shape.opacity < 1 else "",
                "transform": f"translate({number(x)} {number(y)})" if x or y else "",
            },
        )

    def _symbol(self, shape: Shape, role: str) -> str:
        self.used[shape.use, role] = None
        x, y = shape.shift
        turn = f" rotate({number(shape.angle)})" if shape.angle else ""
        size = f" scale({number(shape.scale)})" if shape.scale != 1 else ""
        return tag(
            "use",
            {
                "href": f"#{_symbol_name(self.theme, shape.use, role)}",
                "opacity": shape.opacity if shape.opacity < 1 else "",
                "transform": f"translate({number(x)} {number(y)}){turn}{size}",
            },
        )

    def shapes(self, parts: Iterable[Shape], role: str) -> str:
        written = []
        for clip, group in groupby(parts, key=lambda shape: shape.clip):
            inside = "".join(self.shape(shape, role) for shape in group)
            if clip:
                self.clips[clip] = None
                inside = tag("g", {"clip-path": f"url(#{_name('c', clip)})"}, inside)
            written.append(inside)
        return "".join(written)

    # ---- items

    def draw(self, item: Item) -> str:
        """An item; in a group of its own if it can be pointed at or has something to say."""
        drawing = self._drawn(item)
        title = "" if isinstance(item, Label) else item.title
        if not item.id and not title:
            return drawing
        kind = type(item).__name__.lower()
        status = f" {item.status}" if isinstance(item, Piece) else ""
        attributes: Attributes = {"class": f"{kind} {item.role}{status}", "data-id": item.id}
        return tag("g", attributes, _title(word(title)) + drawing)

    def _drawn(self, item: Item) -> str:
        if isinstance(item, Cell):
            return self._cell(item)
        if isinstance(item, Mark):
            return self._mark(item)
        if isinstance(item, Label):
            return self._label(item)
        if isinstance(item, Path | Area):
            return self.shapes(shapes(item), item.role)
        inside = "".join(map(self.draw, item.items))
        return tag("g", {"opacity": 0.5}, inside) if item.status == "used" else inside

    def _cell(self, cell: Cell) -> str:
        place = Shape(use=cell_symbol(cell), shift=(cell.x, cell.y), scale=cell.size, opacity=cell.weight)
        drawing = self.shape(place, cell.role)
        if not cell.label or self.theme.name != "print":
            return drawing
        low = cell.y + 0.36 * cell.size
        return drawing + _text(cell.x, low, cell.label, self.theme["quiet"].fill, 0.17 * cell.size, "middle")

    def _mark(self, mark: Mark) -> str:
        drawing = self.shapes(mark_shapes(mark), mark.role)
        if not mark.text:
            return drawing
        own = self.theme[mark.role]
        colour = own.mark if mark.shape in ("hole", "dot") else own.line
        return drawing + _text(mark.x, mark.y, mark.text, colour, mark.size * 0.62, "middle", bold=True)

    def _label(self, label: Label) -> str:
        own = self.theme[label.role]
        colour = own.fill
        if label.role.startswith("tray-"):
            colour = own.mark
        elif label.role in ("face", "locked") or (
            label.role.startswith("seat") and self.theme.name != "dark"
        ):
            colour = own.line
        return _text(label.x, label.y, word(label.text), colour, label.size, label.anchor, label.bold)

    # ---- what is used by name

    def definitions(self, body: str) -> tuple[str, str]:
        """The definitions that a drawing needs, and the drawing with path data replaced where it stands there."""
        found = []
        for name, role in self.used:
            parts = "".join(self.shape(part, role) for part in symbols()[name])
            found.append(tag("g", {"id": _symbol_name(self.theme, name, role)}, parts))
        for d, times in self.lines.items():
            if (times + (d in self.clips)) < 2 or f' d="{d}"' not in body:
                continue
            name = _name("p", d)
            found.append(tag("path", {"id": name, "d": d}))
            body = body.replace(f'<path d="{d}"', f'<use href="#{name}"')
        for d in self.clips:
            inside = tag("path", {"d": d})
            found.append(tag("clipPath", {"id": _name("c", d)}, inside))
        return (tag("defs", {}, "\n".join(found)) if found else ""), body


def _symbol_name(chosen: Theme, name: str, role: str) -> str:
    return f"{name}-{role}-{chosen.name}"


def _text(x: float, y: float, text: str, colour: str, size: float, anchor: str, bold: bool = False) -> str:
    attributes: Attributes = {
        "x": x,
        "y": y + 0.35 * size,
        "font-size": size,
        "text-anchor": "" if anchor == "start" else anchor,
        "font-weight": "bold" if bold else "",
        "fill": colour,
    }
    return tag("text", attributes, escape(text))


def _panel(panel: Panel, pencil: _Pencil) -> str:
    """One panel as a group."""
    layers = [
        tag("g", {"class": layer.name}, "\n".join(map(pencil.draw, layer.items)))
        for layer in panel.layers
        if layer.items
    ]
    return tag("g", {"class": f"panel {panel.kind}", "data-id": panel.id}, "\n".join(layers))


def fragment(items: Iterable[Item], theme_name: str = "light") -> str:
    """Items as elements to put into an SVG file of one's own, with what they refer to."""
    pencil = _Pencil(theme(theme_name))
    definitions, body = pencil.definitions("".join(map(pencil.draw, items)))
    return definitions + body


def svg(scene: Scene, theme_name: str = "light", cell: float = PIXELS) -> str:
    """The scene as a whole SVG file; a cell is `cell` pixels wide."""
    chosen = theme(theme_name)
    left, top, width, height = scene.box
    attributes: Attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": " ".join(map(number, scene.box)),
        "width": round(width * cell, 1),
        "height": round(height * cell, 1),
        "role": "img",
        "font-family": FONT,
    }
    ground: Attributes = {"x": left, "y": top, "width": width, "height": height, "fill": chosen.ground}
    pencil = _Pencil(chosen)
    body = "\n".join(_panel(panel, pencil) for panel in scene.panels)
    definitions, body = pencil.definitions(body)
    parts = [_title(word(scene.title)), definitions, tag("rect", ground), body]
    return tag("svg", attributes, "\n" + "\n".join(part for part in parts if part) + "\n") + "\n"
