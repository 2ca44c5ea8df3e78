"""Snakey Dice to print and play: the boards of every map, score sheets, stickers for dice, the conversion
chart and the rules in short. A map of one's own is printed first."""

from __future__ import annotations

from typing import Any

from snakeden.core.game import Variant
from snakeden.drawing.pages import MARGIN, TEXT, Page, crop_marks, page, summary
from snakeden.drawing.scene import Area, Item, Label, Mark, Point, moved
from snakeden.games.snakey_dice.kernels import layout
from snakeden.games.snakey_dice.kernels.layout import Tables
from snakeden.games.snakey_dice.maps import MAPS, SOLO, find_map
from snakeden.games.snakey_dice.sheet import labels
from snakeden.games.snakey_dice.view import (
    FACES,
    board_cells,
    board_frame,
    die_items,
    sheet_items,
)
from snakeden.words import Message, Text

STICKER = 14.0
"""Millimetres of a face of a die: a common die is 16 wide."""
_FLIPPED = {"1": "6", "2": "5", "3": "4", "4": "3", "5": "2", "6": "1"}


def _board(game: str, title: Text, t: Tables, note: Text, paper: Point) -> Page:
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
        top = (MARGIN + 4 * TEXT) / unit + i * 9.6
        items += _name_line(left + 0.3, top + 0.35)
        items += sheet_items(t, t.first, 0, left, top)
        if not t.solo:
            items += _first_boxes(left + 6.75, top + 1.2)
        items += _score(t, left + 7.9, top + 0.6)
    title = Message("print.sheet_solo" if t.solo else "print.sheet_duel", game=name)
    return page(game, title, paper, unit, items)


def _name_line(left: float, y: float) -> list[Item]:
    line = ((left + 1.6, y + 0.2), (left + 6.0, y + 0.2))
    return [
        Label(left, y, Message("print.name"), "ink", 0.36, "start", bold=True),
        Area("", line, "line", closed=False),
    ]


def _first_boxes(x: float, y: float) -> list[Item]:
    """A box behind each track, to be ticked by who is the first of all at level 4."""
    items: list[Item] = [
        Mark("", "star", x, y - 0.55, "powerup", 0.4, title=Message("snakey-dice.sheet.first_to_top"))
    ]
    for track in range(4):
        top = y + track * 0.68
        box = ((x - 0.22, top - 0.22), (x + 0.22, top - 0.22), (x + 0.22, top + 0.22), (x - 0.22, top + 0.22))
        items.append(Area("", box, "cell", 0.06))
    return items


def _score(t: Tables, left: float, top: float) -> list[Item]:
    """What is counted at the end, with room to write."""
    items: list[Item] = [Label(left, top, Message("print.score"), "ink", 0.42, "start", bold=True)]
    y = top
    for worth, label in zip(t.values[layout.MULTIPLIERS].tolist(), labels(t), strict=True):
        y += 0.8
        sign = f"{worth} ×".replace("-", "−")
        items.append(Label(left, y, Message("print.worth", sign=sign, what=label), "ink", 0.3, "start"))
        box = ((left + 4.6, y - 0.3), (left + 6.0, y - 0.3), (left + 6.0, y + 0.3), (left + 4.6, y + 0.3))
        items.append(Area("", box, "cell", 0.06))
    y += 0.9
    box = ((left + 4.6, y - 0.34), (left + 6.0, y - 0.34), (left + 6.0, y + 0.34), (left + 4.6, y + 0.34))
    return [
        *items,
        Label(left, y, Message("print.total"), "ink", 0.38, "start", bold=True),
        Area("", box, "cell", 0.06),
    ]


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
    note = Message("print.opposite")
    items.append(Label(paper[0] / unit / 2, (MARGIN + 4 * TEXT) / unit, note, "ink", TEXT / unit))
    items += crop_marks(left, top, 6, rows, size)
    items += _chart(paper[0] / unit / 2, top + rows * size + 2.2)
    return page(game, Message("print.stickers", game=name), paper, unit, items)


def _chart(middle: float, top: float) -> list[Item]:
    """What each face of a common die stands for."""
    items: list[Item] = [
        Label(middle, top, Message("print.chart"), "ink", 0.5, bold=True),
    ]
    for i, face in enumerate(FACES):
        y = top + 1.2 + i * 1.5
        items += die_items(face, middle - 6.0, y, 1.2)
        items.append(Label(middle - 5.0, y, Message(f"print.use.{face}"), "ink", 0.42, "start"))
        items.append(
            Label(middle + 3.6, y, Message("print.flipped", face=_FLIPPED[face]), "quiet", 0.42, "start")
        )
    return items


def _rolled(name: str) -> Message:
    board = find_map(name)
    blockades = Message("print.blockades", n=board.blockades)
    power_ups = Message("print.power_ups", n=board.power_ups)
    if board.blockades and board.power_ups:
        return Message("print.set_up_both", one=blockades, other=power_ups)
    if board.blockades or board.power_ups:
        return Message("print.set_up", what=blockades if board.blockades else power_ups)
    return Message("print.nothing_rolled")


def pages(variant: Variant, paper: Point, language: str = "en") -> tuple[Page, ...]:
    """Both editions with all maps, and a sheet for every player; a map of the players' own comes first."""
    game = variant.game
    solo = layout.tables({"players": 1})
    chosen: Any = variant.options.get("map")
    maps = [*([chosen] if chosen is not None and chosen not in MAPS else []), *MAPS]
    boards = []
    for name in maps:
        title: Text = name if name in MAPS else Message("print.own_map")
        t = layout.tables({"players": 2, "map": name})
        boards.append(
            _board(game.id, Message("print.map", game=game.name, map=title), t, _rolled(name), paper)
        )
    first = len(maps) - len(MAPS)
    duel = layout.tables({"players": 2, "map": MAPS[0]})
    return (
        *boards[:first],
        _board(game.id, Message("print.solo_board", game=game.name), solo, _rolled(SOLO), paper),
        *boards[first:],
        _sheets(game.id, game.name, solo, paper),
        *[_sheets(game.id, game.name, duel, paper)] * 2,
        _stickers(game.id, game.name, paper),
        summary(game.id, game.name, game.credits, paper, language),
    )
