"""An analysis as one HTML file that stands alone: the curve, the moves with their marks, and pictures of those that
gave something away."""

from __future__ import annotations

from html import escape

from snakeden.analysis.plies import Analysis, Ply
from snakeden.analysis.report import is_serious, loss, mark, name_of, seats, standing, summary, title
from snakeden.drawing.themes import theme
from snakeden.words import Message, word

_WIDE, _HIGH = 720, 160
_MOST_PICTURES = 16
"""A file with more pictures loads slowly; those of the worst moves are kept."""
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
svg.curve { width: 100%; height: auto; border: 1px solid #8886; border-radius: 6px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td { text-align: left; padding: .2rem .6rem; vertical-align: top; }
tr:nth-child(even) td { background: #8881; }
.inaccuracy { color: #9a6b00; } .mistake { color: #c25410; } .blunder { color: #c4213a; font-weight: 700; }
@media (prefers-color-scheme: dark) {
  .inaccuracy { color: #e0b040; } .mistake { color: #f09050; } .blunder { color: #ff7088; }
}
figure { margin: 1rem 0; } figure > svg { max-width: 100%; height: auto; background: #fff; border-radius: 8px; }
"""


def html(analysis: Analysis, language: str = "en") -> str:
    """The whole file."""
    heading = escape(title(analysis, language))
    rows = "".join(_row(analysis, ply, language) for ply in analysis.plies if ply.player is not None)
    counts = "".join(f"<li>{escape(line)}</li>" for line in summary(analysis, language))
    return (
        f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{heading}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{heading}</h1>{_curve(analysis, language)}<ul>{counts}</ul>"
        f"<p>{escape(_measured(analysis, language))}</p>"
        f"<h2>{escape(word(Message('analysis.moves'), language))}</h2>"
        f'<div class="scroll"><table>{rows}</table></div>{_pictures(analysis, language)}</body></html>\n'
    )


def _measured(analysis: Analysis, language: str) -> str:
    """How much was thought, and what the marks mean."""
    said = [Message("analysis.with_net")] if analysis.net else []
    said.append(Message("analysis.measured", n=analysis.simulations))
    return " ".join(word(one, language) for one in said)


def _row(analysis: Analysis, ply: Ply, language: str) -> str:
    assert ply.player is not None
    text = word(standing(ply), language) + (f"; {word(ply.proof, language)}" if ply.proof else "")
    cells = [str(ply.number + 1) if ply.move else "", name_of(analysis, ply.player, language), ply.move or ""]
    marked = word(mark(ply.mark), language) if ply.mark else ""
    if is_serious(ply):
        marked = f'<a class="{ply.mark}" href="#ply{ply.number}">{escape(marked)}</a>'
    found = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr>{found}<td>{marked}</td><td>{escape(text)}</td></tr>"


def _colour(seat: int) -> str:
    return theme("light")[f"seat{seat}"].fill


def _curve(analysis: Analysis, language: str) -> str:
    """Alone a line of the expected score, else a band of the chance to win for each seat."""
    seen = [(ply.number, ply.value) for ply in analysis.plies if ply.value is not None]
    last = max(1, seen[-1][0])
    across = [number / last * _WIDE for number, _ in seen]
    shapes = ""
    if seats(analysis) == 1:
        points = [value.scores[0] for _, value in seen]
        low, high = min(points), max(points)
        scale = _HIGH / ((high - low) or 1)
        path = " ".join(
            f"{x:.1f},{(high - point) * scale:.1f}" for x, point in zip(across, points, strict=True)
        )
        shapes = f'<polyline points="{path}" fill="none" stroke="{_colour(0)}" stroke-width="2"/>'
    else:
        above = [0.0] * len(seen)
        for seat in range(seats(analysis)):
            below = [top + value.wins[seat] for top, (_, value) in zip(above, seen, strict=True)]
            edge = [*zip(across, above, strict=True), *reversed(list(zip(across, below, strict=True)))]
            path = " ".join(f"{x:.1f},{y * _HIGH:.1f}" for x, y in edge)
            shapes += f'<polygon points="{path}" fill="{_colour(seat)}"/>'
            above = below
    for ply in analysis.plies:
        if is_serious(ply):
            x = ply.number / last * _WIDE
            dot = f'<circle cx="{x:.1f}" cy="{_HIGH / 2}" r="5" fill="#fff" stroke="#222"/>'
            shapes += f'<a href="#ply{ply.number}">{dot}</a>'
    label = escape(word(Message("analysis.curve"), language))
    legend = "".join(
        f'<span style="color:{_colour(seat)}">■</span> {escape(name_of(analysis, seat, language))} '
        for seat in range(seats(analysis))
    )
    return (
        f"<h2>{label}</h2><p>{legend}</p>"
        f'<svg class="curve" viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="{label}">{shapes}</svg>'
    )


def _pictures(analysis: Analysis, language: str) -> str:
    """The worst moves in the order they were played: the position, what was played and what would have been better."""
    worst = sorted(filter(is_serious, analysis.plies), key=lambda ply: -ply.given_away)[:_MOST_PICTURES]
    shown = {ply.number: ply for ply in worst}
    figures = []
    for number, state in enumerate(analysis.record.states()):
        if number not in shown:
            continue
        ply = shown[number]
        picture = state.svg(
            last_move=analysis.record.moves[number - 1] if number else None,
            highlight=ply.candidates[0].move,
            names=analysis.record.seats,
        )
        does = "; ".join(word(one, language, analysis.record.seats) for one in ply.candidates[0].does)
        text = word(loss(ply), language) + (f" ({does})" if does else "")
        main = " ".join(ply.candidates[0].main)
        assert ply.player is not None
        figures.append(
            f'<section id="ply{number}"><h2>{number + 1}. {escape(name_of(analysis, ply.player, language))}: '
            f'{escape(ply.move or "")} – <span class="{ply.mark}">{escape(word(mark(ply.mark or ""), language))}</span>'
            f"</h2><p>{escape(text)}</p><p>{escape(main)}</p>"
            f"<figure>{picture}</figure></section>"
        )
    return "".join(figures)
