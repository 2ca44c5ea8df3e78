# ruff: noqa: E501 (lines of SVG)
"""Draws the lids of the games' boxes, the icon and the sleeping snake of the page, and the picture that a shared link
shows, with the snakes of the drawings.

    python tools/covers.py
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path as File

import snakeden
from snakeden.core.registry import games
from snakeden.drawing.image import png
from snakeden.drawing.scene import Item, Mark, Mood, Path, Point
from snakeden.drawing.svg import fragment

WEB = File(snakeden.__file__).parent / "web"
COVERS = WEB / "covers"
WIDTH, HEIGHT = 300, 320


def snake(
    seat: int, width: float, points: list[Point], *, tail: bool = True, head: bool = True, mood: Mood = "open"
) -> Path:
    return Path(
        "",
        tuple(points),
        f"seat{seat}",
        width,
        "tail" if tail else "flat",
        "head" if head else "flat",
        mood=mood,
    )


def file(width: float, height: float, inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
        f"{inside}</svg>\n"
    )


def _hexagons() -> str:
    corners = [(30 * sin(pi * i / 3), -30 * cos(pi * i / 3)) for i in range(6)]
    shape = "l".join(f"{b[0] - a[0]:.1f} {b[1] - a[1]:.1f}" for a, b in pairwise(corners))
    d = ""
    for row in range(8):
        for column in range(7):
            x, y = 7 + 57 * column - (28.5 if row % 2 else 0), 298 - 49.5 * row
            d += f"M{x + corners[0][0]:.1f} {y + corners[0][1]:.1f}l{shape}z"
    return f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#24493f"/><path d="{d}" fill="#2f5c50" stroke="#4c8270" stroke-width="2"/>'


def _squares(step: int, size: int, round_: int, fill: str, line: str, ground: str) -> str:
    rects = "".join(
        f'<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="{round_}"/>'
        for x in range(-14, WIDTH, step)
        for y in range(-14, HEIGHT, step)
    )
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{ground}"/>'
        f'<g fill="{fill}" stroke="{line}" stroke-width="2">{rects}</g>'
    )


def snekagon() -> str:
    orange = [
        (303, 315), (285, 284), (272, 256), (278, 227), (285, 197), (275, 169), (250, 152), (220, 147), (196, 129),
        (180, 103), (165, 76), (143, 56), (113, 52), (86, 66), (70, 92), (54, 118), (43, 147), (51, 176), (63, 198),
    ]  # fmt: skip
    blue = [
        (-41, 249),
        (5, 249),
        (46, 249),
        (87, 249),
        (128, 248),
        (162, 228),
        (170, 189),
        (152, 153),
        (149, 146),
    ]
    items = [snake(1, 27, _points(orange)), snake(0, 27, _points(blue), tail=False)]
    return _hexagons() + fragment(items)


def _points(points: list[tuple[int, int]]) -> list[Point]:
    return [(float(x), float(y)) for x, y in points]


def five_floors() -> str:
    """A snake that comes up through five boards."""
    board = "M-112 0L-56-28L56-28L112 0L56 28L-56 28Z"
    hexes = "".join(
        f"M{x} {y - 10}l17 5v10l-17 5l-17-5v-10z"
        for y, row in ((0, (-70, -35, 0, 35, 70)), (15, (-52, -17, 17, 52)), (-15, (-52, -17, 17, 52)))
        for x in row
    )
    parts = [
        '<defs><linearGradient id="deep" x2="0" y2="1"><stop stop-color="#4a50a0"/><stop offset="1" stop-color="#2f3470"/>'
        f'</linearGradient></defs><rect width="{WIDTH}" height="{HEIGHT}" fill="url(#deep)"/>'
    ]
    lowest = [(86, 281), (109, 298), (134, 302), (160, 303), (186, 303), (205, 288), (206, 263), (206, 228)]
    right = [
        (206, 237),
        (203, 219),
        (190, 219),
        (177, 234),
        (158, 241),
        (129, 243),
        (100, 238),
        (96, 219),
        (96, 168),
    ]
    top = [(96, 57), (97, 40), (108, 31), (119, 36), (133, 51), (151, 60), (171, 60), (196, 54)]
    for i in range(5):
        y, x = 292 - 60 * i, 142 if i % 2 == 0 else 158
        parts.append(
            f'<g transform="translate({x} {y})"><path d="{board}" transform="translate(0 20)" opacity=".3"/>'
            f'<path d="{board}" transform="translate(0 8)" fill="#1a1c40" stroke="#1a1c40" stroke-width="6" stroke-linejoin="round"/>'
            f'<path d="{board}" fill="#eeecf6" stroke="#a9aadb" stroke-width="4" stroke-linejoin="round"/>'
            f'<path d="{hexes}" fill="none" stroke="#c6c7e4" stroke-width="1.8"/></g>'
        )
        if i:
            parts.append(f'<ellipse cx="{206 if i % 2 else 96}" cy="{y + 2}" rx="15" ry="8" fill="#15163a"/>')
        if i == 0:
            line = _points(lowest)
        elif i == 4:
            line = _points(top)
        else:
            mirrored = [(302 - x, y) for x, y in right] if i % 2 == 0 else right
            line = [(float(x), float(y - 60 * (i - 1))) for x, y in mirrored]
        parts.append(fragment([snake(4, 17, line, tail=i == 0, head=i == 4)]))
    return "".join(parts)


def nest() -> str:
    arms = [
        [
            (232, 37),
            (251, 67),
            (266, 96),
            (272, 127),
            (271, 159),
            (261, 189),
            (243, 215),
            (219, 235),
            (189, 247),
        ],
        [(157, 248), (127, 237), (104, 216), (91, 187), (95, 156), (102, 142)],
    ]
    arm = arms[0] + arms[1]
    items: list[Item] = []
    for seat, turn in ((0, 0), (1, 1), (2, 2), (3, 3)):
        angle, (cx, cy) = turn * pi / 2, (150, 158)
        line = [
            (
                cx + (x - cx) * cos(angle) - (y - cy) * sin(angle),
                cy + (x - cx) * sin(angle) + (y - cy) * cos(angle),
            )
            for x, y in arm
        ]
        items.append(snake(seat, 21, line))
    return _squares(66, 58, 8, "#6d2d3f", "#8d4457", "#5b2333") + fragment(items)


def dice() -> str:
    points = [
        (23, 237), (49, 267), (80, 280), (114, 280), (147, 272), (176, 254), (195, 226), (220, 203), (245, 180), (258, 148),
        (246, 120), (217, 135), (190, 156), (160, 170), (126, 167), (97, 150), (87, 118), (100, 88), (118, 70),
    ]  # fmt: skip

    def die(x: float, y: float, size: float, turn: float, sign: str) -> str:
        marks = [Mark("", "die", 0, 0, "face", size), Mark("", sign, 0, 0, "face", 0.56 * size, -90)]  # type: ignore[arg-type]
        return (
            f'<g transform="translate({x} {y}) rotate({turn})"><rect x="{-0.4 * size}" y="{-0.3 * size}" width="{size}"'
            f' height="{size}" rx="{0.2 * size}" opacity=".25"/>{fragment(marks)}</g>'
        )

    stars = fragment([Mark("", "star", 52, 54, "powerup", 42), Mark("", "star", 246, 246, "powerup", 36)])
    body = fragment([snake(0, 30, _points(points))])
    ground = _squares(46, 40, 7, "#cf9a2a", "#b98415", "#d9a534")
    return ground + stars + die(206, 92, 104, 14, "turn-both") + body + die(104, 226, 98, -12, "arrow")


BRAND = [(3, 24), (7, 27), (12, 26), (14, 22), (12, 17), (10, 12), (13, 8), (18, 7), (22.5, 10)]


def icon(turn: bool = False) -> str:
    line = [(x * 1.9 + 3, y * 1.9) for x, y in BRAND]
    drawn = fragment([snake(2, 14, line)])
    dot = '<circle cx="53" cy="51" r="10" fill="#f2c230" stroke="#14221d" stroke-width="3"/>' if turn else ""
    return file(64, 64, drawn + dot)


def app_icon(size: int) -> bytes:
    """The icon on a ground of its own, for a phone's start screen."""
    line = [(x * 1.7 + 9, y * 1.7 + 4) for x, y in BRAND]
    ground = '<rect width="64" height="64" fill="#1d4d40"/>'
    return png(file(64, 64, ground + fragment([snake(2, 13, line)])), size / 64)


def asleep() -> str:
    line = _points(
        [(3, 39), (15, 42), (25, 41), (33, 35), (40, 29), (49, 27), (58, 32), (65, 38), (75, 40), (84, 38)]
    )
    sigh = '<path d="M88 20h6l-6 7h6M97 8h5l-5 6h5" fill="none" stroke="#6b7d75" stroke-width="2" stroke-linejoin="round"/>'
    return file(104, 52, fragment([snake(2, 13, line, mood="shut")]) + sigh)


def preview(covers: dict[str, str]) -> bytes:
    """What a shared link shows: the boxes on their shelf."""
    parts = ['<rect width="1200" height="630" fill="#e8eeea"/>']
    lids = {
        "snekagon": "#1d4035",
        "snekagon-5g": "#262a58",
        "schlangennest": "#4c1c2b",
        "snakey-dice": "#6b4a08",
    }
    font = 'font-family="P052, Palatino, \'Noto Serif\', Georgia, serif" font-weight="700"'
    parts.append(f'<text x="60" y="112" font-size="64" {font} fill="#14221d">Snakeden</text>')
    parts.append(
        f'<text x="1140" y="112" font-size="32" text-anchor="end" {font} fill="#4a5a53">four snake-building board games</text>'
    )
    parts.append('<rect x="40" y="560" width="1120" height="20" rx="4" fill="#6d4a2e"/>')
    for i, (game, lid) in enumerate(lids.items()):
        x = 60 + 276 * i
        parts.append(
            f'<svg x="{x}" y="160" width="252" height="400" viewBox="0 0 252 400"><svg width="252" height="330" viewBox="24 0 252 320"'
            f' preserveAspectRatio="xMidYMid slice">{covers[game]}</svg><rect y="318" width="252" height="82" fill="{lid}"/>'
            f'<text x="18" y="370" font-size="29" {font} fill="#fff">{games()[game].name}</text></svg>'
        )
    return png(file(1200, 630, "".join(parts)), 1.0)


def main() -> None:
    COVERS.mkdir(exist_ok=True)
    covers = {
        "snekagon": snekagon(),
        "snekagon-5g": five_floors(),
        "schlangennest": nest(),
        "snakey-dice": dice(),
    }
    for game, inside in covers.items():
        (COVERS / f"{game}.svg").write_text(file(WIDTH, HEIGHT, inside), encoding="utf-8")
    (COVERS / "asleep.svg").write_text(asleep(), encoding="utf-8")
    (WEB / "favicon.svg").write_text(icon(), encoding="utf-8")
    (WEB / "favicon-turn.svg").write_text(icon(turn=True), encoding="utf-8")
    for size in (192, 512):
        (WEB / f"icon-{size}.png").write_bytes(app_icon(size))
    (WEB / "preview.png").write_bytes(preview(covers))
    print(f"{len(covers)} covers, the icons and the preview in {WEB}")


if __name__ == "__main__":
    main()
