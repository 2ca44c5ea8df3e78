"""Learning curves of the examples: written while they learn, drawn afterwards.

    python examples/curve.py docs/curves/dqn.jsonl -o docs/curves/dqn.svg

Several curves of the same kind, such as runs with other seeds, make one picture.

A curve is a file of JSON objects, one a line. The first says what is measured, each of the others has a point.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any


class Curve:
    """Prints points as they come, and writes them to a file if there is one."""

    def __init__(self, path: str, title: str, x: str, y: str, levels: dict[str, float] | None = None) -> None:
        """`x` and `y` say what is measured; `levels` are heights to compare with, such as what random play reaches."""
        self._path = Path(path) if path else None
        if self._path:
            self._path.write_text("")
        self._write({"title": title, "x": x, "y": y, "levels": levels or {}})

    def add(self, x: float, y: float, error: float = 0.0) -> None:
        """A point: x, y and y's standard error. What it cost so far is given in seconds of processor time."""
        children = os.times()
        seconds = round(time.process_time() + children.children_user + children.children_system, 1)
        print(f"{seconds:8.1f} s  {x:10,.0f}  {y:+.3f} ± {error:.3f}", flush=True)
        self._write({"x": x, "y": round(y, 5), "error": round(error, 5), "seconds": seconds})

    def _write(self, line: dict[str, Any]) -> None:
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


COLOURS = "#2e7d32", "#1565c0", "#ad1457", "#ef6c00"


def draw(sources: list[Path], target: Path) -> None:
    """A picture of one or more runs, each with a band of two standard errors."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.rcParams.update(
        {
            "font.size": 11,
            "svg.hashsalt": "snakeden",
            "svg.fonttype": "none",
            "axes.grid": True,
            "grid.alpha": 0.25,
        }
    )
    runs = [
        [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()] for source in sources
    ]
    head = runs[0][0]
    figure, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
    for (_, *points), colour in zip(runs, COLOURS, strict=False):
        x, y, error = ([point[name] for point in points] for name in ("x", "y", "error"))
        axes.plot(x, y, color=colour, marker="o", markersize=3)
        low, high = ([a + s * 2 * b for a, b in zip(y, error, strict=True)] for s in (-1, 1))
        axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
    for (name, height), style in zip(head["levels"].items(), ("--", ":", "-."), strict=False):
        axes.axhline(height, color="#8d6e63", linestyle=style, label=name)
    if head["levels"]:
        axes.legend(frameon=False)
    minutes = max(points[-1]["seconds"] for points in runs) / 60
    each = f"\n({len(runs)} runs of " if len(runs) > 1 else " ("
    axes.set(
        title=f"{head['title']}{each}{minutes:.0f} min of processor time)",
        xlabel=head["x"],
        ylabel=head["y"],
    )
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("curves", type=Path, nargs="+", metavar="CURVE")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FILE", help="an .svg or .png")
    args = parser.parse_args()
    draw(args.curves, args.out)


if __name__ == "__main__":
    main()
