"""Plots as SVG: intervals, boxes, lines and matrices. Plain functions from numbers to a picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from snakeden.lab.measures import Estimate

INK, QUIET, GRID, MAIN, SOFT = "#23302a", "#66736c", "#dfe5e1", "#2f7d4f", "#a9d3ba"
FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_WIDTH, _ROW, _RIGHT, _TOP = 760, 20, 40, 26
_LETTER, _LONGEST = 7.0, 50
"""The width of a letter, generously, and how many of them a label may have."""


def _svg(width: float, height: float, body: Sequence[str], title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="{escape(FONT, quote=True)}" font-size="12">'
        f"<title>{escape(title)}</title>" + "".join(body) + "</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width:g}"/>'


def _ticks(low: float, high: float) -> list[float]:
    """About six round numbers from low to high."""
    step = 10 ** floor(log10((high - low) / 5))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 6)
    return [k * step for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


class _Rows:
    """A plot with a labelled row for each thing and one axis from left to right."""

    def __init__(self, labels: Sequence[str], low: float, high: float, unit: str) -> None:
        self.low, self.high = (low, high) if high > low else (low - 1, low + 1)
        self.bottom = _TOP + _ROW * len(labels)
        self.left = _room(labels)
        self.body = []
        for value in _ticks(self.low, self.high):
            x = self.x(value)
            self.body.append(_line(x, _TOP - 4, x, self.bottom, GRID))
            shown = f"{100 * value:.0f} %" if unit == "%" else f"{value:g}"
            self.body.append(_text(x, _TOP - 9, shown, "middle", QUIET))
        for k, label in enumerate(labels):
            self.body.append(_text(self.left - 10, self.y(k) + 4, _short(label), "end"))

    def x(self, value: float) -> float:
        return self.left + (value - self.low) / (self.high - self.low) * (_WIDTH - self.left - _RIGHT)

    def y(self, row: int) -> float:
        return _TOP + _ROW * (row + 0.5)

    def picture(self, title: str) -> str:
        return _svg(_WIDTH, self.bottom + 8, self.body, title)


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"


def _room(labels: Sequence[str]) -> float:
    """How much room labels take."""
    return 20 + _LETTER * max(len(_short(label)) for label in labels)


def intervals(
    title: str, rows: Sequence[tuple[str, Estimate]], *, reference: float | None = None, unit: str = ""
) -> str:
    """A dot and its interval for each row; a line marks the value to compare with."""
    marks = [] if reference is None else [reference]
    low = min([estimate.low for _, estimate in rows] + marks)
    high = max([estimate.high for _, estimate in rows] + marks)
    plot = _Rows([label for label, _ in rows], low, high, unit)
    for mark in marks:
        plot.body.append(_line(plot.x(mark), _TOP - 4, plot.x(mark), plot.bottom, QUIET, 1.5))
    for k, (_, estimate) in enumerate(rows):
        y = plot.y(k)
        plot.body.append(_line(plot.x(estimate.low), y, plot.x(estimate.high), y, MAIN, 2))
        plot.body.append(f'<circle cx="{plot.x(estimate.value):.1f}" cy="{y:.1f}" r="4" fill="{MAIN}"/>')
    return plot.picture(title)


def boxes(title: str, rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    """The middle half of each row's values as a box, the median in it, and lines to the 5 % at each end."""
    everything = [value for _, values in rows for value in values]
    plot = _Rows([label for label, _ in rows], min(everything), max(everything), "")
    for k, (_, values) in enumerate(rows):
        ordered, y = sorted(values), plot.y(k)
        low, left, middle, right, high = (
            plot.x(ordered[round(part * (len(ordered) - 1))]) for part in (0.05, 0.25, 0.5, 0.75, 0.95)
        )
        plot.body.append(_line(low, y, high, y, MAIN))
        plot.body.append(
            f'<rect x="{left:.1f}" y="{y - 6:.1f}" width="{max(right - left, 1):.1f}" height="12" fill="{SOFT}" '
            f'stroke="{MAIN}"/>'
        )
        plot.body.append(_line(middle, y - 6, middle, y + 6, INK, 2))
    return plot.picture(title)


def matrix(
    title: str, left: Sequence[str], top: Sequence[str], values: Sequence[Sequence[float | None]]
) -> str:
    """Shares as numbers on a ground from red (0) over white (0.5) to green (1)."""
    side, height, labels = 84, 30, _room(left)
    body = []
    for j, name in enumerate(top):
        body.append(_text(labels + (j + 0.5) * side, 18, name[:14], "middle", QUIET))
    for i, name in enumerate(left):
        y = 26 + i * height
        body.append(_text(labels - 8, y + height / 2 + 4, _short(name), "end"))
        for j, value in enumerate(values[i]):
            if value is not None:
                body.append(
                    f'<rect x="{labels + j * side:g}" y="{y}" width="{side - 2}" height="{height - 2}" '
                    f'fill="{_between(value)}"/>'
                )
                shown = f"{100 * value:.0f} %"
                body.append(_text(labels + (j + 0.5) * side, y + height / 2 + 4, shown, "middle"))
    return _svg(labels + side * len(top) + 10, 32 + height * len(left), body, title)


def _between(value: float) -> str:
    """Red, white or green, and what lies between."""
    far = min(1.0, 2 * abs(value - 0.5))
    end = (47, 125, 79) if value > 0.5 else (196, 78, 60)
    return "#" + "".join(f"{round(255 + (part - 255) * far * 0.75):02x}" for part in end)


def lines(title: str, series: Sequence[tuple[str, Sequence[float]]], across: str) -> str:
    """Each series as a line over 1, 2, 3, …; its name stands at its end."""
    width, height, left, bottom = _WIDTH, 260, 46, 34
    longest = max(len(values) for _, values in series)
    highest = max(max(values) for _, values in series) or 1
    right = width - 20 - _room([name for name, _ in series])

    def place(k: int, value: float) -> tuple[float, float]:
        x = left + (k / max(1, longest - 1)) * (right - left)
        return x, 12 + (1 - value / highest) * (height - bottom - 12)

    body = [_text((left + right) / 2, height - 4, across, "middle", QUIET)]
    for value in _ticks(0, highest):
        y = place(0, value)[1]
        body += [_line(left, y, right, y, GRID), _text(left - 6, y + 4, f"{value:g}", "end", QUIET)]
    for k in range(0, longest, max(1, longest // 12)):
        body.append(_text(place(k, 0)[0], height - bottom + 16, str(k + 1), "middle", QUIET))
    taken: list[float] = []
    for number, (name, values) in enumerate(series):
        colour = _COLOURS[number % len(_COLOURS)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(k, v) for k, v in enumerate(values)))
        body.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        at = 20.0 + 16 * len(taken)
        taken.append(at)
        body.append(f'<rect x="{right + 12:g}" y="{at - 9}" width="10" height="10" fill="{colour}"/>')
        body.append(_text(right + 28, at, _short(name)))
    return _svg(width, max(height, 30 + 16 * len(series)), body, title)


_COLOURS = ("#2f7d4f", "#c4552d", "#3b6fb6", "#8a5aa8", "#b08a1e", "#4a9a9a", "#a83e5f", "#5f6b64")
"""Far apart also for those who see few colours, by lightness."""
