"""Snekagon's notation: cells along the tile, `c3-d4-d5`; in 5G with floor and link, `2:d5-d4-c3/1`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.errors import IllegalMove, UnreadableMove
from snakeden.core.hexgrid import hex_board
from snakeden.games.snekagon.kernels import faults, layout
from snakeden.games.snekagon.kernels.layout import Tables
from snakeden.games.snekagon.tiles import TILES, headings_along, shape_of, turns_along
from snakeden.words import Message

_SHAPE = re.compile(r"(?:(\d{1,2}):)?([a-z]\d{1,2}(?:-[a-z]\d{1,2})*)(?:/(\d{1,2}))?")


def path_of(t: Tables, place: int) -> tuple[int, ...]:
    """A placement's cells along the chain, from the end that comes first in cell order."""
    return tuple(cell for cell in t.places[place, layout.PATH :].tolist() if cell >= 0)


def text(t: Tables, move: int) -> str:
    """The move's text."""
    place, rest = move % t.placements, move // t.placements
    link, floor = rest % layout.LINKS, rest // layout.LINKS
    names = hex_board(t.side).names
    path = path_of(t, place)
    if link > 2:
        path = path[::-1]
    cells = "-".join([names[cell] for cell in path])
    if t.floors == 1:
        return cells
    if link == 0:
        return f"{floor + 1}:{cells}"
    return f"{floor + 1}:{cells}/{layout.floor_by(t, floor, (link - 1) % 2) + 1}"


def _cells(t: Tables, text: str, cells: str) -> tuple[int, ...]:
    board = hex_board(t.side)
    path = []
    for name in cells.split("-"):
        if name not in board.by_name:
            raise UnreadableMove(
                Message(
                    "snekagon.no_cell",
                    text=text,
                    cell=name,
                    last=board.names[-1][0],
                    middle=chr(ord("a") + t.side - 1),
                    most=2 * t.side - 1,
                )
            )
        path.append(board.by_name[name])
    if len(set(path)) < len(path):
        raise UnreadableMove(Message("snekagon.cell_twice", text=text))
    return tuple(path)


def _turns(t: Tables, path: tuple[int, ...]) -> str:
    """The turns along the path as letters; raises where it is no chain."""
    board = hex_board(t.side)
    headings = headings_along(t.side, path)
    if -1 in headings:
        a, b = (board.names[cell] for cell in path[headings.index(-1) :][:2])
        raise IllegalMove(Message("snekagon.no_chain", one=a, other=b))
    turns = turns_along(headings)
    if "?" in turns:
        raise IllegalMove(Message("snekagon.sharp_tile", cell=board.names[path[1 + turns.index("?")]]))
    return turns


def piece(t: Tables, text: str) -> str:
    """The code of the tile that a move lays."""
    read = _SHAPE.fullmatch(text)
    assert read is not None
    path = _cells(t, text, read[2])
    shape = shape_of(_turns(t, path), len(path))
    assert shape is not None
    return TILES[shape]


def parse(t: Tables, s: NDArray[Any], text: str) -> int:
    """The number of the move that is meant; whether it is legal is for `rules.fault` to say."""
    board = hex_board(t.side)
    read = _SHAPE.fullmatch(text.strip())
    if read is None or (read[1] is None) != (t.floors == 1) or (t.floors == 1 and read[3] is not None):
        example = Message("snekagon.example") if t.floors == 1 else Message("snekagon-5g.example")
        raise UnreadableMove(Message("move.unreadable", text=repr(text), example=example))
    floor = int(read[1] or 1) - 1
    if not 0 <= floor < t.floors:
        raise UnreadableMove(Message("snekagon-5g.no_floor", text=text, n=floor + 1, most=t.floors))
    path = _cells(t, text, read[2])
    tile = shape_of(_turns(t, path), len(path))
    if tile is None or tile >= len(t.tiles) - 1:
        longest = int(t.tiles[:, layout.HEXES].max())
        raise IllegalMove(Message("snekagon.no_tile", n=len(path), most=longest))
    canonical = path if path[0] <= path[-1] else path[::-1]
    first, last = int(t.tiles[tile, layout.FIRST]), int(t.tiles[tile + 1, layout.FIRST])
    match = np.flatnonzero(
        (t.places[first:last, layout.PATH : layout.PATH + len(path)] == canonical).all(axis=1)
    )
    if not len(match):
        free = set(t.places[:, layout.PATH].tolist())
        eye = next(board.names[cell] for cell in path if cell not in free)
        raise IllegalMove(Message("snekagon-5g.eye_covered", cell=eye))
    place = first + int(match[0])
    if read[3] is None:
        return int(layout.number(t, floor, 0, place))
    source = int(read[3]) - 1
    for way in range(2):
        if layout.adjacent(t, floor, way) and layout.floor_by(t, floor, way) == source:
            return int(layout.number(t, floor, 1 + 2 * (path != canonical) + way, place))
    raise IllegalMove(Message("snekagon-5g.floors_apart", text=text, n=source + 1, other=floor + 1))


def explain(t: Tables, s: NDArray[Any], move: int, fault: tuple[int, int, int]) -> Message:
    """The broken rule."""
    names, played = hex_board(t.side).names, text(t, move)
    reason, a, b = (int(number) for number in fault)
    if reason == faults.TILE_USED:
        return Message("snekagon.tile_used", move=played, n=int(t.tiles[a, layout.HEXES]))
    if reason == faults.NOT_SINGLE:
        return Message("snekagon.not_single", move=played)
    if reason == faults.OCCUPIED:
        return Message("snekagon.occupied", move=played, cell=names[a])
    if reason == faults.TOUCHES_ONLY_OTHERS:
        return Message("snekagon.touches_only_others", move=played, cell=names[b])
    if reason == faults.FROM_THE_SIDE:
        return Message("snekagon.from_the_side", move=played, cell=names[a])
    if reason == faults.TILE_INSIDE:
        return Message("snekagon.tile_inside", move=played, cell=names[b], own=names[a])
    if reason == faults.SHARP_TURN:
        return Message("snekagon.sharp_turn", move=played, cell=names[a])
    if reason == faults.BRANCHES:
        return Message("snekagon.branches", move=played, cell=names[a])
    if reason == faults.NO_SUCH_LINK:
        return Message("snekagon-5g.no_such_link", move=played)
    if reason == faults.NO_OPEN_END:
        return Message("snekagon-5g.no_open_end", move=played, cell=names[a], n=b + 1)
    if reason == faults.LINK_BRANCHES:
        return Message("snekagon-5g.link_branches", move=played, cell=names[a], other=names[b])
    assert reason == faults.HEADING_LOST
    return Message("snekagon-5g.heading_lost", move=played, cell=names[a])
