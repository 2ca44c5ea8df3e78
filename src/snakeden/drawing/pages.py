"""Pages to be printed, true to size: scenes as large as a sheet of paper, in units of a number of millimetres.

Texts are messages, to be worded in the language of whoever prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from snakeden.drawing.scene import Area, Item, Label, Layer, Panel, Path, Piece, Point, Scene
from snakeden.words import Message, Text, rules_in_short, word

PAPERS: dict[str, Point] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
MARGIN = 11.0
"""What most printers cannot reach, in millimetres."""
TEXT = 4.0
"""The height of a line of text's letters, in millimetres."""
RULER = 50.0


@dataclass(frozen=True)
class Page:
    scene: Scene
    unit: float
    """Millimetres to a unit of the scene."""


def page(game: str, title: Text, paper: Point, unit: float, items: Sequence[Item]) -> Page:
    """A page with these items, a heading, and a ruler to check the size with; coordinates are from the page's
    upper left corner."""
    width, height = paper[0] / unit, paper[1] / unit
    margin, letter = MARGIN / unit, TEXT / unit
    top, bottom = margin + letter / 2, height - margin
    ruler = ((margin, bottom), (margin + RULER / unit, bottom))
    ticks = [((x, bottom - letter / 3), (x, bottom + letter / 3)) for x, _ in ruler]
    frame: list[Item] = [
        Label(margin, top, title, "ink", letter * 1.1, "start", bold=True),
        *(Area("", line, "line", closed=False) for line in (ruler, *ticks)),
        Label(
            margin + (RULER + 4) / unit,
            bottom,
            Message("print.ruler", n=int(RULER)),
            "quiet",
            letter * 0.75,
            "start",
        ),
    ]
    layers = (Layer("ground", tuple(frame)), Layer("pieces", tuple(items)))
    panel = Panel("page", "sheet", (0.0, 0.0, width, height), layers, title)
    return Page(
        Scene(game, Message("print.to_print", title=title), (0.0, 0.0, width, height), (), (panel,)), unit
    )


def wrapped(text: str, letters: int) -> list[str]:
    """The text in lines of at most this many letters."""
    lines = [""]
    for part in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(part) > letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {part}".lstrip()
    return lines


def _in_short(text: str) -> list[tuple[str, str]]:
    """The rules in short: headings behind a `#`, and what they say. A line that begins with a number begins a
    paragraph, which a newline keeps apart."""
    found = []
    for part in text.split("# ")[1:]:
        heading, *lines = part.strip().splitlines()
        body = lines[0]
        for line in lines[1:]:
            body += ("\n" if line[0].isdigit() else " ") + line
        found.append((heading, body))
    return found


def summary(game: str, name: str, credits: Text, paper: Point, language: str) -> Page:
    """The rules on one page, in this language: headings and what they say."""
    unit, size = 10.0, TEXT
    rules = _in_short(rules_in_short(game, language))
    while True:
        letters = int((paper[0] - 2 * MARGIN) / (size * 0.49))
        x, y, step = MARGIN / unit, (MARGIN + 3 * TEXT) / unit, size * 1.42 / unit
        items: list[Item] = []
        for heading, text in rules:
            items.append(Label(x, y, heading, "ink", size / unit, "start", bold=True))
            for line in (line for part in text.splitlines() for line in wrapped(part, letters)):
                y += step
                items.append(Label(x, y, line, "ink", size / unit, "start"))
            y += step * 1.6
        for line in wrapped(word(credits, language), letters):
            items.append(Label(x, y, line, "quiet", size * 0.9 / unit, "start"))
            y += step
        if y * unit <= paper[1] - MARGIN - 2 * TEXT:
            return page(game, Message("print.short", game=name), paper, unit, items)
        size *= 0.97


def back(front: Page) -> Page:
    """The other side of a page, for paper that is turned over its long edge: everything but the heading mirrored, so
    that what is cut out has its mirror image on the back."""
    width = front.scene.box[2]
    (panel,) = front.scene.panels
    ground, pieces = panel.layers
    title = Message("print.back", title=panel.title)
    heading, *rest = ground.items
    assert isinstance(heading, Label)
    layers = (
        replace(ground, items=(replace(heading, text=title), *rest)),
        replace(pieces, items=tuple(_mirrored(item, width) for item in pieces.items)),
    )
    scene = replace(front.scene, title=Message("print.to_print", title=title))
    return replace(front, scene=replace(scene, panels=(replace(panel, layers=layers, title=title),)))


def _mirrored(item: Any, width: float) -> Any:
    if isinstance(item, Path | Area):
        return replace(item, points=tuple((width - x, y) for x, y in item.points))
    if isinstance(item, Piece):
        return replace(item, items=tuple(_mirrored(part, width) for part in item.items))
    return replace(item, x=width - item.x)


def crop_marks(left: float, top: float, columns: int, rows: int, size: float) -> list[Item]:
    """Short lines outside a grid of cards, where the cuts begin and end."""
    right, bottom, reach, gap = left + columns * size, top + rows * size, size * 0.09, size * 0.03
    lines: list[tuple[Point, Point]] = []
    for i in range(columns + 1):
        x = left + i * size
        lines += [((x, top - gap), (x, top - gap - reach)), ((x, bottom + gap), (x, bottom + gap + reach))]
    for i in range(rows + 1):
        y = top + i * size
        lines += [((left - gap, y), (left - gap - reach, y)), ((right + gap, y), (right + gap + reach, y))]
    return [Area("", line, "cut", closed=False) for line in lines]
