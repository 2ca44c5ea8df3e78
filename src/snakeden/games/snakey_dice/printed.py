"""Snakey Dice to print and play: the boards of every map, score sheets, stickers for dice, the conversion
chart and the rules in short. A map of one's own is printed first."""

from __future__ import annotations

from typing import Any

from snakeden.core.game import Variant
from snakeden.drawing.pages import MARGIN, TEXT, Page, crop_marks, in_short, page, summary
from snakeden.drawing.scene import Area, Item, Label, Point, moved
from snakeden.games.snakey_dice.kernels import layout
from snakeden.games.snakey_dice.kernels.layout import Tables
from snakeden.games.snakey_dice.maps import MAPS, find_map
from snakeden.games.snakey_dice.sheet import labels
from snakeden.games.snakey_dice.view import (
    FACES,
    board_cells,
    board_frame,
    die_items,
    sheet_items,
)

STICKER = 14.0
"""Millimetres of a face of a die: a common die is 16 wide."""
_FLIPPED = {"1": "6", "2": "5", "3": "4", "4": "3", "5": "2", "6": "1"}
_USE = {
    "1": "forward",
    "2": "forward",
    "3": "left",
    "4": "right",
    "5": "left or right, as you like",
    "6": "locked: makes blockades when it is used",
}


def _board(game: str, title: str, t: Tables, note: str, paper: Point) -> Page:
    unit = int((paper[0] - 2 * MARGIN) / (t.side + 1))
    cells, marks = board_cells(t, t.first)
    wall, labels = board_frame(t)
    left = (paper[0] / unit - t.side - 1) / 2
    top = (paper[1] / unit - t.side - 1) / 2
    items: list[Item] = [moved(item, left, top) for item in (*cells, *wall, *marks, *labels)]
    middle = paper[0] / unit / 2
    items.append(Label(middle, top + t.side + 1.1, note, "ink", TEXT / unit))
    return page(game, title, paper, unit, items)


def _sheets(game: str, name: str, t: Tables, paper: Point) -> Page:
    """Score sheets to fill in, one below the other."""
    unit = 12.5
    left = 1.2
    items: list[Item] = []
    sheets = 1 if t.solo else 2
    for i in range(sheets):
        top = (MARGIN + 3 * TEXT) / unit + i * 9.2
        items += sheet_items(t, t.first, 0, left, top)
        items += _score(t, left + 7.4, top + 0.6)
    edition = "solo" if t.solo else "duel"
    return page(game, f"{name}: score sheet, {edition}", paper, unit, items)


def _score(t: Tables, left: float, top: float) -> list[Item]:
    """What is counted at the end, with room to write."""
    items: list[Item] = [Label(left, top, "Score", "ink", 0.42, "start", bold=True)]
    y = top
    for worth, told in zip(t.values[layout.MULTIPLIERS].tolist(), labels(t), strict=True):
        y += 0.8
        sign = f"{worth} ×".replace("-", "−")
        items.append(Label(left, y, f"{sign} {told}", "ink", 0.34, "start"))
        box = ((left + 4.6, y - 0.3), (left + 6.0, y - 0.3), (left + 6.0, y + 0.3), (left + 4.6, y + 0.3))
        items.append(Area("", box, "cell", 0.06))
    y += 0.9
    box = ((left + 4.6, y - 0.34), (left + 6.0, y - 0.34), (left + 6.0, y + 0.34), (left + 4.6, y + 0.34))
    return [*items, Label(left, y, "total", "ink", 0.38, "start", bold=True), Area("", box, "cell", 0.06)]


def _stickers(game: str, name: str, paper: Point) -> Page:
    """The faces of six dice, to cut out and glue on."""
    unit, rows = 10.0, layout.MOST_DICE
    size = STICKER / unit
    left = (paper[0] / unit - 6 * size) / 2
    top = (MARGIN + 8 * TEXT) / unit
    items: list[Item] = []
    for row in range(rows):
        for column, face in enumerate(FACES):
            x, y = left + (column + 0.5) * size, top + (row + 0.5) * size
            items += die_items(face, x, y, size)
    note = "Opposite faces add up to 7: glue 1 opposite 6, 2 opposite 5, 3 opposite 4."
    items.append(Label(paper[0] / unit / 2, (MARGIN + 4 * TEXT) / unit, note, "ink", TEXT / unit))
    items += crop_marks(left, top, 6, rows, size)
    items += _chart(paper[0] / unit / 2, top + rows * size + 2.2)
    return page(game, f"{name}: stickers for dice, and the conversion chart", paper, unit, items)


def _chart(middle: float, top: float) -> list[Item]:
    """What each face of a common die stands for."""
    items: list[Item] = [
        Label(middle, top, "Playing with common dice", "ink", 0.5, bold=True),
    ]
    for i, face in enumerate(FACES):
        y = top + 1.2 + i * 1.5
        items += die_items(face, middle - 6.0, y, 1.2)
        items.append(Label(middle - 5.0, y, _USE[face], "ink", 0.42, "start"))
        items.append(Label(middle + 3.6, y, f"flipped: {_FLIPPED[face]}", "quiet", 0.42, "start"))
    return items


def _rolled(name: str) -> str:
    board = find_map(name)
    parts = []
    for count, one, many in (
        (board.blockades, "blockade", "blockades"),
        (board.power_ups, "power-up", "power-ups"),
    ):
        if count:
            parts.append(f"{count} {one if count == 1 else many}")
    return f"Set-up: roll {', then '.join(parts)}." if parts else "Nothing is rolled at the set-up."


def pages(variant: Variant, paper: Point) -> tuple[Page, ...]:
    """Both editions with all maps; a map of the players' own comes first."""
    game = variant.game
    solo = layout.tables({"players": 1})
    chosen: Any = variant.options.get("map")
    maps = [*([chosen] if chosen is not None and chosen not in MAPS else []), *MAPS]
    boards = []
    for name in maps:
        told = name if name in MAPS else "a map of your own"
        t = layout.tables({"players": 2, "map": name})
        boards.append(_board(game.id, f"{game.name}: {told}", t, _rolled(name), paper))
    first = len(maps) - len(MAPS)
    return (
        *boards[:first],
        _board(game.id, f"{game.name}: the solo board", solo, "Set-up: roll 6 blockades.", paper),
        *boards[first:],
        _sheets(game.id, game.name, solo, paper),
        _sheets(game.id, game.name, layout.tables({"players": 2, "map": MAPS[0]}), paper),
        _stickers(game.id, game.name, paper),
        summary(game.id, game.name, str(game.credits), paper, in_short(__package__, "summary.txt")),
    )
