"""Snekagon and 5G to print and play: boards, sets of tiles, markers for links, and the rules in short."""

from __future__ import annotations

from math import cos, radians, sin, sqrt

from snakeden.core.game import Variant
from snakeden.core.hexgrid import hex_board
from snakeden.drawing.pages import MARGIN, TEXT, Page, back, page, summary
from snakeden.drawing.scene import Area, Cell, Item, Label, Mark, Path, Point
from snakeden.games.snekagon import SNAKE_TILES
from snakeden.games.snekagon.tiles import BASIC, eye_cells
from snakeden.games.snekagon.view import BODY, tile_shape
from snakeden.words import Message, Text

LARGEST = 17.0
"""The most millimetres from side to side of a hex."""


def _board(game: str, side: int, holes: frozenset[int], title: Text, paper: Point) -> Page:
    board = hex_board(side)
    unit = _unit(side, paper)
    x, y = paper[0] / unit / 2, paper[1] / unit / 2
    cells: list[Item] = []
    for i, name in enumerate(board.names):
        dx, dy = board.centre(i)
        cells.append(Cell("", x + dx, y - dy, "hex", "eye" if i in holes else "cell", label=name))
    return page(game, title, paper, unit, cells)


def _unit(side: int, paper: Point) -> float:
    """Millimetres a hex, so that a board of this side fits the paper and tiles fit the board."""
    return min(LARGEST, int((paper[0] - 2 * MARGIN) / (2 * side - 1)))


def _corner(centre: Point, i: int) -> Point:
    angle = radians(60 * i - 90)
    return (centre[0] + cos(angle) / sqrt(3), centre[1] + sin(angle) / sqrt(3))


def tile_items(code: str, role: str, x: float, y: float, sign: str = "") -> list[Item]:
    """A tile to cut out: its outline, its snake, and bars along the sides that must stay closed. A sign beside the
    snake says whose it is, where colours and patterns are hard to distinguish."""
    centres = [(x + dx, y + dy) for dx, dy in tile_shape(code)]
    items: list[Item] = [Cell("", cx, cy, "hex", role) for cx, cy in centres]
    # A lone hex has a short body, too, so that it shows the pattern.
    body = tuple(centres) if len(centres) > 1 else ((x - 0.2, y), (x + 0.2, y))
    items.append(Path("", body, role, BODY))
    if sign:
        items += [Label(cx, cy + 0.43, sign, "ink", 0.16, bold=True) for cx, cy in centres[:1]]
    for n, centre in enumerate(centres):
        ways = [_way(centre, centres[m]) for m in (n - 1, n + 1) if 0 <= m < len(centres)]
        for side in range(6):
            if side in ways:
                continue
            # Corners i and i + 1 lie at both ends of the side in direction i.
            a, b = _corner(centre, side), _corner(centre, side + 1)
            items.append(Area("", (a, b), "line", closed=False))
            closed = len(ways) == 2 or any((side - way) % 6 in (1, 5) for way in ways)
            if closed:
                inwards = [(p[0] * 0.9 + centre[0] * 0.1, p[1] * 0.9 + centre[1] * 0.1) for p in (a, b)]
                (ax, ay), (bx, by) = inwards
                bar = (
                    (ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25),
                    (ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75),
                )
                items.append(Area("", bar, "wall", closed=False))
    return items


def _way(a: Point, b: Point) -> int:
    """The side of one hex that faces a neighbour: 0 is up and to the right, then clockwise."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if abs(dy) < 0.1:
        return 1 if dx > 0 else 4
    if dy < 0:
        return 0 if dx > 0 else 5
    return 2 if dx > 0 else 3


def _tiles(
    game: str, title: Text, codes: tuple[str, ...], role: str, unit: float, paper: Point, sign: str = ""
) -> list[Page]:
    """A set of tiles in rows, on as many pages as it takes, each followed by its back: a tile that is turned over
    shows its mirror image."""
    left, right = MARGIN / unit, (paper[0] - MARGIN) / unit
    first, last = (MARGIN + 3 * TEXT) / unit, (paper[1] - MARGIN - 2 * TEXT) / unit
    pages: list[list[Item]] = [[]]
    x, y, high = left, first, 0.0
    for code in codes:
        points = tile_shape(code)
        width = max(px for px, _ in points) * 2 + 1
        height = max(py for _, py in points) * 2 + 2 / sqrt(3)
        if x + width > right:
            x, y, high = left, y + high + 0.35, 0.0
        if y + height > last:
            pages.append([])
            x, y, high = left, first, 0.0
        pages[-1] += tile_items(code, role, x + width / 2, y + height / 2, sign)
        x += width + 0.35
        high = max(high, height)
    fronts = [page(game, title, paper, unit, items) for items in pages]
    return [side for front in fronts for side in (front, back(front))]


def _markers(game: str, paper: Point) -> Page:
    """Markers in pairs, one for each of the two cells that are linked."""
    unit = 10.0
    items: list[Item] = [
        Label(
            paper[0] / unit / 2,
            (MARGIN + 3.5 * TEXT) / unit,
            Message("print.cut_markers"),
            "ink",
            TEXT / unit,
        )
    ]
    for row in range(15):
        for column in range(12):
            x = paper[0] / unit / 2 + (column - 5.5) * 1.45
            y = (MARGIN + 7 * TEXT) / unit + row * 1.45
            items.append(
                Mark("", "ring", x, y, f"seat{row // 3}", 1.0, text=str(1 + (row % 3 * 12 + column) // 2))
            )
    return page(game, Message("print.markers", game="Snekagon 5G"), paper, unit, items)


def pages(variant: Variant, paper: Point, language: str = "en") -> tuple[Page, ...]:
    """Everything the variant needs, on this paper: as many boards and sets of tiles as players."""
    game, options = variant.game, variant.options
    side: int = options["side"]
    unit = _unit(side, paper)
    found: list[Page] = []
    if "players" not in options:
        found.append(_board(game.id, side, frozenset(), Message("print.board", game=game.name), paper))
        for seat in range(2):
            title = Message("print.tiles_of", game=game.name, n=seat + 1)
            found += _tiles(game.id, title, BASIC, f"seat{seat}", unit, paper)
        return (*found, summary(game.id, game.name, game.credits, paper, language))
    holes = eye_cells(side) if options["eyes"] else frozenset()
    for floor in range(options["players"]):
        found.append(_board(game.id, side, holes, Message("print.floor", game=game.name, n=floor + 1), paper))
    for seat, snake in enumerate(options["snakes"]):
        name = Message(f"option.choice.{snake}")
        title = Message("print.tiles_of_snake", game=game.name, snake=name)
        codes = (*BASIC, *SNAKE_TILES[snake])
        found += _tiles(game.id, title, codes, f"seat{seat}", unit, paper, snake[0].upper())
    return (*found, _markers(game.id, paper), summary(game.id, game.name, game.credits, paper, language))
