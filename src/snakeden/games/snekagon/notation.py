"""Snekagon's notation: cells along the tile, `c3-d4-d5`; in 5G with floor and link, `2:d5-d4-c3/1`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snakeden.core.errors import IllegalMove, UnreadableMove
from snakeden.core.hexgrid import hex_board
from snakeden.games.snekagon import faults, layout
from snakeden.games.snekagon.layout import Tables
from snakeden.games.snekagon.tiles import headings_along, shape_of, turns_along

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
                f"{text}: there is no cell {name}; the board's rows are a to {board.names[-1][0]}, "
                f"and row {chr(ord('a') + t.side - 1)} has places 1 to {2 * t.side - 1}"
            )
        path.append(board.by_name[name])
    if len(set(path)) < len(path):
        raise UnreadableMove(f"{text} names a cell twice")
    return tuple(path)


def _turns(t: Tables, path: tuple[int, ...]) -> str:
    """The turns along the path as letters; raises where it is no chain."""
    board = hex_board(t.side)
    headings = headings_along(t.side, path)
    if -1 in headings:
        a, b = (board.names[cell] for cell in path[headings.index(-1) :][:2])
        raise IllegalMove(f"{a} and {b} do not touch: name the cells along the tile")
    turns = turns_along(headings)
    if "?" in turns:
        cell = path[1 + turns.index("?")]
        raise IllegalMove(f"no tile turns as sharply as at {board.names[cell]}: a tile bends by 60° at most")
    return turns


def parse(t: Tables, s: NDArray[Any], text: str) -> int:
    """The number of the move that is meant; whether it is legal is for `rules.fault` to say."""
    board = hex_board(t.side)
    read = _SHAPE.fullmatch(text.strip())
    example = "f6 or c3-d4-d5" if t.floors == 1 else "1:f6, 2:c3-d4-d5 or, through a floor, 2:d5-d4-c3/1"
    if read is None or (read[1] is None) != (t.floors == 1) or (t.floors == 1 and read[3] is not None):
        raise UnreadableMove(f"{text!r} is not a move of this game; moves look like {example}")
    floor = int(read[1] or 1) - 1
    if not 0 <= floor < t.floors:
        raise UnreadableMove(f"{text}: there is no floor {floor + 1}; the floors are 1 to {t.floors}")
    path = _cells(t, text, read[2])
    tile = shape_of(_turns(t, path), len(path))
    if tile is None or tile >= len(t.tiles) - 1:
        raise IllegalMove(
            f"no tile has {len(path)} hexes; the longest has {int(t.tiles[:, layout.HEXES].max())}"
        )
    canonical = path if path[0] <= path[-1] else path[::-1]
    first, last = int(t.tiles[tile, layout.FIRST]), int(t.tiles[tile + 1, layout.FIRST])
    match = np.flatnonzero(
        (t.places[first:last, layout.PATH : layout.PATH + len(path)] == canonical).all(axis=1)
    )
    if not len(match):
        free = set(t.places[:, layout.PATH].tolist())
        eye = next(board.names[cell] for cell in path if cell not in free)
        raise IllegalMove(f"{eye} is an eye of the board: no tile may cover it")
    place = first + int(match[0])
    if read[3] is None:
        return int(layout.number(t, floor, 0, place))
    source = int(read[3]) - 1
    for way in range(2):
        if layout.adjacent(t, floor, way) and layout.floor_by(t, floor, way) == source:
            return int(layout.number(t, floor, 1 + 2 * (path != canonical) + way, place))
    raise IllegalMove(f"{text}: floor {source + 1} is not next to floor {floor + 1}")


def explain(t: Tables, s: NDArray[Any], move: int, fault: tuple[int, int, int]) -> str:
    """The broken rule in a player's words."""
    names, told = hex_board(t.side).names, text(t, move)
    reason, a, b = (int(number) for number in fault)
    if reason == faults.TILE_USED:
        size = t.tiles[a, layout.HEXES]
        return f"{told}: you have no such tile of {size} hex{'es' if size > 1 else ''} left"
    if reason == faults.NOT_SINGLE:
        return f"{told}: the first move of the game must be the one-hex tile"
    if reason == faults.OCCUPIED:
        return f"{told}: there is a tile on {names[a]} already"
    if reason == faults.TOUCHES_ONLY_OTHERS:
        return (
            f"{told} touches another's tile at {names[b]} but none of yours: "
            "a new snake must touch no tile, and growth must touch your own"
        )
    if reason == faults.FROM_THE_SIDE:
        return f"{told} touches your own snake at {names[a]} from the side: only its ends can grow"
    if reason == faults.TILE_INSIDE:
        return f"{told} touches your own snake at {names[b]} with its side ({names[a]}): only its ends may touch it"
    if reason == faults.SHARP_TURN:
        return (
            f"{told} would make your snake branch or turn too sharply at {names[a]}: it bends by 60° at most"
        )
    if reason == faults.BRANCHES:
        return f"{told} would make your snake branch at {names[a]}"
    if reason == faults.NO_SUCH_LINK:
        return f"{told}: the tile cannot be linked that way"
    if reason == faults.NO_OPEN_END:
        return f"{told}: you have no open end of a snake at {names[a]} on floor {b + 1} to come through from"
    if reason == faults.LINK_BRANCHES:
        return f"{told} would make your snake branch: {names[a]} comes through the floor and touches {names[b]} too"
    assert reason == faults.HEADING_LOST
    return f"{told}: your snake would turn by more than 60° where it goes through the floor at or beside {names[a]}"
