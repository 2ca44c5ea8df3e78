"""How a position of Snekagon and 5G is kept: the tables for given options, and where things stand in a state.

A floor's cells are bits of a set: the board stands in rows of `stride` = 2 * side bits, so that the six
neighbours of all cells of a set at once are six shifts.

A state is an array of 64-bit words:

| where                  | what                                                                        |
| ---------------------- | --------------------------------------------------------------------------- |
| 0                      | the seat to move, or OVER_WORD                                              |
| 1 + seat               | the seat's supply, a bit a tile, and bit 63 once it can place nothing more  |
| cells_at(t, ...)       | per floor and seat: the set of the seat's cells                             |
| links_at(t, ...)       | per floor: the fields where a snake is drilled through to the next floor    |
| joints_at(t, ...)      | per floor and axis: cells joined to their neighbour by being one tile. Only |
|                        | pictures ask for it, so it lies behind the words that decide the game.      |

A move's number is (floor * 5 + link) * placements + placement. `link` is 0 for none; else 1 + 2 * end + way,
where `end` says which end of the tile's path is linked (0 or 1) and `way` whether the snake comes from the
floor before (0) or after (1) in the circle. Two floors do not close the circle.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from snakeden.core.bitset import BLOCK, ONE, column, load, row_set
from snakeden.core.hexgrid import DIRECTIONS, HexBoard, hex_board, neighbours
from snakeden.core.kernel import inline, kernel
from snakeden.games.snekagon import SNAKE_TILES
from snakeden.games.snekagon.tiles import BASIC, TILES, Path, Placement, eye_cells, placements

LINKS = 5
"""Ways to link one placement: not at all, or either end to the floor before or after."""


OVER_WORD = np.uint64(255)
DONE = np.uint64(1) << np.uint64(63)

# Columns and rows of the tables.
FIRST, HEXES, FIRST_SHAPE, MOST_AT_END = 0, 1, 2, 3
ENDS, MIDDLES, ASIDE, ROOM = 0, 2, 5, 7
TILE, SHAPE, ANCHOR, END, HEADING, PATH = 0, 1, 2, 3, 5, 7
CELLS, JOINTS, INNER, GAP, BESIDE = 0, 1, 4, 5, 6
CELL, FROM = 0, 1


class Tables(NamedTuple):
    seats: int
    words: int
    key_words: int
    actions: int
    most_moves: int
    floors: int
    side: int
    width: int
    """Words a set."""
    placements: int
    tile_count: int
    first_single: bool
    """Seat 0's first move must be the one-hex tile."""
    advanced: bool
    stride: np.uint64
    board: tuple[np.uint64, ...]
    """The set of all cells."""
    gap_tile: int
    """The tile whose two ends can both touch one more cell without its inside touching it, or -1."""
    supplies: NDArray[np.uint64]
    """[seats] the tiles each seat begins with."""
    tiles: NDArray[np.int32]
    """[tiles + 1, 4] FIRST: the first placement of each tile; HEXES: how many it has; FIRST_SHAPE: the first of
    its shapes, which are the ways it can be turned and mirrored; MOST_AT_END: how often a field is the end of
    one of its placements, at most."""
    shapes: NDArray[np.uint64]
    """[7 + width, shapes] how far cells lie behind the lowest bit of the shape, its anchor: ENDS and ENDS + 1
    its two ends; MIDDLES to MIDDLES + 2 what is between, some twice if there are fewer; ASIDE and ASIDE + 1
    (these may be negative) of a two-hex tile the cells that touch both its hexes, of the gap tile its gap,
    twice. From ROOM on the set of anchors where it lies on the board and off its eyes."""
    anchors: NDArray[np.uint8]
    """[placements + BLOCK] the bit where the shape's anchor lies, but for multiples of 64: as `write_flags` asks."""
    at_anchor: NDArray[np.int16]
    """[shapes, bits] the placement of a shape with its anchor at a bit, or -1."""
    places: NDArray[np.int32]
    """[placements, 12] TILE; SHAPE; the bit of its ANCHOR; END and END + 1: the bits of both ends; HEADING and
    HEADING + 1: the direction of the first step from either end, -1 for a single hex; PATH to PATH + 4: the
    indices of the cells along the chain, from the end that comes first, then -1."""
    masks: NDArray[np.uint64]
    """[placements, 7 * width] the words of seven sets a placement: CELLS it covers; per axis (JOINTS to JOINTS + 2)
    the cells it joins to their neighbour in direction 0, 1 or 2; INNER cells, of a two-hex tile the two cells
    that touch both its hexes; the GAP that both ends of the gap tile touch; all cells BESIDE one it covers, some of
    which it may cover itself."""
    fields: NDArray[np.int32]
    """[bits, 2 + tiles] per bit CELL: its index or -1; FROM + tile: where in `from_list` the tile's placements
    with an end there begin."""
    from_list: NDArray[np.int32]
    """placement * 2 + end, by the bit of that end, then by placement; a single hex stands once."""


def _sets(width: int, sets: list[list[int]]) -> NDArray[np.uint64]:
    """[sets, width] sets of bits as words."""
    words = np.zeros((len(sets), width), np.uint64)
    for i, bits in enumerate(sets):
        for bit in bits:
            words[i, bit >> 6] |= np.uint64(1 << (bit & 63))
    return words


def _around(next_to: list[set[int]], path: Path) -> tuple[set[int], set[int]]:
    """The INNER cells and the GAP of a placement."""
    both = next_to[path[0]] & next_to[path[-1]]
    if len(path) <= 2:
        return (both, set()) if len(path) == 2 else (set(), set())
    inside = set(path[1:-1])
    return inside, {cell for cell in both - set(path) if not next_to[cell] & inside}


def _joined(board: HexBoard, path: Path) -> tuple[list[int], list[int], list[int]]:
    """Per axis the cells that a placement joins to their neighbour in direction 0, 1 or 2."""
    found: tuple[list[int], list[int], list[int]] = ([], [], [])
    for a, b in pairwise(path):
        step = (board.cells[b][0] - board.cells[a][0], board.cells[b][1] - board.cells[a][1])
        way = DIRECTIONS.index(step)
        found[way % 3].append(a if way < 3 else b)
    return found


def _shapes(
    width: int, at_anchor: NDArray[np.int16], paths: list[list[int]], asides: list[list[int]]
) -> NDArray[np.uint64]:
    """`Tables.shapes`, from the bits along every placement and of the cells aside of it."""
    found = np.zeros((ROOM + width, len(at_anchor)), np.uint64)
    for shape, row in enumerate(at_anchor):
        room = np.flatnonzero(row >= 0)
        path = [bit - int(room[0]) for bit in paths[row[room[0]]]]
        # Near the edge some of the cells aside are off the board, elsewhere they are not.
        aside = sorted({bit - int(anchor) for anchor in room for bit in asides[row[anchor]]}) or [0]
        behind = [path[0], path[-1], *((path[1:-1] or [0]) * 3)[:3], *(aside * 2)[:2]]
        found[:ROOM, shape] = np.array(behind, np.int64).view(np.uint64)
        found[ROOM:, shape] = _sets(width, [room.tolist()])[0]
    return found


def _supplies(options: Mapping[str, Any], codes: Sequence[str]) -> list[int]:
    """The tiles each seat begins with, as sets of their numbers."""
    basic = sum(1 << i for i in range(len(BASIC)))
    if "players" not in options:
        return [basic, basic if options["second_single"] else basic & ~1]
    return [basic | sum(1 << codes.index(code) for code in SNAKE_TILES[snake]) for snake in options["snakes"]]


def _ends(bits: int, bit_of: list[int], places: Sequence[Placement]) -> list[list[int]]:
    """Per bit, placement * 2 + end of every placement with an end there, by placement."""
    found: list[list[int]] = [[] for _ in range(bits)]
    for i, place in enumerate(places):
        for end in range(1 if len(place.path) == 1 else 2):
            found[bit_of[place.path[-end]]].append(2 * i + end)
    return found


def _fields(bit_of: list[int], ends: list[list[int]], tile_of: list[int], tiles: int) -> NDArray[np.int32]:
    """`Tables.fields`, from what `_ends` found."""
    found = np.full((len(ends), 2 + tiles), -1, np.int32)
    found[bit_of, CELL] = np.arange(len(bit_of))
    passed = 0
    for bit, entries in enumerate(ends):
        for tile in range(tiles + 1):
            first = bisect_left(entries, tile, key=lambda entry: tile_of[entry >> 1])
            found[bit, FROM + tile] = passed + first
        passed += len(entries)
    return found


def tables(options: Mapping[str, Any]) -> Tables:
    """The tables for options of Snekagon, or of 5G, which has floors because it has `players`."""
    side: int = options["side"]
    flat = "players" not in options
    seats = 2 if flat else options["players"]
    floors = 1 if flat else options["players"]
    codes = BASIC if flat else TILES
    holes = eye_cells(side) if options.get("eyes") else frozenset()
    board, places = hex_board(side), placements(side, codes, holes)
    stride, width = 2 * side, 2 if side <= 6 else 4

    bit_of = [(y + side - 1) * stride + x for x, y in board.cells]

    def bits(cells: Any) -> list[int]:
        return [bit_of[cell] for cell in cells]

    def pad(path: tuple[int, ...]) -> tuple[int, ...]:
        return (*path, -1, -1, -1, -1)[:5]

    paths = [bits(place.path) for place in places]
    next_to = [set(neighbours(side, cell)) for cell in range(len(board.cells))]
    around = [_around(next_to, place.path) for place in places]
    beside = [bits(set().union(*(next_to[cell] for cell in place.path))) for place in places]
    inner, gap = [bits(cells) for cells, _ in around], [bits(cells) for _, cells in around]
    joined = [_joined(board, place.path) for place in places]
    joints = [[bits(axes[axis]) for axes in joined] for axis in range(3)]
    gap_tiles = {place.tile for place, cells in zip(places, gap, strict=True) if cells}
    assert len(gap_tiles) <= 1

    ends = _ends(64 * width, bit_of, places)
    tile_of = [place.tile for place in places]
    fields = _fields(bit_of, ends, tile_of, len(codes))
    supplies = _supplies(options, codes)
    # A seat's tiles have two ends each, and each end can be drilled into two floors.
    most_linked = 4 * max(map(int.bit_count, supplies)) * max(map(len, ends))
    key_words = 1 + seats + floors * seats * width + floors * width
    asides = [inner[i] if len(path) == 2 else gap[i] for i, path in enumerate(paths)]
    shape_of = [place.shape for place in places]
    shapes = shape_of[-1] + 1
    anchors = [min(path) for path in paths]
    at_anchor = np.full((shapes, 64 * width), -1, np.int16)
    at_anchor[shape_of, anchors] = np.arange(len(places))
    firsts = [bisect_left(tile_of, tile) for tile in range(len(codes))]
    most_at_end = np.diff(fields[:, FROM:], axis=1).max(axis=0)
    tiles = [
        [first, int(code[0]), shape_of[first], most]
        for first, code, most in zip(firsts, codes, most_at_end, strict=True)
    ]
    return Tables(
        seats=seats,
        words=key_words + 3 * floors * width,
        key_words=key_words,
        actions=len(places) if flat else floors * LINKS * len(places),
        most_moves=floors * len(places) + (most_linked if floors > 1 else 0),
        floors=floors,
        side=side,
        width=width,
        placements=len(places),
        tile_count=len(codes),
        first_single=flat,
        advanced=bool(options.get("advanced")),
        stride=np.uint64(stride),
        board=tuple(_sets(width, [bits(range(len(board.cells)))])[0]),
        gap_tile=gap_tiles.pop() if gap_tiles else -1,
        supplies=np.array(supplies, np.uint64),
        tiles=np.array([*tiles, [len(places), 0, shapes, 0]], np.int32),
        shapes=_shapes(width, at_anchor, paths, asides),
        anchors=np.array([*(bit % 64 for bit in anchors), *[0] * BLOCK], np.uint8),
        at_anchor=at_anchor,
        places=np.array(
            [
                (place.tile, place.shape, min(path), path[0], path[-1], *place.headings, *pad(place.path))
                for place, path in zip(places, paths, strict=True)
            ],
            np.int32,
        ),
        masks=np.concatenate([_sets(width, sets) for sets in (paths, *joints, inner, gap, beside)], axis=1),
        fields=fields,
        from_list=np.array([entry for entries in ends for entry in entries], np.int32),
    )


def opening(t: Tables) -> NDArray[np.uint64]:
    """The empty board with seat 0 to move."""
    s = np.zeros(t.words, np.uint64)
    s[1 : 1 + t.seats] = t.supplies
    return s


# ---- what a program fixes


def constants(t: Tables) -> tuple[str, ...]:
    """The numbers of the tables that a program is compiled for. Snekagon's has nothing of the floors of 5G."""
    if t.floors == 1:
        return ("width", "floors", "seats", "first_single", "advanced", "gap_tile", "tile_count")
    return ("width", "first_single", "tile_count")


def capacity(t: Tables) -> dict[str, tuple[int, ...]]:
    """The largest shapes of arrays among the variants that share a program."""
    placements, ends = _MOST[t.floors == 1, t.width]
    return {
        "supplies": (5,),
        "anchors": (placements + BLOCK,),
        "places": (placements, 12),
        "masks": (placements, 7 * t.width),
        "from_list": (ends,),
    }


_MOST = {
    (True, 2): (2602, 5113),
    (True, 4): (5326, 10483),
    (False, 2): (6889, 13687),
    (False, 4): (14719, 29269),
}
"""Placements and their ends on the largest boards: by whether there is one floor, and by the width of sets."""


# ---- where things stand in a state


@inline
def board(t):
    """The set of all cells."""
    if t.width == 2:
        return t.board[0], t.board[1]
    return t.board[0], t.board[1], t.board[2], t.board[3]


@inline
def cells_at(t, floor, seat):
    """Where the set of a seat's cells on a floor begins."""
    return 1 + t.seats + (floor * t.seats + seat) * t.width


@inline
def links_at(t, floor):
    """Where the set of fields linked between this floor and the next in the circle begins."""
    return 1 + t.seats + (t.floors * t.seats + floor) * t.width


@inline
def joints_at(t, floor, axis):
    """Where the set of cells begins that one tile joins to their neighbour in direction `axis`."""
    return t.key_words + (floor * 3 + axis) * t.width


@kernel
def floor_by(t, floor, way):
    """The floor before (way 0) or after (way 1) this one in the circle."""
    if way == 0:
        return floor - 1 if floor > 0 else t.floors - 1
    return floor + 1 if floor + 1 < t.floors else 0


@kernel
def adjacent(t, floor, way):
    """Whether there is a floor that way: two floors lie side by side once, not in a circle."""
    return t.floors > 2 or (t.floors == 2 and floor != way)


@inline
def links_by(t, s, floor, way):
    """Fields of this floor that are linked to the floor before (way 0) or after (way 1)."""
    return load(board(t), s, links_at(t, floor_by(t, floor, 0) if way == 0 else floor))


@inline
def hand(t, s, seat):
    """The tiles a seat may choose from: its supply, but for a forced first move."""
    if t.first_single and seat == 0 and s[1] == t.supplies[0]:
        return ONE
    return s[1 + seat] & ~DONE


@inline
def split(t, move):
    """(floor, link, placement) of a move's number."""
    return move // (t.placements * LINKS), move // t.placements % LINKS, move % t.placements


@kernel
def number(t, floor, link, place):
    return (floor * LINKS + link) * t.placements + place


@inline
def room_of(t, shape):
    """The anchors where the shape lies on the board."""
    return column(board(t), t.shapes, ROOM, shape)


@inline
def cells_of(t, place):
    return row_set(board(t), t.masks, place, CELLS)


@inline
def inner_of(t, place):
    return row_set(board(t), t.masks, place, INNER * t.width)


@inline
def gap_of(t, place):
    return row_set(board(t), t.masks, place, GAP * t.width)


@inline
def beside_of(t, place):
    return row_set(board(t), t.masks, place, BESIDE * t.width)
