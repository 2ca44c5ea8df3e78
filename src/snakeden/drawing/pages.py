"""Pages to be printed, true to size: scenes as large as a sheet of paper, in units of so many millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from snakeden.drawing.scene import Area, Item, Label, Layer, Panel, Point, Scene

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


def page(game: str, title: str, paper: Point, unit: float, items: Sequence[Item]) -> Page:
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
            f"{RULER:.0f} mm if printed at 100 %",
            "quiet",
            letter * 0.75,
            "start",
        ),
    ]
    layers = (Layer("ground", tuple(frame)), Layer("pieces", tuple(items)))
    panel = Panel("page", "sheet", (0.0, 0.0, width, height), layers, title)
    return Page(Scene(game, f"{title}, to print", (0.0, 0.0, width, height), (), (panel,)), unit)


def wrapped(text: str, letters: int) -> list[str]:
    """The text in lines of at most so many letters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


def in_short(package: str, file: str) -> list[tuple[str, str]]:
    """The rules in a text file of a game's package: headings behind a `#`, and what they say. A line that
    begins with a number begins a paragraph, which a newline keeps apart."""
    text = files(package).joinpath(file).read_text(encoding="utf-8")
    found = []
    for part in text.split("# ")[1:]:
        heading, *lines = part.strip().splitlines()
        told = lines[0]
        for line in lines[1:]:
            told += ("\n" if line[0].isdigit() else " ") + line
        found.append((heading, told))
    return found


def summary(game: str, name: str, credits: str, paper: Point, rules: Sequence[tuple[str, str]]) -> Page:
    """The rules on one page: headings and what they say."""
    unit = 10.0
    width = paper[0] - 2 * MARGIN
    letters = int(width / (TEXT * 0.49))
    x, y = MARGIN / unit, (MARGIN + 3 * TEXT) / unit
    step = TEXT * 1.42 / unit
    items: list[Item] = []
    for heading, text in rules:
        items.append(Label(x, y, heading, "ink", TEXT / unit, "start", bold=True))
        for line in (line for part in text.splitlines() for line in wrapped(part, letters)):
            y += step
            items.append(Label(x, y, line, "ink", TEXT / unit, "start"))
        y += step * 1.7
    for line in wrapped(credits, letters):
        items.append(Label(x, y, line, "quiet", TEXT * 0.9 / unit, "start"))
        y += step
    if y * unit > paper[1] - MARGIN - 2 * TEXT:
        raise ValueError(f"the summary of {name} does not fit on a page")
    return page(game, f"{name}: the rules in short", paper, unit, items)


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
